"""The watched part of the picture: four corners, outside of which nothing is seen."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Mask, Pixels
from vision.boxes import as_boxes, rows_of
from vision.judging.seen import Places, Seen
from vision.photo import Photo

_LEAST = 0.005  # of the picture's area: a smaller region is refused
_MARGIN = 0.03  # of the picture's sides, shown around the region, so that a die at its edge is seen whole


@dataclass(frozen=True)
class Region:
    """Four `corners` (x, y): fractions of the picture's width and height if all are 0..1, else pixels."""

    corners: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        """Raises ValueError, in one sentence, if the corners make no convex four-sided shape."""
        if len(self.corners) != 4:
            raise ValueError(f"a region has 4 corners, got {len(self.corners)}")
        numbers = [number for corner in self.corners for number in corner]
        if not all(np.isfinite(numbers)) or min(numbers) < 0:
            raise ValueError("a region's corners are numbers from 0 on: fractions of the picture up to 1, or pixels")
        round_ = _sort_corners(self.corners)
        if not cv2.isContourConvex(round_) or cv2.contourArea(round_) < 1e-6:
            raise ValueError("a region's corners must be those of a four-sided shape without a dent")
        object.__setattr__(self, "corners", tuple((float(x), float(y)) for x, y in round_))

    @classmethod
    def from_numbers(cls, numbers: Sequence[float]) -> Region:
        """From X,Y,X,Y,X,Y,X,Y; the corners may come in any order. Raises ValueError."""
        if len(numbers) != 8:
            raise ValueError(f"a region is X,Y,X,Y,X,Y,X,Y: 8 numbers, got {len(numbers)}")
        return cls(tuple(zip(map(float, numbers[::2]), map(float, numbers[1::2]), strict=True)))

    def in_picture(self, width: int, height: int) -> RegionCrop:
        """The region in a picture of this size. Raises ValueError if it is too small or reaches beyond the picture."""
        whole = max(max(corner) for corner in self.corners) <= 1
        corners = np.array(self.corners) * (np.array([width, height]) if whole else 1)
        if (corners > np.array([width, height])).any():
            raise ValueError(f"the region reaches beyond the picture, which has {width}x{height} pixels")
        if cv2.contourArea(corners.astype(np.float32)) < _LEAST * width * height:
            raise ValueError(f"the region is too small for dice in a picture of {width}x{height} pixels")
        room = _MARGIN * np.array([width, height])
        x0, y0 = np.floor((corners.min(0) - room).clip(0)).astype(int)
        x1, y1 = np.ceil(np.minimum(corners.max(0) + room, [width, height])).astype(int)
        return RegionCrop(
            width, height, (int(x0), int(y0), int(x1), int(y1)), tuple((float(x), float(y)) for x, y in corners)
        )


@dataclass(frozen=True)
class RegionCrop:
    """A region in pictures of `width` x `height` pixels: the `box` that is cut out, and the corners, in pixels."""

    width: int
    height: int
    box: tuple[int, int, int, int]
    corners: tuple[tuple[float, float], ...]

    def cut(self, photo: Photo) -> Photo:
        x0, y0, x1, y1 = self.box
        return Photo(np.ascontiguousarray(photo.pixels[y0:y1, x0:x1]))

    def mask(self, glance: Pixels) -> Mask:
        """Which pixels of a glance at the cut-out part lie in the region."""
        x0, y0, x1, y1 = self.box
        scale = np.array([glance.shape[1] / (x1 - x0), glance.shape[0] / (y1 - y0)])
        outline = np.round((np.array(self.corners) - [x0, y0]) * scale).astype(np.int32)
        filled = np.zeros(glance.shape[:2], np.uint8)
        cv2.fillConvexPoly(filled, outline, 1)
        return filled > 0

    def holds(self, boxes: Floats) -> Flags:
        """Whether the middle of each box (n, 4), fractions of the picture's sides, lies in the region (n,). Beyond
        the picture's border, the nearest place in the picture counts."""
        outline = np.array(self.corners, np.float32)
        size = np.array([self.width, self.height])
        middles = ((boxes[:, :2] + boxes[:, 2:]) / 2).clip(0, 1) * size
        return np.array([cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0 for x, y in middles], bool)

    def places_inside(self, places: Places) -> Places:
        """Those of the places that lie in the region."""
        inside = self.holds(rows_of(places.boxes, 4)).tolist()
        return Places(tuple(compress(places.boxes, inside)), tuple(compress(places.log_odds, inside)))

    def to_whole_picture(self, seen: Seen) -> Seen:
        """Moves what was seen from the cut-out part to the whole picture. Drops candidates with their middle outside
        the region."""
        x0, y0, _, _ = self.box
        pixels = rows_of(seen.pixels, 4) + np.array([x0, y0, x0, y0])
        boxes = (pixels / np.array([self.width, self.height] * 2)).astype(np.float32)
        moved = as_boxes(boxes)
        whole = dataclasses.replace(seen, width=self.width, height=self.height, boxes=moved)
        return whole.pick(np.flatnonzero(self.holds(boxes)).tolist())


def _sort_corners(corners: Sequence[tuple[float, float]]) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """The corners in order around their middle."""
    points = np.array(corners, np.float64)
    off = points - points.mean(0)
    return points[np.argsort(np.arctan2(off[:, 1], off[:, 0]))].astype(np.float32)
