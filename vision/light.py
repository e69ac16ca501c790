"""How light and how sharp pixels are."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Grey, Pixels
from vision.judging.seen import Visibility

_PIXELS = 60_000  # that are measured of a picture


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
