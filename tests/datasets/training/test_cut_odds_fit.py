"""What tells dice that the edge cuts from other things there is learnt from cropped photos."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from datasets.photos import write_labels
from datasets.training.cut_odds_fit import _fit
from rollcall import main
from vision.beyond import CUT_ODDS, CutOdds
from vision.border import BORDER
from vision.reader import MODELS

PICTURES = Path(__file__).resolve().parents[2] / "pictures"


def test_products_of_the_numbers_count() -> None:
    rng = np.random.default_rng(1)
    numbers = rng.normal([3, -1, 0, 10, 5], [1, 2, 1, 3, 1], (600, 5))
    dice = (numbers[:, 0] - 3) * (numbers[:, 3] - 10) + 0.5 * numbers[:, 1] > 0
    odds = CutOdds(_fit(numbers, dice)).of_things(numbers)
    assert ((odds > 0) == dice).mean() > 0.95


def test_the_command_writes_what_the_reader_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models, photos = tmp_path / "models", tmp_path / "photos"
    shutil.copytree(MODELS, models, ignore=shutil.ignore_patterns("advice", CUT_ODDS))
    for folder in ("images", "labels"):
        (photos / folder).mkdir(parents=True)
    for entry in json.loads((PICTURES / "pictures.json").read_text())[:6]:
        name, size = Path(entry["picture"]), np.array([entry["width"], entry["height"]] * 2, np.float32)
        if name.suffix != ".jpg":
            continue
        shutil.copy(PICTURES / name, photos / "images")
        boxes = np.array([die["box"] for die in entry["dice"]], np.float32) / size
        classes = np.array([die["value"] - 1 for die in entry["dice"]])
        write_labels(photos / "labels" / f"{name.stem}.txt", classes, boxes)
    assert main(["train", "cut-odds", str(photos), "--models", str(models)]) == 0, capsys.readouterr().err
    fitted = CutOdds.load(models / CUT_ODDS)
    assert fitted is not None
    assert np.isfinite(fitted.of_things(np.zeros((1, 5)))).all()
    assert np.isfinite(fitted.of_both(np.zeros(1, np.float32), np.zeros(1))).all()


def test_without_the_network_of_the_border_nothing_is_fitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models, photos = tmp_path / "models", tmp_path / "photos"
    shutil.copytree(MODELS, models, ignore=shutil.ignore_patterns("advice", BORDER))
    for folder in ("images", "labels"):
        (photos / folder).mkdir(parents=True)
    entry = json.loads((PICTURES / "pictures.json").read_text())[0]
    shutil.copy(PICTURES / entry["picture"], photos / "images")
    box = np.array([entry["dice"][0]["box"]], np.float32) / np.array([entry["width"], entry["height"]] * 2)
    write_labels(photos / "labels" / f"{Path(entry['picture']).stem}.txt", np.array([0]), box.astype(np.float32))
    assert main(["train", "cut-odds", str(photos), "--models", str(models)]) == 2
    assert BORDER in capsys.readouterr().err
