"""Whether dice are too large or too small in a photo, on recorded values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision import Die, Reading
from vision.judging.framing import closer_frame, large_side, too_small
from vision.judging.seen import Candidates, Seen


def reading(side: float, *sure: bool, size: int = 400) -> Reading:
    dice = (
        Die(3, 0.99, (10 + 2 * side * i, 10, 10 + 2 * side * i + side, 10 + side), one) for i, one in enumerate(sure)
    )
    return Reading(size, size, tuple(dice))


@pytest.mark.parametrize(
    ("share", "side", "sure", "large"),
    [
        (0.99, 20, (), 0.99),
        (0.99, 20, (True,), 0.0),  # one small die on an empty table: the photo itself looks like a die
        (0.99, 60, (True,), 0.99),  # it may be a pip of a large one
        (0.4, 20, (True,), 0.4),
        (0.99, 20, (False,), 0.99),
    ],
)
def test_beside_a_die_smaller_than_a_pip_nothing_is_large(
    share: float, side: float, sure: tuple[bool, ...], large: float
) -> None:
    assert large_side(Candidates(((0.0, 0.0, share, share / 2),), (0.9,)), reading(side, *sure)) == pytest.approx(large)


@pytest.mark.parametrize(
    ("side", "dice", "small"), [(100, None, True), (100, 1, False), (100, 2, True), (15, 1, True), (200, None, False)]
)
def test_what_the_detector_hardly_sees_matters_only_if_dice_may_be_missed(
    side: float, dice: int | None, small: bool
) -> None:
    seen = Seen(4000, 4000, (), (), (), fineness=704 / 4000)
    assert too_small(reading(side, True, size=4000), seen, dice) == small
    assert (closer_frame(reading(side, True, size=4000), seen) is None) == (side == 200), "small dice are read closer"
    assert closer_frame(reading(side, True, size=4000), replace(seen, fineness=1.0)) is None, "it would be no finer"
