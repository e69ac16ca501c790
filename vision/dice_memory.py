"""What a table's own dice look like: numbers of confirmed throws, never pictures, and what they say of the next throw.

Each thing of a confirmed throw is kept as a short vector with the value that a person confirmed, or with "no die". A
new thing x is compared with these. The classifier alone says p(v | x) for each value and for no die. Beside that, one
of value v may look like one that this table has confirmed: by the two-covariance model (PLDA: Ioffe 2006; Brümmer and
de Villiers 2010), whose numbers are trained for this (Burget et al. 2011), a kept vector says how many times as
probable x is if it shows the same face of the same dice than if it is anything, r(x, i). Faces already seen and faces
not yet seen are mixed as in a Dirichlet process (Ferguson 1973) of concentration a, where n of the kept vectors have
value v:

    p(v | x, memory)  ~  p(v) (a p(v | x) / p(v) + sum of r(x, i) over those of value v) / (a + n)

So a memory of few throws says little, one of many decides, and what looks like nothing kept is read as without memory.
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

MOST = 600  # things that a memory keeps, the newest
MOST_RATIO = 30  # logarithm: no thing is more or less like a kept one
_SAME = 0.4  # intersection over union from which a confirmed box is a thing that was looked at
_MAYBE = 0.2  # of the smaller of two boxes: nearer to a confirmed die than this, a thing is neither it nor none
_HEAD = struct.Struct("<4sHHI")
_TRACE, _SAMPLE = b"RCt1", b"RCl1"
_ARRAYS = ("middle", "across", "inner", "inner_bias", "outer", "between", "share", "die_share")


@contextmanager
def saved_arrays(path: Path) -> Iterator[Any]:
    """The arrays of a file of NumPy's, by name. Raises ModelError where it is missing or broken, or lacks one that is
    asked for."""
    try:
        with path.open("rb") as file, np.load(file) as saved:  # given a path, it leaves a broken file open
            yield saved
    except FileNotFoundError as error:
        raise ModelError("model-missing", file=path.name) from error
    except (OSError, EOFError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ModelError("model-broken", file=path.name) from error


@dataclass(frozen=True)
class Likeness:
    """How features (d,) become vectors (k,) in which faces of one kind vary by 1 in each direction, and faces of
    different kinds by `between` (k,) more; made by `rollcall train likeness`. A vector is a turned and scaled copy of
    the features, and what a small network of h rectified units adds to it."""

    middle: Floats  # (d,)
    across: Floats  # (d, k)
    inner: Floats  # (d, h)
    inner_bias: Floats  # (h,)
    outer: Floats  # (h, k)
    between: Floats  # (k,)
    share: Floats  # (k,): how much of each direction's log-ratio counts for a die's value: they are not independent
    die_share: Floats  # (k,): the same for whether a thing is a die
    concentration: float
    none: float  # p(no die), before anything is seen

    @classmethod
    def load(cls, path: Path) -> Likeness:
        """From a file that `rollcall train likeness` made; raises ModelError where there is none."""
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
        """One without a network, and with the same shares for all directions."""
        width, size = across.shape
        no_network = np.zeros((width, 0), np.float32), np.zeros(0, np.float32), np.zeros((0, size), np.float32)
        shares = np.full(size, share, np.float32), np.full(size, die_share, np.float32)
        return cls(middle, across, *no_network, between, *shares, concentration, none)

    @functools.cached_property
    def mark(self) -> int:
        """Tells vectors of one likeness from those of another: they cannot be compared."""
        marked = zlib.crc32(self.across.tobytes(), zlib.crc32(self.middle.tobytes()))
        for array in (self.inner, self.inner_bias, self.outer):
            marked = zlib.crc32(array.tobytes(), marked)
        return marked

    def vectors(self, features: Floats) -> Floats:
        """Of features (n, d): (n, k)."""
        off = features - self.middle
        added = np.maximum(off @ self.inner + self.inner_bias, 0) @ self.outer
        return np.asarray(off @ self.across + added, np.float32)

    def ratios(self, vectors: Floats, kept: Floats, share: Floats) -> Floats:
        """Logarithms (n, m) of how many times as probable each vector (n, k) is, if it shows the same face as the kept
        one (m, k), than if it is anything; of each direction's own `share` (k,) counts."""
        marginal = 1 + self.between
        spread = marginal - self.between**2 / marginal
        expected = kept * (self.between / marginal)
        # The squares of (vector - expected) multiplied out: one product of matrices instead of n times m rows.
        alone = vectors**2 @ (share * (1 / marginal - 1 / spread))
        logs = alone[:, None] - expected**2 @ (share / spread) + 2 * (vectors * (share / spread)) @ expected.T
        return np.asarray(0.5 * (logs + (share * np.log(marginal / spread)).sum()), np.float32)


@dataclass(frozen=True)
class Trace:
    """What a reading leaves to be learnt from: the boxes (n, 4) of all that was looked at, in pixels of the upright
    photo, and their vectors (n, k), made with the likeness of this `mark`."""

    boxes: Floats
    vectors: Floats
    mark: int

    def to_text(self) -> str:
        """Some kB of ASCII."""
        return base64.b85encode(_pack(_TRACE, self.boxes, self.vectors, self.mark)).decode()

    @classmethod
    def from_text(cls, text: str) -> Trace:
        """What `to_text` made; raises ValueError for anything else."""
        try:
            data = base64.b85decode(text)
        except (ValueError, binascii.Error) as error:
            raise ValueError("not a trace") from error
        return cls(*_unpack(_TRACE, data))

    def sample(self, dice: Sequence[tuple[int, Box]], aside: Sequence[tuple[int, Box]] = ()) -> DiceSample:
        """What a confirmed throw teaches: value and box of each die, those that lie aside too. What else was looked at,
        and lies apart from them, is none. A die whose box meets nothing that was looked at teaches nothing."""
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
    """What one confirmed throw taught: for each of n things its class (0..5 are the values 1..6, 6 is no die) and its
    vector (n, k), made with the likeness of this `mark`."""

    classes: npt.NDArray[np.uint8]
    vectors: Floats
    mark: int

    def to_bytes(self) -> bytes:
        return _pack(_SAMPLE, self.classes[:, None].astype(np.float32), self.vectors, self.mark)

    @classmethod
    def from_bytes(cls, data: bytes) -> DiceSample:
        """What `to_bytes` made; raises ValueError for anything else."""
        classes, vectors, mark = _unpack(_SAMPLE, data)
        if classes.shape[1] != 1 or not np.isin(classes, range(NONE + 1)).all():
            raise ValueError("not a dice sample")
        return cls(classes[:, 0].astype(np.uint8), vectors, mark)


@dataclass(frozen=True)
class DiceMemory:
    """What all samples of a table say together, oldest first."""

    samples: tuple[DiceSample, ...]

    @classmethod
    def from_samples(cls, samples: Iterable[DiceSample]) -> DiceMemory:
        """The newest of the samples, which come oldest first, with MOST things or a few more in all."""
        kept: list[DiceSample] = []
        for sample in reversed(list(samples)):
            if sum(len(each.classes) for each in kept) >= MOST:
                break
            kept.append(sample)
        return cls(tuple(reversed(kept)))

    def __len__(self) -> int:
        return sum(len(sample.classes) for sample in self.samples)

    def usable_samples(self, likeness: Likeness) -> tuple[DiceSample, ...]:
        """The samples that say something: not those made with another likeness."""
        return tuple(sample for sample in self.samples if sample.mark == likeness.mark and len(sample.classes))

    def adjust_logits(self, likeness: Likeness, logits: Floats, vectors: Floats) -> Floats:
        """The classifier's logits (n, 7), as they are with this memory; `vectors` (n, k) of the same things."""
        known = self.usable_samples(likeness)
        if not known or not len(logits):
            return logits
        classes = np.concatenate([sample.classes for sample in known])
        kept = np.concatenate([sample.vectors for sample in known])
        return mix_logits(likeness, logits, vectors, kept, classes)


def mix_logits(
    likeness: Likeness, logits: Floats, vectors: Floats, kept: Floats, classes: npt.NDArray[np.uint8]
) -> Floats:
    """The rule of this module's head: logits (n, 7) from those of the classifier, of things with `vectors` (n, k),
    where things with vectors `kept` (m, k) were of `classes` (m,). Which value it is and whether it is a die are asked
    with shares of their own: a logo for the one and a two look more alike than any of them and a button."""
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
    found: Doubles = chances / chances.sum(1, keepdims=True)
    return found


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
