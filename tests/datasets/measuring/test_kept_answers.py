"""What the eye answered about a photo is kept, and gives the same reading again."""

from pathlib import Path

import pytest

from datasets.measuring.kept_answers import KeptReader
from vision import Photo, Reader
from vision.network_eye import NetworkEye
from vision.reader import MODELS

PICTURE = Path(__file__).resolve().parents[2] / "pictures" / "throw-113466.jpg"


def test_kept_answers_give_the_same_readings_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = PICTURE.read_bytes()
    counts = (6, 5, None)  # the second needs a second pass
    wanted = [Reader().read(Photo.decode(data), count) for count in counts]
    first = KeptReader(MODELS, tmp_path)
    photo = first.open(data)
    assert [first.read(photo, count) for count in counts] == wanted

    def unwanted(*_: object) -> None:
        raise AssertionError("a network was asked again")

    for name in ("detect", "classify", "look_along_border", "light", "shrink", "cut"):
        monkeypatch.setattr(NetworkEye, name, unwanted)
    second = KeptReader(MODELS, tmp_path)
    assert [second.read(second.open(data), count) for count in counts] == wanted
