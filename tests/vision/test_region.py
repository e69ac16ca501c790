"""The part of the picture that is watched."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision import Photo, Region

WHOLE = [0, 0, 1, 0, 1, 1, 0, 1]


def test_fractions_and_pixels_mean_the_same_place() -> None:
    assert Region.from_numbers([0.25, 0.5, 0.75, 0.5, 0.75, 1, 0.25, 1]).in_picture(400, 200) == Region.from_numbers(
        [100, 100, 300, 100, 300, 200, 100, 200]
    ).in_picture(400, 200)


def test_corners_come_in_any_order() -> None:
    assert Region.from_numbers([0, 0, 1, 1, 1, 0, 0, 1]).in_picture(40, 30).box == (0, 0, 40, 30)


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([0, 0, 1, 0, 1, 1], "8 numbers, got 6"),
        ([0, 0, 1, 0, 1, 1, 0.9, 0.1], "without a dent"),
        ([0, 0, 1, 1, 0.5, 0.5, 0.2, 0.2], "without a dent"),
        ([-1, 0, 1, 0, 1, 1, 0, 1], "from 0 on"),
        ([float("nan"), 0, 1, 0, 1, 1, 0, 1], "from 0 on"),
        ([0, 0, 500, 0, 500, 200, 0, 200], "reaches beyond the picture, which has 400x200 pixels"),
        ([0, 0, 5, 0, 5, 5, 0, 5], "too small"),
    ],
)
def test_what_is_no_region_is_refused(numbers: list[float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Region.from_numbers(numbers).in_picture(400, 200)


def test_what_lies_outside_is_left_out_and_the_rest_stands_in_the_whole_picture() -> None:
    part = Region.from_numbers([0.5, 0, 1, 0, 1, 1, 0.5, 1]).in_picture(400, 200)
    x0, y0, x1, y1 = part.box
    assert (y0, x1, y1) == (0, 400, 200)
    assert 180 <= x0 < 200
    cut = part.cut(Photo(np.zeros((200, 400, 3), np.uint8)))
    assert (cut.width, cut.height) == (x1 - x0, 200)
    pixels = np.array([[x0 - 10, 20, x0 + 20, 50], [300, 100, 340, 140]], np.float32) - [x0, 0, x0, 0]
    boxes = (pixels / np.array([x1 - x0, 200] * 2)).astype(np.float32)
    detections = seen_of(x1 - x0, 200, boxes, [0.9, 0.8], np.zeros((2, 7)), vectors=[[1, 2], [3, 4]])
    whole = part.to_whole_picture(detections)
    assert (whole.width, whole.height, whole.scores, whole.vectors) == (400, 200, (pytest.approx(0.8),), ((3, 4),))
    assert whole.pixels[0] == pytest.approx([300, 100, 340, 140], abs=0.1)


def test_the_mask_of_a_glance_is_the_region() -> None:
    part = Region.from_numbers(WHOLE).in_picture(400, 200)
    assert part.mask(np.zeros((20, 40), np.uint8)).all()
    corner = Region.from_numbers([0, 0, 1, 0, 1, 1, 0.5, 1]).in_picture(400, 200)
    assert not corner.mask(np.zeros((20, 40), np.uint8))[15, 5]
