"""Odds of the games with a sheet: the chance of each open cell within the throws left, and of the upper bonus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from scorer.actions import FACES, Action
from scorer.advice.dice import Dice, Multisets, Ways
from scorer.jokers import ORIGINAL_JOKERS
from scorer.keeping import Hand
from scorer.sheet import THROWS, SheetGame, SheetState

if TYPE_CHECKING:
    from scorer.advice.sheet.upper_bonus import UpperBonus, UpperSheet

DICE = 5  # with which the bonus at any time is known
CACHED = 32  # solved sheets

BONUS = "upper-bonus"
BONUS_NOW = "upper-bonus-now"

Fulfilled = tuple[bool, ...]  # of each category, and of the upper bonus


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


def _within_the_turn(game: SheetGame, state: SheetState, player: int, action: Action) -> Mapping[str, Fraction]:
    throws_left = state.hand.throws_left
    # Before the first throw, a cell may still be announced.
    left = 0 if state.hand.rolls and game.announced_place is not None else game.rules.throws
    before = state._replace(hand=Hand(left), player=player, saved=())
    names, counted = _table(game, before, max(game.rules.throws, throws_left))
    ways = counted[throws_left - 1][_kept_row(game, state, action)]
    total = len(FACES) ** (game.dice * throws_left)
    return {name: Fraction(some, total) for name, some in zip(names, ways, strict=True)}


def _kept_row(game: SheetGame, state: SheetState, action: Action) -> int:
    dice = action["dice"] if action["do"] == "keep" else state.hand.kept or ()
    return multisets(game.dice).place[tuple(sorted(dice))]


@lru_cache
def multisets(dice: int) -> Multisets:
    return Multisets(dice)


def _is_bonus_known(game: SheetGame) -> bool:
    """Not with several columns, which share the turns, and not if zeros are forbidden while other cells fit, if cells
    are written in order, or if five alike bring nothing in an upper cell once the general's is filled. Only with five
    dice and three throws, none of them saved. It takes numpy.
    """
    usual = (game.dice, game.rules.throws, game.rules.saved_throws) == (DICE, THROWS, 0)
    free = game.rules.is_free and not game.rules.zero_only_if_nothing_fits
    free = free and game.jokers is not ORIGINAL_JOKERS
    once = all(category.stands == 1 for category in game.categories) and len(game.rules.upper_bonus) == 1
    return usual and free and once and len(game.rules.factors) == 1 and _has_numpy()


@cache  # bounded: no argument
def _has_numpy() -> bool:
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError:
        return False
    return True


def _of_bonus(game: SheetGame, state: SheetState, player: int, action: Action) -> dict[str, Fraction | float]:
    from scorer.advice.sheet.upper_bonus import upper_bonus  # with numpy

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
def _table(game: SheetGame, state: SheetState, throws: int) -> tuple[list[str], list[list[Ways]]]:
    """The possible aims; and, by the throws left after the next one, how many falls reach each with dice kept."""
    rows = fulfilment(game, state)
    keys = [*(category.key for category in game.categories), BONUS_NOW]
    wanted = [place for place, reached in enumerate(zip(*rows, strict=True)) if any(reached) and not all(reached)]
    hands = multisets(game.dice)
    counted = [hands.ways([tuple(int(row[place]) for place in wanted) for row in rows])]
    for _ in range(throws - 1):
        counted.append(hands.ways(hands.most(counted[-1])))
    return [keys[place] for place in wanted], counted


def fulfilment(game: SheetGame, state: SheetState) -> list[Fulfilled]:
    """For complete dice, the aims that they fulfil at the end of a turn.

    The categories say what dice bring. For all dice alike, which may be jokers, the rules are asked.
    """
    share = _share(game)
    faces = [category.face for category in game.categories]
    needed = [max(share * face, 1) for face in faces]  # at least 1 point in a lower cell
    columns = [
        (rules.factor, game.rules.upper_threshold * rules.factor - column.upper, game.may_write(state, place))
        for place, (rules, column) in enumerate(zip(game.columns, state.sheets[state.player], strict=True))
    ]
    found: list[Fulfilled] = []
    for dice, points in zip(
        multisets(game.dice).complete, _points(game.dice, tuple(each.points for each in game.categories)), strict=True
    ):
        if dice[0] == dice[-1]:
            found.append(_ask_rules(game, state, dice))
            continue
        enough = [brought >= least for brought, least in zip(points, needed, strict=True)]
        cells = [any(is_open[cell] for _, _, is_open in columns) and enough[cell] for cell in range(len(faces))]
        completes = any(
            lacking > 0 and is_open[cell] and face and points[cell] * factor >= lacking
            for factor, lacking, is_open in columns
            for cell, face in enumerate(faces)
        )
        found.append((*cells, completes))
    return found


@lru_cache(CACHED)
def _points(count: int, categories: tuple[Callable[[Dice], int], ...]) -> list[tuple[int, ...]]:
    """The points of complete dice by category, without jokers and the column's factor."""
    return [tuple(points(dice) for points in categories) for dice in multisets(count).complete]


def _share(game: SheetGame) -> float:
    """How many dice of each face reach the threshold of the upper bonus; 0 if there is none."""
    return game.rules.upper_threshold / max(1, sum(category.face * category.stands for category in game.categories))


def _ask_rules(game: SheetGame, state: SheetState, dice: Dice) -> Fulfilled:
    """The aims that these dice fulfil, as `legal` lists it."""
    found = set()
    faces = {category.key: category.face for category in game.categories}
    share = _share(game)
    left = state.hand.throws_left - 1 if game.announced_place is not None and state.hand.throws_left else 0
    for entry in game.legal(state._replace(hand=Hand(left, dice))):
        if entry["do"] != "score":
            continue
        key, points, place = entry["category"], entry["points"], entry.get("column", 1) - 1
        face, factor = faces[key], game.columns[place].factor
        column = state.sheets[state.player][place]
        if entry["bonus"] or (points if not face else points >= max(share * face, 1) * factor):
            found.add(key)
        if face and column.upper < game.rules.upper_threshold * factor <= column.upper + points:
            found.add(BONUS_NOW)
    return tuple(key in found for key in (*faces, BONUS_NOW))
