"""`rollcall workshop dataset`: training data from the photos that tables corrected and agreed to keep.

The application keeps a photo with its reading and with what a person corrected (`web/photos/review.py`). Here it
becomes a labelled photo, upright and without the place, time and device that the camera noted. It goes to one of two
folders: `corrections` teaches; `corrections-held-out` measures and must never teach.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import platformdirs
from PIL import Image

from datasets.finding import overlaps
from datasets.photos import VALUES, as_pixels, labelled_photos, read_values, write_labels, write_values
from vision.arrays import Boxes, Pixels, as_boxes, rows_of
from vision.judging.interpretation import Assessment, assess
from vision.judging.overlap import suppress
from vision.judging.weights import Calibration
from vision.photo import Photo
from vision.reader import CALIBRATION, MODELS, Reader
from vision.reasons import PhotoError, VisionError

TEACHING, HELD_OUT = "corrections", "corrections-held-out"

_OTHER = VALUES  # the class of a thing that must not be read
_HELD_OUT_OF = 5  # tables: one of so many measures
_LONGEST = 2048  # pixels of a photo's longer side
_QUALITY = 92
_SAME_BOX = 1.0  # pixels by which a box may differ that only went to the phone and back
_MAY_BE = 0.2  # from this probability on, a thing may be a die
_SAME_DIE = 0.5  # of the smaller box: finds that share more with a die are of that die
_APART = 0.2  # a thing that shares less than this with every die, of the smaller box, is none of them
_SIDES = (0.6, 1.6)  # of the other dice's side: what a die that the reader did not give may have
_NEAR = 0.3  # of a find's sides: how far from its middle a person taps who means it
_GROWN = 0.1  # of a thing's sides: what is covered around it


class CannotTeachError(ValueError):
    """No labelled photo can be made of a correction; the text says why and follows "1 photo"."""


@dataclass(frozen=True)
class CorrectedPhoto:
    """A kept photo and a person's corrections. All boxes (n, 4) are fractions of width and height.

    `boxes`: of the dice whose `values` (n,) a person confirmed. `by_hand` (n,): the person tapped the photo, so the
    middle of the box is that place and its size a guess. `removed`: things that were read and that the person took
    away. `others_may_lie`: dice of the game that were not thrown may be in the picture, also among the removed things.
    """

    photo: Photo
    values: npt.NDArray[np.int64]
    boxes: Boxes
    by_hand: npt.NDArray[np.bool_]
    removed: Boxes
    others_may_lie: bool


@dataclass(frozen=True)
class Labels:
    """Classes (n,) and boxes (n, 4) of dice and of things that must not be read. `covered`: boxes of things that nobody
    can name. All boxes are fractions."""

    classes: npt.NDArray[np.int64]
    boxes: Boxes
    covered: Boxes


@dataclass
class CollectionSummary:
    """What a folder holds now, and what this run changed: photos `added`, and `left_out` by reason."""

    added: int = 0
    teaching: int = 0
    held_out: int = 0
    dice: int = 0
    other_things: int = 0
    without_boxes: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        return {**vars(self), "left_out": dict(self.left_out)}

    def text(self) -> str:
        """One line for a person."""
        line = (
            f"{self.teaching} photos to teach, {self.held_out} held out to measure ({self.added} new): "
            f"{self.dice} dice, {self.other_things} other things; {self.without_boxes} photos with values only"
        )
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(self.left_out.items()))
        return f"{line}; left out: {reasons}" if reasons else line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(required=True, dest="kind", metavar="KIND")
    corrections = kinds.add_parser("corrections", help="labelled photos from what tables corrected")
    corrections.add_argument("out", type=Path, metavar="OUT", help=f"folder for {TEACHING}/ and {HELD_OUT}/")
    add_data_argument(corrections)
    corrections.add_argument(
        "--models", type=Path, default=MODELS, help="networks that find the dice which a person only pointed at"
    )
    corrections.add_argument("--json", action="store_true", help="print one JSON document")


def add_data_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, help="data folder of `rollcall serve` (default: this user's)")


def run(args: argparse.Namespace) -> int:
    try:
        summary = collect(args.data, args.out, args.models)
    except (ValueError, OSError, VisionError) as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(summary.to_json()) if args.json else summary.text())
    return 0


def collect(data: Path | None, out: Path, models: Path = MODELS) -> CollectionSummary:
    """Adds the corrections kept in a data folder (None: this user's) to the two folders under `out`.

    Photos that are there stay; those without boxes are tried again. Raises FileNotFoundError if no correction was ever
    kept.
    """
    kept = (data or Path(platformdirs.user_data_dir("rollcall", appauthor=False))) / "corrections"
    if not kept.is_dir():
        raise FileNotFoundError(f"{kept} is not there: no table has yet agreed to keep photos and corrected one")
    reader, calibration = Reader(models), Calibration.load(models / CALIBRATION)
    summary = CollectionSummary()
    for path in sorted(kept.glob("*.json")):
        try:
            entry = _read_label(path)
            folder = out / side_of(str(entry.get("table") or path.stem))
            picture, label = folder / "images" / f"{path.stem}.jpg", folder / "labels" / f"{path.stem}.txt"
            if picture.is_file() and label.is_file():
                continue
            correction = read_correction(entry, path.with_suffix(".photo"))
            labels = label_photo(correction, reader, calibration)
        except CannotTeachError as reason:
            summary.left_out[str(reason)] += 1
            continue
        summary.added += not picture.is_file()
        _write(folder, path.stem, correction, labels)
    for folder in (out / TEACHING, out / HELD_OUT):
        _count(summary, folder)
    return summary


def side_of(table: str) -> str:
    """The folder for all photos of a table, now and later: a photo that teaches must never measure."""
    return TEACHING if hashlib.sha256(table.encode()).digest()[0] % _HELD_OUT_OF else HELD_OUT


def read_correction(entry: dict[str, Any], file: Path) -> CorrectedPhoto:
    """The photo in `file` with its `entry`. Raises CannotTeachError if either is damaged."""
    try:
        photo = Photo.decode(file.read_bytes())
    except (OSError, PhotoError) as error:
        raise CannotTeachError("whose file is not there or damaged") from error
    try:
        size = np.array([entry["width"], entry["height"]] * 2, np.float32)
        dice = [*entry["dice"], *entry.get("aside", [])]
        values = np.array([die["value"] for die in dice], np.int64)
        boxes, read = (np.array([d["box"] for d in of], np.float32).reshape(-1, 4) for of in (dice, entry["read"]))
        others_may_lie = len(entry.get("aside", [])) < entry.get("not_thrown", np.inf)
    except (ValueError, TypeError, KeyError) as error:
        raise CannotTeachError("whose label is damaged") from error
    if (photo.width, photo.height) != (size[0], size[1]):
        raise CannotTeachError("of another size than its label says")
    boxes, read = (np.clip(some / size, 0, 1).astype(np.float32) for some in (boxes, read))
    empty = (boxes[:, 2:] <= boxes[:, :2]).any() or not np.isfinite(boxes).all()
    if not len(dice) or empty or not ((values >= 1) & (values <= VALUES)).all():
        raise CannotTeachError("whose label is damaged")
    same = (np.abs(boxes[:, None] - read[None]) * size <= _SAME_BOX).all(2)
    return CorrectedPhoto(photo, values, boxes, ~same.any(1), read[~same.any(0)], others_may_lie)


def label_photo(correction: CorrectedPhoto, reader: Reader, calibration: Calibration) -> Labels | None:
    """The labels of a photo; None if a die has no box, so that only the values are known.

    Raises CannotTeachError if the values are unknown too.
    """
    finds, weighed = np.zeros((0, 4), np.float32), None
    if correction.by_hand.any() or correction.others_may_lie:
        detections = reader.detect(correction.photo)
        finds, weighed = rows_of(detections.boxes, 4), assess(detections, calibration)
    dice = place_boxes(correction, finds, weighed)
    if dice is None:
        if correction.others_may_lie:
            raise CannotTeachError("with a die without a box, and perhaps dice that were not thrown")
        return None
    others = _without_dice(dice, correction.removed)
    covered = np.zeros((0, 4), np.float32)
    if correction.others_may_lie:
        assert weighed is not None
        likely = finds[np.array(weighed.apart) & (np.array(weighed.alone) >= _MAY_BE)]
        others, covered = covered, np.concatenate([others, _without_dice(dice, likely)])
    classes = np.concatenate([correction.values - 1, np.full(len(others), _OTHER, np.int64)])
    return Labels(classes, np.concatenate([dice, others]), covered)


def place_boxes(correction: CorrectedPhoto, finds: Boxes, weighed: Assessment | None) -> Boxes | None:
    """The boxes of the dice. Dice that the person only pointed at get the box of a find; None if it is unclear which.

    A find is meant if its middle lies near the place and it is as large as the other dice. If the person pointed at all
    dice, the finds must look like the values that the person gave and be of one size; a single find proves nothing.
    """
    boxes = correction.boxes.copy()
    if weighed is None or not correction.by_hand.any():
        return boxes
    pixels = np.array([correction.photo.width, correction.photo.height], np.float32)
    known = boxes[~correction.by_hand]
    sides, known_sides = (((some[:, 2:] - some[:, :2]) * pixels).max(1, initial=0) for some in (finds, known))
    middles, reach = (finds[:, :2] + finds[:, 2:]) / 2, _NEAR * (finds[:, 2:] - finds[:, :2])
    free = overlaps(finds, known)[1].max(1, initial=0.0) <= _SAME_DIE
    for i in np.flatnonzero(correction.by_hand):
        place = (boxes[i, :2] + boxes[i, 2:]) / 2
        fits = free & (np.abs(middles - place) <= reach).all(1)
        if len(known):
            fits &= _alike(sides, known_sides)
        else:
            fits &= np.array(weighed.values).argmax(1) == correction.values[i] - 1
        here = np.flatnonzero(fits)
        chosen = here[suppress(as_boxes(finds[here]), [weighed.alone[thing] for thing in here])]
        if len(chosen) != 1:
            return None
        boxes[i] = finds[chosen[0]]
        free &= overlaps(finds, boxes[i][None])[1][:, 0] <= _SAME_DIE
    if not len(known):
        sides = ((boxes[:, 2:] - boxes[:, :2]) * pixels).max(1)
        if len(boxes) < 2 or not _alike(sides, sides).all():
            return None
    return boxes


def _alike(sides: npt.NDArray[np.float32], usual: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Which sides are about as long as the median of the `usual` ones."""
    middle = float(np.median(usual))
    return np.asarray((sides >= _SIDES[0] * middle) & (sides <= _SIDES[1] * middle))


def _without_dice(dice: Boxes, things: Boxes) -> Boxes:
    """The things that are no second box on one of the dice."""
    return things[overlaps(things, dice)[1].max(1, initial=0.0) < _APART]


def _read_label(path: Path) -> dict[str, Any]:
    try:
        entry = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise CannotTeachError("whose label is damaged") from error
    if not isinstance(entry, dict):
        raise CannotTeachError("whose label is damaged")
    return entry


def _write(folder: Path, name: str, correction: CorrectedPhoto, labels: Labels | None) -> None:
    """Writes the labels or the values, then the picture, so that no picture is ever without them."""
    for part in ("images", "labels"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    picture, table = folder / "images" / f"{name}.jpg", folder / "values.csv"
    values = read_values(table)
    pixels = _shrunk(correction.photo)
    if labels is None:
        write_values(table, {**values, picture.name: tuple(correction.values.tolist())})
    else:
        _cover(pixels, labels)
        label = folder / "labels" / f"{name}.txt"
        new = label.with_suffix(".part")
        write_labels(new, labels.classes, labels.boxes)
        new.replace(label)
        if values.pop(picture.name, None) is not None:
            write_values(table, values)
    new = picture.with_suffix(".part")
    Image.fromarray(pixels).save(new, "JPEG", quality=_QUALITY)
    new.replace(picture)


def _shrunk(photo: Photo) -> Pixels:
    pixels = photo.view(_LONGEST)
    share = _LONGEST / max(pixels.shape[:2])
    if share < 1:
        pixels = as_pixels(cv2.resize(pixels, None, fx=share, fy=share, interpolation=cv2.INTER_AREA))
    return pixels.copy()


def _cover(pixels: Pixels, labels: Labels) -> None:
    """Paints the covered places with the colour around them, but never over a die."""
    scale = np.array([pixels.shape[1], pixels.shape[0]] * 2)
    before = pixels.copy()
    for box in labels.covered:
        x0, y0, x1, y1 = _outer(box, scale, _GROWN)
        u0, v0, u1, v1 = _outer(box, scale, 3 * _GROWN)
        ring = np.ones((v1 - v0, u1 - u0), bool)
        ring[y0 - v0 : y1 - v0, x0 - u0 : x1 - u0] = False
        around = before[v0:v1, u0:u1][ring]
        pixels[y0:y1, x0:x1] = np.median(around, axis=0) if len(around) else np.median(before, axis=(0, 1))
    for box in labels.boxes:
        x0, y0, x1, y1 = _outer(box, scale, 0)
        pixels[y0:y1, x0:x1] = before[y0:y1, x0:x1]


def _outer(box: Boxes, scale: npt.NDArray[np.int64], grown: float) -> tuple[int, int, int, int]:
    """A box of fractions, grown by a share of its sides, as whole pixels within the picture."""
    reach = grown * (box[2:] - box[:2])
    x0, y0, x1, y1 = (np.clip(np.concatenate([box[:2] - reach, box[2:] + reach]), 0, 1) * scale).tolist()
    return int(x0), int(y0), int(np.ceil(x1)), int(np.ceil(y1))


def _count(summary: CollectionSummary, folder: Path) -> None:
    if not (folder / "images").is_dir():
        return
    photos = list(labelled_photos(folder))
    if folder.name == HELD_OUT:
        summary.held_out = len(photos)
    else:
        summary.teaching = len(photos)
    summary.dice += sum(len(photo.values) for photo in photos)
    summary.other_things += sum(len(photo.others) for photo in photos)
    summary.without_boxes += sum(photo.boxes is None for photo in photos)
