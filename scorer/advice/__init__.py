"""Odds, best play, luck and losses, computed from the games' own rules.

    solution = scorer.advice.solve(game)
    solution.worth(table.state, player), solution.choices(table.state, player)

docs/advice.md has the equations. Of the rules only this package uses numpy, and no other module of them imports it.
The chances of `odds` are counted without it, but for that of an upper bonus at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scorer.actions import ADJUST, Action
from scorer.advice.known_rules import is_module
from scorer.advice.solvable import goes_by_turns, has_odds, is_estimated, is_ordered, is_short_race, is_solvable
from scorer.counter import CounterGame
from scorer.game import SEATING, Game
from scorer.races import ROUND_THEN_TURN
from scorer.sheet import SheetGame
from scorer.ten_thousand import TenThousand
from scorer.turns.hand import HandGame

if TYPE_CHECKING:
    from scorer.advice.solution import Odds, Progress, Solution

__all__ = ["covers", "family", "has_odds", "is_estimated", "is_race", "is_solvable", "odds", "solve"]

_OTHER_PLAYERS = SEATING.keys() - {"player-renamed"}


def family(game: Game[Any], players: int = 1) -> type[Solution[Any]]:
    """The solution class of a game: that of its family, or of the module named like the module of its rules."""
    module: dict[str, Callable[[Any, int], str]] = {
        "ten_thousand": _race_module,
        "sheet": _sheet_module,
        "counter": _counter_module,
        "hand": _hand_module,
    }
    name = _module_of(game)
    if name in module:
        name += f".{module[name](game, players)}"
    solution: type[Solution[Any]] = import_module(f"{__name__}.{name}").SOLUTION
    return solution


def _module_of(game: Game[Any]) -> str:
    families = {TenThousand: "ten_thousand", SheetGame: "sheet", CounterGame: "counter", HandGame: "hand"}
    of_family = (name for kind, name in families.items() if isinstance(game, kind) and not is_module(game))
    return next(of_family, game.key.replace("-", "_"))


def _race_module(game: TenThousand, players: int) -> str:
    return "fewest" if goes_by_turns(game) else "race" if is_race(game, players) else "points"


def _sheet_module(game: SheetGame, players: int) -> str:
    if is_ordered(game):
        return "ordered"
    return "estimated" if is_estimated(game) else "one_column" if len(game.columns) == 1 else "columns"


def _counter_module(game: CounterGame, players: int) -> str:
    """The module of advice for a counter: about the chance to win, turns or points."""
    if game.rules.counts == "rounds":
        banked = "banked_rounds_of_two" if players == 2 else "banked_rounds"
        return banked if game.rules.may_choose else "won_rounds"
    if is_race(game, players):
        return "two_player_race"
    if players > 1 and not game.rules.may_choose:
        return "chance"
    return "fewest_turns" if game.rules.target else "most_points"


def _hand_module(game: HandGame, players: int) -> str:
    if game.rules.counts == "totals":
        return "hand_target" if game.rules.target else "hand_totals"
    return "two_players" if players == 2 else "rounds"


def is_race(game: Game[Any], players: int) -> bool:
    """Whether advice for this game with so many players is about the chance to win by the choices of a turn, and not
    about points or turns."""
    if isinstance(game, CounterGame):
        return players == 2 and is_solvable(game) and is_short_race(game)
    if isinstance(game, HandGame):
        return players == 2 and is_solvable(game) and game.rules.counts != "totals"
    race = players > 1 and isinstance(game, TenThousand) and is_solvable(game) and not goes_by_turns(game)
    race = race and game.rules.end != ROUND_THEN_TURN
    return race and import_module(f"{__name__}.ten_thousand.race").solves(game)


def covers(actions: Iterable[Mapping[str, Any]]) -> bool:
    """Whether a game always had the same players in the same order, as advice assumes."""
    return not any(action["do"] == ADJUST and action["what"] in _OTHER_PLAYERS for action in actions)


def odds(game: Game[Any], state: Any, player: int, action: Action) -> Odds:
    """The chances after a legal action of `player`, by name: docs/advice.md. {} if there are none."""
    if not has_odds(game):
        return {}
    found: Odds = import_module(f"{__name__}.chances.{_module_of(game)}_odds").odds(game, state, player, action)
    return found


def solve(game: Game[Any], progress: Progress | None = None, players: int = 1) -> Solution[Any]:
    """Solves a game with its options. `progress` is called with the share done, 0..1."""
    return family(game, players).solve(game, progress)
