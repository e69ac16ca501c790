"""From what was seen to a reading: how probable each candidate is to be a die, and which dice a photo shows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from statistics import fmean, median

from vision.judging.chances import Row, chance, log_odds, softmax
from vision.judging.counting import chances_with, prior, probability
from vision.judging.dice_memory import set_ratios
from vision.judging.overlap import APART, SAME_THING, Box, Neighbours, area, most_shared, neighbours, suppress
from vision.judging.seen import ELEVATIONS, MAYBE, NONE, Seen
from vision.judging.weights import Calibration
from vision.reading import VALUES, Ask, Die, Reading

_ONE_FACE = 45.0  # degrees of elevation: from lower, dice show several faces, and the classifier knows the upper one
_SURE_SINGLE = 0.9985  # probability of a single die's value that is sure from higher
_FLAT = 20.0  # degrees: from lower, upper faces are so narrow that this is why a reading is not sure


class Search(Enum):
    """How the detector saw the photo, and what it may have missed then."""

    GLANCE = "at one size: any die, so each that was found must be sure without the dice count too"
    FIRST = "at all sizes: a die that it framed badly"
    AGAIN = "also mirrored, and in other boxes: what it framed badly"


@dataclass(frozen=True)
class Assessment:
    """What detector and classifier together say of each of the n candidates.

    `alone`: how probable it is a die, by itself. `values` (6 each): how probable each value is, if so. `apart`: no
    likelier candidate is at the same place. `odd`: how far its size and shape are from those of the photo's other dice.
    `alike`: the log-ratio of being of one set with them.
    `elevations`: degrees by which the camera stands above the table, as each candidate shows it.
    """

    alone: Row
    values: tuple[Row, ...]
    apart: tuple[bool, ...]
    odd: Row
    alike: Row
    elevations: Row


def interpret(
    seen: Seen,
    calibration: Calibration,
    dice: int | None = None,
    aside: Sequence[int] = (),
    search: Search = Search.FIRST,
) -> Reading:
    """The reading that detector and classifier together support; `dice` and `aside` as for `vision.Reader.read`."""
    assessed = assess(seen, calibration)
    chances, all_there = choose(assessed, calibration, dice, len(aside))
    doubtful = doubtful_values(assessed, calibration, chances, all_there)
    found = dict[int, Die]()
    for thing, own in chances.items():
        # More dice than told make no single one doubtful. At a glance, as many as told make none sure.
        of_die = assessed.alone[thing] if search is Search.GLANCE else max(own, assessed.alone[thing])
        found[thing] = _die(seen, assessed, thing, own, thing not in doubtful and of_die >= calibration.sure)
    beside, clear = lying_aside(found, assessed.values, dice, aside)
    thrown = tuple(die for thing, die in found.items() if thing not in beside)
    alone = all_there >= calibration.sure
    if dice is None and search is Search.FIRST:
        others = other_things(seen, [die.box for die in found.values()])
        alone &= all(log_odds(seen.scores[i]) + part_odds(seen.shares[i]) < calibration.second_look for i in others)
    asks = [
        Ask("doubtful-value", {"value": die.value, "other": die.alternatives[0]})
        if thing in doubtful
        else Ask("doubtful-die", {"value": die.value})
        for thing, die in sorted(found.items(), key=lambda pair: pair[1].confidence)
        if not die.sure
    ][:dice]
    asks += [Ask("doubtful-aside")] * (not clear)
    if not alone and not (dice and len(thrown) > dice):  # a surplus is said by the number of dice
        asks.append(Ask("doubtful-thing"))
    complete, lying = clear and alone and dice in (None, len(thrown)), tuple(found[thing] for thing in beside)
    reading = Reading(seen.width, seen.height, thrown, complete, lying, tuple(asks))
    flat = found and not reading.sure and fmean(assessed.elevations[thing] for thing in found) < _FLAT
    return replace(reading, obstacles=("from-the-side",)) if flat else reading


def doubtful_values(assessed: Assessment, calibration: Calibration, dice: Iterable[int], all_there: float) -> set[int]:
    """Which of the `dice`, these exactly with the probability `all_there`, have values in doubt; the least clear one if
    it is only all together that is. A single die that seems to be seen from above may show its front: nothing beside
    it says where the camera stands."""
    values = {die: max(assessed.values[die]) for die in dice}
    single = len(values) == 1 and all(assessed.elevations[die] >= _ONE_FACE for die in values)
    least = max(_SURE_SINGLE, calibration.sure) if single else calibration.sure
    doubtful = {die for die, own in values.items() if own < least}
    if not doubtful and all_there >= calibration.sure > all_there * math.prod(values.values()):
        return {min(values, key=lambda die: values[die])}
    return doubtful


def assess(seen: Seen, calibration: Calibration) -> Assessment:
    logits = [[logit / calibration.temperature for logit in row] for row in seen.logits]
    boxes, near = seen.boxes, neighbours(seen.boxes)
    odds = [
        calibration.detector_weight * log_odds(score)
        + calibration.classifier_weight * log_odds(1 - softmax(row)[NONE])
        + calibration.bias
        for score, row in zip(seen.scores, logits, strict=True)
    ]
    alone = [chance(own) for own in odds]
    likely = _kept_apart(boxes, alone, calibration.sure, near)
    sure = [thing for thing in likely if alone[thing] >= calibration.sure]
    # A box is not compared with others of the same die.
    beside = [
        [die for die in sure if die != thing and others.get(die, (0.0, 0.0))[1] <= SAME_THING]
        for thing, others in enumerate(near)
    ]
    odd = _odd_boxes(seen.pixels, beside)
    alike = set_ratios(seen.set_between, seen.set_vectors, beside)
    alone = [
        chance(own - calibration.odd_box * off + calibration.same_set * like)
        for own, off, like in zip(odds, odd, alike, strict=True)
    ]
    for pip in _pips(boxes, alone, calibration.die, near):
        alone[pip] = chance(-math.inf)
    apart = _kept_apart(boxes, alone, calibration.sure, near)
    frames = [score * own / (1 - own) for score, own in zip(seen.scores, alone, strict=True)]
    dice = {thing for thing in apart if alone[thing] >= calibration.die}
    values = _mix_frames([softmax(row[:NONE]) for row in logits], frames, dice, near)
    is_apart = tuple(thing in apart for thing in range(len(boxes)))
    return Assessment(tuple(alone), values, is_apart, odd, alike, tuple(map(elevation, seen.elevations)))


def _mix_frames(values: Sequence[Row], weights: Sequence[float], dice: set[int], near: Neighbours) -> tuple[Row, ...]:
    """The values of each candidate; of the `dice`, mixed with those of boxes that show no other die. One around
    the front of a die alone may read another value than one around the whole die. `weights`: of each box."""
    mixed = list(values)
    shown = [[die for die, (_, shared) in others.items() if die in dice and shared > SAME_THING] for others in near]
    for die in dice:
        frames = [die, *(thing for thing, those in enumerate(shown) if those == [die] and thing not in dice)]
        whole = sum(weights[frame] for frame in frames)
        mixed[die] = tuple(sum(weights[i] * values[i][face] for i in frames) / whole for face in range(NONE))
    return tuple(mixed)


def at_edge(box: Box) -> bool:
    """Whether a box, fractions of the photo's sides, ends at the photo's edge."""
    return min(box) <= 0 or max(box) >= 1


def elevation(logits: Row) -> float:
    """Degrees by which the camera stands above the table, by the classifier's logits of it."""
    return 90 / ELEVATIONS * sum(own * (band + 0.5) for band, own in enumerate(softmax(logits)))


def choose(
    assessed: Assessment, calibration: Calibration, dice: int | None = None, aside: int = 0
) -> tuple[dict[int, float], float]:
    """The candidates to give as dice if `dice` were thrown, or None, and `aside` more may be in the photo: how probable
    each is to be a die, given the count; and how probable it is that exactly these are dice."""
    apart = [thing for thing, one in enumerate(assessed.apart) if one]
    alone = [assessed.alone[thing] for thing in apart]
    numbers = prior(len(apart), dice, aside)
    chances = chances_with(numbers, alone)
    # A wrong dice count must not hide a die: a kept one that slid in, or another player's.
    least = calibration.die if dice is None else calibration.candidate
    given = [place for place, own in enumerate(chances) if own >= least]
    return {apart[place]: chances[place] for place in given}, probability(numbers, alone, given)


def lying_aside(
    found: Mapping[int, Die], values: Sequence[Row], dice: int | None, aside: Sequence[int]
) -> tuple[list[int], bool]:
    """Which of the dice `found` lie aside, as places in `values` (6 each), and whether the thrown values are clear.
    `dice` were thrown; dice of the values `aside` were kept before, and lie apart from the throw."""
    count_aside = 0 if dice is None else len(found) - dice
    if not 0 < count_aside <= len(aside):
        return [], True
    centres = {thing: ((die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2) for thing, die in found.items()}
    middle = [median(sides) for sides in zip(*centres.values(), strict=True)]
    far = sorted(found, key=lambda thing: -math.dist(centres[thing], middle))
    lying = list[int]()
    for value in aside:
        lying += [thing for thing in far if thing not in lying and values[thing][value - 1] >= MAYBE][:1]
    if len(lying) < count_aside:
        return [], False
    # Which of equal dice lie aside makes no difference.
    clear = len(lying) == count_aside or len({found[thing].value for thing in lying}) == 1
    return sorted(lying, key=far.index)[:count_aside], clear


def _die(seen: Seen, assessed: Assessment, thing: int, chance: float, sure: bool) -> Die:
    values = assessed.values[thing]
    value, *others = sorted(VALUES, key=lambda value: -values[value - 1])
    return Die(value, min(chance * values[value - 1], 1.0), seen.pixels[thing], sure, tuple(others))


def other_things(seen: Seen, dice: Sequence[Box]) -> list[int]:
    """The candidates that are none of the `dice`, whose boxes are in pixels."""
    return [i for i, box in enumerate(seen.pixels) if most_shared(box, dice) < APART]


def part_odds(shares: Row) -> float:
    """The log-odds of some part of a die, by the classifier's logits of how much is in sight."""
    return log_odds(1 - softmax(shares)[0])


def _odd_boxes(boxes: Sequence[Box], beside: Sequence[Sequence[int]]) -> Row:
    """How odd each candidate's box is `beside` the other sure dice: the squared number of doublings from their median
    side, less if they are few; and how far width and height differ from theirs, or from a square."""
    sides = [(math.log2(max(x1 - x0, 1)), math.log2(max(y1 - y0, 1))) for x0, y0, x1, y1 in boxes]
    odd = []
    for thing, (wide, tall) in enumerate(sides):
        others = [sides[other] for other in beside[thing]]
        usual_wide, usual_tall = [median(side) for side in zip(*others, strict=True)] or (wide, wide)
        size, shape = (wide + tall - usual_wide - usual_tall) / 2, wide - tall - (usual_wide - usual_tall)
        odd.append(size**2 * len(others) / (len(others) + 1) + abs(shape) / 2)
    return tuple(odd)


def _kept_apart(boxes: Sequence[Box], chances: Sequence[float], sure: float, near: Neighbours) -> set[int]:
    """Which candidates, dice with these `chances`, are no worse box of a likelier one, and do not lie over a clear die,
    as a box around it and its shadow does."""
    clear = [own >= sure for own in chances]
    return {
        thing
        for thing in suppress(boxes, chances)
        if clear[thing] or not any(clear[other] and shared > SAME_THING for other, (_, shared) in near[thing].items())
    }


def _pips(boxes: Sequence[Box], chances: Sequence[float], least: float, near: Neighbours) -> set[int]:
    """The candidates that are as small as a pip of the die, of a chance of at `least` so much, in which they lie."""
    areas = [area(box) for box in boxes]
    return {
        thing
        for thing, others in enumerate(near)
        for other, (of_union, shared) in others.items()
        if of_union < APART < 0.9 < shared and areas[thing] < areas[other] and chances[other] >= least
    }
