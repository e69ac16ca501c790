"""A phone on a stand watches a table: its frames are watched as a camera's, and the full picture is what is read."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask import Flask

import vision
from tests.vision.scenes import Film
from tests.web.phones import Phone, start
from tests.web.stands import StandPhone, until
from web.app import create_app
from web.services import services

MODELS = Path(vision.__file__).parents[1] / "models"
OUT, IN = (720.0, 240.0), (260.0, 240.0)  # of the picture, and among the dice

pytestmark = pytest.mark.skipif(not (MODELS / "detector.onnx").exists(), reason="models/detector.onnx is not there")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    application = create_app(tmp_path / "data")
    yield application
    services(application).close()


@pytest.fixture
def phone(app: Flask) -> Phone:
    client = app.test_client()
    client.get("/")
    return Phone(client, start(client, "sequence"))


@pytest.fixture
def stand(phone: Phone) -> StandPhone:
    made = StandPhone(phone)
    assert made.start().status_code == 200
    return made


def shots(film: Film, size: tuple[int, int] = (1280, 960)) -> list[tuple[float, vision.Photo]]:
    return [(at, vision.Photo(np.asarray(cv2.resize(photo.pixels, size), np.uint8))) for at, photo in film]


def test_a_throw_before_a_stand_stands_on_all_phones_and_a_tap_confirms_it(stand: StandPhone, phone: Phone) -> None:
    film = Film("throw-112455.jpg").last(1).reach(OUT, IN, OUT).throw(*range(6)).last(3)
    stand.play(shots(film))
    state = until(phone, lambda state: (state["watched"] or {}).get("state") == "throw", "the throw is not told")
    assert state["watched"]["stand"]
    assert sorted(die["value"] for die in state["pending"]["dice"]) == sorted(film.values())
    assert state["pending"]["width"] == 1280, "the full picture is what is reviewed"
    assert phone.post("watch/choose", id=state["watched"]["id"], way=0).status_code == 200
    assert phone.standing["version"] == 1
    sent = stand.frames
    stand.play(shots(Film("throw-112455.jpg").throw(*range(6)).last(4)))
    assert stand.frames - sent < 10, "nothing travels from a still table"
