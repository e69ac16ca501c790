"""From what was seen to a reading: how probable each candidate is to be a die, and which dice a photo shows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median

from vision.judging.chances import Row, chance, log_odds, softmax
from vision.judging.counting import count_posterior, prior, prior_without_count, probability
from vision.judging.overlap import Box, Neighbours, area, most_shared, neighbours, overlap, suppress
from vision.judging.same_set import set_ratios
from vision.judging.seen import ELEVATIONS, HARDLY_SEEN, NONE, Seen
from vision.judging.weights import Calibration
from vision.reading import Ask, Die, Reading

_PIP = 0.12  # of a die's area: a candidate this small within a die is a pip, however clear
_EDGE = 0.003  # of the photo's side: a box that ends nearer to the edge lies at it
_IN_SIGHT = 0.1  # the least probability that all of a sure die at the edge is in sight
_OVERLAPPING = 0.5  # of the smaller of two boxes: if they share more, they show one thing
_FOUND = -0.85  # log-odds of detector and size, from which on a candidate stands in for a missing die
_SURPLUS = 0.6  # probability of being a die by itself, from which on a die is given whatever the dice count
_APART = 0.2  # of the smaller of two boxes: what shares less with each die is another thing
_NEVER = 1e-5  # limit of the probability of being a die, or none
_LIES_ASIDE = 0.2  # probability of a value, from which on a die may be the one of that value that lies aside
_FAR_FROM = 1.5  # doublings of the side, from which on a size is no odder
# A single die that seems to be seen from above may show its front: nothing beside it says where the camera stands.
_ONE_FACE = 45.0  # degrees of elevation: from lower, dice show several faces, and the classifier knows the upper one
_SURE_SINGLE = 0.9985  # probability of a value that is sure then
_ELEVATIONS_APART = 40.0  # degrees from the other dice's elevation: one of these faces is no upper one

Flags = tuple[bool, ...]


@dataclass(frozen=True)
class Assessment:
    """What detector and classifier together say of each of the n candidates.

    `alone`: how probable it is a die, by itself. `values` (6 each): how probable each value is, if so. `apart`: no
    likelier candidate is at the same place. `whole`: the photo's edge does not cut it, by all that is seen.
    `odd_sizes`, `odd_shapes`: how far its size and shape are from those of the photo's other dice. `alike`: the log-
    ratio of being of one set with them. `found`: the log-odds of detector and size alone, without the classifier.
    `elevations`: degrees by which the camera stands above the table, as each candidate shows it.
    """

    alone: Row
    values: tuple[Row, ...]
    apart: Flags
    whole: Flags
    odd_sizes: Row
    odd_shapes: Row
    alike: Row
    found: Row
    elevations: Row


def interpret(
    seen: Seen,
    calibration: Calibration,
    dice: int | None = None,
    aside: Sequence[int] = (),
    certain: bool = False,
) -> Reading:
    """The reading that detector and classifier together support; `dice` and `aside` as for `vision.Reader.read`.
    `certain`: a person confirmed the dice count."""
    assessed = assess(seen, calibration)
    chosen = choose(assessed, calibration, dice, len(aside), certain)
    least = least_values(assessed, chosen.things, calibration.sure_value)
    read = {thing: _die(seen, assessed, calibration, thing, chosen, least[thing]) for thing in chosen.things}
    found = {thing: die for thing, (die, _) in read.items()}
    beside, clear = lying_aside(found, assessed.values, dice, aside)
    thrown = tuple(die for thing, die in found.items() if thing not in beside)
    right = dice is None or len(thrown) == dice
    enough = calibration.sure_all if dice is None else calibration.sure_with_count
    alone = chosen.all_there >= enough and not overlap_too_much(found.values())
    if dice is None and left_out(seen, found.values()) >= calibration.second_look:
        alone = False
    lying = tuple(found[thing] for thing in beside)
    asks = [ask for _, ask in sorted(read.values(), key=lambda pair: pair[0].confidence) if ask is not None][:dice]
    asks += [Ask("doubtful-aside")] * (not clear)
    if not alone and not (dice and len(thrown) > dice):  # a surplus is said by the number of dice
        asks.append(Ask("doubtful-thing"))
    return Reading(seen.width, seen.height, thrown, clear and right and alone, lying, tuple(asks))


def least_values(assessed: Assessment, things: Sequence[int], sure_value: float) -> dict[int, float]:
    """From which probability on the value of each of the dice (`things`) is sure, usually `sure_value`. It never is if
    the other dice show that the camera stands far higher or lower than this one says: a side of it was read."""
    degrees = {thing: assessed.elevations[thing] for thing in things}
    if len(things) == 1:
        single = max(_SURE_SINGLE, sure_value)
        return {thing: single if at >= _ONE_FACE else sure_value for thing, at in degrees.items()}
    apart = {
        thing: abs(at - median(other for one, other in degrees.items() if one != thing))
        for thing, at in degrees.items()
    }
    return {thing: math.inf if off > _ELEVATIONS_APART else sure_value for thing, off in apart.items()}


def assess(seen: Seen, calibration: Calibration) -> Assessment:
    chances = [softmax([logit / calibration.temperature for logit in logits]) for logits in seen.logits]
    boxes, near = seen.boxes, neighbours(seen.boxes)
    sides = [((x1 - x0) * seen.width, (y1 - y0) * seen.height) for x0, y0, x1, y1 in boxes]
    odds = [
        calibration.detector_weight * log_odds(score)
        + calibration.classifier_weight * log_odds(1 - of_thing[NONE])
        + calibration.bias
        for score, of_thing in zip(seen.scores, chances, strict=True)
    ]
    alone = [chance(own) for own in odds]
    likely = _kept_apart(boxes, alone, calibration, near)
    sure = [thing in likely and own >= calibration.sure_die for thing, own in enumerate(alone)]
    odd_sizes, odd_shapes = _odd_sizes(sides, sure), _odd_shapes(sides, sure)
    alike = set_ratios(seen.set_between, seen.set_vectors, sure)
    alone = [
        chance(own - calibration.odd_size * size - calibration.odd_shape * shape + calibration.same_set * like)
        for own, size, shape, like in zip(odds, odd_sizes, odd_shapes, alike, strict=True)
    ]
    apart = _kept_apart(boxes, alone, calibration, near) - _shadows(seen, alone, calibration.sure_die, near)
    return Assessment(
        tuple(alone),
        tuple(tuple(own / max(1 - of_thing[NONE], 1e-9) for own in of_thing[:NONE]) for of_thing in chances),
        tuple(thing in apart for thing in range(len(boxes))),
        tuple(
            not at_edge(box) or (own >= calibration.sure_die and _in_sight(shares))
            for box, own, shares in zip(boxes, alone, seen.shares, strict=True)
        ),
        odd_sizes,
        odd_shapes,
        alike,
        tuple(
            log_odds(score) - calibration.odd_size * size for score, size in zip(seen.scores, odd_sizes, strict=True)
        ),
        elevations(seen),
    )


def at_edge(box: Box) -> bool:
    """Whether a box, fractions of the photo's sides, ends at the photo's edge."""
    return min(box) < _EDGE or max(box) > 1 - _EDGE


def _in_sight(shares: Row) -> bool:
    """Whether all of a die may be in sight, by the classifier's logits of how much is."""
    return softmax(shares[1:])[0] >= _IN_SIGHT


def elevations(seen: Seen) -> Row:
    """Degrees by which the camera stands above the table, as each candidate shows it."""
    band = 90 / ELEVATIONS
    return tuple(
        sum(own * band * (place + 0.5) for place, own in enumerate(softmax(logits))) for logits in seen.elevations
    )


def camera_elevation(reading: Reading, seen: Seen) -> float:
    """Degrees by which the camera stands above the table, by the dice of the reading; nan if none tells it."""
    degrees, boxes, found = elevations(seen), seen.pixels, []
    for die in (*reading.dice, *reading.aside):
        shared, thing = max(((overlap(die.box, box)[0], -i) for i, box in enumerate(boxes)), default=(0.0, 0))
        if shared > 0:
            found.append(degrees[-thing])
    return fmean(found) if found else math.nan


@dataclass(frozen=True)
class Selection:
    """The candidates given as dice (`things`).

    `chances` (n): how probable each candidate is to be a die, given what is known of the dice count. `all_there`: how
    probable it is that exactly these are dice.
    """

    things: tuple[int, ...]
    chances: Row
    all_there: float


def choose(
    assessed: Assessment, calibration: Calibration, dice: int | None = None, aside: int = 0, certain: bool = False
) -> Selection:
    """The candidates to give as dice if `dice` were thrown, or None, and `aside` more may be in the photo.
    `certain`: the dice count is confirmed, so the likeliest candidates of that number are given."""
    apart = [thing for thing, one in enumerate(assessed.apart) if one]
    alone = [min(max(assessed.alone[thing], _NEVER), 1 - _NEVER) for thing in apart]
    numbers = prior_without_count(len(apart)) if dice is None else prior(len(apart), dice, aside)
    of_number = count_posterior(alone, numbers)
    chances, places = of_number.chance, range(len(apart))
    if dice is None:
        given = {place for place in places if chances[place] >= calibration.die}
    else:
        likeliest = of_number.number.index(max(of_number.number))
        given = set(sorted(places, key=lambda place: -chances[place])[:likeliest])
        # Better one that is no die than one too few. The classifier knows no logo or skull: detector and size decide.
        found = [assessed.found[thing] for thing in apart]
        free = [place for place in places if place not in given and (certain or found[place] >= _FOUND)]
        given |= set(sorted(free, key=lambda place: -found[place])[: max(0, dice - likeliest)])
        if not certain:  # a wrong dice count must not hide a die: a kept one that slid in, or another player's
            given |= {place for place in places if alone[place] >= _SURPLUS}
    of_all = [0.0] * len(assessed.alone)
    for thing, own in zip(apart, chances, strict=True):
        of_all[thing] = own
    things = tuple(apart[place] for place in sorted(given))
    return Selection(things, tuple(of_all), probability(alone, numbers, given))


def lying_aside(
    found: Mapping[int, Die], values: Sequence[Row], dice: int | None, aside: Sequence[int]
) -> tuple[list[int], bool]:
    """Which of the dice `found` lie aside, as places in `values` (6 each), and whether the thrown values are clear.
    `dice` were thrown; dice of the values `aside` were kept before."""
    count_aside = len(found) - dice if dice is not None else 0
    if count_aside <= 0 or not aside or count_aside > len(aside):
        return [], True
    fitting = _matches(found, values, aside)
    if len(fitting) < count_aside:
        return [], False
    lying = _farthest(found, fitting, count_aside)
    # Which of equal dice lie aside makes no difference. The values aside are clear if all are there, or only these fit.
    clear = len(lying) == count_aside and (count_aside == len(aside) or count_aside == len(fitting))
    return lying, clear


def _matches(found: Mapping[int, Die], values: Sequence[Row], aside: Sequence[int]) -> list[list[int]]:
    """For each value aside that some die found may show, the places of those dice."""
    taken: dict[int, int] = {}
    matches = []
    for value in sorted(aside):
        likely = [thing for thing in found if values[thing][value - 1] >= _LIES_ASIDE]
        if len(likely) > taken.get(value, 0):
            matches.append(likely)
            taken[value] = taken.get(value, 0) + 1
    return matches


def _farthest(found: Mapping[int, Die], fitting: Sequence[Sequence[int]], count_aside: int) -> list[int]:
    """One die for each of `count_aside` of the `fitting` lists: the farthest from the middle of all dice, since dice
    put aside lie apart from the throw."""
    centres = {thing: ((die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2) for thing, die in found.items()}
    middle = [median(sides) for sides in zip(*centres.values(), strict=True)]
    far = {thing: math.dist(centre, middle) for thing, centre in centres.items()}
    lying: list[int] = []
    for likely in sorted(fitting, key=lambda things: -max(far[thing] for thing in things))[:count_aside]:
        free = [thing for thing in likely if thing not in lying]
        if free:  # one unsure die may fit two values
            lying.append(max(free, key=lambda thing: far[thing]))
    return lying


def _die(
    seen: Seen, assessed: Assessment, calibration: Calibration, thing: int, chosen: Selection, least: float
) -> tuple[Die, Ask | None]:
    """A die, and what is in doubt about it. `least`: the probability of its value, from which on it may be sure."""
    values, chance = assessed.values[thing], chosen.chances[thing]
    value, *others = (place + 1 for place in sorted(range(len(values)), key=lambda place: -values[place]))
    likeliest, ask = values[value - 1], None
    if likeliest < least:
        ask = Ask("doubtful-value", {"value": value, "other": others[0]})
    elif chance < calibration.sure_die:
        ask = Ask("doubtful-die", {"value": value})
    elif not assessed.whole[thing]:
        ask = Ask("cut")
    return Die(value, min(chance * likeliest, 1.0), _box(seen, thing), ask is None, tuple(others)), ask


def overlap_too_much(dice: Iterable[Die]) -> bool:
    """Whether two dice share more of the smaller one's box than two dice can: one of them may be no die."""
    return any(overlap(one.box, other.box)[1] > _OVERLAPPING for one, other in combinations(dice, 2))


def left_out(seen: Seen, dice: Iterable[Die]) -> float:
    """The largest log-odds by detector and classifier that a thing apart from the `dice` is some part of a die."""
    places = [die.box for die in dice]
    apart = (odds for box, odds in zip(seen.pixels, part_odds(seen), strict=True) if most_shared(box, places) < _APART)
    return max(apart, default=-math.inf)


def part_odds(seen: Seen) -> Row:
    """The log-odds by detector and classifier that each candidate is some part of a die."""
    both = zip(seen.scores, seen.shares, strict=True)
    return tuple(log_odds(score) + log_odds(1 - softmax(shares)[0]) for score, shares in both)


def _odd_sizes(sides: Sequence[tuple[float, float]], sure: Sequence[bool]) -> Row:
    """How odd the size of each candidate with `sides` is: the squared number of doublings from the median side of the
    other `sure` dice. Few of these count less; without any it is 0."""
    sizes = [math.log2(max(wide * tall, 1)) / 2 for wide, tall in sides]
    odd = []
    for size, (usual, count) in zip(sizes, _medians_of_others(sizes, sure), strict=True):
        odd.append(min(abs(size - usual), _FAR_FROM) ** 2 * count / (count + 1))
    return tuple(odd)


def _odd_shapes(sides: Sequence[tuple[float, float]], sure: Sequence[bool]) -> Row:
    """How odd the shape of each candidate with `sides` is: the difference of log(width / height) from the median of the
    other `sure` dice, or from a square if there are none."""
    shapes = [math.log(max(wide, 1) / max(tall, 1)) for wide, tall in sides]
    return tuple(abs(shape - usual) for shape, (usual, _) in zip(shapes, _medians_of_others(shapes, sure), strict=True))


def _medians_of_others(values: Sequence[float], sure: Sequence[bool]) -> list[tuple[float, int]]:
    """For each candidate, the median of the `values` of the others that are `sure` dice, 0 if there are none; and how
    many these are."""
    dice = [thing for thing, one in enumerate(sure) if one]
    of_all = median([values[thing] for thing in dice]) if dice else 0.0
    found = [(of_all, len(dice))] * len(values)
    for thing in dice:
        others = [values[other] for other in dice if other != thing]
        found[thing] = (median(others) if others else 0.0, len(others))
    return found


def _kept_apart(boxes: Sequence[Box], chances: Sequence[float], calibration: Calibration, near: Neighbours) -> set[int]:
    """Which candidates, dice with these `chances`, are no pip and no worse box of a likelier one."""
    areas = [area(box) for box in boxes]
    pips = {
        thing
        for thing, others in enumerate(near)
        for other, (_, shared) in others.items()
        if shared > 0.9 and areas[thing] <= _PIP * areas[other] and chances[other] >= calibration.die
    }
    rank = [0.0 if thing in pips else own for thing, own in enumerate(chances)]
    return set(suppress(boxes, rank, near=near))


def _shadows(seen: Seen, chances: Sequence[float], clear: float, near: Neighbours) -> set[int]:
    """Which candidates, dice with these `chances`, are a box around a clear die and its shadow."""
    return {
        thing
        for thing, others in enumerate(near)
        if seen.scores[thing] < HARDLY_SEEN
        and chances[thing] < clear
        and any(chances[other] >= clear and shared > _OVERLAPPING for other, (_, shared) in others.items())
    }


def _box(seen: Seen, thing: int) -> Box:
    x0, y0, x1, y1 = (min(max(side, 0.0), 1.0) for side in seen.boxes[thing])
    return x0 * seen.width, y0 * seen.height, x1 * seen.width, y1 * seen.height
