"""Whether the photo's edge cuts a die off that is none of the reading's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import median

from vision.eye import Eye, EyePicture
from vision.judging.crop_views import shrink_for
from vision.judging.interpretation import at_edge, other_things, part_odds
from vision.judging.overlap import APART, Box, clip, longer_side, most_shared, scale
from vision.judging.seen import MAYBE, Crop, Places, Seen
from vision.judging.weights import CutWeights
from vision.reading import Reading

_ASKED = -1.0  # log-odds of a cut die that is asked about; or 0, where as many dice are sure as were thrown
_LEAST, _MOST = -4.0, 4  # log-odds of a place that the classifier looks at, and how many it looks at
_COVERED = 0.4  # of a place, by a whole die or a likelier place: it shows nothing else
_CROWD = 2.0  # weight of what lies inside: what the edge cuts is mostly one more of it

Counts = Callable[[Places], Places] | None  # those of some places at which dice count; None: all
Scored = tuple[float, Box]  # log-odds of a place, and its box in pixels


async def find_cut(
    eye: Eye, photo: EyePicture, reading: Reading, seen: Seen, weights: CutWeights, complete: bool, counts: Counts
) -> Box | None:
    """The part in the photo of the die that its edge likely cuts; None if it likely cuts none. `reading`: has dice.
    `complete`: as many sure dice as the count."""
    every = (*reading.dice, *reading.aside)
    dice = [die.box for die in every]
    places = await eye.look_along_border(photo, [die.box for die in reading.dice])
    places = places if counts is None else counts(places)
    likely = likeliest_places(places, reading.width, reading.height, [die.box for die in every if die.sure])
    looks = await look_closer(eye, photo, [box for _, box in likely], median(map(longer_side, dice)))
    others = other_things(seen, dice)
    at_border = [(part_odds(seen.shares[i]), seen.pixels[i]) for i in others if at_edge(seen.boxes[i])]
    inside = sum(seen.scores[i] >= MAYBE and not at_edge(seen.boxes[i]) for i in others)
    prior = min(0.0, _CROWD * math.log((len(dice) + 0.5) / (inside + 0.5)))
    found = []
    for (border, box), look in zip(likely, looks, strict=True):
        part = max([look, *(part for part, thing in at_border if most_shared(thing, [box]) > APART)])
        found.append((weights.bias + weights.border * border + weights.part * part + prior, box))
    odds, box = max(found, default=(-math.inf, (0.0, 0.0, 0.0, 0.0)))
    return None if odds < (0 if complete else _ASKED) else clip(box, reading.width, reading.height)


def likeliest_places(places: Places, width: int, height: int, whole: Sequence[Box]) -> list[Scored]:
    """The likeliest places, apart from each other and from the `whole` dice; best first. In pixels of a photo of so
    many."""
    kept: list[Scored] = []
    for odds, place in sorted(zip(places.log_odds, places.boxes, strict=True), reverse=True):
        box = scale(place, width, height)
        if odds < _LEAST or len(kept) == _MOST:
            break
        if most_shared(box, [*whole, *(other for _, other in kept)]) <= _COVERED:
            kept.append((odds, box))
    return kept


async def look_closer(eye: Eye, photo: EyePicture, boxes: Sequence[Box], side: float) -> list[float]:
    """The classifier's log-odds that each box shows some part of a die. `side`: of the usual die. All in the photo's
    pixels."""
    if not boxes:
        return []
    view = await shrink_for(eye, photo, side)
    finer = view.width / photo.width
    crops = [Crop(scale(box, finer, finer), quarters=False) for box in boxes]
    return [part_odds(answer.shares) for answer in await eye.classify(view, crops)]
