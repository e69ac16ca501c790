"""Skunk: the most points, exact. They depend on nobody else: each player stands and sits for himself.

V(r, T) is what a total T is worth with r rounds to come, W(r, T, p) with p points in the first of them before a throw:

    W(r, T, p) = sum over throws without a one of max(V(r - 1, T + p + sum), W(r, T, p + sum)) / 36
                 + 10/36 V(r - 1, T) + 1/36 V(r - 1, 0),    V(r, T) = W(r, T, 0),    V(0, T) = T

At ENOUGH points best play sits whatever T is: a throw then brings 5.6 in the mean, and loses more.
"""

from __future__ import annotations

from functools import lru_cache

from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.solution import Choice, best_first
from scorer.games.skunk import Skunk, SkunkState

SUMS = {total: min(total - 3, 13 - total) for total in range(4, 13)}  # ways to throw it without a one
SAFE, ONE, TWO = sum(SUMS.values()), 10, 1
ENOUGH = 40


class SkunkSolution(OnDemandSolution[Skunk]):
    exact = True

    def __init__(self, game: Skunk) -> None:
        super().__init__(game)
        self._rounds_of = lru_cache(20_000)(self._values)  # bounded: rounds to come, and totals
        self.value = self.worth(game.start(1), 0)

    def worth(self, state: SkunkState, player: int) -> float:
        total, to_come = self.game.scores(state)[player], self.game.rules.rounds - len(state.rounds) - 1
        if state.over:
            return float(total)
        if player not in self.game.to_act(state):  # his total has what he sat down with
            return self._total(to_come, total)
        if not state.throw:
            return self._total(to_come + 1, total)
        return max(self._sits(state, total), self._stands(to_come, total, state.points))

    def choices(self, state: SkunkState, player: int) -> list[Choice]:
        if not state.throw or player not in self.game.to_act(state):
            return []
        total, to_come = self.game.scores(state)[player], self.game.rules.rounds - len(state.rounds) - 1
        return best_first(
            [
                Choice({"do": "throw", "count": self.game.dice}, self._stands(to_come, total, state.points)),
                Choice({"do": "sit", "player": player}, self._sits(state, total)),
            ]
        )

    def _sits(self, state: SkunkState, total: int) -> float:
        return self._total(self.game.rules.rounds - len(state.rounds) - 1, total + state.points)

    def _total(self, rounds: int, total: int) -> float:
        """V: with so many rounds to come."""
        return self._rounds_of(rounds, total)[0] if rounds else float(total)

    def _stands(self, rounds: int, total: int, points: int) -> float:
        """W before any throw but the first of a round. `rounds`: those after it."""
        if 0 < points < ENOUGH:
            return self._rounds_of(rounds + 1, total)[points]
        return self._throw(rounds, total, {more: self._total(rounds, total + points + more) for more in SUMS})

    def _throw(self, rounds: int, total: int, safe: dict[int, float]) -> float:
        """The mean of a throw. `safe`: what each sum without a one leads to."""
        kept = sum(ways * safe[more] for more, ways in SUMS.items())
        lost = ONE * self._total(rounds, total) + TWO * self._total(rounds, min(total, 0))
        return (kept + lost) / (SAFE + ONE + TWO)

    def _values(self, rounds: int, total: int) -> list[float]:
        """W for each number of points below ENOUGH, of the first of so many rounds."""
        found = [0.0] * ENOUGH
        for points in range(ENOUGH - 1, -1, -1):
            safe = {}
            for more in SUMS:
                then = points + more
                sits = self._total(rounds - 1, total + then)
                safe[more] = max(sits, found[then]) if then < ENOUGH else sits
            found[points] = self._throw(rounds - 1, total, safe)
        if not self.game.rules.first_throw_counts:
            found[0] = sum(
                ways * max(self._total(rounds - 1, total + more), found[more]) for more, ways in SUMS.items()
            )
            found[0] /= SAFE
        return found


SOLUTION = SkunkSolution
