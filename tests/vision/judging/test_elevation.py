"""What the camera's elevation, as the classifier sees it, says of a reading."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision import Die, Reading
from vision.judging.interpretation import camera_elevation, interpret
from vision.judging.seen import ELEVATIONS, SHARES, Seen
from vision.judging.weights import Calibration
from vision.reader import CALIBRATION, MODELS

PICTURES = Path(__file__).resolve().parents[2] / "pictures"
CALIBRATED = Calibration.load(MODELS / CALIBRATION)


def test_the_dice_say_from_how_high_the_camera_looks() -> None:
    reading = Reading(1000, 1000, (Die(4, 0.95, (100.0, 100.0, 200.0, 200.0), True),))
    known = detections(25, 85)
    assert camera_elevation(reading, known) == pytest.approx(25, abs=0.1)
    assert math.isnan(camera_elevation(Reading(1000, 1000, ()), known))


@pytest.mark.parametrize(("elevation", "chance", "sure"), [(85, 0.995, False), (85, 0.9995, True), (25, 0.995, True)])
def test_a_single_die_that_shows_one_face_must_be_very_clear(elevation: int, chance: float, sure: bool) -> None:
    """Seen from its front, it looks like one from above."""
    seen = detections(elevation, chances=chance)
    reading = interpret(seen, CALIBRATED, 1)
    assert reading.sure == sure
    assert [ask.reason for ask in reading.asks] == ([] if sure else ["doubtful-value"])


@pytest.mark.parametrize("off", range(0, 60, 10))
def test_a_die_that_looks_seen_from_elsewhere_than_the_others_is_not_sure(off: int) -> None:
    reading = interpret(detections(85, 85, 85 - off, 85), CALIBRATED, 4)
    odd = off > 40
    assert [die.sure for die in reading.dice] == [True, True, not odd, True]
    assert reading.sure != odd
    assert [ask.reason for ask in reading.asks] == ["doubtful-value"] * odd


def detections(*degrees: int, chances: float = 0.9995) -> Seen:
    """Dice side by side, each seen from this elevation, and each a four with the probability `chances`."""
    count = len(degrees)
    boxes = np.array([[0.1 + 0.2 * i, 0.1, 0.2 + 0.2 * i, 0.2] for i in range(count)], np.float32)
    logits = np.full((count, 7), -20.0, np.float32)
    logits[:, 3], logits[:, 4] = np.log(chances), np.log(1 - chances)
    bands = np.full((count, ELEVATIONS), -20.0, np.float32)
    bands[np.arange(count), [at // 10 for at in degrees]] = 0.0
    shares = np.zeros((count, 1 + len(SHARES)), np.float32)
    logits *= CALIBRATED.temperature
    return seen_of(1000, 1000, boxes, np.full(count, 0.95), logits, elevations=bands, shares=shares)
