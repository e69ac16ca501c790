"""Odds of the games with a sheet: with dice kept or none, the chance of each open cell within the throws left; and
after each choice that of the upper bonus.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from scorer.actions import FACES, Action
from scorer.advice.dice import Dice, Whole
from scorer.advice.sheet.keep_values import COMPLETE, DICE, FIRST, PLACE, best, ways
from scorer.advice.sheet.upper_bonus import UpperBonus, UpperSheet, upper_bonus
from scorer.keeping import Hand
from scorer.sheet import THROWS, SheetGame, SheetState

REMEMBERED = 32  # sheets whose chances are kept worked out

BONUS = "upper-bonus"
BONUS_NOW = "upper-bonus-now"
ALIKE = [PLACE[(face,) * DICE] - FIRST for face in FACES]

Fulfilled = npt.NDArray[np.bool_]


def odds(game: SheetGame, state: SheetState, player: int, action: Action) -> dict[str, Fraction | float]:
    """The chances of a player who wants one thing only, by its name; a float where the fraction is not known.

    With dice that he keeps, or a throw, within this turn: the key of a category that is open, where the dice bring
    something there; of an upper one, as much as the upper bonus asks of it (three of its face). What any dice fulfil is
    left out.

    `upper-bonus`, after any choice: the bonus at any time in the game, as long as it is neither there nor out of reach.
    Where that is not known, `upper-bonus-now`: what it lacks comes in this turn, where one throw can bring it.
    """
    found: dict[str, Fraction | float] = {}
    if action["do"] in ("keep", "throw"):
        found.update(_within_the_turn(game, state, player, action))
    if _is_bonus_known(game):
        now = found.pop(BONUS_NOW, None)
        is_last = state.sheets[player][0].cells.count(None) == 1
        found.update({BONUS: now} if is_last and now is not None else _of_bonus(game, state, player, action))
    return found


def _within_the_turn(game: SheetGame, state: SheetState, player: int, action: Action) -> dict[str, Fraction]:
    names, chances = _table(game, state._replace(hand=Hand(THROWS), player=player))
    throws_left = state.hand.throws_left
    total = len(FACES) ** (DICE * throws_left)
    kept = _kept_row(state, action)
    return {name: Fraction(int(chances[throws_left - 1][kept, place]), total) for place, name in enumerate(names)}


def _kept_row(state: SheetState, action: Action) -> int:
    """The row of the dice that are kept for the next throw."""
    dice = action["dice"] if action["do"] == "keep" else state.hand.kept or ()
    return PLACE[tuple(sorted(dice))]


def _is_bonus_known(game: SheetGame) -> bool:
    """With several columns the turns are shared; a rule that forbids zeros asks which of the other cells are open."""
    return len(game.columns) == 1 and not game.zero_only_if_nothing_fits


def _of_bonus(game: SheetGame, state: SheetState, player: int, action: Action) -> dict[str, Fraction | float]:
    bonus = upper_bonus(game)
    sheet = bonus.sheet(state.sheets[player][0])
    if not bonus.is_open(sheet):
        return {}
    if action["do"] == "score":
        after, _ = game.apply(state, action)
        return {BONUS: _after_writing(bonus, bonus.sheet(after.sheets[player][0]))}
    return {BONUS: float(bonus.turn(sheet)[state.hand.throws_left - 1][_kept_row(state, action)])}


def _after_writing(bonus: UpperBonus, sheet: UpperSheet) -> Fraction | float:
    return bonus.chance(sheet) if bonus.is_open(sheet) else Fraction(sheet.upper >= bonus.threshold)


@lru_cache(REMEMBERED)
def _table(game: SheetGame, state: SheetState) -> tuple[list[str], list[Whole]]:
    """What may be wanted; and, by the throws after the next one, how many of all falls bring it with dice kept."""
    rows = fulfilment(game, state)
    keys = [*(category.key for category in game.categories), BONUS_NOW]
    wanted = [place for place in range(len(keys)) if rows[:, place].any() and not rows[:, place].all()]
    counts = [ways(rows[:, wanted].astype(np.int64))]
    for _ in range(THROWS - 1):
        counts.append(ways(best(counts[-1])))
    return [keys[place] for place in wanted], counts


def fulfilment(game: SheetGame, state: SheetState) -> Fulfilled:
    """[252, categories + 1]: what complete dice fulfil at the end of a turn, the upper bonus last.

    What dice bring is the category's own; the rules are asked what five alike bring, for only there jokers count.
    """
    points = _points(tuple(category.points for category in game.categories))
    faces = np.array([category.face for category in game.categories])
    enough = np.where(faces > 0, points >= _share(game) * faces, points > 0)
    found = np.zeros((len(COMPLETE), len(faces) + 1), dtype=np.bool_)
    for factor, column in zip(game.columns, state.sheets[state.player], strict=True):
        is_open = np.array([each is None for each in column.cells])
        found[:, :-1] |= enough & is_open
        lacking = game.upper_threshold * factor - column.upper
        if lacking > 0:
            found[:, -1] |= (points * factor >= lacking)[:, is_open & (faces > 0)].any(axis=1)
    for row in ALIKE:
        found[row] = _ask_rules(game, state, COMPLETE[row])
    return found


@lru_cache(REMEMBERED)
def _points(categories: tuple[Callable[[Dice], int], ...]) -> Whole:
    """[252, categories]: what complete dice bring, jokers and the column's factor apart."""
    return np.array([[points(dice) for points in categories] for dice in COMPLETE], dtype=np.int64)


def _share(game: SheetGame) -> float:
    """Dice of each face that make the threshold of the upper bonus."""
    return game.upper_threshold / sum(category.face for category in game.categories)


def _ask_rules(game: SheetGame, state: SheetState, dice: tuple[int, ...]) -> list[bool]:
    """The same of some dice, as the rules list it."""
    found = set()
    faces = {category.key: category.face for category in game.categories}
    share = _share(game)
    for entry in game.legal(state._replace(hand=Hand(0, dice))):
        key, points, factor = entry["category"], entry["points"], entry.get("column", 1)
        face = faces[key]
        column = state.sheets[state.player][game.columns.index(factor)]
        if entry["bonus"] or (points if not face else points >= share * face * factor):
            found.add(key)
        if face and column.upper < game.upper_threshold * factor <= column.upper + points:
            found.add(BONUS_NOW)
    return [key in found for key in (*faces, BONUS_NOW)]
