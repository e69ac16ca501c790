"""Glances: the camera's drift, the light, and what moves apart from them."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.vision.scenes import WIDTH, Film, picture_of_dice
from vision.arrays import Pixels
from vision.light import brightness
from vision.watch.motion import (
    GLANCE,
    Difference,
    Drift,
    appearance_correlation,
    changed_boxes,
    drift_between,
    glance,
    is_as_sharp,
    is_quiet,
    largest_new,
    learn_table,
)

NO_DICE = np.zeros((0, 4))


def glance_at(film: Film) -> Pixels:
    return glance(film.frame())


def reaches_in(change: Difference, dice: npt.NDArray[np.float64], mask: npt.NDArray[np.bool_] | None = None) -> bool:
    return largest_new(change, dice, mask, at_edge=True) >= 0.01


def two_glances(**changes: object) -> tuple[Pixels, Pixels]:
    """A glance at six dice, and one after these changes."""
    film = Film().throw(0, 1, 2, 3, 4, 5)
    before = glance_at(film)
    for name, value in changes.items():
        setattr(film, name, value)
    return before, glance_at(film)


@pytest.mark.parametrize("shape", [(2224, 1080, 3), (480, 640, 3), (90, 160, 3)])
def test_a_glance_is_small_and_keeps_its_colours(shape: tuple[int, int, int]) -> None:
    small = glance(np.full(shape, (250, 10, 10), np.uint8))
    assert max(small.shape) == min(GLANCE, max(shape))
    assert small.shape[0] * shape[1] == pytest.approx(small.shape[1] * shape[0], rel=0.02)
    assert (small == (250, 10, 10)).all()


def test_noise_is_quiet_and_a_hand_is_not() -> None:
    assert is_quiet(*two_glances())
    assert not is_quiet(*two_glances(hand=(300.0, 240.0)))


def test_the_cameras_drift_is_seen_and_is_no_movement() -> None:
    before, now = two_glances(camera=(8.0, -5.0))
    drift = drift_between(before, now)
    assert drift is not None
    assert drift.shift == pytest.approx(complex(8, -5) * GLANCE / 640, abs=0.3)
    assert abs(drift.turn) == pytest.approx(1, abs=0.01)
    assert not len(changed_boxes(Difference(before, now, drift).mask))
    assert len(changed_boxes(Difference(before, now).mask))


def test_too_little_to_follow_tells_no_drift() -> None:
    plain: npt.NDArray[np.uint8] = np.full((180, 240, 3), 90, np.uint8)
    assert drift_between(plain, plain) is None


@pytest.mark.parametrize("times", [0.7, 1.15])
def test_other_light_is_no_movement(times: float) -> None:
    assert not len(changed_boxes(Difference(*two_glances(light=times)).mask))


def test_a_die_that_was_moved_is_seen_where_it_was_and_where_it_is() -> None:
    film = Film().throw(0, 1)
    before = glance_at(film)
    film.dice[1] = (200.0, 100.0)
    parts = changed_boxes(Difference(before, glance_at(film)).mask)
    middles = (parts[:, :2] + parts[:, 2:]) / 2 * 640 / GLANCE
    for place in ((184, 114), (384, 214)):
        assert np.linalg.norm(middles - place, axis=1).min() < 40


def test_a_hand_reaches_in_and_a_lifted_die_does_not() -> None:
    assert reaches_in(Difference(*two_glances(hand=(300.0, 240.0))), NO_DICE)
    film = Film().throw(0, 1)
    before = glance_at(film)
    now = glance_at(film.lift(1))
    assert not reaches_in(Difference(before, now), np.array([[140, 68, 228, 160]]) * GLANCE / 640)
    left_half = np.zeros(before.shape[:2], bool)
    left_half[:, : GLANCE // 3] = True
    assert not reaches_in(Difference(*two_glances(hand=(450.0, 240.0))), NO_DICE, left_half)


def test_a_hand_as_light_as_the_table_is_seen() -> None:
    table = np.full((180, 240, 3), (165, 104, 180), np.uint8)
    hand = table.copy()
    hand[60:120, :100] = (150, 122, 122)
    grey, other = (cv2.cvtColor(each[90:91, 50:51], cv2.COLOR_RGB2GRAY).item() for each in (table, hand))
    assert abs(int(grey) - int(other)) <= 3
    assert Difference(table, hand).mask[62:118, 2:98].all()
    assert reaches_in(Difference(table, hand), NO_DICE)


def test_what_covers_most_of_the_picture_is_not_taken_for_other_light() -> None:
    """Light falls on everything; a third of the table is as light as before."""
    table = np.full((180, 240, 3), (200, 205, 190), np.uint8)
    covered = table.copy()
    covered[:, 80:] = (140, 138, 133)
    changed = Difference(table, covered).mask
    assert changed[2:-2, 82:-2].all()
    assert not changed[:, :78].any()


@pytest.mark.parametrize("turned", [False, True])
def test_lamps_that_flicker_are_no_movement_and_an_arm_across_the_picture_is_one(turned: bool) -> None:
    rows = 1 + 0.2 * np.sin(np.linspace(0.5, 10, 180))[:, None, None]
    table = cv2.GaussianBlur(np.random.default_rng(0).integers(0, 255, (180, 240, 3), np.uint8), (0, 0), 2)
    flickers = (table * rows).clip(0, 255).astype(np.uint8)
    arm = flickers.copy()
    arm[70:110] = (90, 70, 60)
    before, lit, across = (
        np.ascontiguousarray(each.swapaxes(0, 1) if turned else each) for each in (table, flickers, arm)
    )
    assert not len(changed_boxes(Difference(before, lit).mask))
    assert reaches_in(Difference(before, across), NO_DICE)


def test_white_dice_that_were_overexposed_do_not_move_as_lamps_flicker() -> None:
    rows = 1.15 - 0.2 * np.sin(np.linspace(0.5, 10, 180))[:, None, None]
    table = np.full((180, 240, 3), 110, np.uint8)
    table[40:140, 30:60] = 250  # so light that most of it is white in other light
    before, now = ((table * light).clip(0, 255).astype(np.uint8) for light in (rows, rows[::-1]))
    assert not len(changed_boxes(Difference(before, now).mask))
    now[60:75, 40:50] = 40
    assert len(changed_boxes(Difference(before, now).mask))


def test_a_hand_is_not_learnt_as_the_table() -> None:
    empty, covered = glance_at(Film()), glance_at(Film(hand=(300.0, 240.0)))
    bare = learn_table(None, None, empty, NO_DICE)
    with_hand = learn_table(bare, Difference(empty, covered), covered, NO_DICE)
    assert not Difference(with_hand, empty).mask.any()
    stays = learn_table(with_hand, Difference(covered, covered), covered, NO_DICE)
    assert not Difference(stays, covered).mask.any(), "what lies there at two rests is no hand"


def test_light_is_that_of_the_lighter_half() -> None:
    grey = np.zeros((10, 10), np.uint8)
    grey[5:] = 80
    assert brightness(grey) == 80
    assert brightness(grey[grey == 0]) == 0


def test_drifts_follow_each_other() -> None:
    first, second = Drift(1j, 2 + 0j), Drift(0.5 + 0j, 1 + 1j)
    boxes = np.array([[10.0, 20.0, 14.0, 24.0]])
    one_by_one = second.move_boxes(first.move_boxes(boxes))
    assert first.then(second).move_boxes(boxes) == pytest.approx(one_by_one)
    assert one_by_one[0, 2] - one_by_one[0, 0] == pytest.approx(2)
    assert Drift(1 + 0j, 3 + 4j).length(100, 50) == 5


def test_dice_out_of_focus_still_look_alike_and_lifted_ones_do_not() -> None:
    """However little of their places has changed: what lies on a table may be as light as the table."""
    before, blurred = two_glances(blur=9.0)
    _, bare = two_glances(dice={})
    boxes = np.array([box for _, box in picture_of_dice(Film().name)[2]]) * GLANCE / WIDTH
    assert np.median(appearance_correlation(Difference(before, blurred), boxes)) > 0.9
    assert np.median(appearance_correlation(Difference(before, bare), boxes)) < 0.5
    assert appearance_correlation(Difference(before, before), boxes) == pytest.approx(1)
    assert appearance_correlation(Difference(before, before), boxes + 1000) == pytest.approx(0)


def test_a_pattern_tells_whether_the_picture_is_out_of_focus() -> None:
    boxes = np.array([box for _, box in picture_of_dice(Film().name)[2]]) * GLANCE / WIDTH
    bare = glance_at(Film(checked=0.5))
    checked = glance_at(Film(checked=0.5).throw(0, 1))
    assert is_as_sharp(checked, bare, boxes, boxes)
    assert not is_as_sharp(checked, glance_at(Film(checked=0.5, blur=5.0)), boxes, boxes)
    plain = np.random.default_rng(0).normal(110, 2, bare.shape).astype(np.uint8)
    assert not is_as_sharp(plain, plain, boxes, boxes), "noise tells nothing"
    everywhere = np.array([[0.0, 0.0, 640.0, 480.0]])
    assert not is_as_sharp(checked, checked, everywhere, everywhere)
