"""The small picture of what the watching camera sees, for phones that show where it looks."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from web.photos.review import jpeg

if TYPE_CHECKING:
    from PIL.Image import Image

    import vision

EVERY_S = 0.2  # at most so often there is a new one
SIDE = 320  # pixels of its longer side
BYTES = 8_000  # of each at most: five a second are 40 kB
# Of JPEG, the first that comes to no more; a patterned cloth takes four times a plain one.
QUALITIES = (40, 25, 15, 8)
LOOKED_AT_S = 3.0  # after somebody asked for one the next ones are made
SURE, UNSURE = (255, 255, 255), (255, 160, 0)


class CameraPreview:
    """The newest small picture, made while somebody looks. For the thread that watches, and for phones that ask."""

    def __init__(self) -> None:
        self._wanted_at = self._made_at = 0.0  # by the monotonic clock
        self._newest: tuple[int, bytes] | None = None

    def newer_than(self, number: int) -> tuple[int, bytes] | None:
        """The newest picture with its number, None if that is not above `number`. Somebody looks from now on."""
        self._wanted_at = time.monotonic()
        return self._newest if self._newest is not None and self._newest[0] > number else None

    def is_due(self, now: float) -> bool:
        if now - self._wanted_at > LOOKED_AT_S:
            return False
        return self._newest is None or now - self._made_at >= EVERY_S

    def make(self, photo: "vision.Photo", dice: Sequence[tuple[int, Any, bool]], now: float) -> None:
        """Makes a new one of this frame. `dice`: value, box in pixels of the frame, whether it is sure."""
        from PIL import Image, ImageDraw

        self._made_at = now
        scale = SIDE / max(photo.width, photo.height)
        small = Image.fromarray(photo.pixels).resize((round(photo.width * scale), round(photo.height * scale)))
        draw = ImageDraw.Draw(small)
        for value, box, sure in dice:
            draw.rectangle([side * scale for side in box], outline=SURE if sure else UNSURE, width=2)
            place = box[0] * scale + 3, box[1] * scale + 1
            draw.text(place, f"{value}" if sure else f"{value}?", fill=SURE)
        self._newest = (self._newest[0] + 1 if self._newest else 0), small_jpeg(small)


def small_jpeg(picture: "Image") -> bytes:
    """The picture as JPEG of at most BYTES, half as wide where even the coarsest quality takes more."""
    import numpy as np

    while True:
        for quality in QUALITIES:
            data = jpeg(np.asarray(picture), quality=quality)
            if len(data) <= BYTES:
                return data
        picture = picture.reduce(2)
