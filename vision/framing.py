"""Dice that are very large or very small in a photo: which part of it is read instead, so that they have a usual size.

A photo of large dice is read as the middle of a wider one. Of a photo of small dice, the part with the dice is read.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Pixels
from vision.detector import Detector
from vision.interpretation import Detections
from vision.photo import Photo
from vision.reading import Die, Reading

_LARGE = 1 / 3  # of the photo's longer side: dice as large as this
_PIP = 0.1  # of a die's side: a pip is larger
_COARSE, _CLEARLY = 128, 0.5  # longer side of a small picture in which they are found; the score of a clear one
_USUAL, _WIDER = 0.3, (2.0, 3.0)  # share of a wider frame that they take; how many times as wide it is at least, most
_ABOUT = 0.6  # of a large die's side: a die of the reading that may be it has as much
_WIDE_VIEW = 700  # pixels of the longer side of a photo with large dice: enough to read them
_SMALL = 0.04  # of the photo's longer side: dice as small as this
_BELIEVED = 0.1  # the detector's score of a candidate that the closer frame holds
_ROOM = 4.0  # dice's sides, around the candidates in the closer frame
_LEAST_GAIN = 1.25  # times as fine as the photo must be what the detector sees in a closer frame
_FEW_PIXELS = 18.0  # of a die's side in the photo: with fewer, pips cannot be told apart
_FEW_SEEN = 20.0  # of a die's side as the detector sees it: with fewer, it may miss other dice
_VIEW_SIDE = 704  # pixels of the longer side that the detector sees at most


@dataclass(frozen=True)
class Frame:
    """A rectangle x0, y0, x1, y1 in pixels of the photo; it may reach beyond the photo."""

    x0: int
    y0: int
    x1: int
    y1: int

    def cut(self, photo: Photo) -> Photo:
        """What the photo shows in this frame. Its last pixels go on beyond its border."""
        width, height = self.x1 - self.x0, self.y1 - self.y0
        wider = width > photo.width or height > photo.height
        view = photo.view(_WIDE_VIEW) if wider else photo.pixels
        if wider and max(view.shape[:2]) > _WIDE_VIEW:
            scale = _WIDE_VIEW / max(view.shape[:2])
            view = np.asarray(cv2.resize(view, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        across, down = view.shape[1] / photo.width, view.shape[0] / photo.height
        x0, x1 = round(self.x0 * across), round(self.x1 * across)
        y0, y1 = round(self.y0 * down), round(self.y1 * down)
        inner: Pixels = view[max(y0, 0) : y1, max(x0, 0) : x1]
        top, bottom, left, right = max(-y0, 0), max(y1 - view.shape[0], 0), max(-x0, 0), max(x1 - view.shape[1], 0)
        if top or bottom or left or right:
            inner = np.asarray(cv2.copyMakeBorder(inner, top, bottom, left, right, cv2.BORDER_REPLICATE), np.uint8)
        return Photo(np.ascontiguousarray(inner))

    def to_photo(self, reading: Reading, photo: Photo) -> Reading:
        """A reading of this frame's picture, with its boxes in the photo. Dice outside of the photo are left out."""
        across, down = (self.x1 - self.x0) / reading.width, (self.y1 - self.y0) / reading.height
        scale, corner = np.array([across, down] * 2), np.array([self.x0, self.y0] * 2)
        limit = np.array([photo.width, photo.height] * 2, np.float64)

        def move(dice: tuple[Die, ...]) -> tuple[Die, ...]:
            moved = []
            for die in dice:
                x0, y0, x1, y1 = map(float, np.clip(np.array(die.box) * scale + corner, 0, limit))
                if x0 < x1 and y0 < y1:
                    moved.append(dataclasses.replace(die, box=(x0, y0, x1, y1)))
            return tuple(moved)

        trace = reading.trace
        if trace is not None:
            moved = (trace.boxes * scale + corner).astype(np.float32)
            trace = dataclasses.replace(trace, boxes=moved)
        return dataclasses.replace(
            reading,
            width=photo.width,
            height=photo.height,
            dice=move(reading.dice),
            aside=move(reading.aside),
            trace=trace,
        )


def wants_wider_frame(reading: Reading, detections: Detections) -> bool:
    """Whether dice seem to be large in the photo, or nothing was found in it."""
    longest = max(reading.width, reading.height)
    boxes = detections.boxes[detections.scores >= _BELIEVED] * np.array([reading.width, reading.height] * 2)
    return not reading.dice or float((boxes[:, 2:] - boxes[:, :2]).max(initial=0.0)) >= _LARGE * longest


def large_side(detector: Detector, photo: Photo, reading: Reading) -> float:
    """The longer side of the largest die that the photo shows when it is small itself, as a share of the photo's; 0 if
    none is large, or if the sure dice of the `reading` cannot be its pips. Takes a millisecond."""
    if sum(die.sure for die in reading.dice) > 1:  # from afar, a few dice look like the pips of a large one
        return 0.0
    view = photo.view(_WIDE_VIEW)
    found = detector.find_large(view, _COARSE, _LARGE)
    boxes = found.boxes[found.scores >= _CLEARLY]
    largest: float = (boxes[:, 2:] - boxes[:, :2]).max(initial=0.0) / max(view.shape[:2])
    sure = [_side(die) for die in reading.dice if die.sure]
    return 0.0 if sure and sure[0] < _PIP * largest * max(reading.width, reading.height) else float(largest)


def wider_frame(photo: Photo, large: float) -> Frame:
    """A frame with the photo in its middle, so wide that a die of the `large` share of the photo has a usual one."""
    times = min(max(large / _USUAL, _WIDER[0]), _WIDER[1])
    across, down = round((times - 1) / 2 * photo.width), round((times - 1) / 2 * photo.height)
    return Frame(-across, -down, photo.width + across, photo.height + down)


def misses_large(reading: Reading, large: float) -> bool:
    """Whether no die of the reading is sure, or as large as the `large` share of the photo."""
    if any(die.sure for die in reading.dice):
        return False
    sides = map(_side, (*reading.dice, *reading.aside))
    return max(sides, default=0.0) < _ABOUT * large * max(reading.width, reading.height)


def closer_frame(reading: Reading, detections: Detections) -> Frame | None:
    """The part of the photo where its small dice lie; None if they are large enough, or if the part is hardly finer
    than the photo."""
    width, height = reading.width, reading.height
    longest = max(width, height)
    side = smallest_side(reading)
    if not reading.dice or side > _SMALL * longest:
        return None
    boxes = detections.boxes[detections.scores >= _BELIEVED] * np.array([width, height] * 2)
    boxes = np.concatenate([boxes, [die.box for die in (*reading.dice, *reading.aside)]])
    low, high = boxes[:, :2].min(0) - _ROOM * side, boxes[:, 2:].max(0) + _ROOM * side
    x0, y0 = np.floor(low.clip(0)).astype(int)
    x1, y1 = np.ceil(np.minimum(high, [width, height])).astype(int)
    seen = min(_VIEW_SIDE, longest) / longest
    finer = min(_VIEW_SIDE / max(x1 - x0, y1 - y0), 1.0)
    return Frame(int(x0), int(y0), int(x1), int(y1)) if finer >= _LEAST_GAIN * seen else None


def too_small(reading: Reading, detections: Detections, dice: int | None) -> bool:
    """Whether a person would lean closer: the smallest die has few pixels in the photo, or as the detector saw it. The
    latter does not matter if all dice of the count are found."""
    side = smallest_side(reading)
    seen = min(1.0, _VIEW_SIDE / max(detections.searched, 1)) if detections.searched else 1.0
    few_seen = len(reading.dice) != dice and side * seen < _FEW_SEEN
    return bool(reading.dice) and (side < _FEW_PIXELS or few_seen)


def smallest_side(reading: Reading) -> float:
    """The longer side of the smallest die, in pixels; 0 without dice."""
    return min(map(_side, reading.dice), default=0.0)


def _side(die: Die) -> float:
    return max(die.box[2] - die.box[0], die.box[3] - die.box[1])
