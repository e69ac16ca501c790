"""Whether the photo's edge cuts a die off that is none of the reading's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from vision.judging.interpretation import at_edge, part_odds
from vision.judging.overlap import Box, area, intersection, longer_side, most_shared
from vision.judging.seen import Places, Seen
from vision.reading import Reading

_APART = 0.3  # of the smaller of two boxes: what shares less with each die is another thing
_SIDES = (0.55, 1.6)  # of the median die, a thing's longer side
# Log-odds by the network of the border, from which on a die lies across it. Those by detector and classifier, that a
# thing at the edge is part of a die, count so much less alone, and a quarter where both see one.
_ACROSS, _LESS_ALONE = 1.5, 0.5
_PRIOR = 1.5  # weight of what lies inside
_LOOKALIKE = 0.2  # the detector's score of a thing that looks like a die
_SAME_DIE = 0.5  # share of a die that a place shows


def find_cut(reading: Reading, seen: Seen, places: Places) -> Box | None:
    """The part in the photo of what is likeliest a die that the edge cuts; None if nothing may be one. `places`: what
    the network of the border says."""
    dice = [die.box for die in (*reading.dice, *reading.aside)]
    if not reading.dice:
        return None
    sure = [die.box for die in (*reading.dice, *reading.aside) if die.sure]  # whole, also at the edge
    others = _other_things(dice, seen)
    things = [
        (odds, seen.pixels[i])
        for i, odds in zip(others, part_odds(seen.pick(others)), strict=True)
        if at_edge(seen.boxes[i])
    ]
    scored = []
    for (x0, y0, x1, y1), odds in zip(places.boxes, places.log_odds, strict=True):
        place = (x0 * reading.width, y0 * reading.height, x1 * reading.width, y1 * reading.height)
        if all(intersection(place, die) <= _SAME_DIE * area(die) for die in sure):
            both = max((part for part, box in things if intersection(place, box)), default=0.0)
            scored.append((odds + max(both, 0.0) / 4, place))
    scored += [(part - _LESS_ALONE, box) for part, box in things]
    # What lies across the edge is mostly one more of what lies inside.
    lookalikes = sum(seen.scores[i] >= _LOOKALIKE for i in others)
    prior = min(0.0, _PRIOR * math.log((len(dice) + 0.5) / (lookalikes + 0.5)))
    odds, (x0, y0, x1, y1) = max(scored, key=lambda pair: pair[0], default=(-math.inf, dice[0]))
    if odds + prior < _ACROSS:
        return None
    return max(x0, 0.0), max(y0, 0.0), min(x1, float(reading.width)), min(y1, float(reading.height))


def _other_things(dice: Sequence[Box], seen: Seen) -> list[int]:
    """The candidates that are none of the dice but about as long."""
    usual = median(map(longer_side, dice))
    return [
        i
        for i, box in enumerate(seen.pixels)
        if _SIDES[0] * usual < longer_side(box) < _SIDES[1] * usual and most_shared(box, dice) < _APART
    ]
