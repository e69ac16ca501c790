"""Dice that are very large or very small in a photo: which part of it is read instead, so that they have a usual size.

A photo of large dice is read as the middle of a wider one. Of a photo of small dice, the part with the dice is read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.eye import EyePicture
from vision.judging.overlap import Box, area, clip, hull, longer_side
from vision.judging.seen import Candidates, Seen
from vision.reading import Die, Reading

Frame = tuple[int, int, int, int]  # x0, y0, x1, y1 in pixels of the photo; it may reach beyond the photo

_LARGE = 1 / 3  # of the photo's longer side: dice as large as this
_PIP = 0.1  # of a die's side: a pip is larger
_CLEARLY = 0.5  # the score of a clear die
_USUAL, _WIDER = 0.3, (2.0, 3.0)  # share of a wider frame that they take; how many times as wide it is
_SMALL = 0.04  # of the photo's longer side: dice as small as this
_ROOM = 4.0  # dice's sides, around the candidates in the closer frame
_HARDLY_SEEN = 0.1  # the detector's score below which a candidate tells nothing of where dice lie
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
        boxes = [clip(place(die.box), photo.width, photo.height) for die in dice]
        return tuple(replace(die, box=box) for die, box in zip(dice, boxes, strict=True) if area(box))

    trace = reading.trace and replace(reading.trace, boxes=tuple(map(place, reading.trace.boxes)))
    return replace(
        reading,
        width=photo.width,
        height=photo.height,
        dice=move(reading.dice),
        aside=move(reading.aside),
        trace=trace,
    )


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


def wants_wider_frame(reading: Reading) -> bool:
    """Whether dice are large in the photo, or nothing was found in it."""
    largest = max((longer_side(die.box) for die in reading.dice), default=math.inf)
    return largest >= _LARGE * max(reading.width, reading.height)


def wider_frame(photo: EyePicture, large: float) -> Frame:
    """A frame with the photo in its middle, so wide that a die of the `large` share of the photo has a usual one."""
    times = min(max(large / _USUAL, _WIDER[0]), _WIDER[1])
    across, down = round((times - 1) / 2 * photo.width), round((times - 1) / 2 * photo.height)
    return -across, -down, photo.width + across, photo.height + down


def closer_frame(reading: Reading, seen: Seen) -> Frame | None:
    """The part of the photo where its small dice lie; None if they are large enough, or if the part is hardly finer
    than the photo."""
    longest, side = max(reading.width, reading.height), smallest_side(reading)
    if not reading.dice or side > _SMALL * longest:
        return None
    believed = [box for box, score in zip(seen.pixels, seen.scores, strict=True) if score >= _HARDLY_SEEN]
    x0, y0, x1, y1 = hull([*believed, *(die.box for die in (*reading.dice, *reading.aside))])
    room = _ROOM * side
    x0, y0, x1, y1 = map(round, clip((x0 - room, y0 - room, x1 + room, y1 + room), reading.width, reading.height))
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
