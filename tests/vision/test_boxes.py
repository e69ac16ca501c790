"""Fitting into the network's picture and back; one box for one die."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.boxes import letterbox, overlaps, suppress, within_larger

SIDES = st.integers(16, 900)


@settings(deadline=None)
@given(SIDES, SIDES, st.sampled_from([320, 416, 640]), st.integers(0, 2**32 - 1))
def test_the_way_into_the_networks_picture_and_back(width: int, height: int, side: int, seed: int) -> None:
    fitted, fit = letterbox(np.zeros((height, width, 3), np.uint8), side)
    assert fitted.shape[0] % 32 == fitted.shape[1] % 32 == 0
    assert max(fitted.shape[:2]) == side
    corners = np.random.default_rng(seed).uniform(0, 1, (5, 2, 2)) * (width, height)
    boxes = np.concatenate([corners.min(1), corners.max(1)], axis=1).astype(np.float32)
    inside = fit.to_network(boxes)
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


def boxes_and_scores(draw_count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    start = rng.uniform(0, 100, (draw_count, 2))
    boxes = np.concatenate([start, start + rng.uniform(2, 60, (draw_count, 2))], axis=1).astype(np.float32)
    return boxes, rng.uniform(0, 1, draw_count).astype(np.float32)


@settings(deadline=None)
@given(st.integers(0, 30), st.integers(0, 2**32 - 1))
def test_what_stays_is_apart_and_what_goes_is_covered_by_something_better(count: int, seed: int) -> None:
    boxes, scores = boxes_and_scores(count, seed)
    kept = suppress(boxes, scores)
    assert (np.diff(scores[kept]) <= 0).all()
    iou, inside = overlaps(boxes, boxes)
    for place, i in enumerate(kept):
        assert all(iou[i, j] <= 0.45 and inside[i, j] <= 0.75 for j in kept[:place])
    for i in set(range(count)) - set(kept.tolist()):
        assert any(scores[j] >= scores[i] and (iou[i, j] > 0.45 or inside[i, j] > 0.75) for j in kept)


@settings(deadline=None)
@given(st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_suppressing_twice_changes_nothing(count: int, seed: int) -> None:
    boxes, scores = boxes_and_scores(count, seed)
    kept = suppress(boxes, scores)
    assert suppress(boxes[kept], scores[kept]).tolist() == list(range(len(kept)))


def test_the_upper_face_within_a_die_is_the_same_die() -> None:
    whole, face, neighbour = [0, 0, 100, 100], [10, 5, 70, 60], [101, 0, 200, 100]
    boxes = np.array([face, whole, neighbour], np.float32)
    assert suppress(boxes, np.array([0.6, 0.9, 0.8], np.float32)).tolist() == [1, 2]


def test_overlaps_of_known_boxes() -> None:
    iou, inside = overlaps(np.array([[0, 0, 10, 10]], np.float32), np.array([[5, 0, 15, 10], [2, 2, 4, 4]], np.float32))
    np.testing.assert_allclose(iou, [[1 / 3, 0.04]], rtol=1e-5)
    np.testing.assert_allclose(inside, [[0.5, 1.0]], rtol=1e-5)


def test_a_pip_lies_within_its_die_and_a_die_not_within_a_heap() -> None:
    die, pip, heap = [0, 0, 100, 100], [10, 10, 30, 30], [0, 0, 160, 160]
    boxes = np.array([die, pip, heap], np.float32)
    assert within_larger(boxes, np.array([0.8, 0.9, 0.7], np.float32), 0.5, 0.12).tolist() == [False, True, False]
    assert not within_larger(boxes, np.array([0.4, 0.9, 0.3], np.float32), 0.5, 0.12).any()
