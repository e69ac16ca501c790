"""Odds of the games with a sheet: for dice that are kept, the chance of each open cell within the throws left."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from scorer.actions import FACES, Action
from scorer.advice.keeps import COMPLETE, DICE, PLACE, Counts, best, ways
from scorer.keeping import Hand
from scorer.sheet import THROWS, SheetGame, State

REMEMBERED = 32  # sheets whose chances are kept worked out

BONUS = "upper-bonus"


def odds(game: SheetGame, state: State, player: int, action: Action) -> dict[str, Fraction]:
    """The chances within this turn of a player who keeps these dice and wants one thing only, by its name.

    The key of a category that is open: the dice bring something there; of an upper one, as much as the upper bonus
    asks of it (three of its face). `upper-bonus`: they bring what the bonus still lacks, where one throw can.
    What any dice fulfil is left out; {} for all but a keep.
    """
    if action["do"] != "keep":
        return {}
    names, chances = _table(game, state._replace(hand=Hand(THROWS), player=player))
    throws_left = state.hand.throws_left
    kept = PLACE[tuple(sorted(action["dice"]))]
    total = len(FACES) ** (DICE * throws_left)
    return {name: Fraction(int(chances[throws_left - 1][kept, place]), total) for place, name in enumerate(names)}


@lru_cache(REMEMBERED)
def _table(game: SheetGame, state: State) -> tuple[list[str], list[Counts]]:
    """What may be wanted; and, by the throws after the next one, how many of all falls bring it with dice kept."""
    rows = [_wanted(game, state, dice) for dice in COMPLETE]
    names = [key for key in dict.fromkeys(key for row in rows for key in row) if not all(key in row for row in rows)]
    names.sort(key=[*(category.key for category in game.categories), BONUS].index)
    counts = [ways(np.array([[name in row for name in names] for row in rows], dtype=np.int64))]
    for _ in range(THROWS - 2):
        counts.append(ways(best(counts[-1])))
    return names, counts


def _wanted(game: SheetGame, state: State, dice: tuple[int, ...]) -> set[str]:
    """What these dice fulfil at the end of a turn."""
    found = set()
    faces = {category.key: category.face for category in game.categories}
    share = game.upper_threshold / sum(faces.values())  # dice of each face that make the threshold
    for entry in game.legal(state._replace(hand=Hand(0, dice))):
        key, points, factor = entry["category"], entry["points"], entry.get("column", 1)
        face = faces[key]
        column = state.sheets[state.player][game.columns.index(factor)]
        if entry["bonus"] or (points if not face else points >= share * face * factor):
            found.add(key)
        if face and column.upper < game.upper_threshold * factor <= column.upper + points:
            found.add(BONUS)
    return found
