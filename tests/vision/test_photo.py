"""Photos: what is taken, what is refused and how, and that upright means upright."""

from __future__ import annotations

import contextlib
import io
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from vision import Photo, PhotoError
from vision.photo import MAX_BYTES, MIN_SIDE

# What a camera stores so that, turned as the orientation says, the upright picture comes out (EXIF 2.32, tag 0x0112).
STORED = {
    1: lambda upright: upright,
    2: lambda upright: upright[:, ::-1],
    3: lambda upright: upright[::-1, ::-1],
    4: lambda upright: upright[::-1],
    5: lambda upright: upright.transpose(1, 0, 2),
    6: lambda upright: np.rot90(upright, 1),
    7: lambda upright: np.rot90(upright, 2).transpose(1, 0, 2),
    8: lambda upright: np.rot90(upright, -1),
}

PICTURES = Path(__file__).resolve().parents[1] / "pictures"


def a_picture(width: int = 96, height: int = 64) -> np.ndarray:
    """Four quarters of different colours, none of which can be taken for another."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2] = (220, 30, 30)
    pixels[: height // 2, width // 2 :] = (30, 220, 30)
    pixels[height // 2 :, : width // 2] = (30, 30, 220)
    pixels[height // 2 :, width // 2 :] = (220, 220, 30)
    return pixels


def encode(pixels: np.ndarray, form: str = "JPEG", **more: object) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, form, **more)
    return out.getvalue()


def refusal_of(data: bytes) -> PhotoError:
    with pytest.raises(PhotoError) as caught:
        Photo.decode(data)
    assert "\n" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_takes_the_usual_formats(form: str) -> None:
    photo = Photo.decode(encode(a_picture(), form))
    assert (photo.width, photo.height) == (96, 64)
    assert photo.pixels.shape == (64, 96, 3)
    assert np.abs(photo.pixels[8, 8].astype(int) - (220, 30, 30)).max() < 20


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("size", [(96, 64), (2400, 1600)])
def test_orientation_is_applied(orientation: int, size: tuple[int, int]) -> None:
    upright = a_picture(*size)
    exif = Image.Exif()
    exif[0x0112] = orientation
    photo = Photo.decode(encode(np.ascontiguousarray(STORED[orientation](upright)), exif=exif, quality=95))
    assert (photo.width, photo.height) == size
    for pixels in (photo.view(500), photo.pixels):
        height, width = pixels.shape[:2]
        assert width / height == pytest.approx(1.5, rel=0.02)
        for y in (0.2, 0.8):
            for x in (0.2, 0.8):
                there = upright[int(y * size[1]), int(x * size[0])].astype(int)
                assert np.abs(pixels[int(y * height), int(x * width)] - there).max() < 24


def test_a_view_is_small_where_that_saves_time_and_never_smaller_than_asked() -> None:
    photo = Photo.decode(encode(a_picture(4000, 3000)))
    assert photo.view(1000).shape == (750, 1000, 3)
    assert photo.view(1001).shape == (1500, 2000, 3)
    assert photo.view(9000).shape == photo.pixels.shape == (3000, 4000, 3)


@pytest.mark.parametrize("mode", ["L", "1", "P", "CMYK", "RGBA", "LA", "I;16", "YCbCr"])
def test_all_kinds_of_pixels_become_rgb(mode: str) -> None:
    grey = Image.fromarray(np.full((40, 40), 200, np.uint8))
    image = Image.fromarray(np.full((40, 40), 200 * 257, np.uint16)) if mode == "I;16" else grey.convert(mode)
    out = io.BytesIO()
    image.save(out, "PNG" if mode not in ("CMYK", "YCbCr") else "JPEG")
    photo = Photo.decode(out.getvalue())
    assert photo.pixels.shape == (40, 40, 3)
    assert abs(float(photo.pixels.mean()) - 200) < 30


def test_what_is_transparent_is_white() -> None:
    assert (Photo.decode(encode(np.zeros((32, 32, 4), np.uint8), "PNG")).pixels == 255).all()


def test_of_an_animation_the_first_picture_is_taken() -> None:
    frames = [Image.fromarray(np.full((32, 32, 3), grey, np.uint8)) for grey in (200, 20)]
    out = io.BytesIO()
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:], lossless=True)
    assert Photo.decode(out.getvalue()).pixels.mean() == 200


def test_an_empty_file_is_refused() -> None:
    assert refusal_of(b"").reason == "photo-empty"


@pytest.mark.parametrize("data", [b"hello", b"GIF89a" + bytes(40), b"%PDF-1.7", bytes(1000), b"<svg/>"])
def test_other_files_are_refused(data: bytes) -> None:
    assert refusal_of(data).reason == "photo-format"


def test_an_iphones_photo_is_read() -> None:
    taken = (PICTURES / "throw-2345.heic").read_bytes()
    photo = Photo.decode(taken)
    assert (photo.width, photo.height) == (800, 600)
    shrunk = np.asarray(Image.open(PICTURES / "throw-2345.jpg").convert("RGB").resize((800, 600)))
    assert np.abs(photo.pixels.astype(int) - shrunk).mean() < 4
    assert refusal_of(taken[: len(taken) // 2]).reason == "photo-damaged"
    for brand in (b"heic", b"heix", b"mif1"):
        assert refusal_of(b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0mif1heic" + bytes(200)).reason == "photo-damaged"


def test_avif_is_named() -> None:
    error = refusal_of(b"\0\0\0\x18ftypavif\0\0\0\0mif1avif" + bytes(200))
    assert error.reason == "photo-heic"
    assert "JPEG" in str(error)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_truncated_photo_is_refused(form: str, share: float) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    data = encode(noise, form)
    assert refusal_of(data[: int(len(data) * share)]).reason == "photo-damaged"


def test_too_many_bytes_are_refused() -> None:
    assert refusal_of(b"\xff\xd8\xff" + bytes(MAX_BYTES)).reason == "photo-too-large"


@pytest.mark.parametrize("size", [(12000, 6000), (30000, 30000)])
def test_a_bomb_is_refused_before_it_is_unpacked(size: tuple[int, int]) -> None:
    data = encode(np.zeros((16, 16), np.uint8), "PNG")
    width, height = (side.to_bytes(4, "big") for side in size)
    header = b"IHDR" + width + height + data[24:29]
    forged = data[:12] + header + zlib.crc32(header).to_bytes(4, "big") + data[33:]
    assert refusal_of(forged).reason == "photo-too-many-pixels"


def test_a_tiny_picture_is_refused() -> None:
    error = refusal_of(encode(np.zeros((MIN_SIDE - 1, 40, 3), np.uint8)))
    assert error.reason == "photo-too-small"
    assert error.params == {"width": 40, "height": MIN_SIDE - 1, "limit": MIN_SIDE}


def test_broken_exif_is_no_reason_to_refuse() -> None:
    data = encode(a_picture(), exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff" + bytes(range(60)))
    assert Photo.decode(data).width == 96


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP"]))
def test_anything_is_read_or_refused(data: bytes, start: bytes) -> None:
    with contextlib.suppress(PhotoError):
        Photo.decode(start + data)


@pytest.mark.parametrize("shape", [(10, 10), (10, 10, 4), (0, 10, 3)])
def test_pixels_are_checked(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="height, width, 3"):
        Photo(np.zeros(shape, np.uint8))
