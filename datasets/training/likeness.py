"""Fits what says how alike two things look (`models/likeness.npz`), on rendered evenings of one set of dice each.

Two-covariance model (PLDA): one face of one set of dice varies about its mean as all of them do, and these means vary
about a common one; so do the dice of one throw, whatever they show, about the mean of their set. Prince and Elder,
"Probabilistic linear discriminant analysis for inferences about identity", 2007.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from datasets.photos import VALUES, LabelledPhoto, labelled_photos
from vision.arrays import Doubles, Floats
from vision.boxes import overlaps
from vision.classifier import NONE, softmax
from vision.memory import MOST, Likeness, mixed
from vision.photo import Photo
from vision.reader import LIKENESS, Reader
from vision.same_set import SameSet

_DIMENSIONS = 32
_OF_SETS = 48  # dimensions in which sets of dice differ
_RIDGE = 0.05  # of the mean variance, added to each direction's own: some are hardly ever seen to vary
_LEAST_BETWEEN = 1e-3
_SAME_DIE, _APART = 0.45, 0.2  # intersection over union, and over the smaller box
_SHARES, _CONCENTRATIONS = (0.1, 0.15, 0.25, 0.4, 0.6), (1.0, 2.0, 3.0, 5.0, 8.0)
_NONE = 0.5  # of what is looked at, about half is no die
_UNKNOWN = -1


@dataclass(frozen=True)
class Seen:
    """What was seen in one throw: the classifier's logits (n, 7), features (n, d), and the truth (n,): 0..5 are the
    values 1..6, 6 is no die, -1 is not clear."""

    logits: Floats
    features: Floats
    truth: npt.NDArray[np.int64]


def fit_likeness(evenings: Sequence[Path], models: Path) -> Likeness:
    """Writes `likeness.npz` into `models` from folders of one evening each, throws in the order of their names. Raises
    ValueError where the detector finds too few of their dice to learn from."""
    reader = Reader(models)
    seen = [[_seen(reader, photo) for photo in labelled_photos(folder)] for folder in evenings]
    halves = seen[::2], seen[1::2]
    if not all(_several_faces(half) for half in halves):
        raise ValueError("the detector finds too few dice in the evenings to say how alike two dice look")
    losses = {}
    for share, concentration in itertools.product(_SHARES, _CONCENTRATIONS):
        of_halves = []
        for fitted, held_out in (halves, halves[::-1]):
            likeness = dataclasses.replace(_fitted(fitted), share=share, concentration=concentration)
            of_halves.append(_loss(likeness, held_out))
        losses[share, concentration] = float(np.mean(of_halves))
    share, concentration = min(losses, key=lambda pair: losses[pair])
    best = dataclasses.replace(_fitted(seen), share=share, concentration=concentration)
    sets = {f"set_{name}": array for name, array in dataclasses.asdict(fitted_sets(seen)).items()}
    np.savez(models / LIKENESS, **{f.name: getattr(best, f.name) for f in dataclasses.fields(best)}, **sets)
    print(f"share {share}, concentration {concentration}: loss {losses[share, concentration]:.4f} with halves left out")
    print(f"without memory: {float(np.mean([_loss(None, half) for half in halves])):.4f}")
    return best


def _seen(reader: Reader, photo: LabelledPhoto) -> Seen:
    looks = reader.look(Photo.decode(photo.path.read_bytes()))
    assert photo.boxes is not None
    assert photo.classes is not None
    iou, inside = overlaps(looks.boxes, photo.boxes)
    truth = np.full(len(looks.boxes), _UNKNOWN, np.int64)
    truth[inside.max(1, initial=0.0) < _APART] = NONE
    same = iou.max(1, initial=0.0) >= _SAME_DIE
    if same.any():
        truth[same] = photo.classes[iou[same].argmax(1)]
    return Seen(looks.logits, looks.features, truth)


def _fitted(evenings: Sequence[Sequence[Seen]]) -> Likeness:
    middle, across, between = _two_covariances(list(_faces(evenings)), _DIMENSIONS)
    return Likeness(middle, across, between, share=1.0, concentration=1.0, none=_NONE)


def fitted_sets(evenings: Sequence[Sequence[Seen]]) -> SameSet:
    """From the dice of each throw: they are of one set, and lie in one light."""
    throws = [throw.features[(throw.truth >= 0) & (throw.truth < VALUES)] for evening in evenings for throw in evening]
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


def _faces(evenings: Sequence[Sequence[Seen]]) -> Iterator[Doubles]:
    """The features of each face of each evening's dice."""
    for throws in evenings:
        features = np.concatenate([throw.features for throw in throws]).astype(np.float64)
        truth = np.concatenate([throw.truth for throw in throws])
        for value in range(VALUES):
            if (truth == value).any():
                yield features[truth == value]


def _several_faces(evenings: Sequence[Sequence[Seen]]) -> bool:
    """Whether there are two faces, one of them seen more than once: else nothing is known of how they vary."""
    faces = [len(own) for own in _faces(evenings)]
    return len(faces) > 1 and sum(faces) > len(faces)


def _loss(likeness: Likeness | None, evenings: Sequence[Sequence[Seen]]) -> float:
    """The mean log-loss over all things of all throws, each with a memory of those before it."""
    lost = []
    for throws in evenings:
        classes = np.zeros(0, np.uint8)
        kept = np.zeros((0, _DIMENSIONS), np.float32)
        for throw in throws:
            logits, known = throw.logits, throw.truth != _UNKNOWN
            if likeness is not None:
                vectors = likeness.vectors(throw.features)
                if len(classes) and len(logits):
                    logits = mixed(likeness, logits, likeness.ratios(vectors, kept), classes)
                classes = np.concatenate([classes, throw.truth[known].astype(np.uint8)])[-MOST:]
                kept = np.concatenate([kept, vectors[known]])[-MOST:]
            lost += list(-np.log(softmax(logits)[known, throw.truth[known]] + 1e-6))
    return float(np.mean(lost))
