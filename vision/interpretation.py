"""From what was seen to a reading: how probable each thing is to be a die, and which dice a photo shows.

How the numbers of `models/calibration.json` were chosen, and what each brings: docs/detector.md.
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
from vision.classifier import NONE, Answers, softmax
from vision.counting import count_posterior, prior, prior_without_count, probability
from vision.reading import Die, Reading
from vision.reasons import ModelError
from vision.same_set import SameSet

_PIP = 0.12  # of a die's area: a thing this small within a die is a pip of it
_EDGE = 0.003  # of the photo's side: a die this near to the edge may go on beyond it
_CUT = 0.8  # of its length is the width of such a die: more of it is cut off than can be read past
_SQUARE = 0.9  # of its length is the width of a die that is seen whole, though it touches the edge
_TANGLED = 0.5  # of the smaller of two dice: where more of it is the other's too, one of them may be none
_HARDLY_SEEN = 0.1  # the detector's score of what is no further die where a clear one has so much of its place
_STRIP, _STRIP_TANGLED = 0.55, 0.2  # width of its length of a die's side that shows; the share of it for that
_ONE_DIE = 1.12  # sides of the photo's other dice: no two dice lie within so small a place
_FOUND = -0.85  # log-odds of detector and size, from which on a thing is asked about where a die is missing
_FOUND_SIZE = 4.6  # how much an odd size counts for that: chosen with _FOUND, so it does not follow the calibration
_NEVER = 1e-5  # no thing is more certainly a die, or none
_LIES_ASIDE = 0.2  # how probable a value must be for a die to be the one of that value that lies aside
_FAR_FROM = 1.5  # a side so many times doubled or halved is as odd as any further from the others


@dataclass(frozen=True)
class Weights:
    """How what is known of a thing by itself is weighed: a logistic regression."""

    detector_weight: float
    classifier_weight: float
    bias: float
    odd_size: float  # how much it counts against a thing that it is not as large as the photo's dice
    same_set: float  # how much it counts for a thing that it looks like the photo's other dice
    odd_shape: float  # how much it counts against a thing that its box is longer or wider than theirs


@dataclass(frozen=True)
class MemoryWeights(Weights):
    """The same where the table's memory says what its dice look like, and from where on a value is sure there."""

    sure_value: float


@dataclass(frozen=True)
class Calibration:
    """How detector and classifier are weighed, from `models/calibration.json`."""

    image_sizes: tuple[int, ...]  # longer side of the detector's picture, one for each time that it looks
    candidate: float  # detector's score from which a thing is classified
    temperature: float  # of the classifier's logits
    detector_weight: float
    classifier_weight: float
    bias: float
    odd_size: float  # how much it counts against a thing that it is not as large as the photo's dice
    die: float  # from this probability of being a die on, it is given as one
    sure_die: float
    sure_value: float
    sure_all: float  # how probable it must be that the dice given are all that are there, and nothing else
    sure_told: float  # the same where the number of dice is told
    same_set: float = 0.0  # how much it counts for a thing that it looks like the photo's other dice
    odd_shape: float = 0.0  # how much it counts against a thing that its box is longer or wider than theirs
    sure_at_once: float = 0.0  # `sure_all` of a first look; what has less is looked at once more
    known: MemoryWeights | None = None  # instead of these where the table's memory says what its dice look like

    @classmethod
    def load(cls, path: Path) -> Calibration:
        try:
            fields = json.loads(path.read_text())
            known = fields.get("known")
            sizes = tuple(map(int, fields["image_sizes"]))
            return cls(
                **{**fields, "image_sizes": sizes, "known": None if known is None else _memory_weights(known, fields)}
            )
        except FileNotFoundError as error:
            raise ModelError("model-missing", file=path.name) from error
        except (ValueError, TypeError, KeyError) as error:
            raise ModelError("model-broken", file=path.name) from error

    @property
    def with_memory(self) -> Calibration:
        """As it is where the memory had its say in the classifier's logits."""
        return self if self.known is None else replace(self, **asdict(self.known))

    @property
    def first_pass(self) -> Calibration:
        """As it is for a first look, which another one may follow."""
        return replace(self, sure_all=max(self.sure_all, self.sure_at_once))


def _memory_weights(known: Mapping[str, float], fields: Mapping[str, float]) -> MemoryWeights:
    """Older files have one `sure_value` for both, and say nothing of shapes."""
    return MemoryWeights(**{"sure_value": fields["sure_value"], "odd_shape": 0.0, **known})


@dataclass(frozen=True)
class Detections:
    """What was seen in a photo of `width` by `height` pixels: boxes (n, 4) as fractions of these, the detector's scores
    (n,), the classifier's logits (n, 7) and features (n, d). `same_set`: what tells by these features whether things
    are dice of one set, None where nothing does. `answers`: what the classifier need not be asked again."""

    width: int
    height: int
    boxes: Floats
    scores: Floats
    logits: Floats
    features: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    same_set: SameSet | None = None
    answers: Answers = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True)
class Assessment:
    """What detector and classifier come to together: for each thing (n,) how probable it is by itself that it is a die
    (`alone`), for each value (n, 6) how probable it is if it is one, whether it stands `apart`: no likelier thing is at
    the same place, whether it lies wholly in the photo, whether more of it is `cut` off by the edge than can be read
    past, whether its box is nearly `square`, how far it is from being as large as the photo's other dice, and its box
    from having the shape of theirs, the log-ratio of being of one set with them (`alike`), and the log-odds of detector
    and size alone, without the classifier (`found`). `parts`: whether some that seemed dice of their own are parts of
    one."""

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


def interpret(
    detections: Detections,
    calibration: Calibration,
    dice: int | None = None,
    aside: Sequence[int] = (),
    certain: bool = False,
) -> Reading:
    """The reading that detector and classifier together support; `dice` and `aside` as for `vision.Reader.read`.
    `certain`: a person has confirmed that there are so many dice."""
    assessed = assess(detections, calibration)
    chosen = choose(assessed, calibration, dice, len(aside), certain)
    found = {thing: _die(detections, assessed, calibration, thing, chosen) for thing in chosen.things}
    beside, clear = lying_aside(found, assessed.values, dice, aside)
    thrown = tuple(die for thing, die in found.items() if thing not in beside)
    if chosen.besides and thrown:  # one of these may be the one too many
        unlikeliest = min(thrown, key=lambda die: die.confidence)
        thrown = tuple(replace(die, sure=False) if die is unlikeliest else die for die in thrown)
    right = dice is None or len(thrown) == dice
    least = calibration.sure_all if dice is None else calibration.sure_told
    complete = bool(clear and right and chosen.all_there >= least and not _in_doubt(assessed, chosen, found.values()))
    lying = tuple(found[thing] for thing in beside)
    return Reading(detections.width, detections.height, thrown, complete, lying, besides=chosen.besides)


def certainty(detections: Detections, calibration: Calibration, dice: int | None = None) -> tuple[float, float, float]:
    """Up to which `sure_all` (`sure_told` where the number is told), `sure_die` and `sure_value` of the calibration the
    reading would be sure."""
    assessed = assess(detections, calibration)
    chosen = choose(assessed, calibration, dice)
    found = [_die(detections, assessed, calibration, thing, chosen) for thing in chosen.things]
    if not found or (dice is not None and len(found) != dice) or _in_doubt(assessed, chosen, found):
        return 0.0, 0.0, 0.0
    least_chance = min(
        float(chosen.chances[thing]) if _readable(assessed, thing, chosen.told) else 0.0 for thing in chosen.things
    )
    return chosen.all_there, least_chance, min(float(assessed.values[thing].max()) for thing in chosen.things)


def assess(detections: Detections, calibration: Calibration) -> Assessment:
    chances = softmax(detections.logits / calibration.temperature)
    not_none = 1 - chances[:, NONE]
    sides = (detections.boxes[:, 2:] - detections.boxes[:, :2]) * np.array(
        [detections.width, detections.height], np.float32
    )
    odds = calibration.detector_weight * _logit(detections.scores) + calibration.classifier_weight * _logit(not_none)
    odds = odds + calibration.bias
    alone = _chance(odds)
    sure = _apart(detections.boxes, alone, calibration) & (alone >= calibration.sure_die)
    odd_sizes = _odd_sizes(sides, sure)
    alike = (
        np.zeros(len(odds)) if detections.same_set is None else detections.same_set.ratios(detections.features, sure)
    )
    odd_shapes = _odd_shapes(sides, sure)
    odds = odds - calibration.odd_size * odd_sizes - calibration.odd_shape * odd_shapes + calibration.same_set * alike
    alone = _chance(odds)
    found = _logit(detections.scores) - _FOUND_SIZE * odd_sizes
    values = (chances[:, :NONE] / np.maximum(not_none[:, None], 1e-9)).astype(np.float32)
    whole = np.asarray(((detections.boxes > _EDGE) & (detections.boxes < 1 - _EDGE)).all(1))
    shape = sides.min(1, initial=np.inf) / np.maximum(sides.max(1, initial=0.0), 1e-9)
    apart = _apart(detections.boxes, alone, calibration) & ~_once_more(detections, alone, calibration.sure_die)
    cut, square = ~whole & (shape < _CUT), shape >= _SQUARE
    boxes = detections.boxes * np.array([detections.width, detections.height] * 2, np.float32)
    parts = _parts(boxes, np.where(apart, alone, 0), calibration.die)
    return Assessment(
        alone, values, apart & ~parts, whole, cut, square, odd_sizes, odd_shapes, alike, found, bool(parts.any())
    )


@dataclass(frozen=True)
class Selection:
    """Which `things` are given as dice; how probable each thing is to be one (`chances`, (n,)), given what is known of
    their number; how probable it is that those and no others are dice (0 where one is cut off, or others seem dice
    too). `told`: whether their number is known; `besides`: how many others would be sure dice if it were not."""

    things: tuple[int, ...]
    chances: Doubles
    all_there: float
    told: bool
    besides: int = 0


def choose(
    assessed: Assessment, calibration: Calibration, dice: int | None = None, aside: int = 0, certain: bool = False
) -> Selection:
    """The things to give as dice where `dice` were thrown, if that is known, and `aside` more may be in the photo; if
    their number is `certain`, the likeliest so many."""
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
        if likeliest < dice:  # rather one that is none than one too few
            given |= chances >= calibration.die
            given |= _most_found(assessed.found[apart], given, dice, -np.inf if certain else _FOUND)
    cut = given & assessed.cut[apart]
    # A number that is told wrongly must not hide a die: a kept one that slid in, or another player's.
    besides = 0 if dice is None or certain else int((~given & (alone >= calibration.sure_die)).sum())
    all_there = 0.0 if cut.any() or besides else probability(alone, numbers, given)
    of_all = np.zeros(len(assessed.alone))
    of_all[apart] = chances
    return Selection(tuple(int(thing) for thing in apart[given & ~cut]), of_all, all_there, dice is not None, besides)


def _most_found(found: Floats, given: Flags, dice: int, least: float) -> Flags:
    """Of the things that are not `given`, up to as many as are missing of `dice`, those first that the detector is
    surest of and that are as large as the dice (`found`, at least `least`): of faces that it does not know, a logo or a
    skull, the classifier says nothing."""
    missing = max(0, dice - int(given.sum()))
    order = [int(thing) for thing in np.argsort(-found, kind="stable") if not given[thing] and found[thing] >= least]
    return np.isin(np.arange(len(found)), order[:missing])


def lying_aside(
    found: Mapping[int, Die], values: Floats, dice: int | None, aside: Sequence[int]
) -> tuple[list[int], bool]:
    """Which of the dice `found` in a photo, by their places in `values` (n, 6), lie aside where `dice` were thrown and
    those with the values `aside` kept before; and whether the values of the thrown ones are clear."""
    spare = len(found) - dice if dice is not None else 0
    if spare <= 0 or not aside or spare > len(aside):
        return [], True
    fitting = _matches(found, values, aside)
    if len(fitting) < spare:
        return [], False
    lying = _farthest(found, fitting, spare)
    # Which of equal dice lie aside makes no difference; which values do is clear if all are there, or only these fit.
    clear = len(lying) == spare and (spare == len(aside) or spare == len(fitting))
    return lying, clear


def _matches(found: Mapping[int, Die], values: Floats, aside: Sequence[int]) -> list[list[int]]:
    """For each die aside that some of those found may be, the places of these, best first."""
    taken: dict[int, int] = {}
    matches = []
    for value in sorted(aside):
        likely = [thing for thing in found if values[thing, value - 1] >= _LIES_ASIDE]
        if len(likely) > taken.get(value, 0):
            matches.append(likely)
            taken[value] = taken.get(value, 0) + 1
    return matches


def _farthest(found: Mapping[int, Die], fitting: Sequence[Sequence[int]], spare: int) -> list[int]:
    """One thing for each of `spare` of the `fitting` lists: those that lie farthest from the middle of all dice, since
    dice that were put aside lie apart from the throw."""
    centres = {thing: ((die.box[0] + die.box[2]) / 2, (die.box[1] + die.box[3]) / 2) for thing, die in found.items()}
    middle = np.median(list(centres.values()), axis=0)
    far = {thing: float(np.hypot(*(np.array(centre) - middle))) for thing, centre in centres.items()}
    lying: list[int] = []
    for likely in sorted(fitting, key=lambda things: -max(far[thing] for thing in things))[:spare]:
        free = [thing for thing in likely if thing not in lying]
        if free:  # one die in doubt may fit two of the values
            lying.append(max(free, key=lambda thing: far[thing]))
    return lying


def _die(detections: Detections, assessed: Assessment, calibration: Calibration, thing: int, chosen: Selection) -> Die:
    order = np.argsort(-assessed.values[thing], kind="stable")
    likeliest, chance = float(assessed.values[thing, order[0]]), float(chosen.chances[thing])
    sure = bool(
        _readable(assessed, thing, chosen.told)
        and chance >= calibration.sure_die
        and likeliest >= calibration.sure_value
    )
    confidence = float(np.clip(chance * likeliest, 0, 1))
    return Die(int(order[0]) + 1, confidence, _box(detections, thing), sure, tuple(int(v) + 1 for v in order[1:]))


def _readable(assessed: Assessment, thing: int, told: bool) -> bool:
    """Whether all of a die is in the photo. One that touches the edge and is square nearly always is; where the number
    of dice tells that it is one, that will do."""
    return bool(assessed.whole[thing] or (told and assessed.square[thing]))


def _in_doubt(assessed: Assessment, chosen: Selection, dice: Iterable[Die]) -> bool:
    """Whether two things at one place may be one die or two. Where the number of dice is told, it tells that."""
    return (assessed.parts and not chosen.told) or _overlap_too_much(dice)


def _overlap_too_much(dice: Iterable[Die]) -> bool:
    """Whether two dice share more of the smaller one's place than two dice can: one of them may be none."""
    boxes = np.array([die.box for die in dice], np.float32).reshape(-1, 4)
    _, shared = overlaps(boxes, boxes)
    return bool((shared > _TANGLED).sum() > len(boxes))  # each shares all of itself with itself


def _parts(boxes: Floats, chances: Floats, die: float) -> Flags:
    """Which of the boxes (n, 4), in pixels, are parts of a likelier one's die: they share much of their place, and
    both together are no larger than the photo's other dice. A face and a side of one die, read as two."""
    parts = np.zeros(len(boxes), bool)
    dice = [int(thing) for thing in np.argsort(-chances, kind="stable") if chances[thing] >= die]
    sides = boxes[:, 2:] - boxes[:, :2]
    strips = sides.min(1, initial=np.inf) < _STRIP * sides.max(1, initial=0.0)
    _, shared = overlaps(boxes, boxes)
    for one, other in combinations(dice, 2):
        least = _STRIP_TANGLED if strips[other] else _TANGLED
        beside = [thing for thing in dice if thing not in (one, other) and not parts[thing]]
        if parts[one] or parts[other] or shared[one, other] <= least or not beside:
            continue
        both = np.maximum(boxes[one, 2:], boxes[other, 2:]) - np.minimum(boxes[one, :2], boxes[other, :2])
        parts[other] = both.max() <= _ONE_DIE * np.median(sides[beside].max(1))
    return parts


def _odd_sizes(sides: Floats, sure: Flags) -> Floats:
    """How far each thing (n,) with `sides` (n, 2) is from being as large as the others that are `sure` dice (n,): the
    squared logarithm, to the base 2, of how many times their median side it has, less where they are few; 0 where there
    are none."""
    size = np.log2(np.maximum(sides.prod(1), 1)) / 2
    usual, count = _of_others(size, sure)
    step = np.minimum(np.abs(size - usual).astype(np.float64), _FAR_FROM)
    return np.asarray(step**2 * count / (count + 1), np.float32)


def _odd_shapes(sides: Floats, sure: Flags) -> Floats:
    """How far the box of each thing (n,) with `sides` (n, 2) is from having the shape of the others' that are `sure`
    dice (n,), or of a square where there are none: by the logarithm of how many times as wide as high it is."""
    shapes = np.log(np.maximum(sides[:, 0], 1) / np.maximum(sides[:, 1], 1))
    usual, _ = _of_others(shapes, sure)
    return np.asarray(np.abs(shapes - usual), np.float32)


def _of_others(values: Floats, sure: Flags) -> tuple[Floats, npt.NDArray[np.int64]]:
    """For each thing (n,) the median of the `values` (n,) of the others that are `sure` dice (n,), 0 where there are
    none, and how many these are."""
    usual, count = np.zeros(len(values), np.float32), np.zeros(len(values), np.int64)
    for i in range(len(values)):
        others = sure.copy()
        others[i] = False
        if others.any():
            usual[i], count[i] = np.median(values[others]), others.sum()
    return usual, count


def _chance(odds: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(1 / (1 + np.exp(-odds)), np.float32)


def _apart(boxes: Floats, chances: Floats, calibration: Calibration) -> Flags:
    """Which things (n,), dice with these `chances` (n,), stand apart from all likelier ones."""
    rank = np.where(within_larger(boxes, chances, calibration.die, _PIP), 0, chances)
    apart = np.zeros(len(chances), bool)
    apart[suppress(boxes, rank)] = True
    return apart


def _once_more(detections: Detections, chances: Floats, clear: float) -> Flags:
    """Which things (n,), dice with these `chances` (n,), are a clear die once more: a box around it and its shadow."""
    clearly = chances >= clear
    _, shared = overlaps(detections.boxes, detections.boxes)
    return np.asarray((detections.scores < _HARDLY_SEEN) & ~clearly & (shared[:, clearly] > _TANGLED).any(1))


def _logit(chance: Floats) -> Floats:
    safe = np.clip(chance, 1e-4, 1 - 1e-4)
    odds: Floats = np.log(safe / (1 - safe)).astype(np.float32)
    return odds


def _box(detections: Detections, i: int) -> Box:
    sides = np.array([detections.width, detections.height] * 2)
    x0, y0, x1, y1 = (float(v) for v in np.clip(detections.boxes[i], 0, 1) * sides)
    return x0, y0, min(x1, float(detections.width)), min(y1, float(detections.height))
