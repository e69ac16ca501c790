"""Photos: what is taken, what is refused and how, and that upright means upright."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from vision import Photo, PhotoError
from vision.photo import MAX_PIXELS, MAX_VIEW, MEGA, MIN_SIDE
from vision.reasons import MAX_BYTES

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


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "AVIF", "TIFF", "BMP"])
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
    assert Photo.decode(encode(a_picture(8000, 300))).view(1000).shape == (38, 1000, 3)
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


def shades(white: float) -> np.ndarray:
    """Grey from black to white, from left to right."""
    return np.tile(np.linspace(0, white, 64), (32, 1))


def encode_deep(numbers: np.ndarray, name: str) -> bytes:
    return bytes(cv2.imencode(name, numbers)[1])


def encode_mode(image: Image.Image, form: str, **more: object) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **more)
    return out.getvalue()


GREY_16 = shades(65_535).astype(np.uint16)
COLOUR_16 = np.dstack([GREY_16 // 4, GREY_16 // 2, GREY_16])  # blue, green, red
FULL_RANGE = {
    "16 bits in a PNG": (encode_deep(GREY_16, ".png"), (1, 1, 1)),
    "12 bits in a PNG": (encode_deep(GREY_16 >> 4, ".png"), (1, 1, 1)),
    "12 bits in a TIFF": (encode_deep(GREY_16 >> 4, ".tif"), (1, 1, 1)),
    "colours of 16 bits in a PNG": (encode_deep(COLOUR_16, ".png"), (1, 0.5, 0.25)),
    "colours of 12 bits in a PNG": (encode_deep(COLOUR_16 >> 4, ".png"), (1, 0.5, 0.25)),
    "colours of 12 bits in a TIFF": (encode_deep(COLOUR_16 >> 4, ".tif"), (1, 0.5, 0.25)),
    "fractions up to 1": (encode_mode(Image.fromarray(shades(1).astype(np.float32)), "TIFF"), (1, 1, 1)),
    "fractions up to 5000": (encode_mode(Image.fromarray(shades(5000).astype(np.float32)), "TIFF"), (1, 1, 1)),
    "whole numbers of 32 bits": (encode_mode(Image.fromarray(shades(65_535).astype(np.int32)), "TIFF"), (1, 1, 1)),
    "a palette": (encode_mode(Image.fromarray(shades(255).astype(np.uint8)).convert("P"), "BMP"), (1, 1, 1)),
    "CMYK": (encode_mode(Image.fromarray(shades(255).astype(np.uint8)).convert("CMYK"), "TIFF"), (1, 1, 1)),
}


@pytest.mark.parametrize("kind", FULL_RANGE)
def test_numbers_of_all_sizes_become_black_to_white(kind: str) -> None:
    data, share = FULL_RANGE[kind]
    wanted = shades(255)[..., None] * np.array(share)
    assert np.abs(Photo.decode(data).pixels - wanted).max() < 6


def test_numbers_that_are_none_and_below_zero_are_black() -> None:
    odd = shades(1).astype(np.float32)
    odd[0, :3] = (np.nan, np.inf, -np.inf)
    odd[1] = -5
    pixels = Photo.decode(encode_mode(Image.fromarray(odd), "TIFF")).pixels
    assert pixels[0, 0].max() == 0
    assert pixels[1].max() == 0
    assert pixels[2:].max() == 255


def test_black_and_white_dots_become_grey() -> None:
    """As a fax has them; else their pattern is taken for pips."""
    dotted = Image.fromarray(shades(255).astype(np.uint8)).convert("1")
    for form in ("PNG", "TIFF", "BMP"):
        pixels = Photo.decode(encode_mode(dotted, form)).pixels
        assert np.abs(pixels.astype(int) - shades(255)[..., None]).mean() < 32, form


def test_transparent_colours_of_16_bits_are_white_too() -> None:
    clear = np.zeros((32, 32, 4), np.uint16)
    clear[:16, :, 3] = 65_535
    pixels = Photo.decode(encode_deep(clear, ".png")).pixels
    assert (pixels[0].max(), pixels[-1].min()) == (0, 255)


def test_what_is_transparent_is_white() -> None:
    assert (Photo.decode(encode(np.zeros((32, 32, 4), np.uint8), "PNG")).pixels == 255).all()


def test_of_an_animation_the_first_picture_is_taken() -> None:
    frames = [Image.fromarray(np.full((32, 32, 3), grey, np.uint8)) for grey in (200, 20)]
    for form, more in (("WEBP", {"lossless": True}), ("AVIF", {"quality": 100}), ("TIFF", {}), ("PNG", {})):
        out = io.BytesIO()
        frames[0].save(out, form, save_all=True, append_images=frames[1:], **more)
        assert abs(Photo.decode(out.getvalue()).pixels.mean() - 200) < 2, form


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


@pytest.mark.parametrize(
    "data",
    [
        b"\0\0\0\x18ftypavif\0\0\0\0mif1avif" + bytes(200),
        encode(a_picture(400, 300), "AVIF")[:400],
        encode(a_picture(400, 300), "AVIF").replace(b"av1C", b"none"),
        encode(a_picture(400, 300), "TIFF", compression="tiff_lzw")[:2000],
        encode_mode(Image.fromarray(a_picture(400, 300)), "TIFF")[:50_000],
        encode(a_picture(400, 300), "BMP")[:50_000],
        b"MM\0*" + bytes(100),
        b"II*\0\xff\xff\xff\xff",
        b"BM" + bytes(100),
    ],
)
def test_what_cannot_be_read_in_formats_of_many_kinds_is_named(data: bytes) -> None:
    error = refusal_of(data)
    assert error.reason == "photo-unreadable"
    assert "JPEG" in str(error)


def test_an_avif_under_a_common_brand_is_read() -> None:
    data = encode(a_picture(), "AVIF")
    assert Photo.decode(data.replace(b"ftypavif", b"ftypmif1", 1)).width == 96


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
    error = refusal_of(forged)
    assert error.reason == "photo-too-many-for-format"
    assert "PNG" in str(error)
    assert "JPEG" in str(error)


def claiming(data: bytes, width: int, height: int) -> bytes:
    """The JPEG with another size in its header."""
    at = next(data.index(bytes([0xFF, frame])) for frame in (0xC0, 0xC2) if bytes([0xFF, frame]) in data) + 5
    return data[:at] + height.to_bytes(2, "big") + width.to_bytes(2, "big") + data[at + 4 :]


def test_a_jpeg_that_decoders_hold_whole_may_have_fewer_pixels() -> None:
    """Each scan of a progressive one refines the picture; others have a scan for each colour."""
    plain = encode(a_picture())
    scan = plain.index(b"\xff\xda")
    one_colour = plain[:scan] + b"\xff\xda\0\x08\x01\x01\0\0\x3f\0" + plain[scan + 14 :]
    for data in (encode(a_picture(), progressive=True), one_colour):
        error = refusal_of(claiming(data, 8000, 6000))
        assert (error.reason, error.params["limit"]) == ("photo-too-many-for-format", 40)
    assert refusal_of(claiming(plain, 16_000, 16_000)).reason == "photo-too-many-pixels"


MOST_MB = 400  # beyond what the program takes anyhow
MEASURED = """
import resource, sys
import cv2, numpy, vision
from vision.photo import Photo
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
before = peak()
photo = Photo.decode(sys.stdin.buffer.read())
print(photo.width, photo.height, photo.pixels.shape[0] * photo.pixels.shape[1], peak() - before)
"""
LARGEST = {
    "JPEG": (18_240, 13_680, {}),
    "JPEG of 108 megapixels": (12_000, 9_000, {}),
    "PNG": (8160, 6120, {"compress_level": 1}),
    "TIFF": (8160, 6120, {"compression": "tiff_adobe_deflate"}),
}


@pytest.mark.whole
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured in Linux's units")
@pytest.mark.parametrize("kind", LARGEST)
def test_the_largest_photos_are_read_in_bounded_memory(kind: str) -> None:
    width, height, more = LARGEST[kind]
    assert width * height > MAX_PIXELS[kind] - 2 * MEGA if kind in MAX_PIXELS else True
    shade = Image.new("L" if "JPEG" in kind else "RGB", (width, height), 90)
    data = encode_mode(shade, kind.split()[0], **more)
    del shade
    done = subprocess.run([sys.executable, "-c", MEASURED], input=data, capture_output=True, check=True)
    wide, high, finest, grown = map(int, done.stdout.split())
    assert (wide, high) == (width, height)
    assert MAX_VIEW // 4 < finest <= MAX_VIEW
    assert grown < MOST_MB


def test_a_tiny_picture_is_refused() -> None:
    error = refusal_of(encode(np.zeros((MIN_SIDE - 1, 40, 3), np.uint8)))
    assert error.reason == "photo-too-small"
    assert error.params == {"width": 40, "height": MIN_SIDE - 1, "limit": MIN_SIDE}


def test_broken_exif_is_no_reason_to_refuse() -> None:
    data = encode(a_picture(), exif=b"Exif\0\0MM\0*\0\0\0\x08\xff\xff" + bytes(range(60)))
    assert Photo.decode(data).width == 96


STARTS = [b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF\0\0\0\0WEBP", b"II*\0\x08\0\0\0", b"MM\0*", b"BM"]


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from(STARTS))
def test_anything_is_read_or_refused(data: bytes, start: bytes) -> None:
    with contextlib.suppress(PhotoError):
        Photo.decode(start + data)


@pytest.mark.parametrize("shape", [(10, 10), (10, 10, 4), (0, 10, 3)])
def test_pixels_are_checked(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="height, width, 3"):
        Photo(np.zeros(shape, np.uint8))
