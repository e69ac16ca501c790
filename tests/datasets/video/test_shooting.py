"""What a camera and a room do to a video: they move and change the light, and never more than they should."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.render import post
from datasets.video.acting import Incident, Play
from datasets.video.shooting import Motion, Passing, Sensor, Wave, any_shoot, bands, squeeze
from datasets.video.stage import Stage, any_stage

SIZE = (160, 120)
STILL = Wave(0.0, (1.0, 1.0), (0.0, 0.0))
FIXED = Motion(STILL, STILL, STILL, STILL, (STILL, STILL))


@pytest.fixture(scope="module")
def stage() -> Stage:
    return any_stage(6, 0, 0, SIZE, None, 1)


def test_a_camera_on_a_stand_cuts_the_frame_out_of_the_plate(stage: Stage) -> None:
    expected = [[1, 0, -stage.margin], [0, 1, -stage.margin]]
    for at in (0.0, 1.7):
        assert np.allclose(FIXED.matrix(stage, at), expected)


def test_a_bump_moves_the_picture_and_is_over_soon(stage: Stage) -> None:
    motion = replace(FIXED, bumps=((1.0, 3.0, -1.0),))
    shifts = [float(np.abs(motion.matrix(stage, at)[:, 2] + stage.margin).max()) for at in (0.9, 1.03, 2.0)]
    assert shifts[0] == 0.0
    assert shifts[1] > 1.0
    assert shifts[2] < 0.01


@pytest.mark.parametrize("seed", range(8))
def test_what_a_moving_camera_sees_is_in_the_plate(stage: Stage, seed: int) -> None:
    incidents = [Incident("the camera is bumped", 1.0, 1.5)]
    shoot = any_shoot(np.random.default_rng(seed), Play(stage, [], incidents=incidents))
    corners = np.array([[0, 0, 1], [stage.width, 0, 1], [0, stage.height, 1], [stage.width, stage.height, 1]])
    for at in np.linspace(0, 9, 120):
        matrix = np.vstack([shoot.motion.matrix(stage, float(at)), [0, 0, 1]])
        seen = (corners @ np.linalg.inv(matrix).T)[:, :2]
        # a pixel or two may be repeated at the plate's own edge
        assert seen.min() > -0.012 * max(SIZE)
        assert (seen - [stage.camera.width, stage.camera.height]).max() < 0.012 * max(SIZE)


def test_incidents_change_the_light_when_they_happen(stage: Stage) -> None:
    incidents = [Incident("the exposure changes", 1.0, 1.4), Incident("a shadow passes", 2.0, 3.0)]
    shoot = any_shoot(np.random.default_rng(2), Play(stage, [], incidents=incidents))
    assert shoot.exposure(0.9) == 1.0
    assert abs(np.log(shoot.exposure(1.5))) > 0.1
    (shadow,) = shoot.passings
    shape = (stage.camera.height, stage.camera.width)
    assert shadow.dim(shape, stage.inside, 1.9) is None
    middle = shadow.dim(shape, stage.inside, 2.5)
    assert middle is not None
    assert middle.shape == (*shape, 1)
    assert 0.4 < middle.min() < 0.9
    assert middle.max() <= 1.0


def test_someone_who_walks_by_is_dark_at_the_border_only() -> None:
    walker = Passing(0.0, 1.0, (-0.2, -0.4, -0.2, 1.4), (0.28, 0.15), 0.006, 0.85)
    dim = walker.dim((240, 320), (20, 20, 300, 220), 0.5)
    assert dim is not None
    assert dim[120, 25, 0] < 0.3
    assert dim[120, 60:].min() > 0.95


def test_a_frame_without_noise_is_what_a_photo_would_be(stage: Stage) -> None:
    """The quick way to a frame gives what the way to a picture does, but for noise, bloom and rounding."""
    calm = replace(stage.look, noise=0.0, bloom=0.0, vignette=0.0, sharpen=0.0, miss=0.0, shake=0.0, focus_blur=0.0)
    calm = replace(calm, denoise=0.0, small=1.0, flicker=0.0, saturation=0.9)
    plain = replace(stage, look=calm)
    light = stage.trace([], stage.plate, 2, 1)[stage.margin : -stage.margin, stage.margin : -stage.margin]
    photo = post.develop(light, np.ones(light.shape[:2], np.float32), 1.0, calm, np.random.default_rng(1))
    frame = Sensor(np.random.default_rng(1), plain, light).frame(light, 0, 1.0)
    assert np.abs(frame.astype(int) - photo.astype(int)).max() <= 2


def test_flicker_lights_rows_differently_and_none_is_none(stage: Stage) -> None:
    shoot = any_shoot(np.random.default_rng(1), Play(stage, []))
    assert bands(replace(shoot, flicker=(0.0, 1.0, 2.0)), 120, 0.3) is None
    rows = bands(replace(shoot, flicker=(0.02, 1.0, 2.0)), 120, 0.3)
    assert rows is not None
    assert rows.shape == (120,)
    assert 0.005 < np.ptp(rows) <= 0.0401


def test_a_squeezed_frame_loses_a_little_and_one_that_is_not_nothing() -> None:
    frame = np.random.default_rng(1).integers(0, 256, (48, 64, 3)).astype(np.uint8)
    assert squeeze(frame, 0) is frame
    coarse = squeeze(frame, 40)
    assert coarse.shape == frame.shape
    assert coarse.dtype == np.uint8
    assert not np.array_equal(coarse, frame)
