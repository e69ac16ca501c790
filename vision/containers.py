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
TIFF, BMP = (b"II*\x00", b"MM\x00*"), b"BM"
EXIF_MARK = b"Exif\x00\x00"
XMP_MARK = b"http://ns.adobe.com/xap/1.0/\x00"
# A camera's photo of 40 MB has a few hundred; a PNG in pieces of 4 kB has ten thousand.
MOST_PARTS = 1 << 16
MOST_EXIF = 1 << 20  # bytes that are searched for the orientation
# Bytes of a JPEG's table segment, and their number. All tables of a kind take 2,188 bytes; 64 scans may have their own.
MOST_TABLE, MOST_TABLES = 1 << 12, 1000
MOST_BOXES, MOST_DESCRIBED = 10_000, 1 << 21  # boxes of a HEIC or AVIF file; bytes of those that describe it
MOST_TILE = 1 << 24  # pixels of a TIFF's tile

SCAN, END, COMMENT = 0xDA, 0xD9, 0xFE
APP0, APP1, APP14, APPS = 0xE0, 0xE1, 0xEE, range(0xE0, 0xF0)
_FRAMES, _ROW_BY_ROW = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}, frozenset({0xC0, 0xC1, 0xC9})
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
    """Strips a JPEG, PNG, WebP or TIFF to its picture, and hides the EXIF of a HEIC or AVIF. Raises ValueError for what
    no camera writes."""
    if data.startswith(JPEG):
        return _strip_jpeg(data)
    if data.startswith(PNG):
        return _strip_png(data)
    if data.startswith(RIFF) and data[8:12] == WEBP:
        return _strip_webp(data)
    if data.startswith(TIFF):
        return _strip_tiff(data)
    if data.startswith(BMP):
        _check_bmp(data)
    if data[4:8] == b"ftyp":
        return StrippedFile(_hide_exif(data), UPRIGHT)
    return StrippedFile(data, UPRIGHT)


def jpeg_orientation(segments: Iterable[Segment]) -> int:
    """The orientation 1..8 in the segments of a JPEG."""
    return _orientation([(each.body, each.body) for each in segments if each.marker == APP1])


def block_orientation(exif: bytes) -> int:
    """The orientation 1..8 in a block of EXIF."""
    return _orientation([(EXIF_MARK + exif.removeprefix(EXIF_MARK), b"")])


def jpeg_streams(data: bytes) -> bool:
    """Whether a JPEG can be decoded row by row. Else decoders keep all of it: each scan refines it, or holds only some
    of its colours."""
    colours = 0
    for marker, _, body in jpeg_segments(data[: data.find(b"\xff\xda") + 64]):
        if marker in _FRAMES:
            colours = body[5] if marker in _ROW_BY_ROW and len(body) > 5 else -1
        if marker == SCAN:
            return body[:1] == bytes([colours]) if colours > 0 else False
    return False


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


def _strip_tiff(data: bytes) -> StrippedFile:
    """Gives the file a first directory of what its picture needs, and no second one (TIFF 6.0, section 2)."""
    order = "<" if data.startswith(b"II") else ">"
    (at,) = struct.unpack_from(f"{order}I", data, 4) if len(data) >= 8 else (len(data),)
    if at + 2 > len(data):
        raise ValueError("a TIFF without a directory")
    (count,) = struct.unpack_from(f"{order}H", data, at)
    needed: dict[int, bytes] = {}
    for entry in range(at + 2, min(at + 2 + 12 * count, len(data) - 11), 12):
        tag = struct.unpack_from(f"{order}H", data, entry)[0]
        if tag in _TIFF_NEEDED:
            needed.setdefault(tag, data[entry : entry + 12])

    def numbers(tag: int, default: int) -> tuple[int, ...]:
        return _tiff_numbers(data, needed[tag], order) if tag in needed else (default,)

    for tag in needed:
        numbers(tag, 0)
    if max(numbers(_COMPRESSION, 1)) not in _TIFF_COMPRESSIONS:
        raise ValueError("a TIFF of a rare compression")
    if max(numbers(_TILE_WIDTH, 1)) * max(numbers(_TILE_LENGTH, 1)) > MOST_TILE:
        raise ValueError("a TIFF of too large tiles")
    # Parts that lie on each other would be decoded again and again.
    if max(sum(numbers(tag, 0)) for tag in (_STRIP_BYTES, _TILE_BYTES)) > len(data):
        raise ValueError("a TIFF whose parts are larger than the file")
    filling = b"\x00" * (len(data) % 2)
    entries = [needed[tag] for tag in sorted(needed)]
    directory = struct.pack(f"{order}H", len(entries)) + b"".join(entries) + bytes(4)
    start = struct.pack(f"{order}I", len(data) + len(filling))
    return StrippedFile(b"".join([data[:4], start, data[8:], filling, directory]), block_orientation(data))


# Width, length, bits, compression, photometric, order of bits, places and bytes of strips and tiles, samples, planes,
# options of fax, predictor, palette, alpha, kind of numbers, tables of JPEG, and how its colours are sampled.
_TIFF_NEEDED = frozenset(
    {
        *(256, 257, 258, 259, 262, 266, 273, 277, 278, 279, 284, 292, 293),
        *(317, 320, 322, 323, 324, 325, 338, 339, 347, 529, 530, 531, 532),
    }
)
_COMPRESSION, _STRIP_BYTES, _TILE_WIDTH, _TILE_LENGTH, _TILE_BYTES = 259, 279, 322, 323, 325
_TIFF_COMPRESSIONS = frozenset({1, 2, 3, 4, 5, 7, 8, 32773, 32946})  # none, fax, LZW, JPEG, deflate, PackBits
# Bytes of the kinds of TIFF's values, and how struct names them; those that are not unpacked are bytes.
_TIFF_KINDS = {1: "B", 2: "B", 3: "H", 4: "I", 5: "Q", 6: "B", 7: "B", 8: "H", 9: "I", 10: "Q", 11: "I", 12: "Q"}


def _tiff_numbers(data: bytes, entry: bytes, order: str) -> tuple[int, ...]:
    """The values of a directory's entry. Raises ValueError for too many, and for values outside of the file."""
    _, kind, count = struct.unpack_from(f"{order}HHI", entry)
    if kind not in _TIFF_KINDS or not 0 < count <= MOST_PARTS:
        raise ValueError("a TIFF of unknown or too many values")
    form = f"{order}{count}{_TIFF_KINDS[kind]}"
    size = struct.calcsize(form)
    if size <= 4:
        return struct.unpack_from(form, entry, 8)
    (at,) = struct.unpack_from(f"{order}I", entry, 8)
    if at + size > len(data):
        raise ValueError("a TIFF whose values lie outside of it")
    return struct.unpack_from(form, data, at)


def _check_bmp(data: bytes) -> None:
    """Raises ValueError for run-length coding, which would be decoded in Python."""
    header, compression = data[14:18], data[30:34]
    if int.from_bytes(header, "little") > 12 and int.from_bytes(compression, "little") not in (0, 3, 6):
        raise ValueError("a compressed BMP")


def _hide_exif(data: bytes) -> bytes:
    """A HEIC or AVIF file without its EXIF, which decoders would read: which way is up is not said there. Raises
    ValueError as `_describing_boxes` does."""
    for start, end in _describing_boxes(data):
        if b"Exif" in data[start:end]:
            data = data[:start] + data[start:end].replace(b"Exif", b"none") + data[end:]
    return data


def _describing_boxes(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and end of each box that describes the pictures of a HEIC or AVIF file (ISO/IEC 14496-12, section 4.2).
    Raises ValueError for a file of too many boxes, or with much beside its pictures."""
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
            ends = min(at + length, len(data))
            described += ends - at
            yield at, ends
        if described > MOST_DESCRIBED:
            break
        at += length
    raise ValueError("a HEIC or AVIF file of too many boxes")


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
