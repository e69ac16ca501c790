"""Fitting into the network's picture and back; one box for one die."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.boxes import letterbox, overlaps

SIDES = st.integers(16, 900)


@settings(deadline=None)
@given(SIDES, SIDES, st.sampled_from([320, 416, 640]), st.integers(0, 2**32 - 1))
def test_the_way_into_the_networks_picture_and_back(width: int, height: int, side: int, seed: int) -> None:
    fitted, fit = letterbox(np.zeros((height, width, 3), np.uint8), side)
    assert fitted.shape[0] % 32 == fitted.shape[1] % 32 == 0
    assert max(fitted.shape[:2]) == side
    corners = np.random.default_rng(seed).uniform(0, 1, (5, 2, 2)) * (width, height)
    boxes = np.concatenate([corners.min(1), corners.max(1)], axis=1).astype(np.float32)
    inside = boxes * ([fit.scale_x, fit.scale_y] * 2) + [fit.left, fit.top] * 2
    assert (inside >= -0.01).all()
    assert (inside[:, [0, 2]] <= fitted.shape[1] + 0.01).all()
    assert (inside[:, [1, 3]] <= fitted.shape[0] + 0.01).all()
    np.testing.assert_allclose(fit.from_network(inside), boxes, atol=0.01)


def test_the_picture_lies_where_the_fit_says() -> None:
    pixels = np.zeros((300, 500, 3), np.uint8)
    pixels[100:200, 200:300] = 255
    fitted, fit = letterbox(pixels, 640)
    ys, xs = np.nonzero(fitted[:, :, 0] > 200)
    box = np.array([[xs.min(), ys.min(), xs.max() + 1, ys.max() + 1]], np.float32)
    np.testing.assert_allclose(fit.from_network(box), [[200, 100, 300, 200]], atol=1.5)


def test_overlaps_of_known_boxes() -> None:
    iou, inside = overlaps(np.array([[0, 0, 10, 10]], np.float32), np.array([[5, 0, 15, 10], [2, 2, 4, 4]], np.float32))
    np.testing.assert_allclose(iou, [[1 / 3, 0.04]], rtol=1e-5)
    np.testing.assert_allclose(inside, [[0.5, 1.0]], rtol=1e-5)
