"""How much a thing looks like the photo's own sure dice: those of one throw are mostly of one set.

A numeral die, a button or a bit of the cloth's pattern is not. That needs no memory of the table: what a doubtful thing
is compared with lies beside it, in the same light and on the same table.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vision.arrays import Doubles, Flags, Floats
from vision.dice_memory import saved_arrays

_AT_MOST = 10.0  # of a log-ratio: what differs more is no more certainly of another set


@dataclass(frozen=True)
class SameSet:
    """A linear map from features (d,) to vectors (k,), fitted by `rollcall train likeness`.

    In each direction the dice of one throw vary by 1, whatever values they show, and throws of different dice by
    `between` more (two-covariance model, as in `vision.dice_memory`).
    """

    middle: Floats  # (d,)
    across: Floats  # (d, k)
    between: Floats  # (k,)

    @classmethod
    def load(cls, path: Path) -> SameSet | None:
        """From the file that `rollcall train likeness` made; None for an older file, which says nothing of sets. Raises
        ModelError where it is broken."""
        with saved_arrays(path) as saved:
            names = [f"set_{name}" for name in ("middle", "across", "between")]
            if not set(names) <= set(saved.files):
                return None
            return cls(*(saved[name].astype(np.float32) for name in names))

    def ratios(self, features: Floats, sure: Flags) -> Doubles:
        """Logarithms (n,) of how many times as probable each thing of `features` (n, d) is, if it is of one set with
        the `sure` dice (n,) beside it, than if it is anything; 0 where there is none beside it."""
        between = self.between.astype(np.float64)
        vectors = (features - self.middle).astype(np.float64) @ self.across
        beside = (sure.sum() - sure)[:, None]
        sums = vectors[sure].sum(0) - vectors * sure[:, None]
        learnt = between / (1 + beside * between)  # what is not known yet of the set's mean
        off = (vectors - learnt * sums) ** 2 / (1 + learnt)
        alone = vectors**2 / (1 + between)
        logs: Doubles = 0.5 * (alone - off + np.log((1 + between) / (1 + learnt))).sum(1)
        return logs.clip(-_AT_MOST, _AT_MOST)
