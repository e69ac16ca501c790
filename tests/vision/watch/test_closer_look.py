"""What becomes of dice that were watched in small frames and then read in the full picture of that moment."""

import numpy as np
import pytest

from vision import Photo
from vision.judging.seen import Seen
from vision.reader import Reader
from vision.reading import Die, Reading
from vision.watch import WatchEvent
from vision.watch.closer_look import look_closer, merge_looks

PHOTO = Photo(np.zeros((96, 128, 3), np.uint8))


def die(value: int, left: float, sure: bool = True) -> Die:
    return Die(value, 0.9, (left, 10.0, left + 6, 16.0), sure)


def looked(
    watched: list[Die],
    stayed: list[bool],
    closer: list[Die],
    lay: tuple[Die, ...] = (),
    obstacles: tuple[str, ...] = (),
) -> WatchEvent:
    event = WatchEvent(1.0, "settled", Reading(64, 48, tuple(watched), obstacles=obstacles), tuple(stayed))
    return merge_looks(event, Reading(64, 48, tuple(closer)), PHOTO, lay)


def dice(event: WatchEvent) -> list[tuple[int, bool, bool]]:
    """Of each die its value, whether it is sure, and whether it stayed."""
    assert event.reading is not None
    assert event.photo is PHOTO
    return [(each.value, each.sure, stayed) for each, stayed in zip(event.reading.dice, event.stayed, strict=True)]


def test_where_both_agree_the_full_picture_is_what_is_read() -> None:
    event = looked([die(1, 10), die(2, 30, sure=False)], [True, False], [die(5, 31), die(1, 10)])
    assert dice(event) == [(1, True, True), (5, True, False)], "the frames were not sure of the second"
    assert event.reading is not None
    assert event.reading.sure


def test_a_die_that_both_read_otherwise_is_not_sure() -> None:
    event = looked([die(1, 10), die(2, 30)], [False, False], [die(1, 10), die(3, 30)])
    assert dice(event) == [(1, True, False), (3, False, False)]


@pytest.mark.parametrize("more", [[die(4, 50)], []])
def test_a_die_that_only_one_of_both_shows_is_not_sure(more: list[Die]) -> None:
    less = [] if more else [die(4, 50)]
    event = looked([die(1, 10), *more], [False] * (1 + len(more)), [die(1, 10), *less])
    assert dice(event) == [(1, True, False), (4, False, False)]
    assert event.reading is not None
    assert not event.reading.sure


def test_a_die_that_stayed_keeps_its_value() -> None:
    """What both looks made of it before counts: otherwise it would have been thrown again."""
    lay = (die(6, 10), die(2, 30))
    event = looked([die(6, 10), die(2, 30)], [True, False], [die(5, 10), die(2, 30)], lay)
    assert dice(event) == [(6, True, True), (2, True, False)]


@pytest.mark.parametrize(("obstacle", "sure"), [("too-small", True), ("cut", False), ("from-the-side", False)])
def test_more_pixels_help_small_dice_alone(obstacle: str, sure: bool) -> None:
    event = looked([die(1, 10)], [False], [die(1, 10)], obstacles=(obstacle,))
    assert event.reading is not None
    assert event.reading.sure == sure


def test_a_picture_of_another_shape_is_refused() -> None:
    frame = Seen(64, 64, (), (), ())
    event = WatchEvent(1.0, "settled", Reading(64, 64, ()), detections=frame)
    with pytest.raises(ValueError, match="128x96 pixels, the frame 64x64"):
        look_closer(Reader(), event, PHOTO)
