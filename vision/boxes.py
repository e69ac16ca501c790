"""Boxes in arrays: fitting a photo into the network's picture, and overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Boxes, Doubles, Floats, Pixels
from vision.judging.overlap import Box

_STRIDE = 32  # the sides of the network's picture are multiples of this
_GREY = 114


@dataclass(frozen=True)
class Letterbox:
    """How a picture was fitted into the network's: scaled, then padded at the left and the top."""

    scale_x: float
    scale_y: float
    left: int
    top: int

    def from_network(self, boxes: Boxes) -> Boxes:
        """Boxes (n, 4) of the network's picture, in pixels of the fitted picture."""
        shift = np.array([self.left, self.top, self.left, self.top], np.float32)
        return ((boxes - shift) / np.array([self.scale_x, self.scale_y] * 2, np.float32)).astype(np.float32)


def letterbox(pixels: Pixels, side: int) -> tuple[Pixels, Letterbox]:
    """Scales the picture's longer side to `side` and pads it with grey to multiples of 32."""
    height, width = pixels.shape[:2]
    scale = side / max(height, width)
    wide, tall = max(1, round(width * scale)), max(1, round(height * scale))
    out_wide, out_tall = -(-wide // _STRIDE) * _STRIDE, -(-tall // _STRIDE) * _STRIDE
    left, top = (out_wide - wide) // 2, (out_tall - tall) // 2
    fitted = np.full((out_tall, out_wide, 3), _GREY, np.uint8)
    into = fitted[top : top + tall, left : left + wide]
    cv2.resize(_shrink(pixels, wide, tall), (wide, tall), dst=into, interpolation=cv2.INTER_LINEAR)
    return fitted, Letterbox(wide / width, tall / height, left, top)


def _shrink(pixels: Pixels, wide: int, tall: int) -> Pixels:
    """Shrinks by a whole factor, to less than twice `wide` x `tall`. So every pixel counts, in a tenth of the time
    that OpenCV takes for averaging over fractions of pixels."""
    height, width = pixels.shape[:2]
    whole = max(width, height) // max(wide, tall)
    if whole <= 1:
        return pixels
    reduced = max(1, width // whole), max(1, height // whole)
    return np.asarray(cv2.resize(pixels, reduced, interpolation=cv2.INTER_AREA), np.uint8)


def overlaps(boxes: Boxes, others: Boxes) -> tuple[Floats, Floats]:
    """Intersection over union (IoU), and intersection over the smaller box: (n, m) each. As
    `vision.judging.overlap.overlap` for pairs."""
    near, far = np.maximum(boxes[:, None, :2], others[:, :2]), np.minimum(boxes[:, None, 2:], others[:, 2:])
    shared = np.clip(far - near, 0, None).prod(2)
    own, other = (np.clip(some[:, 2:] - some[:, :2], 0, None).prod(1) for some in (boxes, others))
    union, smaller = own[:, None] + other - shared, np.minimum(own[:, None], other)
    return np.asarray(shared / np.maximum(union, 1e-9)), np.asarray(shared / np.maximum(smaller, 1e-9))


def longer_sides(boxes: Floats | Doubles) -> Floats | Doubles:
    """The longer side (n,) of each box (n, 4)."""
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).max(1, initial=0.0))


def as_boxes(boxes: Floats) -> tuple[Box, ...]:
    """The boxes of an array (n, 4)."""
    return tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in boxes.tolist())


def rows_of(rows: Sequence[Sequence[float]], wide: int) -> Floats:
    """The rows as an array (n, k). `wide`: k if there are none."""
    return np.array(rows, np.float32).reshape(len(rows), -1 if len(rows) else wide)
