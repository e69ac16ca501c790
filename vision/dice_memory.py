"""What a table's own dice look like: training samples of confirmed throws, as numbers, never pictures.

Each candidate of a confirmed throw is kept as a short vector with its confirmed value, or with "no die". A new
candidate x is compared with these. The classifier alone gives p(v | x) for each value and for no die. The
two-covariance model (PLDA: Ioffe 2006; Brümmer and de Villiers 2010), trained for this purpose (Burget et al. 2011),
gives r(x, i): how many times as probable x is if it shows the same face of the same dice as kept vector i than if it is
anything. Seen and unseen faces are mixed as in a Dirichlet process (Ferguson 1973) of concentration a, where n of the
kept vectors have value v:

p(v | x, memory) ~ p(v) (a p(v | x) / p(v) + sum of r(x, i) over those of value v) / (a + n)

So a memory of few throws says little and one of many decides. A candidate like none kept is read as without memory.
"""

from __future__ import annotations

import base64
import binascii
import functools
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vision.arrays import Doubles, Floats
from vision.boxes import Box, overlaps
from vision.classifier import NONE, softmax
from vision.reasons import ModelError

MOST = 600  # candidates that a memory keeps, the newest
MOST_RATIO = 30  # logarithm: the largest likeness or unlikeness that counts
_SAME = 0.4  # intersection over union from which on a candidate is the confirmed die
_MAYBE = 0.2  # of the smaller box: a candidate nearer to a confirmed die than this is neither that die nor no die
_HEAD = struct.Struct("<4sHHI")
_TRACE, _SAMPLE = b"RCt1", b"RCl1"
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
class Likeness:
    """A map from features (d,) to vectors (k,), fitted by `rollcall train likeness`. In each direction crops of one
    face vary by 1, and faces of different kinds by `between` (k,) more. A vector is a linear map of the features,
    plus the output of a small network of h rectified units."""

    middle: Floats  # (d,)
    across: Floats  # (d, k)
    inner: Floats  # (d, h)
    inner_bias: Floats  # (h,)
    outer: Floats  # (h, k)
    between: Floats  # (k,)
    share: Floats  # weight of each direction's log-ratio for a die's value: directions are not independent
    die_share: Floats  # the same for whether a candidate is a die
    concentration: float
    none: float  # p(no die) before anything is seen

    @classmethod
    def load(cls, path: Path) -> Likeness:
        """Loads a file that `rollcall train likeness` made. Raises ModelError."""
        with saved_arrays(path) as saved:
            numbers = [float(saved[name]) for name in ("concentration", "none")]
            if "inner" in saved.files:
                return cls(*(saved[name].astype(np.float32) for name in _ARRAYS), *numbers)
            # Older files have no network, and the oldest one share for both.
            of_die = "die_share" if "die_share" in saved.files else "share"
            middle, across, between = (saved[name].astype(np.float32) for name in ("middle", "across", "between"))
            return cls.linear(middle, across, between, float(saved["share"]), float(saved[of_die]), *numbers)

    @classmethod
    def linear(
        cls,
        middle: Floats,
        across: Floats,
        between: Floats,
        share: float,
        die_share: float,
        concentration: float,
        none: float,
    ) -> Likeness:
        """A likeness without a network, with the same shares for all directions."""
        width, size = across.shape
        no_network = np.zeros((width, 0), np.float32), np.zeros(0, np.float32), np.zeros((0, size), np.float32)
        shares = np.full(size, share, np.float32), np.full(size, die_share, np.float32)
        return cls(middle, across, *no_network, between, *shares, concentration, none)

    @functools.cached_property
    def mark(self) -> int:
        """A checksum that tells which vectors may be compared: only those of one likeness."""
        marked = zlib.crc32(self.across.tobytes(), zlib.crc32(self.middle.tobytes()))
        for array in (self.inner, self.inner_bias, self.outer):
            marked = zlib.crc32(array.tobytes(), marked)
        return marked

    def vectors(self, features: Floats) -> Floats:
        """The vectors (n, k) of features (n, d)."""
        off = features - self.middle
        added = np.maximum(off @ self.inner + self.inner_bias, 0) @ self.outer
        return np.asarray(off @ self.across + added, np.float32)

    def ratios(self, vectors: Floats, kept: Floats, share: Floats) -> Floats:
        """Log-ratios (n, m): how many times as probable each vector (n, k) is if it shows the same face as the kept
        one (m, k) than if it is anything. `share` (k,): weight of each direction."""
        marginal = 1 + self.between
        spread = marginal - self.between**2 / marginal
        expected = kept * (self.between / marginal)
        # (vector - expected)² multiplied out: one matrix product instead of n times m rows.
        alone = vectors**2 @ (share * (1 / marginal - 1 / spread))
        logs = alone[:, None] - expected**2 @ (share / spread) + 2 * (vectors * (share / spread)) @ expected.T
        return np.asarray(0.5 * (logs + (share * np.log(marginal / spread)).sum()), np.float32)


@dataclass(frozen=True)
class Trace:
    """What a reading keeps for learning: the boxes (n, 4) of all candidates, in pixels of the upright photo, and
    their vectors (n, k), made by the likeness of this `mark`."""

    boxes: Floats
    vectors: Floats
    mark: int

    def to_text(self) -> str:
        """Some kB of ASCII."""
        return base64.b85encode(_pack(_TRACE, self.boxes, self.vectors, self.mark)).decode()

    @classmethod
    def from_text(cls, text: str) -> Trace:
        """Reads what `to_text` made. Raises ValueError for anything else."""
        try:
            data = base64.b85decode(text)
        except (ValueError, binascii.Error) as error:
            raise ValueError("not a trace") from error
        return cls(*_unpack(_TRACE, data))

    def sample(self, dice: Sequence[tuple[int, Box]], aside: Sequence[tuple[int, Box]] = ()) -> DiceSample:
        """The training sample of a confirmed throw, from value and box of each die, including dice `aside`. Other
        candidates that lie apart from these are "no die". A die whose box meets no candidate teaches nothing."""
        told = [*dice, *aside]
        boxes = np.array([box for _, box in told], np.float32).reshape(-1, 4)
        iou, inside = overlaps(self.boxes, boxes)
        values = np.where(inside.max(1, initial=0.0) < _MAYBE, NONE, -1)
        for place, (value, _) in enumerate(told):
            best = int(iou[:, place].argmax()) if len(iou) else 0
            if len(iou) and iou[best, place] >= _SAME:
                values[best] = value - 1
        learnt = values >= 0
        return DiceSample(values[learnt].astype(np.uint8), self.vectors[learnt], self.mark)


@dataclass(frozen=True)
class DiceSample:
    """The training sample of one confirmed throw: for each candidate its class (0..5: values 1..6, 6: no die) and
    its vector (n, k), made by the likeness of this `mark`."""

    classes: npt.NDArray[np.uint8]
    vectors: Floats
    mark: int

    def to_bytes(self) -> bytes:
        return _pack(_SAMPLE, self.classes[:, None].astype(np.float32), self.vectors, self.mark)

    @classmethod
    def from_bytes(cls, data: bytes) -> DiceSample:
        """Reads what `to_bytes` made. Raises ValueError for anything else."""
        classes, vectors, mark = _unpack(_SAMPLE, data)
        if classes.shape[1] != 1 or not np.isin(classes, range(NONE + 1)).all():
            raise ValueError("not a dice sample")
        return cls(classes[:, 0].astype(np.uint8), vectors, mark)


@dataclass(frozen=True)
class DiceMemory:
    """The training samples of a table's dice, oldest first."""

    samples: tuple[DiceSample, ...]

    @classmethod
    def from_samples(cls, samples: Iterable[DiceSample]) -> DiceMemory:
        """Keeps the newest of the samples, which come oldest first: MOST candidates or slightly more."""
        kept: list[DiceSample] = []
        for sample in reversed(list(samples)):
            if sum(len(each.classes) for each in kept) >= MOST:
                break
            kept.append(sample)
        return cls(tuple(reversed(kept)))

    def __len__(self) -> int:
        return sum(len(sample.classes) for sample in self.samples)

    def usable_samples(self, likeness: Likeness) -> tuple[DiceSample, ...]:
        """The samples that were made by this likeness."""
        return tuple(sample for sample in self.samples if sample.mark == likeness.mark and len(sample.classes))

    def adjust_logits(self, likeness: Likeness, logits: Floats, vectors: Floats) -> Floats:
        """The classifier's logits (n, 7), adjusted by this memory. `vectors` (n, k): of the same candidates."""
        known = self.usable_samples(likeness)
        if not known or not len(logits):
            return logits
        classes = np.concatenate([sample.classes for sample in known])
        kept = np.concatenate([sample.vectors for sample in known])
        return mix_logits(likeness, logits, vectors, kept, classes)


def mix_logits(
    likeness: Likeness, logits: Floats, vectors: Floats, kept: Floats, classes: npt.NDArray[np.uint8]
) -> Floats:
    """Applies the rule of this module's head to logits (n, 7) of candidates with `vectors` (n, k). `kept` (m, k):
    vectors of candidates of known `classes` (m,). The value and whether it is a die have shares of their own: a logo
    for the one and a two look more alike than either and a button."""
    values = _mixture(likeness, logits, likeness.ratios(vectors, kept, likeness.share), classes)[:, :NONE]
    of_die = _mixture(likeness, logits, likeness.ratios(vectors, kept, likeness.die_share), classes)
    die, none = of_die[:, :NONE].sum(1), of_die[:, NONE]
    chances = np.concatenate([values / values.sum(1, keepdims=True) * die[:, None], none[:, None]], axis=1)
    return np.asarray(np.log(chances + 1e-9), np.float32)


def _mixture(likeness: Likeness, logits: Floats, ratios: Floats, classes: npt.NDArray[np.uint8]) -> Doubles:
    before = np.full(NONE + 1, (1 - likeness.none) / NONE)
    before[NONE] = likeness.none
    of_class = classes[:, None] == np.arange(NONE + 1)
    alike = np.exp(np.clip(ratios, -MOST_RATIO, MOST_RATIO)).astype(np.float64) @ of_class
    weight = likeness.concentration
    chances = (weight * softmax(logits) + before * alike) / (weight + of_class.sum(0))
    return np.asarray(chances / chances.sum(1, keepdims=True))


def _pack(kind: bytes, first: Floats, second: Floats, mark: int) -> bytes:
    halves = second.clip(-6e4, 6e4).astype("<f2")
    head = _HEAD.pack(kind, first.shape[1], second.shape[1], mark)
    return zlib.compress(head + np.ascontiguousarray(first, "<f4").tobytes() + halves.tobytes(), 6)


def _unpack(kind: bytes, data: bytes) -> tuple[Floats, Floats, int]:
    try:
        raw = zlib.decompress(data)
        named, wide, long, mark = _HEAD.unpack_from(raw)
    except (zlib.error, struct.error) as error:
        raise ValueError("damaged") from error
    row = 4 * wide + 2 * long
    count, rest = divmod(len(raw) - _HEAD.size, row) if row else (0, 1)
    if named != kind or rest:
        raise ValueError("damaged")
    first = np.frombuffer(raw, "<f4", count * wide, _HEAD.size).reshape(count, wide)
    second = np.frombuffer(raw, "<f2", count * long, _HEAD.size + 4 * count * wide).reshape(count, long)
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise ValueError("damaged")
    return first.astype(np.float32), second.astype(np.float32), mark
