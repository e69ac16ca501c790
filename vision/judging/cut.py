"""Whether the photo's edge cuts a die off that is none of the reading's."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from vision.judging.boxes import Box, area, intersection, longer_side, most_shared, overlap
from vision.judging.interpretation import SQUARE, part_odds
from vision.judging.seen import Places, Seen
from vision.reading import Reading

_EDGE = 0.01  # of the photo's side: a box that ends nearer to the edge lies at it
_APART = 0.3  # of the smaller of two boxes: what shares less with each die is another thing
_SIDES = (0.55, 1.6)  # of the median die, a thing's longer side
# Log-odds by the network of the border, from which on a die lies across it. Those by detector and classifier, that a
# thing at the edge is part of a die, count so much less alone, and whole where both see one.
_ACROSS, _LESS_ALONE = 1.5, 0.5
_SAME_DIE = 0.5  # share of a die that a place shows


def find_cut(reading: Reading, seen: Seen, places: Places) -> Box | None:
    """The part in the photo of what is likeliest a die that the edge cuts; None if nothing may be one. `places`: what
    the network of the border says."""
    dice = [die.box for die in (*reading.dice, *reading.aside)]
    if not reading.dice:
        return None
    things = _things(dice, seen)
    scored = []
    for (x0, y0, x1, y1), odds in zip(places.boxes, places.log_odds, strict=True):
        place = (x0 * reading.width, y0 * reading.height, x1 * reading.width, y1 * reading.height)
        if not any(_shows(place, die) for die in dice):
            scored.append((odds + max((part for box, part in things if overlap(place, box)[1]), default=0.0), place))
    scored += [(part - _LESS_ALONE, box) for box, part in things]
    odds, (x0, y0, x1, y1) = max(scored, key=lambda pair: pair[0], default=(0.0, (0.0, 0.0, 0.0, 0.0)))
    if odds < _ACROSS:
        return None
    width, height = float(reading.width), float(reading.height)
    return max(x0, 0.0), max(y0, 0.0), min(x1, width), min(y1, height)


def _things(dice: Sequence[Box], seen: Seen) -> list[tuple[Box, float]]:
    """The candidates at the photo's edge that are none of the dice but as large, and the log-odds, 0 or more, that each
    is part of a die."""
    usual = median(map(longer_side, dice))
    return [
        (box, max(odds, 0.0))
        for place, box, odds in zip(seen.boxes, seen.pixels, part_odds(seen), strict=True)
        if (min(place) < _EDGE or max(place) > 1 - _EDGE)
        and _SIDES[0] * usual < longer_side(box) < _SIDES[1] * usual
        and most_shared(box, dice) < _APART
    ]


def _shows(place: Box, die: Box) -> bool:
    """Whether a place at the border shows a square die: such a die is whole."""
    square = min(die[2] - die[0], die[3] - die[1]) >= SQUARE * longer_side(die)
    return square and intersection(place, die) > _SAME_DIE * area(die)
