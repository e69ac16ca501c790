"""A turn of a counter that may be banked, in a game with a target.

    V(P) = max(worth of banking P, sum over throws of P(throw) · V(P + added))

Points are counted in steps, of which all points are multiples.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from scorer.advice.chances.counter_odds import step_of
from scorer.advice.chances.counter_throws import ALL, all_falls, falls_of
from scorer.advice.multisets import Floats
from scorer.advice.solution import Choice, Solution, best_first
from scorer.counter import CounterGame, CounterState

CACHED = 16  # solved turns


class BankThrow(NamedTuple):
    """A throw: the chances of the steps that it adds, that it adds none (`same`), that it loses the turn (`bust`) or
    all points (`wiped`). `goal`: the target in steps.
    """

    adds: tuple[tuple[int, float], ...]
    same: float
    bust: float
    wiped: float
    step: int
    goal: int

    @property
    def most(self) -> int:
        """The most steps that it adds."""
        return max(steps for steps, _ in self.adds)


class TurnEnds(NamedTuple):
    """What the end of a turn is worth: `bank`, by its steps, the last for all further ones; and its losses."""

    bank: tuple[float, ...]
    bust: float
    wiped: float


def turn_values(throw: BankThrow, bank: Floats, bust: Any, wiped: Any) -> Floats:
    """V after a throw, [steps in the turn, ...]. `bank`: the worth of banking, the last row for all further steps."""
    last = len(bank) - 1
    values = np.empty((last + throw.most, *bank.shape[1:]))
    values[last:] = bank[last]
    for steps in reversed(range(last)):
        added = value_of_adding(throw, values, steps, bust, wiped)
        np.maximum(bank[steps], added / (1 - throw.same), out=values[steps, ...])
    return values


def value_of_throwing(throw: BankThrow, values: Floats, steps: int, bust: Any, wiped: Any) -> Any:
    """The worth of throwing now, with so many steps in the turn. `values`: of `turn_values`."""
    steps = min(steps, len(values) - throw.most)
    return value_of_adding(throw, values, steps, bust, wiped) + throw.same * values[steps]


def value_of_adding(throw: BankThrow, values: Floats, steps: int, bust: Any, wiped: Any) -> Any:
    """The part of the worth of throwing that throws which change something have."""
    found = throw.bust * bust + throw.wiped * wiped
    for more, chance in throw.adds:
        found = found + chance * values[min(steps + more, len(values) - 1)]
    return found


class BankSolution(Solution[CounterGame]):
    """Best play towards a target."""

    def __init__(self, game: CounterGame) -> None:
        self.game = game
        self.throw = throw_of(game)
        self._values = lru_cache(CACHED)(self._solve_turn)

    @abstractmethod
    def ends(self, state: CounterState) -> TurnEnds:
        """What the ends of the running turn are worth to its player."""

    def _solve_turn(self, ends: TurnEnds) -> Floats:
        return turn_values(self.throw, np.array(ends.bank), ends.bust, ends.wiped)

    def acting(self, state: CounterState) -> float:
        """The worth of a running game to the player whose turn it is."""
        if not state.throw:
            return self._thrown(state)
        values = self._values(self.ends(state))
        return float(values[min(state.points // self.throw.step, len(values) - 1)])

    def _thrown(self, state: CounterState) -> float:
        ends, steps = self.ends(state), state.points // self.throw.step
        return float(value_of_throwing(self.throw, self._values(ends), steps, ends.bust, ends.wiped))

    def choices(self, state: CounterState, player: int) -> list[Choice]:
        if state.over or player != state.player or len(self.game.legal(state)) == 1:
            return []
        bank = self.ends(state).bank
        banked = bank[min(state.points // self.throw.step, len(bank) - 1)]
        thrown = Choice({"do": "throw", "count": state.left}, self._thrown(state))
        return best_first([thrown, Choice({"do": "bank"}, banked)])

    def place(self, points: int) -> int:
        """A player's steps, so that he needs as many for the goal as for the target."""
        return max(0, self.throw.goal - -(-(self.game.rules.target - points) // self.throw.step))


def throw_of(game: CounterGame) -> BankThrow:
    step, every = step_of(game), all_falls(game.dice)
    chances: dict[int, float] = {}
    bust = wiped = 0.0
    for fall in falls_of(game, game.dice):
        if fall.lost:
            bust, wiped = bust + fall.ways * (fall.lost != ALL), wiped + fall.ways * (fall.lost == ALL)
        else:
            chances[fall.added // step] = chances.get(fall.added // step, 0.0) + fall.ways / every
    same = chances.pop(0, 0.0)
    goal = -(-game.rules.target // step)
    return BankThrow(tuple(sorted(chances.items())), same, bust / every, wiped / every, step, goal)
