"""The parts that training pictures are put together from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.arrays import Pixels

Patch = Callable[[np.random.Generator], Pixels]  # gives pieces of table tops


@dataclass(frozen=True)
class Cutout:
    """A die cut out of a photo: pixels (h, w, 3), opacity (h, w) 0..1, and where in it the die's box lies (x0, y0,
    x1, y1)."""

    pixels: Pixels
    opacity: Pixels
    box: tuple[float, float, float, float]
