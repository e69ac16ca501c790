"""Photos: from a file's bytes to upright pixels."""

from __future__ import annotations

import functools
import io
import math
import threading
import warnings
from collections.abc import Callable, Iterator

import numpy as np
from PIL import Image, ImageFilter, features

from vision import containers
from vision.arrays import Pixels
from vision.reasons import MAX_BYTES, PhotoError

MEGA = 1_000_000
# The most pixels of a file. A plain JPEG is shrunk while it is decoded, and takes little more than its file. Others are
# decoded whole: each of these takes at most 400 MB, with the largest file that is accepted.
MAX_PIXELS = {
    "JPEG": 250 * MEGA,
    "progressive JPEG": 40 * MEGA,
    "PNG": 50 * MEGA,
    "BMP": 50 * MEGA,
    "TIFF": 50 * MEGA,
    "16-bit PNG": 16 * MEGA,
    "16-bit TIFF": 16 * MEGA,
    "WEBP": 16 * MEGA,
    "AVIF": 25 * MEGA,
    "HEIF": 25 * MEGA,
}
MAX_VIEW = 28 * MEGA  # pixels of a `view`: the half of 108 megapixels. Dice are large enough in such a picture
# In a progressive JPEG: encoders make about ten scans, and each costs a pass over the whole picture.
MOST_SCANS, MOST_SCANNED = 64, 1600 * MEGA
MIN_SIDE = 16

_SIDEWAYS = frozenset({5, 6, 7, 8})  # orientations that swap width and height
# ISO base media brands of HEIC and AVIF pictures (ISO/IEC 23008-12, annex B).
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis"})
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_EITHER_BRANDS = frozenset({b"mif1", b"msf1"})
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
        self._data = b""  # a JPEG without metadata
        self._orientation = containers.UPRIGHT
        self._size: tuple[int, int] = (pixels.shape[1], pixels.shape[0])
        self._views: dict[int, Pixels] = {1: pixels}
        self._lock = threading.Lock()

    @classmethod
    def decode(cls, data: bytes) -> Photo:
        """Decodes a photo's file and turns it upright. Of several pictures it takes the first. Raises PhotoError for
        what is no photo, and for files above MAX_BYTES or MAX_PIXELS."""
        if not data:
            raise PhotoError("photo-empty")
        if len(data) > MAX_BYTES:
            raise PhotoError("photo-too-large", megabytes=len(data) >> 20, limit=MAX_BYTES >> 20)
        kind = format_of(data)
        if kind is None:
            raise PhotoError("photo-format")
        data, orientation = _strip_metadata(data, kind)
        with _open_image(data, kind) as image:
            width, height = image.size
            decoding = _kind_of_decoding(image, data)
            _check_size(width, height, decoding)
            if kind == "AVIF":
                orientation = containers.block_orientation(image.info.get("exif", b""))
            most_scans = min(MOST_SCANS, MOST_SCANNED // (width * height))
            if decoding == "progressive JPEG" and data.count(b"\xff\xda") > most_scans:
                raise PhotoError("photo-damaged")
            step = _largest_step(max(width, height), _FIRST_VIEW) if kind == "JPEG" else 1
            while width * height > MAX_VIEW * step**2:
                step *= 2
            pixels = _read_upright(image, data, step, orientation)
        photo = cls(pixels)
        photo._orientation = orientation
        photo._size = (height, width) if orientation in _SIDEWAYS else (width, height)
        photo._views = {step: pixels}
        photo._data = data if step > 1 and kind == "JPEG" else b""
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
        step = _largest_step(max(self._size), side)
        while self.width * self.height > MAX_VIEW * step**2:
            step *= 2
        return self._decode_view(step)

    def _decode_view(self, step: int) -> Pixels:
        with self._lock:
            fine = [known for known in self._views if known <= step]
            if fine:
                return self._views[max(fine)]
            with _open_image(self._data, "JPEG") as image:
                self._views[step] = _read_upright(image, self._data, step, self._orientation)
            return self._views[step]


_FIRST_VIEW = 1000  # pixels of the longer side: enough to find dice


def _largest_step(longest: int, side: int) -> int:
    """The largest factor (1, 2, 4 or 8) by which a JPEG may be shrunk so that its longer side keeps `side` pixels."""
    return max((step for step in (1, 2, 4, 8) if longest / step >= side), default=1)


def format_of(data: bytes) -> str | None:
    """Pillow's name of the file's format, by its first bytes; None for a format that is not read."""
    if data[4:8] == b"ftyp":
        main, others = data[8:12], {data[at : at + 4] for at in range(16, min(int.from_bytes(data[:4], "big"), 256), 4)}
        if main in _AVIF_BRANDS or (main in _EITHER_BRANDS and others & _AVIF_BRANDS and not others & _HEIC_BRANDS):
            return "AVIF"
        return "HEIF" if main in _HEIC_BRANDS | _EITHER_BRANDS else None
    if data[:4] == containers.RIFF:
        return "WEBP" if data[8:12] == containers.WEBP else None
    return next((kind for start, kind in _STARTS.items() if data.startswith(start)), None)


_STARTS = {
    b"\xff\xd8\xff": "JPEG",
    containers.PNG: "PNG",
    **dict.fromkeys(containers.TIFF, "TIFF"),
    containers.BMP: "BMP",
}


def _kind_of_decoding(image: Image.Image, data: bytes) -> str:
    """The key of MAX_PIXELS for an opened file."""
    if image.format == "JPEG":
        return "JPEG" if containers.jpeg_streams(data) else "progressive JPEG"
    return f"16-bit {image.format}" if _is_deep(image) else str(image.format)


def _check_size(width: int, height: int, kind: str) -> None:
    limit = MAX_PIXELS[kind]
    if width * height > limit:
        reason = "photo-too-many-pixels" if kind == "JPEG" else "photo-too-many-for-format"
        name = {"WEBP": "WebP", "HEIF": "HEIC"}.get(kind, kind)
        raise PhotoError(reason, megapixels=round(width * height / MEGA), limit=limit // MEGA, format=name)
    if min(width, height) < MIN_SIDE:
        raise PhotoError("photo-too-small", width=width, height=height, limit=MIN_SIDE)


def _strip_metadata(data: bytes, kind: str) -> containers.StrippedFile:
    """Removes everything from the file that its picture does not need."""
    try:
        return containers.strip_metadata(data)
    except ValueError as error:
        raise _unreadable(kind) from error


def _unreadable(kind: str) -> PhotoError:
    """These formats have kinds that no decoder here knows, so such a file need not be damaged."""
    return (
        PhotoError("photo-unreadable", format=kind) if kind in ("TIFF", "BMP", "AVIF") else PhotoError("photo-damaged")
    )


def _open_image(data: bytes, kind: str) -> Image.Image:
    try:
        if kind == "HEIF":
            _register_heif()
        if kind == "AVIF" and not features.check("avif"):
            raise ImportError("Pillow was built without AVIF")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Image.open(io.BytesIO(data), formats=(kind,))
    except ImportError as error:  # this computer has no decoder
        raise PhotoError("photo-heic") from error
    except _DECODING_ERRORS as error:
        raise _unreadable(kind) from error


@functools.cache  # bounded: no argument
def _register_heif() -> None:
    """Makes Pillow read HEIC. Raises ImportError if there is no decoder."""
    import pi_heif

    pi_heif.register_heif_opener()


def _read_upright(image: Image.Image, data: bytes, step: int, orientation: int) -> Pixels:
    """The opened file's pixels, shrunk by `step`, turned as `orientation` says. `data`: the file."""
    kind = str(image.format)
    try:
        if step > 1 and kind == "JPEG":
            image.draft("RGB", (image.width // step, image.height // step))
            step = 1
        deep = _is_deep(image)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            image.load()
        if image.mode == "1":  # its greys are made of black and white dots
            image = image.convert("L").filter(ImageFilter.GaussianBlur(_DOTS))
        width, height = image.size
        pixels = np.empty((-(-height // step), -(-width // step), 3), np.uint8)
        for number, strip in enumerate(_deep_strips(image, data) if deep else _strips(image)):
            top = number * _STRIP // step
            part = np.asarray(_on_white(strip).reduce(step) if step > 1 else _on_white(strip))
            pixels[top : top + len(part)] = part
        image.close()
        return np.ascontiguousarray(_TURNS[orientation](pixels)) if orientation in _TURNS else pixels
    except _DECODING_ERRORS as error:
        raise _unreadable(kind) from error


# What decoders raise for files that they cannot read.
_DECODING_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    IndexError,
    EOFError,
    KeyError,
    TypeError,
    OverflowError,
)
_STRIP = 256  # rows
_DOTS = 1.5  # pixels of blur: 21 of 23 dithered photos are then read rightly, 12 without it
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


def _strips(image: Image.Image) -> Iterator[Image.Image]:
    """The loaded picture from its top, _STRIP rows at a time: converting it at once would take several times its
    memory. Numbers of more than 8 bits become 0..255."""

    def crops() -> Iterator[Image.Image]:
        for top in range(0, image.height, _STRIP):
            yield image.crop((0, top, image.width, min(top + _STRIP, image.height)))

    if not image.mode.startswith(("I", "F")):
        yield from crops()
        return
    highest = max(float(np.nan_to_num(np.asarray(crop, np.float32), posinf=0).max()) for crop in crops())
    factor = 255 / (max(highest, 1.0) if image.mode == "F" else _white(highest))
    for crop in crops():
        numbers = np.nan_to_num(np.asarray(crop, np.float32), posinf=0, neginf=0) * factor
        yield Image.fromarray(numbers.clip(0, 255).astype(np.uint8))


def _is_deep(image: Image.Image) -> bool:
    """Whether an opened file has colours of 16 bits, of which Pillow would drop the lower 8."""
    return not image.mode.startswith("I") and any(";16" in str(part) for part in getattr(image, "tile", ()))


def _deep_strips(image: Image.Image, data: bytes) -> Iterator[Image.Image]:
    """As `_strips`, of a file with colours of 16 bits. Pillow has `image` loaded, so the file is whole."""
    import cv2  # where it cannot be imported, the reader says so

    image.close()  # its memory is needed
    try:
        whole = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise ValueError(str(error)) from error
    if whole is None or whole.dtype != np.uint16 or whole.ndim != 3 or whole.shape[:2] != (image.height, image.width):
        raise ValueError("not a picture of 16 bits a colour")
    factor = 255 / _white(float(whole[..., :3].max()))
    for top in range(0, image.height, _STRIP):
        part = whole[top : top + _STRIP].astype(np.float32) * factor
        if whole.shape[2] == 4:
            part[..., 3] = whole[top : top + _STRIP, :, 3] / 257
        order = (2, 1, 0, 3)[: whole.shape[2]]
        yield Image.fromarray(np.ascontiguousarray(part[..., order].clip(0, 255).astype(np.uint8)))


def _white(highest: float) -> int:
    """The whole number of white where `highest` occurs: cameras of 10, 12 or 14 bits store their numbers in 16."""
    return int(2 ** max(8, 2 * math.ceil(math.log2(max(highest, 0) + 1) / 2)) - 1)


def _on_white(image: Image.Image) -> Image.Image:
    """The picture as RGB; what is transparent is white."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        whole = image.convert("RGBA")
        white = Image.new("RGBA", whole.size, "white")
        return Image.alpha_composite(white, whole).convert("RGB")
    return image.convert("RGB")
