"""Counters whose rounds are won by turns that are banked up to a limit: the chance to win (`hand/rounds.py`).

V(p) is the worth of a turn with p points, E(p) that of banking them, and each number of dice has its own T(p):

    T(p) = sum over throws of P(throw) · V(p + added), with E(0) after a bust
    V(p) = max(E(p), T(p))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scorer.actions import Action
from scorer.advice.chances.counter_odds import dice_thrown
from scorer.advice.chances.counter_throws import all_falls, falls_at
from scorer.advice.hand.rounds import HandRounds
from scorer.advice.hand.turn import RoundTurns, Worths
from scorer.advice.multisets import Floats, Whole
from scorer.counter import CounterState
from scorer.rounds_won import RoundsWon


class BankedTurns(RoundTurns):
    """The turns of such a game. `worths`: the points that a turn may bring. `moves`, [throw, points, points after]."""

    def __init__(self, game: RoundsWon) -> None:
        self.game = game
        self.worths: Whole = np.arange(game.rules.limit + 1)
        self.counts = dice_thrown(game)
        self.moves = np.zeros((len(self.counts), len(self.worths), len(self.worths)))
        for place, count in enumerate(self.counts):
            for points in range(len(self.worths)):
                for fall in falls_at(game, count, 0, points):
                    after = 0 if fall.lost else points + fall.added
                    self.moves[place, points, after] += fall.ways / all_falls(count)

    @property
    def states(self) -> int:
        return len(self.worths)

    def throws_after(self, state: CounterState | None) -> list[int]:
        """Throws have no limit: turns of one kind."""
        return [1]

    def solve(self, ends: Sequence[Floats], own: int, low: bool = False) -> Worths:
        """Every choice is the best for the entry `own`; no lives are lost. `before`: of throwing, by points: the best
        number of dice, then each."""
        (bank,) = ends
        after, thrown = bank.copy(), np.zeros((1 + len(self.counts), *bank.shape))
        columns = np.arange(bank.shape[1])
        for points in reversed(range(len(bank))):
            # After a bust the turn has ended with nothing, which no throw leads to otherwise.
            later = np.concatenate([bank[:1], after[1:]])
            thrown[1:, points] = np.tensordot(self.moves[:, points], later, 1)
            thrown[0, points] = thrown[1 + thrown[1:, points, :, own].argmax(axis=0), points, columns]
            better = thrown[0, points, :, own] > bank[points, :, own]
            after[points][better] = thrown[0, points][better]
        return Worths(ends, list(thrown))

    def offers(self, state: CounterState, solved: Worths) -> list[tuple[Action, Floats]]:
        found: list[tuple[Action, Floats]] = []
        if self.game.bank_refusal(state) is None:
            found.append(({"do": "bank"}, solved.ends[0][state.points, 0]))
        if found or len(self.counts) > 1:
            for count, worths in zip(self.counts, solved.before[1:], strict=True):
                found.append(({"do": "throw", "count": count}, worths[state.points, 0]))
        return found

    def worth(self, state: CounterState, solved: Worths, own: int) -> Floats:
        offered = [entries for _, entries in self.offers(state, solved)] or [solved.before[0][state.points, 0]]
        return max(offered, key=lambda entries: float(entries[own]))


class BankedRounds(HandRounds):
    @staticmethod
    def turns_of(game: Any) -> BankedTurns:
        return BankedTurns(game)


SOLUTION = BankedRounds
