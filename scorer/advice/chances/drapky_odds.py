"""The chances of each figure of Drápky, exact."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from scorer.actions import FACES, Action
from scorer.advice.dice import Dice, Multisets, Ways
from scorer.games.drapky import FIGURES, Drapky, DrapkyState, figures_of

COUNT = 6  # dice
MOST_THROWS = 12  # that odds look ahead
SIX = Multisets(COUNT)
KEYS = [figure.key for figure in FIGURES]
Exact = frozenset[str]  # as `DrapkyRules.exact`


def odds(game: Drapky, state: DrapkyState, player: int, action: Action) -> dict[str, Fraction]:
    """For each figure that the player lacks, the best chance to show it in this turn, if he wants only that.

    There are chances of a keep and of the first throw; other actions have {}.
    """
    kept: Dice = state.hand.kept or ()
    if action["do"] == "keep":
        kept = tuple(sorted(action["dice"]))
    elif action["do"] != "throw" or state.hand.dice:
        return {}
    throws = min(state.hand.throws_left, MOST_THROWS)
    held = state.figures[player]
    return {key: chance_of(key, game.rules.exact, kept, throws) for key in KEYS if key not in held}


def chance_of(key: str, exact: Exact, kept: Dice, throws: int) -> Fraction:
    """The best chance to show a figure within so many throws, with these dice kept for the first throw."""
    return Fraction(_ways(exact, throws)[SIX.place[kept]][KEYS.index(key)], len(FACES) ** (COUNT * throws))


@cache  # bounded: sets of figures that must be exact
def figures_shown(exact: Exact) -> list[tuple[bool, ...]]:
    """Which figures complete dice show."""
    return [tuple(key in shown for key in KEYS) for shown in (figures_of(dice, exact) for dice in SIX.complete)]


@cache  # bounded: sets of figures that must be exact, and throws
def _ways(exact: Exact, throws: int) -> list[Ways]:
    """In how many falls of so many throws of six dice each figure comes out, for each multiset of kept dice."""
    if throws == 1:
        return SIX.ways(figures_shown(exact))
    all_falls = len(FACES) ** (COUNT * (throws - 1))
    later = SIX.most(_ways(exact, throws - 1), may_keep_all=False)
    return SIX.ways(
        [
            tuple(all_falls if shown else ways for shown, ways in zip(figures, after, strict=True))
            for figures, after in zip(figures_shown(exact), later, strict=True)
        ]
    )
