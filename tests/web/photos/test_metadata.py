"""Photos that are kept lose what the camera told, and nothing of the picture."""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from vision import Photo
from web.photos.metadata import remove_metadata
from web.photos.photo_files import PhotoFiles

PICTURE = Path(__file__).resolve().parents[2] / "pictures" / "throw-112455.jpg"
SECRETS = (b"Nikon", b"50.087", b"GPS", b"Prague", b"xmp", b"2026:11:23")


def photo_with_secrets(kind: str, orientation: int, **more: object) -> bytes:
    """A photo of this kind in which the camera tells of itself."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010F] = "Nikon"
    exif[0x0132] = "2026:11:23 01:00:00"
    exif.get_ifd(0x8825).update({1: "N", 2: (50.0, 5.0, 14.0), 27: b"GPS50.087"})
    out = io.BytesIO()
    with Image.open(PICTURE) as image:
        small = image.convert("RGB").resize((64, 48))
        if kind == "PNG":
            note = PngImagePlugin.PngInfo()
            note.add_text("Comment", "Prague")
            more["pnginfo"] = note
        if kind == "JPEG":
            more |= {"comment": b"Prague", "xmp": b"<x:xmpmeta>Prague</x:xmpmeta>"}
        small.save(out, kind, exif=exif, **more)
    return out.getvalue() + (b"\xff\xd8 a second picture: GPS50.087" if kind == "JPEG" else b"")


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize(
    ("kind", "more"), [("JPEG", {}), ("JPEG", {"progressive": True, "quality": 95}), ("PNG", {}), ("WEBP", {})]
)
def test_only_which_way_is_up_is_left(kind: str, more: dict[str, object], orientation: int) -> None:
    photo = photo_with_secrets(kind, orientation, **more)
    assert any(secret in photo for secret in SECRETS)
    kept = remove_metadata(photo)
    assert not [secret for secret in SECRETS if secret in kept]
    before, after = Photo.decode(photo), Photo.decode(kept)
    assert np.array_equal(before.pixels, after.pixels), "the picture is the same, to the last pixel, and upright"
    with Image.open(io.BytesIO(kept)) as image:
        assert dict(image.getexif()) == ({} if orientation == 1 else {0x0112: orientation})
        assert not image.getexif().get_ifd(0x8825)
    assert remove_metadata(kept) == kept


def test_what_is_no_photo_is_refused_and_not_kept(tmp_path: Path) -> None:
    for data in (b"", b"a shopping list", PICTURE.read_bytes()[:100], b"\x89PNG\r\n\x1a\n"):
        with pytest.raises(ValueError, match="not a"):
            remove_metadata(data)
    pictures = PhotoFiles(tmp_path)
    pictures.put_original("one", b"a shopping list")
    pictures.keep("one", {})
    assert not list((tmp_path / "corrections").iterdir())


def test_a_kept_correction_has_no_place_in_it(tmp_path: Path) -> None:
    pictures = PhotoFiles(tmp_path)
    pictures.put_original("one", photo_with_secrets("JPEG", 6))
    pictures.keep("one", {"dice": []})
    kept = (tmp_path / "corrections" / "one.photo").read_bytes()
    assert b"GPS" not in kept
    assert pictures.original("one") is None
    assert Photo.decode(kept).width == 48


@pytest.mark.parametrize("form", ["HEIC", "AVIF", "TIFF", "BMP"])
def test_a_kept_photo_whose_metadata_cannot_be_cut_out_becomes_a_plain_picture(tmp_path: Path, form: str) -> None:
    pictures, photo = PhotoFiles(tmp_path), io.BytesIO()
    if form == "HEIC":
        photo.write(PICTURE.with_name("throw-2345.heic").read_bytes())
    else:
        exif = Image.Exif()
        exif[0x010F] = "Nikon"
        Image.open(PICTURE).resize((800, 600)).save(photo, form, **({} if form == "BMP" else {"exif": exif}))
    pictures.put_original("taken", photo.getvalue())
    pictures.keep("taken", {})
    with Image.open(tmp_path / "corrections" / "taken.photo") as kept:
        assert (kept.format, kept.size, dict(kept.getexif())) == ("JPEG", (800, 600), {})
