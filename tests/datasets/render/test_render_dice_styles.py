"""Dice as solids: faces, pips, poses. Needs no numba."""

from collections import Counter

import numpy as np
import pytest

from datasets.render import dice_styles
from datasets.render.scene import UP

VALUES = range(1, 7)


def any_styles(count: int = 60) -> list[dice_styles.DieStyle]:
    return [dice_styles.any_style(np.random.default_rng(seed)) for seed in range(count)]


@pytest.mark.parametrize("left_handed", [False, True])
def test_opposite_faces_sum_to_seven(left_handed: bool) -> None:
    values = dice_styles.face_values(left_handed)
    assert sorted(values) == list(VALUES)
    assert [values[i] + values[i + 1] for i in (0, 2, 4)] == [7, 7, 7]


@pytest.mark.parametrize(("left_handed", "turns"), [(False, 1.0), (True, -1.0)])
def test_one_two_three_turn_the_way_of_the_make(left_handed: bool, turns: float) -> None:
    normal = {value: dice_styles.NORMALS[face] for face, value in enumerate(dice_styles.face_values(left_handed))}
    assert float(np.cross(normal[1], normal[2]) @ normal[3]) == turns


@pytest.mark.parametrize("value", VALUES)
def test_a_face_has_as_many_pips_as_its_value(value: int) -> None:
    for style in any_styles():
        marks = [pip for pip in dice_styles.pips(style, value) if pip.radius > 0]
        assert len({(pip.u, pip.v) for pip in marks}) == value


@pytest.mark.parametrize("value", VALUES)
def test_pips_lie_apart_on_their_face_and_about_its_middle(value: int) -> None:
    for style in any_styles():
        marks = [pip for pip in dice_styles.pips(style, value) if pip.radius > 0]
        spots = np.array([(pip.u, pip.v) for pip in marks])
        assert np.allclose(spots.mean(0), 0.0)
        for i, one in enumerate(marks):
            assert max(abs(one.u), abs(one.v)) + one.radius < style.size / 2
            for other in marks[:i]:
                assert np.hypot(one.u - other.u, one.v - other.v) > one.radius + other.radius


def test_six_is_two_rows_of_three_either_way() -> None:
    rows = Counter()
    for style in any_styles():
        u = {round(pip.u, 6) for pip in dice_styles.pips(style, 6) if pip.radius > 0}
        rows[len(u)] += 1
    assert set(rows) == {2, 3}


def test_the_pips_of_some_twos_are_close_together_across_the_corners_or_side_by_side() -> None:
    kinds = set()
    for style in any_styles():
        one, other = (pip for pip in dice_styles.pips(style, 2) if pip.radius > 0)
        level = one.u == other.u or one.v == other.v
        kinds.add((level, np.hypot(one.u - other.u, one.v - other.v) < 2 * style.spacing * style.size))
    assert kinds == {(False, False), (False, True), (True, True)}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("left_handed", [False, True])
def test_the_value_asked_for_is_up(value: int, left_handed: bool) -> None:
    style = dice_styles.DieStyle(
        size=1.0, corner=0.1, cut=0.0, material=any_styles(1)[0].material, pip=(0, 0, 0), left_handed=left_handed
    )
    body = dice_styles.die(style, value, 3.0, -2.0, yaw=0.7)
    assert body.values[body.top] == value
    assert np.allclose(body.rotation @ dice_styles.NORMALS[body.top], UP)
    assert np.allclose(body.rotation @ body.rotation.T, np.eye(3))
    assert np.linalg.det(body.rotation) == pytest.approx(1.0)


def test_a_lying_die_touches_the_table_and_a_leaning_one_too() -> None:
    for style in any_styles(20):
        lying = dice_styles.die(style, 4, 0.0, 0.0, 0.3)
        assert lying.position[2] == pytest.approx(style.size / 2)
        leaning = dice_styles.die(style, 4, 0.0, 0.0, 0.3, lean=0.2, toward=1.0)
        assert leaning.position[2] > lying.position[2] or style.cut
        assert leaning.tilt() == pytest.approx(np.degrees(0.2))
        assert leaning.values[leaning.top] == 4
