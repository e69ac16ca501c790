"""What a crop classifier's answers for several views of each candidate say together.

The answers give each crop's value, or "no pipped die", and the direction that is up in it. The up direction tells a
die's upper face from its sides. All candidates of a photo together tell how the camera was held
(datasets/docs/detector.md).
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from vision.eye import EyePicture, ReadsCrops
from vision.judging.chances import Row, chance, log_of_sum, means, softmax
from vision.judging.overlap import Box, longer_side
from vision.judging.seen import DIRECTIONS, HARDLY_SEEN, MAYBE, NONE, ROOM, SIDE, UPRIGHT, Answers, Crop, CropAnswer

_QUARTER = DIRECTIONS // 4
_STRAIGHT = 0.9  # prior probability that a photo's top is up
_UP_WEIGHT = 0.7  # weight of each candidate's up direction: those of one photo err together
_TURNED = 0.8  # probability from which on the camera is taken to have been turned
_CLOSER = 0.1  # further upright crops in the second pass are so much smaller and larger than the usual one
_CERTAIN = 0.999  # probability of a value, or of none, from which on the second pass does not crop again
_CROP_MARGIN = 0.75  # a crop comes from a view in which the die has at least this share of the crop's pixels

# From straight above, each die shows the side turned to the photo's centre, and up points away from the centre.
_FOCAL = 0.9  # focal length by the photo's longer side: between a phone's 0.7 and a webcam's or a cropped photo's
_LEANS = 12.0  # degrees off the view's axis from which on a candidate shows where up is
_SEVERAL = 3  # candidates needed for that: one or two may as well be seen from aslant
_ABOVE_ODDS = -1.0  # prior log-odds that a photo of several candidates is from straight above
_ABOVE_WEIGHT = 0.5  # weight of the up directions for that; how clearly the dice are read counts whole
_CLEAR, _PLAIN = 0.99, 0.98  # probabilities of a value and of being a die that no other view would change
_HINTS = 1.0  # log-odds of the up directions, from which on clear dice are read from straight above too


@dataclass(frozen=True)
class Look:
    """What the classifier says of one candidate. `logits` (7): of the values 1..6 and of no die, averaged over the
    views. `features`, `elevations`, `shares`: as in `CropAnswer`."""

    logits: Row
    features: Row
    elevations: Row
    shares: Row


@dataclass(frozen=True)
class _Views:
    """The answers for one candidate: for its usual crop, and for crops of other `sizes`."""

    answer: CropAnswer
    sizes: tuple[CropAnswer, ...] = ()

    @cached_property
    def look(self) -> Look:
        every, usual = (self.answer, *self.sizes), self.answer.logits
        upright = (*usual[:UPRIGHT], *(view for one in self.sizes for view in one.logits))
        return Look(
            average_views(upright, usual[UPRIGHT:]),
            means([one.features for one in every]),
            means([one.elevations for one in every]),
            means([one.shares for one in every]),
        )


async def classify(
    eye: ReadsCrops,
    photo: EyePicture,
    boxes: Sequence[Box],
    scores: Sequence[float],
    answers: Answers | None = None,
    closer: bool = False,
) -> list[Look]:
    """Reads the candidates in `boxes`, fractions of the photo's sides, of the detector's `scores`. `answers`: the
    classifier's answers of an earlier pass, which are reused; new ones are added. `closer`: crops of other sizes are
    read too."""
    if not boxes:
        return []
    longest = max(photo.width, photo.height)
    likely = [thing for thing, score in enumerate(scores) if score >= min(HARDLY_SEEN, max(scores))]
    sides = [longer_side(_grow(boxes[thing], photo)) for thing in likely]
    smallest = max(median(sides), 1.0)
    view: EyePicture = await eye.shrink(photo, min(round(longest * _CROP_MARGIN * SIDE / ROOM / smallest), longest))
    crops = [Crop(_grow(box, view)) for box in boxes]
    reader = _CropReader(eye, view, {} if answers is None else answers, closer)
    seen = await reader.read(crops)
    turn = camera_turn([seen[thing].answer.directions for thing in likely])
    if turn:  # turn the dice as in an upright photo: only so can the upper face be told from a side face
        crops = [replace(crop, turn=turn) for crop in crops]
        seen = await reader.read(crops)
    elif mixed := await _from_above(reader, crops, scores, seen):
        return mixed
    return [each.look for each in await reader.refine(seen, crops)]


async def _from_above(
    reader: _CropReader, crops: Sequence[Crop], scores: Sequence[float], seen: list[_Views]
) -> list[Look] | None:
    """Mixes two readings by their probability: upright, and as if the camera looked straight down. None if the latter
    is not worth while."""
    chances = [softmax(each.look.logits) for each in seen]
    counted = [
        thing
        for thing, (score, of_thing) in enumerate(zip(scores, chances, strict=True))
        if score >= MAYBE and of_thing[NONE] <= 1 - MAYBE
    ]
    if len(counted) < _SEVERAL:
        return None
    hint, away = 0.0, {}
    for thing in counted:
        off, away[thing] = _off_axis(crops[thing].box, reader.view)
        leans = min(math.degrees(math.atan(off / _FOCAL)) / _LEANS, 1.0)
        up = _up_log_chances(seen[thing].answer.directions)
        hint += math.log((1 - leans) / DIRECTIONS + leans * math.exp(_interpolate(up, away[thing]))) - up[0]
    clear = all(_likeliest(chances[thing]) >= _CLEAR and chances[thing][NONE] <= 1 - _PLAIN for thing in counted)
    if hint < _HINTS and clear:
        return None
    # The up direction is known here, so the upright views suffice.
    turned = [replace(crops[thing], turn=away[thing], quarters=False) for thing in counted]
    above = await reader.read(turned)
    clearer = sum(
        _clarity(softmax(each.look.logits)) - _clarity(chances[thing])
        for thing, each in zip(counted, above, strict=True)
    )
    share = chance(_ABOVE_ODDS + _ABOVE_WEIGHT * hint + clearer)
    if share > 0.5:
        above = await reader.refine(above, turned)
    else:
        seen = await reader.refine(seen, crops)
    looks, from_above = [each.look for each in seen], dict(zip(counted, (each.look for each in above), strict=True))
    return [_mix(look, from_above.get(thing), share) for thing, look in enumerate(looks)]


def _mix(upright: Look, above: Look | None, share: float) -> Look:
    """One candidate's two readings; `share`: of that from above, if there is one."""
    chances = softmax(upright.logits)
    if above is not None:
        both = zip(softmax(above.logits), chances, strict=True)
        chances = tuple(share * one + (1 - share) * other for one, other in both)
    likelier = upright if above is None or share <= 0.5 else above
    return replace(likelier, logits=tuple(math.log(max(own, 1e-9)) for own in chances))


def _off_axis(box: Box, view: EyePicture) -> tuple[float, float]:
    """How far a box lies from the view's middle, by its longer side; and in which direction, in degrees
    counter-clockwise from the top."""
    longest = 2 * max(view.width, view.height)
    across, down = (box[0] + box[2] - view.width) / longest, (box[1] + box[3] - view.height) / longest
    return math.hypot(across, down), math.degrees(math.atan2(-across, -down))


def _likeliest(chances: Row) -> float:
    """The largest probability of a value, given that it is a die, from probabilities (7)."""
    return max(chances[:NONE]) / max(1 - chances[NONE], 1e-6)


def _clarity(chances: Row) -> float:
    """The log-probability that a candidate is a die and shows its value."""
    return math.log(_likeliest(chances) + 1e-6) + math.log(1 - chances[NONE] + 1e-4)


@dataclass(frozen=True)
class _CropReader:
    """Asks the eye about each crop of one view once."""

    eye: ReadsCrops
    view: EyePicture
    answers: Answers
    closer: bool

    async def read(self, crops: Sequence[Crop]) -> list[_Views]:
        keys = [(self.view.width, crop.box, round(crop.turn), crop.size, crop.quarters) for crop in crops]
        new = [(key, crop) for key, crop in zip(keys, crops, strict=True) if key not in self.answers]
        if new:
            given = await self.eye.classify(self.view, [crop for _, crop in new])
            self.answers.update(zip((key for key, _ in new), given, strict=True))
        return [_Views(self.answers[key]) for key in keys]

    async def refine(self, seen: list[_Views], crops: Sequence[Crop]) -> list[_Views]:
        """Adds crops of other sizes to what was `seen` of candidates that are not certain, if `closer`."""
        if not self.closer:
            return seen
        worth = [thing for thing, each in enumerate(seen) if max(softmax(each.look.logits)) < _CERTAIN]
        sized = [
            replace(crops[thing], size=size, quarters=False) for size in (1 - _CLOSER, 1 + _CLOSER) for thing in worth
        ]
        more = [each.answer for each in await self.read(sized)]
        refined = list(seen)
        for place, thing in enumerate(worth):
            refined[thing] = _Views(seen[thing].answer, tuple(more[place :: len(worth)]))
        return refined


def _grow(box: Box, picture: EyePicture) -> Box:
    """A box of fractions, in pixels of the picture."""
    x0, y0, x1, y1 = box
    return x0 * picture.width, y0 * picture.height, x1 * picture.width, y1 * picture.height


def _up_log_chances(directions: Sequence[Row]) -> Row:
    """Log-probabilities (DIRECTIONS) of the up direction in the photo, from those of the four views."""
    usual, mirrored, left, right = ([logit - log_of_sum(view) for logit in view] for view in directions)
    return tuple(
        (usual[up] + mirrored[-up % DIRECTIONS] + left[(up + _QUARTER) % DIRECTIONS] + right[up - _QUARTER]) / 4
        for up in range(DIRECTIONS)
    )


def _interpolate(up: Row, degrees: float) -> float:
    """The log-probability in `up` (DIRECTIONS) at the direction `degrees`, between two of the twelve."""
    place = (degrees / 360 * DIRECTIONS) % DIRECTIONS
    before, share = int(place) % DIRECTIONS, place % 1
    return (1 - share) * up[before] + share * up[(before + 1) % DIRECTIONS]


def camera_turn(directions: Sequence[Sequence[Row]]) -> float:
    """Degrees that the camera was turned counter-clockwise about its view; 0 if that is unclear. `directions`: of each
    candidate, for its four views. All candidates in a photo share one up direction, so several of them tell what one
    alone cannot."""
    up = [math.log(_STRAIGHT), *[math.log((1 - _STRAIGHT) / (DIRECTIONS - 1))] * (DIRECTIONS - 1)]
    for views in directions:
        up = [whole + _UP_WEIGHT * own for whole, own in zip(up, _up_log_chances(views), strict=True)]
    chances = softmax(up)
    if chances[-1] + chances[0] + chances[1] > 1 - _TURNED:
        return 0.0
    middle = sum(own * cmath.rect(1, 2 * math.pi * place / DIRECTIONS) for place, own in enumerate(chances))
    return math.degrees(cmath.phase(middle))


def average_views(upright: Sequence[Row], turned: Sequence[Row]) -> Row:
    """Averages logits (7 each) of upright and turned views. The value comes from upright views only: these tell the
    upper face from a side. Whether it is a die comes from all."""
    odds = [
        sum(view[NONE] - log_of_sum(view[:NONE]) for view in views) / len(views) for views in (upright, turned) if views
    ]
    values = means([view[:NONE] for view in upright])
    return (*values, sum(odds) / len(odds) + log_of_sum(values))
