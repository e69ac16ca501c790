"""Labelled photos for the tests: made up, and the repository's own pictures as a folder."""

import json
import shutil
from collections.abc import Container
from pathlib import Path

import numpy as np

from datasets.photos import LabelledPhoto, write_labels

PICTURES = Path(__file__).resolve().parents[1] / "pictures"


def photo_of(*dice: tuple[int, float]) -> LabelledPhoto:
    """A photo of dice with these values and left sides, each a tenth of its width and height."""
    boxes = np.array([[x, 0.4, x + 0.1, 0.5] for _, x in dice], np.float32).reshape(-1, 4)
    values = tuple(sorted(value for value, _ in dice))
    return LabelledPhoto(Path("a.jpg"), values, boxes, np.array([value - 1 for value, _ in dice], np.int64))


def label_pictures(folder: Path, names: Container[str] | None = None, shrunk: float = 1.0) -> Path:
    """These JPEGs of the repository, or all, with labels, the boxes shrunk about their middles. Returns the folder."""
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True)
    for shown in json.loads((PICTURES / "pictures.json").read_text()):
        name = Path(shown["picture"])
        if name.suffix != ".jpg" or (names is not None and shown["picture"] not in names):
            continue
        shutil.copy(PICTURES / name, folder / "images")
        boxes = np.array([die["box"] for die in shown["dice"]]) / np.array([shown["width"], shown["height"]] * 2)
        middle, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2 * shrunk
        classes = np.array([die["value"] - 1 for die in shown["dice"]])
        write_labels(folder / "labels" / f"{name.stem}.txt", classes, np.hstack([middle - half, middle + half]))
    return folder
