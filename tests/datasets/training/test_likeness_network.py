"""The likeness is trained on evenings for what it is used for."""

import dataclasses

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch (the extra `train`)")

from datasets.finding import softmax
from datasets.training.calibration import DetectedPhoto
from datasets.training.likeness import LabelledThrow, Recall, initial_likeness, recalls
from datasets.training.likeness_network import Episode, train_likeness
from datasets.training.settings import LikenessSettings
from tests.datasets.training.test_likeness import PHOTO, SIZE
from vision.arrays import as_rows
from vision.judging.seen import NONE, Seen

SETTINGS = LikenessSettings(steps=400, passes=30, batch=16, rate=0.01, dimensions=16, hidden=64, dropout=0.0, noise=0.0)
CLASSES = np.array([0, 1, 3, 5, NONE])
THROWS = 4


def evening(rng: np.random.Generator) -> list[LabelledThrow]:
    """Throws of the same dice. What tells their faces apart is the size of some features, not their sign: no linear
    model sees it."""
    faces = np.abs(rng.normal(size=(len(CLASSES), 4))) * 4
    throws = []
    for _ in range(THROWS):
        features = rng.normal(size=(len(CLASSES), SIZE)).astype(np.float32)
        features[:, :4] = faces * rng.choice([-1, 1], size=(len(CLASSES), 1)) + 0.1 * features[:, :4]
        features[:, -1] = 0  # as some features of a network are
        boxes, scores = ((0.0,) * 4,) * len(CLASSES), (0.0,) * len(CLASSES)
        logits = rng.normal(size=(len(CLASSES), 7)).astype(np.float32)
        detections = Seen(640, 480, boxes, scores, as_rows(logits), as_rows(features))
        throws.append(LabelledThrow(DetectedPhoto("evenings", PHOTO, detections), CLASSES))
    return throws


def episode(throws: list[LabelledThrow]) -> Episode:
    return Episode(
        np.concatenate([throw.features for throw in throws]),
        np.concatenate([throw.logits for throw in throws]),
        np.concatenate([throw.truth for throw in throws]),
        np.repeat(np.arange(len(throws)), len(CLASSES)),
    )


def mean_loss(told: list[Recall]) -> float:
    """The mean log-loss of all classes."""
    logits, truth = (np.concatenate(each) for each in zip(*((r.logits, r.truth) for r in told), strict=True))
    return float(-np.log(softmax(logits)[np.arange(len(truth)), truth] + 1e-6).mean())


def test_training_helps_on_evenings_that_it_has_not_seen() -> None:
    rng = np.random.default_rng(3)
    played = [evening(rng) for _ in range(260)]
    teaching, others = played[:230], played[230:]
    faces = [
        np.array([throw.features[place] for throw in throws], np.float64)
        for throws in teaching
        for place in range(len(CLASSES) - 1)
    ]
    start = initial_likeness(faces, SETTINGS.dimensions)
    new = train_likeness(SETTINGS, 5, start, [episode(throws) for throws in teaching], 1.0)
    assert new.outer.shape == (SETTINGS.hidden, SETTINGS.dimensions)
    assert mean_loss(list(recalls(new, others))) < 0.5 * mean_loss(list(recalls(start, others)))
    assert new.mark != start.mark


def test_no_steps_change_nothing() -> None:
    throws = [evening(np.random.default_rng(seed)) for seed in range(3)]
    faces = [np.array([throw.features[0] for throw in played], np.float64) for played in throws]
    start = initial_likeness(faces, 2)
    still = train_likeness(
        dataclasses.replace(SETTINGS, steps=0), 5, start, [episode(played) for played in throws], 1.0
    )
    features = throws[0][0].features
    assert np.allclose(still.vectors(features), start.vectors(features), atol=1e-5)
    assert still.concentration == pytest.approx(start.concentration)


def test_evenings_of_one_throw_teach_nothing() -> None:
    throws = evening(np.random.default_rng(1))
    start = initial_likeness([np.array([throw.features[0] for throw in throws], np.float64)] * 2, 2)
    with pytest.raises(ValueError, match="two throws"):
        train_likeness(SETTINGS, 5, start, [episode(throws[:1])], 1.0)
