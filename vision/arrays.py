"""The arrays that pass between the parts of the reader."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]  # (height, width, 3) RGB
Grey = npt.NDArray[np.uint8]  # (height, width)
Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Boxes = npt.NDArray[np.float32]  # (n, 4): x0, y0, x1, y1
Flags = npt.NDArray[np.bool_]
Mask = npt.NDArray[np.bool_]  # (height, width)
