"""Whole-die boxes for photos whose labels hold only the pips of the upper face: the reader's own boxes that fit the
labels."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from datasets.photos import labelled_photos, write_labels
from vision.boxes import overlaps
from vision.photo import Photo
from vision.reader import Reader

_LEAST_SCORE = 0.25
_INSIDE = 0.8  # of the labelled upper face lies in the die's box
_LARGER = (1.0, 6.0)  # the whole die's box as a multiple of the upper face's, by area


def redraw(folder: Path, out: Path, models: Path) -> tuple[int, int]:
    """Writes the photos in which every label has its own box and every box its label; returns how many, and how many
    not."""
    reader = Reader(models)
    for part in ("images", "labels"):
        (out / part).mkdir(parents=True, exist_ok=True)
    kept = dropped = 0
    for labelled in labelled_photos(folder):
        if labelled.boxes is None or labelled.classes is None:
            continue
        photo = Photo.decode(labelled.path.read_bytes())
        looks = reader.look(photo)
        boxes = looks.boxes[looks.scores >= _LEAST_SCORE]
        order = matched(labelled.boxes, boxes)
        if order is None:
            dropped += 1
            continue
        kept += 1
        picture = cv2.cvtColor(photo.pixels, cv2.COLOR_RGB2BGR)
        cv2.imwrite(str(out / "images" / f"{labelled.path.stem}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
        write_labels(out / "labels" / f"{labelled.path.stem}.txt", labelled.classes, boxes[order])
    return kept, dropped


def matched(
    faces: np.ndarray[tuple[int, ...], np.dtype[np.float32]], boxes: np.ndarray[tuple[int, ...], np.dtype[np.float32]]
) -> list[int] | None:
    """For each upper face (n, 4) the box (n, 4) that holds it; None where not exactly one each fits."""
    if len(faces) != len(boxes):
        return None
    _, inside = overlaps(faces, boxes)
    areas = [(b[:, 2:] - b[:, :2]).prod(1) for b in (faces, boxes)]
    ratio = areas[1][None, :] / np.maximum(areas[0][:, None], 1e-9)
    fits = (inside >= _INSIDE) & (ratio >= _LARGER[0]) & (ratio <= _LARGER[1])
    if not ((fits.sum(0) == 1).all() and (fits.sum(1) == 1).all()):
        return None
    return [int(j) for j in fits.argmax(1)]
