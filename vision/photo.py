"""Photos: from a file's bytes to upright pixels."""

from __future__ import annotations

import contextlib
import functools
import io
import math
import threading
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter, features
from PIL.ExifTags import Base

from vision import containers
from vision.arrays import Pixels
from vision.reasons import PhotoError

MEGA = 1_000_000
# The most pixels of a file. A plain JPEG is shrunk while it is decoded, and takes little more than its file. Others are
# decoded whole: each of these takes at most 400 MB, with the largest file that is accepted.
MAX_PIXELS = {
    "JPEG": 250 * MEGA,
    "progressive JPEG": 40 * MEGA,
    **dict.fromkeys(("PNG", "BMP", "TIFF"), 50 * MEGA),
    **dict.fromkeys(("AVIF", "HEIF"), 25 * MEGA),
    **dict.fromkeys(("16-bit PNG", "16-bit TIFF", "WEBP"), 16 * MEGA),
}
MAX_VIEW = 28 * MEGA  # pixels of a `view`: the half of 108 megapixels. Dice are large enough in such a picture
MOST_SCANS = 40  # of a progressive JPEG: encoders make about ten, and each costs a pass over the whole picture
MIN_SIDE = 16
FIRST_VIEW = 1000  # pixels of the longer side: enough to find dice
_STRIP = 256  # rows
_DOTS = 1.5  # pixels of blur: 21 of 23 dithered photos are then read rightly, 12 without it

_SIDEWAYS = 5  # the orientations from this one on swap width and height (EXIF 2.32, tag 0x0112)
_TIFF_COMPRESSIONS = frozenset(
    {"raw", "tiff_ccitt", "group3", "group4", "tiff_lzw", "jpeg", "tiff_adobe_deflate", "packbits", "tiff_deflate"}
)
Image.MAX_IMAGE_PIXELS = None  # Pillow's own limit; every file is held to MAX_PIXELS


class Photo:
    """An upright photo of `width` x `height` pixels. A JPEG is decoded only as finely as `view` is asked to.

    >>> photo = Photo(np.zeros((480, 640, 3), np.uint8))
    >>> photo.width, photo.height, photo.view(320).shape
    (640, 480, (480, 640, 3))
    """

    def __init__(self, pixels: Pixels) -> None:
        """`pixels`: (height, width, 3) uint8 RGB, upright. Raises ValueError for anything else."""
        if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.dtype != np.uint8 or 0 in pixels.shape:
            raise ValueError(f"pixels must be (height, width, 3) uint8, got {pixels.shape} {pixels.dtype}")
        self._file = containers.StrippedFile(b"", containers.UPRIGHT)
        self._size: tuple[int, int] = (pixels.shape[1], pixels.shape[0])
        self._views: dict[int, Pixels] = {1: pixels}
        self._lock = threading.Lock()

    @classmethod
    def decode(cls, data: bytes) -> Photo:
        """Decodes a photo's file and turns it upright. Of several pictures it takes the first. Raises PhotoError for
        what is no photo, and for files above MAX_BYTES or MAX_PIXELS."""
        kind = containers.format_of_photo(data)
        with _refusals(kind):
            file = containers.strip_metadata(data)
            with _open_image(file.data, kind) as image:
                width, height = image.size
                _check(image, file.data)
                if kind == "AVIF":
                    tells = containers.exif_orientation(image.info.get("exif", b""))
                    file = file._replace(orientation=tells or containers.UPRIGHT)
                step = _largest_step(width, height, FIRST_VIEW if kind == "JPEG" else max(width, height))
                pixels = _read_upright(image, file, step)
        photo = cls(pixels)
        photo._size = (height, width) if file.orientation >= _SIDEWAYS else (width, height)
        photo._views = {step: pixels}
        photo._file = file if step > 1 and kind == "JPEG" else photo._file
        return photo

    @property
    def width(self) -> int:
        return self._size[0]

    @property
    def height(self) -> int:
        return self._size[1]

    @property
    def pixels(self) -> Pixels:
        """The whole photo: (height, width, 3) uint8 RGB, upright. Shrunk if it would exceed MAX_VIEW."""
        return self.view(max(self._size))

    def view(self, side: int) -> Pixels:
        """The photo with a longer side of at least `side` pixels, or whole if it has fewer. It is shrunk if that
        saves time or if it would exceed MAX_VIEW. Fractions of width and height mean the same place as in
        the whole photo."""
        step = _largest_step(*self._size, side)
        with self._lock:
            fine = [known for known in self._views if known <= step]
            if not fine:
                with _refusals("JPEG"), _open_image(self._file.data, "JPEG") as image:
                    self._views[step] = _read_upright(image, self._file, step)
            return self._views[max(fine, default=step)]


def _largest_step(width: int, height: int, side: int) -> int:
    """The largest factor (1, 2, 4 or 8) by which a photo may be shrunk so that its longer side keeps `side` pixels; a
    larger one where it would exceed MAX_VIEW."""
    step = max((step for step in (1, 2, 4, 8) if max(width, height) / step >= side), default=1)
    while width * height > MAX_VIEW * step**2:
        step *= 2
    return step


@contextlib.contextmanager
def _refusals(kind: str) -> Iterator[None]:
    """Makes a PhotoError of what decoders raise for files that they cannot read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except ImportError as error:  # this computer has no decoder
        raise PhotoError("photo-heic") from error
    except (OSError, SyntaxError, ValueError, LookupError, EOFError, TypeError, ArithmeticError, RuntimeError) as error:
        # These formats have kinds that no decoder here knows, so such a file need not be damaged.
        if kind in ("TIFF", "BMP", "AVIF"):
            raise PhotoError("photo-unreadable", format=kind) from error
        raise PhotoError("photo-damaged") from error


def _open_image(data: bytes, kind: str) -> Image.Image:
    if kind == "HEIF":
        _register_heif()
    if kind == "AVIF" and not features.check("avif"):
        raise ImportError("Pillow was built without AVIF")
    return Image.open(io.BytesIO(data), formats=(kind,))


@functools.cache  # bounded: no argument
def _register_heif() -> None:
    """Makes Pillow read HEIC. Raises ImportError if there is no decoder."""
    import pi_heif

    pi_heif.register_heif_opener()


def _check(image: Image.Image, data: bytes) -> None:
    """Raises PhotoError for an opened file of too many pixels or too few, and ValueError for one that would take too
    long. `data`: the file."""
    if any(tile[0] == "bmp_rle" for tile in getattr(image, "tile", ())):
        raise ValueError("a BMP that would be decoded in Python")
    if image.format == "TIFF":
        _check_tiff(image, len(data))
    width, height = image.size
    name = str(image.format)
    if name == "JPEG" and not containers.jpeg_streams(data):
        name = "progressive JPEG"
    elif _is_deep(image):
        name = f"16-bit {name}"
    if width * height > MAX_PIXELS[name]:
        reason = "photo-too-many-pixels" if name == "JPEG" else "photo-too-many-for-format"
        shown, limit = {"WEBP": "WebP", "HEIF": "HEIC"}.get(name, name), MAX_PIXELS[name] // MEGA
        raise PhotoError(reason, megapixels=round(width * height / MEGA), limit=limit, format=shown)
    if min(width, height) < MIN_SIDE:
        raise PhotoError("photo-too-small", width=width, height=height, limit=MIN_SIDE)
    if name == "progressive JPEG" and data.count(b"\xff\xda") > MOST_SCANS:
        raise ValueError("a JPEG of too many scans")


def _check_tiff(image: Any, size: int) -> None:
    """Raises ValueError for a TIFF of a rare compression, of too large tiles, or of parts that are together larger than
    its file of `size` bytes: parts that lie on each other would be decoded again and again."""

    def numbers(tag: int) -> tuple[int, ...]:
        found = image.tag_v2.get(tag, 0)
        return found if isinstance(found, tuple) else (found,)

    strips, tiles = sum(numbers(Base.StripByteCounts)), sum(numbers(Base.TileByteCounts))
    tile = max(numbers(Base.TileWidth)) * max(numbers(Base.TileLength))
    if image.info["compression"] not in _TIFF_COMPRESSIONS or max(strips, tiles) > size or tile > MAX_VIEW:
        raise ValueError("a TIFF of a rare kind")


def _read_upright(image: Image.Image, file: containers.StrippedFile, step: int) -> Pixels:
    """The opened file's pixels, shrunk by `step`, turned upright."""
    if image.format == "JPEG":
        image.draft("RGB", (image.width // step, image.height // step))
        step = 1
    deep = _is_deep(image)
    image.load()
    if image.mode == "1":  # its greys are made of black and white dots
        image = image.convert("L").filter(ImageFilter.GaussianBlur(_DOTS))
    pixels = np.empty((-(-image.height // step), -(-image.width // step), 3), np.uint8)
    for number, strip in enumerate(_strips(image, _decode_deep(image, file.data) if deep else None)):
        top = number * _STRIP // step
        part = _on_white(strip)
        part = part.reduce(step) if step > 1 else part
        pixels[top : top + part.height] = np.asarray(part)
    image.close()
    across, down = (-1 if file.orientation in flipped else 1 for flipped in ((2, 3, 6, 7), (3, 4, 7, 8)))
    upright = pixels.transpose(1, 0, 2) if file.orientation >= _SIDEWAYS else pixels
    return np.ascontiguousarray(upright[::down, ::across])


def _strips(image: Image.Image, deep: npt.NDArray[np.uint16] | None) -> Iterator[Image.Image]:
    """The loaded picture from its top, _STRIP rows at a time: converting it at once would take several times its
    memory. Numbers of more than 8 bits become 0..255. `deep`: its colours of 16 bits, if it has such."""
    tops = range(0, image.height, _STRIP)

    def strip(top: int) -> Image.Image:
        return image.crop((0, top, image.width, min(top + _STRIP, image.height)))

    def numbers(top: int) -> npt.NDArray[np.float32]:
        stored = strip(top) if deep is None else deep[top : top + _STRIP]
        return np.nan_to_num(np.asarray(stored, np.float32), posinf=0, neginf=0)

    if deep is None and not image.mode.startswith(("I", "F")):
        yield from map(strip, tops)
        return
    highest = float(deep[..., :3].max()) if deep is not None else max(float(numbers(top).max()) for top in tops)
    factor = 255 / (max(highest, 1.0) if image.mode == "F" else _white(highest))
    for top in tops:
        scaled = numbers(top) * factor
        if deep is not None and deep.shape[2] == 4:
            scaled[..., 3] = deep[top : top + _STRIP, :, 3] / 257
        yield Image.fromarray(scaled.clip(0, 255).astype(np.uint8))


def _is_deep(image: Image.Image) -> bool:
    """Whether an opened file has colours of 16 bits, of which Pillow would drop the lower 8."""
    return not image.mode.startswith("I") and any(";16" in str(part) for part in getattr(image, "tile", ()))


def _decode_deep(image: Image.Image, data: bytes) -> npt.NDArray[np.uint16]:
    """A file with colours of 16 bits: (height, width, 3 or 4). Pillow has `image` loaded, so the file is whole."""
    import cv2  # where it cannot be imported, the reader says so

    image.close()  # its memory is needed
    try:
        whole = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise ValueError(str(error)) from error
    if whole is None or whole.dtype != np.uint16 or whole.ndim != 3 or whole.shape[:2] != (image.height, image.width):
        raise ValueError("not a picture of 16 bits a colour")
    whole[..., :3] = whole[..., 2::-1]
    return np.asarray(whole, np.uint16)


def _white(highest: float) -> int:
    """The whole number of white where `highest` occurs: cameras of 10, 12 or 14 bits store their numbers in 16."""
    return int(2 ** max(8, 2 * math.ceil(math.log2(max(highest, 0) + 1) / 2)) - 1)


def _on_white(image: Image.Image) -> Image.Image:
    """The picture as RGB; what is transparent is white."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        whole = image.convert("RGBA")
        white = Image.new("RGBA", whole.size, "white")
        return Image.alpha_composite(white, whole).convert("RGB")
    return image if image.mode == "RGB" else image.convert("RGB")
