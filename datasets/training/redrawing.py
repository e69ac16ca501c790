"""Whole-die boxes for photos whose labels hold only the upper face: the reader's own boxes that fit the labels."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.finding import DiceFinder, overlaps
from datasets.photos import labelled_photos, write_labels
from vision.arrays import Boxes
from vision.judging.weights import Calibration
from vision.photo import Photo
from vision.reader import CALIBRATION

_CLEAR = 0.75  # a box with this score that holds no labelled face is a die without a label: the photo is left out
_INSIDE = 0.75  # of the labelled upper face lies in the die's box
_LARGER = (1.0, 60.0)  # the die's box as a multiple of the upper face's, by area: a single pip is small


def redraw(folder: Path, out: Path, models: Path) -> tuple[int, int]:
    """Writes the photos in which every label has its own box and every box its label; returns how many it wrote and
    left out.

    The boxes are those that the detector in `models` finds.
    """
    finder, least = DiceFinder.load(models), Calibration.load(models / CALIBRATION).candidate
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    kept = dropped = 0
    for labelled in labelled_photos(folder):
        if labelled.boxes is None or labelled.classes is None:
            continue
        photo = Photo.decode(labelled.path.read_bytes())
        boxes, scores = finder.find(photo, least)
        order = match_boxes(labelled.boxes, boxes, scores)
        if order is None:
            dropped += 1
            continue
        kept += 1
        picture = cv2.cvtColor(photo.pixels, cv2.COLOR_RGB2BGR)
        cv2.imwrite(str(out / "images" / f"{labelled.path.stem}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        write_labels(out / "labels" / f"{labelled.path.stem}.txt", labelled.classes, boxes[order])
    return kept, dropped


def match_boxes(faces: Boxes, boxes: Boxes, scores: Boxes) -> list[int] | None:
    """For each upper face (n, 4) the best box of (m, 4) that holds it. None if a face has no box, two share one, or a
    clear box is left over."""
    _, inside = overlaps(faces, boxes)
    areas = [(b[:, 2:] - b[:, :2]).prod(1) for b in (faces, boxes)]
    ratio = areas[1][None, :] / np.maximum(areas[0][:, None], 1e-9)
    fits = (inside >= _INSIDE) & (ratio >= _LARGER[0]) & (ratio <= _LARGER[1])
    if not fits.any(1).all():
        return None
    chosen = [int(j) for j in np.where(fits, scores[None, :], -1.0).argmax(1)]
    left_over = np.delete(scores, chosen) >= _CLEAR
    return None if len(set(chosen)) < len(chosen) or left_over.any() else chosen
