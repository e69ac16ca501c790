"""JPEGs of pixels alone, without metadata: of photos, of throws as proof, and of what the watching camera sees."""

import io
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from web.table.proof import LONGEST_SIDE, MOST_BYTES
from web.table.umpire import RestingDie

if TYPE_CHECKING:
    from PIL.Image import Image

    import vision

JPEG_QUALITY = 85
QUALITIES = (80, 65, 50, 35, 20)  # of a small picture: the first by which it is small enough
# Of what the watching camera sees.
EVERY_S = 0.2  # the least time between two pictures
SIDE = 320  # pixels of its longer side
BYTES = 8_000  # at most of each picture: five a second are 40 kB
# JPEG qualities to try in turn: a patterned cloth takes four times the bytes of a plain one.
PREVIEW_QUALITIES = (40, 25, 15, 8)
LOOKED_AT_S = 3.0  # for which new pictures are made after a phone asked for one
SURE, UNSURE = (255, 255, 255), (255, 160, 0)


def jpeg(pixels: Any, longest: int | None = None, quality: int = JPEG_QUALITY) -> bytes:
    """`longest`: pixels of the longer side, at most."""
    from PIL import Image

    image = Image.fromarray(pixels)
    if longest is not None:
        image.thumbnail((longest, longest), Image.Resampling.BILINEAR)
    return _encode(image, quality)


def small_picture(pixels: Any) -> bytes | None:
    """A JPEG of at most LONGEST_SIDE pixels a side and MOST_BYTES; None if none is that small."""
    from PIL import Image

    image = Image.fromarray(pixels)
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    pictures = (_encode(image, quality, optimize=True) for quality in QUALITIES)
    return next((picture for picture in pictures if len(picture) <= MOST_BYTES), None)


def pixels_of(picture: bytes) -> Any:
    """The pixels of a JPEG of our own making."""
    import numpy
    from PIL import Image

    return numpy.asarray(Image.open(io.BytesIO(picture)).convert("RGB"))


class CameraPreview:
    """The newest small picture, made only while a phone asks. Safe for the watching thread and for phones."""

    def __init__(self) -> None:
        self._wanted_at = self._made_at = 0.0  # by the monotonic clock
        self._newest: tuple[int, bytes] | None = None
        self._shows: tuple[object, Sequence[object]] | None = None  # the frame and dice of the newest

    def newer_than(self, number: int) -> tuple[int, bytes] | None:
        """The newest picture with its number; None if that is not above `number`. New pictures are made from now on."""
        self._wanted_at = time.monotonic()
        return self._newest if self._newest is not None and self._newest[0] > number else None

    def is_due(self, now: float) -> bool:
        if now - self._wanted_at > LOOKED_AT_S:
            return False
        return self._newest is None or now - self._made_at >= EVERY_S

    def make(self, photo: "vision.Photo", dice: Sequence[RestingDie], now: float) -> None:
        """Makes a picture of this frame. `dice`: those that lie there."""
        from PIL import Image, ImageDraw

        self._made_at = now
        if self._shows is not None and self._shows[0] is photo and self._shows[1] == dice:
            return
        self._shows = photo, dice
        scale = SIDE / max(photo.width, photo.height)
        small = Image.fromarray(photo.pixels).resize((round(photo.width * scale), round(photo.height * scale)))
        draw = ImageDraw.Draw(small)
        for die in dice:
            draw.rectangle([side * scale for side in die.box], outline=SURE if die.sure else UNSURE, width=2)
            place = die.box[0] * scale + 3, die.box[1] * scale + 1
            draw.text(place, f"{die.value}" if die.sure else f"{die.value}?", fill=SURE)
        self._newest = (self._newest[0] + 1 if self._newest else 0), small_jpeg(small)


def small_jpeg(picture: "Image") -> bytes:
    """The picture as a JPEG of at most BYTES; it is halved until one of the qualities fits."""
    while True:
        for quality in PREVIEW_QUALITIES:
            data = _encode(picture, quality)
            if len(data) <= BYTES:
                return data
        picture = picture.reduce(2)


def _encode(picture: "Image", quality: int, optimize: bool = False) -> bytes:
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=quality, optimize=optimize)
    return out.getvalue()
