"""What looks along the border is trained on strips of cropped photos."""

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch (the extra `train`)")

from datasets.training.border_training import _label_places
from rollcall import main
from tests.datasets.labelled import label_pictures
from vision import Photo, Reader
from vision.border import BORDER, STEP
from vision.reader import MODELS

PICTURES = Path(__file__).resolve().parents[2] / "pictures"


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Three pictures of six and five dice, with labels."""
    return label_pictures(tmp_path / "photos", {"throw-113466.jpg", "throw-112455.jpg", "throw-12345.jpg"})


def train(photos: Path, models: Path) -> int:
    return main(["workshop", "train", "border", str(photos), "--models", str(models), "--examples", "64"])


def test_the_command_writes_what_the_reader_loads(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models, again = tmp_path / "models", tmp_path / "again"
    shutil.copytree(MODELS, models, ignore=shutil.ignore_patterns("advice", BORDER))
    again.mkdir()
    assert train(photos, models) == 0, capsys.readouterr().err
    assert Reader(models).read(Photo.decode((PICTURES / "throw-4.jpg").read_bytes())).values == (4,)
    assert train(photos, again) == 0
    assert (again / BORDER).read_bytes() == (models / BORDER).read_bytes()


def test_photos_without_labels_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    assert train(tmp_path, tmp_path) == 2
    assert "photos with labelled dice are wanted" in capsys.readouterr().err
    assert not (tmp_path / BORDER).exists()


def test_a_die_counts_in_its_middle_and_not_beside_it() -> None:
    across = np.array([[64.0, 96.0], [160.0, 192.0], [224.0, 256.0]])
    dice, counts = _label_places(across, np.array([0.3, 0.95, 2.0]), np.array([True, False, False]))
    middles = STEP * (np.arange(len(dice)) + 0.5)
    assert set(middles[dice == 1]) == {76.0, 84.0}
    assert not counts[(middles > 60) & (middles < 100) & (dice == 0)].any(), "beside its middle, nothing is wanted"
    assert not counts[(middles > 160) & (middles < 192)].any(), "hardly cut, it is neither"
    assert counts[(middles > 224) | (middles < 56)].all(), "a whole die is none that is cut"
