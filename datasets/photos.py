"""Labelled photos on disk: a folder with `images/` and YOLO text files in `labels/` (class 0..5 = value 1..6), or a
folder of such folders, as `rollcall workshop render --evenings` makes them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.arrays import Boxes, Floats, Pixels

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp"})


VALUES = 6  # classes below are values less one; one more, in rendered pictures, is a thing that must not be read


@dataclass(frozen=True)
class LabelledPhoto:
    """A photo and its labels.

    `boxes` (n, 4): x0, y0, x1, y1 as fractions of width and height; `classes` (n,): value minus one. Both are None if
    only the ascending `values` are known. `others` (m, 4): boxes of marked things that look like dice and must not be
    read. `unclear` (k, 4): boxes of dice of which the edge leaves too little to tell the value. `roll`: degrees by
    which the camera was turned about its view; `tilt`: degrees by which it looked away from straight below; both only
    in rendered pictures. There, `dice_seen` (n, 2) and `others_seen` (m, 2) have for each die and each other thing the
    camera's elevation above the table, in degrees, and the share of it that can be seen if it is a die, or else 0.
    Elsewhere the elevation is nan, and dice are whole.
    """

    path: Path
    values: tuple[int, ...]
    boxes: Boxes | None = field(default=None, compare=False)
    classes: npt.NDArray[np.int64] | None = field(default=None, compare=False)
    others: Boxes = field(default_factory=lambda: np.zeros((0, 4), np.float32), compare=False)
    unclear: Boxes = field(default_factory=lambda: np.zeros((0, 4), np.float32), compare=False)
    roll: float = 0.0
    tilt: float | None = None
    dice_seen: Floats = field(default_factory=lambda: _sightings([], 0), compare=False)
    others_seen: Floats = field(default_factory=lambda: _sightings([], 0), compare=False)


def labelled_photos(folder: Path) -> Iterator[LabelledPhoto]:
    """The photos of `folder`, by name, or of the labelled folders in it. Raises ValueError for a label that is no YOLO
    label, FileNotFoundError if there are no labels at all."""
    if inside := labelled_folders(folder):
        for one in inside:
            yield from labelled_photos(one)
        return
    images = folder / "images" if (folder / "images").is_dir() else folder
    known = read_values(folder / "values.csv")
    for path in sorted(p for p in images.iterdir() if p.suffix.lower() in SUFFIXES):
        label = folder / "labels" / f"{path.stem}.txt"
        if label.is_file():
            classes, boxes = read_labels(label)
            dice = classes < VALUES
            values = tuple(sorted(int(c) + 1 for c in classes[dice]))
            details = _details(folder / "details" / f"{path.stem}.json")
            camera = details.get("camera", {"roll": 0.0, "tilt": None})
            yield LabelledPhoto(
                path,
                values,
                boxes[dice],
                classes[dice],
                boxes[~dice],
                read_unclear(folder / "unclear" / label.name),
                float(camera["roll"]),
                None if camera["tilt"] is None else float(camera["tilt"]),
                _sightings(details.get("dice", []), int(dice.sum()), 1.0),
                _sightings(details.get("others", []), int((~dice).sum())),
            )
        elif path.name in known:
            yield LabelledPhoto(path, known[path.name])
        else:
            raise FileNotFoundError(f"{path}: neither {label} nor a line in {folder / 'values.csv'} says what it shows")


def spread_evenly(photos: Sequence[LabelledPhoto], limit: int | None) -> Sequence[LabelledPhoto]:
    """So many of the photos, spread evenly; all if `limit` is None or no less."""
    if limit is None or limit >= len(photos):
        return photos
    return [photos[k * len(photos) // limit] for k in range(limit)]


def labelled_folders(folder: Path) -> list[Path]:
    """The folders with `images/` that `folder` holds, by name; [] if it has `images/` itself."""
    if (folder / "images").is_dir():
        return []
    return sorted(path for path in folder.iterdir() if (path / "images").is_dir())


def _details(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def _sightings(rows: Sequence[Mapping[str, Any]], count: int, share: float = 0.0) -> Floats:
    """For each of `count` things the elevation and the visible share of a die; `share` where nothing is known."""
    if len(rows) != count or not all("elevation" in row for row in rows):  # older pictures do not say it
        return np.tile(np.array([np.nan, share], np.float32), (count, 1))
    shares = [row["visible"] if row["what"] in ("die", "unreadable die") else 0.0 for row in rows]
    return np.array([[row["elevation"], seen] for row, seen in zip(rows, shares, strict=True)], np.float32).reshape(
        -1, 2
    )


def read_labels(path: Path) -> tuple[npt.NDArray[np.int64], Boxes]:
    """Classes (n,) and boxes (n, 4) of one YOLO text file; boxes as x0, y0, x1, y1 fractions."""
    rows = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 5 or not cells[0].isdigit():
            raise ValueError(f"{path}, line {number}: want `class x y width height`, got {line!r}")
        rows.append([float(cell) for cell in cells])
    table = np.asarray(rows, dtype=np.float64).reshape(-1, 5)
    centre, size = table[:, 1:3], table[:, 3:5]
    return table[:, 0].astype(np.int64), np.hstack([centre - size / 2, centre + size / 2]).astype(np.float32)


def read_unclear(path: Path) -> Boxes:
    """Boxes (n, 4) like `read_labels`, of lines without a class; none without that file."""
    table = np.array(path.read_text().split() if path.is_file() else [], np.float32).reshape(-1, 4)
    return np.hstack([table[:, :2] - table[:, 2:] / 2, table[:, :2] + table[:, 2:] / 2])


def write_labels(path: Path, classes: npt.NDArray[np.int64], boxes: Boxes) -> None:
    """Writes what `read_labels` reads."""
    lines = []
    for cls, (x0, y0, x1, y1) in zip(classes, boxes, strict=True):
        lines.append(f"{int(cls)} {(x0 + x1) / 2:.6f} {(y0 + y1) / 2:.6f} {x1 - x0:.6f} {y1 - y0:.6f}\n")
    path.write_text("".join(lines))


def read_values(path: Path) -> dict[str, tuple[int, ...]]:
    """The ascending values of photos by their file names, from a `values.csv`; {} without that file."""
    if not path.is_file():
        return {}
    with path.open(newline="") as lines:
        return {row["file"]: tuple(sorted(int(v) for v in row["values"].split())) for row in csv.DictReader(lines)}


def write_values(path: Path, values: Mapping[str, Sequence[int]]) -> None:
    """Writes what `read_values` reads."""
    with path.open("w", newline="") as lines:
        table = csv.writer(lines, lineterminator="\n")
        table.writerow(["file", "values"])
        table.writerows((name, " ".join(map(str, sorted(values[name])))) for name in sorted(values))


def load_pixels(path: Path) -> Pixels:
    """The photo as (height, width, 3) RGB. Raises ValueError when it cannot be decoded."""
    pixels = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise ValueError(f"{path}: not a picture that can be decoded")
    return np.ascontiguousarray(pixels[:, :, ::-1])


def as_pixels(values: npt.NDArray[np.generic] | cv2.typing.MatLike) -> Pixels:
    """An OpenCV result as the bytes that it is; OpenCV does not declare its type."""
    return np.asarray(values, np.uint8)
