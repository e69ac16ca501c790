"""Makes the likeness of two things (`models/likeness.npz`) from rendered evenings of one set of dice each, and chooses
the weights of a memory.

It begins with a two-covariance model (PLDA; Prince and Elder, "Probabilistic linear discriminant analysis for
inferences about identity", 2007). One face of one set of dice varies about its mean as all of them do, and these means
vary about a common mean. In the same way the dice of one throw vary about the mean of their set, whatever they show.
Then all its numbers are trained for their use (`likeness_network`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from datasets.finding import softmax
from datasets.photos import VALUES
from datasets.training.calibration import DetectedPhoto, best_sure, detect_folder, fit_weights, known_truths
from datasets.training.likeness_network import Episode, train_likeness
from datasets.training.settings import TrainingSettings
from vision.arrays import Doubles, Floats, as_row, as_rows, rows_of
from vision.judging.dice_memory import DiceMemory, DiceSample
from vision.judging.seen import FEATURES, NONE, Seen
from vision.judging.weights import Calibration, Weights
from vision.likeness_map import LikenessMap, SetMap
from vision.network_eye import LIKENESS
from vision.reader import CALIBRATION, Reader

_OF_SETS = 48  # dimensions in which sets of dice differ
_RIDGE = 0.05  # of the mean variance, added to each direction's own: some are hardly ever seen to vary
_LEAST_BETWEEN = 1e-3
_SHARE, _DIE_SHARE, _CONCENTRATION = 0.15, 0.6, 0.5  # that the training begins with
_NONE = 0.5  # about half of all detections are no die
_UNKNOWN = -1
_RENDERED = "evenings"  # what all rendered evenings count together as
_EVENING = 12  # photos of a folder that count as throws of one evening


@dataclass(frozen=True)
class LabelledThrow:
    """One throw of an evening: its detections, and the truth (n,) of each thing: 0..5 are the values 1..6, 6 is no die,
    -1 is unclear."""

    seen: DetectedPhoto
    truth: npt.NDArray[np.int64]

    @property
    def detections(self) -> Seen:
        return self.seen.detections

    @property
    def logits(self) -> Floats:
        return rows_of(self.detections.logits, NONE + 1)

    @property
    def features(self) -> Floats:
        return rows_of(self.detections.features, FEATURES)


Evening = Sequence[LabelledThrow]


def fit_likeness(
    settings: TrainingSettings, evenings: Sequence[Path], models: Path, photos: Sequence[Path] = ()
) -> LikenessMap:
    """Writes `likeness.npz` into `models`, and the weights of a memory into `calibration.json` there.

    `evenings`: folders of one evening each, with throws in the order of their names. `photos`: folders of real photos,
    which count as evenings for the weights; each weighs as much as all rendered ones. Raises ValueError if the detector
    finds too few dice in the evenings to learn from.
    """
    reader, calibration = Reader(models), Calibration.load(models / CALIBRATION)
    played = [_throws(detect_folder(folder, reader, _RENDERED), calibration) for folder in evenings]
    halves = played[::2], played[1::2]
    if not all(_several_faces(half) for half in halves):
        raise ValueError("the detector finds too few dice in the evenings to say how alike two dice look")
    sets = fit_sets(played)
    # What a memory brings is weighed on evenings that its likeness was not trained on.
    apart = [
        recall
        for half, others in (halves, halves[::-1])
        for recall in recalls(_train(settings, half, calibration), others)
    ]
    print(f"loss of values without memory: {_value_loss([r.throw for r in apart], calibration):.4f}")
    print(f"with a memory of half the evenings: {_value_loss(apart, calibration):.4f}", flush=True)
    whole = _train(settings, played, calibration)
    real = [evening for folder in photos for evening in _evenings_of(folder, reader, calibration)]
    seen = [recall.with_memory(sets) for recall in [*apart, *recalls(whole, real)]]
    of_sets = {f"set_{name}": array for name, array in dataclasses.asdict(sets).items()}
    np.savez(models / LIKENESS, **{f.name: getattr(whole, f.name) for f in dataclasses.fields(whole)}, **of_sets)
    _write_weights(models, calibration, seen)
    return whole


def weigh_memory(evenings: Sequence[Path], models: Path, photos: Sequence[Path] = ()) -> None:
    """Writes the weights of a memory into `calibration.json` of `models`; arguments as for `fit_likeness`.

    The likeness there must not have been trained on these evenings. Raises ValueError if no evening has two throws.
    """
    reader, calibration = Reader(models), Calibration.load(models / CALIBRATION)
    likeness = LikenessMap.load(models / LIKENESS)
    played = [_throws(detect_folder(folder, reader, _RENDERED), calibration) for folder in evenings]
    real = [evening for folder in photos for evening in _evenings_of(folder, reader, calibration)]
    seen = [recall.with_memory(None) for recall in recalls(likeness, [*played, *real])]
    if not seen:
        raise ValueError("no evening has two throws, so a memory says nothing in any of them")
    _write_weights(models, calibration, seen)


def _write_weights(models: Path, calibration: Calibration, seen: Sequence[DetectedPhoto]) -> None:
    chosen = dataclasses.replace(calibration, known=_weigh_with_memory(seen, calibration))
    chosen.save(models / CALIBRATION)


@dataclass(frozen=True)
class Recall:
    """A throw, and the classifier's logits (n, 7) with the memory of the throws before it."""

    throw: LabelledThrow
    logits: Floats

    @property
    def truth(self) -> npt.NDArray[np.int64]:
        return self.throw.truth

    def with_memory(self, sets: SetMap | None) -> DetectedPhoto:
        """`sets`: by which dice of one set are told instead; None: as the reader does."""
        detections = dataclasses.replace(self.throw.detections, logits=as_rows(self.logits))
        if sets is not None:
            vectors = as_rows(sets.vectors(self.throw.features))
            detections = dataclasses.replace(detections, set_vectors=vectors, set_between=as_row(sets.between))
        return dataclasses.replace(self.throw.seen, detections=detections)


def recalls(likeness: LikenessMap, evenings: Sequence[Evening]) -> Iterator[Recall]:
    """Recalls each throw that has something kept before it."""
    numbers = likeness.numbers()
    for throws in evenings:
        samples: list[DiceSample] = []
        for throw in throws:
            if not len(throw.truth):
                continue
            vectors, known = likeness.vectors(throw.features), throw.truth != _UNKNOWN
            memory = DiceMemory(samples).kept_by(numbers)
            if memory is not None:
                rows = map(memory.adjust, as_rows(throw.logits), as_rows(vectors))
                yield Recall(throw, rows_of(list(rows), NONE + 1))
            samples.append(DiceSample(tuple(throw.truth[known].tolist()), as_rows(vectors[known]), numbers.mark))


def _weigh_with_memory(seen: Sequence[DetectedPhoto], calibration: Calibration) -> Weights:
    """How detector and classifier are weighed with a memory, and how probable a sure reading must be then."""
    known = fit_weights(seen, calibration)
    groups = [[one for one in seen if one.group == group] for group in dict.fromkeys(one.group for one in seen)]
    return dataclasses.replace(known, sure=best_sure(groups, dataclasses.replace(calibration, known=known).with_memory))


def _evenings_of(folder: Path, reader: Reader, calibration: Calibration) -> Iterator[Evening]:
    throws = _throws(detect_folder(folder, reader), calibration)
    for first in range(0, len(throws), _EVENING):
        yield throws[first : first + _EVENING]


def _throws(seen: Sequence[DetectedPhoto], calibration: Calibration) -> list[LabelledThrow]:
    throws = []
    for one in seen:
        truth = np.full(len(one.detections.boxes), _UNKNOWN, np.int64)
        for thing, value in known_truths(one, calibration):
            truth[thing] = NONE if value is None else value
        throws.append(LabelledThrow(one, truth))
    return throws


def _train(settings: TrainingSettings, evenings: Sequence[Evening], calibration: Calibration) -> LikenessMap:
    """Raises ValueError if no evening has two throws."""
    start = initial_likeness(list(_faces(evenings)), settings.likeness.dimensions)
    return train_likeness(settings.likeness, settings.seed, start, list(_episodes(evenings)), calibration.temperature)


def initial_likeness(faces: Sequence[Doubles], dimensions: int) -> LikenessMap:
    """The start of the training: a two-covariance model of the features (n, d) of each face, and no network."""
    middle, across, between = _two_covariances(faces, dimensions)
    width, size = across.shape
    no_network = np.zeros((width, 0), np.float32), np.zeros(0, np.float32), np.zeros((0, size), np.float32)
    shares = np.full(size, _SHARE, np.float32), np.full(size, _DIE_SHARE, np.float32)
    return LikenessMap(middle, across, *no_network, between, *shares, _CONCENTRATION, _NONE)


def _episodes(evenings: Sequence[Evening]) -> Iterator[Episode]:
    for throws in evenings:
        episode = [(throw, throw.truth != _UNKNOWN) for throw in throws]
        episode = [(throw, known) for throw, known in episode if known.any()]
        if episode:
            yield Episode(
                np.concatenate([throw.features[known] for throw, known in episode]),
                np.concatenate([throw.logits[known] for throw, known in episode]),
                np.concatenate([throw.truth[known] for throw, known in episode]),
                np.repeat(np.arange(len(episode)), [known.sum() for _, known in episode]),
            )


def fit_sets(evenings: Sequence[Evening]) -> SetMap:
    """How the dice of one throw vary together: they are of one set and lie in one light."""
    throws = [t.features[(t.truth >= 0) & (t.truth < VALUES)] for evening in evenings for t in evening]
    return SetMap(*_two_covariances([dice.astype(np.float64) for dice in throws if len(dice) > 1], _OF_SETS))


def _two_covariances(groups: Sequence[Doubles], dimensions: int) -> tuple[Floats, Floats, Floats]:
    """Two-covariance model of groups (n, d), in the `dimensions` k in which they vary most.

    Returns the middle (d,), directions (d, k) in which the groups vary by 1 each, and how much more (k,) their means
    vary.
    """
    everything = np.concatenate(groups)
    middle = everything.mean(0)
    free = len(everything) - len(groups)
    within = sum((own - own.mean(0)).T @ (own - own.mean(0)) for own in groups) / free
    within += _RIDGE * np.trace(within) / len(within) * np.eye(len(within))
    means = np.array([own.mean(0) for own in groups])
    between = np.cov(means.T) - within / np.mean([len(own) for own in groups])
    spread, axes = np.linalg.eigh(within)
    whitening = axes / np.sqrt(spread)
    more, turned = np.linalg.eigh(whitening.T @ between @ whitening)
    most = np.argsort(-more)[:dimensions]
    return (
        middle.astype(np.float32),
        (whitening @ turned[:, most]).astype(np.float32),
        np.maximum(more[most], _LEAST_BETWEEN).astype(np.float32),
    )


def _faces(evenings: Sequence[Evening]) -> Iterator[Doubles]:
    """The features of each face of each evening's dice."""
    for throws in evenings:
        there = [throw for throw in throws if len(throw.truth)]
        if not there:
            continue
        features = np.concatenate([throw.features for throw in there]).astype(np.float64)
        truth = np.concatenate([throw.truth for throw in there])
        for value in range(VALUES):
            if (truth == value).any():
                yield features[truth == value]


def _several_faces(evenings: Sequence[Evening]) -> bool:
    """Whether there are two faces, one of them seen more than once; otherwise their variation is unknown."""
    faces = [len(own) for own in _faces(evenings)]
    return len(faces) > 1 and sum(faces) > len(faces)


def _value_loss(throws: Sequence[LabelledThrow | Recall], calibration: Calibration) -> float:
    """The mean log-loss of the values of all dice, as the reader takes them."""
    lost: list[float] = []
    for one in throws:
        dice = (one.truth >= 0) & (one.truth < VALUES)
        if dice.any():
            chances = softmax(one.logits[dice][:, :VALUES] / np.float32(calibration.temperature))
            lost += list(-np.log(chances[np.arange(len(chances)), one.truth[dice]] + 1e-6))
    return float(np.mean(lost))
