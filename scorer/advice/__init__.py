"""Odds, best play, luck and losses: what the rules' own data say of the chances of a game.

    solution = scorer.advice.solve(game)
    solution.worth(table.state, player), solution.choices(table.state, player)

docs/advice.md has the equations. The one room of the rules that may use numpy; nothing else of the rules imports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scorer.actions import ADJUST
from scorer.game import SEATING, Game
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand

if TYPE_CHECKING:
    from scorer.advice.solution import Progress, Solution

_OTHER_PLAYERS = SEATING.keys() - {"player-renamed"}


def family(game: Game[Any], players: int = 1) -> type[Solution[Any]]:
    """What solves this game, by the module of its family, or by its own, named as the module of its rules."""
    name = game.key.replace("-", "_")
    if isinstance(game, TenThousand):
        name = "ten_thousand.race" if is_race(game, players) else "ten_thousand.points"
    elif isinstance(game, SheetGame):
        name = "sheet.one_column" if len(game.columns) == 1 else "sheet.columns"
    solution: type[Solution[Any]] = import_module(f"{__name__}.{name}").SOLUTION
    return solution


def is_race(game: Game[Any], players: int) -> bool:
    """Whether so many players of this game race for a target, so that the chance to win counts and not the points."""
    return players > 1 and isinstance(game, TenThousand) and import_module(f"{__name__}.ten_thousand.race").solves(game)


def covers(actions: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the players of a game were the same, in the same order, throughout: advice reckons with that."""
    return not any(action["do"] == ADJUST and action["what"] in _OTHER_PLAYERS for action in actions)


def solve(game: Game[Any], progress: Progress | None = None, players: int = 1) -> Solution[Any]:
    """Solves a game with its options; `progress` is called with the share done, 0..1."""
    return family(game, players).solve(game, progress)
