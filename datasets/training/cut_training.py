"""Fits by which weights both networks tell that the photo's edge cuts a die (`cut` in `models/calibration.json`), on
labelled photos that are cropped anew. The reader's detector has no part in it."""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

import numpy as np

from datasets.cropping import crop_side, crops_through_dice
from datasets.photos import LabelledPhoto, labelled_photos, load_pixels, spread_evenly
from datasets.training.logistic import logistic_weights
from vision.arrays import Doubles, Pixels
from vision.eye import answer_at_once
from vision.judging.cut import likeliest_places, look_closer
from vision.judging.overlap import Box, area, intersection, longer_side
from vision.judging.weights import Calibration, CutWeights
from vision.network_eye import NetworkEye
from vision.photo import Photo
from vision.reader import CALIBRATION

_PHOTOS, _PICTURES = 150, 4  # of each folder, at most; of each photo: itself, and crops of it
_THROUGH_DIE = 0.65  # share of the crops that cut a die
_LEFT = (0.15, 0.6), (0.15, 0.9)  # shares of the die's box that the edge leaves: mostly, and else
_MOSTLY = 0.7
_DEEPEST = 0.6  # of a photo, that is cropped away at random
_SECOND_SIDE = 0.15  # share of the crops of which a second side goes, and its die's corner may be left
_SMALLEST = 60  # pixels of a crop's side
_IN_PLACE = 0.1  # of a place, and of the die: so much is in sight of a die that is found there
_RIDGE = 0.01

Example = tuple[float, float, bool]  # the log-odds of both networks at a place, and whether the edge cuts a die there


def fit_cut(folders: Sequence[Path], models: Path) -> CutWeights:
    """Writes the weights into `calibration.json` in `models`, fitted to photos in `folders`. These count by the roots
    of their numbers of places; all dice in them must be labelled. Raises ValueError if none can be cut."""
    eye, rows, weight = NetworkEye(models), [], []
    for folder in folders:
        photos = spread_evenly([one for one in labelled_photos(folder) if one.boxes is not None], _PHOTOS)
        found = [example for photo in photos for example in _examples(eye, photo)]
        print(f"{folder.name}: {len(found)} places, a die is cut at {sum(cut for *_, cut in found)}", flush=True)
        rows += found
        weight += [max(len(found), 1) ** -0.5] * len(found)
    if len({cut for *_, cut in rows}) < 2:
        raise ValueError("photos with several labelled dice are wanted, apart from each other")
    table = np.array([(1.0, border, part, cut) for border, part, cut in rows])
    counts = np.array(weight) * (len(weight) / sum(weight))
    fitted = logistic_weights(table[:, :3], table[:, 3], counts, np.full(3, _RIDGE))
    weights = CutWeights(*(round(float(each), 3) for each in fitted))
    path = models / CALIBRATION
    dataclasses.replace(Calibration.load(path), cut=weights).save(path)
    return weights


def _examples(eye: NetworkEye, labelled: LabelledPhoto) -> Iterator[Example]:
    """The places along the border of a photo and of a few crops of it."""
    if (labelled.path.parent.parent / "unclear" / f"{labelled.path.stem}.txt").is_file():
        return  # dice without a label lie at the edge
    pixels = load_pixels(labelled.path)
    assert labelled.boxes is not None
    boxes = labelled.boxes.astype(np.float64) * ([pixels.shape[1], pixels.shape[0]] * 2)
    for number in range(_PICTURES):
        rng = np.random.default_rng([zlib.crc32(labelled.path.name.encode()), number])
        part, own = _crop(rng, pixels, boxes) if number else (pixels, boxes)
        if len(own) and min(part.shape[:2]) >= _SMALLEST:
            yield from _places(eye, part, own)


def _crop(rng: np.random.Generator, pixels: Pixels, boxes: Doubles) -> tuple[Pixels, Doubles]:
    """The picture without a part at one of its sides, or two, and the boxes (n, 4), which may lie beyond its edge."""
    height, width = pixels.shape[:2]
    left = float(rng.uniform(*_LEFT[int(rng.random() > _MOSTLY)]))
    through = crops_through_dice(boxes, width, height, left) if rng.random() < _THROUGH_DIE else []
    quarter = int(rng.integers(4))
    crop = quarter, round(float(rng.uniform(0, _DEEPEST)) * (height if quarter % 2 else width))
    if through:
        sides = sorted({side for side, _ in through})
        side = sides[int(rng.integers(len(sides)))]
        lines = [one for one in through if one[0] == side]
        crop = lines[int(rng.integers(len(lines)))]
    pixels, boxes = crop_side(pixels, boxes, crop)
    if rng.random() < _SECOND_SIDE:
        quarter = (crop[0] + 1) % 4
        deep = float(rng.uniform(0, _DEEPEST / 2)) * pixels.shape[quarter % 2 == 0]
        pixels, boxes = crop_side(pixels, boxes, (quarter, round(deep)))
    return pixels, boxes


def _places(eye: NetworkEye, pixels: Pixels, boxes: Doubles) -> Iterator[Example]:
    """The likeliest places along the picture's border. `boxes` (n, 4): of its dice, also of what the edge cuts."""
    height, width = pixels.shape[:2]
    parts = boxes.clip(0, [width, height, width, height])
    inside = (np.abs(parts - boxes) <= 1).all(1)
    whole: list[Box] = [_as_box(box) for box in parts[inside]]
    if not whole:
        return
    cut = [
        (_as_box(part), area(_as_box(part)) / area(_as_box(box)))
        for part, box in zip(parts[~inside], boxes[~inside], strict=True)
    ]
    photo = Photo(pixels)
    likely = likeliest_places(answer_at_once(eye.look_along_border(photo, whole)), width, height, whole)
    usual = median(map(longer_side, whole))
    odds = answer_at_once(look_closer(eye, photo, [box for _, box in likely], usual))
    for (border, box), part in zip(likely, odds, strict=True):
        shared, share = max(((intersection(box, die) / area(box), share) for die, share in cut), default=(0.0, 0.0))
        found = shared > _IN_PLACE and share > _IN_PLACE
        if found or shared == 0:
            yield border, part, found


def _as_box(row: Doubles) -> Box:
    x0, y0, x1, y1 = (float(side) for side in row)
    return x0, y0, x1, y1
