"""From detections to a reading: how probable each candidate is to be a die, and which dice a photo shows.

docs/detector.md says how the numbers of `models/calibration.json` were chosen, and what each brings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.arrays import Doubles, Flags, Floats
from vision.boxes import Box, overlaps, suppress, within_larger
from vision.classifier import ELEVATIONS, NONE, Answers, softmax
from vision.counting import count_posterior, prior, prior_without_count, probability
from vision.reading import Ask, Die, Reading
from vision.reasons import ModelError
from vision.same_set import SameSet

_PIP = 0.12  # of a die's area: a candidate this small within a die is a pip
_EDGE = 0.003  # of the photo's side: a die this near to the edge may go on beyond it
_CUT = 0.8  # width by length of a die at the edge: one that is narrower is cut off too far to be read
SQUARE = 0.9  # width by length of a die at the edge: one that is wider is seen whole
_OVERLAPPING = 0.5  # of the smaller of two boxes: if they share more, one of them may be no die
_HARDLY_SEEN = 0.1  # the detector's score of a candidate that counts as the shadow of an overlapping clear die
_STRIP, _STRIP_OVERLAPPING = 0.55, 0.2  # width by length of a visible side of a die; its limit for `_OVERLAPPING`
_ONE_DIE = 1.12  # sides of the photo's other dice: two dice never fit into so small a place
_FOUND = -0.85  # log-odds of detector and size, from which on a candidate stands in for a missing die
_FOUND_SIZE = 4.6  # weight of an odd size for that; chosen with _FOUND, so the calibration does not change it
_SURPLUS = 0.6  # probability of being a die by itself: so many more than the dice count may be a wrong count
_APART = 0.2  # of the smaller of two boxes: what shares less with each die is another thing
_NEVER = 1e-5  # limit of the probability of being a die, or none
_LIES_ASIDE = 0.2  # probability of a value, from which on a die may be the one of that value that lies aside
_FAR_FROM = 1.5  # doublings of the side, from which on a size is no odder
# A single die that seems to be seen from above may show its front: nothing beside it says where the camera stands.
_ONE_FACE = 45.0  # degrees of elevation: from lower, dice show several faces, and the classifier knows the upper one
_SURE_SINGLE = 0.9985  # probability of a value that is sure then
_ELEVATIONS_APART = 40.0  # degrees from the other dice's elevation: one of these faces is no upper one


@dataclass(frozen=True)
class Weights:
    """Weights of a logistic regression: how probable a candidate is to be a die, by itself."""

    detector_weight: float
    classifier_weight: float
    bias: float
    odd_size: float  # weight against a size other than the photo's dice have
    same_set: float  # weight for looking like the photo's other dice
    odd_shape: float  # weight against a box longer or wider than theirs


@dataclass(frozen=True)
class MemoryWeights(Weights):
    """The weights with a dice memory, and from where on a value is sure then."""

    sure_value: float


@dataclass(frozen=True)
class Calibration:
    """How detector and classifier are weighed: `models/calibration.json`."""

    image_sizes: tuple[int, ...]  # longer sides in pixels of the detector's pictures
    candidate: float  # the detector's score from which on a candidate is classified
    temperature: float  # of the classifier's logits
    detector_weight: float
    classifier_weight: float
    bias: float
    odd_size: float  # see `Weights`
    die: float  # the probability of being a die, from which on a candidate is given as one
    sure_die: float
    sure_value: float
    sure_all: float  # the least probability that exactly the given candidates are dice, if the reading is to be sure
    sure_told: float  # `sure_all` with the dice count
    same_set: float = 0.0
    odd_shape: float = 0.0
    sure_at_once: float = 0.0  # `sure_all` of the first pass; below it, a second pass follows
    sure_again: float = 1.0  # `sure_value` of the second pass, if it is lower
    # Log-odds of being some part of a die, from which on a thing that is left out makes a second pass follow, without
    # the dice count: the detector may have framed it badly.
    second_look: float = float("inf")
    known: MemoryWeights | None = None  # replace the weights above with a dice memory

    @classmethod
    def load(cls, path: Path) -> Calibration:
        try:
            fields = json.loads(path.read_text())
            fields["image_sizes"] = tuple(map(int, fields["image_sizes"]))
            if fields.get("known") is not None:  # older files have one `sure_value` for both, and no weight of shapes
                older = {"sure_value": fields["sure_value"], "odd_shape": 0.0}
                fields["known"] = MemoryWeights(**{**older, **fields["known"]})
            return cls(**fields)
        except FileNotFoundError as error:
            raise ModelError("model-missing", file=path.name) from error
        except (ValueError, TypeError, KeyError) as error:
            raise ModelError("model-broken", file=path.name) from error

    @property
    def with_memory(self) -> Calibration:
        """The calibration for logits that a dice memory adjusted."""
        return self if self.known is None else replace(self, **asdict(self.known))

    @property
    def first_pass(self) -> Calibration:
        """The calibration for a first pass, which a second one may follow."""
        return replace(self, sure_all=max(self.sure_all, self.sure_at_once))

    @property
    def second_pass(self) -> Calibration:
        """The calibration for a second pass, which sees more of each value."""
        return replace(self, sure_value=min(self.sure_value, self.sure_again), second_look=float("inf"))


@dataclass(frozen=True)
class Detections:
    """All candidates in a photo of `width` x `height` pixels.

    `boxes` (n, 4): fractions of the sides. `scores` (n,): the detector's. `logits` (n, 7) and `features` (n, d): the
    classifier's. `same_set`: tells by the features whether candidates are dice of one set, or None. `answers`: the
    classifier's outputs for crops, for the second pass. `searched`: the longer side in pixels of the part that the
    detector searched, 0 for the whole photo. `elevations` (n, ELEVATIONS) and `shares` (n, 1 + len(SHARES)): the
    classifier's logits of the camera's elevation and of how much of a die is in sight; (n, 0) of an older network.
    """

    width: int
    height: int
    boxes: Floats
    scores: Floats
    logits: Floats
    features: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    same_set: SameSet | None = None
    answers: Answers = field(default_factory=dict, compare=False, repr=False)
    searched: int = 0
    elevations: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    shares: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))


@dataclass(frozen=True)
class Assessment:
    """What detector and classifier together say of each candidate (n,).

    `alone`: how probable it is a die, by itself. `values` (n, 6): how probable each value is, if it is a die. `apart`:
    no likelier candidate is at the same place. `whole`: it lies wholly in the photo. `cut`: the edge cuts off too much
    of it to be read. `square`: its box is nearly square. `odd_sizes`, `odd_shapes`: how far its size and shape are from
    those of the photo's other dice. `alike`: the log-ratio of being of one set with them. `found`: the log-odds of
    detector and size alone, without the classifier. `parts`: whether some candidates are parts of one die.
    `elevations`: degrees by which the camera stands above the table, as each candidate shows it; nan if unknown.
    """

    alone: Floats
    values: Floats
    apart: Flags
    whole: Flags
    cut: Flags
    square: Flags
    odd_sizes: Floats
    odd_shapes: Floats
    alike: Doubles
    found: Floats
    parts: bool
    elevations: Floats


def interpret(
    detections: Detections,
    calibration: Calibration,
    dice: int | None = None,
    aside: Sequence[int] = (),
    certain: bool = False,
) -> Reading:
    """The reading that detector and classifier together support; `dice` and `aside` as for `vision.Reader.read`.
    `certain`: a person confirmed the dice count."""
    assessed = assess(detections, calibration)
    chosen = choose(assessed, calibration, dice, len(aside), certain)
    least = least_values(assessed, chosen.things, calibration.sure_value)
    found = {thing: _die(detections, assessed, calibration, thing, chosen, least[thing]) for thing in chosen.things}
    beside, clear = lying_aside(found, assessed.values, dice, aside)
    thrown = tuple(die for thing, die in found.items() if thing not in beside)
    if chosen.surplus and thrown:  # one of these may be the surplus die
        unlikeliest = min(thrown, key=lambda die: die.confidence)
        thrown = tuple(replace(die, sure=False) if die is unlikeliest else die for die in thrown)
    right = dice is None or len(thrown) == dice
    enough = calibration.sure_all if dice is None else calibration.sure_told
    alone = chosen.all_there >= enough and not _in_doubt(assessed, chosen, found.values())
    if dice is None and _left_out(detections, found.values()) >= calibration.second_look:
        alone = False
    lying = tuple(found[thing] for thing in beside)
    asks = _doubts(found, assessed, calibration, chosen, least)[:dice]
    asks += [Ask("doubtful-aside")] * (not clear)
    if chosen.cut:
        asks.append(Ask("cut"))
    elif not alone and not chosen.surplus:  # a surplus is said by the number of dice
        asks.append(Ask("doubtful-thing"))
    complete = bool(clear and right and alone)
    size = detections.width, detections.height
    return Reading(*size, thrown, complete, lying, tuple(asks), surplus=chosen.surplus)


def least_values(assessed: Assessment, things: Sequence[int], sure_value: float) -> dict[int, float]:
    """From which probability on the value of each of the dice (`things`) is sure, usually `sure_value`. It never is if
    the other dice show that the camera stands far higher or lower than this one says: a side of it was read."""
    degrees = {thing: float(assessed.elevations[thing]) for thing in things}
    if len(things) == 1:
        return {
            thing: max(_SURE_SINGLE, sure_value) if at >= _ONE_FACE else sure_value for thing, at in degrees.items()
        }
    apart = {
        thing: abs(at - float(np.median([other for one, other in degrees.items() if one != thing])))
        for thing, at in degrees.items()
    }
    return {thing: np.inf if off > _ELEVATIONS_APART else sure_value for thing, off in apart.items()}


def _doubts(
    found: Mapping[int, Die],
    assessed: Assessment,
    calibration: Calibration,
    chosen: Selection,
    least: Mapping[int, float],
) -> list[Ask]:
    """What is in doubt about each unsure die, the least probable first."""
    asks = []
    for thing, die in sorted(found.items(), key=lambda pair: pair[1].confidence):
        if die.sure:
            continue
        if assessed.values[thing].max() < least[thing]:
            asks.append(Ask("doubtful-value", {"value": die.value, "other": die.alternatives[0]}))
        elif chosen.chances[thing] < calibration.sure_die:
            asks.append(Ask("doubtful-die", {"value": die.value}))
        else:
            asks.append(Ask("cut"))
    return asks


def certainty(detections: Detections, calibration: Calibration, dice: int | None = None) -> tuple[float, float, float]:
    """The largest `sure_all` (`sure_told` with the dice count), `sure_die` and `sure_value` with which the reading
    is sure."""
    assessed = assess(detections, calibration)
    chosen = choose(assessed, calibration, dice)
    least = least_values(assessed, chosen.things, 0.0)
    found = [_die(detections, assessed, calibration, thing, chosen, least[thing]) for thing in chosen.things]
    if not found or (dice is not None and len(found) != dice) or _in_doubt(assessed, chosen, found):
        return 0.0, 0.0, 0.0
    if any(assessed.values[thing].max() < value for thing, value in least.items()):
        return 0.0, 0.0, 0.0
    least_chance = min(
        float(chosen.chances[thing]) if _readable(assessed, thing, chosen.with_count, calibration.sure_die) else 0.0
        for thing in chosen.things
    )
    return chosen.all_there, least_chance, min(float(assessed.values[thing].max()) for thing in chosen.things)


def assess(detections: Detections, calibration: Calibration) -> Assessment:
    chances = softmax(detections.logits / calibration.temperature)
    not_none = 1 - chances[:, NONE]
    boxes, size = detections.boxes, np.array([detections.width, detections.height], np.float32)
    sides = (boxes[:, 2:] - boxes[:, :2]) * size
    odds = calibration.detector_weight * _logit(detections.scores) + calibration.classifier_weight * _logit(not_none)
    odds = odds + calibration.bias
    alone = _chance(odds)
    sure = _kept_apart(boxes, alone, calibration) & (alone >= calibration.sure_die)
    odd_sizes = _odd_sizes(sides, sure)
    same_set = detections.same_set
    alike = np.zeros(len(odds)) if same_set is None else same_set.ratios(detections.features, sure)
    odd_shapes = _odd_shapes(sides, sure)
    odds = odds - calibration.odd_size * odd_sizes - calibration.odd_shape * odd_shapes + calibration.same_set * alike
    alone = _chance(odds)
    found = _logit(detections.scores) - _FOUND_SIZE * odd_sizes
    values = (chances[:, :NONE] / np.maximum(not_none[:, None], 1e-9)).astype(np.float32)
    whole = np.asarray(((boxes > _EDGE) & (boxes < 1 - _EDGE)).all(1))
    shape = sides.min(1, initial=np.inf) / np.maximum(sides.max(1, initial=0.0), 1e-9)
    apart = _kept_apart(boxes, alone, calibration) & ~_shadows(detections, alone, calibration.sure_die)
    cut, square = ~whole & (shape < _CUT), shape >= SQUARE
    parts = _parts(boxes * np.tile(size, 2), np.where(apart, alone, 0), calibration.die)
    return Assessment(
        alone,
        values,
        apart & ~parts,
        whole,
        cut,
        square,
        odd_sizes,
        odd_shapes,
        alike,
        found,
        bool(parts.any()),
        elevations(detections),
    )


def elevations(detections: Detections) -> Floats:
    """Degrees by which the camera stands above the table, as each candidate (n,) shows it; nan of an older network."""
    if not detections.elevations.size:
        return np.full(len(detections.boxes), np.nan, np.float32)
    bands = (np.arange(ELEVATIONS) + 0.5) * (90 / ELEVATIONS)
    return np.asarray(softmax(detections.elevations) @ bands, np.float32)


@dataclass(frozen=True)
class Selection:
    """The candidates given as dice (`things`).

    `chances` (n,): how probable each candidate is to be a die, given what is known of the dice count. `all_there`: how
    probable it is that exactly these are dice; 0 if others seem dice too, or one is `cut` off and left out.
    `with_count`: whether the dice count is known. `surplus`: how many others are likely dice if it were not.
    """

    things: tuple[int, ...]
    chances: Doubles
    all_there: float
    with_count: bool
    surplus: int = 0
    cut: bool = False


def choose(
    assessed: Assessment, calibration: Calibration, dice: int | None = None, aside: int = 0, certain: bool = False
) -> Selection:
    """The candidates to give as dice if `dice` were thrown, or None, and `aside` more may be in the photo.
    `certain`: the dice count is confirmed, so the likeliest candidates of that number are given."""
    apart = np.flatnonzero(assessed.apart)
    alone = assessed.alone[apart].astype(np.float64).clip(_NEVER, 1 - _NEVER)
    if dice is None:
        numbers = prior_without_count(len(apart))
        chances = count_posterior(alone, numbers).chance
        given = chances >= calibration.die
    else:
        numbers = prior(len(apart), dice, aside)
        of_number = count_posterior(alone, numbers)
        chances, likeliest = of_number.chance, int(of_number.number.argmax())
        given = np.zeros(len(apart), bool)
        given[np.argsort(-chances, kind="stable")[:likeliest]] = True
        if likeliest < dice:  # better one that is no die than one too few
            given |= chances >= calibration.die
            given |= _most_found(assessed.found[apart], given, dice, -np.inf if certain else _FOUND)
    cut = given & assessed.cut[apart]
    # A wrong dice count must not hide a die: a kept one that slid in, or another player's.
    surplus = 0 if dice is None or certain else int((~given & (alone >= _SURPLUS)).sum())
    all_there = 0.0 if cut.any() or surplus else probability(alone, numbers, given)
    of_all = np.zeros(len(assessed.alone))
    of_all[apart] = chances
    things = tuple(int(thing) for thing in apart[given & ~cut])
    return Selection(things, of_all, all_there, dice is not None, surplus, bool(cut.any()))


def _most_found(found: Floats, given: Flags, dice: int, least: float) -> Flags:
    """Candidates not `given` that stand in for the dice missing of `dice`, those with the best `found` first (at
    least `least`). The classifier knows no logo or skull, so detector and size decide."""
    missing = max(0, dice - int(given.sum()))
    order = [int(thing) for thing in np.argsort(-found, kind="stable") if not given[thing] and found[thing] >= least]
    return np.isin(np.arange(len(found)), order[:missing])


def lying_aside(
    found: Mapping[int, Die], values: Floats, dice: int | None, aside: Sequence[int]
) -> tuple[list[int], bool]:
    """Which of the dice `found` lie aside, as places in `values` (n, 6), and whether the thrown values are clear.
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


def _matches(found: Mapping[int, Die], values: Floats, aside: Sequence[int]) -> list[list[int]]:
    """For each value aside that some die found may show, the places of those dice."""
    taken: dict[int, int] = {}
    matches = []
    for value in sorted(aside):
        likely = [thing for thing in found if values[thing, value - 1] >= _LIES_ASIDE]
        if len(likely) > taken.get(value, 0):
            matches.append(likely)
            taken[value] = taken.get(value, 0) + 1
    return matches


def _farthest(found: Mapping[int, Die], fitting: Sequence[Sequence[int]], count_aside: int) -> list[int]:
    """One die for each of `count_aside` of the `fitting` lists: the farthest from the middle of all dice, since dice
    put aside lie apart from the throw."""
    centres = {thing: ((die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2) for thing, die in found.items()}
    middle = np.median(list(centres.values()), axis=0)
    far = {thing: float(np.hypot(*(np.array(centre) - middle))) for thing, centre in centres.items()}
    lying: list[int] = []
    for likely in sorted(fitting, key=lambda things: -max(far[thing] for thing in things))[:count_aside]:
        free = [thing for thing in likely if thing not in lying]
        if free:  # one unsure die may fit two values
            lying.append(max(free, key=lambda thing: far[thing]))
    return lying


def _die(
    detections: Detections, assessed: Assessment, calibration: Calibration, thing: int, chosen: Selection, least: float
) -> Die:
    """`least`: the probability of its value, from which on it may be sure."""
    order = np.argsort(-assessed.values[thing], kind="stable")
    likeliest, chance = float(assessed.values[thing, order[0]]), float(chosen.chances[thing])
    confidence = float(np.clip(chance * likeliest, 0, 1))
    sure = bool(
        _readable(assessed, thing, chosen.with_count, calibration.sure_die)
        and chance >= calibration.sure_die
        and likeliest >= least
    )
    return Die(int(order[0]) + 1, confidence, _box(detections, thing), sure, tuple(int(v) + 1 for v in order[1:]))


def _readable(assessed: Assessment, thing: int, with_count: bool, sure_die: float) -> bool:
    """Whether all of a die is in the photo. A square one at the edge nearly always is, which suffices with the dice
    count if it looks like a die by itself."""
    if assessed.whole[thing]:
        return True
    return bool(with_count and assessed.square[thing] and assessed.alone[thing] >= sure_die)


def _in_doubt(assessed: Assessment, chosen: Selection, dice: Iterable[Die]) -> bool:
    """Whether two candidates at one place may be one die or two. The dice count decides that for `parts`."""
    return (assessed.parts and not chosen.with_count) or _overlap_too_much(dice)


def _left_out(detections: Detections, dice: Iterable[Die]) -> float:
    """The largest log-odds by detector and classifier that a thing apart from the `dice` is some part of a die."""
    boxes = detections.boxes * np.array([detections.width, detections.height] * 2, np.float32)
    _, shared = overlaps(boxes, np.array([die.box for die in dice], np.float32).reshape(-1, 4))
    return float(part_odds(detections)[shared.max(1, initial=0.0) < _APART].max(initial=-np.inf))


def part_odds(detections: Detections) -> Floats:
    """The log-odds (n,) by detector and classifier that each candidate is some part of a die; -inf of an older
    network."""
    if not detections.shares.size:
        return np.full(len(detections.boxes), -np.inf, np.float32)
    return np.asarray(_logit(detections.scores) + _logit(1 - softmax(detections.shares)[:, 0]))


def _overlap_too_much(dice: Iterable[Die]) -> bool:
    """Whether two dice share more of the smaller one's box than two dice can: one of them may be no die."""
    boxes = np.array([die.box for die in dice], np.float32).reshape(-1, 4)
    _, shared = overlaps(boxes, boxes)
    return bool((shared > _OVERLAPPING).sum() > len(boxes))  # each shares all of itself with itself


def _parts(boxes: Floats, chances: Floats, die: float) -> Flags:
    """Which boxes (n, 4), in pixels, are parts of a likelier candidate's die: a face and a side of one die, read as
    two. They share much of their place, and both together are no larger than the photo's other dice."""
    parts = np.zeros(len(boxes), bool)
    dice = [int(thing) for thing in np.argsort(-chances, kind="stable") if chances[thing] >= die]
    sides = boxes[:, 2:] - boxes[:, :2]
    strips = sides.min(1, initial=np.inf) < _STRIP * sides.max(1, initial=0.0)
    _, shared = overlaps(boxes, boxes)
    for one, other in combinations(dice, 2):
        least = _STRIP_OVERLAPPING if strips[other] else _OVERLAPPING
        beside = [thing for thing in dice if thing not in (one, other) and not parts[thing]]
        if parts[one] or parts[other] or shared[one, other] <= least or not beside:
            continue
        both = np.maximum(boxes[one, 2:], boxes[other, 2:]) - np.minimum(boxes[one, :2], boxes[other, :2])
        parts[other] = both.max() <= _ONE_DIE * np.median(sides[beside].max(1))
    return parts


def _odd_sizes(sides: Floats, sure: Flags) -> Floats:
    """How odd the size of each candidate with `sides` (n, 2) is: the squared number of doublings from the median
    side of the other `sure` dice (n,). Few of these count less; without any it is 0."""
    size = np.log2(np.maximum(sides.prod(1), 1)) / 2
    usual, count = _median_of_others(size, sure)
    step = np.minimum(np.abs(size - usual).astype(np.float64), _FAR_FROM)
    return np.asarray(step**2 * count / (count + 1), np.float32)


def _odd_shapes(sides: Floats, sure: Flags) -> Floats:
    """How odd the shape of each candidate with `sides` (n, 2) is: the difference of log(width / height) from the
    median of the other `sure` dice (n,), or from a square if there are none."""
    shapes = np.log(np.maximum(sides[:, 0], 1) / np.maximum(sides[:, 1], 1))
    usual, _ = _median_of_others(shapes, sure)
    return np.asarray(np.abs(shapes - usual), np.float32)


def _median_of_others(values: Floats, sure: Flags) -> tuple[Floats, npt.NDArray[np.int64]]:
    """For each candidate, the median of the `values` (n,) of the others that are `sure` dice (n,), 0 if there are
    none; and how many these are."""
    usual, count = np.zeros(len(values), np.float32), np.zeros(len(values), np.int64)
    for i in range(len(values)):
        others = sure.copy()
        others[i] = False
        if others.any():
            usual[i], count[i] = np.median(values[others]), others.sum()
    return usual, count


def _chance(odds: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def _kept_apart(boxes: Floats, chances: Floats, calibration: Calibration) -> Flags:
    """Which candidates, dice with these `chances` (n,), are no worse box of a likelier one."""
    rank = np.where(within_larger(boxes, chances, calibration.die, _PIP), 0, chances)
    apart = np.zeros(len(chances), bool)
    apart[suppress(boxes, rank)] = True
    return apart


def _shadows(detections: Detections, chances: Floats, clear: float) -> Flags:
    """Which candidates, dice with these `chances` (n,), are a box around a clear die and its shadow."""
    clearly = chances >= clear
    _, shared = overlaps(detections.boxes, detections.boxes)
    return np.asarray((detections.scores < _HARDLY_SEEN) & ~clearly & (shared[:, clearly] > _OVERLAPPING).any(1))


def _logit(chance: Floats) -> Floats:
    safe = np.clip(chance, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(safe / (1 - safe)).astype(np.float32))


def _box(detections: Detections, i: int) -> Box:
    sides = np.array([detections.width, detections.height] * 2)
    x0, y0, x1, y1 = (float(v) for v in np.clip(detections.boxes[i], 0, 1) * sides)
    return x0, y0, min(x1, float(detections.width)), min(y1, float(detections.height))
