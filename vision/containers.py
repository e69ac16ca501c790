"""Takes photo files apart before anything decodes them: their parts, and their orientation.

Cameras and attackers write much beside the picture. Decoders read all of it, some by joining each part to those before;
so they get only what a picture needs. A file of more parts than MOST_PARTS is refused.
"""

import re
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

ORIENTATION, UPRIGHT = 0x0112, 1  # the EXIF tag, and its usual value
JPEG, PNG, RIFF, WEBP = b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF", b"WEBP"
EXIF_MARK = b"Exif\x00\x00"
XMP_MARK = b"http://ns.adobe.com/xap/1.0/\x00"
# A camera's photo of 40 MB has a few hundred; a PNG in pieces of 4 kB has ten thousand.
MOST_PARTS = 1 << 16
MOST_EXIF = 1 << 20  # bytes that are searched for the orientation
# Bytes of a JPEG's table segment, and their number. All tables of a kind take 2,188 bytes; 64 scans may have their own.
MOST_TABLE, MOST_TABLES = 1 << 12, 1000
MOST_BOXES, MOST_DESCRIBED = 10_000, 1 << 21  # boxes of a HEIC file; bytes of those that describe it

SCAN, END, COMMENT = 0xDA, 0xD9, 0xFE
APP0, APP1, APP14, APPS = 0xE0, 0xE1, 0xEE, range(0xE0, 0xF0)
_ALONE = frozenset({0x00, 0x01, 0xD8, *range(0xD0, 0xD8)})  # markers without content, and no marker
# Between parts, bytes that are no marker are skipped, and so is filling, as decoders do. In a scan 0xff also precedes 0
# and restart numbers; long filling there makes some decoders join all of it again and again.
_AFTER_FILLING = re.compile(rb"[^\xff]")
_SCAN_ENDS = re.compile(rb"\xff(?:[\x01-\xcf\xd8-\xfe]|\xff{16})")
_PNG_NEEDED = frozenset({b"IHDR", b"PLTE", b"tRNS"})
_WEBP_PICTURE = frozenset({b"VP8 ", b"VP8L", b"ANMF"})
_WEBP_NEEDED = frozenset({b"VP8X", b"ANIM", b"ALPH"})
_WEBP_METADATA = 0x20 | 0x08 | 0x04  # flags of colour profile, EXIF and XMP
_NOT_DESCRIBING = frozenset({b"mdat", b"free", b"skip"})
_XMP_ORIENTATION = re.compile(rb'tiff:Orientation(?:="|>)([0-9])')


class StrippedFile(NamedTuple):
    """A file with only what its picture needs, and its orientation (EXIF 2.32, tag 0x0112)."""

    data: bytes
    orientation: int


class Segment(NamedTuple):
    """A part of a JPEG: `whole` with the scan that follows, and the `body` after its length."""

    marker: int
    whole: bytes
    body: bytes


def strip_metadata(data: bytes) -> StrippedFile:
    """Strips a JPEG, PNG or WebP to its picture; other files stay as they are. Raises ValueError for what no camera
    writes."""
    if data.startswith(JPEG):
        return _strip_jpeg(data)
    if data.startswith(PNG):
        return _strip_png(data)
    if data.startswith(RIFF) and data[8:12] == WEBP:
        return _strip_webp(data)
    if data[4:8] == b"ftyp":
        _check_boxes(data)
    return StrippedFile(data, UPRIGHT)


def jpeg_orientation(segments: Iterable[Segment]) -> int:
    """The orientation 1..8 in the segments of a JPEG."""
    return _orientation([(each.body, each.body) for each in segments if each.marker == APP1])


def png_orientation(chunks: Iterable[tuple[bytes, bytes]]) -> int:
    return _orientation([metadata for name, body in chunks if (metadata := _png_metadata(name, body)) is not None])


def webp_orientation(chunks: Iterable[tuple[bytes, bytes]]) -> int:
    return _orientation([metadata for name, body in chunks if (metadata := _webp_metadata(name, body)) is not None])


def jpeg_segments(data: bytes) -> Iterator[Segment]:
    """The segments of a JPEG up to its end, without lone markers. The last scan may be cut off."""
    at = len(JPEG)
    for _ in range(MOST_PARTS):
        at = data.find(b"\xff", at)
        found = _AFTER_FILLING.search(data, at) if at >= 0 else None
        if found is None:
            return
        at, marker = found.start() - 1, data[found.start()]
        if marker in _ALONE:
            at += 2
            continue
        if marker == END:
            yield Segment(END, data[at : at + 2], b"")
            return
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        ends = at + 2 + length
        if length < 2 or ends > len(data):
            return
        body = data[at + 4 : ends]
        if marker == SCAN:
            after = _SCAN_ENDS.search(data, ends)
            ends = after.start() if after else len(data)
        yield Segment(marker, data[at:ends], body)
        at = ends
    raise ValueError("a JPEG of too many segments")


def png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and content of each chunk. The last one may be cut off."""
    at = len(PNG)
    for _ in range(MOST_PARTS):
        if at + 8 > len(data):
            return
        length = int.from_bytes(data[at : at + 4], "big")
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length
    raise ValueError("a PNG of too many chunks")


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(body, zlib.crc32(name)))


def webp_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Name and content of each chunk of a WebP. The last one may be cut off."""
    at = 12
    for _ in range(MOST_PARTS):
        if at + 8 > len(data):
            return
        length = int.from_bytes(data[at + 4 : at + 8], "little")
        yield data[at : at + 4], data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2
    raise ValueError("a WebP of too many chunks")


def riff(chunks: list[bytes]) -> bytes:
    size = len(WEBP) + sum(map(len, chunks))
    return b"".join([RIFF, struct.pack("<I", size), WEBP, *chunks])


def riff_chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)


def _strip_jpeg(data: bytes) -> StrippedFile:
    """Drops comments and application segments, except the two that describe the colours."""
    segments = list(jpeg_segments(data))
    if all(each.marker != SCAN for each in segments):
        raise ValueError("a JPEG without a picture")
    parts, tables, colours = [JPEG], 0, set()
    for marker, whole, body in segments:
        if marker in (APP0, APP14) and marker not in colours and body.startswith((b"JFIF\x00", b"Adobe")):
            colours.add(marker)
            parts.append(whole)
        elif marker != COMMENT and marker not in APPS:
            tables += marker not in (SCAN, END)
            if len(body) > MOST_TABLE or tables > MOST_TABLES:
                raise ValueError("a JPEG of too many tables")
            parts.append(whole)
    return StrippedFile(b"".join(parts), jpeg_orientation(segments))


def _strip_png(data: bytes) -> StrippedFile:
    chunks = list(png_chunks(data))
    parts, pixels, seen, ended = [PNG], [], set(), False
    for name, body in chunks:
        if name == b"IDAT":
            pixels.append(body)
        elif name in _PNG_NEEDED and name not in seen and not pixels:
            seen.add(name)
            parts.append(png_chunk(name, body))
        elif name == b"IEND":
            ended = True
            break
    parts.append(png_chunk(b"IDAT", b"".join(pixels)))
    return StrippedFile(b"".join([*parts, png_chunk(b"IEND", b"")] if ended else parts), png_orientation(chunks))


def _strip_webp(data: bytes) -> StrippedFile:
    chunks = list(webp_chunks(data))
    parts, seen = [], set()
    for name, body in chunks:
        if name in _WEBP_PICTURE:
            parts.append(riff_chunk(name, body))
            break
        if name in _WEBP_NEEDED and name not in seen:
            seen.add(name)
            if name == b"VP8X" and body:
                body = bytes([body[0] & ~_WEBP_METADATA]) + body[1:]
            parts.append(riff_chunk(name, body))
    return StrippedFile(riff(parts), webp_orientation(chunks))


def _check_boxes(data: bytes) -> None:
    """Raises ValueError for a HEIC file (ISO/IEC 14496-12, section 4.2) of too many boxes, or with much beside its
    pictures."""
    at, described = 0, 0
    for _ in range(MOST_BOXES):
        if at + 8 > len(data):
            return
        length, name = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if length == 1:
            length = int.from_bytes(data[at + 8 : at + 16], "big")
        if length < 8:  # 0: to the end of the file
            length = len(data) - at
        if name not in _NOT_DESCRIBING:
            described += min(length, len(data) - at)
        if described > MOST_DESCRIBED:
            break
        at += length
    raise ValueError("a HEIC file of too many boxes")


def _png_metadata(name: bytes, body: bytes) -> tuple[bytes, bytes] | None:
    """The EXIF and XMP of a chunk, if it has either."""
    if name == b"eXIf":
        return EXIF_MARK + body[:MOST_EXIF], b""
    if name == b"iTXt" and body.startswith(b"XML:com.adobe.xmp\x00"):
        return b"", XMP_MARK + body[:MOST_EXIF]
    return None


def _webp_metadata(name: bytes, body: bytes) -> tuple[bytes, bytes] | None:
    if name == b"EXIF":
        return EXIF_MARK + body[:MOST_EXIF].removeprefix(EXIF_MARK), b""
    return (b"", XMP_MARK + body[:MOST_EXIF]) if name == b"XMP " else None


def _orientation(parts: list[tuple[bytes, bytes]]) -> int:
    """The orientation in the first EXIF, or else in the first XMP."""
    exif = next((exif for exif, _ in parts if exif.startswith(EXIF_MARK)), b"")
    xmp = next((xmp for _, xmp in parts if xmp.startswith(XMP_MARK)), b"")
    found = _exif_orientation(exif[len(EXIF_MARK) :])
    if found is None and (said := _XMP_ORIENTATION.search(xmp)):
        found = int(said[1])
    return found if found is not None and 1 <= found <= 8 else UPRIGHT


def _exif_orientation(tiff: bytes) -> int | None:
    """The orientation in the first directory of an EXIF block; None if it is unreadable or missing."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2])
    if order is None or len(tiff) < 8:
        return None
    (at,) = struct.unpack_from(f"{order}I", tiff, 4)
    if at + 2 > len(tiff):
        return None
    (count,) = struct.unpack_from(f"{order}H", tiff, at)
    found = None
    for entry in range(at + 2, min(at + 2 + 12 * count, len(tiff) - 11), 12):
        tag, kind, values = struct.unpack_from(f"{order}HHI", tiff, entry)
        if tag == ORIENTATION and values == 1 and kind in _WHOLE:
            (found,) = struct.unpack_from(order + _WHOLE[kind], tiff, entry + 8)
    return found


_WHOLE = {1: "B", 3: "H", 4: "I"}  # kinds of whole numbers
