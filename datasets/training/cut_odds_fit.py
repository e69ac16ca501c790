"""Fits how probable it is that a thing across a photo's border is a cut die (`models/cut-odds.npz`), on photos that are
cropped so that the edge cuts one die, or none."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.cropping import crop_side, crops_between_dice, crops_through_dice
from datasets.photos import LabelledPhoto, as_pixels, labelled_photos, spread_evenly
from datasets.training.logistic import fit_logistic
from vision.arrays import Doubles, Flags, Pixels
from vision.beyond import CUT_ODDS, CutOdds
from vision.boxes import overlaps
from vision.photo import Photo
from vision.reader import Reader

_LEFT = (0.15, 0.7)  # of a die's box, that the edge leaves
_THE_DIE = 0.3  # intersection over union of a thing and a labelled die, as far as they are in the photo
_ANOTHER = 0.1  # of the smaller box, that a thing shares at most with each labelled die
_ROOM = 0.5  # of a label's sides, by which it is larger for that: some labels hold the pips alone
_LARGEST = 2000  # pixels of a photo's longer side
_RIDGE = 3.0


def fit_cut_odds(folders: Sequence[Path], models: Path, limit: int | None = None) -> CutOdds:
    """Writes `cut-odds.npz` into `models`. `limit`: takes so many photos of each folder, spread evenly. Raises
    ValueError if the folders show no dice that can be cut, or nothing else at the edge."""
    examples = list(_examples(folders, Reader(models), limit))
    numbers = np.array([each for each, _ in examples], np.float64).reshape(-1, 5)
    dice = np.array([die for _, die in examples], bool)
    if dice.all() or not dice.any():
        raise ValueError("photos with labelled dice are wanted, and other things beside them")
    found = _fit(numbers, dice)
    np.savez(models / CUT_ODDS, form=found.form)
    return found


def _fit(numbers: Doubles, dice: Flags) -> CutOdds:
    """The quadratic form by a logistic regression over the numbers and their products."""
    middle, spread = numbers.mean(0), numbers.std(0) + 1e-6
    scaled = (numbers - middle) / spread
    count = scaled.shape[1]
    one, other = np.triu_indices(count)
    weights, bias = fit_logistic(np.column_stack([scaled, scaled[:, one] * scaled[:, other]]), dice, _RIDGE)
    form = np.zeros((count + 1, count + 1))
    form[:count, count] = weights[:count]
    form[one, other] = weights[count:]
    form[count, count] = bias
    unscaled = np.diag(np.append(1 / spread, 1.0))
    unscaled[:count, count] = -middle / spread
    return CutOdds(unscaled.T @ form @ unscaled)


def _examples(folders: Sequence[Path], reader: Reader, limit: int | None) -> Iterator[tuple[Doubles, bool]]:
    """The numbers (5,) of things across the border, and whether it is a die."""
    for folder in folders:
        for labelled in spread_evenly(list(labelled_photos(folder)), limit):
            for pixels, boxes in _variants(labelled):
                yield from _things_beyond(pixels, boxes, reader)


def _variants(labelled: LabelledPhoto) -> Iterator[tuple[Pixels, Doubles]]:
    """The photo as it is, with one die cut, and cropped between the dice; with the dice's boxes (n, 4) in pixels."""
    if labelled.boxes is None or not len(labelled.boxes):
        return
    pixels = Photo.decode(labelled.path.read_bytes()).pixels
    shrink = min(1.0, _LARGEST / max(pixels.shape[:2]))
    if shrink < 1:
        pixels = as_pixels(cv2.resize(pixels, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA))
    height, width = pixels.shape[:2]
    boxes = labelled.boxes.astype(np.float64) * [width, height, width, height]
    yield pixels, boxes
    rng = np.random.default_rng(zlib.crc32(labelled.path.name.encode()))
    for crops in (
        crops_through_dice(boxes, width, height, rng.uniform(*_LEFT)),
        crops_between_dice(boxes, width, height, rng),
    ):
        if crops:
            yield crop_side(pixels, boxes, crops[int(rng.integers(len(crops)))])


def _things_beyond(pixels: Pixels, boxes: Doubles, reader: Reader) -> Iterator[tuple[Doubles, bool]]:
    """Things across the border of one picture, but those that may be part of a die that is whole."""
    things, numbers = reader.look_beyond(Photo(pixels))
    height, width = pixels.shape[:2]
    size = np.array([width, height] * 2)
    room = _ROOM * np.tile(boxes[:, 2:] - boxes[:, :2], 2) * [-1, -1, 1, 1]
    cut = np.asarray(((boxes < 0) | (boxes > size)).any(1))
    iou, _ = overlaps(*(each.clip(0, size).astype(np.float32) for each in (things, boxes)))
    _, shared = overlaps(*(each.clip(0, size).astype(np.float32) for each in (things, boxes + room)))
    for each, known, near in zip(numbers, iou, shared, strict=True):
        die = int(known.argmax())
        if cut[die] and known[die] > _THE_DIE:
            yield each, True
        elif near.max() <= _ANOTHER:
            yield each, False
