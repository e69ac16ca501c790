"""What tells dice of one set from others is learnt from throws."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch (the extra `train`)")

from datasets.photos import LabelledPhoto
from datasets.training.calibration import DetectedPhoto
from datasets.training.likeness import LabelledThrow, fit_sets
from vision.arrays import as_row, as_rows
from vision.judging.dice_memory import set_ratios
from vision.judging.seen import NONE, Seen

SIZE = 60
PHOTO = LabelledPhoto(Path("throw.jpg"), (1, 4, 4, 6))


def evening(rng: np.random.Generator, appearance: np.ndarray) -> list[LabelledThrow]:
    """Two throws of four dice with this appearance (SIZE,), whose values change the other features, and of a thing that
    is no die."""
    throws = []
    for _ in range(2):
        features = rng.normal(size=(5, SIZE))
        features[:, SIZE // 2 :] *= 4  # what the value changes
        features[:4] += appearance
        detections = Seen(
            640, 480, ((0.0,) * 4,) * 5, (0.0,) * 5, ((0.0,) * 7,) * 5, as_rows(features.astype(np.float32))
        )
        throws.append(LabelledThrow(DetectedPhoto("evenings", PHOTO, detections), np.array([0, 3, 3, 5, NONE])))
    return throws


def test_dice_of_the_same_throw_are_told_from_those_of_others() -> None:
    rng = np.random.default_rng(5)
    appearances = rng.normal(size=(31, SIZE)) * np.where(np.arange(SIZE) < SIZE // 2, 2, 0)
    same_set = fit_sets([evening(rng, appearance) for appearance in appearances[:30]])
    (throw, _), (other, _) = evening(rng, appearances[30]), evening(rng, appearances[0])
    features = np.concatenate([throw.features[:4], other.features[:1]])
    vectors = as_rows(same_set.vectors(features))
    ratios = set_ratios(as_row(same_set.between), vectors, [[1, 2], [0, 2], [0, 1], [0, 1, 2], [0, 1, 2]])
    assert ratios[3] > 2
    assert ratios[4] < -2
