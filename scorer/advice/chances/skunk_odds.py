"""The chances of the next throw in Skunk."""

from __future__ import annotations

from fractions import Fraction

from scorer.actions import Action
from scorer.games.skunk import Skunk, SkunkState

BUST, ALL_LOST = Fraction(10, 36), Fraction(1, 36)


def odds(game: Skunk, state: SkunkState, player: int, action: Action) -> dict[str, Fraction]:
    """The chances that the next throw loses the points of the round alone, `bust`, or all points, `all-lost`; {} for
    sitting down, and where a first throw with a one does not count.
    """
    if action["do"] != "throw" or not (state.throw or game.rules.first_throw_counts):
        return {}
    return {"bust": BUST, "all-lost": ALL_LOST}
