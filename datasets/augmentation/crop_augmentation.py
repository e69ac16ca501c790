"""Training pictures for the crop classifier: dice as the detector frames them, and things it might take for dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from datasets.augmentation.cutout import Cutout
from datasets.augmentation.distractors import distractor, drawn_die
from datasets.augmentation.mixing import TrainingPhoto, blend
from datasets.augmentation.photo_effects import augment, camouflage
from datasets.augmentation.surfaces import surface
from datasets.photos import VALUES, as_pixels
from vision.arrays import Pixels
from vision.boxes import overlaps
from vision.classifier import DIRECTIONS
from vision.crops import ROOM, SIDE, crop

Directions = npt.NDArray[np.float32]

NONE = 6  # the class of what is no pipped die, or cannot be read
CLASSES = 7
_DRAWN = 0.06  # share of drawn dice, mostly of the values that other things are taken for
_DRAWN_VALUES = (0.36, 0.28, 0.12, 0.08, 0.08, 0.08)
_CUT_OUT = 0.1  # share of real dice on other tables
_SHADOWS = 0.9  # share of things put on a table that cast one
_ON_SURFACES = 0.2  # share of them that lie on print, lace and the like
_CAMOUFLAGED = 0.25  # share of them that have about its colour

# From aslant a side face looks as large as the upper one, and only what is up in the photo tells them apart. People
# hold their phones upright or lying then; from straight above, where they hold them anyhow, the upper face is plain.
_UPRIGHT, _LEVEL = 0.55, 0.15  # share of crops that are turned but a little, and by how much (radians)

_FROM_ABOVE = 10.0  # degrees from straight below, within which no direction of a photo is up

_NO_DIE = 0.25  # of the smaller box: a place that shares less with every die is none

_ROOM_KEPT = 2.8  # of the kept crops, so that they can be turned and framed badly
_SIDE_KEPT = 144


@dataclass(frozen=True)
class Kept:
    """Crops with room around them: pixels (n, side, side, 3) and their classes (n,).

    `sizes` (n, 2): width and height of the box in it, as shares of the crop's side. `weights` (n,): sampling weights.
    `tilts` (n,): degrees by which the camera looked away from straight below, nan if unknown.
    """

    pixels: Pixels
    classes: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.float32]
    weights: npt.NDArray[np.int64]
    tilts: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Framed:
    """A crop (SIDE, SIDE, 3) as the classifier gets it, and where up is: degrees counter-clockwise from its top.

    The angle is None if the crop was turned only a little, as most photos are: the classifier must not learn an up that
    the crop itself does not show.
    """

    pixels: Pixels
    up: float | None


@dataclass(frozen=True)
class CutDice:
    """Dice cut out of photos, and their classes (n,)."""

    cutouts: Sequence[Cutout]
    classes: npt.NDArray[np.int64]


def keep(
    scene: TrainingPhoto,
    classes: npt.NDArray[np.int64],
    roll: float = 0.0,
    tilt: float | None = None,
    weights: npt.NDArray[np.int64] | None = None,
) -> Kept:
    """The dice of a photo as crops. `roll`: degrees by which the camera was turned; they are turned back, so that up is
    up."""
    sizes = scene.boxes[:, 2:] - scene.boxes[:, :2]
    longest = np.maximum(sizes.max(1, initial=1.0), 1.0)
    cut = [crop(scene.pixels, box, _SIDE_KEPT, _ROOM_KEPT) for box in scene.boxes]
    if roll:
        back = cv2.getRotationMatrix2D((_SIDE_KEPT / 2, _SIDE_KEPT / 2), -roll, 1.0)
        cut = [
            as_pixels(cv2.warpAffine(c, back, (_SIDE_KEPT, _SIDE_KEPT), borderMode=cv2.BORDER_REPLICATE)) for c in cut
        ]
    pixels = np.stack(cut) if cut else np.zeros((0, _SIDE_KEPT, _SIDE_KEPT, 3), np.uint8)
    shares = (sizes / (longest[:, None] * _ROOM_KEPT)).astype(np.float32)
    tilts = np.full(len(classes), np.nan if tilt is None else tilt, np.float32)
    return Kept(pixels, classes, shares, np.ones_like(classes) if weights is None else weights, tilts)


def keep_misses(rng: np.random.Generator, scene: TrainingPhoto, count: int) -> Kept:
    """Places of a photo where no die lies."""
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
    return Kept(
        np.concatenate([k.pixels for k in kept]),
        np.concatenate([k.classes for k in kept]),
        np.concatenate([k.sizes for k in kept]),
        np.concatenate([k.weights for k in kept]),
        np.concatenate([k.tilts for k in kept]),
    )


class CropPictures:
    """Draws crops with their classes. `groups`: kept dice of each set with its weight; `misses`: kept places without
    dice; `cut`: dice cut out of the photos of each set, with its weight."""

    def __init__(
        self,
        groups: Sequence[tuple[float, Kept]],
        misses: Kept,
        others: Kept,
        tops: Sequence[Pixels],
        cut: Sequence[tuple[float, CutDice]] = (),
    ) -> None:
        self._groups = [kept for _, kept in groups]
        self._dice = _Draw([w for w, _ in groups], [_by_class(k.classes, k.weights) for k in self._groups])
        self._cut = [dice for _, dice in cut]
        self._cut_dice = _Draw(
            [w for w, _ in cut], [_by_class(dice.classes, np.ones_like(dice.classes)) for dice in self._cut]
        )
        self._misses = misses
        self._others = others
        self._other_places = _places(others.classes == NONE, others.weights)
        self._tops = tops

    def picture(self, rng: np.random.Generator) -> tuple[Pixels, int, Directions]:
        """One crop (SIDE, SIDE, 3) RGB; its class, value minus one or NONE; and how probable each of DIRECTIONS is up,
        all zeros if unknown."""
        chance, tilt = rng.random(), np.float32(np.nan)
        if chance < _DRAWN:
            value = int(rng.choice(VALUES, p=_DRAWN_VALUES))
            seen, cls = self._paste(rng, drawn_die(rng, value + 1)), value
        elif self._cut and chance < _DRAWN + _CUT_OUT:
            group, i = self._cut_dice.one(rng)
            seen, cls = self._paste(rng, self._cut[group].cutouts[i]), int(self._cut[group].classes[i])
        elif chance < 0.68:
            kept, i = self._a_die(rng)
            seen, cls, tilt = frame_crop(rng, kept.pixels[i], kept.sizes[i]), int(kept.classes[i]), kept.tilts[i]
        elif chance < 0.76:
            kept, i = self._a_die(rng)
            seen, cls, tilt = misframe_crop(rng, kept.pixels[i], kept.sizes[i]), NONE, kept.tilts[i]
        elif chance < 0.78 or (chance < 0.93 and not len(self._others.pixels)):
            i = int(rng.integers(len(self._misses.pixels)))
            seen, cls = frame_crop(rng, self._misses.pixels[i], self._misses.sizes[i]), NONE
        elif chance < 0.93:
            i = int(rng.choice(self._other_places))
            seen, cls, tilt = (
                frame_crop(rng, self._others.pixels[i], self._others.sizes[i]),
                NONE,
                self._others.tilts[i],
            )
        elif chance < 0.965:
            seen, cls = frame_crop(rng, surface(rng, self._patch), np.full(2, 1 / _ROOM_KEPT, np.float32)), NONE
        else:
            seen, cls = self._paste(rng, distractor(rng, self._patch)), NONE
        pixels = augment(rng, seen.pixels) if rng.random() < 0.9 else seen.pixels
        return pixels, cls, _directions(seen.up, float(tilt))

    def _a_die(self, rng: np.random.Generator) -> tuple[Kept, int]:
        """A die of a set by its weight, all values equally often."""
        group, i = self._dice.one(rng)
        return self._groups[group], i

    def _paste(self, rng: np.random.Generator, thing: Cutout) -> Framed:
        """A thing on a table top."""
        height, width = thing.pixels.shape[:2]
        side = int(max(height, width) * _ROOM_KEPT / 1.1)
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
        return frame_crop(rng, ground, size)

    def _patch(self, rng: np.random.Generator) -> Pixels:
        return self._tops[int(rng.integers(len(self._tops)))]


def _cast_shadow(rng: np.random.Generator, ground: Pixels, thing: Cutout, x: int, y: int) -> Pixels:
    """The ground with the shadow of a thing at x, y on it: what is printed has none."""
    shadow = np.zeros(ground.shape[:2], np.float32)
    height, width = thing.opacity.shape
    shadow[y : y + height, x : x + width] = thing.opacity / 255
    move = np.array([[1, 0, rng.normal(0, 0.09) * width], [0, 1, rng.normal(0, 0.09) * height]])
    soft = cv2.GaussianBlur(cv2.warpAffine(shadow, move, shadow.shape[::-1]), (0, 0), rng.uniform(1.5, 12))
    return (ground * (1 - rng.uniform(0.25, 0.8) * soft[:, :, None])).astype(np.uint8)


class _Draw:
    """Draws from sets by their weights, from each all values equally often; `by_class`: the places of each value in
    each set."""

    def __init__(self, weights: Sequence[float], by_class: Sequence[Sequence[npt.NDArray[np.int64]]]) -> None:
        self._shares = np.array(weights) / sum(weights)
        self._by_class = by_class

    def one(self, rng: np.random.Generator) -> tuple[int, int]:
        """The number of a set and a place in it."""
        while True:
            group = int(rng.choice(len(self._by_class), p=self._shares))
            places = self._by_class[group][int(rng.integers(NONE))]
            if len(places):
                return group, int(places[rng.integers(len(places))])


def _by_class(classes: npt.NDArray[np.int64], weights: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    return [_places(classes == c, weights) for c in range(NONE)]


def _places(which: npt.NDArray[np.bool_], weights: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The numbers of these, each as many times as it is to be shown."""
    places = np.flatnonzero(which)
    return np.repeat(places, weights[places])


def _directions(up: float | None, tilt: float) -> Directions:
    """How probable each direction is: the two next to `up`, all alike where the camera looked straight below."""
    chances = np.zeros(DIRECTIONS, np.float32)
    if up is None or np.isnan(tilt):
        return chances
    if tilt < _FROM_ABOVE:
        return chances + np.float32(1 / DIRECTIONS)
    place = up % 360 / 360 * DIRECTIONS
    before, share = int(place), place % 1
    chances[before % DIRECTIONS] = 1 - share
    chances[(before + 1) % DIRECTIONS] = share
    return chances


def frame_crop(rng: np.random.Generator, kept: Pixels, size: npt.NDArray[np.float32]) -> Framed:
    """Turns, mirrors, stretches and frames a kept crop about as well as the detector frames."""
    shift = np.clip(rng.normal(0, 0.05, 2), -0.13, 0.13)
    zoom = float(np.exp(np.clip(rng.normal(0, 0.09), -0.22, 0.22)))
    return _frame(rng, kept, size, shift, zoom)


def misframe_crop(rng: np.random.Generator, kept: Pixels, size: npt.NDArray[np.float32]) -> Framed:
    """Frames a kept die so badly that nobody can know its value: half of it, a bit of it, or far too much around it."""
    chance = rng.random()
    if chance < 0.6:
        angle = rng.uniform(0, 2 * np.pi)
        shift = rng.uniform(0.5, 0.85) * np.array([np.cos(angle), np.sin(angle)])
        return _frame(rng, kept, size, shift, float(rng.uniform(0.7, 1.3)))
    if chance < 0.75:
        return _frame(rng, kept, size, rng.uniform(-0.25, 0.25, 2), float(rng.uniform(2.8, 5.5)))
    return _frame(rng, kept, size, rng.normal(0, 0.2, 2), float(rng.uniform(0.3, 0.42)))


def _frame(
    rng: np.random.Generator, kept: Pixels, size: npt.NDArray[np.float32], shift: npt.NDArray[np.float64], zoom: float
) -> Framed:
    """`shift` in shares of the die's side, `zoom` 1 where the die has its usual size in the crop."""
    side = kept.shape[0]
    level = rng.random() < _UPRIGHT
    turn = rng.normal(0, _LEVEL) if level else rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(turn), np.sin(turn)
    stretch = np.exp(rng.normal(0, 0.1))
    mirror = 1.0 if rng.random() < 0.5 else -1.0
    # A square that is turned needs up to 1.41 times the box: the detector boxes it anew, larger.
    grown = 1 + 0.12 * abs(np.sin(2 * turn))
    longest = float(size.max()) * side
    scale = zoom * SIDE / (longest * ROOM * grown)
    linear = scale * np.array([[cos, -sin], [sin, cos]]) @ np.diag([stretch * mirror, 1 / stretch])
    middle = np.array([side / 2, side / 2]) + shift * longest
    matrix = np.hstack([linear, (np.array([SIDE / 2, SIDE / 2]) - linear @ middle)[:, None]])
    if scale < 0.6:
        kept = np.asarray(cv2.blur(kept, (2, 2)), np.uint8)
    pixels = np.asarray(
        cv2.warpAffine(kept, matrix, (SIDE, SIDE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )
    x, y = -linear[:, 1]
    return Framed(pixels, None if level else float(np.degrees(np.arctan2(-x, -y))))
