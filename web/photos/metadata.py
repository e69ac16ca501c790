"""What a camera writes into a photo besides the picture: place, time, device. All of it goes, but which way is up.

The picture itself is not touched: parts of the file are left out, and none is encoded anew.
"""

import io
import struct
import zlib
from collections.abc import Iterator

ORIENTATION = 0x0112
UPRIGHT = 1
JPEG, PNG, RIFF, WEBP = b"\xff\xd8", b"\x89PNG\r\n\x1a\n", b"RIFF", b"WEBP"
SCAN, END = 0xDA, 0xD9
APPS, COMMENT = range(0xE0, 0xF0), 0xFE
PNG_TOLD = (b"eXIf", b"tEXt", b"zTXt", b"iTXt", b"tIME")
WEBP_TOLD = (b"EXIF", b"XMP ")
WEBP_FLAGS = 0x08 | 0x04  # of a WebP file with EXIF and with XMP


def stripped(photo: bytes) -> bytes:
    """The same picture without what the camera told. Raises ValueError for a file that is no JPEG, PNG or WebP."""
    try:
        told = _orientation(photo)
        if photo.startswith(JPEG):
            return _jpeg(photo, told)
        if photo.startswith(PNG):
            return _png(photo, told)
        if photo.startswith(RIFF) and photo[8:12] == WEBP:
            return _webp(photo, told)
    except (IndexError, struct.error, OSError) as error:
        raise ValueError(f"not a photo that can be taken apart: {error}") from error
    raise ValueError("not a JPEG, PNG or WebP file")


def _orientation(photo: bytes) -> int:
    from PIL import Image

    with Image.open(io.BytesIO(photo)) as image:
        try:
            found = int(image.getexif().get(ORIENTATION, UPRIGHT))
        except Exception:  # EXIF is written by anything: what cannot be parsed says nothing
            return UPRIGHT
    return found if 1 <= found <= 8 else UPRIGHT


def _exif(orientation: int) -> bytes:
    """EXIF that says which way is up and nothing else: a TIFF header and a directory of one entry."""
    entry = struct.pack(">HHIHH", ORIENTATION, 3, 1, orientation, 0)
    return b"MM\x00\x2a" + struct.pack(">I", 8) + struct.pack(">H", 1) + entry + bytes(4)


def _jpeg(photo: bytes, orientation: int) -> bytes:
    parts, at = [JPEG], len(JPEG)
    if orientation != UPRIGHT:
        body = b"Exif\x00\x00" + _exif(orientation)
        parts.append(b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body)
    while True:
        if photo[at] != 0xFF:
            raise ValueError("not a JPEG file: a marker is missing")
        marker = photo[at + 1]
        if marker == 0xFF:  # filling
            at += 1
            continue
        if marker == END:
            return b"".join(parts) + b"\xff\xd9"
        (length,) = struct.unpack(">H", photo[at + 2 : at + 4])
        body = photo[at + 4 : at + 2 + length]
        ends = at + 2 + length
        if marker == SCAN:
            ends = _scan_ends(photo, ends)
        if not _tells(marker, body):
            parts.append(photo[at:ends])
        at = ends
        if at >= len(photo):  # cut off in the picture itself, which decoders bear
            return b"".join(parts)


def _scan_ends(photo: bytes, at: int) -> int:
    """Where the marker after a scan stands: in a scan, 0xff comes before 0 or the number of a restart only."""
    while True:
        at = photo.find(b"\xff", at)
        if at < 0 or at + 1 >= len(photo):
            return len(photo)
        if photo[at + 1] != 0 and not 0xD0 <= photo[at + 1] <= 0xD7:
            return at
        at += 2


def _tells(marker: int, body: bytes) -> bool:
    """Whether a segment tells of the camera; what the colours need stays."""
    if marker == COMMENT:
        return True
    needed = body.startswith((b"JFIF\x00", b"ICC_PROFILE\x00", b"Adobe"))
    return marker in APPS and not needed


def _png(photo: bytes, orientation: int) -> bytes:
    parts = [PNG]
    for name, body in _png_chunks(photo):
        if name not in PNG_TOLD:
            parts.append(_png_chunk(name, body))
        if name == b"IHDR" and orientation != UPRIGHT:
            parts.append(_png_chunk(b"eXIf", _exif(orientation)))
        if name == b"IEND":
            break
    return b"".join(parts)


def _png_chunks(photo: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(PNG)
    while at + 8 <= len(photo):
        (length,) = struct.unpack(">I", photo[at : at + 4])
        yield photo[at + 4 : at + 8], photo[at + 8 : at + 8 + length]
        at += 12 + length


def _png_chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def _webp(photo: bytes, orientation: int) -> bytes:
    parts, at, extended = [], 12, False
    while at + 8 <= len(photo):
        name, (length,) = photo[at : at + 4], struct.unpack("<I", photo[at + 4 : at + 8])
        body = photo[at + 8 : at + 8 + length]
        if name == b"VP8X":
            extended = True
            flags = body[0] & ~WEBP_FLAGS | (0x08 if orientation != UPRIGHT else 0)
            body = bytes([flags]) + body[1:]
        if name not in WEBP_TOLD:
            parts.append(_riff_chunk(name, body))
        at += 8 + length + length % 2
    if extended and orientation != UPRIGHT:
        parts.append(_riff_chunk(b"EXIF", _exif(orientation)))
    content = WEBP + b"".join(parts)
    return RIFF + struct.pack("<I", len(content)) + content


def _riff_chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\x00" * (len(body) % 2)
