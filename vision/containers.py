"""Takes photo files apart before anything decodes them: their parts, and their orientation.

Cameras and attackers write much beside the picture. Decoders read all of it, some by joining each part to those before;
so they get only what a picture needs. A file of more parts than MOST_PARTS is refused.
"""

import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from vision.reasons import MAX_BYTES, PhotoError

JPEG, PNG, RIFF, WEBP = b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF", b"WEBP"
_STARTS = {JPEG + b"\xff": "JPEG", PNG: "PNG", b"II*\x00": "TIFF", b"MM\x00*": "TIFF", b"BM": "BMP"}
# ISO base media brands of HEIC and AVIF pictures (ISO/IEC 23008-12, annex B).
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_EITHER_BRANDS = frozenset({b"mif1", b"msf1"})
EXIF_MARK = b"Exif\x00\x00"
UPRIGHT = 1  # the usual orientation
# A camera's photo of 40 MB has a few hundred; a PNG in pieces of 4 kB has ten thousand.
MOST_PARTS = 65_536
# Bytes of a file that describe its pictures: boxes of HEIC or AVIF; tables of a JPEG, of which all kinds take 2,188
# bytes, but each scan may have its own.
MOST_DESCRIBED = 2_000_000


class Tag(IntEnum):
    """What a TIFF's or an EXIF's entry says (TIFF 6.0, EXIF 2.32). Pillow's names; a phone alone has no Pillow."""

    ImageWidth = 0x0100
    ImageLength = 0x0101
    BitsPerSample = 0x0102
    Compression = 0x0103
    PhotometricInterpretation = 0x0106
    FillOrder = 0x010A
    StripOffsets = 0x0111
    Orientation = 0x0112
    SamplesPerPixel = 0x0115
    RowsPerStrip = 0x0116
    StripByteCounts = 0x0117
    PlanarConfiguration = 0x011C
    T4Options = 0x0124
    T6Options = 0x0125
    Predictor = 0x013D
    ColorMap = 0x0140
    TileWidth = 0x0142
    TileLength = 0x0143
    TileOffsets = 0x0144
    TileByteCounts = 0x0145
    ExtraSamples = 0x0152
    SampleFormat = 0x0153
    JPEGTables = 0x015B
    YCbCrCoefficients = 0x0211
    YCbCrSubSampling = 0x0212
    YCbCrPositioning = 0x0213
    ReferenceBlackWhite = 0x0214


class Marker(IntEnum):
    """What begins a segment of a JPEG (ITU-T T.81, table B.1)."""

    BASELINE, EXTENDED, ARITHMETIC = 0xC0, 0xC1, 0xC9  # frames that may be decoded row by row
    END, SCAN, COMMENT = 0xD9, 0xDA, 0xFE
    APP0, APP1, APP14, JPG0 = 0xE0, 0xE1, 0xEE, 0xF0
    STUFFING, TEMPORARY, RESTART, START = 0x00, 0x01, 0xD0, 0xD8  # no marker, and lone ones: from RESTART to START


class WebPFlag(IntEnum):
    """What the VP8X chunk of a WebP says is there besides the picture."""

    PROFILE, EXIF, XMP = 0x20, 0x08, 0x04


# Segments that a decoder may pass over: comments, and what applications add.
BESIDE = frozenset({Marker.COMMENT, *range(Marker.APP0, Marker.JPG0)})
_ALONE = frozenset({Marker.STUFFING, Marker.TEMPORARY, Marker.START, *range(Marker.RESTART, Marker.START)})
# Between parts, bytes that are no marker are skipped, and so is filling, as decoders do. In a scan 0xff also precedes 0
# and restart numbers; long filling there makes some decoders join all of it again and again.
_AFTER_FILLING = re.compile(rb"[^\xff]")
_SCAN_ENDS = re.compile(rb"\xff(?:[\x01-\xcf\xd8-\xfe]|\xff{16})")
_XMP_ORIENTATION = re.compile(rb'tiff:Orientation(?:="|>)([0-9])')
# Where JPEG, PNG and WebP have EXIF and XMP, and how such a part begins.
_EXIF: dict[int | bytes, bytes] = {Marker.APP1: EXIF_MARK, b"eXIf": b"", b"EXIF": b""}
_XMP: dict[int | bytes, bytes] = {
    Marker.APP1: b"http://ns.adobe.com/xap/1.0/\x00",
    b"iTXt": b"XML:com.adobe.xmp\x00",
    b"XMP ": b"",
}
_TIFF_NEEDED = frozenset(
    {
        *(Tag.ImageWidth, Tag.ImageLength, Tag.BitsPerSample, Tag.Compression, Tag.PhotometricInterpretation),
        *(Tag.FillOrder, Tag.StripOffsets, Tag.SamplesPerPixel, Tag.RowsPerStrip, Tag.StripByteCounts),
        *(Tag.PlanarConfiguration, Tag.T4Options, Tag.T6Options, Tag.Predictor, Tag.ColorMap, Tag.TileWidth),
        *(Tag.TileLength, Tag.TileOffsets, Tag.TileByteCounts, Tag.ExtraSamples, Tag.SampleFormat),
        *(Tag.JPEGTables, Tag.YCbCrCoefficients, Tag.YCbCrSubSampling, Tag.YCbCrPositioning),
        Tag.ReferenceBlackWhite,
    }
)
_TIFF_KINDS = dict(enumerate("BBHIQBBHIQIQ", 1))  # how struct names numbers as long as each kind of TIFF's values


class StrippedFile(NamedTuple):
    """A file with only what its picture needs, and its orientation (EXIF 2.32, tag 0x0112)."""

    data: bytes
    orientation: int


class Segment(NamedTuple):
    """A part of a JPEG: its marker, the body after its length, and the `whole` with the scan that follows."""

    name: int
    body: bytes
    whole: bytes


class Chunk(NamedTuple):
    """A part of a PNG or WebP. The last one of a file may be cut off."""

    name: bytes
    body: bytes


def format_of(data: bytes) -> str | None:
    """Pillow's name of the file's format, by its first bytes; None for a format that is not read."""
    if data[4:8] == b"ftyp":
        main, others = data[8:12], {data[at : at + 4] for at in range(16, min(int.from_bytes(data[:4], "big"), 256), 4)}
        if main in _AVIF_BRANDS or (main in _EITHER_BRANDS and others & _AVIF_BRANDS and not others & _HEIC_BRANDS):
            return "AVIF"
        return "HEIF" if main in _HEIC_BRANDS | _EITHER_BRANDS else None
    if data.startswith(RIFF) and data[8:12] == WEBP:
        return "WEBP"
    return next((kind for start, kind in _STARTS.items() if data.startswith(start)), None)


def format_of_photo(data: bytes) -> str:
    """As `format_of`, of what comes as a photo. Raises PhotoError for an empty file, one above MAX_BYTES, and a format
    that is not read."""
    if not data:
        raise PhotoError("photo-empty")
    if len(data) > MAX_BYTES:
        raise PhotoError("photo-too-large", megabytes=len(data) >> 20, limit=MAX_BYTES >> 20)
    kind = format_of(data)
    if kind is None:
        raise PhotoError("photo-format")
    return kind


def strip_metadata(data: bytes) -> StrippedFile:
    """Strips a JPEG, PNG, WebP or TIFF to its picture, and hides the EXIF of a HEIC or AVIF. Raises ValueError for what
    no camera writes."""
    match format_of(data):
        case "JPEG":
            return _strip_jpeg(jpeg_segments(data))
        case "PNG":
            return _strip_png(chunks(data))
        case "WEBP":
            return _strip_webp(chunks(data))
        case "TIFF":
            return _strip_tiff(data)
        case "HEIF" | "AVIF":
            return StrippedFile(_hide_exif(data), UPRIGHT)
    return StrippedFile(data, UPRIGHT)


def orientation(parts: Sequence[Segment] | Sequence[Chunk]) -> int:
    """The orientation 1..8 in the first EXIF of a file, or else in its first XMP."""
    found = exif_orientation(_first(parts, _EXIF))
    if found is None and (said := _XMP_ORIENTATION.search(_first(parts, _XMP))):
        found = int(said[1])
    return found if found is not None and 1 <= found <= 8 else UPRIGHT


def _first(parts: Sequence[Segment] | Sequence[Chunk], wanted: Mapping[int | bytes, bytes]) -> bytes:
    """The body of the first part that has a name and a beginning as wanted; b"" without any."""
    found = (body for name, body, *_ in parts if name in wanted and body.startswith(wanted[name]))
    return next(found, b"")


def exif_orientation(exif: bytes) -> int | None:
    """The orientation in the first directory of EXIF; None if that is unreadable or has none."""
    order, entries = _directory(exif.removeprefix(EXIF_MARK))
    found = None
    for entry in entries:
        tag, kind, count = struct.unpack_from(f"{order}HHI", entry)
        if tag == Tag.Orientation and count == 1 and kind in (1, 3, 4):
            (found,) = struct.unpack_from(order + _TIFF_KINDS[kind], entry, 8)
    return found


def jpeg_streams(data: bytes) -> bool:
    """Whether a JPEG can be decoded row by row. Else decoders keep all of it: each scan refines it, or holds only some
    of its colours."""
    header = {each.name: each.body for each in jpeg_segments(data[: data.find(b"\xff\xda") + 64])}
    row_by_row = (Marker.BASELINE, Marker.EXTENDED, Marker.ARITHMETIC)
    colours = next((header[name][5:6] for name in row_by_row if name in header), b"")
    return colours != b"" and header.get(Marker.SCAN, b"")[:1] == colours


def jpeg_segments(data: bytes) -> list[Segment]:
    """The segments of a JPEG up to its end, without lone markers."""
    at, found = len(JPEG), list[Segment]()
    for _ in range(MOST_PARTS):
        at = data.find(b"\xff", at)
        after = _AFTER_FILLING.search(data, at) if at >= 0 else None
        if after is None:
            return found
        at, marker = after.start() - 1, data[after.start()]
        if marker in _ALONE:
            at += 2
            continue
        if marker == Marker.END:
            return [*found, Segment(marker, b"", data[at : at + 2])]
        length = int.from_bytes(data[at + 2 : at + 4], "big")
        ends = at + 2 + length
        if length < 2 or ends > len(data):
            return found
        body = data[at + 4 : ends]
        if marker == Marker.SCAN:
            next_marker = _SCAN_ENDS.search(data, ends)
            ends = next_marker.start() if next_marker else len(data)
        found.append(Segment(marker, body, data[at:ends]))
        at = ends
    raise ValueError("a JPEG of too many segments")


def chunks(data: bytes) -> list[Chunk]:
    """The chunks of a PNG or WebP."""
    png = data.startswith(PNG)
    at, found = len(PNG) if png else 12, list[Chunk]()
    for _ in range(MOST_PARTS):
        if at + 8 > len(data):
            return found
        name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        if png:
            length, name = int.from_bytes(name, "big"), data[at + 4 : at + 8]
        found.append(Chunk(name, data[at + 8 : at + 8 + length]))
        at += 8 + length + (4 if png else length % 2)
    raise ValueError("a file of too many chunks")


def png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(body, zlib.crc32(name)))


def riff(chunks: list[bytes]) -> bytes:
    size = len(WEBP) + sum(map(len, chunks))
    return b"".join([RIFF, struct.pack("<I", size), WEBP, *chunks])


def riff_chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)


def _strip_jpeg(segments: Sequence[Segment]) -> StrippedFile:
    """Drops comments and application segments, except the two that describe the colours."""
    if all(each.name != Marker.SCAN for each in segments):
        raise ValueError("a JPEG without a picture")
    parts, tables, colours = [JPEG], 0, set()
    for name, body, whole in segments:
        if name in (Marker.APP0, Marker.APP14) and name not in colours and body.startswith((b"JFIF\x00", b"Adobe")):
            colours.add(name)
        elif name in BESIDE:
            continue
        tables += len(body)
        parts.append(whole)
    if tables > MOST_DESCRIBED:
        raise ValueError("a JPEG of too many tables")
    return StrippedFile(b"".join(parts), orientation(segments))


def _strip_png(parts: Sequence[Chunk]) -> StrippedFile:
    kept, pixels = dict[bytes, bytes](), list[bytes]()
    for name, body in parts:
        if name == b"IDAT":
            pixels.append(body)
        elif name == b"IEND":
            kept[b"IDAT"] = b"".join(pixels)
            kept[b"IEND"] = b""
            break
        elif name in (b"IHDR", b"PLTE", b"tRNS") and not pixels:
            kept.setdefault(name, body)
    kept.setdefault(b"IDAT", b"".join(pixels))
    return StrippedFile(PNG + b"".join(map(png_chunk, kept, kept.values())), orientation(parts))


def _strip_webp(parts: Sequence[Chunk]) -> StrippedFile:
    """Keeps the first picture."""
    kept: dict[bytes, bytes] = {}
    for name, body in parts:
        if name == b"VP8X" and body:
            body = bytes([body[0] & ~(WebPFlag.PROFILE | WebPFlag.EXIF | WebPFlag.XMP)]) + body[1:]
        if name in (b"VP8X", b"ANIM", b"ALPH", b"VP8 ", b"VP8L", b"ANMF"):
            kept.setdefault(name, body)
        if name in (b"VP8 ", b"VP8L", b"ANMF"):
            break
    return StrippedFile(riff(list(map(riff_chunk, kept, kept.values()))), orientation(parts))


def _strip_tiff(data: bytes) -> StrippedFile:
    """Gives the file a first directory of what its picture needs, and no second one (TIFF 6.0, section 2)."""
    order, entries = _directory(data)
    needed: dict[int, bytes] = {}
    for entry in entries:
        tag, kind, count, at = struct.unpack(f"{order}HHII", entry)
        if tag not in _TIFF_NEEDED or tag in needed:
            continue
        if kind not in _TIFF_KINDS or not 0 < count <= MOST_PARTS:
            raise ValueError("a TIFF of unknown or too many values")
        size = count * struct.calcsize(_TIFF_KINDS[kind])
        if size > 4 and at + size > len(data):
            raise ValueError("a TIFF whose values lie outside of it")
        needed[tag] = entry
    filling = b"\x00" * (len(data) % 2)
    directory = struct.pack(f"{order}H", len(needed)) + b"".join(needed[tag] for tag in sorted(needed)) + bytes(4)
    start = struct.pack(f"{order}I", len(data) + len(filling))
    return StrippedFile(b"".join([data[:4], start, data[8:], filling, directory]), exif_orientation(data) or UPRIGHT)


def _directory(tiff: bytes) -> tuple[str, list[bytes]]:
    """The order of bytes as struct names it, and the entries of the first directory, 12 bytes each; none if it is
    unreadable."""
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2], "")
    if not order or len(tiff) < 8:
        return order, []
    (at,) = struct.unpack_from(f"{order}I", tiff, 4)
    if at + 2 > len(tiff):
        return order, []
    (count,) = struct.unpack_from(f"{order}H", tiff, at)
    return order, [tiff[entry : entry + 12] for entry in range(at + 2, min(at + 2 + 12 * count, len(tiff) - 11), 12)]


def _hide_exif(data: bytes) -> bytes:
    """A HEIC or AVIF file without its EXIF, which decoders would read: which way is up is not said there (ISO/IEC
    14496-12, section 4.2). Raises ValueError for a file of too many boxes, or with much beside its pictures."""
    parts, at, described = list[bytes](), 0, 0
    for _ in range(MOST_PARTS):
        length, name = int.from_bytes(data[at : at + 4], "big"), data[at + 4 : at + 8]
        if length == 1:
            length = int.from_bytes(data[at + 8 : at + 16], "big")
        box = data[at : at + length if length >= 8 else None]  # 0: to the end of the file
        at += len(box)
        if name not in (b"mdat", b"free", b"skip"):
            described += len(box)
            box = box.replace(b"Exif", b"none")
        parts.append(box)
        if described > MOST_DESCRIBED:
            break
        if at >= len(data):
            return b"".join(parts)
    raise ValueError("a HEIC or AVIF file of too many boxes")
