"""What the recipes of a whole reader have in common."""

from pathlib import Path

from datasets.training.parts import begin_with
from vision.border import BORDER
from vision.network_eye import LIKENESS
from vision.reader import CALIBRATION, MODELS


def test_a_reader_in_training_knows_as_well_when_a_photo_cannot_be_sure(tmp_path: Path) -> None:
    begin_with(MODELS, tmp_path)
    wanted = {CALIBRATION, LIKENESS, BORDER}
    assert {each.name for each in tmp_path.iterdir()} == wanted
