"""The photo with its reading drawn in."""

from __future__ import annotations

import numpy as np

from vision import Die, Photo, Reading, annotate


def annotate_reading(sure: bool, size: tuple[int, int] = (400, 300)) -> np.ndarray:
    width, height = size
    box = (0.4 * width, 0.4 * height, 0.6 * width, 0.6 * height)
    photo = Photo(np.full((height, width, 3), 90, np.uint8))
    return Photo.decode(annotate(photo, Reading(width, height, (Die(4, 0.9, box, sure),)))).pixels


def test_a_die_is_boxed_and_the_rest_is_left_alone() -> None:
    pixels = annotate_reading(sure=True)
    assert np.abs(pixels[118:124, 170:230].astype(int) - 90).max() > 60
    assert np.abs(pixels[140:160, 180:220].astype(int) - 90).max() < 25
    assert np.abs(pixels[250:].astype(int) - 90).max() < 25


def test_doubt_shows_by_more_than_colour() -> None:
    """The box of a die in doubt is broken in the middle of its sides."""
    middle_right = (slice(144, 156), slice(236, 245))
    assert np.abs(annotate_reading(sure=True)[middle_right].astype(int) - 90).max() > 60
    assert np.abs(annotate_reading(sure=False)[middle_right].astype(int) - 90).max() < 40


def test_large_photos_are_shown_smaller() -> None:
    assert max(annotate_reading(sure=True, size=(5000, 3000)).shape) == 2000
