"""Whether what lies across the border is a cut die: what the detector finds there, and what the network of the border
says, count together."""

from __future__ import annotations

import numpy as np
import pytest

from vision.beyond import Beyond, CutOdds
from vision.border import Places
from vision.reader import MODELS
from vision.reading import Die, Reading

READING = Reading(900, 600, (Die(3, 0.99, (300.0, 300.0, 360.0, 360.0), sure=True),))
FORM = np.zeros((6, 6))
FORM[0, 5] = 1.0  # the detector's log-odds alone
BOTH = np.zeros((3, 3))
BOTH[0, 2] = BOTH[1, 2] = 1.0  # the sum
ODDS = CutOdds(FORM, BOTH)
AT_TOP, AT_LEFT = (400, -30, 460, 30), (0, 400, 30, 460)


def find(
    things: float | None,
    at_top: float,
    at_left: float,
    counted: bool = False,
    odds: CutOdds = ODDS,
    inside: float = 1.5,
) -> object:
    """What is found: the detector says `things` of what lies at the top, if anything; the network the rest. `inside`:
    the log-ratio of dice and lookalikes."""
    boxes = np.array([AT_TOP] if things is not None else [], np.float32).reshape(-1, 4)
    numbers = np.array([[things or 0.0, 0, inside, 0, 0]])[: len(boxes)]
    places = np.array([[0.44, 0.0, 0.51, 0.05], [0.0, 0.667, 0.033, 0.767]], np.float32)
    seen = Places(places, np.array([at_top, at_left], np.float32))
    beyond = Beyond(np.zeros((600, 900, 3), np.uint8), boxes, np.full(len(boxes), 0.5, np.float32), 0)
    found = beyond.find_die(odds, numbers, seen, READING, counted)
    return None if found is None else ("top" if found[1] == 0 and found[0] > 300 else "left")


@pytest.mark.parametrize(
    ("things", "at_top", "at_left", "found"),
    [
        (1.0, 1.0, -9.0, "top"),
        (1.0, -2.0, -9.0, None),  # the network sees no die where the detector half does
        (-1.0, 2.0, -9.0, "top"),
        (-1.0, 2.0, 7.0, "left"),  # where the detector finds nothing, the network must be surer
        (None, 3.0, -9.0, None),
        (None, 5.0, -9.0, "top"),
        (3.0, -9.0, -9.0, None),
    ],
)
def test_both_count_together(things: float | None, at_top: float, at_left: float, found: str | None) -> None:
    assert find(things, at_top, at_left) == found


def test_more_is_wanted_if_all_dice_of_the_count_are_seen() -> None:
    assert find(0.6, 0.6, -9.0) == "top"
    assert find(0.6, 0.6, -9.0, counted=True) is None
    assert find(2.0, 2.0, -9.0, counted=True) == "top"


def test_more_is_wanted_among_things_that_look_like_dice() -> None:
    """Numeral dice, chips and print: what the edge cuts is mostly one more of them."""
    for counted in (True, False):
        assert find(0.9, 0.9, -9.0, counted) == "top"
        assert find(0.9, 0.9, -9.0, counted, inside=-1.5) is None
        assert find(1.1, 1.1, -9.0, counted, inside=-1.5) == "top"


@pytest.mark.parametrize(("height", "found"), [(60.0, False), (40.0, True)])
def test_a_square_die_at_the_border_is_no_cut_one(height: float, found: bool) -> None:
    """In the mirrored picture, a die that lies at the border looks like one across it."""
    reading = Reading(900, 600, (Die(3, 0.99, (400.0, 0.0, 460.0, height), sure=True),))
    boxes = np.array([(400, -10, 460, height)], np.float32)
    beyond = Beyond(np.zeros((600, 900, 3), np.uint8), boxes, np.full(1, 0.5, np.float32), 0)
    box = beyond.find_die(CutOdds(FORM), np.array([[3.0, 0, 1.5, 0, 0]]), None, reading, counted=True)
    assert (box is not None) == found


def test_odds_of_older_networks_weigh_the_detector_alone() -> None:
    assert find(2.0, -9.0, -9.0, odds=CutOdds(FORM)) == "top"


def test_the_shipped_odds_rise_with_both() -> None:
    odds = CutOdds.load(MODELS / "cut-odds.npz")
    assert odds is not None
    seen, things = (each.ravel() for each in np.meshgrid(np.arange(-6.0, 5.0), np.arange(-3.0, 4.0)))
    values = odds.of_both(seen.astype(np.float32), things).reshape(7, 11)
    assert (np.diff(values, axis=0) > 0).all()
    assert (np.diff(values, axis=1) > 0).all()
