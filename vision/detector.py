"""The first look: where dice lie."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.backend import Network
from vision.boxes import letterbox, overlaps, suppress
from vision.photo import Photo, Pixels

Floats = npt.NDArray[np.float32]

_SEEN_AS = 1000  # pixels of the longer side that finding dice needs
_NEARLY_THE_SAME = 0.6  # intersection over union
_MOST = 300  # boxes considered: more dice than that lie on no table
_SEEN_AGAIN = 0.5  # intersection over union from which two looks mean the same thing
_NOT_SEEN, _SEEN = 0.02, 0.999  # the score of a thing in a look that did not find it; the highest one counted


@dataclass(frozen=True)
class Found:
    """What may be dice: boxes (n, 4) x0, y0, x1, y1 in pixels of the picture looked at, scores (n,) 0..1, best
    first."""

    boxes: Floats
    scores: Floats


class Detector:
    """The detecting network. Its output is (1, 5, places): centre, size and score of a die at each place."""

    def __init__(self, path: Path, sides: Sequence[int]) -> None:
        """`sides`: to each of these the longer side of a picture is scaled when it is looked at."""
        self._path = path
        self._for_one_size: dict[tuple[int, ...], Network] = {}
        # One network for each: a runtime prepares anew whatever it runs whenever the size is another than before.
        with ThreadPoolExecutor(len(sides)) as threads:  # to be made ready takes each a fifth of a second
            self._networks = dict(zip(sides, threads.map(lambda _: Network(path), sides), strict=True))

    def prepare(self, width: int, height: int) -> None:
        """Makes pictures of this size quicker to look at; takes a third of a second and 40 MB."""
        for side in self._networks:
            fitted, _ = letterbox(np.zeros((height, width, 3), np.uint8), side)
            self._for_one_size[fitted.shape] = Network(self._path, (1, *fitted.shape))

    def find(self, pixels: Pixels, least: float) -> Found:
        """What scores at least `least` in the picture, looked at with each of the sides.

        A die is seen at several sizes, a thing that happens to look like one often at one only: a score is the mean of
        all looks' log-odds.
        """
        return together([self._look(network, pixels, side, least) for side, network in self._networks.items()])

    def _look(self, network: Network, pixels: Pixels, side: int, least: float) -> Found:
        fitted, fit = letterbox(pixels, side)
        places = self._for_one_size.get(fitted.shape, network)(fitted[None])[0]
        places = places[:, places[4] >= least]
        places = places[:, np.argsort(-places[4], kind="stable")[:_MOST]]
        boxes = np.concatenate([places[:2] - places[2:4] / 2, places[:2] + places[2:4] / 2]).T
        # Only nearly the same boxes: a pip taken for a die must not hide the die. The second look decides between them.
        kept = suppress(boxes, places[4], union=_NEARLY_THE_SAME, nested=2.0)
        limit = np.array([pixels.shape[1], pixels.shape[0]] * 2, np.float32)
        found = np.clip(fit.back(boxes[kept]), 0, limit)
        solid = (found[:, 2:] - found[:, :2] >= 1).all(1)
        return Found(found[solid], places[4][kept][solid])


def first_look(detector: Detector, photo: Photo, least: float) -> Found:
    """What scores at least `least` in the photo; boxes as fractions of its sides."""
    view = photo.view(_SEEN_AS)
    found = detector.find(view, least)
    return Found(np.divide(found.boxes, np.array([view.shape[1], view.shape[0]] * 2), dtype=np.float32), found.scores)


def together(looks: Sequence[Found]) -> Found:
    """One picture's looks as one: the boxes of the first, then what only later ones found."""
    boxes = looks[0].boxes
    for look in looks[1:]:
        iou, _ = overlaps(look.boxes, boxes)
        boxes = np.concatenate([boxes, look.boxes[iou.max(1, initial=0.0) < _NEARLY_THE_SAME]])
    odds = np.zeros(len(boxes), np.float32)
    for look in looks:
        iou, _ = overlaps(boxes, look.boxes)
        seen = np.where(iou >= _SEEN_AGAIN, look.scores[None, :], 0).max(1, initial=0.0).clip(_NOT_SEEN, _SEEN)
        odds += np.log(seen / (1 - seen))
    scores = (1 / (1 + np.exp(-odds / len(looks)))).astype(np.float32)
    order = np.argsort(-scores, kind="stable")
    return Found(boxes[order], scores[order])
