"""Lays things across the upper border of a picture: dice, which the border cuts, and what may be taken for such dice,
like numeral dice, counters, cards, dots of a cloth, cables, fingers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from datasets.augmentation.cutout import Cutout, Patch
from datasets.augmentation.distractors import distractor
from datasets.augmentation.mixing import blend
from datasets.augmentation.surfaces import surface
from datasets.photos import as_pixels
from vision.arrays import Flags, Pixels

_LEFT = (0.1, 0.85)  # of a die, that the border leaves
_SIZES = 0.12  # spread of the logarithm of a pasted die's side
_OTHER_SIDES = (0.45, 1.7)  # of the usual die, the side of another thing
_WIDE = (1.5, 7.0)  # of the usual die, how much of the border a card or a cloth takes
_DEEP = (0.3, 1.4)  # of the usual die, how far it reaches in
_SKINS = ((222, 168, 138), (199, 143, 110), (158, 107, 77), (102, 66, 48), (66, 43, 33))
_TRIES = 6
_KINDS = (0.42, 0.28, 0.3)  # shares of small things, of cards and cloths, of limbs


@dataclass(frozen=True)
class LaidDie:
    """Where along the border a die begins and ends, in pixels, and which share of it is left."""

    across: tuple[float, float]
    left: float


def lay_die(rng: np.random.Generator, strip: Pixels, die: Cutout, side: float, taken: Flags) -> LaidDie | None:
    """Lays a die across the border of a strip (h, w, 3), in place, where nothing is `taken` (w,). `side`: of the usual
    die, in pixels. None if it finds no room."""
    left = float(rng.uniform(*_LEFT))
    size = side * float(np.exp(rng.normal(0, _SIZES)))
    place = _free(rng, taken, size)
    if place is None:
        return None
    x0, y0, x1, y1 = die.box
    scale = size / max(x1 - x0, y1 - y0)
    _paste(strip, die.pixels, die.opacity, scale, place - x0 * scale, -(y0 + (1 - left) * (y1 - y0)) * scale)
    return LaidDie((place, place + (x1 - x0) * scale), left)


def lay_other(rng: np.random.Generator, strip: Pixels, side: float, taken: Flags, patch: Patch) -> None:
    """Lays something that is no die across the border of a strip (h, w, 3), in place, where nothing is `taken` (w,).
    `side`: of the usual die, in pixels; `patch` gives pieces of table tops."""
    kind = int(rng.choice(len(_KINDS), p=_KINDS))
    if kind == 1:
        _lay_print(rng, strip, side, taken, patch)
    elif kind == 2:
        _lay_limb(rng, strip, side, taken)
    else:
        thing = distractor(rng, patch)
        height, width = thing.pixels.shape[:2]
        size = side * float(rng.uniform(*_OTHER_SIDES))
        place = _free(rng, taken, size)
        if place is not None:
            scale = size / max(height, width)
            _paste(strip, thing.pixels, thing.opacity, scale, place, -float(rng.uniform(0.05, 0.9)) * height * scale)


def _lay_print(rng: np.random.Generator, strip: Pixels, side: float, taken: Flags, patch: Patch) -> None:
    """A card, a sheet or a cloth with print, dots or stitches."""
    wide, deep = side * float(rng.uniform(*_WIDE)), side * float(rng.uniform(*_DEEP))
    place = _free(rng, taken, wide)
    if place is None:
        return
    pixels = surface(rng, patch)
    zoom = side / pixels.shape[0] * float(np.exp(rng.uniform(np.log(0.6), np.log(4.0))))
    pixels = as_pixels(cv2.resize(pixels, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA))
    times = (int(deep // pixels.shape[0]) + 2, int(wide // pixels.shape[1]) + 2, 1)
    pixels = np.tile(pixels, times)[: max(2, round(deep)), : max(2, round(wide))]
    opacity = np.full(pixels.shape[:2], 255, np.uint8)
    if rng.random() < 0.5:  # it lies askew
        lean = int(rng.uniform(-0.5, 0.5) * min(deep, wide))
        corners = np.array([(0, 0), (pixels.shape[1], 0), (pixels.shape[1] - abs(lean), deep), (abs(lean) // 2, deep)])
        opacity[:] = 0
        cv2.fillPoly(opacity, [corners.astype(np.int32)], 255, cv2.LINE_AA)
    _paste(strip, pixels, opacity, 1.0, place, 0.0)


def _lay_limb(rng: np.random.Generator, strip: Pixels, side: float, taken: Flags) -> None:
    """A cable, a pen, a finger or a hand that reaches in from outside."""
    wide = side * float(np.exp(rng.uniform(np.log(0.12), np.log(2.2))))
    place = _free(rng, taken, max(wide, side / 2))
    if place is None:
        return
    x, lean, deep = place + wide / 2, float(rng.uniform(-0.8, 0.8)), float(rng.uniform(0.0, 1.3)) * side
    tone = rng.random()
    colour = np.array(_SKINS[int(rng.integers(len(_SKINS)))], np.float64)
    if tone > 0.55:
        colour = rng.uniform(5, 60, 3) if tone < 0.75 else rng.uniform(0, 255, 3)
    colour = colour * rng.uniform(0.7, 1.1)
    size = 3 * strip.shape[0]
    layer, mask = np.zeros((size, strip.shape[1], 3), np.uint8), np.zeros((size, strip.shape[1]), np.uint8)
    out = size - strip.shape[0]
    shared = rng.integers(1, 4) if wide > 0.8 * side and rng.random() < 0.6 else 1
    for finger in range(int(shared)):
        across = x + (finger - (shared - 1) / 2) * wide / shared
        end = (round(across + lean * deep), round(out + deep * rng.uniform(0.6, 1.0) - wide / shared / 2))
        start = (round(across - lean * out), 0)
        thick = max(1, round(wide / shared))
        for share, light in ((1.0, 0.8), (0.6, 1.0)):
            cv2.line(
                layer, start, end, (colour * light).clip(0, 255).tolist(), max(1, round(thick * share)), cv2.LINE_AA
            )
        cv2.line(mask, start, end, 255, thick, cv2.LINE_AA)
    _paste(strip, layer, mask, 1.0, 0.0, -float(out))


def _free(rng: np.random.Generator, taken: Flags, size: float) -> float | None:
    """Where along the border a thing of this size begins that touches nothing `taken`, which it is then itself."""
    for _ in range(_TRIES):
        place = float(rng.uniform(-0.3 * size, len(taken) - 0.7 * size))
        part = taken[max(0, int(place)) : max(1, int(place + size) + 1)]
        if not part.any():
            part[:] = True
            return place
    return None


def _paste(strip: Pixels, pixels: Pixels, opacity: Pixels, scale: float, x: float, y: float) -> None:
    """Lays pixels (h, w, 3) on the strip, `scale` times as large, their upper left corner at x, y."""
    height, width = strip.shape[:2]
    matrix = np.array([[scale, 0, x], [0, scale, y]])
    if scale < 0.5:  # else single pixels would be picked
        step = 1 / np.ceil(1 / (2 * scale))
        pixels, opacity = (
            as_pixels(cv2.resize(each, None, fx=step, fy=step, interpolation=cv2.INTER_AREA))
            for each in (pixels, opacity)
        )
        matrix[:, :2] /= step
    layer, part = (cv2.warpAffine(each, matrix, (width, height)) for each in (pixels, opacity))
    blend(strip, as_pixels(layer), (part / 255).astype(np.float32), (0, 0))


def any_patch(rng: np.random.Generator, pictures: Sequence[Pixels]) -> Pixels:
    """A piece of one of the pictures."""
    picture = pictures[int(rng.integers(len(pictures)))]
    side = max(2, int(min(picture.shape[:2]) * rng.uniform(0.1, 0.5)))
    y, x = (int(rng.integers(picture.shape[k] - side + 1)) for k in (0, 1))
    return np.ascontiguousarray(picture[y : y + side, x : x + side])
