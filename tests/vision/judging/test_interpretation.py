"""How what was seen becomes a reading."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision.arrays import as_boxes
from vision.judging.interpretation import Search, assess, interpret
from vision.judging.seen import Seen
from vision.judging.weights import Calibration, Weights
from vision.reasons import ModelError

CALIBRATED = Calibration(
    image_sizes=(640,), candidate=0.1, temperature=1.0, detector_weight=1.0, classifier_weight=1.0, bias=0.0,
    odd_box=0.0, same_set=0.0, die=0.5, sure=0.8,
)  # fmt: skip


def detections(*things: tuple[float, list[float]]) -> Seen:
    """Things side by side in a photo of 1000x500 pixels: the detector's score, and the crop classifier's logits."""
    boxes = [[0.1 * i + 0.01, 0.1, 0.1 * i + 0.09, 0.2] for i in range(len(things))]
    scores, logits = [score for score, _ in things], [row for _, row in things]
    return seen_of(1000, 500, boxes, scores, logits)


def clear(value: int) -> list[float]:
    """Logits of a crop that plainly shows `value`; 7 for plainly no die."""
    return [9.0 if place == value else 0.0 for place in range(1, 8)]


def test_what_is_not_as_large_as_the_dice_is_less_likely_one() -> None:
    """Print, lace and far-off patterns are hardly ever as large as the dice beside them."""
    weighing_size = dataclasses.replace(CALIBRATED, odd_box=2.0)
    die, maybe = (0.99, clear(2)), (0.8, [0.0] * 6 + [2.0])
    things = detections(die, die, die, maybe, maybe)
    boxes = np.array(things.boxes)
    boxes[4, 2:] = boxes[4, :2] + (boxes[4, 2:] - boxes[4, :2]) / 2
    things = dataclasses.replace(things, boxes=as_boxes(boxes))
    alone, beside = assess(things, CALIBRATED), assess(things, weighing_size)
    assert alone.alone[3] == pytest.approx(alone.alone[4])
    assert beside.alone[:4] == pytest.approx(alone.alone[:4])
    assert beside.alone[4] < 0.5 < 0.6 < alone.alone[4]
    large, small = detections(maybe), dataclasses.replace(detections(maybe), boxes=as_boxes(boxes[4:]))
    assert assess(small, weighing_size).alone == pytest.approx(assess(large, weighing_size).alone), "no dice beside it"


def test_what_has_not_the_shape_of_the_dice_is_less_likely_one() -> None:
    """Half a die or a word; where a photo was squeezed, its dice are narrow too."""
    weighing_shape = dataclasses.replace(CALIBRATED, odd_box=8.0)
    die, maybe = (0.99, clear(2)), (0.8, [0.0] * 6 + [2.0])
    things = detections(die, die, die, maybe, maybe)
    boxes = np.array(things.boxes)  # 80 by 50 pixels each
    boxes[4, 2] = boxes[4, 0] + 0.03
    things = dataclasses.replace(things, boxes=as_boxes(boxes))
    alone, beside = assess(things, CALIBRATED), assess(things, weighing_shape)
    assert alone.alone[3] == pytest.approx(alone.alone[4])
    assert beside.alone[:4] == pytest.approx(alone.alone[:4])
    assert beside.alone[4] < 0.2 < 0.6 < alone.alone[4]
    assert assess(detections(maybe), weighing_shape).odd == pytest.approx([np.log2(80 / 50) / 2], rel=1e-3)


def test_with_a_memory_other_weights_count(tmp_path: Path) -> None:
    """They come back from the file as they were written; without them a memory changes no weight."""
    known = Weights(0.5, 2.0, 3.0, odd_box=0.1, same_set=0.2, sure=0.7)
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(dataclasses.asdict(dataclasses.replace(CALIBRATED, known=known))))
    read = Calibration.load(path)
    assert read.known == known
    thing = detections((0.5, [0.0] * 6 + [2.0]))
    assert assess(thing, read).alone == pytest.approx(assess(thing, CALIBRATED).alone)
    assert assess(thing, read.with_memory).alone > assess(thing, read).alone
    assert (read.sure, read.with_memory.sure) == (0.8, 0.7)
    assert CALIBRATED.with_memory == CALIBRATED
    path.write_text(json.dumps({**dataclasses.asdict(CALIBRATED), "known": {"bias": 1.0}}))
    with pytest.raises(ModelError):
        Calibration.load(path)


def test_a_reading_is_as_sure_as_all_of_it_together() -> None:
    """Each of three dice is clear enough alone. Then the least clear one is asked about."""
    fair, less = [0.0, 5, 1.9, 0, 0, 0, -9.0], [0.0, 5, 2.3, 0, 0, 0, -9.0]
    assert interpret(detections((0.95, fair), (0.95, less)), CALIBRATED).sure
    reading = interpret(detections((0.95, fair), (0.95, less), (0.95, fair)), CALIBRATED)
    assert (reading.complete, [die.sure for die in reading.dice]) == (True, [True, False, True])
    assert [ask.reason for ask in reading.asks] == ["doubtful-value"]


def test_what_both_networks_see_clearly_is_sure() -> None:
    reading = interpret(detections((0.95, clear(3)), (0.9, clear(6))), CALIBRATED)
    assert (reading.values, reading.sure) == ((3, 6), True)
    assert reading.dice[0].box == pytest.approx((10, 50, 90, 100), abs=1e-3)


def test_a_value_in_doubt_is_asked_about_with_the_likeliest_first() -> None:
    reading = interpret(detections((0.95, [0, 5, 4, 3, 0, 0, -4])), CALIBRATED)
    (die,) = reading.dice
    assert (die.value, die.sure, die.alternatives[:2]) == (2, False, (3, 4))
    assert sorted((die.value, *die.alternatives)) == [1, 2, 3, 4, 5, 6]


def test_what_the_classifier_calls_no_die_is_not_given() -> None:
    reading = interpret(detections((0.95, clear(1)), (0.6, clear(7))), CALIBRATED)
    assert (reading.values, reading.sure) == ((1,), True)


def test_a_wrong_dice_count_hides_no_clear_die() -> None:
    """One that is less clear than the others is listed too."""
    fair = [0.0, 0, 0, 0, 8, 0, 3.0]
    seen = detections((0.95, clear(1)), (0.95, clear(3)), (0.35, fair))
    assert all(interpret(seen, CALIBRATED, dice).sure for dice in (None, 3))
    reading = interpret(seen, CALIBRATED, 2)
    assert (reading.values, reading.sure) == ((1, 3, 5), False)
    assert "doubtful-thing" not in {ask.reason for ask in reading.asks}


def test_what_may_be_a_die_and_is_left_out_makes_the_photo_unsure() -> None:
    doubtful = [0.0, 0, 0, 0, 0, 6, 6.6]
    reading = interpret(detections((0.95, clear(1)), (0.4, doubtful)), CALIBRATED)
    assert (reading.values, reading.dice[0].sure, reading.sure) == ((1,), True, False)
    wary = dataclasses.replace(CALIBRATED, second_look=-1.5)
    shares = (9.0, 0.0, 0.0, 0.0, 0.0), (0.0, 9.0, 0.0, 0.0, 0.0)  # the other one is part of a die
    seen = dataclasses.replace(detections((0.95, clear(1)), (0.4, clear(7))), shares=shares)
    asked = (None, Search.FIRST), (1, Search.FIRST), (None, Search.AGAIN)
    assert [interpret(seen, wary, dice, search=search).sure for dice, search in asked] == [False, True, True]


@pytest.mark.parametrize(
    ("boxes", "others", "values", "sure"),
    [
        ([[0.1, 0.2, 0.3, 0.5]], [(0.8, 5)], (3,), False),  # one frames the front of a die seen from aslant, one all
        ([[0.1, 0.2, 0.3, 0.5]], [(0.8, 3)], (3,), True),
        ([[0.1, 0.2, 0.3, 0.5]], [(0.01, 5)], (3,), True),
        ([[0.5, 0.1, 0.7, 0.5], [0.1, 0.1, 0.7, 0.5]], [(0.8, 5), (0.1, 5)], (3, 5), True),  # around both dice
        ([[0.1, 0.28, 0.3, 0.68]], [(0.8, 5)], (3, 5), True),  # one die before another
    ],
)
def test_boxes_of_one_die_that_read_other_values_make_it_unsure(
    boxes: list[list[float]], others: list[tuple[float, int]], values: tuple[int, ...], sure: bool
) -> None:
    seen = detections((0.8, clear(3)), *[(score, clear(value)) for score, value in others])
    reading = interpret(dataclasses.replace(seen, boxes=as_boxes(np.array([[0.1, 0.1, 0.3, 0.5], *boxes]))), CALIBRATED)
    assert (reading.values, reading.sure) == (values, sure)


def test_at_a_glance_the_dice_count_makes_no_die_sure() -> None:
    """The real one may have been missed."""
    seen = detections((0.3, [0.0, 0, 0, 0, 0, 6, 4.6]))
    assert interpret(seen, CALIBRATED, 1).sure
    reading = interpret(seen, CALIBRATED, 1, search=Search.GLANCE)
    assert [ask.reason for ask in reading.asks] == ["doubtful-die"]


def test_a_pip_is_no_die_however_clear() -> None:
    """It lies within a die, and hides none."""
    boxes = np.array([[0.1, 0.1, 0.3, 0.5], [0.12, 0.14, 0.18, 0.26]], np.float32)
    seen = dataclasses.replace(detections((0.8, clear(3)), (0.95, clear(1))), boxes=as_boxes(boxes))
    assert interpret(seen, CALIBRATED).values == (3,)


def test_a_pip_that_the_better_of_two_boxes_leaves_out_is_none_either() -> None:
    boxes = np.array([[0.1, 0.1, 0.3, 0.5], [0.14, 0.1, 0.36, 0.5], [0.1, 0.1, 0.138, 0.2]], np.float32)
    seen = dataclasses.replace(detections((0.8, clear(3)), (0.9, clear(3)), (0.95, clear(1))), boxes=as_boxes(boxes))
    assert interpret(seen, CALIBRATED).values == (3,)


def test_at_most_as_many_doubts_are_told_as_dice_were_thrown() -> None:
    """Print of a gaming table looks like many dice: one sentence cannot name them all."""
    maybe = (0.9, [2.0, 1.5, 0.0, 0.0, 0.0, 0.0, 1.0])
    reading = interpret(detections(*[maybe] * 9), CALIBRATED, dice=2)
    assert len(reading.dice) > 2
    assert sum(ask.reason in ("doubtful-value", "doubtful-die") for ask in reading.asks) == 2


def test_nothing_seen_is_no_dice() -> None:
    reading = interpret(detections(), CALIBRATED)
    assert (reading.dice, reading.sure) == ((), False)


PLAIN, HARDLY = 0.95, [0.0, 0, 0, 8, 0, 0, 10]  # a four, but rather printed


@pytest.mark.parametrize(
    ("shown", "dice", "aside", "values", "lie_aside", "sure"),
    [
        pytest.param((1, 2, 6), 2, (), (1, 2, 6), (), False, id="more clear dice than were thrown are given"),
        pytest.param((1, 2), 3, (), (1, 2), (), False, id="fewer clear dice than were thrown are given"),
        pytest.param((), 1, (), (), (), False, id="no dice are never sure"),
        pytest.param((1, 1, 3, 4, 6), 3, (1, 1), (3, 4, 6), (1, 1), True, id="kept dice are left out"),
        pytest.param((3, 4, 6), 3, (1, 1), (3, 4, 6), (), True, id="kept dice that are not there are not missed"),
        pytest.param((1, 1, 3, 4), 3, (1, 1), (1, 3, 4), (1,), True, id="of equal kept dice any is the one there"),
        pytest.param((2, 3, 4, 6), 3, (1,), (2, 3, 4, 6), (), False, id="a surplus that is not kept is given"),
        pytest.param((1, 2, 3, 4, 6), 3, (1, 5), (1, 2, 3, 4, 6), (), False, id="a surplus of which a part is kept"),
    ],
)
def test_clear_dice_with_a_count(
    shown: tuple[int, ...],
    dice: int,
    aside: tuple[int, ...],
    values: tuple[int, ...],
    lie_aside: tuple[int, ...],
    sure: bool,
) -> None:
    reading = interpret(detections(*((PLAIN, clear(value)) for value in shown)), CALIBRATED, dice, aside)
    assert (reading.values, tuple(die.value for die in reading.aside), reading.sure) == (values, lie_aside, sure)


def test_a_die_that_is_needed_to_reach_the_dice_count_is_given() -> None:
    things = detections((PLAIN, clear(1)), (PLAIN, clear(2)), (0.8, HARDLY))
    for dice, values in ((None, (1, 2)), (3, (1, 2, 4)), (2, (1, 2))):
        assert interpret(things, CALIBRATED, dice).values == values


def test_it_asks_which_of_the_kept_dice_is_in_the_photo() -> None:
    """One of four lies aside: a one or a five, both of which are there."""
    reading = interpret(detections(*((PLAIN, clear(value)) for value in (1, 5, 3, 4))), CALIBRATED, 3, (1, 5))
    assert (len(reading.dice), reading.sure) == (3, False)


def test_of_equal_dice_those_far_from_the_throw_lie_aside() -> None:
    """Four side by side, then a gap, then a five: of the two fives that one lies aside."""
    things = detections(*((PLAIN, clear(value)) for value in (5, 2, 3, 4, 5)))
    boxes = np.array(things.boxes)
    boxes[4, [0, 2]] += 0.45
    reading = interpret(dataclasses.replace(things, boxes=as_boxes(boxes)), CALIBRATED, 4, (5,))
    assert reading.values == (2, 3, 4, 5)
    assert reading.aside[0].box[0] == pytest.approx(860, abs=1)


def test_a_die_in_doubt_that_fits_two_of_the_kept_values_is_one_die() -> None:
    doubtful = (PLAIN, [5.0, 0, 0, 0, 5, 0, 0])  # a one or a five
    reading = interpret(detections((PLAIN, clear(3)), doubtful, (PLAIN, clear(4))), CALIBRATED, 1, (1, 5))
    assert (len(reading.dice) + len(reading.aside), reading.sure) == (3, False)
