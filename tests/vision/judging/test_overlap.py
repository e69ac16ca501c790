"""One box for one die, and how far boxes overlap."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.finding import overlaps
from vision.arrays import rows_of
from vision.judging.overlap import SAME_THING, Box, neighbours, overlap, suppress


def boxes_and_scores(count: int, seed: int) -> tuple[list[Box], list[float]]:
    rng = random.Random(seed)
    starts = [(rng.uniform(0, 100), rng.uniform(0, 100)) for _ in range(count)]
    boxes = [(x, y, x + rng.uniform(2, 60), y + rng.uniform(2, 60)) for x, y in starts]
    return boxes, [rng.random() for _ in boxes]


@settings(deadline=None)
@given(st.integers(0, 30), st.integers(0, 2**32 - 1))
def test_neighbours_are_all_that_overlap_and_arrays_say_the_same(count: int, seed: int) -> None:
    boxes, _ = boxes_and_scores(count, seed)
    near, (iou, inside) = neighbours(boxes), overlaps(rows_of(boxes, 4), rows_of(boxes, 4))
    for i in range(count):
        for j in range(count):
            expected = (float(iou[i, j]), float(inside[i, j]))
            assert overlap(boxes[i], boxes[j]) == pytest.approx(expected, abs=1e-5)
            if i != j:
                assert near[i].get(j, (0.0, 0.0)) == overlap(boxes[i], boxes[j])


@settings(deadline=None)
@given(st.integers(0, 30), st.integers(0, 2**32 - 1))
def test_what_stays_is_apart_and_what_goes_is_covered_by_something_better(count: int, seed: int) -> None:
    boxes, scores = boxes_and_scores(count, seed)
    kept = suppress(boxes, scores)
    assert [scores[i] for i in kept] == sorted((scores[i] for i in kept), reverse=True)

    def covers(one: int, other: int) -> bool:
        iou, inside = overlap(boxes[one], boxes[other])
        return iou > SAME_THING or inside > 0.75

    for place, i in enumerate(kept):
        assert not any(covers(i, j) for j in kept[:place])
    for i in set(range(count)) - set(kept):
        assert any(scores[j] >= scores[i] and covers(i, j) for j in kept)


@settings(deadline=None)
@given(st.integers(0, 20), st.integers(0, 2**32 - 1))
def test_suppressing_twice_changes_nothing(count: int, seed: int) -> None:
    boxes, scores = boxes_and_scores(count, seed)
    kept = suppress(boxes, scores)
    assert suppress([boxes[i] for i in kept], [scores[i] for i in kept]) == list(range(len(kept)))


def test_the_upper_face_within_a_die_is_the_same_die() -> None:
    whole, face, neighbour = (0, 0, 100, 100), (10, 5, 70, 60), (101, 0, 200, 100)
    assert suppress([face, whole, neighbour], [0.6, 0.9, 0.8]) == [1, 2]


def test_overlaps_of_known_boxes() -> None:
    np.testing.assert_allclose(overlap((0, 0, 10, 10), (5, 0, 15, 10)), (1 / 3, 0.5))
    np.testing.assert_allclose(overlap((0, 0, 10, 10), (2, 2, 4, 4)), (0.04, 1))
    assert overlap((0, 0, 10, 10), (10, 0, 20, 10)) == (0, 0)
