"""From which side the camera looks at the dice: from above, or so low that it hardly sees their upper faces."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Floats
from vision.dice_memory import saved_arrays

VIEWPOINT = "viewpoint.npz"
_LOW = 0.1  # mean log-odds of the dice, from which on their upper faces may hardly be seen


@dataclass(frozen=True)
class Viewpoint:
    """A logistic regression over the classifier's features (d,), fitted by `rollcall train viewpoint` to rendered
    pictures, whose camera is known."""

    weights: Floats  # (d,)
    bias: float

    @classmethod
    def load(cls, path: Path) -> Viewpoint | None:
        """Loads the file; None if there is none, as beside older networks. Raises ModelError if it is broken."""
        if not path.is_file():
            return None
        with saved_arrays(path) as saved:
            return cls(saved["weights"].astype(np.float32), float(saved["bias"]))

    def is_low(self, features: Floats) -> bool:
        """Whether the dice with these features (n, d) are seen from the side: most of them say so together."""
        return bool(len(features)) and self.log_odds(features) >= _LOW

    def log_odds(self, features: Floats) -> float:
        """That the dice with these features (n, d), one or more, are seen from the side: their mean."""
        return float((features @ self.weights + self.bias).mean())
