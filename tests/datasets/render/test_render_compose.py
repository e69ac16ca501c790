"""Scenes before light falls on them. Needs no numba."""

from dataclasses import replace

import numpy as np
import pytest

from datasets.render import compose, lookalikes
from datasets.render.presets import PRESETS


def scene_of(preset: str, number: int) -> compose.Composition:
    return compose.compose(np.random.default_rng([7, number]), PRESETS[preset], 160, None)


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_bodies_do_not_stand_in_one_another(preset: str) -> None:
    for number in range(8):
        bodies = scene_of(preset, number).scene.bodies
        dice = [body for body in bodies if body.what == "die"]
        for i, die in enumerate(dice):
            for other in dice[:i]:
                assert np.linalg.norm(die.position - other.position) > 0.9 * (die.half[0] + other.half[0])


def test_presets_keep_to_what_they_promise() -> None:
    for number in range(30):
        composition = scene_of("check", number)
        assert composition.facts["tilt"] <= 60
        assert not composition.keep_cut
        dice = [body for body in composition.scene.bodies if body.what == "die"]
        assert len(dice) <= 6
        assert all(body.tilt() < 1e-6 for body in dice)


def test_values_that_are_given_are_the_values_thrown() -> None:
    rng = np.random.default_rng(3)
    scene = compose.compose(rng, PRESETS["plain"], 160, None, [1, 5, 5], (160, 120)).scene
    assert sorted(body.value or 0 for body in scene.bodies) == [1, 5, 5]
    assert (scene.camera.width, scene.camera.height) == (160, 120)


def test_the_camera_looks_at_the_origin_and_projects_what_it_unprojects() -> None:
    for number in range(10):
        camera = replace(scene_of("train", number).scene.camera)
        assert camera.project(np.zeros((1, 3)))[0] == pytest.approx(camera.centre)
        place = camera.on_table(camera.width * 0.4, camera.height * 0.6)
        assert place[2] == pytest.approx(0.0)
        assert camera.project(place[None])[0] == pytest.approx([camera.width * 0.4, camera.height * 0.6])


@pytest.mark.parametrize("makers", [lookalikes.LIKE, lookalikes.CLUTTER])
def test_everything_else_is_no_die_and_lies_on_the_table(makers: tuple[tuple[float, lookalikes.Maker], ...]) -> None:
    for _, maker in makers:
        for seed in range(12):
            bodies = maker(np.random.default_rng(seed), 1.0, 2.0)
            assert any(body.like for body in bodies) == (makers is lookalikes.LIKE)
            for body in bodies:
                assert body.value is None
                assert body.what != "die"
                assert body.position[2] > 0
                assert body.bound > 0
