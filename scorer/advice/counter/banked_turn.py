"""A turn of a counter that may be banked, in a game with a target.

    V(P) = max(worth of banking P, sum over throws of P(throw) · V(P + added))

Points are counted in steps, of which all points are multiples.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from scorer.advice.chances.counter_odds import dice_thrown, step_of
from scorer.advice.chances.counter_throws import ALL, all_falls, falls_of
from scorer.advice.multisets import Floats
from scorer.advice.solution import Choice, Solution, best_first
from scorer.counter import CounterGame, CounterState

CACHED = 16  # solved turns


class BankThrow(NamedTuple):
    """The throws among which a player may choose, mostly one. `adds`, [throw, steps - 1]: the chance that so many steps
    are added; `again`: that they are, and the dice must then be thrown again. By throw, the chances that it adds none
    (`same`), that it loses the turn (`bust`) or all points (`wiped`). `counts`: of the dice. `once`: whether the turn
    ends with the throw. `goal`: the target in steps.
    """

    counts: tuple[int, ...]
    once: bool
    adds: Floats
    again: Floats
    same: Floats
    bust: Floats
    wiped: Floats
    step: int
    goal: int

    def then(self, after: Floats, thrown: Floats, lost: Floats) -> Floats:
        """[throw, ...]: what a throw leads to, by what added steps, [steps - 1, ...], and losses are worth."""
        found: Floats = lost + self.adds @ after + self.again @ thrown
        return found


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
    shape, last = bank.shape, len(bank) - 1
    bank = bank.reshape(len(bank), -1)
    losses = [np.broadcast_to(each, shape[1:]).reshape(-1) for each in (bust, wiped)]
    lost = np.outer(throw.bust, losses[0]) + np.outer(throw.wiped, losses[1])
    same, again = throw.same[:, None], throw.again.sum(axis=1)[:, None]
    more = np.arange(1, throw.adds.shape[1] + 1)
    after, thrown = bank.copy(), np.zeros(bank.shape)
    if throw.once:
        ends = bank[np.minimum(more, last)]
        thrown[0] = (throw.then(ends, ends, lost) + same * bank[0]).max(axis=0)
        return TurnValues(after.reshape(shape), thrown.reshape(shape))
    ends = 1 - throw.bust[:, None] - throw.wiped[:, None] - again
    thrown[last] = ((lost + ends * bank[last]) / (1 - again)).max(axis=0)
    for steps in reversed(range(last)):
        ahead = np.minimum(steps + more, last)
        added = throw.then(after[ahead], thrown[ahead], lost)
        after[steps] = np.maximum(bank[steps], (added / (1 - same)).max(axis=0))
        thrown[steps] = (added + same * after[steps]).max(axis=0)
    return TurnValues(after.reshape(shape), thrown.reshape(shape))


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
        ends = self.ends(state)
        found = [
            Choice({"do": "throw", "count": count}, worth)
            for count, worth in zip(self.throw.counts, self._worth_by_throw(state, ends), strict=True)
        ]
        if self.game.bank_refusal(state) is None:
            found.append(Choice({"do": "bank"}, ends.bank[min(state.points // self.throw.step, len(ends.bank) - 1)]))
        return best_first(found)

    def _worth_by_throw(self, state: CounterState, ends: TurnEnds) -> list[float]:
        """What throwing is worth, by throw."""
        throw, values = self.throw, self._values(ends)
        if len(throw.counts) == 1:
            return [self._value(state, must_throw=True)]
        last = len(values.after) - 1
        steps = min(state.points // throw.step, last)
        ahead = np.minimum(steps + np.arange(1, throw.adds.shape[1] + 1), last)
        added = throw.then(values.after[ahead], values.thrown[ahead], throw.bust * ends.bust + throw.wiped * ends.wiped)
        found: list[float] = (added + throw.same * values.after[steps]).tolist()
        return found

    def place(self, points: int) -> int:
        """A player's steps, so that he needs as many for the goal as for the target."""
        return max(0, self.throw.goal - -(-(self.game.rules.target - points) // self.throw.step))


def throw_of(game: CounterGame) -> BankThrow:
    step, counts = step_of(game), dice_thrown(game)
    falls = [falls_of(game, count) for count in counts]
    most = max(fall.added for each in falls for fall in each) // step
    adds, again = np.zeros((2, len(counts), most))
    same, bust, wiped = np.zeros((3, len(counts)))
    for place, (count, each) in enumerate(zip(counts, falls, strict=True)):
        for fall in each:
            chance = fall.ways / all_falls(count)
            if fall.lost:
                (wiped if fall.lost == ALL else bust)[place] += chance
            elif fall.added:
                (again if fall.again else adds)[place, fall.added // step - 1] += chance
            else:
                same[place] += chance
    return BankThrow(
        counts, game.rules.turn != "bank", adds, again, same, bust, wiped, step, -(-game.rules.target // step)
    )
