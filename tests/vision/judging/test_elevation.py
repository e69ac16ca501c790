"""What the camera's elevation, as the classifier sees it, says of a reading."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision.judging.interpretation import interpret
from vision.judging.seen import ELEVATIONS, SHARES, Seen
from vision.judging.weights import Calibration
from vision.reader import CALIBRATION, MODELS

PICTURES = Path(__file__).resolve().parents[2] / "pictures"
CALIBRATED = Calibration.load(MODELS / CALIBRATION)


@pytest.mark.parametrize(("elevation", "chance", "flat"), [(15, 0.9, True), (25, 0.9, False), (15, 0.9999, False)])
def test_an_unsure_reading_says_that_the_dice_are_seen_from_the_side(elevation: int, chance: float, flat: bool) -> None:
    reading = interpret(detections(elevation, elevation, chances=chance), CALIBRATED, 2)
    assert (reading.obstacles == ("from-the-side",)) == flat


@pytest.mark.parametrize(("elevation", "chance", "sure"), [(85, 0.995, False), (85, 0.9995, True), (25, 0.995, True)])
def test_a_single_die_that_shows_one_face_must_be_very_clear(elevation: int, chance: float, sure: bool) -> None:
    """Seen from its front, it looks like one from above."""
    seen = detections(elevation, chances=chance)
    reading = interpret(seen, CALIBRATED, 1)
    assert reading.sure == sure
    assert [ask.reason for ask in reading.asks] == ([] if sure else ["doubtful-value"])


def detections(*degrees: int, chances: float = 0.9995) -> Seen:
    """Dice side by side, each seen from this elevation, and each a four with the probability `chances`."""
    count = len(degrees)
    boxes = np.array([[0.1 + 0.2 * i, 0.1, 0.2 + 0.2 * i, 0.2] for i in range(count)], np.float32)
    logits = np.full((count, 7), -20.0, np.float32)
    logits[:, 3], logits[:, 4] = np.log(chances), np.log(1 - chances)
    bands = np.full((count, ELEVATIONS), -20.0, np.float32)
    bands[np.arange(count), [at // 10 for at in degrees]] = 0.0
    shares = np.zeros((count, SHARES), np.float32)
    logits *= CALIBRATED.temperature
    return seen_of(1000, 1000, boxes, np.full(count, 0.95), logits, elevations=bands, shares=shares)
