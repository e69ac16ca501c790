"""What every solved game answers: what a state is worth to a player, and what each of his choices is worth.

A family of games is one class derived from Solution, named `SOLUTION` in its module, where `scorer.advice.family` finds
it. States are those of the game's own rules: `table.state`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from scorer.actions import Action
from scorer.game import Game

# Raised when what a file of a solved game holds changes: older files are then solved anew.
FORMAT = 1

POINTS = "points"  # expected final points
WIN = "win"  # chance to win, 0..1; equal places share one win

Progress = Callable[[float], None]
Arrays = Mapping[str, npt.NDArray[Any]]
Odds = Mapping[str, Fraction | float]
G = TypeVar("G", bound=Game[Any])


class Choice(NamedTuple):
    """One legal action of the player to act, as in a record, and his expected final result under best play after it."""

    action: dict[str, Any]
    value: float


class WrongTable(ValueError):  # noqa: N818 - said of the file, not of us
    """A file that is no solved table of this game with these options, or of another version."""


class Solution(ABC, Generic[G]):
    """A solved game with its options.

    `unit`: POINTS or WIN. `exact`: whether `worth` is that of best play, up to rounding; else that of the policy that
    docs/advice.md describes. `value`: what `rollcall solve` prints (docs/interfaces.md). `states`: how many it tells
    apart. `quick`: such games are solved in a moment, so that no file is needed.
    """

    unit: ClassVar[str] = POINTS
    quick: ClassVar[bool] = False
    game: G
    exact: bool
    value: float
    states: int

    @classmethod
    @abstractmethod
    def solve(cls, game: G, progress: Progress | None = None) -> Solution[G]:
        """Solves a game; `progress` is called with the share done, 0..1."""

    @staticmethod
    @abstractmethod
    def odds(game: Any, state: Any, player: int, action: Action) -> Odds:
        """The chances that a legal action leaves the player, by name; see `scorer.advice.odds`. Nothing is solved."""

    @abstractmethod
    def worth(self, state: Any, player: int) -> float:
        """The expected final result of `player` under best play from `state`, whether a throw or a choice is next.

        Of a game that is over: his result itself (his final score, or 1, 0 or a share of 1 for WIN).
        """

    @abstractmethod
    def choices(self, state: Any, player: int) -> list[Choice]:
        """Every legal action of `player`, who acts now, best first; [] where only a throw may come.

        A keep once for every distinct multiset of dice. A throw, without its dice, is among them where it is a choice:
        `{"do": "throw", "count": 4}` beside `{"do": "bank"}`.
        """

    @abstractmethod
    def save(self, path: Path) -> None:
        """Writes what `load` needs to `path`, a file that ends in .npz."""

    @classmethod
    @abstractmethod
    def load(cls, path: Path, game: G) -> Solution[G]:
        """Reads what `save` wrote for this game with these options; raises WrongTable or OSError."""


class OnDemandSolution(Solution[G]):
    """A game of which nothing is kept: all is reckoned when it is wanted."""

    quick = True
    states = 0

    def __init__(self, game: G) -> None:
        self.game = game

    @classmethod
    def solve(cls, game: G, progress: Progress | None = None) -> Solution[G]:
        return cls(game)

    def save(self, path: Path) -> None:
        """Only which game it is."""
        write_table(path, self.game, {}, {})

    @classmethod
    def load(cls, path: Path, game: G) -> Solution[G]:
        read_table(path, game)
        return cls(game)


def best_first(choices: list[Choice]) -> list[Choice]:
    """Choices, best first; equal ones stay in the order of the rules' own list."""
    return sorted(choices, key=lambda choice: -choice.value)


def write_table(path: Path, game: Game[Any], header: Mapping[str, Any], arrays: Arrays) -> None:
    """Writes one compressed file: `header` (what JSON can hold), the game with its options, and `arrays`."""
    told = {"format": FORMAT, "game": game.key, "options": game.settings, **header}
    text = np.frombuffer(json.dumps(told).encode(), dtype=np.uint8)
    contents: dict[str, Any] = {"header": text, **arrays}
    with path.open("wb") as file:
        np.savez_compressed(file, **contents)


def read_table(path: Path, game: Game[Any]) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Header and arrays that `write_table` wrote for this game with these options; raises WrongTable or OSError."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header: dict[str, Any] = json.loads(arrays.pop("header").tobytes())
    except OSError:
        raise
    except Exception as error:  # zip, header and numbers of a damaged file fail in many ways
        raise WrongTable(f"{path} is no solved table: {error}") from error
    wanted = {"format": FORMAT, "game": game.key, "options": game.settings}
    found = {name: header.get(name) for name in wanted}
    if found != wanted:
        raise WrongTable(f"{path} is a table of {found}, not of {wanted}")
    return header, arrays
