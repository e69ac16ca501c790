"""What was watched, as values: what happened on the table top, and what is remembered of the rests so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Box = tuple[float, float, float, float]
Action = Mapping[str, Any]


# The box of a die that the table knows and the camera has not seen.
NOWHERE: Box = (-1e9, -1e9, -1e9 + 1, -1e9 + 1)


@dataclass(frozen=True)
class RestingDie:
    """A die at rest: `value` 1..6, `box` x0, y0, x1, y1 in pixels, whether a score may be staked on it, and whether it
    lay at this place with this value at the rest before."""

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
    """Nothing can be seen, for this `reason`."""

    reason: str


@dataclass(frozen=True)
class DiceAtRest:
    """All dice in the picture lie still. `sure`: each of them is, and nothing looks like a die that was left out."""

    dice: tuple[RestingDie, ...]
    sure: bool = True


@dataclass(frozen=True)
class LookAgain:
    """Somebody asked to look again: what was remembered is forgotten, the next rest is read for itself."""


@dataclass(frozen=True)
class TableChanged:
    """The table changed while nothing moved: a phone acted, undid or corrected."""


Observation = Moving | Cleared | Blind | DiceAtRest | LookAgain | TableChanged


def parse_observation(told: Mapping[str, Any]) -> Observation:
    """The event of a line of `rollcall watch --json` (docs/interfaces.md). Raises ValueError for an unknown one."""
    kind = told["event"]
    if kind == "moving":
        return Moving()
    if kind == "cleared":
        return Cleared()
    if kind == "blind":
        return Blind(told.get("reason", ""))
    if kind == "settled":
        return DiceAtRest(tuple(_parse_die(die) for die in told["dice"]), told["sure"])
    raise ValueError(f"an event is moving, settled, cleared or blind, got {kind}")


def _parse_die(told: Mapping[str, Any]) -> RestingDie:
    x0, y0, x1, y1 = told["box"]
    return RestingDie(told["value"], (x0, y0, x1, y1), told["sure"], told.get("stayed", False))


@dataclass(frozen=True)
class Spot:
    """A die whose value the table has: where it lies, or lay last. `lying`: it was seen there at the last rest.
    `moved`: a hand pushed it since it was thrown."""

    value: int
    box: Box
    lying: bool = True
    moved: bool = False


@dataclass(frozen=True)
class UmpireMemory:
    """What is remembered of the rests so far; the first of a table is `UmpireMemory()`.

    `spots`: the dice of the last throw that the table has and those beside it. `rest`: the dice at the last rest, which
    was `clear` when all of them were sure and nothing else looked like one.
    `gone`: the values that were missing at each rest since that throw, ascending. `waiting`: actions that were
    proposed as certain and that nobody has confirmed yet; they follow the table's first `version` actions, of which
    `last` is the latest throw and `throws` their number. `fresh`: nothing has moved since the watching began, was
    begun again, or an action was undone. `asked`: what lies there was asked about, and nobody has answered.
    `doubt`: the same of a rest before this one. `told`: a phone told or corrected a throw, and nothing has moved since.
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
    told: bool = False
    asked: bool = False
    doubt: bool = False
