"""Photos: from a file's bytes to upright pixels."""

from __future__ import annotations

import functools
import io
import threading
import warnings
from collections.abc import Callable

import numpy as np
from PIL import Image

from vision import containers
from vision.arrays import Pixels
from vision.reasons import MAX_BYTES, PhotoError

MAX_PIXELS = 64_000_000
# The limit for PNG and progressive JPEG, which cannot be shrunk while they are decoded, and for each `view`.
# Dice are large enough in such a picture, and a small computer has the memory for it.
MAX_PIXELS_WHOLE = 25_000_000
MAX_PIXELS_WEBP = 16_000_000  # decoding WebP takes 15 bytes a pixel
MOST_SCANS = 64  # in a progressive JPEG: encoders make about ten, and each costs a pass over the whole picture
MIN_SIDE = 16

_FORMATS = ("JPEG", "PNG", "WEBP")
_SIDEWAYS = frozenset({5, 6, 7, 8})  # orientations that swap width and height
# ISO base media brands of HEIC and AVIF pictures (ISO/IEC 23008-12, annex B).
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"mif1", b"msf1"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})


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
        self._data = b""  # a JPEG without metadata
        self._orientation = containers.UPRIGHT
        self._size: tuple[int, int] = (pixels.shape[1], pixels.shape[0])
        self._views: dict[int, Pixels] = {1: pixels}
        self._lock = threading.Lock()

    @classmethod
    def decode(cls, data: bytes) -> Photo:
        """Decodes a JPEG, PNG, WebP or HEIC file and turns it upright. Of several frames it takes the first. Raises
        PhotoError for anything else, and for files above MAX_BYTES, MAX_PIXELS, MAX_PIXELS_WHOLE or MAX_PIXELS_WEBP."""
        if not data:
            raise PhotoError("photo-empty")
        if len(data) > MAX_BYTES:
            raise PhotoError("photo-too-large", megabytes=len(data) >> 20, limit=MAX_BYTES >> 20)
        data, orientation = _strip_metadata(data)
        with _open_image(data) as image:
            width, height = image.size
            limit = _most_pixels(image)
            if width * height > limit:
                millions = round(width * height / 1e6)
                raise PhotoError("photo-too-many-pixels", megapixels=millions, limit=limit // 1_000_000)
            if min(width, height) < MIN_SIDE:
                raise PhotoError("photo-too-small", width=width, height=height, limit=MIN_SIDE)
            sideways = orientation in _SIDEWAYS
            if "progressive" in image.info and data.count(b"\xff\xda") > MOST_SCANS:
                raise PhotoError("photo-damaged")
            shrinks = image.format == "JPEG"
            step = _largest_step(max(width, height), _FIRST_VIEW) if shrinks else 1
            pixels = _read_upright(image, step, orientation)
        photo = cls(pixels)
        photo._orientation = orientation
        photo._size = (height, width) if sideways else (width, height)
        photo._views = {step: pixels}
        photo._data = data if step > 1 else b""
        return photo

    @property
    def width(self) -> int:
        return self._size[0]

    @property
    def height(self) -> int:
        return self._size[1]

    @property
    def pixels(self) -> Pixels:
        """The whole photo: (height, width, 3) uint8 RGB, upright."""
        return self._decode_view(1)

    def view(self, side: int) -> Pixels:
        """The photo with a longer side of at least `side` pixels, or whole if it has fewer. It is shrunk if that
        saves time or if it would exceed MAX_PIXELS_WHOLE. Fractions of width and height mean the same place as in
        the whole photo."""
        step = _largest_step(max(self._size), side)
        while self.width * self.height > MAX_PIXELS_WHOLE * step**2 and self._data:
            step *= 2
        return self._decode_view(step)

    def _decode_view(self, step: int) -> Pixels:
        with self._lock:
            fine = [known for known in self._views if known <= step]
            if fine:
                return self._views[max(fine)]
            with _open_image(self._data) as image:
                self._views[step] = _read_upright(image, step, self._orientation)
            return self._views[step]


_FIRST_VIEW = 1000  # pixels of the longer side: enough to find dice


def _largest_step(longest: int, side: int) -> int:
    """The largest factor (1, 2 or 4) by which a JPEG may be shrunk so that its longer side keeps `side` pixels."""
    return max((step for step in (1, 2, 4) if longest / step >= side), default=1)


def _most_pixels(image: Image.Image) -> int:
    if image.format == "WEBP":
        return MAX_PIXELS_WEBP
    return MAX_PIXELS if image.format == "JPEG" and "progressive" not in image.info else MAX_PIXELS_WHOLE


def _strip_metadata(data: bytes) -> containers.StrippedFile:
    """Removes everything from the file that its picture does not need."""
    try:
        return containers.strip_metadata(data)
    except ValueError as error:
        raise PhotoError("photo-damaged") from error


def _open_image(data: bytes) -> Image.Image:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pillow warns of many pixels; the caller checks our limit
            return Image.open(io.BytesIO(data), formats=_register_heif() if is_heic(data) else _FORMATS)
    except ImportError as error:  # this computer has no decoder
        raise PhotoError("photo-heic") from error
    except Image.DecompressionBombError as error:
        raise PhotoError("photo-too-many-pixels", megapixels="far too many", limit=MAX_PIXELS // 1_000_000) from error
    except (OSError, SyntaxError, ValueError) as error:
        if data[4:8] == b"ftyp" and data[8:12] in _AVIF_BRANDS:
            raise PhotoError("photo-heic") from error
        webp = data[:4] == b"RIFF" and data[8:12] == b"WEBP"
        known = webp or is_heic(data) or data[:3] == b"\xff\xd8\xff" or data[:8] == b"\x89PNG\r\n\x1a\n"
        raise PhotoError("photo-damaged" if known else "photo-format") from error


def is_heic(data: bytes) -> bool:
    """Whether a file is marked as a HEIC photo, as iPhones take them."""
    return data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS


@functools.cache
def _register_heif() -> tuple[str, ...]:
    """Makes Pillow read HEIC. Raises ImportError if there is no decoder."""
    import pi_heif

    pi_heif.register_heif_opener()
    return ("HEIF",)


def _read_upright(image: Image.Image, step: int, orientation: int) -> Pixels:
    """The opened file's pixels, shrunk by `step` if it is a JPEG, turned as `orientation` says."""
    try:
        if step > 1:
            image.draft("RGB", (image.width // step, image.height // step))
        image.load()
        width, height = image.size
        pixels = np.empty((height, width, 3), np.uint8)
        # Converting a large picture at once would take several times its memory.
        for top in range(0, height, _STRIP):
            below = min(top + _STRIP, height)
            pixels[top:below] = np.asarray(_to_rgb(image.crop((0, top, width, below))))
        image.close()
        return np.ascontiguousarray(_TURNS[orientation](pixels)) if orientation in _TURNS else pixels
    except (OSError, SyntaxError, ValueError, IndexError, EOFError) as error:
        raise PhotoError("photo-damaged") from error


_STRIP = 256  # rows
# How each EXIF orientation is turned upright (EXIF 2.32, tag 0x0112).
_TURNS: dict[int, Callable[[Pixels], Pixels]] = {
    2: lambda stored: stored[:, ::-1],
    3: lambda stored: stored[::-1, ::-1],
    4: lambda stored: stored[::-1],
    5: lambda stored: stored.transpose(1, 0, 2),
    6: lambda stored: np.rot90(stored, -1),
    7: lambda stored: np.rot90(stored, 2).transpose(1, 0, 2),
    8: lambda stored: np.rot90(stored, 1),
}


def _to_rgb(image: Image.Image) -> Image.Image:
    if image.mode.startswith("I"):  # 16 bits of grey
        return Image.fromarray((np.asarray(image).astype(np.float32) / 257).clip(0, 255).astype(np.uint8)).convert(
            "RGB"
        )
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        whole = image.convert("RGBA")
        white = Image.new("RGBA", whole.size, "white")
        return Image.alpha_composite(white, whole).convert("RGB")
    return image.convert("RGB")
