"""Odds, best play, luck and losses, computed from the games' own rules.

    solution = scorer.advice.solve(game)
    solution.worth(table.state, player), solution.choices(table.state, player)

docs/advice.md has the equations. Of the rules only this package uses numpy, and no other module of them imports it.
The chances of `odds` are counted without it, but for that of an upper bonus at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scorer.actions import ADJUST, FACES, Action
from scorer.counter import CounterGame
from scorer.definitions.game_file import TenThousandRules
from scorer.game import SEATING, Game
from scorer.jokers import FURTHER_GENERALS_BY_COLUMN
from scorer.pad import PadGame
from scorer.races import ONE_MORE_THROW, ROUND_THEN_TURN
from scorer.sheet import THROWS, SheetGame
from scorer.ten_thousand import TenThousand

if TYPE_CHECKING:
    from scorer.advice.solution import Odds, Progress, Solution

_OTHER_PLAYERS = SEATING.keys() - {"player-renamed"}


MOST_DICE = 6  # of a race that is solved, and of a sheet whose odds are known
MOST_CELLS = 15  # of a sheet that is solved: its table has a part for each set of filled cells


def is_solvable(game: Game[Any]) -> bool:
    """Whether there is advice for a game: not for races of many dice, sheets of other dice and words than the usual,
    counters, and score pads.
    """
    if isinstance(game, SheetGame):
        plain = not any(each.served or each.wins_within or each.stands > 1 or each.tiers for each in game.categories)
        plain = plain and not (game.rules.upper_tiers or game.rules.total_tiers)
        own_order = game.rules.order == "forced" or game.rules.saved_throws > 0
        usual = game.dice == 5 and game.rules.throws == THROWS and plain and not own_order
        columns = game.rules.factors == (1,) or game.jokers is FURTHER_GENERALS_BY_COLUMN
        small = columns and len(game.categories) <= MOST_CELLS
        return usual and small and any(category.face for category in game.categories)
    if isinstance(game, TenThousand):
        # A turn must be able to end: one die that scores whatever it shows could be thrown for ever. And it must be
        # worth the same whatever the total is, and whatever was set aside.
        ends = any(not game.choices((face,)) for face in FACES)
        return game.dice <= MOST_DICE and ends and not _has_words_beyond_best_play(game.rules)
    return not isinstance(game, (CounterGame, PadGame))


def _has_words_beyond_best_play(rules: TenThousandRules) -> bool:
    """Whether what a turn may bring depends on more than its points and its dice, which is all that is solved."""
    confirms = rules.confirm_hot_dice or rules.confirm_opening or rules.confirm_target
    of_ends = rules.end in ("exact", ONE_MORE_THROW) or rules.hot_dice == "multiply"
    return bool(of_ends or confirms or rules.take_over or rules.wiped_by or rules.winning)


def has_odds(game: Game[Any]) -> bool:
    """Whether the odds of a game are known, also if its best play is not."""
    if isinstance(game, SheetGame) and not is_solvable(game):
        return game.dice <= MOST_DICE and game.rules.order != "forced"
    return is_solvable(game) or (isinstance(game, TenThousand) and game.dice <= MOST_DICE)


def family(game: Game[Any], players: int = 1) -> type[Solution[Any]]:
    """The solution class of a game: that of its family, or of the module named like the module of its rules."""
    name = _module_of(game)
    if isinstance(game, TenThousand):
        name += ".race" if is_race(game, players) else ".points"
    elif isinstance(game, SheetGame):
        name += ".one_column" if len(game.rules.factors) == 1 else ".columns"
    solution: type[Solution[Any]] = import_module(f"{__name__}.{name}").SOLUTION
    return solution


def _module_of(game: Game[Any]) -> str:
    if isinstance(game, TenThousand):
        return "ten_thousand"
    return "sheet" if isinstance(game, SheetGame) else game.key.replace("-", "_")


def is_race(game: Game[Any], players: int) -> bool:
    """Whether advice for this game with so many players is about the chance to win, not about points."""
    race = players > 1 and isinstance(game, TenThousand) and is_solvable(game)
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
