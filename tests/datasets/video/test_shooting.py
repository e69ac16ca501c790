"""What a camera and a room do to a video: they move and change the light, and never more than they should."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.render import post
from datasets.video.acting import Incident, Play
from datasets.video.shooting import Motion, Sensor, Wave, any_shoot
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


def test_a_frame_without_noise_is_what_a_photo_would_be(stage: Stage) -> None:
    """The quick way to a frame gives what the way to a picture does, but for noise, bloom and rounding."""
    calm = replace(stage.look, noise=0.0, bloom=0.0, vignette=0.0, sharpen=0.0, miss=0.0, shake=0.0, focus_blur=0.0)
    calm = replace(calm, denoise=0.0, small=1.0, flicker=0.0, saturation=0.9)
    plain = replace(stage, look=calm)
    light = stage.trace([], stage.plate, 2, 1)[stage.margin : -stage.margin, stage.margin : -stage.margin]
    photo = post.develop(light, np.ones(light.shape[:2], np.float32), 1.0, calm, np.random.default_rng(1))
    frame = Sensor(np.random.default_rng(1), plain, light).frame(light, 0, 1.0)
    assert np.abs(frame.astype(int) - photo.astype(int)).max() <= 2
