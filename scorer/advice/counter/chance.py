"""Counters without choices: the chance to win, exact. Players do not depend on each other until the game ends.

With a number of rounds, each player's total is his points and a sum of turns that is independent of the others'.

With a target, f(i, t) is the chance to reach it from i points in exactly t turns:

    f(i, t) = sum over turns of P · f(i + points, t - 1),       f(0, t - 1) after one that takes all points away

`finish_order` then says who is first. If the round is played out, totals count too. g(i, t) is the chance to have
reached the target first in turn t, with each total, and b(i, t) that of being below after t turns. The chance that a
round is the last and one player's total the highest is g of that player, times the chance of each other to have less
then: b, and g for smaller totals. Equal totals share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from scorer.advice.chances.counter_odds import step_of
from scorer.advice.chances.counter_throws import rounds_of, rounds_that_differ
from scorer.advice.counter.turn_chances import TurnChances, turn_chances
from scorer.advice.finish_order import RoundEnds, first_of, shares_of_highest
from scorer.advice.multisets import Floats
from scorer.advice.pure_chance import PureChance
from scorer.counter import CounterGame, CounterState

LEFT_OVER = 1e-13  # neglected chance of needing more turns
MOST_TURNS = 6000


class StepChances(NamedTuple):
    """A turn from each number of steps below the goal. `stays`: [i, k], the chance to have k steps after it. `reaches`:
    [i, steps beyond the goal].
    """

    stays: Floats
    reaches: Floats


class Needed:
    """The turns to a target, by place in the cycle of wanted faces. `first`: [i, t], f. With `finish_round`, `below`:
    [t, i], b; `beyond`: [t, i, steps beyond the goal], g.
    """

    def __init__(self, game: CounterGame) -> None:
        self.game = game
        self.step = step_of(game)
        self.goal = -(-game.rules.target // self.step)
        each_round = [turn_chances(game, taken, game.dice) for taken in range(rounds_that_differ(game))]
        self.cycle = 1 if game.rules.progress else len(each_round)
        turns = [self.steps(each_round)] if game.rules.progress else [self.steps([turn]) for turn in each_round]
        width = max(each.reaches.shape[1] for each in turns)
        self.turns = [each._replace(reaches=_widen(each.reaches, width)) for each in turns]
        self._solve(game.rules.end == "finish-round")

    def steps(self, turns: Sequence[TurnChances]) -> StepChances:
        """A turn from each number of steps. `turns`: the same from all, or of each."""
        stays, width = np.zeros((self.goal, self.goal)), -(-max(len(turn.brings) for turn in turns) // self.step)
        reaches = np.zeros((self.goal, width))
        for own in range(self.goal):
            turn = turns[own % len(turns)]
            long = np.append(turn.brings[:: self.step], np.zeros(self.goal + width))
            stays[own, own:] = long[: self.goal - own]
            stays[own, own] += turn.lost
            stays[own, 0] += turn.wiped
            reaches[own] = long[self.goal - own :][:width]
        return StepChances(stays, reaches)

    def _solve(self, finish_round: bool) -> None:
        first = [[each.reaches.sum(axis=1)] for each in self.turns]
        below = [[each.stays.sum(axis=1)] for each in self.turns]
        beyond = [[each.reaches] for each in self.turns]
        while below[0][-1].max() > LEFT_OVER and len(first[0]) < MOST_TURNS:
            for found in (first, below, *((beyond,) if finish_round else ())):
                last = [each[-1] for each in found]
                for place, each in enumerate(found):
                    each.append(self.turns[place].stays @ last[(place + 1) % self.cycle])
        self.first = [np.array(each).T for each in first]
        self.below = [np.array(each) for each in below]
        self.beyond = [np.array(each) for each in beyond]

    def place_of(self, points: int) -> int:
        """A player's steps, so that he needs as many for the goal as for the target."""
        return max(0, self.goal - -(-(self.game.rules.target - points) // self.step))

    def mean(self, place: int, taken: int) -> float:
        """The mean number of turns from so many steps below the goal."""
        chances = self.first[taken % self.cycle][place]
        return float(chances @ np.arange(1, len(chances) + 1))

    def turn_of(self, points: int, turn: TurnChances, so_far: int = 0) -> StepChances:
        """A turn of a player with these points, which has brought some of its points already: [k] and [steps beyond the
        goal].
        """
        place, after = self.place_of(points), self.place_of(points + so_far)
        brings = turn.brings[:: self.step]
        totals = np.zeros(max(self.goal, place + 1, after + len(brings)))
        totals[after:][: len(brings)] = brings
        totals[place] += turn.lost
        totals[0] += turn.wiped
        return StepChances(totals[: self.goal], totals[self.goal :])

    def running(self, state: CounterState) -> StepChances:
        turn = turn_chances(self.game, rounds_of(self.game, state, state.player), state.left)
        return self.turn_of(state.scores[state.player], turn, state.points)


def _widen(values: Floats, width: int) -> Floats:
    return np.pad(values, ((0, 0), (0, width - values.shape[1])))


class CounterChance(PureChance[CounterGame]):
    def __init__(self, game: CounterGame) -> None:
        super().__init__(game)
        self.needed = Needed(game) if game.rules.target else None
        self.states = self.needed.goal if self.needed else 0
        self.value = self.chances(game.start(2))[0]

    def chances(self, state: CounterState) -> list[float]:
        if self.needed is None:
            return self._chances_of_totals(state)
        if self.game.rules.end == "finish-round":
            return self._chances_of_rounds(state, self.needed)
        return self._chances_to_be_first(state, self.needed)

    def _chances_of_totals(self, state: CounterState) -> list[float]:
        """With a number of rounds: all totals as the ends of one round."""
        totals = [total_of(self.game, state, player) for player in range(len(state.scores))]
        if self.game.rules.low_wins:
            totals = [(-least - len(chances) + 1, chances[::-1]) for least, chances in totals]
        lowest = min(least for least, _ in totals)
        size = max(least - lowest + len(chances) for least, chances in totals)
        ends = []
        for least, chances in totals:
            reached = np.zeros((1, size))
            reached[0, least - lowest :][: len(chances)] = chances
            ends.append(RoundEnds(np.zeros(1), reached))
        return normalize(shares_of_highest(ends))

    def _chances_to_be_first(self, state: CounterState, needed: Needed) -> list[float]:
        rows: list[Any] = []
        for player, points in enumerate(state.scores):
            taken, place = state.taken[player], min(needed.place_of(points), needed.goal - 1)
            if player != state.player:
                rows.append(needed.first[taken % needed.cycle][place])
                continue
            now = needed.running(state)
            later = now.stays @ needed.first[(taken + 1) % needed.cycle]
            rows.append(np.append(now.reaches.sum(), later))
        longest = max(map(len, rows))
        return first_of([np.append(each, np.zeros(longest - len(each))) for each in rows], state.player)

    def _chances_of_rounds(self, state: CounterState, needed: Needed) -> list[float]:
        order = state.seats.playing(len(state.scores))
        waiting = {*order[: order.index(state.player)], *state.seats.joining}  # for the next round
        most = max(needed.place_of(points + state.points) for points in state.scores)
        width = max(0, most - needed.goal) + needed.turns[0].reaches.shape[1] + 1
        ends = [self._ends(state, needed, each, each in waiting, width) for each in order]
        chances = np.zeros(len(state.scores))
        chances[list(order)] = shares_of_highest(ends)
        return normalize(chances)

    def _ends(self, state: CounterState, needed: Needed, player: int, waiting: bool, width: int) -> RoundEnds:
        """A player's chances at the end of each round: to be below the target, [round], and to have reached it, [round,
        steps beyond it].
        """
        taken, place = state.taken[player], needed.place_of(state.scores[player])
        rounds = len(needed.below[0]) + 1
        below, reached = np.zeros(rounds), np.zeros((rounds, width))
        if place >= needed.goal and waiting:
            reached[0, place - needed.goal] = 1.0
        elif place >= needed.goal:  # a person may have set his points
            turn = needed.turn_of(state.scores[player], turn_chances(self.game, taken, self.game.dice))
            below[0], reached[0, : len(turn.reaches)] = turn.stays.sum(), turn.reaches
        elif waiting:
            below[0] = 1.0
            below[1:], reached[1:, : needed.beyond[0].shape[2]] = self._later(needed, taken, place)
        elif player != state.player:
            below[:-1], reached[:-1, : needed.beyond[0].shape[2]] = self._later(needed, taken, place)
        else:
            now = needed.running(state)
            below[0], reached[0, : len(now.reaches)] = now.stays.sum(), now.reaches
            following = (taken + 1) % needed.cycle
            below[1:] = needed.below[following] @ now.stays
            reached[1:, : needed.beyond[0].shape[2]] = np.einsum("k,tkx->tx", now.stays, needed.beyond[following])
        return RoundEnds(below, reached)

    @staticmethod
    def _later(needed: Needed, taken: int, place: int) -> tuple[Floats, Floats]:
        cycle = taken % needed.cycle
        return needed.below[cycle][:, place], needed.beyond[cycle][:, place]


def total_of(game: CounterGame, state: CounterState, player: int) -> tuple[int, Floats]:
    """A player's final total after a number of rounds: the least that it may be, and the chances from there on."""
    least, chances = state.scores[player], np.ones(1)
    first = state.taken[player]
    if player == state.player and not state.over and first < game.rules.rounds:
        turn = turn_chances(game, first, state.left)
        brings = np.append(np.zeros(state.points), turn.brings)
        brings[0] += turn.lost
        least, chances = _after_turn(least, chances, brings, turn.wiped)
        first += 1
    for taken in range(first, game.rules.rounds):
        turn = turn_chances(game, taken, game.dice)
        brings = turn.brings.copy()
        brings[0] += turn.lost
        least, chances = _after_turn(least, chances, brings, turn.wiped)
    return least, chances


def _after_turn(least: int, chances: Floats, brings: Floats, wiped: float) -> tuple[int, Floats]:
    after = np.convolve(chances, brings)
    if not wiped:
        return least, after
    lowest = min(least, 0)
    found = np.zeros(max(least + len(after), 1) - lowest)
    found[least - lowest :][: len(after)] = after
    found[-lowest] += wiped * chances.sum()
    return lowest, found


def normalize(chances: Floats) -> list[float]:
    found: list[float] = (chances / chances.sum()).tolist()
    return found


SOLUTION = CounterChance
