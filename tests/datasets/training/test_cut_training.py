"""The weights by which both networks tell that the photo's edge cuts a die are fitted to cropped photos."""

import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.photos import load_pixels, write_labels
from datasets.training.cut_training import fit_cut
from vision import Photo, Reader
from vision.judging.weights import Calibration
from vision.reader import CALIBRATION, MODELS

pytestmark = pytest.mark.whole

PICTURES = Path(__file__).resolve().parents[2] / "pictures"


@pytest.fixture
def models(tmp_path: Path) -> Path:
    """The networks, and a calibration that may be written."""
    folder = tmp_path / "models"
    folder.mkdir()
    for file in MODELS.glob("*.[on][np]*"):
        (folder / file.name).symlink_to(file)
    shutil.copy(MODELS / CALIBRATION, folder)
    return folder


def labelled(folder: Path, *names: str) -> Path:
    """Pictures of dice, and chips across the border."""
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True)
    for name in names:
        pixels = load_pixels(PICTURES / name)
        height, width = pixels.shape[:2]
        for middle in ((0, height // 3), (width, height // 2), (width // 3, 0), (width // 2, height)):
            cv2.circle(pixels, middle, 30, (220, 210, 190), -1)
            cv2.circle(pixels, middle, 18, (150, 30, 30), 5)
        cv2.imwrite(str(folder / "images" / name), pixels[:, :, ::-1])
        reading = Reader().read(Photo.decode((PICTURES / name).read_bytes()))
        boxes = np.array([die.box for die in reading.dice]) / ([reading.width, reading.height] * 2)
        classes = np.array([die.value - 1 for die in reading.dice])
        write_labels(folder / "labels" / f"{Path(name).stem}.txt", classes, boxes.astype(np.float32))
    return folder


def test_both_networks_speak_for_a_cut_die(tmp_path: Path, models: Path) -> None:
    before = Calibration.load(models / CALIBRATION)
    photos = labelled(tmp_path / "photos", "throw-113466.jpg", "throw-66666.jpg", "throw-23335.jpg", "throw-12345.jpg")
    weights = fit_cut([photos], models)
    assert weights.border > 0
    assert weights.part > 0
    assert Calibration.load(models / CALIBRATION).cut == weights != before.cut


def test_photos_of_which_no_die_can_be_cut_are_refused(tmp_path: Path, models: Path) -> None:
    with pytest.raises(ValueError, match="several labelled dice"):
        fit_cut([labelled(tmp_path / "photos", "throw-4.jpg")], models)
