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
    """A throw: the steps that it adds, with their chance, and whether the dice must then be thrown again; the chances
    that it adds none (`same`), that it loses the turn (`bust`) or all points (`wiped`). `goal`: the target in steps.
    """

    adds: tuple[tuple[int, float, bool], ...]
    same: float
    bust: float
    wiped: float
    step: int
    goal: int


class TurnEnds(NamedTuple):
    """What the end of a turn is worth: `bank`, by its steps, the last for all further ones; and its losses."""

    bank: tuple[float, ...]
    bust: float
    wiped: float


class TurnValues(NamedTuple):
    """By the steps in the turn, [steps, ...], the last row for all further ones: the worth after a throw (`after`), and
    that of throwing now (`thrown`).
    """

    after: Floats
    thrown: Floats

    def worth_at(self, steps: int, must_throw: bool) -> Any:
        return (self.thrown if must_throw else self.after)[min(steps, len(self.after) - 1)]


def turn_values(throw: BankThrow, bank: Floats, bust: Any, wiped: Any) -> TurnValues:
    """V. `bank`: the worth of banking, [steps, ...], the last row for all further steps."""
    last = len(bank) - 1
    lost = throw.bust * bust + throw.wiped * wiped
    values = TurnValues(np.empty(bank.shape), np.empty(bank.shape))
    again = sum(chance for _, chance, again in throw.adds if again)
    values.after[last] = bank[last]
    values.thrown[last] = (lost + (1 - throw.bust - throw.wiped - again) * bank[last]) / (1 - again)
    for steps in reversed(range(last)):
        added = lost
        for more, chance, must_throw in throw.adds:
            added = added + chance * values.worth_at(steps + more, must_throw)
        np.maximum(bank[steps], added / (1 - throw.same), out=values.after[steps, ...])
        values.thrown[steps] = added + throw.same * values.after[steps]
    return values


class BankSolution(Solution[CounterGame]):
    """Best play towards a target."""

    def __init__(self, game: CounterGame) -> None:
        self.game = game
        self.throw = throw_of(game)
        self._values = lru_cache(CACHED)(self._solve_turn)

    @abstractmethod
    def ends(self, state: CounterState) -> TurnEnds:
        """What the ends of the running turn are worth to its player."""

    def _solve_turn(self, ends: TurnEnds) -> TurnValues:
        return turn_values(self.throw, np.array(ends.bank), ends.bust, ends.wiped)

    def acting(self, state: CounterState) -> float:
        """The worth of a running game to the player whose turn it is."""
        return self._value(state, must_throw=state.must_throw or not state.throw)

    def _value(self, state: CounterState, must_throw: bool) -> float:
        return float(self._values(self.ends(state)).worth_at(state.points // self.throw.step, must_throw))

    def choices(self, state: CounterState, player: int) -> list[Choice]:
        if state.over or player != state.player or len(self.game.legal(state)) == 1:
            return []
        bank = self.ends(state).bank
        banked = bank[min(state.points // self.throw.step, len(bank) - 1)]
        thrown = Choice({"do": "throw", "count": state.left}, self._value(state, must_throw=True))
        return best_first([thrown, Choice({"do": "bank"}, banked)])

    def place(self, points: int) -> int:
        """A player's steps, so that he needs as many for the goal as for the target."""
        return max(0, self.throw.goal - -(-(self.game.rules.target - points) // self.throw.step))


def throw_of(game: CounterGame) -> BankThrow:
    step, every = step_of(game), all_falls(game.dice)
    chances: dict[tuple[int, bool], float] = {}
    same = bust = wiped = 0.0
    for fall in falls_of(game, game.dice):
        chance = fall.ways / every
        if fall.lost:
            bust, wiped = bust + chance * (fall.lost != ALL), wiped + chance * (fall.lost == ALL)
        elif fall.added:
            brings = (fall.added // step, fall.again)
            chances[brings] = chances.get(brings, 0.0) + chance
        else:
            same += chance
    adds = tuple((*brings, chance) for brings, chance in sorted(chances.items()))
    goal = -(-game.rules.target // step)
    return BankThrow(tuple((more, chance, again) for more, again, chance in adds), same, bust, wiped, step, goal)
