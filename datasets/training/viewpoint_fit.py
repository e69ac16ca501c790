"""Fits what tells dice seen from the side from dice seen from above (`models/viewpoint.npz`), on rendered pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from datasets.photos import labelled_photos
from datasets.training.logistic import fit_logistic
from datasets.training.surroundings_training import HIGH, LOW
from vision.arrays import Doubles
from vision.boxes import overlaps
from vision.photo import Photo
from vision.reader import Reader
from vision.viewpoint import VIEWPOINT, Viewpoint

_SAME_DIE = 0.5  # intersection over union of a candidate and a labelled die
_FOUND = 0.3  # the detector's score of a candidate that counts
_RIDGE = 100.0


def fit_viewpoint(folders: Sequence[Path], models: Path) -> Viewpoint:
    """Writes `viewpoint.npz` into `models`. Raises ValueError if the folders show no dice from the side, or none from
    above."""
    features, tilts = _examples(folders, Reader(models))
    apart = (tilts >= LOW) | (tilts < HIGH)
    low = tilts[apart] >= LOW
    if low.all() or not low.any():
        raise ValueError(f"pictures of dice from above {HIGH:g} and below {LOW:g} degrees of tilt are wanted")
    weights, bias = fit_logistic(features[apart], low, _RIDGE)
    found = Viewpoint(weights.astype(np.float32), bias)
    np.savez(models / VIEWPOINT, weights=found.weights, bias=found.bias)
    return found


def _examples(folders: Sequence[Path], reader: Reader) -> tuple[Doubles, Doubles]:
    """The features (n, d) of labelled dice, and how far the camera looked away from straight below (n,)."""
    features, tilts = [], []
    for folder in folders:
        for labelled in labelled_photos(folder):
            if labelled.boxes is None or labelled.tilt is None or not len(labelled.boxes):
                continue
            seen = reader.detect(Photo.decode(labelled.path.read_bytes()))
            iou, _ = overlaps(seen.boxes, labelled.boxes)
            right = (iou.max(1, initial=0.0) > _SAME_DIE) & (seen.scores > _FOUND)
            features += list(seen.features[right])
            tilts += [labelled.tilt] * int(right.sum())
    if not features:
        raise ValueError("rendered pictures of dice are wanted, whose details tell how the camera looked")
    return np.array(features, np.float64), np.array(tilts, np.float64)
