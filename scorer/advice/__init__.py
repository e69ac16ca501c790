"""Odds, best play, luck and losses: what the rules' own data say of the chances of a game.

    solution = scorer.advice.solve(game)
    solution.worth(table.state, player), solution.choices(table.state, player)

docs/advice.md has the equations. The one room of the rules that may use numpy; nothing else of the rules imports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from scorer.actions import ADJUST
from scorer.game import SEATING, Game
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand

if TYPE_CHECKING:
    from scorer.advice.solution import Progress, Solution

_OTHER_PLAYERS = SEATING.keys() - {"player-renamed"}


def family(game: Game[Any], players: int = 1) -> ModuleType:
    """The module that solves this game: a family's, or the game's own, named as the module of its rules."""
    name = game.key.replace("-", "_")
    if is_race(game, players):
        name = "race"
    elif isinstance(game, TenThousand):
        name = "ten_thousand"
    elif isinstance(game, SheetGame):
        name = "sheet" if len(game.columns) == 1 else "columns"
    return import_module(f"{__name__}.{name}")


def is_race(game: Game[Any], players: int) -> bool:
    """Whether so many players of this game race for a target, so that the chance to win counts and not the points."""
    return players > 1 and isinstance(game, TenThousand) and import_module(f"{__name__}.race").solves(game)


def covers(actions: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the players of a game were the same, in the same order, throughout: advice reckons with that."""
    return not any(action["do"] == ADJUST and action["what"] in _OTHER_PLAYERS for action in actions)


def solve(game: Game[Any], progress: Progress | None = None, players: int = 1) -> Solution:
    """Solves a game with its options; `progress` is called with the share done, 0..1."""
    solution: Solution = family(game, players).solve(game, progress)
    return solution
