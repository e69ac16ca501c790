"""Dice that are very large or very small in a photo: which part of it is read instead, so that they have a usual size.

A photo of large dice is read as the middle of a wider one. Of a photo of small dice, the part with the dice is read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.eye import EyePicture
from vision.judging.overlap import Box, longer_side
from vision.judging.seen import HARDLY_SEEN, Candidates, Seen
from vision.reading import Die, Reading

Frame = tuple[int, int, int, int]  # x0, y0, x1, y1 in pixels of the photo; it may reach beyond the photo

_LARGE = 1 / 3  # of the photo's longer side: dice as large as this
_PIP = 0.1  # of a die's side: a pip is larger
_CLEARLY = 0.5  # the score of a clear die
_USUAL, _WIDER = 0.3, (2.0, 3.0)  # share of a wider frame that they take; how many times as wide it is at least, most
_ABOUT = 0.6  # of a large die's side: a die of the reading that may be it has as much
_SMALL = 0.04  # of the photo's longer side: dice as small as this
_ROOM = 4.0  # dice's sides, around the candidates in the closer frame
_LEAST_GAIN = 1.25  # times as fine as the photo must be what the detector sees in a closer frame
_FEW_PIXELS = 20.0  # of a die's side: with fewer, pips look alike


def to_photo(frame: Frame, reading: Reading, photo: EyePicture) -> Reading:
    """A reading of this frame's picture, with its boxes in the photo. Dice outside of the photo are left out."""
    left, top, right, bottom = frame
    across, down = (right - left) / reading.width, (bottom - top) / reading.height

    def place(box: Box) -> Box:
        x0, y0, x1, y1 = box
        return x0 * across + left, y0 * down + top, x1 * across + left, y1 * down + top

    def move(dice: Sequence[Die]) -> tuple[Die, ...]:
        moved = []
        for die in dice:
            x0, y0, x1, y1 = place(die.box)
            x0, x1 = (min(max(x, 0.0), float(photo.width)) for x in (x0, x1))
            y0, y1 = (min(max(y, 0.0), float(photo.height)) for y in (y0, y1))
            if x0 < x1 and y0 < y1:
                moved.append(replace(die, box=(x0, y0, x1, y1)))
        return tuple(moved)

    trace = reading.trace and replace(reading.trace, boxes=tuple(map(place, reading.trace.boxes)))
    return replace(
        reading,
        width=photo.width,
        height=photo.height,
        dice=move(reading.dice),
        aside=move(reading.aside),
        trace=trace,
    )


def wants_wider_frame(reading: Reading, seen: Seen) -> bool:
    """Whether dice seem to be large in the photo, or nothing was found in it."""
    largest = max(map(longer_side, _believed_boxes(seen)), default=0.0)
    return not reading.dice or largest >= _LARGE * max(reading.width, reading.height)


def _believed_boxes(seen: Seen) -> list[Box]:
    return [box for box, score in zip(seen.pixels, seen.scores, strict=True) if score >= HARDLY_SEEN]


def large_side(found: Candidates, reading: Reading) -> float:
    """The longer side of the largest die that was `found` in the photo when it was small itself, as a share of the
    photo's; 0 if none is large, or if the sure dice of the `reading` cannot be its pips."""
    sure = [longer_side(die.box) for die in reading.dice if die.sure]
    longest = max(reading.width, reading.height)
    across, down = reading.width / longest, reading.height / longest
    sides = [
        max((x1 - x0) * across, (y1 - y0) * down)
        for (x0, y0, x1, y1), score in zip(found.boxes, found.scores, strict=True)
        if score >= _CLEARLY
    ]
    largest = max((side for side in sides if side >= _LARGE), default=0.0)
    return 0.0 if sure and sure[0] < _PIP * largest * longest else largest


def wider_frame(photo: EyePicture, large: float) -> Frame:
    """A frame with the photo in its middle, so wide that a die of the `large` share of the photo has a usual one."""
    times = min(max(large / _USUAL, _WIDER[0]), _WIDER[1])
    across, down = round((times - 1) / 2 * photo.width), round((times - 1) / 2 * photo.height)
    return -across, -down, photo.width + across, photo.height + down


def misses_large(reading: Reading, large: float) -> bool:
    """Whether no die of the reading is sure, or as large as the `large` share of the photo."""
    if any(die.sure for die in reading.dice):
        return False
    sides = (longer_side(die.box) for die in (*reading.dice, *reading.aside))
    return max(sides, default=0.0) < _ABOUT * large * max(reading.width, reading.height)


def closer_frame(reading: Reading, seen: Seen) -> Frame | None:
    """The part of the photo where its small dice lie; None if they are large enough, or if the part is hardly finer
    than the photo."""
    longest, side = max(reading.width, reading.height), smallest_side(reading)
    if not reading.dice or side > _SMALL * longest:
        return None
    boxes = [*_believed_boxes(seen), *(die.box for die in (*reading.dice, *reading.aside))]
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    room = _ROOM * side
    x0, y0 = (math.floor(max(min(sides) - room, 0)) for sides in (lefts, tops))
    x1 = math.ceil(min(max(rights) + room, reading.width))
    y1 = math.ceil(min(max(bottoms) + room, reading.height))
    finer = min(seen.fineness * longest / max(x1 - x0, y1 - y0), 1.0)
    return (x0, y0, x1, y1) if finer >= _LEAST_GAIN * seen.fineness else None


def too_small(reading: Reading, seen: Seen, dice: int | None) -> bool:
    """Whether a person would lean closer: the smallest die has few pixels in the photo; or as the detector saw it,
    which then may miss other dice. The latter does not matter if all of the dice count are found."""
    fineness = 1.0 if len(reading.dice) == dice else seen.fineness
    return 0 < smallest_side(reading) * fineness < _FEW_PIXELS


def smallest_side(reading: Reading) -> float:
    """The longer side of the smallest die, in pixels; 0 without dice."""
    return min((longer_side(die.box) for die in reading.dice), default=0.0)
