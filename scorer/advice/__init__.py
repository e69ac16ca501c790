"""Odds, best play, luck and losses: what the rules' own data say of the chances of a game.

    solution = scorer.advice.solve(game)
    solution.worth(table.state, player), solution.choices(table.state, player)

docs/advice.md has the equations. The one room of the rules that may use numpy; nothing else of the rules imports it.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from scorer.game import Game
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand

if TYPE_CHECKING:
    from scorer.advice.solution import Progress, Solution


def family(game: Game[Any]) -> ModuleType:
    """The module that solves this game: a family's, or the game's own, named as the module of its rules."""
    name = game.key.replace("-", "_")
    if isinstance(game, TenThousand):
        name = "ten_thousand"
    elif isinstance(game, SheetGame):
        name = "sheet" if len(game.columns) == 1 else "columns"
    return import_module(f"{__name__}.{name}")


def solve(game: Game[Any], progress: Progress | None = None) -> Solution:
    """Solves a game with its options; `progress` is called with the share done, 0..1."""
    solution: Solution = family(game).solve(game, progress)
    return solution
