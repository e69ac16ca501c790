"""What hostile files hold beside a picture costs hardly anything, and honest ones are read as before."""

from __future__ import annotations

import contextlib
import io
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision import Photo, PhotoError
from vision.containers import MOST_PARTS, png_chunk, riff, riff_chunk, strip_metadata
from vision.reasons import MAX_BYTES
from web.photos.metadata import remove_metadata

LARGE = MAX_BYTES - (1 << 20)  # bytes besides the picture
# Of processor time for a file of 39 MB. What was quadratic, or went through all of it in Python, took 1.5 to 48 s.
GENEROUS_S = 3.0
PICTURES = Path(__file__).resolve().parents[1] / "pictures"
PIXELS = np.random.default_rng(1).integers(0, 256, (48, 64, 3), dtype=np.uint8)


def encode(form: str, **more: object) -> bytes:
    out = io.BytesIO()
    Image.fromarray(PIXELS).save(out, form, **more)
    return out.getvalue()


def segment(marker: int, body: bytes = b"") -> bytes:
    return b"\xff" + bytes([marker]) + (len(body) + 2).to_bytes(2, "big") + body


def box(name: bytes, body: bytes = b"") -> bytes:
    return (8 + len(body)).to_bytes(4, "big") + name + body


def jpeg_with(part: bytes) -> bytes:
    plain = encode("JPEG")
    return plain[:2] + part * (LARGE // len(part)) + plain[2:]


def jpeg_scan_with(part: bytes) -> bytes:
    plain = encode("JPEG")
    return plain[:-2] + part * (LARGE // len(part)) + plain[-2:]


def png_with(part: bytes) -> bytes:
    plain = encode("PNG")
    return plain[:33] + part * (LARGE // len(part)) + plain[33:]


def png_ending_with(part: bytes) -> bytes:
    plain = encode("PNG")
    return plain[:-12] + part * (LARGE // len(part)) + plain[-12:]


def webp_with(part: bytes) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 1
    return riff([encode("WEBP", exif=exif)[12:], part * (LARGE // len(part))])


def heic_with(part: bytes) -> bytes:
    plain = (PICTURES / "throw-2345.heic").read_bytes()
    return plain + part * (LARGE // len(part))


def avif_with(part: bytes) -> bytes:
    """The EXIF is as large as a file may be, and described in few bytes."""
    exif = b"Exif\0\0" + part * (LARGE // len(part))
    return encode("AVIF", exif=exif)


def tiff_with(part: bytes) -> bytes:
    """A directory of such entries before those of the picture; each says that its values lie in the file."""
    plain = encode("TIFF")
    (at,) = struct.unpack_from("<I", plain, 4)
    (count,) = struct.unpack_from("<H", plain, at)
    entries = part * 50_000 + plain[at + 2 : at + 2 + 12 * count]
    filled = plain + bytes(LARGE - len(plain))
    directory = struct.pack("<H", 50_000 + count) + entries + bytes(4)
    return filled[:4] + struct.pack("<I", len(filled)) + filled[8:] + directory


def tiff_of(*entries: tuple[int, int, tuple[int, ...]]) -> bytes:
    """A TIFF of grey with these tags: number, kind (3: 16 bits, 4: 32 bits), values. Its parts lie on each other."""
    given = {tag: (kind, values) for tag, kind, values in entries}
    usual = {256: (3, (64,)), 257: (3, (48,)), 258: (3, (8,)), 259: (3, (1,)), 262: (3, (1,)), 277: (3, (1,))}
    tags = sorted((usual | given).items())
    body, written = b"II*\0" + bytes(4) + bytes(LARGE), []
    for tag, (kind, values) in tags:
        packed = struct.pack(f"<{len(values)}{ {3: 'H', 4: 'I'}[kind] }", *values)
        if len(packed) > 4:
            packed, body = struct.pack("<I", len(body)), body + packed
        written.append(struct.pack("<HHI", tag, kind, len(values)) + packed.ljust(4, b"\0"))
    start = len(body)
    return (
        b"II*\0" + struct.pack("<I", start) + body[8:] + struct.pack("<H", len(written)) + b"".join(written) + bytes(4)
    )


def runs_of_bmp(part: bytes) -> bytes:
    header = struct.pack("<IiiHHIIiiII", 40, 4000, 4000, 1, 8, 1, 0, 0, 0, 256, 0)
    start = 14 + len(header) + 1024
    return b"BM" + struct.pack("<IHHI", LARGE, 0, 0, start) + header + bytes(1024) + part * (LARGE // len(part))


DIRECTORY = b"MM\0*\0\0\0\x08\x15\0" + b"\1\2\0\2\0\0\xf0\xff\0\0\0\0" * 5376  # each entry says it has 61 kB of text
FULL = bytes(65_000)
HOSTILE: dict[str, tuple[Callable[[bytes], bytes], bytes]] = {
    **{f"jpeg-app{each}-full": (jpeg_with, segment(0xE0 + each, FULL)) for each in (0, 1, 2, 5, 13, 14)},
    **{f"jpeg-app{each}-empty": (jpeg_with, segment(0xE0 + each)) for each in (0, 1, 2, 13, 14)},
    "jpeg-exif": (jpeg_with, segment(0xE1, b"Exif\0\0" + FULL)),
    "jpeg-exif-directories": (jpeg_with, segment(0xE1, b"Exif\0\0" + DIRECTORY)),
    "jpeg-xmp": (jpeg_with, segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0" + FULL)),
    "jpeg-icc": (jpeg_with, segment(0xE2, b"ICC_PROFILE\0\1\1" + FULL)),
    "jpeg-mpf": (jpeg_with, segment(0xE2, b"MPF\0" + DIRECTORY)),
    "jpeg-photoshop": (jpeg_with, segment(0xED, b"Photoshop 3.0\0" + b"8BIM\1\2\0\0\0\0\0\0" * 5000)),
    "jpeg-comments": (jpeg_with, segment(0xFE, b"a")),
    "jpeg-tables": (jpeg_with, segment(0xDB, (b"\0" + bytes(range(1, 65))) * 1000)),
    "jpeg-restarts": (jpeg_with, b"\xff\xd0"),
    "jpeg-filling": (jpeg_with, b"\xff"),
    "jpeg-junk": (jpeg_with, b"\0"),
    "jpeg-scan-stuffed": (jpeg_scan_with, b"\xff\0"),
    "jpeg-scan-restarts": (jpeg_scan_with, b"\xff\xd1"),
    "jpeg-scan-filling": (jpeg_scan_with, b"\xff"),
    "jpeg-scan-comments": (jpeg_scan_with, segment(0xFE)),
    **{
        f"png-{name.decode()}-{len(body)}-{where.__name__}": (where, png_chunk(name, body))
        for name, body in [
            (b"tEXt", b""),
            (b"zTXt", b"a\0\0" + zlib.compress(bytes(500_000))),
            (b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + zlib.compress(bytes(500_000))),
            (b"eXIf", DIRECTORY),
            (b"eXIf", b""),
            (b"tIME", b""),
            (b"IDAT", b""),
            (b"abCd", b""),
        ]
        for where in (png_with, png_ending_with)
    },
    **{
        f"webp-{name.decode().strip()}-{len(body)}": (webp_with, riff_chunk(name, body))
        for name, body in [(b"EXIF", b""), (b"EXIF", DIRECTORY), (b"XMP ", FULL), (b"abcd", b""), (b"ANMF", b"")]
    },
    **{f"heic-{name.decode()}": (heic_with, box(name)) for name in (b"free", b"meta", b"moov", b"mdat")},
    "avif-exif": (avif_with, DIRECTORY),
    "tiff-texts": (tiff_with, struct.pack("<HHII", 270, 2, LARGE - 8, 8)),
    "tiff-needed-tags": (tiff_with, struct.pack("<HHII", 273, 4, LARGE // 4 - 8, 8)),
    "bmp-runs": (runs_of_bmp, b"\1\0"),
    "bmp-moves": (runs_of_bmp, b"\0\2\0\0"),
}


@pytest.mark.whole
@pytest.mark.parametrize("kind", HOSTILE)
def test_what_stands_beside_a_picture_costs_next_to_nothing(kind: str) -> None:
    make, part = HOSTILE[kind]
    data = make(part)
    assert LARGE - 70_000 < len(data) <= MAX_BYTES
    works: tuple[Callable[[bytes], object], ...] = (Photo.decode, remove_metadata)
    for work in works:
        began = time.thread_time()
        with contextlib.suppress(PhotoError, ValueError):
            work(data)
        assert time.thread_time() - began < GENEROUS_S, work


ROWS = 60_000
HOSTILE_TIFF = {
    "strips on each other": [
        (257, 4, (ROWS,)),
        (259, 3, (8,)),
        (273, 4, (8,) * ROWS),
        (278, 3, (1,)),
        (279, 4, (LARGE,) * ROWS),
    ],
    "more strips than parts": [(257, 4, (70_000,)), (273, 4, (8,) * 70_000), (278, 3, (1,)), (279, 4, (64,) * 70_000)],
    "one tile of 4 gigabytes": [
        (259, 3, (8,)),
        (322, 4, (1 << 16,)),
        (323, 4, (1 << 16,)),
        (324, 4, (8,)),
        (325, 4, (LARGE,)),
    ],
    "a codec of few": [(259, 3, (34925,)), (273, 4, (8,)), (279, 4, (LARGE,))],
    "values beyond the file": [(273, 4, (8,)), (279, 4, (1 << 31,))],
    "no strips": [],
    "samples without end": [(277, 3, (60_000,)), (273, 4, (8,)), (279, 4, (LARGE,))],
}


@pytest.mark.parametrize("kind", HOSTILE_TIFF)
def test_a_tiff_that_would_be_decoded_without_end_is_refused(kind: str) -> None:
    data = tiff_of(*HOSTILE_TIFF[kind])
    assert len(data) < MAX_BYTES
    began = time.thread_time()
    with pytest.raises(PhotoError, match=r"this TIFF file is damaged or of a rare kind; send it as a JPEG"):
        Photo.decode(data)
    assert time.thread_time() - began < GENEROUS_S


def test_a_tiff_of_any_honest_form_is_read_as_it_was_written() -> None:
    """Strips and tiles, either order of bytes, many pages, and tags that no picture needs."""
    plain = tiff_of((273, 4, (8,)), (278, 3, (48,)), (279, 4, (64 * 48,)))
    assert Photo.decode(plain).pixels.shape == (48, 64, 3)
    for more in ({}, {"compression": "tiff_lzw"}, {"compression": "packbits"}, {"compression": "tiff_adobe_deflate"}):
        exif = Image.Exif()
        exif[0x010F] = "Nikon"
        data = encode("TIFF", exif=exif, **more)
        assert np.array_equal(Photo.decode(data).pixels, PIXELS)
        assert b"Nikon" in data
    tiled = encode("TIFF", compression="jpeg", quality=95, tiffinfo={322: 16, 323: 16})
    assert np.abs(Photo.decode(tiled).pixels.astype(int) - PIXELS).mean() < 30


def test_a_long_but_honest_file_is_read() -> None:
    """As cameras write them: a maker's note of 60 kB, a preview in several parts, a profile; a PNG in many pieces."""
    plain = encode("JPEG", quality=95)
    parts = [segment(0xE1, b"Exif\0\0" + DIRECTORY[:60_000]), *(segment(0xE2, b"preview" + FULL) for _ in range(300))]
    photo = Photo.decode(plain[:2] + b"".join(parts) + plain[2:])
    assert np.array_equal(photo.pixels, Photo.decode(plain).pixels)
    whole = encode("PNG")
    packed = zlib.compress(b"".join(b"\0" + row.tobytes() for row in PIXELS))
    pieces = b"".join(png_chunk(b"IDAT", packed[at : at + 1]) for at in range(len(packed)))
    assert np.array_equal(Photo.decode(whole[:33] + pieces + whole[-12:]).pixels, PIXELS)


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("turned", range(1, 9))
def test_the_orientation_comes_from_exif_and_else_from_xmp(form: str, turned: int) -> None:
    exif = Image.Exif()
    exif[0x010F] = "Nikon"
    exif[0x0112] = turned
    data = encode(form, exif=exif)
    assert strip_metadata(data).orientation == turned
    xmp = f'<x:xmpmeta tiff:Orientation="{turned}"/>'.encode()
    del exif[0x0112]
    if form == "PNG":
        data = encode(form, exif=exif)
        data = data[:33] + png_chunk(b"iTXt", b"XML:com.adobe.xmp\0\0\0\0\0" + xmp) + data[33:]
    else:
        data = encode(form, exif=exif, xmp=xmp)
    assert strip_metadata(data).orientation == turned
    with Image.open(io.BytesIO(data)) as image:
        assert image.getexif()[0x0112] == turned, "as Pillow reads it"
    assert b"Nikon" not in strip_metadata(data).data


def test_filling_before_a_restart_belongs_to_the_scan() -> None:
    plain = encode("JPEG", restart_marker_rows=1)
    filled = plain.replace(b"\xff\xd0", b"\xff\xff\xff\xd0", 1)
    assert filled != plain
    assert np.array_equal(Photo.decode(filled).pixels, Photo.decode(plain).pixels)
    assert np.array_equal(Photo.decode(remove_metadata(filled)).pixels, Photo.decode(plain).pixels)


def test_too_many_parts_are_refused_and_no_fewer() -> None:
    plain = encode("JPEG")
    for count, taken in ((MOST_PARTS - 20, True), (MOST_PARTS + 1, False)):
        data = plain[:2] + segment(0xE5) * count + plain[2:]
        with contextlib.nullcontext() if taken else pytest.raises(PhotoError, match="damaged"):
            Photo.decode(data)
