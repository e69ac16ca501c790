"""The interface of solved games: the worth of a state to a player, and of each of his choices.

Each family of games has a subclass of Solution, named `SOLUTION` in its module: see `scorer.advice.family`. States are
those of the game's own rules: `table.state`.
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

# Raise it when the contents of files of solved games change. Games with older files are then solved anew.
FORMAT = 1

POINTS = "points"  # expected final points
WIN = "win"  # chance to win, 0..1; equal places share one win

Progress = Callable[[float], None]
Arrays = Mapping[str, npt.NDArray[Any]]
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

    `unit`: POINTS or WIN. `exact`: whether `worth` is that of best play, up to rounding; else that of a policy in
    docs/advice.md. `value`: as `rollcall solve` prints it (docs/interfaces.md). `states`: how many it distinguishes.
    `quick`: whether the game is solved in a moment, without a file.
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
        """Solves a game. `progress` is called with the share done, 0..1."""

    @staticmethod
    @abstractmethod
    def odds(game: Any, state: Any, player: int, action: Action) -> Odds:
        """The chances after a legal action, by name: as `scorer.advice.odds`. It solves nothing."""

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


class OnDemandSolution(Solution[G]):
    """A game whose values are computed when asked for, without a table."""

    quick = True
    states = 0

    def __init__(self, game: G) -> None:
        self.game = game

    @classmethod
    def solve(cls, game: G, progress: Progress | None = None) -> Solution[G]:
        return cls(game)

    def save(self, path: Path) -> None:
        """Writes a file with the game's name and options alone."""
        write_table(path, self.game, {}, {})

    @classmethod
    def load(cls, path: Path, game: G) -> Solution[G]:
        read_table(path, game)
        return cls(game)


def best_first(choices: list[Choice]) -> list[Choice]:
    """The choices, best first; equal ones in the order of `legal`."""
    return sorted(choices, key=lambda choice: -choice.value)


def write_table(path: Path, game: Game[Any], header: Mapping[str, Any], arrays: Arrays) -> None:
    """Writes one compressed file with the game, its options, a `header` of JSON values, and `arrays`."""
    text = json.dumps({"format": FORMAT, "game": game.key, "options": game.settings, **header})
    contents: dict[str, Any] = {"header": np.frombuffer(text.encode(), dtype=np.uint8), **arrays}
    with path.open("wb") as file:
        np.savez_compressed(file, **contents)


def read_table(path: Path, game: Game[Any]) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Header and arrays of a file of `write_table` for this game and options. Raises WrongTable or OSError."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header: dict[str, Any] = json.loads(arrays.pop("header").tobytes())
    except OSError:
        raise
    except Exception as error:  # a damaged file can fail in many ways
        raise WrongTable(f"{path} is no solved table: {error}") from error
    wanted = {"format": FORMAT, "game": game.key, "options": game.settings}
    found = {name: header.get(name) for name in wanted}
    if isinstance(found["options"], dict):  # of a file that is older than an option
        found["options"] = {**{option.name: option.before for option in game.options}, **found["options"]}
    if found != wanted:
        raise WrongTable(f"{path} is a table of {found}, not of {wanted}")
    return header, arrays
