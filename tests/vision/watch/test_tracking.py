"""Dice from frame to frame and from rest to rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision import Die, Photo, Reading
from vision.judging.seen import Seen
from vision.watch.motion import STILL, Drift
from vision.watch.tracking import (
    FrameReading,
    combine,
    common_drift,
    compare_rests,
    fit_drift,
    match_boxes,
    same_layout,
)

SIZE = 400
Placed = tuple[int, float, float]  # value, middle


def die(value: int, x: float, y: float, sure: bool = True) -> Die:
    return Die(value, 0.9, (x - 20, y - 20, x + 20, y + 20), sure)


def detections(dice: Sequence[Placed], score: float = 0.9, none: float = 0.01) -> Seen:
    boxes = np.array([[x - 20, y - 20, x + 20, y + 20] for _, x, y in dice], np.float32).reshape(-1, 4) / SIZE
    chances = np.full((len(dice), 7), none / 10)
    for row, (value, _, _) in enumerate(dice):
        chances[row, value - 1] = 1 - none
        chances[row, 6] = none
    return seen_of(SIZE, SIZE, boxes, np.full(len(dice), score), np.log(chances))


def sight(*dice: Placed, doubtful: Sequence[Placed] = ()) -> FrameReading:
    reading = Reading(SIZE, SIZE, (*(die(*each) for each in dice), *(die(*each, sure=False) for each in doubtful)))
    photo = Photo(np.zeros((SIZE, SIZE, 3), np.uint8))
    return FrameReading(0.0, photo, detections([*dice, *doubtful]), reading)


def test_dice_that_drift_together_keep_their_places_and_one_that_rolls_does_not() -> None:
    before = sight((1, 100, 100), (2, 200, 100), (3, 150, 200))
    drifted = sight((1, 112, 94), (2, 212, 95), (3, 162, 194))
    rolled = sight((1, 100, 100), (2, 200, 100), (3, 162, 194))
    assert common_drift(before, before, STILL) == STILL
    assert common_drift(before, drifted, STILL) is not None
    assert common_drift(before, rolled, STILL) is None
    assert common_drift(before, sight((1, 100, 100), (2, 200, 100), (4, 150, 200)), STILL) is None


def test_a_single_die_keeps_its_place_only_as_the_camera_tells() -> None:
    before, after = sight((1, 100, 100)), sight((1, 115, 100))
    assert common_drift(before, after, STILL) is None
    assert common_drift(before, after, Drift(1 + 0j, 15 + 0j)) is not None


def test_a_die_that_one_frame_doubts_does_not_break_the_rest() -> None:
    sure, doubt = sight((1, 100, 100), (2, 200, 100)), sight((1, 100, 100), doubtful=[(5, 200, 100)])
    assert common_drift(sure, doubt, STILL) is not None
    assert common_drift(doubt, sight((1, 100, 100)), STILL) is not None
    assert common_drift(sure, sight((1, 100, 100)), STILL) is None


def test_several_frames_settle_what_one_doubts() -> None:
    clear, doubt = sight((2, 100, 100)), sight((2, 103, 100))
    doubt = FrameReading(doubt.at, doubt.photo, detections([(5, 103, 100)], score=0.4, none=0.6), doubt.reading)
    missed = sight()
    fused = combine([clear, doubt, missed, clear], [STILL, Drift(1 + 0j, -3 + 0j), STILL, STILL])
    assert len(fused.boxes) == 1
    assert np.argmax(fused.logits[0]) == 1  # a two
    assert 0.3 < fused.scores[0] < 0.9
    assert combine([missed, missed], [STILL, STILL]).logits == ()
    only_then = combine([clear, missed], [STILL, STILL])
    assert len(only_then.boxes) == 1
    assert only_then.scores[0] < 0.5


def test_what_stayed_what_is_new_and_what_is_gone() -> None:
    before = (die(1, 100, 100), die(2, 200, 100), die(3, 300, 300))
    now = [(1, 110, 100), (5, 210, 100), (3, 100, 300)]
    became = compare_rests(before, Drift(1 + 0j, 10 + 0j), sight(*now).reading, detections(now))
    assert [(d.value, s) for d, s in zip(became.reading.dice, became.stayed, strict=True)] == [
        (3, False),
        (1, True),
        (5, False),
    ]
    assert [d.value for d in became.gone] == [2, 3]
    assert became.new


def test_a_die_that_looks_different_stayed_only_if_it_lies_exactly_there() -> None:
    before, now = (die(1, 100, 100), die(2, 200, 100)), [(1, 101, 100), (2, 203, 100)]
    reading, seen = sight(*now).reading, detections(now)
    assert compare_rests(before, STILL, reading, seen).stayed == (True, True)
    assert compare_rests(before, STILL, reading, seen, (False, True)).stayed == (True, True)
    farther = (before[0], die(2, 195, 100))
    assert compare_rests(farther, STILL, reading, seen).stayed == (True, True)
    assert compare_rests(farther, STILL, reading, seen, (False, True)).stayed == (True, False)


def test_a_doubt_where_a_die_lay_is_that_die_yet() -> None:
    before = (die(1, 100, 100), die(2, 200, 100))
    doubtful = Reading(SIZE, SIZE, (die(1, 100, 100), die(5, 200, 100, sure=False)))
    became = compare_rests(before, STILL, doubtful, detections([(1, 100, 100), (5, 200, 100)]))
    assert (became.reading.values, became.stayed, became.changed) == ((1, 2), (True, True), False)
    assert became.reading.sure
    missed = Reading(SIZE, SIZE, (die(1, 100, 100),))
    became = compare_rests(before, STILL, missed, detections([(1, 100, 100), (2, 203, 100)]))
    assert (became.reading.values, became.changed) == ((1, 2), False)
    became = compare_rests(before, STILL, missed, detections([(1, 100, 100)]))
    assert (became.reading.values, [d.value for d in became.gone], became.new) == ((1,), [2], False)


def test_the_same_dice_seen_from_elsewhere() -> None:
    dice = [die(1, 100, 100), die(2, 200, 100), die(2, 150, 200)]
    moved = [die(each.value, 400 - each.box[0] * 1.05, 100 + each.box[1] * 1.05) for each in dice]
    assert same_layout(dice, moved)
    assert not same_layout(dice, dice[:2])
    assert not same_layout(dice, [*dice[:2], die(2, 350, 350)])


def test_pairs_and_rigid_movements() -> None:
    boxes = np.array([[0.0, 0, 10, 10], [100, 0, 110, 10], [0, 100, 10, 110]])
    assert match_boxes(boxes, boxes[::-1] + 3, 0.5) == [(0, 2), (1, 1), (2, 0)]
    assert match_boxes(boxes, boxes[::-1] + 3, 0.4) == []
    assert match_boxes(boxes, boxes[::-1] + 3, 0.4, 1) == [(0, 2), (1, 1), (2, 0)]
    assert match_boxes(boxes, np.zeros((0, 4)), 0.5) == []
    moved = fit_drift(boxes, boxes * 1.03 + 7)
    assert moved is not None
    assert moved.move_boxes(boxes)[:, :2].mean() == pytest.approx((boxes * 1.03 + 7)[:, :2].mean(), abs=0.5)
    assert fit_drift(boxes, boxes * 1.1) is None
    assert fit_drift(boxes[:1], boxes[:1]) is None
