"""Removes what a camera writes into a photo besides the picture: place, time, device. The orientation stays.

The picture is not encoded anew: parts of the file are left out.
"""

import struct
from collections.abc import Sequence

from PIL.ExifTags import Base

from vision import containers
from vision.containers import JPEG, PNG, UPRIGHT, Chunk, Marker, Segment, WebPFlag

PNG_PRIVATE = (b"eXIf", b"tEXt", b"zTXt", b"iTXt", b"tIME")
WEBP_PRIVATE = (b"EXIF", b"XMP ")


def remove_metadata(photo: bytes) -> bytes:
    """The same picture without its metadata. Raises ValueError for a file that is no JPEG, PNG or WebP."""
    match containers.format_of(photo):
        case "JPEG":
            return _jpeg(containers.jpeg_segments(photo))
        case "PNG":
            return _png(containers.chunks(photo))
        case "WEBP":
            return _webp(containers.chunks(photo))
    raise ValueError("not a JPEG, PNG or WebP file")


def _exif(orientation: int) -> bytes:
    """EXIF with the orientation alone: a TIFF header and a directory of one entry."""
    entry = struct.pack(">HHIHH", Base.Orientation, 3, 1, orientation, 0)
    return b"MM\x00\x2a" + struct.pack(">I", 8) + struct.pack(">H", 1) + entry + bytes(4)


def _jpeg(segments: Sequence[Segment]) -> bytes:
    parts, scans, orientation = [JPEG], 0, containers.orientation(segments)
    if orientation != UPRIGHT:
        body = containers.EXIF_MARK + _exif(orientation)
        parts.append(b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body)
    for marker, body, whole in segments:
        scans += marker == Marker.SCAN
        if not _is_private(marker, body):
            parts.append(whole)
    if not scans:
        raise ValueError("not a JPEG file: there is no picture in it")
    return b"".join(parts)


def _is_private(marker: int, body: bytes) -> bool:
    """Whether a segment holds private metadata. The colours' segments do not."""
    needed = body.startswith((b"JFIF\x00", b"ICC_PROFILE\x00", b"Adobe"))
    return marker == Marker.COMMENT or (marker in containers.BESIDE and not needed)


def _png(chunks: Sequence[Chunk]) -> bytes:
    parts, pixels, orientation = [PNG], 0, containers.orientation(chunks)
    for name, body in chunks:
        pixels += name == b"IDAT"
        if name not in PNG_PRIVATE:
            parts.append(containers.png_chunk(name, body))
        if name == b"IHDR" and orientation != UPRIGHT:
            parts.append(containers.png_chunk(b"eXIf", _exif(orientation)))
        if name == b"IEND":
            break
    if not pixels:
        raise ValueError("not a PNG file: there is no picture in it")
    return b"".join(parts)


def _webp(chunks: Sequence[Chunk]) -> bytes:
    parts, extended, orientation = [], False, containers.orientation(chunks)
    for name, body in chunks:
        if name == b"VP8X" and body:
            extended = True
            flags = body[0] & ~(WebPFlag.EXIF | WebPFlag.XMP) | (WebPFlag.EXIF if orientation != UPRIGHT else 0)
            body = bytes([flags]) + body[1:]
        if name not in WEBP_PRIVATE:
            parts.append(containers.riff_chunk(name, body))
    if not parts:
        raise ValueError("not a WebP file: there is no picture in it")
    if extended and orientation != UPRIGHT:
        parts.append(containers.riff_chunk(b"EXIF", _exif(orientation)))
    return containers.riff(parts)
