"""The arrays that pass between the parts of the reader, and the tuples that judging takes instead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vision.judging.chances import Row
from vision.judging.overlap import Box

Pixels = npt.NDArray[np.uint8]  # (height, width, 3) RGB
Grey = npt.NDArray[np.uint8]  # (height, width)
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Boxes = npt.NDArray[np.float32]  # (n, 4): x0, y0, x1, y1
Flags = npt.NDArray[np.bool_]
Mask = npt.NDArray[np.bool_]  # (height, width)


def longer_sides(boxes: Floats | Doubles) -> Floats | Doubles:
    """The longer side (n,) of each box (n, 4)."""
    return np.asarray((boxes[:, 2:] - boxes[:, :2]).max(1, initial=0.0))


def as_boxes(boxes: Floats | Doubles) -> tuple[Box, ...]:
    """The boxes of an array (n, 4)."""
    return tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in boxes.tolist())


def rows_of(rows: Sequence[Sequence[float]], wide: int) -> Floats:
    """The rows as an array (n, k). `wide`: k if there are none."""
    return np.array(rows, np.float32).reshape(len(rows), -1 if len(rows) else wide)


def as_row(array: Floats) -> Row:
    """The numbers of an array (k,)."""
    return tuple(array.tolist())


def as_rows(array: Floats | Doubles) -> tuple[Row, ...]:
    """The rows of an array (n, k)."""
    return tuple(map(tuple, array.tolist()))
