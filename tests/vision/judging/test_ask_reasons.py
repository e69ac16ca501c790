"""Why a reading asks: what a person can do something about."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from vision import Ask, Die, Photo, Reader, Reading
from vision.eye import answer_at_once
from vision.judging.ask_reasons import around_dice, reasons_to_ask
from vision.judging.seen import Visibility
from vision.network_eye import NetworkEye
from vision.reader import MODELS
from vision.reasons import ASKS

PICTURES = Path(__file__).resolve().parents[2] / "pictures"


@pytest.fixture(scope="module")
def photo() -> Photo:
    return Photo.decode((PICTURES / "throw-113466.jpg").read_bytes())


@pytest.fixture(scope="module")
def reading(photo: Photo) -> Reading:
    return Reader().read(photo)


def light_of(photo: Photo, reading: Reading) -> Visibility:
    return answer_at_once(NetworkEye(MODELS).light(photo, around_dice(reading)))


def reasons(photo: Photo, reading: Reading, dice: int | None = None) -> list[str]:
    return [ask.reason for ask in reasons_to_ask(light_of(photo, reading), reading, dice)]


def test_a_good_photo_gives_no_reason(photo: Photo, reading: Reading) -> None:
    assert reasons(photo, reading) == []
    assert reasons(photo, reading, len(reading.dice)) == []


def test_the_number_of_dice_is_a_reason(photo: Photo, reading: Reading) -> None:
    light = light_of(photo, reading)
    (few,) = reasons_to_ask(light, reading, 7)
    assert (few.reason, str(few)) == ("too-few", "only 6 of 7 dice are clear")
    (many,) = reasons_to_ask(light, reading, 5)
    assert (many.reason, many.to_json()["params"]) == ("too-many", {"found": 6, "dice": 5})
    assert reasons(photo, Reading(photo.width, photo.height, ()))[0] == "no-dice"


def numbered(picture: Image.Image) -> Image.Image:
    """The dice of throw-112455.jpg with numbers in place of their pips."""
    draw = ImageDraw.Draw(picture)
    boxes = [(127, 143, 302, 316), (124, 446, 323, 631), (438, 330, 593, 491)]
    boxes += [(682, 143, 832, 313), (735, 639, 928, 833), (980, 366, 1158, 544)]
    for number, (x0, y0, x1, y1) in enumerate(boxes, start=1):
        draw.ellipse((x0 + 7, y0 + 7, x1 - 7, y1 - 7), fill=(236, 229, 209))
        draw.text(((x0 + x1) / 2, (y0 + y1) / 2), str(number), "black", ImageFont.load_default(80), anchor="mm")
    return picture


def test_dice_without_pips_are_to_be_typed() -> None:
    with Image.open(PICTURES / "throw-112455.jpg") as picture:
        numbered(picture.convert("RGB")).save(file := io.BytesIO(), "JPEG", quality=92)
    assert [ask.reason for ask in Reader().read(Photo.decode(file.getvalue()), 6).asks] == ["no-pips"]
    plain = Photo(np.full((960, 1280, 3), 120, np.uint8))
    assert "no-pips" not in {ask.reason for ask in Reader().read(plain, 6).asks}


def test_a_dark_photo_is_called_dark(photo: Photo, reading: Reading) -> None:
    assert reasons(Photo((photo.pixels * 0.15).astype(np.uint8)), reading) == ["dark"]


def test_a_blurred_photo_is_called_blurred(photo: Photo, reading: Reading) -> None:
    blurred = np.asarray(cv2.GaussianBlur(photo.pixels, (0, 0), 6), np.uint8)
    assert reasons(Photo(blurred), reading) == ["blurred"]


def test_what_keeps_a_photo_from_showing_all_dice_comes_first(photo: Photo, reading: Reading) -> None:
    low = dataclasses.replace(reading, obstacles=("from-the-side", "too-small"))
    assert not low.sure
    assert reasons(photo, low, 7) == ["from-the-side", "too-small", "too-few"]


def test_the_edge_and_touching_dice_are_reasons() -> None:
    noise = Photo(np.random.default_rng(1).integers(0, 256, (400, 400, 3), dtype=np.uint8))
    touching = Reading(400, 400, (Die(3, 0.6, (100, 100, 160, 160), False), Die(5, 0.99, (145, 100, 205, 160), True)))
    assert reasons(noise, touching) == ["touching"]
    both_sure = tuple(dataclasses.replace(die, sure=True) for die in touching.dice)
    assert reasons(noise, dataclasses.replace(touching, dice=both_sure)) == ["touching"]
    third = Die(3, 0.6, (300, 300, 360, 360), False)
    assert not reasons(noise, dataclasses.replace(touching, dice=(*both_sure, third)))
    cut = dataclasses.replace(touching, asks=(Ask("doubtful-die", {"value": 3}),), obstacles=("cut",))
    assert reasons(noise, cut) == ["cut", "touching", "doubtful-die"]


def test_what_is_only_a_hint_is_no_cause() -> None:
    """A dark photo of touching dice may be sure; it is not because of the doubtful die."""
    asks = tuple(Ask(name, {"value": 3}) for name in ("dark", "touching", "doubtful-die"))
    unsure = Reading(400, 400, (Die(3, 0.6, (100, 100, 160, 160), False),), asks=asks)
    assert unsure.causes == {"doubtful-die"}
    assert dataclasses.replace(unsure, obstacles=("dark",)).causes == {"dark", "doubtful-die"}


def test_every_reason_has_its_sentence() -> None:
    for reason in ASKS:
        assert str(Ask(reason, {"found": 5, "dice": 6, "value": 3, "other": 5}))
