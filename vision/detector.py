"""The detector: finds boxes in which dice may lie."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.arrays import Boxes, Floats, Pixels, as_boxes
from vision.backend import Network
from vision.judging.seen import Candidates
from vision.photo import FIRST_VIEW, Photo
from vision.reasons import ModelError

_STRIDES = (8, 16, 32)  # pixels from place to place on the network's three levels
_MOST_BOXES = 300  # boxes considered: no table has more dice
_GREY = 114


class Detector:
    """The detecting network: a part of an eye, see `vision.eye.FindsDice`. `decode` explains its output (1, 4 * bins +
    1, places)."""

    def __init__(self, path: Path) -> None:
        """Raises ModelError."""
        self._path = path
        self._network = Network(path)

    async def detect(self, photo: Photo, side: int, least: float, mirrored: bool = False) -> Candidates:
        """Raises ModelError if the network's output is not what `decode` takes."""
        view = photo.view(FIRST_VIEW)
        boxes, scores = self.find(np.ascontiguousarray(view[:, ::-1]) if mirrored else view, side, least)
        boxes = np.divide(boxes, np.array([view.shape[1], view.shape[0]] * 2), dtype=np.float32)
        if mirrored:
            boxes[:, [0, 2]] = 1 - boxes[:, [2, 0]]
        return Candidates(as_boxes(boxes), tuple(scores.tolist()))

    def find(self, pixels: Pixels, side: int, least: float) -> tuple[Floats, Floats]:
        """As `detect`: boxes (n, 4) in these pixels, and scores (n,)."""
        fitted, fit = letterbox(pixels, side)
        places = self._network(fitted[None])[0]
        # Older exports gave decoded boxes: reject them.
        if len(places) < 9 or places.shape[1] != sum(fitted.shape[0] // s * (fitted.shape[1] // s) for s in _STRIDES):
            raise ModelError("model-broken", file=self._path.name)
        boxes, scores = decode(places, fitted.shape[0], fitted.shape[1], least)
        boxes = fit.from_network(boxes)
        inside = np.clip(boxes, 0, np.array([pixels.shape[1], pixels.shape[0]] * 2, np.float32))
        solid = (inside[:, 2:] - inside[:, :2] >= 1).all(1)
        return boxes[solid], scores[solid]


def decode(places: Floats, height: int, width: int, least: float) -> tuple[Floats, Floats]:
    """The best `_MOST_BOXES` boxes (n, 4) that score at least `least`, in pixels of the network's picture of `height` x
    `width`, and their scores (n,).

    `places`: (4 * bins + 1, n), row by row for each stride. The logits of a box's left, upper, right and lower edge
    lying 0, 1, 2... strides from the place's middle ("distribution focal loss"), then the logit of the score.
    ultralytics' own head computes the same for every place.
    """
    scores = 1 / (1 + np.exp(-places[-1].clip(-30, 30)))
    likely = np.flatnonzero(scores >= least)
    likely = likely[np.argsort(-scores[likely], kind="stable")[:_MOST_BOXES]]
    rows, columns = (side // np.array(_STRIDES) for side in (height, width))
    first = np.cumsum(rows * columns) - rows * columns
    level = np.searchsorted(first, likely, side="right") - 1
    middle = np.stack(np.divmod(likely - first[level], columns[level])[::-1]) + 0.5
    bins = places[:-1, likely].reshape(4, len(places) // 4, len(likely))
    chances = np.exp(bins - bins.max(1, keepdims=True))
    edges = np.einsum("ebn,b->en", chances, np.arange(bins.shape[1])) / chances.sum(1)
    boxes = np.concatenate([middle - edges[:2], middle + edges[2:]]) * np.array(_STRIDES)[level]
    return boxes.T.astype(np.float32), scores[likely]


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
    out_wide, out_tall = -(-wide // _STRIDES[-1]) * _STRIDES[-1], -(-tall // _STRIDES[-1]) * _STRIDES[-1]
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
