"""How much a candidate looks like the photo's own sure dice: the dice of one throw are mostly of one set.

A numeral die, a button or a pattern of the cloth is not. No memory of the table is needed: the dice to compare with lie
beside it, in the same light.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Doubles, Flags, Floats
from vision.dice_memory import saved_arrays

_AT_MOST = 10.0  # of a log-ratio: no candidate counts more


@dataclass(frozen=True)
class SameSet:
    """A linear map from features (d,) to vectors (k,), fitted by `rollcall train likeness`. In each direction the
    dice of one throw vary by 1, whatever values they show, and throws of different dice by `between` more
    (two-covariance model, as in `vision.dice_memory`)."""

    middle: Floats  # (d,)
    across: Floats  # (d, k)
    between: Floats  # (k,)

    @classmethod
    def load(cls, path: Path) -> SameSet | None:
        """Loads the map from the likeness file; None if the file is older and has none. Raises ModelError if it is
        broken."""
        with saved_arrays(path) as saved:
            names = [f"set_{name}" for name in ("middle", "across", "between")]
            if not set(names) <= set(saved.files):
                return None
            return cls(*(saved[name].astype(np.float32) for name in names))

    def ratios(self, features: Floats, sure: Flags) -> Doubles:
        """Log-ratios (n,): how many times as probable each candidate's `features` (n, d) are if it is of one set
        with the other `sure` dice (n,) than if it is anything. 0 if there are no others."""
        between = self.between.astype(np.float64)
        vectors = (features - self.middle).astype(np.float64) @ self.across
        beside = (sure.sum() - sure)[:, None]
        sums = vectors[sure].sum(0) - vectors * sure[:, None]
        learnt = between / (1 + beside * between)  # what is not known yet of the set's mean
        off = (vectors - learnt * sums) ** 2 / (1 + learnt)
        alone = vectors**2 / (1 + between)
        logs: Doubles = 0.5 * (alone - off + np.log((1 + between) / (1 + learnt))).sum(1)
        return logs.clip(-_AT_MOST, _AT_MOST)
