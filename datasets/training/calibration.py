"""The calibration: how the reader weighs detector and classifier, and how probable a reading must be to be sure.

Weights and temperature are fitted to single things whose truth is known by box. The thresholds are then chosen by their
effect on whole photos: few questions, and very few silent errors.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from datasets.finding import overlaps, softmax
from datasets.photos import VALUES, LabelledPhoto, labelled_photos
from datasets.training.logistic import logistic_weights
from vision.arrays import Doubles, rows_of
from vision.judging.interpretation import Search, assess, choose, doubtful_values, interpret
from vision.judging.seen import Seen
from vision.judging.weights import Calibration, Weights
from vision.photo import Photo
from vision.reader import CALIBRATION, Reader
from vision.reading import Reading

_SILENT = 30.0  # questions that cost as much as one silent error
_FEW_TAPS = 1.1  # times the fewest
_LEFT_OUT, _EXTRA = 3.0, 1.0  # taps: to add a missing die, to remove a thing that is none
_NO_DIE = -1
_SAME_DIE = 0.45
_APART = 0.2
_BINS = 10
_SURE = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99)
_DIE = tuple(round(float(die), 2) for die in np.arange(0.25, 0.75, 0.05))


@dataclass(frozen=True)
class DetectedPhoto:
    """A labelled photo with the detections of the first pass and, if made, of the second."""

    group: str
    photo: LabelledPhoto
    detections: Seen
    again: Seen | None = None

    @property
    def last_detections(self) -> Seen:
        return self.detections if self.again is None else self.again

    def read(self, calibration: Calibration, dice: int | None) -> Reading:
        """Reads the photo as the reader does."""
        if self.again is None:
            return interpret(self.detections, calibration, dice)
        first_pass = interpret(self.detections, calibration, dice)
        return first_pass if first_pass.sure else interpret(self.again, calibration, dice, search=Search.AGAIN)


def calibrate(folders: Sequence[Path], models: Path, diagram: Path | None) -> Calibration:
    """Writes `calibration.json` into `models`, prints its effect on each of `folders`, and draws the reliability
    diagram.

    For each folder it also prints the effect of a calibration that is chosen on the others alone.
    """
    reader = Reader(models)
    start = Calibration.load(models / CALIBRATION)
    seen = [one for folder in folders for one in detect_folder(folder, reader, twice=True)]
    best = thresholds(seen, fit_calibration(seen, start))
    best.save(models / CALIBRATION)
    for group in dict.fromkeys(one.group for one in seen):
        own, others = [one for one in seen if one.group == group], [one for one in seen if one.group != group]
        print(f"{group}: {_in_words(own, best)}", flush=True)
        if others:  # what these numbers would have been worth on a folder that they had not seen
            print(
                f"  chosen on the others: {_in_words(own, thresholds(others, fit_calibration(others, start)))}",
                flush=True,
            )
    if diagram is not None:
        diagram.write_text(reliability_diagram(*confidences(seen, best)))
    return best


def _in_words(seen: Sequence[DetectedPhoto], calibration: Calibration) -> str:
    words = []
    for counted in (True, False):
        exact, sure, silent = photo_figures(seen, calibration, counted)
        words.append(f"exact {exact:.1%}, sure {sure:.1%}, silent errors {silent:.2%} of all")
    return f"with the dice count: {words[0]}; without: {words[1]}"


def detect_folder(folder: Path, reader: Reader, group: str = "", twice: bool = False) -> list[DetectedPhoto]:
    """The detections in every photo of a folder, with `twice` of the second pass too; `group`: the photos' group,
    default the folder."""
    found = []
    for labelled in labelled_photos(folder):
        photo = Photo.decode(labelled.path.read_bytes())
        detections = reader.detect(photo)
        found.append(
            DetectedPhoto(
                group or folder.name, labelled, detections, reader.detect_again(photo, detections) if twice else None
            )
        )
    return found


def fit_calibration(seen: Sequence[DetectedPhoto], start: Calibration) -> Calibration:
    """`start` with weights and temperature fitted to things of known truth; every folder counts the same."""
    things = _things(seen, start)
    if not len(things.truth):
        return start
    is_die = things.truth != _NO_DIE

    def loss_at(temperature: float) -> float:
        chances = softmax((things.logits[is_die] / temperature).astype(np.float32))[:, :VALUES]
        chances = chances / chances.sum(1, keepdims=True)
        right = chances[np.arange(len(chances)), things.truth[is_die]]
        return float(-(things.weight[is_die] * np.log(right + 1e-6)).mean())

    temperature = round(float(min(np.exp(np.linspace(np.log(0.2), np.log(3.0), 50)), key=loss_at)), 3)
    return dataclasses.replace(
        start,
        temperature=temperature,
        **dataclasses.asdict(_weights(things, dataclasses.replace(start, temperature=temperature))),
    )


def fit_weights(seen: Sequence[DetectedPhoto], start: Calibration) -> Weights:
    """The weights alone, fitted with the temperature of `start`."""
    return _weights(_things(seen, start), start)


@dataclass(frozen=True)
class _Things:
    """Things of known truth: the classifier's logits (n, 7), further evidence (n, 3), the truth (n,), and weights (n,).

    The further evidence: the detector's log-odds, how usual its box is, and how much it looks like the other dice.
    """

    logits: Doubles
    others: Doubles
    truth: npt.NDArray[np.int64]
    weight: Doubles


def _things(seen: Sequence[DetectedPhoto], calibration: Calibration) -> _Things:
    logits, others, truths, weights = [], [], [], []
    counts = Counter(one.group for one in seen)
    for one in seen:
        for detections in (one.detections, *([] if one.again is None else [one.again])):
            weighed = assess(detections, calibration)
            scores = _logit(np.array(detections.scores, np.float64))
            for i, truth in known_truths(dataclasses.replace(one, detections=detections), calibration):
                if not weighed.apart[i]:  # no more than a worse box of a likelier thing, which says nothing of dice
                    continue
                logits.append(detections.logits[i])
                others.append([scores[i], -weighed.odd[i], weighed.alike[i]])
                truths.append(_NO_DIE if truth is None else truth)
                weights.append(1 / counts[one.group])
    weight = np.array(weights) / np.mean(weights) if weights else np.zeros(0)
    return _Things(np.array(logits, np.float64), np.array(others, np.float64), np.array(truths, np.int64), weight)


def _weights(things: _Things, calibration: Calibration) -> Weights:
    chances = softmax((things.logits / calibration.temperature).astype(np.float32)).astype(np.float64)
    features = np.column_stack([_logit(1 - chances[:, VALUES]), things.others, np.ones(len(chances))])
    is_die = (things.truth != _NO_DIE).astype(np.float64)
    ridge = np.full(features.shape[1], 1e-3)
    classifier, detector, odd_box, same_set, bias = logistic_weights(features, is_die, things.weight, ridge)
    return Weights(
        detector_weight=round(float(detector), 3),
        classifier_weight=round(float(classifier), 3),
        bias=round(float(bias), 3),
        odd_box=round(max(0.0, float(odd_box)), 3),
        same_set=round(max(0.0, float(same_set)), 3),
        sure=calibration.sure,
    )


def known_truths(one: DetectedPhoto, calibration: Calibration) -> list[tuple[int, int | None]]:
    """The things of known truth: their number, and value minus one or None for no die.

    The truth is known by box, except for half overlaps. If only the values are known, the likeliest things count if
    they show these.
    """
    found: list[tuple[int, int | None]] = []
    if one.photo.boxes is None or one.photo.classes is None:
        weighed = assess(one.detections, calibration)
        things = np.flatnonzero(weighed.apart)
        things = np.array(sorted(things, key=lambda thing: -weighed.alone[thing]), np.int64)
        dice = things[: len(one.photo.values)]
        read = np.array([np.argmax(weighed.values[thing]) for thing in dice])
        if tuple(sorted(int(v) + 1 for v in read)) == one.photo.values:
            found = [(int(i), int(v)) for i, v in zip(dice, read, strict=True)]
            found += [(int(i), None) for i in things[len(dice) :]]
        return found
    iou, inside = overlaps(rows_of(one.detections.boxes, 4), one.photo.boxes)
    for i in range(len(one.detections.boxes)):
        if iou[i].max(initial=0.0) >= _SAME_DIE:
            found.append((i, int(one.photo.classes[iou[i].argmax()])))
        elif inside[i].max(initial=0.0) < _APART:
            found.append((i, None))
    return found


def thresholds(seen: Sequence[DetectedPhoto], calibration: Calibration) -> Calibration:
    """The thresholds that cost people few taps and read most photos exactly; then those that ask little and are seldom
    wrong without asking.

    Every folder counts the same, however many photos it has. Photos with the dice count weigh as much as those without.
    """
    folders = [[one for one in seen if one.group == group] for group in dict.fromkeys(one.group for one in seen)]
    tried = [dataclasses.replace(calibration, die=die) for die in _DIE]
    taps = [float(np.mean([_taps(folder, each) for folder in folders])) for each in tried]
    exact = [float(np.mean([photo_figures(folder, each)[0] for folder in folders])) for each in tried]
    few = [i for i, cost in enumerate(taps) if cost <= _FEW_TAPS * min(taps)]
    calibration = tried[max(few, key=lambda i: exact[i])]
    return dataclasses.replace(calibration, sure=best_sure(folders, calibration, (True, False)))


def best_sure(
    folders: Sequence[Sequence[DetectedPhoto]], calibration: Calibration, counted: Sequence[bool] = (True,)
) -> float:
    """The best least probability of a sure reading, with the dice count or without."""
    tables = [_limits(folder, calibration, known) for folder in folders for known in counted]
    return max(_SURE, key=lambda sure: _gain(tables, sure))


def _gain(tables: Sequence[Doubles], sure: float) -> float:
    """The share of photos without a question, less the cost of silent errors; every table counts the same."""
    found = [(table[:, 0] == 1, table[:, 1] >= sure) for table in tables]
    return float(np.mean([calm.mean() - _SILENT * (calm & ~exact).mean() for exact, calm in found]))


def _dice_count(one: DetectedPhoto, counted: bool) -> int | None:
    return len(one.photo.values) or None if counted else None


def _taps(seen: Sequence[DetectedPhoto], calibration: Calibration) -> float:
    """The mean number of taps that correct readings made without the dice count."""
    taps = 0.0
    for one in seen:
        more = Counter(one.read(calibration, None).values)
        fewer = Counter(one.photo.values)
        taps += _EXTRA * (more - fewer).total() + _LEFT_OUT * (fewer - more).total()
    return taps / len(seen)


def _limits(seen: Sequence[DetectedPhoto], calibration: Calibration, counted: bool) -> Doubles:
    """For each photo (n, 2): whether its reading is exact, and how probable it is to be right."""
    rows = []
    for one in seen:
        dice = _dice_count(one, counted)
        exact = interpret(one.last_detections, calibration, dice).values == one.photo.values
        rows.append((float(exact), certainty(one.last_detections, calibration, dice)))
    return np.array(rows)


def certainty(seen: Seen, calibration: Calibration, dice: int | None) -> float:
    """The largest `sure` with which the reading is sure."""
    assessed = assess(seen, calibration)
    chances, all_there = choose(assessed, calibration, dice)
    values = [max(assessed.values[thing]) for thing in chances]
    doubtful = doubtful_values(assessed, dataclasses.replace(calibration, sure=0.0), chances, all_there)
    if not values or dice not in (None, len(values)) or doubtful:
        return 0.0
    return all_there * math.prod(values)


def photo_figures(
    seen: Sequence[DetectedPhoto], calibration: Calibration, counted: bool = False
) -> tuple[float, float, float]:
    """Shares of the photos read exactly, called sure, and both sure and wrong; `counted`: with the dice count."""
    readings = [one.read(calibration, _dice_count(one, counted)) for one in seen]
    exact = np.array([r.values == one.photo.values for r, one in zip(readings, seen, strict=True)])
    sure = np.array([r.sure for r in readings])
    return float(exact.mean()), float(sure.mean()), float((sure & ~exact).mean())


def confidences(seen: Sequence[DetectedPhoto], calibration: Calibration) -> tuple[Doubles, Doubles]:
    """The confidence of each die whose truth is known by box, and whether it is right (1 or 0)."""
    given, right = [], []
    for one in seen:
        weighed = assess(one.detections, calibration)
        for i, truth in known_truths(one, calibration):
            if weighed.apart[i] and weighed.alone[i] >= calibration.die:
                given.append(weighed.alone[i] * max(weighed.values[i]))
                right.append(float(truth == int(np.argmax(weighed.values[i]))))
    return np.array(given), np.array(right)


def reliability_diagram(given: Doubles, right: Doubles) -> str:
    """An SVG of how often a die is right against its confidence."""
    edges = np.linspace(0, 1, _BINS + 1)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 440" font-family="sans-serif" font-size="12">',
        '<rect width="440" height="440" fill="white"/>',
        '<path d="M50 390 L390 50" stroke="#999" stroke-dasharray="4 4"/>',
        '<path d="M50 50 V390 H390" fill="none" stroke="#333"/>',
        '<text x="220" y="425" text-anchor="middle">confidence given</text>',
        '<text x="16" y="220" text-anchor="middle" transform="rotate(-90 16 220)">share that is right</text>',
    ]
    for low, high in itertools.pairwise(edges):
        inside = (given >= low) & ((given < high) | (high == 1))
        if not inside.any():
            continue
        x, y = 50 + 340 * float(given[inside].mean()), 390 - 340 * float(right[inside].mean())
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#0b7285"/>')
        parts.append(f'<text x="{x - 8:.1f}" y="{y + 4:.1f}" text-anchor="end">{int(inside.sum())}</text>')
    for tick in (0, 0.5, 1):
        parts.append(f'<text x="{50 + 340 * tick}" y="406" text-anchor="middle">{tick}</text>')
        parts.append(f'<text x="44" y="{394 - 340 * tick}" text-anchor="end">{tick}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _logit(chance: Doubles) -> Doubles:
    safe = np.clip(chance, 1e-4, 1 - 1e-4)
    logit: Doubles = np.log(safe / (1 - safe))
    return logit
