"""Shut the box: the fewest points of each turn, exactly, by all sets of open numbers.

With a number of rounds that is the least mean total. Where the last one left wins it is about right: who is nearly out
might risk more. Points are counted there against the mean of as many turns, since nobody knows how many there will be.
"""

from __future__ import annotations

from scorer.advice.chances.shut_the_box_odds import bits_of, solve_turn
from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.solution import Choice, best_first
from scorer.games.shut_the_box import BoxState, ShutTheBox


class BoxSolution(OnDemandSolution[ShutTheBox]):
    """`value`: the mean points of a game of some rounds, else of a turn. `worth` is minus the points."""

    sign = -1

    def __init__(self, game: ShutTheBox) -> None:
        super().__init__(game)
        rules = game.rules
        sums = [sum(tile + 1 for tile in range(rules.tiles) if bits >> tile & 1) for bits in range(1 << rules.tiles)]
        self.turns = solve_turn(rules, lambda bits: -float(sums[bits]))
        self.mean = self.turns.best[-1]
        self.exact = rules.rounds > 0
        self.against_mean = not rules.rounds
        self.states = len(sums)
        self.value = -self.mean * (rules.rounds or 1)

    def worth(self, state: BoxState, player: int) -> float:
        rest = self._rest(state, player)
        if state.over or player != state.player:
            return rest
        choices = self.choices(state, player)
        if choices:
            return choices[0].value
        return rest - self.mean + self.turns.of_throw(bits_of(state.open), self.game.dice_due(state))

    def choices(self, state: BoxState, player: int) -> list[Choice]:
        if state.over or player != state.player:
            return []
        entries = self.game.legal(state)
        if len(entries) == 1 and entries[0]["do"] == "throw":
            return []
        before = self._rest(state, player) - self.mean
        return best_first([Choice(_as_in_record(each), before + self._value(state, each)) for each in entries])

    def _value(self, state: BoxState, entry: dict[str, object]) -> float:
        """The worth of the running turn after an entry of `legal`."""
        tiles, count = entry.get("open"), entry.get("count")
        if isinstance(tiles, list):
            return self.turns.best[bits_of(tiles)]
        return self.turns.of_throw(bits_of(state.open), 1 if count == 1 else 2)

    def _rest(self, state: BoxState, player: int) -> float:
        """Minus the points that a player has, and of all his turns that are not over."""
        had = sum(map(len, state.contest.thrown[player]))
        left = 1 - had if self.against_mean else self._turns_left(state, player)
        return left * self.mean - state.scores[player]

    def _turns_left(self, state: BoxState, player: int) -> int:
        had = len(state.contest.won) + (state.contest.points[player] is not None)
        return 0 if state.over else self.game.rules.rounds - had


def _as_in_record(entry: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in entry.items() if name != "open"}


SOLUTION = BoxSolution
