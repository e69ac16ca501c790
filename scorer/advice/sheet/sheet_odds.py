"""Odds of the games with a sheet: the chance of each open cell within the throws left, and of the upper bonus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from scorer.actions import FACES, Action
from scorer.advice.dice import Dice, Floats, Multisets, Whole
from scorer.advice.sheet.keep_values import DICE, FIVE
from scorer.advice.sheet.upper_bonus import UpperBonus, UpperSheet, upper_bonus
from scorer.jokers import ORIGINAL_JOKERS
from scorer.keeping import Hand
from scorer.sheet import THROWS, SheetGame, SheetState

CACHED = 32  # solved sheets
MOST_FALLS = 24  # dice thrown in a turn: 6^24 falls are counted in 64 bits

BONUS = "upper-bonus"
BONUS_NOW = "upper-bonus-now"

Fulfilled = npt.NDArray[np.bool_]


def odds(game: SheetGame, state: SheetState, player: int, action: Action) -> dict[str, Fraction | float]:
    """The chance of each aim, by name, if the player wants only that; a float if the fraction is not known.

    A keep and a throw have the chance of each open category, by key, within this turn: that the dice bring something
    there; in an upper cell, as much as the upper bonus needs (three of its face). An aim that any dice fulfil is left
    out.

    Every choice has `upper-bonus`, the chance of the bonus at any time in the game, unless it is certain or out of
    reach. If that is not known, `upper-bonus-now` is the chance to complete it this turn, if one throw can do so.
    """
    found: dict[str, Fraction | float] = {}
    if action["do"] in ("keep", "throw"):
        found.update(_within_the_turn(game, state, player, action))
    if _is_bonus_known(game):
        now = found.pop(BONUS_NOW, None)
        is_last = state.sheets[player][0].cells.count(None) == 1
        found.update({BONUS: now} if is_last and now is not None else _of_bonus(game, state, player, action))
    return found


def _within_the_turn(game: SheetGame, state: SheetState, player: int, action: Action) -> Mapping[str, Fraction | float]:
    throws_left = state.hand.throws_left
    before = state._replace(hand=Hand(game.rules.throws), player=player, saved=())
    names, chances = _table(game, before, max(game.rules.throws, throws_left))
    found = chances[throws_left - 1][_kept_row(game, state, action)]
    if found.dtype == np.float64:
        return dict(zip(names, map(float, found), strict=True))
    total = len(FACES) ** (game.dice * throws_left)
    return {name: Fraction(int(ways), total) for name, ways in zip(names, found, strict=True)}


def _kept_row(game: SheetGame, state: SheetState, action: Action) -> int:
    dice = action["dice"] if action["do"] == "keep" else state.hand.kept or ()
    return multisets(game.dice).place[tuple(sorted(dice))]


@lru_cache
def multisets(dice: int) -> Multisets:
    return FIVE if dice == DICE else Multisets(dice)


def _is_bonus_known(game: SheetGame) -> bool:
    """Not with several columns, which share the turns, and not if zeros are forbidden while other cells fit, or if five
    alike bring nothing in an upper cell once the general's is filled; and only with five dice and three throws, none of
    them saved.
    """
    usual = (game.dice, game.rules.throws, game.rules.saved_throws) == (DICE, THROWS, 0) and game.rules.upper_bonus > 0
    free = not game.rules.zero_only_if_nothing_fits and game.jokers is not ORIGINAL_JOKERS
    return usual and free and len(game.rules.factors) == 1


def _of_bonus(game: SheetGame, state: SheetState, player: int, action: Action) -> dict[str, Fraction | float]:
    bonus = upper_bonus(game)
    sheet = bonus.sheet(state.sheets[player][0])
    if not bonus.is_open(sheet):
        return {}
    if action["do"] == "score":
        after, _ = game.apply(state, action)
        return {BONUS: _after_writing(bonus, bonus.sheet(after.sheets[player][0]))}
    return {BONUS: float(bonus.turn(sheet)[state.hand.throws_left - 1][_kept_row(game, state, action)])}


def _after_writing(bonus: UpperBonus, sheet: UpperSheet) -> Fraction | float:
    return bonus.chance(sheet) if bonus.is_open(sheet) else Fraction(sheet.upper >= bonus.threshold)


@lru_cache(CACHED)
def _table(game: SheetGame, state: SheetState, throws: int) -> tuple[list[str], list[Whole] | list[Floats]]:
    """The possible aims; and, by the throws left after the next one, how many falls reach each with dice kept. If so
    many throws can fall in more ways than 64 bits count, the chance of each instead.
    """
    rows = fulfilment(game, state)
    keys = [*(category.key for category in game.categories), BONUS_NOW]
    wanted = [place for place in range(len(keys)) if rows[:, place].any() and not rows[:, place].all()]
    hands = multisets(game.dice)
    names, aims = [keys[place] for place in wanted], rows[:, wanted]
    if game.dice * throws <= MOST_FALLS:
        counts = [hands.ways(aims.astype(np.int64))]
        for _ in range(throws - 1):
            counts.append(hands.ways(hands.best(counts[-1])))
        return names, counts
    falls = float(len(FACES) ** game.dice)
    chances: list[Floats] = [hands.ways(aims.astype(np.float64)) / falls]
    for _ in range(throws - 1):
        chances.append(hands.ways(hands.best(chances[-1])) / falls)
    return names, chances


def fulfilment(game: SheetGame, state: SheetState) -> Fulfilled:
    """[252 with five dice, categories + 1]: the aims that complete dice fulfil at the end of a turn, the upper bonus
    last.

    The categories say what dice bring. For all dice alike, which may be jokers, the rules are asked.
    """
    complete = multisets(game.dice).complete
    points = _points(game.dice, tuple(category.points for category in game.categories))
    faces = np.array([category.face for category in game.categories])
    enough = np.where(faces > 0, points >= np.maximum(_share(game) * faces, 1), points > 0)
    found = np.zeros((len(complete), len(faces) + 1), dtype=np.bool_)
    for factor, column in zip(game.rules.factors, state.sheets[state.player], strict=True):
        is_open = np.array([each is None for each in column.cells])
        found[:, :-1] |= enough & is_open
        lacking = game.rules.upper_threshold * factor - column.upper
        if lacking > 0:
            found[:, -1] |= (points * factor >= lacking)[:, is_open & (faces > 0)].any(axis=1)
    for row, dice in enumerate(complete):
        if dice[0] == dice[-1]:
            found[row] = _ask_rules(game, state, dice)
    return found


@lru_cache(CACHED)
def _points(count: int, categories: tuple[Callable[[Dice], int], ...]) -> Whole:
    """[252 with five dice, categories]: the points of complete dice, without jokers and the column's factor."""
    complete = multisets(count).complete
    return np.array([[points(dice) for points in categories] for dice in complete], dtype=np.int64)


def _share(game: SheetGame) -> float:
    """How many dice of each face reach the threshold of the upper bonus; 0 if there is none."""
    return game.rules.upper_threshold / max(1, sum(category.face for category in game.categories))


def _ask_rules(game: SheetGame, state: SheetState, dice: tuple[int, ...]) -> list[bool]:
    """The aims that these dice fulfil, as `legal` lists it."""
    found = set()
    faces = {category.key: category.face for category in game.categories}
    share = _share(game)
    for entry in game.legal(state._replace(hand=Hand(0, dice))):
        key, points, factor = entry["category"], entry["points"], entry.get("column", 1)
        face = faces[key]
        column = state.sheets[state.player][game.rules.factors.index(factor)]
        if entry["bonus"] or (points if not face else points >= max(share * face, 1) * factor):
            found.add(key)
        if face and column.upper < game.rules.upper_threshold * factor <= column.upper + points:
            found.add(BONUS_NOW)
    return [key in found for key in (*faces, BONUS_NOW)]
