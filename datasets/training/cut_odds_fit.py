"""Fits how probable it is that a thing across a photo's border is a cut die (`models/cut-odds.npz`), on photos that are
cropped so that the edge cuts one die, or none. The network of the border must be there."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets.cropping import crop_side, crops_between_dice, crops_through_dice
from datasets.photos import LabelledPhoto, as_pixels, labelled_photos, spread_evenly
from datasets.training.logistic import fit_logistic
from vision.arrays import Doubles, Flags, Floats, Pixels
from vision.beyond import CUT_ODDS, CutOdds, add_places, both_log_odds
from vision.border import Places
from vision.boxes import overlaps
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Reading

_LEFT = (0.15, 0.7)  # of a die's box, that the edge leaves
_THE_DIE = 0.3  # intersection over union of a thing and a labelled die, as far as they are in the photo
_ANOTHER = 0.1  # of the smaller box, that a thing shares at most with each labelled die
_ROOM = 0.5  # of a label's sides, by which it is larger for that: some labels hold the pips alone
_LARGEST = 2000  # pixels of a photo's longer side
_RIDGE = 3.0


@dataclass(frozen=True)
class _Looked:
    """What lies across the border of one picture: boxes (n, 4) in its pixels and their numbers (n, 5), what the network
    of the border says, the picture's dice (m, 4) and which of them the border cuts (m,)."""

    reading: Reading
    boxes: Floats
    numbers: Doubles
    places: Places
    dice: Doubles
    cut: Flags

    def label(self, boxes: Floats) -> list[bool | None]:
        """Which of the boxes (n, 4) is a cut die; None if it may be part of a die that is whole."""
        size = np.array([self.reading.width, self.reading.height] * 2)
        room = _ROOM * np.tile(self.dice[:, 2:] - self.dice[:, :2], 2) * [-1, -1, 1, 1]
        inside = boxes.clip(0, size).astype(np.float32)
        iou, _ = overlaps(inside, self.dice.clip(0, size).astype(np.float32))
        _, near = overlaps(inside, (self.dice + room).clip(0, size).astype(np.float32))
        die = iou.argmax(1)
        found = (iou.max(1) > _THE_DIE) & self.cut[die]
        apart = near.max(1) <= _ANOTHER
        return [bool(one) if one or other else None for one, other in zip(found, apart, strict=True)]


def fit_cut_odds(folders: Sequence[Path], models: Path, limit: int | None = None) -> CutOdds:
    """Writes `cut-odds.npz` into `models`. `limit`: takes so many photos of each folder, spread evenly. Raises
    ValueError if the folders show no dice that can be cut, or nothing else at the edge, and ModelError without the
    network of the border."""
    looked = list(_look(folders, Reader(models), limit))
    of_things = CutOdds(_fit(*_examples((each.numbers, each.label(each.boxes)) for each in looked)))
    both = _fit(*_examples(_both(of_things, each) for each in looked))
    np.savez(models / CUT_ODDS, form=of_things.form, both=both)
    return CutOdds(of_things.form, both)


def _both(of_things: CutOdds, looked: _Looked) -> tuple[Doubles, list[bool | None]]:
    boxes, seen, things = add_places(looked.places, looked.boxes, of_things.of_things(looked.numbers), looked.reading)
    return both_log_odds(seen, things), looked.label(boxes)


def _examples(parts: Iterator[tuple[Doubles, list[bool | None]]]) -> tuple[Doubles, Flags]:
    """The numbers (n, k) of what is labelled, and whether it is a die."""
    rows, dice = [], []
    for numbers, labels in parts:
        for row, label in zip(numbers, labels, strict=True):
            if label is not None:
                rows.append(row)
                dice.append(label)
    if not any(dice) or all(dice):
        raise ValueError("photos with labelled dice are wanted, and other things beside them")
    return np.array(rows, np.float64), np.array(dice, bool)


def _fit(numbers: Doubles, dice: Flags) -> Doubles:
    """The quadratic form (k + 1, k + 1) of numbers (n, k) and 1, by a logistic regression over their products too."""
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
    return np.asarray(unscaled.T @ form @ unscaled)


def _look(folders: Sequence[Path], reader: Reader, limit: int | None) -> Iterator[_Looked]:
    for folder in folders:
        for labelled in spread_evenly(list(labelled_photos(folder)), limit):
            for pixels, dice in _variants(labelled):
                seen = reader.look_beyond(Photo(pixels))
                if seen is not None:
                    reading, beyond, numbers, places = seen
                    size = [reading.width, reading.height] * 2
                    cut = np.asarray(((dice < 0) | (dice > size)).any(1))
                    yield _Looked(reading, beyond.boxes_in_photo(reading), numbers, places, dice, cut)


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
