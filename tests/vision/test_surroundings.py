"""What lies around a die, as the network of the surroundings sees it."""

from __future__ import annotations

import math
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.sights import seen_of
from vision import Die, Photo, Reader, Reading
from vision.judging.seen import ELEVATIONS
from vision.reader import MODELS, camera_elevation
from vision.reasons import ModelError
from vision.surroundings import SIDE, SURROUNDINGS, Surroundings, look_around

PICTURES = Path(__file__).resolve().parent.parent / "pictures"
FRONT = PICTURES / "from-the-side" / "front-1.jpg"


def test_the_die_is_in_the_middle_of_both_squares_and_nothing_is_seen_beyond_the_border() -> None:
    pixels = np.full((300, 400, 3), 90, np.uint8)
    pixels[20:60, 340:380] = 250
    (picture,) = look_around(pixels, np.array([[340.0, 20.0, 380.0, 60.0]]))
    assert picture.shape == (SIDE, 2 * SIDE, 3)
    near, wide = picture[:, :SIDE], picture[:, SIDE:]
    for square in (near, wide):
        assert (square[SIDE // 2 - 1 : SIDE // 2 + 1, SIDE // 2 - 1 : SIDE // 2 + 1] > 240).all()
        assert not square[:5].any(), "above the photo"
        assert not square[:, -5:].any(), "to the right of it"
        assert (square[SIDE // 2 + 20 :, 4 : SIDE // 2] > 80).any(), "the table"
    assert (near == 250).sum() > 10 * (wide == 250).sum()


@pytest.mark.parametrize("times", [0.5, 2, 3])
def test_a_photo_of_other_resolution_shows_the_same_surroundings(times: float) -> None:
    rng = np.random.default_rng(1)
    coarse = rng.integers(0, 256, (9, 12, 3)).astype(np.uint8)
    pixels = cv2.resize(coarse, (800, 600), interpolation=cv2.INTER_CUBIC)
    other = cv2.resize(pixels, None, fx=times, fy=times, interpolation=cv2.INTER_AREA)
    box = np.array([[300.0, 200.0, 360.0, 270.0]])
    here, there = look_around(np.asarray(pixels), box), look_around(np.asarray(other), box * times)
    assert np.abs(here.astype(int) - there).mean() < 6


def test_a_die_that_fills_a_photo_of_few_pixels_can_be_shown() -> None:
    pictures = look_around(np.full((1, 2, 3), 200, np.uint8), np.array([[0.0, 0.0, 2.0, 1.0], [5.0, 5.0, 9.0, 9.0]]))
    assert pictures.shape == (2, SIDE, 2 * SIDE, 3)


def test_the_table_shows_that_the_camera_looks_down_though_the_dice_do_not() -> None:
    """A die in the middle of a photo from straight above shows one face, as one from the front does."""
    reader, photo = Reader(), Photo.decode((PICTURES / "throw-4.jpg").read_bytes())
    detections = reader.detect(photo)
    assert reader.examine(photo, reader.interpret(photo, detections), detections).sure


def test_the_lower_the_camera_stands_the_clearer_a_die_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    photo = Photo.decode((PICTURES / "throw-4.jpg").read_bytes())
    surroundings = Surroundings.load(MODELS / SURROUNDINGS)
    assert surroundings is not None

    def may_hide(low: float, *confidences: float) -> bool:
        monkeypatch.setattr(surroundings, "log_odds", lambda photo, reading: low)
        dice = (Die(4, confidence, (0.0, 0.0, 50.0, 50.0), True) for confidence in confidences)
        return surroundings.may_hide_upper_faces(photo, Reading(photo.width, photo.height, tuple(dice)))

    assert not may_hide(0.0, 0.9)
    assert not may_hide(1.5, 0.999)
    assert may_hide(1.5, 0.999, 0.9), "the least clear one counts"
    assert may_hide(2.5, 0.999)
    assert not may_hide(2.5, 0.9999)
    assert may_hide(4.5, 0.99999)
    assert not may_hide(4.5, 1.0)


def test_dice_that_show_several_faces_are_left_to_the_classifier(monkeypatch: pytest.MonkeyPatch) -> None:
    surroundings = Surroundings.load(MODELS / SURROUNDINGS)
    assert surroundings is not None
    monkeypatch.setattr(surroundings, "log_odds", lambda photo, reading: 4.5)
    photo = Photo(np.zeros((60, 80, 3), np.uint8))
    reading = Reading(80, 60, (Die(4, 0.95, (0.0, 0.0, 50.0, 50.0), True),))
    assert not surroundings.may_hide_upper_faces(photo, reading, 30.0)
    assert not surroundings.may_hide_upper_faces(photo, reading, 10.0), "it may be sure from table height too"
    unsure = Reading(80, 60, (Die(4, 0.4, (0.0, 0.0, 50.0, 50.0), False),))
    assert surroundings.may_hide_upper_faces(photo, unsure, 10.0), "that is why it is not sure"
    assert not surroundings.may_hide_upper_faces(photo, unsure, 30.0)
    assert surroundings.may_hide_upper_faces(photo, reading, 70.0)
    three = Reading(80, 60, reading.dice * 3)
    assert not surroundings.may_hide_upper_faces(photo, three, 70.0), "some of them would show a second face"
    assert surroundings.may_hide_upper_faces(photo, three), "unknown"
    assert surroundings.may_hide_upper_faces(photo, reading)


def test_the_dice_say_from_how_high_the_camera_looks() -> None:
    boxes = np.array([[0.1, 0.1, 0.3, 0.3], [0.6, 0.6, 0.8, 0.8]], np.float32)
    bands = np.full((2, ELEVATIONS), -20.0, np.float32)
    bands[0, 2], bands[1, 8] = 0.0, 0.0
    reading = Reading(100, 100, (Die(4, 0.95, (10.0, 10.0, 30.0, 30.0), True),))
    known = seen_of(100, 100, boxes, np.ones(2), np.zeros((2, 7)), elevations=bands)
    assert camera_elevation(reading, known) == pytest.approx(25)
    unknown = seen_of(100, 100, boxes, np.ones(2), np.zeros((2, 7)))
    assert math.isnan(camera_elevation(reading, unknown))
    assert math.isnan(camera_elevation(Reading(100, 100, ()), known))


def test_older_networks_read_without_it(tmp_path: Path) -> None:
    models = tmp_path / "models"
    shutil.copytree(MODELS, models, ignore=shutil.ignore_patterns("advice", SURROUNDINGS))
    reading = Reader(models).read(Photo.decode(FRONT.read_bytes()), 1)
    assert reading.dice
    assert "from-the-side" not in reading.obstacles


def test_a_broken_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    models = tmp_path / "models"
    shutil.copytree(MODELS, models, ignore=shutil.ignore_patterns("advice"))
    (models / SURROUNDINGS).write_bytes(b"no network")
    with pytest.raises(ModelError, match=SURROUNDINGS):
        Reader(models).read(Photo.decode(FRONT.read_bytes()), 1)
