"""A candidate that looks like the dice beside it is more likely a die."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision.arrays import as_row, as_rows
from vision.judging.dice_memory import set_ratios
from vision.judging.interpretation import assess, interpret
from vision.judging.seen import FEATURES, Seen
from vision.judging.weights import Calibration
from vision.likeness_map import SetMap
from vision.network_eye import LIKENESS
from vision.reader import CALIBRATION, MODELS
from vision.reasons import ModelError

SIZE = 5
PLAIN = SetMap(np.full(SIZE, 0.5, np.float32), np.eye(SIZE, dtype=np.float32), np.array([50, 20, 9, 9, 1], np.float32))
CALIBRATED = dataclasses.replace(Calibration.load(MODELS / CALIBRATION), odd_box=0.0, same_set=0.5)


def of_set(seed: int, count: int) -> np.ndarray:
    """Features (count, SIZE) of dice of one set, as the model has them."""
    rng = np.random.default_rng(seed)
    mean = rng.normal(size=SIZE) * np.sqrt(PLAIN.between)
    return (PLAIN.middle + mean + rng.normal(size=(count, SIZE))).astype(np.float32)


def ratios(features: np.ndarray, sure: Sequence[bool]) -> tuple[float, ...]:
    beside = [[other for other, one in enumerate(sure) if one and other != thing] for thing in range(len(sure))]
    return set_ratios(as_row(PLAIN.between), as_rows(PLAIN.vectors(features)), beside)


def log_density(values: np.ndarray, covariance: np.ndarray) -> float:
    return float(-0.5 * (values @ np.linalg.solve(covariance, values) + np.linalg.slogdet(2 * np.pi * covariance)[1]))


def test_the_ratio_is_that_of_the_densities_written_out() -> None:
    """Dice of one set share their mean, so each direction's values vary together by `between`."""
    features = of_set(3, 4)
    sure = [True, False, True, True]
    written = []
    for thing in range(4):
        beside = [i for i in range(4) if sure[i] and i != thing]
        logs = 0.0
        for k, between in enumerate(PLAIN.between.astype(np.float64)):
            column = features[:, k].astype(np.float64) - PLAIN.middle[k]
            together = np.eye(len(beside) + 1) + between
            logs += log_density(column[[thing, *beside]], together) - log_density(column[beside], together[1:, 1:])
            logs -= log_density(column[[thing]], np.array([[1 + between]]))
        written.append(logs)
    assert ratios(features, sure) == pytest.approx(written, abs=1e-4)


def test_where_nothing_sure_lies_beside_it_nothing_is_said() -> None:
    features = of_set(1, 2)
    assert ratios(features, [False, False]) == (0, 0)
    assert ratios(features, [True, False])[0] == 0
    assert ratios(features[:0], []) == ()


def three_dice_and(doubtful: np.ndarray, none: float) -> Seen:
    """Three clear ones, and a thing of these features (SIZE,) that is more probably none than a two by `none`."""
    boxes = np.array([[0.2 * i + 0.01, 0.4, 0.2 * i + 0.09, 0.5] for i in range(4)], np.float32)
    logits = np.zeros((4, 7), np.float32)
    logits[:3, 0], logits[3, 1], logits[3, 6] = 9, 6, 6 + none
    features = np.concatenate([of_set(7, 3), doubtful[None]])
    seen = seen_of(500, 500, boxes, [0.8, 0.8, 0.8, 0.7], logits, set_vectors=PLAIN.vectors(features))
    return dataclasses.replace(seen, set_between=as_row(PLAIN.between))


def test_a_doubtful_thing_like_the_dice_beside_it_is_a_die() -> None:
    """Left out without a word before, since the classifier half took it for print."""
    like, unlike = three_dice_and(of_set(7, 3).mean(0), none=0.3), three_dice_and(of_set(8, 1)[0], none=0.3)
    assert interpret(dataclasses.replace(like, set_vectors=((),) * 4, set_between=()), CALIBRATED).values == (1, 1, 1)
    assert interpret(like, CALIBRATED).values == (1, 1, 1, 2)
    assert assess(unlike, CALIBRATED).alone[3] < assess(like, dataclasses.replace(CALIBRATED, same_set=0.0)).alone[3]


def test_a_die_is_not_compared_with_another_box_of_itself() -> None:
    seen = three_dice_and(of_set(7, 3)[0], none=0.3).pick([0, 3])
    inside = dataclasses.replace(seen, boxes=(seen.boxes[0], (0.02, 0.41, 0.08, 0.5)))
    assert assess(seen, CALIBRATED).alike[1] > 1
    assert assess(inside, CALIBRATED).alike == (0, 0)


def test_missing_and_broken_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / LIKENESS
    with pytest.raises(ModelError):
        SetMap.load(path)
    path.write_bytes(b"no archive")
    with pytest.raises(ModelError):
        SetMap.load(path)


def test_the_shipped_one_fits_the_classifier_and_counts() -> None:
    shipped = SetMap.load(MODELS / LIKENESS)
    assert shipped.middle.shape == (FEATURES,)
    assert shipped.across.shape == (FEATURES, len(shipped.between))
    assert Calibration.load(MODELS / CALIBRATION).same_set > 0
