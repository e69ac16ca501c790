"""Whether a die that the photo's edge cuts is noticed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision.judging.cut import find_cut
from vision.judging.seen import SHARES, Places, Seen
from vision.reading import Die, Reading

READING = Reading(1000, 1000, (Die(3, 0.99, (300, 300, 400, 400), True), Die(5, 0.99, (500, 300, 600, 400), True)))
AT_LEFT = (0.0, 0.6, 0.06, 0.7)


def seen(box: tuple[float, float, float, float], score: float, part: float) -> Seen:
    """The two dice, and a thing of this score that is some part of a die with this probability."""
    boxes = [(0.3, 0.3, 0.4, 0.4), (0.5, 0.3, 0.6, 0.4), box]
    shares = np.full((3, 1 + len(SHARES)), -20.0)
    shares[:, 1], shares[2, :2] = 0.0, (np.log(1 - part), np.log(part))
    return seen_of(1000, 1000, boxes, [0.9, 0.9, score], np.zeros((3, 7)), shares=shares)


def place(log_odds: float, box: tuple[float, float, float, float] = AT_LEFT) -> Places:
    return Places((box,), (log_odds,))


NOTHING = seen((0.7, 0.7, 0.8, 0.8), 0.05, 0.01)
HALF_SEEN = seen((0.0, 0.6, 0.08, 0.7), 0.6, 0.7)  # log-odds of 1.25


@pytest.mark.parametrize(
    ("things", "log_odds", "cut"),
    [
        (NOTHING, 1.4, False),
        (NOTHING, 1.6, True),
        (HALF_SEEN, -9.0, False),
        (HALF_SEEN, 0.4, True),  # both see one
        (seen((0.0, 0.6, 0.08, 0.7), 0.8, 0.8), -9.0, True),
        (seen((0.2, 0.6, 0.28, 0.7), 0.8, 0.8), -9.0, False),  # not at the edge
        (seen((0.0, 0.6, 0.04, 0.64), 0.8, 0.8), -9.0, False),  # a pip
    ],
)
def test_border_and_classifier_count_together(things: Seen, log_odds: float, cut: bool) -> None:
    found = find_cut(READING, things, place(log_odds))
    assert (found is not None) == cut
    assert found is None or found[0] == 0


@pytest.mark.parametrize(("width", "cut"), [(100.0, False), (60.0, True)])
def test_a_square_die_of_the_reading_at_the_border_is_whole(width: float, cut: bool) -> None:
    reading = Reading(1000, 1000, (Die(3, 0.99, (0, 600, width, 700), True),))
    assert (find_cut(reading, NOTHING, place(5.0)) is not None) == cut


def test_where_no_dice_lie_none_is_cut() -> None:
    assert find_cut(Reading(1000, 1000, ()), HALF_SEEN, place(5.0)) is None
    assert find_cut(READING, seen_of(9, 9, (), (), ()), Places()) is None
