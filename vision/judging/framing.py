"""Dice that are very large or very small in a photo: which part of it is read instead, so that they have a usual size.

A photo of large dice is read as the middle of a wider one. Of a photo of small dice, the part with the dice is read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.eye import EyePicture
from vision.judging.overlap import Box, area, clip, hull, longer_side, scale
from vision.judging.seen import Candidates, Seen
from vision.reading import Die, Reading

Frame = tuple[int, int, int, int]  # x0, y0, x1, y1 in pixels of the photo; it may reach beyond the photo

_LARGE = 0.33  # of the photo's longer side: dice as large as this
_PIP = 0.1  # of a die's side: a pip is larger
_SMALL = 0.04  # of the photo's longer side: dice as small as this
_FEW_PIXELS = 20.0  # of a die's side: with fewer, pips look alike


def to_photo(frame: Frame, reading: Reading, photo: EyePicture) -> Reading:
    """A reading of this frame's picture, with its boxes in the photo. Dice outside of the photo are left out."""
    left, top, right, bottom = frame
    across, down = (right - left) / reading.width, (bottom - top) / reading.height

    def place(box: Box) -> Box:
        x0, y0, x1, y1 = scale(box, across, down)
        return x0 + left, y0 + top, x1 + left, y1 + top

    def move(dice: Sequence[Die]) -> tuple[Die, ...]:
        boxes = [clip(place(die.box), photo.width, photo.height) for die in dice]
        return tuple(replace(die, box=box) for die, box in zip(dice, boxes, strict=True) if area(box))

    trace = reading.trace and replace(reading.trace, boxes=tuple(map(place, reading.trace.boxes)))
    dice, aside = move(reading.dice), move(reading.aside)
    return replace(reading, width=photo.width, height=photo.height, dice=dice, aside=aside, trace=trace)


def large_side(found: Candidates, reading: Reading) -> float:
    """The longer side of the largest die that was `found` in the photo when it was small itself, as a share of the
    photo's; 0 if it is not large, or if the sure dice of the `reading` cannot be its pips."""
    sure = [longer_side(die.box) for die in reading.dice if die.sure]
    largest = max((longer_side(scale(box, reading.width, reading.height)) for box in found.boxes), default=0.0)
    share = largest / max(reading.width, reading.height)
    return 0.0 if share < _LARGE or (sure and sure[0] < _PIP * largest) else share


def wants_wider_frame(reading: Reading) -> bool:
    """Whether dice are large in the photo, or nothing was found in it."""
    largest = max((longer_side(die.box) for die in reading.dice), default=math.inf)
    return largest >= _LARGE * max(reading.width, reading.height)


def wider_frame(photo: EyePicture, large: float) -> Frame:
    """A frame with the photo in its middle, twice as wide or so wide that a die of the `large` share is not large."""
    beside = max(1.0, large / _LARGE - 1) / 2
    across, down = round(beside * photo.width), round(beside * photo.height)
    return -across, -down, photo.width + across, photo.height + down


def closer_frame(reading: Reading, seen: Seen) -> Frame | None:
    """The part of the photo where its small dice lie; None if they are large enough, or if the part is no finer than
    the photo."""
    longest, side = max(reading.width, reading.height), smallest_side(reading)
    if not reading.dice or side > _SMALL * longest:
        return None
    x0, y0, x1, y1 = hull([*seen.pixels, *(die.box for die in (*reading.dice, *reading.aside))])
    x0, y0, x1, y1 = map(round, clip((x0 - side, y0 - side, x1 + side, y1 + side), reading.width, reading.height))
    return (x0, y0, x1, y1) if seen.fineness < 1 and max(x1 - x0, y1 - y0) < longest else None


def too_small(reading: Reading, seen: Seen, dice: int | None) -> bool:
    """Whether a person would lean closer: the smallest die has few pixels in the photo; or as the detector saw it,
    which then may miss other dice. The latter does not matter if all of the dice count are found."""
    fineness = 1.0 if len(reading.dice) == dice else seen.fineness
    return 0 < smallest_side(reading) * fineness < _FEW_PIXELS


def smallest_side(reading: Reading) -> float:
    """The longer side of the smallest die, in pixels; 0 without dice."""
    return min((longer_side(die.box) for die in reading.dice), default=0.0)
