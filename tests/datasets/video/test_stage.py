"""The stage of a video: what is traced in parts is what would be traced as a whole."""

import numpy as np
import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

from datasets.render import dice_styles
from datasets.render.scene import Solid
from datasets.video.stage import Stage, _camera, any_stage, union

SIZE = (240, 180)


def lying(stage: Stage, places: list[tuple[float, float]]) -> list[Solid]:
    return [dice_styles.die(stage.styles[i], i + 1, x, y, 0.4 * i) for i, (x, y) in enumerate(places)]


@pytest.mark.parametrize("number", range(4))
def test_a_die_changes_only_what_it_touches(number: int) -> None:
    stage = any_stage(3, number, 0, SIZE, None, 2)
    (die,) = lying(stage, [(0.5, -0.3)])
    empty, full = (stage.trace(bodies, stage.plate, 2, 7) for bodies in ([], [die]))
    x0, y0, x1, y1 = stage.touched_area(die)
    change = np.abs(full - empty).max(2) / (empty.mean() + 0.05)
    inside = change[y0:y1, x0:x1].copy()
    change[y0:y1, x0:x1] = 0.0
    assert inside.max() > 0.2
    # rays are cast anew where a die is in the tile: single pixels of a grain may differ a little
    assert np.quantile(change, 0.999) < 0.1


@pytest.mark.parametrize("coarse", [1, 2])
def test_a_part_is_traced_as_it_is_in_the_whole(coarse: int) -> None:
    stage = any_stage(3, 1, 0, SIZE, None, 2)
    bodies = lying(stage, [(0.0, 0.0), (1.5, 0.5)])
    whole = stage.trace(bodies, stage.plate, 4, 7)
    part = stage.touched_area(bodies[0])
    x0, y0, x1, y1 = part
    found = stage.trace(bodies, part, 4, 7, coarse)
    assert found.shape == (-(-(y1 - y0) // coarse), -(-(x1 - x0) // coarse), 3)
    same = whole[y0:y1, x0:x1][coarse // 2 :: coarse, coarse // 2 :: coarse][: found.shape[0], : found.shape[1]]
    gap = np.abs(found[: same.shape[0], : same.shape[1]] - same)
    assert gap.mean() < 0.08 * whole.mean()


def test_rectangles_that_touch_become_one_and_empty_ones_none() -> None:
    assert union([(0, 0, 4, 4), (2, 2, 6, 6), (10, 0, 12, 4), (5, 5, 5, 9)]) == [(0, 0, 6, 6), (10, 0, 12, 4)]
    # two that are apart are joined by a third
    assert union([(0, 0, 4, 4), (8, 0, 12, 4), (3, 0, 9, 2)]) == [(0, 0, 12, 4)]


def test_points_of_the_frame_are_where_the_camera_sees_them() -> None:
    stage = any_stage(3, 2, 0, SIZE, None, 1)
    for x, y in ((0.0, 0.0), (1.0, 0.25), (0.5, 0.5)):
        spot = stage.point(x, y)
        pixel = stage.camera.project(np.array([[spot[0], spot[1], 0.0]]))[0] - stage.margin
        assert np.allclose(pixel, (x * SIZE[0], y * SIZE[1]), atol=1e-6)


def test_no_camera_of_a_video_sees_the_horizon() -> None:
    for seed in range(300):
        for size in ((640, 480), (480, 640)):
            _, camera, _ = _camera(np.random.default_rng(seed), size)
            for x, y in ((0, 0), (camera.width, 0), (0, camera.height), (camera.width, camera.height)):
                assert camera.on_table(x, y, 0.0) is not None
