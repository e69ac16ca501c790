"""The detector: finds boxes in which dice may lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Floats, Pixels
from vision.backend import Network
from vision.boxes import letterbox, overlaps, suppress
from vision.photo import Photo
from vision.reasons import ModelError

_VIEW_SIDE = 1000  # pixels of the longer side: enough to find dice
_NEARLY_THE_SAME = 0.6  # intersection over union
_STRIDES = (8, 16, 32)  # pixels from place to place on the network's three levels
_MOST_BOXES = 300  # boxes considered: no table has more dice
_SAME_THING = 0.5  # intersection over union from which two passes mean the same thing
_MISSED, _HIGHEST = 0.02, 0.999  # the score of a candidate in a pass that missed it; the highest score that counts


@dataclass(frozen=True)
class Candidates:
    """What may be dice: boxes (n, 4) x0, y0, x1, y1 in pixels of the picture, scores (n,) 0..1, best first."""

    boxes: Floats
    scores: Floats


class Detector:
    """The detecting network. `decode` explains its output (1, 4 * bins + 1, places)."""

    def __init__(self, path: Path, image_sizes: Sequence[int]) -> None:
        """`image_sizes`: the longer sides in pixels to which each picture is scaled, one pass for each."""
        self._path = path
        self._image_sizes = image_sizes
        self._for_one_size: dict[tuple[int, ...], Network] = {}
        # One network for all sizes: preparing it anew for a size takes a hundredth of a second, loading another one 20
        # times as long.
        self._network = Network(path)

    def prepare(self, width: int, height: int) -> None:
        """Makes pictures of this size faster to search. Takes a third of a second and 40 MB."""
        for side in self._image_sizes:
            fitted, _ = letterbox(np.zeros((height, width, 3), np.uint8), side)
            self._for_one_size[fitted.shape] = Network(self._path, (1, *fitted.shape))

    def find(self, pixels: Pixels, least: float) -> Candidates:
        """Finds candidates that score at least `least`, in pictures of each image size (multi-scale). A die is seen
        at several sizes, a lookalike often at only one; so a score is the mean log-odds of all passes. Raises
        ModelError if the network's output is not what `decode` takes."""
        return fuse([self._find_at_size(pixels, side, least) for side in self._image_sizes])

    def find_large(self, pixels: Pixels, side: int, share: float) -> Candidates:
        """Finds candidates as large as this `share` of the picture, scaled to `side`."""
        found = self._find_at_size(pixels, side, _MISSED)
        large = (found.boxes[:, 2:] - found.boxes[:, :2]).max(1, initial=0.0) >= share * max(pixels.shape[:2])
        return Candidates(found.boxes[large], found.scores[large])

    def _find_at_size(self, pixels: Pixels, side: int, least: float) -> Candidates:
        fitted, fit = letterbox(pixels, side)
        places = self._for_one_size.get(fitted.shape, self._network)(fitted[None])[0]
        # Older exports gave decoded boxes: reject them.
        if len(places) < 9 or places.shape[1] != sum(fitted.shape[0] // s * (fitted.shape[1] // s) for s in _STRIDES):
            raise ModelError("model-broken", file=self._path.name)
        given = decode(places, fitted.shape[0], fitted.shape[1], least)
        # Only nearly equal boxes go: a pip taken for a die must not hide the die. The classifier decides between them.
        kept = suppress(given.boxes, given.scores, iou=_NEARLY_THE_SAME, of_smaller=2.0)
        limit = np.array([pixels.shape[1], pixels.shape[0]] * 2, np.float32)
        found = np.clip(fit.from_network(given.boxes[kept]), 0, limit)
        solid = (found[:, 2:] - found[:, :2] >= 1).all(1)
        return Candidates(found[solid], given.scores[kept][solid])


def decode(places: Floats, height: int, width: int, least: float) -> Candidates:
    """The best `_MOST_BOXES` boxes that score at least `least`, in pixels of the network's picture of `height` x
    `width`.

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
    return Candidates(boxes.T.astype(np.float32), scores[likely])


def detect(detector: Detector, photo: Photo, least: float, most: int | None = None) -> Candidates:
    """Candidates in the photo that score at least `least`, the best `most` of them. Boxes are fractions of its
    sides."""
    view = photo.view(_VIEW_SIDE)
    found = detector.find(view, least)
    boxes = np.divide(found.boxes, np.array([view.shape[1], view.shape[0]] * 2), dtype=np.float32)
    return Candidates(boxes[:most], found.scores[:most])


def detect_mirrored(detector: Detector, photo: Photo, least: float, before: Candidates) -> Candidates:
    """Fuses the candidates `before` with those in the mirrored photo."""
    view = photo.view(_VIEW_SIDE)
    mirrored = detector.find(np.ascontiguousarray(view[:, ::-1]), least)
    boxes = np.divide(mirrored.boxes, np.array([view.shape[1], view.shape[0]] * 2), dtype=np.float32)
    boxes[:, [0, 2]] = 1 - boxes[:, [2, 0]]
    return fuse([before, Candidates(boxes, mirrored.scores)])


def fuse(detections: Sequence[Candidates]) -> Candidates:
    """Fuses several passes over one picture (multi-scale fusion): first the boxes of the first pass, then others."""
    boxes = detections[0].boxes
    for one in detections[1:]:
        iou, _ = overlaps(one.boxes, boxes)
        boxes = np.concatenate([boxes, one.boxes[iou.max(1, initial=0.0) < _NEARLY_THE_SAME]])
    odds = np.zeros(len(boxes), np.float32)
    for one in detections:
        iou, _ = overlaps(boxes, one.boxes)
        seen = np.where(iou >= _SAME_THING, one.scores[None, :], 0).max(1, initial=0.0).clip(_MISSED, _HIGHEST)
        odds += np.log(seen / (1 - seen))
    scores = (1 / (1 + np.exp(-odds / len(detections)))).astype(np.float32)
    order = np.argsort(-scores, kind="stable")
    return Candidates(boxes[order], scores[order])
