"""A reading: dice with values, boxes and confidences. These values check themselves when they are made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from vision.reasons import ASKS, HINTS

if TYPE_CHECKING:
    from vision.judging.dice_memory import Trace
    from vision.judging.overlap import Box

VALUES = range(1, 7)
MOST_DICE = 30  # in one throw


@dataclass(frozen=True)
class Die:
    """One die: `value` 1..6 and `box` x0, y0, x1, y1 in pixels of the upright photo. `confidence`: the probability
    0..1 that it is a die and shows this value. `sure`: a score may be staked on it. `alternatives`: the other values
    that it may show, most likely first."""

    value: int
    confidence: float
    box: Box
    sure: bool
    alternatives: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.value not in VALUES:
            raise ValueError(f"a die shows 1..6, got {self.value}")
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"confidence is 0..1, got {self.confidence}")
        x0, y0, x1, y1 = self.box
        if not (all(map(math.isfinite, self.box)) and x0 < x1 and y0 < y1):
            raise ValueError(f"a box is x0, y0, x1, y1 with x0 < x1 and y0 < y1, got {self.box}")
        others = self.alternatives
        if len(set(others)) != len(others) or self.value in others or not set(others) <= set(VALUES):
            raise ValueError(f"alternatives are different values other than {self.value}, got {others}")

    def to_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "confidence": round(self.confidence, 4),
            "sure": self.sure,
            "box": [round(side, 1) for side in self.box],
            "alternatives": list(self.alternatives),
        }


@dataclass(frozen=True)
class Ask:
    """Why the reader asks a person. `reason` is a key of ASKS; `params` fill its sentence, which is str(). `box`: where
    in the photo, if no die of the reading shows it."""

    reason: str
    params: Mapping[str, int] = field(default_factory=dict)
    box: Box | None = None

    def __str__(self) -> str:
        return ASKS[self.reason].format(**self.params)

    def to_json(self) -> dict[str, Any]:
        return {"reason": self.reason, "params": dict(self.params), "text": str(self)}


@dataclass(frozen=True)
class Reading:
    """The dice of one photo, from left to right. A reading without dice is valid, but never sure.

    `complete`: nothing else in the photo looks like a die, and if the dice count was given, these are all dice.
    `aside`: dice that lie beside the throw; none of them is in `dice`. `asks`: why the reader asks, most important
    first. `obstacles`: what keeps the photo from showing all dice surely, whatever is read in it (keys of ASKS).
    `trace`: boxes and vectors of all candidates, from which a confirmed throw makes a training sample.

    >>> right = Die(5, 0.998, (300.0, 40.0, 380.0, 120.0), sure=True)
    >>> left = Die(2, 0.62, (60.0, 50.0, 140.0, 130.0), sure=False, alternatives=(3,))
    >>> reading = Reading(640, 480, (right, left))
    >>> [die.value for die in reading.dice], reading.values, reading.sure
    ([2, 5], (2, 5), False)
    """

    width: int
    height: int
    dice: tuple[Die, ...]
    complete: bool = True
    aside: tuple[Die, ...] = ()
    asks: tuple[Ask, ...] = ()
    obstacles: tuple[str, ...] = ()
    trace: Trace | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"a photo has pixels, got {self.width}x{self.height}")
        for place, die in enumerate((*self.dice, *self.aside), start=1):
            x0, y0, x1, y1 = die.box
            if x0 < 0 or y0 < 0 or x1 > self.width or y1 > self.height:
                raise ValueError(f"box {die.box} of die {place} leaves the photo of {self.width}x{self.height}")
        for name in ("dice", "aside"):
            object.__setattr__(self, name, tuple(sorted(getattr(self, name), key=_from_left)))

    @property
    def values(self) -> tuple[int, ...]:
        """The values thrown, ascending."""
        return tuple(sorted(die.value for die in self.dice))

    @property
    def sure(self) -> bool:
        """Whether there are dice, each one is sure, nothing else looks like a die, and nothing keeps the photo from
        showing them all."""
        clear = self.complete and not self.obstacles
        return bool(self.dice) and clear and all(die.sure for die in (*self.dice, *self.aside))

    @property
    def causes(self) -> frozenset[str]:
        """The reasons (keys of ASKS) each of which alone would keep the reading from being sure; empty if it is."""
        return frozenset(self.obstacles) | {ask.reason for ask in self.asks} - HINTS

    def to_json(self, name: str) -> dict[str, Any]:
        """The document of `rollcall read --json` for the photo called `name`."""
        return {
            "photo": name,
            "width": self.width,
            "height": self.height,
            "values": list(self.values),
            "sure": self.sure,
            "dice": [die.to_json() for die in self.dice],
            "aside": [die.to_json() for die in self.aside],
            "asks": [ask.to_json() for ask in self.asks],
        }


def _from_left(die: Die) -> tuple[float, float]:
    return die.box[0] + die.box[2], die.box[1]


def check_throw(dice: int | None, aside: Sequence[int]) -> None:
    """Raises ValueError, in one sentence, if no throw has this number of dice or these values."""
    if dice is not None and not 1 <= dice <= MOST_DICE:
        raise ValueError(f"the number of dice must be 1..{MOST_DICE}, got {dice}")
    for place, value in enumerate(aside, start=1):
        if value not in VALUES:
            raise ValueError(f"dice must be 1..6, got {value} ({place} of {len(aside)} that lie aside)")
