"""Why a reading asks, if a person can do something about it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Pixels
from vision.boxes import Box, overlaps
from vision.photo import Photo
from vision.reading import Ask, Die, Reading

_VIEW_SIDE = 1000  # pixels of the photo's longer side in which light and sharpness are measured
_PIXELS = 60_000  # that are measured of a picture
_DARK = 45.0  # of 255: the mean of the lighter half of the picture around the dice
_TOO_DARK = 16.0  # the same, below which no reading is sure: a black or pale die may be lost in the noise
_BLURRED = 0.012  # see `_sharpness`
_TOUCHING = 0.12  # of the smaller of two boxes that both share


def reasons_to_ask(photo: Photo, reading: Reading, dice: int | None, cut: Box | None = None) -> tuple[Ask, ...]:
    """Why the unsure `reading` of this photo asks, most helpful first: what a person can mend, then what is in doubt.
    `dice`: the dice count, or None. `cut`: where a die seems cut off that is none of the reading's."""
    asks = [Ask(name, box=cut if name == "cut" else None) for name in reading.obstacles]
    asks += [*(ask for ask in reading.asks if ask.reason == "cut"), *_count_asks(reading, dice)]
    doubtful = [die for die in reading.dice if not die.sure] or list(reading.dice)
    if _touch(reading, doubtful):
        asks.append(Ask("touching"))
    asks += [*_light_asks(photo, reading), *reading.asks]
    if cut is not None:  # that is the thing
        asks = [ask for ask in asks if ask.reason != "doubtful-thing"]
    first: dict[tuple[object, ...], Ask] = {}
    for ask in asks:
        first.setdefault((ask.reason, *ask.params.values()), ask)
    return tuple(first.values())


def _count_asks(reading: Reading, dice: int | None) -> list[Ask]:
    if not reading.dice:
        return [Ask("no-dice")]
    found = len(reading.dice) + reading.surplus
    if dice is None or found == dice:
        return []
    return [Ask("too-few" if found < dice else "too-many", {"found": found, "dice": dice})]


def _touch(reading: Reading, doubtful: list[Die]) -> bool:
    if not doubtful:
        return False
    boxes, others = (
        np.array([die.box for die in dice], np.float32) for dice in (doubtful, (*reading.dice, *reading.aside))
    )
    _, shared = overlaps(boxes, others)
    return bool((shared > _TOUCHING).sum() > len(doubtful))  # each shares all of itself with itself


def light_obstacles(photo: Photo, reading: Reading) -> tuple[str, ...]:
    """Too dark or too blurred for anybody to be certain."""
    bright, sharp = _light(photo, reading)
    if bright < _TOO_DARK:
        return ("dark",)
    return ("blurred",) if sharp < _BLURRED else ()


def _light_asks(photo: Photo, reading: Reading) -> list[Ask]:
    bright, sharp = _light(photo, reading)
    if bright < _DARK:
        return [Ask("dark")]
    return [Ask("blurred")] if sharp < _BLURRED else []


def _light(photo: Photo, reading: Reading) -> tuple[float, float]:
    """Brightness, 0..255, and sharpness around the dice, or of a whole photo without dice."""
    grey = np.asarray(cv2.cvtColor(_crop_to_dice(photo.view(_VIEW_SIDE), reading), cv2.COLOR_RGB2GRAY), np.uint8)
    some = np.sort(grey.ravel()[:: max(1, grey.size // _PIXELS)])
    return float(some[some.size // 2 :].mean()), _sharpness(grey)


def _crop_to_dice(view: Pixels, reading: Reading) -> Pixels:
    """The part of the view that holds all dice."""
    boxes = np.array([die.box for die in (*reading.dice, *reading.aside)], np.float64).reshape(-1, 4)
    if not len(boxes):
        return view
    scale = np.array([view.shape[1] / reading.width, view.shape[0] / reading.height])
    x0, y0 = np.floor(boxes[:, :2].min(0) * scale).astype(int)
    x1, y1 = np.ceil(boxes[:, 2:].max(0) * scale).astype(int)
    return view[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]


def _sharpness(grey: Pixels) -> float:
    """How far the sharpest hundredth of the pixels differs from the mean of the pixels around it, as a fraction of
    the picture's own range of grey."""
    off = np.abs(cv2.Laplacian(grey, cv2.CV_32F, ksize=1))
    every = max(1, grey.size // _PIXELS)
    low, high = np.percentile(grey.ravel()[::every], [1, 99])
    return float(np.percentile(off.ravel()[::every], 99) / max(high - low, 1.0) / 4)


def sharpness(pixels: Pixels) -> float:
    """How sharp a picture is, 0..1. Out of focus, it has a fraction of its sharpness before."""
    step = max(1, max(pixels.shape[:2]) // _VIEW_SIDE)
    return _sharpness(
        np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels[::step, ::step]), cv2.COLOR_RGB2GRAY), np.uint8)
    )
