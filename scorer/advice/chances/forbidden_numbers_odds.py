"""The chances of a throw in Forbidden Numbers."""

from __future__ import annotations

from fractions import Fraction

from scorer.actions import FACES, Action
from scorer.games.forbidden_numbers import ForbiddenNumbers, ForbiddenNumbersState


def odds(game: ForbiddenNumbers, state: ForbiddenNumbersState, player: int, action: Action) -> dict[str, Fraction]:
    """The chances that the next throw adds points, `score`, and that all dice leave, `bust`; {} in the set-up."""
    if not state.forbidden:
        return {}
    bust = Fraction(len(state.forbidden), len(FACES)) ** state.left
    return {"bust": bust, "score": 1 - bust}
