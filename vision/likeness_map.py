"""The maps from the classifier's features to the vectors that judging compares: `models/likeness.npz`."""

from __future__ import annotations

import functools
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.arrays import Doubles, Floats, as_row
from vision.judging.dice_memory import Likeness
from vision.reasons import ModelError

_ARRAYS = ("middle", "across", "inner", "inner_bias", "outer", "between", "share", "die_share")


@contextmanager
def saved_arrays(path: Path) -> Iterator[Any]:
    """The arrays of a NumPy file, by name. Raises ModelError if the file is missing or broken, or lacks an array."""
    try:
        with path.open("rb") as file, np.load(file) as saved:  # given a path, it leaves a broken file open
            yield saved
    except FileNotFoundError as error:
        raise ModelError("model-missing", file=path.name) from error
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ModelError("model-broken", file=path.name) from error


@dataclass(frozen=True)
class LikenessMap:
    """A map from features (d,) to vectors (k,), fitted by `rollcall workshop train likeness`: linear, plus the
    output of a small network of h rectified units; and the numbers by which vectors are compared, see `Likeness`."""

    middle: Floats  # (d,)
    across: Floats  # (d, k)
    inner: Floats  # (d, h)
    inner_bias: Floats  # (h,)
    outer: Floats  # (h, k)
    between: Floats  # (k,)
    share: Floats  # (k,)
    die_share: Floats  # (k,)
    concentration: float
    none: float

    @classmethod
    def load(cls, path: Path) -> LikenessMap:
        """Loads a file that `rollcall workshop train likeness` made. Raises ModelError."""
        with saved_arrays(path) as saved:
            numbers = [float(saved[name]) for name in ("concentration", "none")]
            return cls(*(saved[name].astype(np.float32) for name in _ARRAYS), *numbers)

    @functools.cached_property
    def mark(self) -> int:
        """A checksum that tells which vectors may be compared: only those of one map."""
        marked = zlib.crc32(self.across.tobytes(), zlib.crc32(self.middle.tobytes()))
        for array in (self.inner, self.inner_bias, self.outer):
            marked = zlib.crc32(array.tobytes(), marked)
        return marked

    def vectors(self, features: Floats) -> Floats:
        """The vectors (n, k) of features (n, d)."""
        off = features - self.middle
        added = np.maximum(off @ self.inner + self.inner_bias, 0) @ self.outer
        return np.asarray(off @ self.across + added, np.float32)

    def numbers(self, sets: SetMap | None = None) -> Likeness:
        """By which numbers vectors are compared, those of `sets` too."""
        between, share, die_share = map(as_row, (self.between, self.share, self.die_share))
        of_set = () if sets is None else as_row(sets.between)
        return Likeness(between, share, die_share, self.concentration, self.none, self.mark, of_set)


@dataclass(frozen=True)
class SetMap:
    """A linear map from features (d,) to vectors (k,) by which dice of one set are told, see
    `vision.judging.dice_memory.set_ratios`."""

    middle: Floats  # (d,)
    across: Floats  # (d, k)
    between: Floats  # (k,)

    @classmethod
    def load(cls, path: Path) -> SetMap:
        """Loads the map from the likeness file. Raises ModelError."""
        with saved_arrays(path) as saved:
            return cls(*(saved[f"set_{name}"].astype(np.float32) for name in ("middle", "across", "between")))

    def vectors(self, features: Floats) -> Doubles:
        """The vectors (n, k) of features (n, d)."""
        return np.asarray((features - self.middle).astype(np.float64) @ self.across)
