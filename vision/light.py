"""How light and how sharp pixels are."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Grey, Pixels
from vision.judging.seen import Visibility

_VIEW_SIDE = 1000  # pixels of the longer side in which sharpness is measured
_PIXELS = 60_000  # that are measured of a picture


def measure_light(pixels: Pixels) -> Visibility:
    grey = np.asarray(cv2.cvtColor(np.ascontiguousarray(pixels), cv2.COLOR_RGB2GRAY), np.uint8)
    some = np.sort(grey.ravel()[:: max(1, grey.size // _PIXELS)])
    return Visibility(float(some[some.size // 2 :].mean()), _sharpness(grey))


def _sharpness(grey: Grey) -> float:
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
