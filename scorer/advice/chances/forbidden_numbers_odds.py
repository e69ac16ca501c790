"""The chances of a throw of Forbidden Numbers."""

from __future__ import annotations

from fractions import Fraction

from scorer.actions import FACES, Action
from scorer.counter import CounterState
from scorer.games.forbidden_numbers import ForbiddenNumbers


def odds(game: ForbiddenNumbers, state: CounterState, player: int, action: Action) -> dict[str, Fraction]:
    """That all dice leave and end the turn, `bust`, or else some count; {} before it is thrown which faces leave."""
    if not state.forbidden or action["do"] != "throw":
        return {}
    bust = Fraction(len(state.forbidden), len(FACES)) ** state.left
    return {"bust": bust, "score": 1 - bust}
