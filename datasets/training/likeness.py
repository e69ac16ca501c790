"""Fits what says how alike two things look (`models/likeness.npz`), on rendered evenings of one set of dice each, and
how what the memory says is weighed.

Two-covariance model (PLDA): one face of one set of dice varies about its mean as all of them do, and these means vary
about a common one; so do the dice of one throw, whatever they show, about the mean of their set. Prince and Elder,
"Probabilistic linear discriminant analysis for inferences about identity", 2007.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from datasets.photos import VALUES
from datasets.training.calibration import Seen, die_loss, known, look_at, weights_fitted_to
from vision.arrays import Doubles, Floats
from vision.classifier import NONE, softmax
from vision.judging import Calibration, Looks, Weights
from vision.memory import MOST, Likeness, mixed
from vision.reader import CALIBRATION, LIKENESS, Reader
from vision.same_set import SameSet

_DIMENSIONS = 32
_OF_SETS = 48  # dimensions in which sets of dice differ
_RIDGE = 0.05  # of the mean variance, added to each direction's own: some are hardly ever seen to vary
_LEAST_BETWEEN = 1e-3
_SHARES, _CONCENTRATIONS = (0.15, 0.25, 0.4, 0.6), (0.5, 1.0, 2.0, 4.0)
_DIE_SHARES = (0.4, 0.6, 0.8, 1.0)
_NONE = 0.5  # of what is looked at, about half is no die
_UNKNOWN = -1
_RENDERED = "evenings"  # what all rendered evenings count together as
_EVENING = 12  # photos of a folder that count as throws of one evening


@dataclass(frozen=True)
class Throw:
    """One throw of an evening: what was seen, and the truth (n,) of each thing: 0..5 are the values 1..6, 6 is no die,
    -1 is not clear."""

    seen: Seen
    truth: npt.NDArray[np.int64]

    @property
    def looks(self) -> Looks:
        return self.seen.looks


Evening = Sequence[Throw]


def fit_likeness(evenings: Sequence[Path], models: Path, photos: Sequence[Path] = ()) -> Likeness:
    """Writes `likeness.npz` into `models` from folders of one evening each, throws in the order of their names, and
    into `calibration.json` there how detector and classifier are weighed with a memory. For that, `photos`, folders of
    real ones, count as evenings too, each folder as much as all the rendered ones. Raises ValueError where the detector
    finds too few dice in the evenings to learn from."""
    reader, calibration = Reader(models), Calibration.read(models / CALIBRATION)
    played = [_throws(look_at(folder, reader, _RENDERED), calibration) for folder in evenings]
    halves = played[::2], played[1::2]
    if not all(_several_faces(half) for half in halves):
        raise ValueError("the detector finds too few dice in the evenings to say how alike two dice look")
    # What is chosen by what a memory brings is chosen on evenings to which that likeness was not fitted.
    apart = [recall for half, others in (halves, halves[::-1]) for recall in recalls(_fitted(half), others)]
    whole = _chosen_for_values(_fitted(played), apart, calibration)
    real = [evening for folder in photos for evening in _evenings_of(folder, reader, calibration)]
    sets = fitted_sets(played)
    best, weights = _chosen_for_dice(whole, sets, apart, list(recalls(whole, real)), calibration)
    of_sets = {f"set_{name}": array for name, array in dataclasses.asdict(sets).items()}
    np.savez(models / LIKENESS, **{f.name: getattr(best, f.name) for f in dataclasses.fields(best)}, **of_sets)
    chosen = dataclasses.replace(calibration, known=weights)
    (models / CALIBRATION).write_text(json.dumps(dataclasses.asdict(chosen), indent=2) + "\n")
    return best


@dataclass(frozen=True)
class Recall:
    """A throw and what was kept before it: the log-ratios (n, m) of its things to kept ones of `classes` (m,)."""

    throw: Throw
    ratios: Floats
    classes: npt.NDArray[np.uint8]

    def logits(self, likeness: Likeness) -> Floats:
        """The classifier's (n, 7), as they are with this memory."""
        return mixed(likeness, self.throw.looks.logits, self.ratios, self.classes)

    def remembered(self, likeness: Likeness, sets: SameSet) -> Seen:
        looks = dataclasses.replace(self.throw.looks, logits=self.logits(likeness), same_set=sets)
        return dataclasses.replace(self.throw.seen, looks=looks)


def recalls(likeness: Likeness, evenings: Sequence[Evening]) -> Iterator[Recall]:
    """Each throw but those before which nothing was kept."""
    for throws in evenings:
        classes = np.zeros(0, np.uint8)
        kept = np.zeros((0, len(likeness.between)), np.float32)
        for throw in throws:
            if not len(throw.truth):
                continue
            vectors, known = likeness.vectors(throw.looks.features), throw.truth != _UNKNOWN
            if len(classes):
                yield Recall(throw, likeness.ratios(vectors, kept), classes)
            classes = np.concatenate([classes, throw.truth[known].astype(np.uint8)])[-MOST:]
            kept = np.concatenate([kept, vectors[known]])[-MOST:]


def _chosen_for_values(whole: Likeness, apart: Sequence[Recall], calibration: Calibration) -> Likeness:
    """With the share of the log-ratio for the values, and the concentration, that lose least."""
    losses = {}
    for share, concentration in itertools.product(_SHARES, _CONCENTRATIONS):
        likeness = dataclasses.replace(whole, share=share, concentration=concentration)
        told = [(recall.throw, recall.logits(likeness)) for recall in apart]
        losses[_value_loss(told, calibration.temperature)] = likeness
    best = losses[min(losses)]
    without = _value_loss([(recall.throw, recall.throw.looks.logits) for recall in apart], calibration.temperature)
    print(f"share {best.share}, concentration {best.concentration}: loss of values {min(losses):.4f}")
    print(f"without memory: {without:.4f}", flush=True)
    return best


def _chosen_for_dice(
    whole: Likeness, sets: SameSet, apart: Sequence[Recall], real: Sequence[Recall], calibration: Calibration
) -> tuple[Likeness, Weights]:
    """How much of the log-ratio counts for whether a thing is a die, and the weights: fitted to all, the share that
    loses least in the rendered evenings, since in real folders the table changes from photo to photo."""
    weighed = {}
    for die_share in _DIE_SHARES:
        likeness = dataclasses.replace(whole, die_share=die_share)
        rendered = [recall.remembered(likeness, sets) for recall in apart]
        weights = weights_fitted_to([*rendered, *(recall.remembered(likeness, sets) for recall in real)], calibration)
        loss = die_loss(rendered, dataclasses.replace(calibration, known=weights).with_memory)
        weighed[loss] = likeness, weights
        print(f"share for dice {die_share}: loss {loss:.4f}", flush=True)
    return weighed[min(weighed)]


def _evenings_of(folder: Path, reader: Reader, calibration: Calibration) -> Iterator[Evening]:
    throws = _throws(look_at(folder, reader), calibration)
    for first in range(0, len(throws), _EVENING):
        yield throws[first : first + _EVENING]


def _throws(seen: Sequence[Seen], calibration: Calibration) -> list[Throw]:
    throws = []
    for one in seen:
        truth = np.full(len(one.looks.boxes), _UNKNOWN, np.int64)
        for thing, value in known(one, calibration):
            truth[thing] = NONE if value is None else value
        throws.append(Throw(one, truth))
    return throws


def _fitted(evenings: Sequence[Evening]) -> Likeness:
    middle, across, between = _two_covariances(list(_faces(evenings)), _DIMENSIONS)
    return Likeness(middle, across, between, share=1.0, concentration=1.0, none=_NONE, die_share=1.0)


def fitted_sets(evenings: Sequence[Evening]) -> SameSet:
    """From the dice of each throw: they are of one set, and lie in one light."""
    throws = [t.looks.features[(t.truth >= 0) & (t.truth < VALUES)] for evening in evenings for t in evening]
    return SameSet(*_two_covariances([dice.astype(np.float64) for dice in throws if len(dice) > 1], _OF_SETS))


def _two_covariances(groups: Sequence[Doubles], dimensions: int) -> tuple[Floats, Floats, Floats]:
    """Middle (d,), directions (d, k) in which the groups (n, d) vary by 1 each, and by how much more (k,) their means
    vary; the k `dimensions` in which they vary most."""
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
        features = np.concatenate([throw.looks.features for throw in there]).astype(np.float64)
        truth = np.concatenate([throw.truth for throw in there])
        for value in range(VALUES):
            if (truth == value).any():
                yield features[truth == value]


def _several_faces(evenings: Sequence[Evening]) -> bool:
    """Whether there are two faces, one of them seen more than once: else nothing is known of how they vary."""
    faces = [len(own) for own in _faces(evenings)]
    return len(faces) > 1 and sum(faces) > len(faces)


def _value_loss(told: Sequence[tuple[Throw, Floats]], temperature: float) -> float:
    """The mean log-loss of the values of all dice by logits (n, 7) of each throw, as the reader takes them."""
    lost: list[float] = []
    for throw, logits in told:
        dice = (throw.truth >= 0) & (throw.truth < VALUES)
        if dice.any():
            chances = softmax(logits[dice][:, :VALUES] / np.float32(temperature))
            lost += list(-np.log(chances[np.arange(len(chances)), throw.truth[dice]] + 1e-6))
    return float(np.mean(lost))
