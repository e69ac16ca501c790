"""What a crop classifier's answers for several views of each candidate say together.

The direction that is up in a crop tells a die's upper face from its sides. All candidates of a photo together tell how
the camera was held (datasets/docs/detector.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean, median
from typing import NamedTuple

from vision.eye import EyePicture, ReadsCrops
from vision.judging.chances import Row, chance, log_of_sum, softmax
from vision.judging.overlap import Box, longer_side, scale, suppress
from vision.judging.seen import DIRECTIONS, MAYBE, NONE, ROOM, SIDE, UPRIGHT, Answers, Crop, CropAnswer

_CROP_MARGIN = 0.75  # a crop comes from a view in which the die has at least this share of the crop's pixels
_SEVERAL = 3  # dice needed to tell how the camera was held: one or two may as well be seen from aslant
# From straight above, each die shows the side turned to the photo's centre, and up points away from the centre.
_LEANS = 0.19  # of the photo's longer side off its centre, from which on a candidate shows where up is
_TURNED = -4.5  # prior log-odds that the camera was turned so far
_UP_WEIGHT = 0.5  # weight of each candidate's up direction: those of one photo err together


class Look(NamedTuple):
    """What the classifier says of one candidate. `logits` (7): of the values 1..6 and of no die, averaged over the
    views of its `answer`."""

    logits: Row
    answer: CropAnswer

    @property
    def clarity(self) -> float:
        """The probability that it is a die and shows its value."""
        return max(softmax(self.logits)[:NONE])


async def classify(
    eye: ReadsCrops, photo: EyePicture, boxes: Sequence[Box], scores: Sequence[float], answers: Answers, sure: float
) -> list[Look]:
    """Reads the candidates in `boxes`, fractions of the photo's sides, of the detector's `scores`. `answers`: the
    classifier's of earlier passes, which are reused; new ones are added. If the camera may have been turned,
    or look straight down, candidates are also read so, and both readings are mixed by their probability; or if that is
    unlikely, but some die's value is less than `sure`."""
    if not boxes:
        return []
    sides = [longer_side(scale(box, photo.width, photo.height)) for box in boxes]
    view = await shrink_for(eye, photo, median(sides))
    crops = [Crop(scale(box, view.width, view.height)) for box in boxes]
    looks = await _ask_once(eye, view, crops, answers)
    dice = [i for i, score in enumerate(scores) if score >= MAYBE and softmax(looks[i].logits)[NONE] <= 1 - MAYBE]
    one_each = set(suppress(boxes, scores))  # a die has one vote, however many boxes it has
    ups = {i: up_log_chances(looks[i].answer.directions) for i in dice if i in one_each}
    if len(ups) < _SEVERAL:
        return looks
    odds, turns = other_view({i: off_axis(crops[i].box, view) for i in dice}, ups)
    if odds <= 0 and all(looks[i].clarity >= sure for i in dice):
        return looks
    # The up direction is known here, so the upright views suffice.
    others = await _ask_once(eye, view, [replace(crops[i], turn=turns[i], quarters=False) for i in dice], answers)
    read_so = dict(zip(dice, others, strict=True))
    clearer = sum(math.log((read_so[i].clarity + 1e-4) / (looks[i].clarity + 1e-4)) for i in ups)
    share = chance(odds + clearer)
    for i, other in read_so.items():
        looks[i] = _mix(looks[i], other, share)
    return looks


async def _ask_once(eye: ReadsCrops, view: EyePicture, crops: Sequence[Crop], answers: Answers) -> list[Look]:
    """What the classifier says of crops of the view, by earlier `answers` where there are any."""
    new = [crop for crop in crops if (view.width, crop) not in answers]
    if new:
        answers.update(zip([(view.width, crop) for crop in new], await eye.classify(view, new), strict=True))
    return [Look(average_views(answer.logits), answer) for answer in (answers[view.width, crop] for crop in crops)]


async def shrink_for(eye: ReadsCrops, photo: EyePicture, side: float) -> EyePicture:
    """The photo, as small as crops of things with this longer `side` allow; in pixels of the photo."""
    longest = max(photo.width, photo.height)
    least = min(round(longest * _CROP_MARGIN * SIDE / ROOM / max(side, 1.0)), longest)
    view: EyePicture = await eye.shrink(photo, least)
    return view


def other_view(places: Mapping[int, tuple[float, float]], ups: Mapping[int, Row]) -> tuple[float, dict[int, float]]:
    """The likeliest view other than upright: its log-odds against that, by the log-probabilities of up directions
    (`ups`, DIRECTIONS each); and by how many degrees it turns each candidate. `places`: as `off_axis` gives them."""
    above = 0.0
    for i, up in ups.items():
        off, away = places[i]
        leans, nearest = min(off / _LEANS, 1.0), round(away / 360 * DIRECTIONS) % DIRECTIONS
        above += math.log((1 - leans) / DIRECTIONS + leans * math.exp(up[nearest])) - up[0]
    views = [(_UP_WEIGHT * above, {i: away for i, (_, away) in places.items()})]
    for place in range(2, DIRECTIONS - 1):
        turned = sum(up[place] - up[0] for up in ups.values())
        views.append((_TURNED + _UP_WEIGHT * turned, dict.fromkeys(places, place * 360 / DIRECTIONS)))
    return max(views, key=lambda view: view[0])


def _mix(one: Look, other: Look, share: float) -> Look:
    """A candidate's two readings; `share`: the probability of the `other`."""
    both = zip(softmax(one.logits), softmax(other.logits), strict=True)
    logits = tuple(math.log(max((1 - share) * own + share * others, 1e-9)) for own, others in both)
    return (one if share <= 0.5 else other)._replace(logits=logits)


def off_axis(box: Box, view: EyePicture) -> tuple[float, float]:
    """How far a box lies from the view's middle, by its longer side; and in which direction, in degrees
    counter-clockwise from the top."""
    longest = 2 * max(view.width, view.height)
    across, down = (box[0] + box[2] - view.width) / longest, (box[1] + box[3] - view.height) / longest
    return math.hypot(across, down), math.degrees(math.atan2(-across, -down))


def up_log_chances(views: Sequence[Row]) -> Row:
    """Log-probabilities (DIRECTIONS) of the up direction in the photo, from the logits of the four views."""
    quarter, whole = DIRECTIONS // 4, fmean(map(log_of_sum, views))
    usual, mirrored, left, right = views
    return tuple(
        (usual[up] + mirrored[-up % DIRECTIONS] + left[(up + quarter) % DIRECTIONS] + right[up - quarter]) / 4 - whole
        for up in range(DIRECTIONS)
    )


def average_views(views: Sequence[Row]) -> Row:
    """The mean logits (7) of a crop's views. The value comes from the UPRIGHT ones alone: these tell the upper face
    from a side. Whether it is a die comes from all."""
    odds = fmean(view[NONE] - log_of_sum(view[:NONE]) for view in views)
    values = [fmean(column) for column in zip(*(view[:NONE] for view in views[:UPRIGHT]), strict=True)]
    return (*values, odds + log_of_sum(values))
