"""Whether the photo's edge cuts a die: what the classifier says of candidates there, and the network of the border of
places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision.arrays import as_rows
from vision.judging.cut import find_cut
from vision.judging.seen import SHARES, Places, Seen
from vision.reading import Die, Reading

READING = Reading(900, 600, (Die(3, 0.99, (300.0, 300.0, 360.0, 360.0), sure=True),))
AT_TOP, AT_LEFT = (400.0, 0.0, 460.0, 25.0), (0.0, 400.0, 25.0, 460.0)
PART, NONE = 3, 0  # classes of the share in sight
NOWHERE = Places()
NOTHING = Seen(900, 600, (), (), ())


def thing(box: tuple[float, ...], share: int = PART, score: float = 0.3) -> Seen:
    boxes = np.array([box], np.float32) / np.array([900, 600] * 2, np.float32)
    shares = np.full((1, 1 + len(SHARES)), -3.0, np.float32)
    shares[0, share] = 3.0
    return seen_of(900, 600, boxes, [score], np.zeros((1, 7)), shares=shares)


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


def test_without_dice_nothing_tells_how_large_a_cut_one_would_be() -> None:
    assert find_cut(Reading(900, 600, ()), thing(AT_TOP), NOWHERE) is None


@pytest.mark.parametrize(("at_top", "at_left", "found"), [(2.0, -9.0, "top"), (2.0, 3.0, "left"), (1.0, -9.0, None)])
def test_the_likeliest_place_is_named(at_top: float, at_left: float, found: str | None) -> None:
    boxes = ((0.44, 0.0, 0.51, 0.05), (0.0, 0.667, 0.033, 0.767))
    box = find_cut(READING, NOTHING, Places(boxes, (at_top, at_left)))
    assert (None if box is None else "top" if box[1] == 0 else "left") == found


@pytest.mark.parametrize(("score", "across", "found"), [(0.3, 1.2, True), (0.3, 0.5, False), (0.02, 1.4, False)])
def test_where_both_see_one_each_may_be_less_clear(score: float, across: float, found: bool) -> None:
    place = ((0.44, 0.0, 0.51, 0.05),)
    seen = thing(AT_TOP, score=score)
    shares = np.zeros((1, 1 + len(SHARES)))
    shares[0, PART] = 1.0 + np.log(4.0)  # the odds of a part are about e to 1 by this, less than alone
    seen = replace(seen, shares=as_rows(shares))
    assert find_cut(READING, seen, NOWHERE) is None
    assert (find_cut(READING, seen, Places(place, (across,))) is not None) == found


@pytest.mark.parametrize("sure", [True, False])
def test_a_sure_die_at_the_border_is_no_cut_one(sure: bool) -> None:
    reading = Reading(900, 600, (Die(3, 0.99, (400.0, 0.0, 460.0, 60.0), sure),))
    places = Places(((0.44, 0.0, 0.52, 0.1),), (5.0,))
    assert (find_cut(reading, NOTHING, places) is not None) != sure
