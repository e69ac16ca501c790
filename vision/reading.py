"""What the reader saw: dice with values, boxes and how far they can be trusted. Values that check themselves once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

VALUES = range(1, 7)

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Die:
    """One die: `value` 1..6, `confidence` 0..1 that it is a die and shows that value, `box` x0, y0, x1, y1 in pixels
    of the upright photo, `sure` when a score may be staked on it, and the other values it might show, most likely
    first."""

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


@dataclass(frozen=True)
class Reading:
    """The dice of one photo, from left to right; none at all is a reading like any other.

    `complete`: nothing else in the photo looks like a die.
    """

    width: int
    height: int
    dice: tuple[Die, ...]
    complete: bool = True

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1:
            raise ValueError(f"a photo has pixels, got {self.width}x{self.height}")
        for place, die in enumerate(self.dice, start=1):
            x0, y0, x1, y1 = die.box
            if x0 < 0 or y0 < 0 or x1 > self.width or y1 > self.height:
                raise ValueError(f"box {die.box} of die {place} leaves the photo of {self.width}x{self.height}")
        object.__setattr__(
            self, "dice", tuple(sorted(self.dice, key=lambda die: (die.box[0] + die.box[2], die.box[1])))
        )

    @property
    def values(self) -> tuple[int, ...]:
        """What was thrown, ascending."""
        return tuple(sorted(die.value for die in self.dice))

    @property
    def sure(self) -> bool:
        """Every die is sure, and nothing in the photo looks like a die that was left out."""
        return self.complete and all(die.sure for die in self.dice)

    def to_json(self, name: str) -> dict[str, Any]:
        """The document of `rollcall read --json` for the photo called `name`."""
        return {
            "photo": name,
            "width": self.width,
            "height": self.height,
            "values": list(self.values),
            "sure": self.sure,
            "dice": [
                {
                    "value": die.value,
                    "confidence": round(die.confidence, 4),
                    "sure": die.sure,
                    "box": [round(side, 1) for side in die.box],
                    "alternatives": list(die.alternatives),
                }
                for die in self.dice
            ],
        }
