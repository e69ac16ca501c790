"""Whether the photo's edge cuts a die: what the classifier says of candidates there, and the network of the border of
places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.border import Places
from vision.classifier import SHARES
from vision.cut import find_cut
from vision.interpretation import Detections
from vision.reading import Die, Reading

READING = Reading(900, 600, (Die(3, 0.99, (300.0, 300.0, 360.0, 360.0), sure=True),))
AT_TOP, AT_LEFT = (400.0, 0.0, 460.0, 25.0), (0.0, 400.0, 25.0, 460.0)
PART, NONE = 3, 0  # classes of the share in sight
NOWHERE = Places(np.zeros((0, 4), np.float32), np.zeros(0, np.float32))
NOTHING = Detections(900, 600, np.zeros((0, 4), np.float32), np.zeros(0, np.float32), np.zeros((0, 7), np.float32))


def thing(box: tuple[float, ...], share: int = PART, score: float = 0.3) -> Detections:
    boxes = np.array([box], np.float32) / np.array([900, 600] * 2, np.float32)
    shares = np.full((1, 1 + len(SHARES)), -3.0, np.float32)
    shares[0, share] = 3.0
    return Detections(900, 600, boxes, np.array([score], np.float32), np.zeros((1, 7), np.float32), shares=shares)


@pytest.mark.parametrize("box", [AT_TOP, AT_LEFT, (850.0, 100.0, 900.0, 160.0), (100.0, 570.0, 150.0, 600.0)])
def test_a_part_of_a_die_at_the_edge_is_found_with_its_place(box: tuple[float, ...]) -> None:
    assert find_cut(READING, thing(box), NOWHERE) == pytest.approx(box, abs=0.01)


@pytest.mark.parametrize(
    ("box", "share", "score"),
    [
        (AT_TOP, NONE, 0.3),  # the classifier takes it for no part of a die
        (AT_TOP, PART, 0.001),  # the detector hardly sees it
        ((400.0, 20.0, 460.0, 45.0), PART, 0.3),  # it lies wholly in the photo
        ((400.0, 0.0, 425.0, 20.0), PART, 0.3),  # too small for one of these dice
        ((400.0, 0.0, 560.0, 40.0), PART, 0.3),  # too large
    ],
)
def test_what_is_no_part_of_such_a_die_is_not(box: tuple[float, ...], share: int, score: float) -> None:
    assert find_cut(READING, thing(box, share, score), NOWHERE) is None


def test_a_die_of_the_reading_is_none_that_is_cut() -> None:
    reading = Reading(900, 600, (Die(3, 0.99, (400.0, 0.0, 460.0, 60.0), sure=True),))
    assert find_cut(reading, thing((400.0, 0.0, 460.0, 60.0)), NOWHERE) is None


def test_older_networks_know_no_parts() -> None:
    seen = thing(AT_TOP)
    older = Detections(900, 600, seen.boxes, seen.scores, seen.logits)
    assert find_cut(READING, older, NOWHERE) is None
    assert find_cut(Reading(900, 600, ()), seen, NOWHERE) is None


@pytest.mark.parametrize(("at_top", "at_left", "found"), [(2.0, -9.0, "top"), (2.0, 3.0, "left"), (1.0, -9.0, None)])
def test_the_likeliest_place_is_named(at_top: float, at_left: float, found: str | None) -> None:
    boxes = np.array([[0.44, 0.0, 0.51, 0.05], [0.0, 0.667, 0.033, 0.767]], np.float32)
    box = find_cut(READING, NOTHING, Places(boxes, np.array([at_top, at_left], np.float32)))
    assert (None if box is None else "top" if box[1] == 0 else "left") == found


@pytest.mark.parametrize(("score", "across", "found"), [(0.3, 1.2, True), (0.3, 0.5, False), (0.02, 1.4, False)])
def test_where_both_see_one_each_may_be_less_clear(score: float, across: float, found: bool) -> None:
    place = np.array([[0.44, 0.0, 0.51, 0.05]], np.float32)
    seen = thing(AT_TOP, score=score)
    shares = np.zeros_like(seen.shares)
    shares[0, PART] = 1.0 + np.log(4.0)  # the odds of a part are about e to 1 by this, less than alone
    seen = replace(seen, shares=shares)
    assert find_cut(READING, seen, NOWHERE) is None
    assert (find_cut(READING, seen, Places(place, np.array([across], np.float32))) is not None) == found


@pytest.mark.parametrize(("height", "found"), [(60.0, False), (40.0, True)])
def test_a_square_die_at_the_border_is_no_cut_one(height: float, found: bool) -> None:
    reading = Reading(900, 600, (Die(3, 0.99, (400.0, 0.0, 460.0, height), sure=True),))
    places = Places(np.array([[0.44, 0.0, 0.52, 0.1]], np.float32), np.array([5.0], np.float32))
    assert (find_cut(reading, NOTHING, places) is not None) == found
