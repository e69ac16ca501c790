"""Dice as solids: faces, pips, poses. Needs no numba."""

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
