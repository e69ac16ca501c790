"""The interface of solved games: the worth of a state to a player, and of each of his choices.

Each family of games has a subclass of Solution, named `SOLUTION` in its module: see `scorer.advice.family`. States are
those of the game's own rules: `table.state`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from scorer.game import Game

POINTS = "points"  # expected final points
WIN = "win"  # chance to win, 0..1; equal places share one win
TURNS = "turns"  # a player's turns, those that he has had and those that he still needs, below 0

Progress = Callable[[float], None]
Odds = Mapping[str, Fraction | float]
G = TypeVar("G", bound=Game[Any])


class Choice(NamedTuple):
    """One legal action of a player, as in a record, and his expected final result under best play after it."""

    action: dict[str, Any]
    value: float


class WrongTable(ValueError):  # noqa: N818 - said of the file, not of us
    """A file that is no solved game, or has another game, other options or another version."""


class Solution(ABC, Generic[G]):
    """A solved game with its options.

    `against_mean`: whether `worth` compares points with the mean of as many turns. `sign`: -1 if the unit is points and
    fewer are better; `worth` is then minus the points.

    `unit`: POINTS or WIN. `exact`: whether `worth` is that of best play, up to rounding; else that of a policy in
    docs/advice.md. `value`: as `rollcall solve` prints it (docs/interfaces.md). `states`: how many it distinguishes.
    """

    unit: ClassVar[str] = POINTS
    against_mean: bool = False
    sign: int = 1
    game: G
    exact: bool
    value: float
    states: int

    @classmethod
    @abstractmethod
    def solve(cls, game: G, progress: Progress | None = None) -> Solution[G]:
        """Solves a game. `progress` is called with the share done, 0..1."""

    @classmethod
    def seconds(cls, game: G) -> float:
        """About how many seconds of one core it takes to solve a game."""
        return inf

    @abstractmethod
    def worth(self, state: Any, player: int) -> float:
        """The expected final result of `player` under best play from `state`, before a throw or a choice.

        After the game it is his result: the final score, or for WIN 1, 0 or a share of 1.
        """

    @abstractmethod
    def choices(self, state: Any, player: int) -> list[Choice]:
        """Every legal action of `player`, who acts now, best first; [] if he can only throw.

        A keep is listed once for each multiset of dice. A throw that is a choice is listed without its dice:
        `{"do": "throw", "count": 4}` beside `{"do": "bank"}`.
        """

    @abstractmethod
    def save(self, path: Path) -> None:
        """Writes a file for `load`; `path` ends in .npz."""

    @classmethod
    @abstractmethod
    def load(cls, path: Path, game: G) -> Solution[G]:
        """Reads a file that `save` wrote for this game with these options. Raises WrongTable or OSError."""


def best_first(choices: list[Choice]) -> list[Choice]:
    """The choices, best first; equal ones in the order of `legal`."""
    return sorted(choices, key=lambda choice: -choice.value)
