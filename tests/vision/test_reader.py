"""The reader on the repository's own pictures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from vision import ModelError, Photo, Reader
from vision.eye import EyePicture
from vision.judging.interpretation import Search
from vision.judging.judge import Judge
from vision.judging.seen import Seen
from vision.reader import CALIBRATION, MODELS

pytestmark = pytest.mark.whole

PICTURES = Path(__file__).resolve().parent.parent / "pictures"


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def test_a_plain_picture_has_no_dice(reader: Reader) -> None:
    assert reader.read(Photo(np.full((480, 640, 3), 120, np.uint8))).dice == ()


@pytest.fixture
def again(monkeypatch: pytest.MonkeyPatch) -> list[Seen]:
    """What second passes saw."""
    seen: list[Seen] = []
    look = Judge.look

    async def note(judge: Judge, photo: EyePicture, search: Search = Search.FIRST, before: Seen | None = None) -> Seen:
        found = await look(judge, photo, search, before)
        seen.extend([found] if search is Search.AGAIN else [])
        return found

    monkeypatch.setattr(Judge, "look", note)
    return seen


def test_an_unsure_photo_gets_a_second_pass(reader: Reader, again: list[Seen]) -> None:
    """And what is clear is not."""
    photo = Photo.decode((PICTURES / "throw-113466.jpg").read_bytes())
    assert reader.read(photo, dice=6).sure
    assert not again
    doubtful = reader.read(photo, dice=5)
    assert not doubtful.sure
    assert len(again) == 1
    assert doubtful == reader.interpret(photo, again[0], dice=5)


def test_dice_are_found_where_they_are_in_the_mirrored_picture_too(reader: Reader) -> None:
    photo = Photo.decode((PICTURES / "throw-113466.jpg").read_bytes())
    once, twice = reader.detect(photo), reader.detect_again(photo, reader.detect(photo))
    assert min(once.scores[:6]) > 0.5
    assert min(twice.scores[:6]) > 0.5, "else it was not seen where it is"


@pytest.mark.parametrize("shape", [(16, 16, 3), (16, 2000, 3), (3000, 40, 3)])
def test_any_shape_can_be_read(reader: Reader, shape: tuple[int, int, int]) -> None:
    reader.read(Photo(np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)))


def test_the_repositorys_own_throws_are_read(reader: Reader) -> None:
    """The pictures are hard on purpose: what is not exact must at least be asked about."""
    throws = json.loads((PICTURES / "pictures.json").read_text())
    exact = 0
    for throw in throws:
        reading = reader.read(Photo.decode((PICTURES / throw["picture"]).read_bytes()))
        right = list(reading.values) == throw["values"]
        assert right or not reading.sure, f"{throw['picture']}: {reading.values} read, and sure of it"
        exact += right
    assert exact >= 0.8 * len(throws)


def test_networks_that_load_in_the_background_read_the_same(reader: Reader, tmp_path: Path) -> None:
    photo = Photo.decode(next(iter(sorted(PICTURES.glob("*.jpg")))).read_bytes())
    early, without = Reader(), Reader(tmp_path)
    early.load_in_background()
    without.load_in_background()
    assert early.read(photo) == reader.read(photo)
    with pytest.raises(ModelError, match=r"calibration\.json is missing"):
        without.read(photo)


def test_missing_and_broken_networks_are_refused(tmp_path: Path) -> None:
    photo = Photo(np.zeros((64, 64, 3), np.uint8))
    with pytest.raises(ModelError, match=r"calibration\.json is missing"):
        Reader(tmp_path).read(photo)
    (tmp_path / CALIBRATION).write_text("{}")
    with pytest.raises(ModelError, match=r"calibration\.json cannot be loaded"):
        Reader(tmp_path).read(photo)
    (tmp_path / CALIBRATION).write_bytes((MODELS / CALIBRATION).read_bytes())
    with pytest.raises(ModelError, match=r"detector\.onnx is missing"):
        Reader(tmp_path).read(photo)
    (tmp_path / "detector.onnx").write_bytes(b"no network")
    with pytest.raises(ModelError, match=r"detector\.onnx cannot be loaded"):
        Reader(tmp_path).read(photo)
