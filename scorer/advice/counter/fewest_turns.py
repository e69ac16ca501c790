"""Counters with a target: the fewest turns to it, T(i) from i points, whatever the other players do.

If a turn may be banked, iteration finds T from below: T(i) = 1 + V(0) of a turn of which banking P leads to T(i + P), a
bust to T(i), and the loss of all points to T(0). Else T is the mean of what `chance` has.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from scorer.advice.counter.banked_turn import BankSolution, BankThrow, TurnEnds, turn_values
from scorer.advice.counter.chance import Needed
from scorer.advice.multisets import Floats
from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.solution import TURNS, Choice, Progress
from scorer.counter import CounterGame, CounterState

CLOSE = 1e-9  # turns: an iteration ends at smaller changes


class CounterTurns(OnDemandSolution[CounterGame]):
    unit: ClassVar[str] = TURNS
    exact = True

    @classmethod
    def solve(cls, game: CounterGame, progress: Progress | None = None) -> CounterTurns:
        return FewestTurns(game) if game.rules.may_choose else ThrownTurns(game)

    def turns_had(self, state: CounterState, player: int) -> int:
        """How many turns a player has ended."""
        return state.taken[player]


class ThrownTurns(CounterTurns):
    """Nothing can be chosen."""

    def __init__(self, game: CounterGame) -> None:
        super().__init__(game)
        self.needed = Needed(game)
        self.states = self.needed.goal
        self.value = self.worth(game.start(1), 0)

    def worth(self, state: CounterState, player: int) -> float:
        taken, place = state.taken[player], self.needed.place_of(state.scores[player])
        if state.over or place >= self.needed.goal:
            return -float(taken)
        if player != state.player:
            return -taken - self.needed.mean(place, taken)
        now = self.needed.running(state).stays
        after = (float(now[each]) * self.needed.mean(int(each), taken + 1) for each in np.flatnonzero(now))
        return -taken - 1 - sum(after, 0.0)

    def choices(self, state: CounterState, player: int) -> list[Choice]:
        return []


class FewestTurns(BankSolution, CounterTurns):
    """`needed[i]`: T, 0 from the goal on."""

    def __init__(self, game: CounterGame) -> None:
        super().__init__(game)
        self.needed = fewest_turns(self.throw)
        self.states = self.throw.goal**2
        self.value = self.worth(game.start(1), 0)

    def worth(self, state: CounterState, player: int) -> float:
        place = min(self.place(state.scores[player]), self.throw.goal)
        if state.over or player != state.player:
            return -float(self.turns_had(state, player) + self.needed[place])
        return self.acting(state)

    def ends(self, state: CounterState) -> TurnEnds:
        place = min(self.place(state.scores[state.player]), self.throw.goal - 1)
        begun = self.turns_had(state, state.player) + 1
        bank = (-begun - self.needed[place:]).tolist()
        return TurnEnds(tuple(bank), bank[0], -begun - float(self.needed[0]))


def fewest_turns(throw: BankThrow) -> Floats:
    """T by steps, from 0 to the goal."""
    needed = np.zeros(throw.goal + 1)
    after = np.minimum(np.arange(throw.goal + 1)[:, None] + np.arange(throw.goal), throw.goal)
    while True:
        bust, wiped = -needed[:-1], -needed[0]
        values = turn_values(throw, -needed[after], bust, wiped)
        following = 1 - values.thrown[0]
        change = np.abs(following - needed[:-1]).max()
        needed[:-1] = following
        if change < CLOSE:
            return needed


SOLUTION = CounterTurns
