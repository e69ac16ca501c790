"""Hands whose totals count after a number of rounds: the most points, or the fewest where the lowest total wins.

A turn is worth the mean of its points under best play, whatever the others do. If the first player of a round sets how
often all may throw, that of the turns to come is the mean of an unlimited one; so it is only about right.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import lru_cache

from scorer.advice.hand.turn import HandTurns, Worths
from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.solution import Choice, best_first
from scorer.turns.hand import HandGame, HandState

CACHED = 16  # solved turns


class HandTotals(OnDemandSolution[HandGame]):
    """Totals, whose turns do not depend on what others do."""

    def __init__(self, game: HandGame) -> None:
        super().__init__(game)
        self.turns = HandTurns(game)
        self.exact = not game.rules.first_sets_throws
        self._turn_from = lru_cache(CACHED)(self._solve_turn)

    @abstractmethod
    def _rest(self, state: HandState, player: int) -> float:
        """The worth to a player who does not play now."""

    @abstractmethod
    def _solve_turn(self, state: HandState) -> Worths:
        """The turn that begins with this state, with one entry."""

    def turns_had(self, state: HandState, player: int) -> int:
        """How many turns a player has ended."""
        return sum(map(len, state.contest.thrown[player]))

    def worth(self, state: HandState, player: int) -> float:
        if state.over or player != state.player:
            return self._rest(state, player)
        return float(self.turns.worth(state, self._turn(state), 0)[0])

    def choices(self, state: HandState, player: int) -> list[Choice]:
        if state.over or player != state.player:
            return []
        offers = self.turns.offers(state, self._turn(state))
        return best_first([Choice(dict(action), float(entries[0])) for action, entries in offers])

    def _turn(self, state: HandState) -> Worths:
        return self._turn_from(self.turns.turn_start(state))


class HandPoints(HandTotals):
    """`value`: the mean of a game's points. Where the lowest total wins, worth is minus the points."""

    def __init__(self, game: HandGame) -> None:
        super().__init__(game)
        self.sign = -1 if game.rules.low_wins else 1
        self.states = game.rules.most_throws * len(self.turns.place)
        ends = (self.sign * self.turns.worths[:, None, None]).astype(float)
        self._mean = float(self.turns.solve([ends] * game.rules.most_throws, 0).before[0][0, 0, 0])
        self.value = self.sign * self.worth(game.start(1), 0)

    def _rest(self, state: HandState, player: int) -> float:
        left = 0 if state.over else self._turns_left(state, player)
        return self.sign * float(state.scores[player]) + left * self._mean

    def _turns_left(self, state: HandState, player: int) -> int:
        """The turns that a player still begins."""
        return self.game.rules.rounds - len(state.contest.won) - (state.contest.points[player] is not None)

    def _solve_turn(self, state: HandState) -> Worths:
        before = self._rest(state, state.player) - self._mean
        ends = before + self.sign * self.turns.worths[:, None, None].astype(float)
        return self.turns.solve([ends] * self.game.limit(state), 0)


SOLUTION = HandPoints
