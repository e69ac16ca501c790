"""The network of the border looks along all four sides, and tells where."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from vision import Photo, Reader
from vision.arrays import Floats, Pixels
from vision.border import BORDER, DEPTH, LENGTH, STEP, look_along_border
from vision.judging.overlap import Box
from vision.judging.seen import Places
from vision.network_eye import CROP_CLASSIFIER
from vision.reader import MODELS
from vision.reasons import ModelError
from vision.region import Region

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
WIDTH, HEIGHT = 900, 600
MARKS = [(420, 0, 450, 12), (888, 250, 900, 280), (200, 588, 230, 600), (0, 400, 12, 430), (0, 0, 30, 12)]


def brightness_at_border(pictures: Pixels) -> Floats:
    """Stands in for the network: a place counts by how light the border is there."""
    strips = pictures[:, :4, 2 * DEPTH :].reshape(len(pictures), 4, LENGTH // STEP, STEP, 3)
    return (strips.mean((1, 3, 4)) / 25 - 6).astype(np.float32)


def dice_of(side: float) -> list[Box]:
    return [(300.0, 300.0, 300.0 + side, 300.0 + side)]


def suspicious(places: Places) -> bool:
    return max(places.log_odds, default=-9.0) > -5


@pytest.mark.parametrize("mark", MARKS)
@pytest.mark.parametrize("side", [30.0, 60.0, 200.0])
def test_the_place_is_told_where_something_is_at_the_border(mark: tuple[int, int, int, int], side: float) -> None:
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    x0, y0, x1, y1 = mark
    pixels[y0:y1, x0:x1] = 255
    places = look_along_border(brightness_at_border, Photo(pixels), dice_of(side))
    assert suspicious(places)
    found = places.boxes[np.argmax(places.log_odds)] * np.array([WIDTH, HEIGHT] * 2)
    assert max(found[0], x0) < min(found[2], x1)
    assert max(found[1], y0) < min(found[3], y1)
    assert max(found[2] - found[0], found[3] - found[1]) <= side + 1


def test_nothing_is_found_where_nothing_is() -> None:
    black = Photo(np.zeros((HEIGHT, WIDTH, 3), np.uint8))
    assert not suspicious(look_along_border(brightness_at_border, black, dice_of(60.0)))


def test_beside_the_watched_region_nothing_counts() -> None:
    pixels = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:12, 420:450] = 255
    places = look_along_border(brightness_at_border, Photo(pixels), dice_of(60.0))
    for left, right, found in ((0.3, 0.8, True), (0.7, 1.0, False)):
        region = Region.from_numbers([left, 0, right, 0, right, 0.9, left, 0.9]).in_picture(WIDTH, HEIGHT)
        assert suspicious(region.places_inside(places)) == found
    inside = Region.from_numbers([0.3, 0.3, 0.7, 0.3, 0.7, 0.7, 0.3, 0.7]).in_picture(WIDTH, HEIGHT)
    assert inside.places_inside(places) == Places()


def test_another_network_in_its_place_is_refused(tmp_path: Path) -> None:
    shutil.copytree(MODELS, tmp_path / "models", ignore=shutil.ignore_patterns("advice", BORDER))
    shutil.copy(MODELS / CROP_CLASSIFIER, tmp_path / "models" / BORDER)
    with pytest.raises(ModelError, match=BORDER):
        Reader(tmp_path / "models").read(Photo.decode((PICTURES / "throw-113466.jpg").read_bytes()))
