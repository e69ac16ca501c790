"""Training crops for the crop classifier: dice with room around them, and things it might take for dice.

They are framed as the detector frames them while they teach (`datasets.training.crop_batches`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import cv2
import numpy as np
import numpy.typing as npt

from datasets.augmentation.cutout import Cutout
from datasets.augmentation.distractors import distractor, drawn_die
from datasets.augmentation.mixing import TrainingPhoto, blend
from datasets.augmentation.photo_effects import camouflage
from datasets.augmentation.surfaces import surface
from datasets.finding import overlaps
from datasets.photos import VALUES, as_pixels
from vision.arrays import Floats, Pixels
from vision.pixels import crop

NONE = 6  # the class of a thing that is no pipped die, or cannot be read
CLASSES = 7
_DRAWN_VALUES = (0.36, 0.28, 0.12, 0.08, 0.08, 0.08)  # mostly those that other things are taken for
_SHADOWS = 0.9  # share of things put on a table that cast one
_ON_SURFACES = 0.2  # share of them that lie on print, lace and the like
_CAMOUFLAGED = 0.25  # share of them that have about its colour

_NO_DIE = 0.25  # of the smaller box: a place that shares less with every die is none

ROOM_KEPT = 2.8  # of the kept crops, so that they can be turned and framed badly
SIDE_KEPT = 144


@dataclass(frozen=True)
class Kept:
    """Crops with room around them: pixels (n, side, side, 3) and their classes (n,).

    `sizes` (n, 2): width and height of the box in it, as shares of the crop's side. `weights` (n,): sampling weights.
    `elevations` (n,): degrees by which the camera stood above the table. `shares` (n,): the share of a die that is in
    sight, 0 of what is no die. Both are nan if unknown.
    """

    pixels: Pixels
    classes: npt.NDArray[np.int64]
    sizes: Floats
    weights: npt.NDArray[np.int64]
    elevations: Floats
    shares: Floats


@dataclass(frozen=True)
class CutDice:
    """Dice cut out of photos, and their classes (n,)."""

    cutouts: Sequence[Cutout]
    classes: npt.NDArray[np.int64]


def keep(
    scene: TrainingPhoto,
    classes: npt.NDArray[np.int64],
    roll: float = 0.0,
    seen: Floats | None = None,
    weights: npt.NDArray[np.int64] | None = None,
) -> Kept:
    """The things of a photo as crops. `roll`: degrees by which the camera was turned; they are turned back, so that up
    is up. `seen` (n, 2): elevations and shares; by default unknown, and dice are whole."""
    sizes = scene.boxes[:, 2:] - scene.boxes[:, :2]
    longest = np.maximum(sizes.max(1, initial=1.0), 1.0)
    cut = [crop(scene.pixels, box, SIDE_KEPT, ROOM_KEPT) for box in scene.boxes]
    if roll:
        back = cv2.getRotationMatrix2D((SIDE_KEPT / 2, SIDE_KEPT / 2), -roll, 1.0)
        cut = [as_pixels(cv2.warpAffine(c, back, (SIDE_KEPT, SIDE_KEPT), borderMode=cv2.BORDER_REPLICATE)) for c in cut]
    pixels = np.stack(cut) if cut else np.zeros((0, SIDE_KEPT, SIDE_KEPT, 3), np.uint8)
    sides = (sizes / (longest[:, None] * ROOM_KEPT)).astype(np.float32)
    if seen is None:
        seen = np.stack([np.full(len(classes), np.nan), classes != NONE], 1)
    weights = np.ones_like(classes) if weights is None else weights
    return Kept(pixels, classes, sides, weights, *seen.T.astype(np.float32))


def keep_misses(rng: np.random.Generator, scene: TrainingPhoto, count: int) -> Kept:
    """Places of a photo without a die."""
    height, width = scene.pixels.shape[:2]
    boxes = []
    for _ in range(count * 4):
        side = float(np.exp(rng.uniform(np.log(18), np.log(min(height, width) / 2))))
        x, y = rng.uniform(0, width - side), rng.uniform(0, height - side)
        box = np.array([x, y, x + side, y + side], np.float32)
        _, inside = overlaps(scene.boxes, box[None])
        if inside.max(initial=0.0) < _NO_DIE:
            boxes.append(box)
        if len(boxes) == count:
            break
    there = TrainingPhoto(scene.pixels, np.array(boxes, np.float32).reshape(-1, 4))
    return keep(there, np.full(len(boxes), NONE, np.int64))


def concatenate(kept: Sequence[Kept]) -> Kept:
    return Kept(*(np.concatenate([getattr(k, each.name) for k in kept]) for each in fields(Kept)))


@dataclass(frozen=True)
class DrawnThings:
    """Puts things on table tops: drawn dice, dice cut out of the photos of each set (with its weight), and what looks
    like dice and is none."""

    tops: Sequence[Pixels]
    cut: Sequence[tuple[float, CutDice]] = ()

    def dice(self, rng: np.random.Generator, count: int) -> Kept:
        """Drawn dice: without them, a drawn look alone would mean "no die"."""
        values = rng.choice(VALUES, count, p=_DRAWN_VALUES)
        return self._as_kept([self._paste(rng, drawn_die(rng, int(value) + 1)) for value in values], values)

    def cut_out(self, rng: np.random.Generator, count: int) -> Kept:
        """Real dice on other tables, those of a set by its weight; none if no photo gave any."""
        weights = np.array([weight for weight, dice in self.cut if len(dice.classes)])
        groups = [dice for _, dice in self.cut if len(dice.classes)]
        pasted, classes = [], []
        for group in rng.choice(len(groups), count, p=weights / weights.sum()) if groups else ():
            place = int(rng.integers(len(groups[group].classes)))
            pasted.append(self._paste(rng, groups[group].cutouts[place]))
            classes.append(int(groups[group].classes[place]))
        return self._as_kept(pasted, np.array(classes, np.int64))

    def distractors(self, rng: np.random.Generator, count: int) -> Kept:
        """Numeral dice, buttons, keys and the like."""
        pasted = [self._paste(rng, distractor(rng, self._patch)) for _ in range(count)]
        return self._as_kept(pasted, np.full(count, NONE, np.int64))

    def surfaces(self, rng: np.random.Generator, count: int) -> Kept:
        """Print, lace, cloth."""
        size = np.full(2, 1 / ROOM_KEPT, np.float32)
        return self._as_kept([(surface(rng, self._patch), size) for _ in range(count)], np.full(count, NONE, np.int64))

    def _as_kept(self, things: Sequence[tuple[Pixels, Floats]], classes: npt.NDArray[np.int64]) -> Kept:
        side = (SIDE_KEPT, SIDE_KEPT)
        pixels = [as_pixels(cv2.resize(p, side, interpolation=cv2.INTER_AREA)) for p, _ in things]
        sizes = np.array([size for _, size in things], np.float32).reshape(-1, 2)
        unknown = np.full(len(classes), np.nan, np.float32)
        shares = (classes != NONE).astype(np.float32)
        stacked = np.stack(pixels) if pixels else np.zeros((0, *side, 3), np.uint8)
        return Kept(stacked, classes.astype(np.int64), sizes, np.ones(len(classes), np.int64), unknown, shares)

    def _paste(self, rng: np.random.Generator, thing: Cutout) -> tuple[Pixels, Floats]:
        """Lays a thing on a table top; gives its size too."""
        height, width = thing.pixels.shape[:2]
        side = int(max(height, width) * ROOM_KEPT / 1.1)
        ground = surface(rng, self._patch) if rng.random() < _ON_SURFACES else self._patch(rng)
        ground = as_pixels(cv2.resize(ground, (side, side)))
        y, x = (side - height) // 2, (side - width) // 2
        pixels = thing.pixels
        if rng.random() < _CAMOUFLAGED:
            pixels = camouflage(rng, pixels, thing.opacity, ground[y : y + height, x : x + width])
        if rng.random() < _SHADOWS:
            ground = _cast_shadow(rng, ground, thing, x, y)
        blend(ground, pixels, thing.opacity / 255, (x, y))
        size = np.array([thing.box[2] - thing.box[0], thing.box[3] - thing.box[1]], np.float32) / np.float32(side)
        return ground, size

    def _patch(self, rng: np.random.Generator) -> Pixels:
        return self.tops[int(rng.integers(len(self.tops)))]


def _cast_shadow(rng: np.random.Generator, ground: Pixels, thing: Cutout, x: int, y: int) -> Pixels:
    """The ground with the shadow of a thing at x, y; a printed thing casts none."""
    shadow = np.zeros(ground.shape[:2], np.float32)
    height, width = thing.opacity.shape
    shadow[y : y + height, x : x + width] = thing.opacity / 255
    move = np.array([[1, 0, rng.normal(0, 0.09) * width], [0, 1, rng.normal(0, 0.09) * height]])
    soft = cv2.GaussianBlur(cv2.warpAffine(shadow, move, shadow.shape[::-1]), (0, 0), rng.uniform(1.5, 12))
    return (ground * (1 - rng.uniform(0.25, 0.8) * soft[:, :, None])).astype(np.uint8)
