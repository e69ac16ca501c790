"""Counters of rounds that are won: the chance to win, exact.

Who wins the running round depends on the turns in it, of which equal best ones share it: they throw again, alike. Every
further round is won by each player alike. Where points win a round, each is a race to them, which its first player
begins; `chance` knows its chances.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from scorer.advice.counter.chance import CounterChance
from scorer.advice.counter.turn_chances import turn_chances
from scorer.advice.finish_order import RoundEnds, shares_of_highest
from scorer.advice.multisets import Floats
from scorer.advice.pure_chance import PureChance
from scorer.counter import CounterGame, CounterState

CACHED = 100_000  # standings of rounds won
ROUNDS = 64  # whose races are kept


class RoundsWonChance(PureChance[CounterGame]):
    def __init__(self, game: CounterGame) -> None:
        super().__init__(game)
        self._after = lru_cache(CACHED)(self._after_rounds)
        self._race = lru_cache(ROUNDS)(self._race_of_round)
        self.value = self.chances(game.start(2))[0]

    def chances(self, state: CounterState) -> list[float]:
        found = np.zeros(len(state.scores))
        for player, chance in self._of_round(state).items():
            found += chance * np.array(self._after(self._with_round(state.scores, player), len(state.contest.won) + 1))
        chances: list[float] = found.tolist()
        return chances

    def _of_round(self, state: CounterState) -> dict[int, float]:
        """The chance of each player to win the running round."""
        contest = state.contest
        players = contest.playing(state.seats)
        if self.game.rules.round_target:
            return dict(zip(players, self._of_race(state, players), strict=True))
        turns = [self._turn(state, each) for each in players]
        size = max(map(len, turns))
        ends = [RoundEnds(np.zeros(1), np.append(each, np.zeros(size - len(each)))[None]) for each in turns]
        if self.game.rules.low_wins:
            ends = [each._replace(reached=each.reached[:, ::-1]) for each in ends]
        return dict(zip(players, shares_of_highest(ends).tolist(), strict=True))

    def _of_race(self, state: CounterState, players: list[int]) -> list[float]:
        points = tuple(map(state.contest.points_of, players))
        begun = CounterState(points, (0,) * len(players), state.left, players.index(state.player), state.points)
        return self._race(self._faces_of_round(len(state.contest.won))).chances(begun)

    def _faces_of_round(self, played: int) -> tuple[int, ...]:
        """What is wanted in the round after so many."""
        wanted = self.game.rules.wanted
        return wanted[played % len(wanted) :][:1] if wanted else ()

    def _race_of_round(self, wanted: tuple[int, ...]) -> CounterChance:
        rules = self.game.rules
        race = replace(
            rules, wanted=wanted, target=rules.round_target, rounds=0, counts="totals", round_target=0, end="at-once"
        )
        return CounterChance(CounterGame(self.game.kind, race, self.game.settings))

    def _turn(self, state: CounterState, player: int) -> Floats:
        """The chances of the points of a player's turn in the running round."""
        points = state.contest.points[player]
        if points is not None:
            return np.append(np.zeros(points), 1.0)
        running = player == state.player
        turn = turn_chances(self.game, len(state.contest.won), state.left if running else self.game.dice)
        found = np.append(np.zeros(state.points if running else 0), turn.brings)
        found[0] += turn.lost
        return found

    def _after_rounds(self, scores: tuple[int, ...], played: int) -> tuple[float, ...]:
        rules, most = self.game.rules, max(scores)
        if (rules.rounds and played >= rules.rounds) or (rules.target and most >= rules.target):
            best = [score == most for score in scores]
            return tuple(each / sum(best) for each in best)
        found = np.zeros(len(scores))
        for player, chance in enumerate(self._chances_of_round(len(scores), played)):
            found += chance * np.array(self._after(self._with_round(scores, player), played + 1))
        return tuple(found.tolist())

    def _chances_of_round(self, players: int, played: int) -> list[float]:
        """The chance of each player to win a round that has not begun."""
        if not self.game.rules.round_target:
            return [1 / players] * players
        race = self._race(self._faces_of_round(played))
        return race.chances(race.game.start(players))

    @staticmethod
    def _with_round(scores: tuple[int, ...], player: int) -> tuple[int, ...]:
        return (*scores[:player], scores[player] + 1, *scores[player + 1 :])


SOLUTION = RoundsWonChance
