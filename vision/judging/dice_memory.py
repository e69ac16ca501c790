"""What a table's own dice look like: samples of confirmed throws, as numbers, never pictures.

The rule is that of datasets/docs/detector.md, "The table's own dice". A two-covariance model (PLDA: Ioffe 2006; Brümmer
and de Villiers 2010), trained for this use (Burget et al. 2011), compares a candidate with the vectors kept. Seen and
unseen faces are mixed as in a Dirichlet process (Ferguson 1973).
"""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import mul

from vision.judging.chances import Row, softmax
from vision.judging.overlap import APART, SAME_THING, Box, most_shared, overlap
from vision.judging.seen import NONE

MOST = 600  # candidates that a memory keeps, the newest
MOST_RATIO = 30  # logarithm: the largest likeness or unlikeness that counts
_HEAD = struct.Struct("<4sHHI")
_TRACE, _SAMPLE = b"RCt1", b"RCl1"
_MOST_OF_SET = 10.0  # as MOST_RATIO, for dice of one set
_LARGEST = 6e4  # of a half-precision number


@dataclass(frozen=True)
class Likeness:
    """By which numbers vectors (k) are compared. In each direction crops of one face vary by 1, and faces of different
    kinds by `between` (k) more."""

    between: Row
    share: Row  # weight of each direction's log-ratio for a die's value: directions are not independent
    die_share: Row  # the same for whether a candidate is a die
    concentration: float
    none: float  # p(no die) before anything is seen
    mark: int  # tells which vectors may be compared: only those of one likeness
    set_between: Row = ()  # for dice of one set, see `set_ratios`


class KeptVectors:
    """The vectors of known classes, ready to be compared."""

    def __init__(self, likeness: Likeness, samples: Iterable[DiceSample]) -> None:
        rows = [(cls, vector) for sample in samples for cls, vector in zip(sample.classes, sample.vectors, strict=True)]
        self.counts = [sum(cls == each for each, _ in rows) for cls in range(NONE + 1)]
        self._likeness = likeness
        self._of_value = Compared(likeness, likeness.share, [row for row in rows if row[0] != NONE])
        self._of_die = Compared(likeness, likeness.die_share, rows)

    def adjust(self, logits: Row, vector: Row) -> Row:
        """A candidate's logits (7), by the rule of this module's head. The value and whether it is a die have shares of
        their own: a logo for the one and a two look more alike than either and a button."""
        values, of_die = (self._mixture(logits, each.likeness_sums(vector)) for each in (self._of_value, self._of_die))
        die, whole = sum(of_die[:NONE]), sum(values[:NONE])
        chances = (*(value / whole * die for value in values[:NONE]), of_die[NONE])
        return tuple(math.log(chance / (die + of_die[NONE]) + 1e-9) for chance in chances)

    def _mixture(self, logits: Row, alike: Sequence[float]) -> Row:
        likeness, weight = self._likeness, self._likeness.concentration
        before = (*[(1 - likeness.none) / NONE] * NONE, likeness.none)
        return tuple(
            (weight * chance + prior * sums) / (weight + count)
            for chance, prior, sums, count in zip(softmax(logits), before, alike, self.counts, strict=True)
        )


class Compared:
    """Kept vectors (m, k) of known classes, and how much each direction counts."""

    def __init__(self, likeness: Likeness, share: Row, rows: Sequence[tuple[int, Row]]) -> None:
        marginal = [1 + between for between in likeness.between]
        spread = [whole - between**2 / whole for whole, between in zip(marginal, likeness.between, strict=True)]
        drawn = [between / whole for whole, between in zip(marginal, likeness.between, strict=True)]
        self._weights = [own / one for own, one in zip(share, spread, strict=True)]
        self._alone = [own * (1 / whole - 1 / one) for own, whole, one in zip(share, marginal, spread, strict=True)]
        bias = sum(own * math.log(whole / one) for own, whole, one in zip(share, marginal, spread, strict=True))
        # (vector - expected)² multiplied out: of the candidate alone, of the kept vector alone, and a product of both.
        self._rows = []
        for cls, vector in rows:
            expected = list(map(mul, drawn, vector))
            own = bias - sum(weight * number * number for weight, number in zip(self._weights, expected, strict=True))
            self._rows.append((cls, own, expected))

    def likeness_sums(self, vector: Row) -> list[float]:
        """The sums (7) of the likelihood ratios to the kept vectors of each class."""
        alone = sum(weight * own * own for weight, own in zip(self._alone, vector, strict=True))
        weighted = [2 * weight * own for weight, own in zip(self._weights, vector, strict=True)]
        sums = [0.0] * (NONE + 1)
        for cls, own, expected in self._rows:
            ratio = 0.5 * (alone + own + sum(map(mul, weighted, expected)))
            sums[cls] += math.exp(min(max(ratio, -MOST_RATIO), MOST_RATIO))
        return sums


def set_ratios(between: Row, vectors: Sequence[Row], beside: Sequence[Sequence[int]]) -> Row:
    """Log-likelihood ratios (n): each candidate's vector (k) is of one set with the photo's sure dice `beside` it,
    against anything, such as a numeral die or a button. 0 if there are none. No memory is needed: these lie in the same
    light. In each direction the dice of one throw vary by 1, whatever values they show, and throws of different dice
    by `between` (k) more."""
    ratios = []
    for vector, others in zip(vectors, beside, strict=True):
        dice, logs = [vectors[other] for other in others], 0.0
        for own, spread, *known in zip(vector, between, *dice, strict=True) if dice else ():
            unknown = spread / (1 + len(known) * spread)  # what is not known yet of the set's mean
            off = own - unknown * sum(known)
            logs += own * own / (1 + spread) - off * off / (1 + unknown) + math.log((1 + spread) / (1 + unknown))
        ratios.append(min(max(0.5 * logs, -_MOST_OF_SET), _MOST_OF_SET))
    return tuple(ratios)


@dataclass(frozen=True)
class Trace:
    """What a reading keeps for the dice memory, made by the likeness of this `mark`: the boxes of all n candidates, in
    pixels of the upright photo, and their vectors (k)."""

    boxes: tuple[Box, ...]
    vectors: tuple[Row, ...]
    mark: int

    def to_text(self) -> str:
        """Some kB of ASCII."""
        return base64.b85encode(_pack(_TRACE, 4, self.boxes, self.vectors, self.mark)).decode()

    @classmethod
    def from_text(cls, text: str) -> Trace:
        """Reads what `to_text` made. Raises ValueError for anything else."""
        boxes, vectors, mark = _unpack(_TRACE, 4, base64.b85decode(text))
        return cls(tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in boxes), vectors, mark)

    def sample(self, dice: Sequence[tuple[int, Box]], aside: Sequence[tuple[int, Box]] = ()) -> DiceSample:
        """The sample of a confirmed throw, from value and box of each die, including dice `aside`. Other candidates
        that lie apart from these are "no die". A die whose box meets no candidate is left out."""
        confirmed = [*dice, *aside]
        boxes = [box for _, box in confirmed]
        classes = [NONE if most_shared(own, boxes) < APART else -1 for own in self.boxes]
        for value, box in confirmed:
            overlaps = [overlap(own, box)[0] for own in self.boxes]
            if max(overlaps, default=0.0) >= SAME_THING:
                classes[overlaps.index(max(overlaps))] = value - 1
        known = [i for i, one in enumerate(classes) if one >= 0]
        return DiceSample(tuple(classes[i] for i in known), tuple(self.vectors[i] for i in known), self.mark)


@dataclass(frozen=True)
class DiceSample:
    """The sample of one confirmed throw: for each candidate its class (0..5: values 1..6, 6: no die) and its vector
    (k), made by the likeness of this `mark`."""

    classes: tuple[int, ...]
    vectors: tuple[Row, ...]
    mark: int

    def to_bytes(self) -> bytes:
        return _pack(_SAMPLE, 1, [(cls,) for cls in self.classes], self.vectors, self.mark)

    @classmethod
    def from_bytes(cls, data: bytes) -> DiceSample:
        """Reads what `to_bytes` made. Raises ValueError for anything else."""
        classes, vectors, mark = _unpack(_SAMPLE, 1, data)
        if not {one for (one,) in classes} <= set(range(NONE + 1)):
            raise ValueError("not a dice sample")
        return cls(tuple(int(one) for (one,) in classes), vectors, mark)


class DiceMemory:
    """The newest of the `samples` of a table's dice, oldest first: MOST candidates or slightly more."""

    def __init__(self, samples: Iterable[DiceSample]) -> None:
        self.samples = tuple(samples)
        while sum(len(sample.classes) for sample in self.samples[1:]) >= MOST:
            self.samples = self.samples[1:]
        self._kept: tuple[Likeness, KeptVectors | None] | None = None

    def __len__(self) -> int:
        return sum(len(sample.classes) for sample in self.samples)

    def kept_by(self, likeness: Likeness) -> KeptVectors | None:
        """The samples that were made by this likeness; None if there are none."""
        if self._kept is None or self._kept[0] is not likeness:
            known = [each for each in self.samples if each.mark == likeness.mark and len(each.classes)]
            self._kept = likeness, KeptVectors(likeness, known) if known else None
        return self._kept[1]


def _pack(kind: bytes, wide: int, first: Sequence[Sequence[float]], second: Sequence[Row], mark: int) -> bytes:
    """Numbers of single precision (n, wide) and of half precision (n, k)."""
    singles = list(chain(*first))
    halves = [min(max(number, -_LARGEST), _LARGEST) for number in chain(*second)]
    head = _HEAD.pack(kind, wide, len(second[0]) if second else 0, mark)
    return zlib.compress(head + struct.pack(f"<{len(singles)}f{len(halves)}e", *singles, *halves), 6)


def _unpack(kind: bytes, wide: int, data: bytes) -> tuple[tuple[Row, ...], tuple[Row, ...], int]:
    try:
        raw = zlib.decompress(data)
        named, width, long, mark = _HEAD.unpack_from(raw)
        count, rest = divmod(len(raw) - _HEAD.size, 4 * wide + 2 * long)
        middle = len(raw) - 2 * long * count
        first = tuple(struct.iter_unpack(f"<{wide}f", raw[_HEAD.size : middle]))
        second = tuple(struct.iter_unpack(f"<{long}e", raw[middle:])) if long else ((),) * count
    except (zlib.error, struct.error) as error:
        raise ValueError("damaged") from error
    if (named, width, rest) != (kind, wide, 0) or not all(map(math.isfinite, chain(*first, *second))):
        raise ValueError("damaged")
    return first, second, mark
