"""What the networks are taught of what the detector so far gets wrong."""

import dataclasses
from pathlib import Path
from typing import cast

import numpy as np
import pytest

pytest.importorskip("ultralytics", reason="the training packages are not installed")
pytest.importorskip("onnx", reason="the training packages are not installed")

from datasets.augmentation.mixing import TrainingPhoto
from datasets.finding import DiceFinder
from datasets.photos import LabelledPhoto
from datasets.training.crop_training import false_positives_of
from datasets.training.crop_training import sampling_weights as weights_of_crops
from datasets.training.detector_training import sampling_weights as weights_of_dice
from vision.backend import Network
from vision.judging.seen import DIRECTIONS, FEATURES
from vision.photo import Photo

DIE, DOMINO = [0.1, 0.1, 0.3, 0.3], [0.5, 0.5, 0.9, 0.7]


def test_what_the_detector_takes_for_a_die_is_no_die() -> None:
    """Half a domino always, a thing without a label only where the score does not say that its label was forgotten, or
    where no label was; an unclear die never."""
    half, unlabelled, forgotten = [0.5, 0.5, 0.7, 0.7], [0.0, 0.7, 0.2, 0.9], [0.7, 0.1, 0.9, 0.3]
    scores = {tuple(half): 0.95, tuple(DIE): 0.9, tuple(forgotten): 0.8, tuple(unlabelled): 0.4}

    class FixedFinder:
        def find(self, photo: Photo, least: float) -> tuple[np.ndarray, np.ndarray]:
            return np.array(list(scores), np.float32), np.array(list(scores.values()), np.float32)

    photo = LabelledPhoto(
        Path("x.png"), (3,), np.array([DIE], np.float32), np.array([2]), others=np.array([DOMINO], np.float32)
    )
    wrong = false_positives_of(cast(DiceFinder, FixedFinder()), photo, np.zeros((300, 400, 3), np.uint8))
    np.testing.assert_allclose(wrong, [half, unlabelled], atol=1e-6)
    photo = dataclasses.replace(photo, unclear=np.array([unlabelled], np.float32))
    wrong = false_positives_of(cast(DiceFinder, FixedFinder()), photo, np.zeros((300, 400, 3), np.uint8), complete=True)
    np.testing.assert_allclose(wrong, [half, forgotten], atol=1e-6)


def test_a_die_that_the_detector_misses_is_looked_at_more_often() -> None:
    boxes = np.array([[10, 10, 50, 50], [100, 10, 140, 50], [200, 10, 240, 50]], np.float32)

    class FixedFinder:
        def find(self, photo: Photo, least: float) -> tuple[np.ndarray, np.ndarray]:
            pip = np.array([115, 25, 125, 35], np.float32)  # of the second die, the third is not found at all
            return np.stack([boxes[0] + 2, pip]) / [300, 100, 300, 100], np.array([0.9, 0.8], np.float32)

    weights = weights_of_dice(cast(DiceFinder, FixedFinder()), TrainingPhoto(np.zeros((100, 300, 3), np.uint8), boxes))
    assert weights[0] < weights[1] == weights[2]


def test_what_the_classifier_reads_wrongly_or_hardly_is_shown_more_often() -> None:
    boxes = np.array([DIE, [0.5, 0.1, 0.7, 0.3], DOMINO], np.float32)
    seen = np.zeros((3, 7 + DIRECTIONS), np.float32)
    seen[[0, 1, 2], [2, 4, 6]] = 12, 12, 1  # a three, a five, hardly anything

    class FixedClassifier:
        def outputs(self, crops: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            return np.tile(seen, (len(crops) // 3, 1)), np.zeros((len(crops), FEATURES), np.float32)

    pixels = np.zeros((300, 400, 3), np.uint8)
    weights = weights_of_crops(cast(Network, FixedClassifier()), pixels, boxes, np.array([2, 3, 6]))
    assert weights[0] == 1
    assert weights[1] == weights[2] > 1
    assert weights_of_crops(None, pixels, boxes, np.array([2, 3, 6])).tolist() == [1, 1, 1]
