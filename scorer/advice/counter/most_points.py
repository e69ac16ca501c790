"""Counters with a number of rounds: the most points.

A turn that may be banked is worth V with P points in it, whatever the other turns bring:

    V(P) = max(P, sum over throws of P(throw) · V(P + added))

From P = (mean of what a throw adds) / (chance of a loss) on, one throw more loses more than it adds, and with further
points this stays so: V is P there, and exact from there down.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from scorer.advice.chances.counter_throws import Falls, all_falls, falls_of
from scorer.advice.counter.chance import total_of
from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.solution import Choice, best_first
from scorer.counter import CounterGame, CounterState


class CounterPoints(OnDemandSolution[CounterGame]):
    """`value`: the mean of a game's points. Where the lowest total wins, worth is minus the points."""

    exact = True

    def __init__(self, game: CounterGame) -> None:
        super().__init__(game)
        self.sign = -1 if game.rules.low_wins else 1
        self._values = lru_cache(64)(_values_of)
        self.value = self.sign * self.worth(game.start(1), 0)

    def worth(self, state: CounterState, player: int) -> float:
        if state.over:
            return self.sign * float(state.scores[player])
        if self.game.rules.turn != "bank":
            least, chances = total_of(self.game, state, player)
            return self.sign * float(chances @ np.arange(least, least + len(chances)))
        found = state.scores[player] + self._later(state, player)
        if player == state.player:
            thrown = self._worth_of_throwing(state.taken[player], state.points)
            return found + (max(float(state.points), thrown) if state.throw else thrown)
        return found

    def choices(self, state: CounterState, player: int) -> list[Choice]:
        if state.over or player != state.player or len(self.game.legal(state)) == 1:
            return []
        before = state.scores[player] + self._later(state, player)
        thrown = Choice(
            {"do": "throw", "count": state.left}, before + self._worth_of_throwing(state.taken[player], state.points)
        )
        return best_first([thrown, Choice({"do": "bank"}, before + state.points)])

    def _later(self, state: CounterState, player: int) -> float:
        """What the turns after the running one bring, of a player whose turns may be banked."""
        first = state.taken[player] + (player == state.player)
        return sum(self._worth_of_throwing(taken, 0) for taken in range(first, self.game.rules.rounds))

    def _worth_of_throwing(self, taken: int, points: int) -> float:
        """The worth of a turn with these points, if the dice are thrown now."""
        falls = falls_of(self.game, self.game.dice, taken)
        values = self._values(falls)
        kept = [(fall.ways, points + fall.added) for fall in falls if not fall.lost]
        worth = sum(ways * (values[after] if after < len(values) else after) for ways, after in kept)
        return worth / all_falls(self.game.dice)


def _values_of(falls: Falls) -> list[float]:
    """V, by points up to those from which banking is best."""
    lost = sum(fall.ways for fall in falls if fall.lost)
    adding = [fall for fall in falls if not fall.lost and fall.added]
    last = sum(fall.ways * fall.added for fall in adding) // lost + 1
    values = [float(points) for points in range(last + 1)]
    for points in reversed(range(last)):
        after = [(fall.ways, points + fall.added) for fall in adding]
        thrown = sum(ways * (values[each] if each <= last else each) for ways, each in after)
        values[points] = max(float(points), thrown / (sum(ways for ways, _ in after) + lost))
    return values


SOLUTION = CounterPoints
