"""The committed pictures of known throws and what is said about them."""

import json
from pathlib import Path

import cv2
import pytest

PICTURES = Path(__file__).parents[2] / "pictures"


@pytest.mark.parametrize("folder", [PICTURES, PICTURES / "logo-dice"])
def test_each_picture_is_there_with_its_dice_inside(folder: Path) -> None:
    index = json.loads((folder / "pictures.json").read_text(encoding="utf-8"))
    assert {entry["picture"] for entry in index} == {path.name for path in folder.glob("*.jpg")}
    for entry in index:
        image = cv2.imread(str(folder / entry["picture"]))
        assert image.shape == (entry["height"], entry["width"], 3)
        assert sorted(die["value"] for die in entry["dice"]) == entry["values"] == sorted(entry["thrown"])
        for die in entry["dice"]:
            x0, y0, x1, y1 = die["box"]
            assert 0 < x0 < x1 < entry["width"]
            assert 0 < y0 < y1 < entry["height"]
