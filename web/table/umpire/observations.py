"""What the umpire gets and remembers: observations of the table top, and the dice known from earlier rests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Box = tuple[float, float, float, float]
Action = Mapping[str, Any]


# The box of a die that the table knows but the camera has not seen.
NOWHERE: Box = (-1e9, -1e9, -1e9 + 1, -1e9 + 1)


@dataclass(frozen=True)
class RestingDie:
    """A die at rest: `value` 1..6; `box` x0, y0, x1, y1 in pixels; `sure`: a score may be staked on it; `stayed`: it
    had this place and value at the last rest."""

    value: int
    box: Box
    sure: bool = True
    stayed: bool = False


@dataclass(frozen=True)
class Moving:
    """Something moves in the picture: dice roll, or a hand is in it."""


@dataclass(frozen=True)
class Cleared:
    """No dice are left."""


@dataclass(frozen=True)
class Blind:
    """The camera can see nothing, for this `reason`."""

    reason: str


@dataclass(frozen=True)
class DiceAtRest:
    """All dice in the picture lie still. `sure`: every die is sure, and nothing else looks like a die."""

    dice: tuple[RestingDie, ...]
    sure: bool = True


@dataclass(frozen=True)
class TableChanged:
    """A phone acted, undid or corrected while nothing moved."""


Observation = Moving | Cleared | Blind | DiceAtRest | TableChanged


@dataclass(frozen=True)
class Spot:
    """A die whose value the table knows, and where it lies or lay last. `lying`: it was seen there at the last rest;
    `moved`: a hand pushed it since its throw."""

    value: int
    box: Box
    lying: bool = True
    moved: bool = False


@dataclass(frozen=True)
class UmpireMemory:
    """What the umpire remembers of a table; it begins with `UmpireMemory()`.

    `version`, `throws`, `last`: the number of actions of the table, of its throws, and the dice of the last throw.
    `waiting`: sure proposals after these actions that nobody has confirmed yet. `spots`: the dice of the last throw and
    those beside it. `rest`: the dice at the last rest; `clear`: they were all sure, and nothing else looked like a die.
    `gone`: the values missing at each rest since that throw, ascending. `fresh`: nothing has moved since the watching
    began or began anew, or since an undo. `entered`: a phone entered or corrected a throw, and nothing has moved since.
    `asked`: nobody has answered the question about this rest; `unanswered`: the earlier rests of which the same is
    true, and whose dice do not all lie there now.
    """

    version: int = 0
    throws: int = 0
    last: tuple[int, ...] = ()
    spots: tuple[Spot, ...] = ()
    rest: tuple[RestingDie, ...] = ()
    clear: bool = True
    gone: tuple[tuple[int, ...], ...] = ()
    waiting: tuple[Action, ...] = ()
    fresh: bool = True
    entered: bool = False
    asked: bool = False
    unanswered: tuple[tuple[RestingDie, ...], ...] = ()
