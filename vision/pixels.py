"""Pixels: crops for the crop classifier, smaller pictures, light and sharpness."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.arrays import Floats, Grey, Pixels
from vision.judging.seen import ROOM, SIDE, Visibility

_PIXELS = 60_000  # that are measured of a picture


def crop(
    pixels: Pixels, box: Sequence[float] | Floats, side: int = SIDE, room: float = ROOM, turn: float = 0.0
) -> Pixels:
    """The square of `room` times the box's longer side around its centre: (side, side, 3). Edge pixels repeat
    outside. `box`: x0, y0, x1, y1 in pixels. `turn`: degrees by which the content is turned clockwise."""
    x0, y0, x1, y1 = box
    reach = max(x1 - x0, y1 - y0, 1.0) * room
    left, top = (x0 + x1 - reach) / 2, (y0 + y1 - reach) / 2
    scale = side / reach
    if scale < 0.5:  # sampling would skip pixels: average the needed part first
        step = int(1 / scale)
        near = step + (int(0.21 * reach) if turn else 0)  # the corners of a turned square lie further out
        far = near + step
        u0, v0 = max(int(left) - near, 0), max(int(top) - near, 0)
        u1, v1 = min(int(left + reach) + far, pixels.shape[1]), min(int(top + reach) + far, pixels.shape[0])
        if min(u1 - u0, v1 - v0) >= step:
            pixels = shrink_by(pixels[v0:v1, u0:u1], step)
            left, top, scale = (left - u0) / step, (top - v0) / step, scale * step
    # Pixel centres lie at half numbers.
    shift = 0.5 * scale - 0.5
    matrix = np.array([[scale, 0, -left * scale + shift], [0, scale, -top * scale + shift]])
    if turn:
        middle = (side - 1) / 2
        matrix = cv2.getRotationMatrix2D((middle, middle), -turn, 1.0) @ np.vstack([matrix, [0, 0, 1]])
    return np.asarray(
        cv2.warpAffine(pixels, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


def shrink_by(pixels: Pixels, step: int) -> Pixels:
    """The picture, each side smaller by the whole number `step`; what is left over at the right and below goes. So each
    pixel counts, and OpenCV makes it many times faster. A step below 2 changes nothing."""
    step = min(step, *pixels.shape[:2])
    if step < 2:
        return pixels
    height, width = (side // step for side in pixels.shape[:2])
    whole = pixels[: height * step, : width * step]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def measure_light(pixels: Pixels) -> Visibility:
    grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY), np.uint8)
    off = np.abs(cv2.Laplacian(grey, cv2.CV_32F, ksize=1)).ravel()
    every = max(1, grey.size // _PIXELS)
    some = grey.ravel()[::every]
    low, high = np.percentile(some, [1, 99])
    return Visibility(brightness(some), float(np.percentile(off[::every], 99) / max(high - low, 1.0) / 4))


def brightness(grey: Grey) -> float:
    """The mean of the lighter half of the pixels: 0..255."""
    lightest = np.sort(grey, axis=None)
    return float(lightest[lightest.size // 2 :].mean())
