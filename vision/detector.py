"""The detector: where dice may lie."""

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

_SEEN_AS = 1000  # pixels of the longer side that finding dice needs
_NEARLY_THE_SAME = 0.6  # intersection over union
_STRIDES = (8, 16, 32)  # pixels from place to place on the network's levels
_MOST = 300  # boxes considered: more dice than that lie on no table
_SEEN_AGAIN = 0.5  # intersection over union from which two looks mean the same thing
_NOT_SEEN, _SEEN = 0.02, 0.999  # the score of a thing in a look that did not find it; the highest one counted


@dataclass(frozen=True)
class Candidates:
    """What may be dice: boxes (n, 4) x0, y0, x1, y1 in pixels of the picture looked at, scores (n,) 0..1, best
    first."""

    boxes: Floats
    scores: Floats


class Detector:
    """The detecting network. What its output (1, 4 * bins + 1, places) says: `decode`."""

    def __init__(self, path: Path, image_sizes: Sequence[int]) -> None:
        """`image_sizes`: to each of these the longer side of a picture is scaled when it is looked at."""
        self._path = path
        self._image_sizes = image_sizes
        self._for_one_size: dict[tuple[int, ...], Network] = {}
        # One for all sizes: the runtime prepares it anew for each, in a hundredth of a second; a network of its own
        # for each takes 20 times as long to load.
        self._network = Network(path)

    def prepare(self, width: int, height: int) -> None:
        """Makes pictures of this size quicker to look at; takes a third of a second and 40 MB."""
        for side in self._image_sizes:
            fitted, _ = letterbox(np.zeros((height, width, 3), np.uint8), side)
            self._for_one_size[fitted.shape] = Network(self._path, (1, *fitted.shape))

    def find(self, pixels: Pixels, least: float) -> Candidates:
        """What scores at least `least` in the picture, looked at in each of the image sizes.

        A die is seen at several sizes, a thing that happens to look like one often at one only: a score is the mean of
        all looks' log-odds. Raises ModelError where the network gives something else than `decode` takes.
        """
        return fuse([self._find_at_size(pixels, side, least) for side in self._image_sizes])

    def _find_at_size(self, pixels: Pixels, side: int, least: float) -> Candidates:
        fitted, fit = letterbox(pixels, side)
        places = self._for_one_size.get(fitted.shape, self._network)(fitted[None])[0]
        # Older exports returned decoded boxes: reject them.
        if len(places) < 9 or places.shape[1] != sum(fitted.shape[0] // s * (fitted.shape[1] // s) for s in _STRIDES):
            raise ModelError("model-broken", file=self._path.name)
        given = decode(places, fitted.shape[0], fitted.shape[1], least)
        # Only nearly the same boxes: a pip taken for a die must not hide the die. The classifier decides between them.
        kept = suppress(given.boxes, given.scores, iou=_NEARLY_THE_SAME, of_smaller=2.0)
        limit = np.array([pixels.shape[1], pixels.shape[0]] * 2, np.float32)
        found = np.clip(fit.from_network(given.boxes[kept]), 0, limit)
        solid = (found[:, 2:] - found[:, :2] >= 1).all(1)
        return Candidates(found[solid], given.scores[kept][solid])


def decode(places: Floats, height: int, width: int, least: float) -> Candidates:
    """The best `_MOST` of those that score at least `least`, boxes in pixels of the network's picture of `height` by
    `width`.

    `places`: (4 * bins + 1, n), row by row for each of the strides: how likely, as logits, the left, upper, right and
    lower edge are 0, 1, 2... strides from the place's middle, then the logit of the score. ultralytics' own head
    computes the same ("distribution focal loss") for every place.
    """
    scores = 1 / (1 + np.exp(-places[-1].clip(-30, 30)))
    likely = np.flatnonzero(scores >= least)
    likely = likely[np.argsort(-scores[likely], kind="stable")[:_MOST]]
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
    """What scores at least `least` in the photo, the best `most` of it; boxes as fractions of its sides."""
    view = photo.view(_SEEN_AS)
    found = detector.find(view, least)
    boxes = np.divide(found.boxes, np.array([view.shape[1], view.shape[0]] * 2), dtype=np.float32)
    return Candidates(boxes[:most], found.scores[:most])


def detect_mirrored(detector: Detector, photo: Photo, least: float, before: Candidates) -> Candidates:
    """What was `detect` before, and what is in the mirrored photo, as one."""
    view = photo.view(_SEEN_AS)
    mirrored = detector.find(np.ascontiguousarray(view[:, ::-1]), least)
    boxes = np.divide(mirrored.boxes, np.array([view.shape[1], view.shape[0]] * 2), dtype=np.float32)
    boxes[:, [0, 2]] = 1 - boxes[:, [2, 0]]
    return fuse([before, Candidates(boxes, mirrored.scores)])


def fuse(detections: Sequence[Candidates]) -> Candidates:
    """Several looks at one picture as one (multi-scale fusion): the boxes of the first, then what only later ones
    found."""
    boxes = detections[0].boxes
    for look in detections[1:]:
        iou, _ = overlaps(look.boxes, boxes)
        boxes = np.concatenate([boxes, look.boxes[iou.max(1, initial=0.0) < _NEARLY_THE_SAME]])
    odds = np.zeros(len(boxes), np.float32)
    for look in detections:
        iou, _ = overlaps(boxes, look.boxes)
        seen = np.where(iou >= _SEEN_AGAIN, look.scores[None, :], 0).max(1, initial=0.0).clip(_NOT_SEEN, _SEEN)
        odds += np.log(seen / (1 - seen))
    scores = (1 / (1 + np.exp(-odds / len(detections)))).astype(np.float32)
    order = np.argsort(-scores, kind="stable")
    return Candidates(boxes[order], scores[order])
