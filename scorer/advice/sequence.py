"""Sequence: the chance to win. Each player's number of turns to the target is independent of the others'.

    f(i, t) = sum over throws of f(i + points, t - 1)        f(0, t - 1) after a throw that takes all points away

is the chance to reach the target from i points in exactly t turns. `finish_order` then says who is first.

With the option finish_round the totals count too. g(i, t) is the chance to have reached the target first in turn t,
with each total, and b(i, t) that of being below after t turns. Until somebody reaches the target, the players do not
depend on each other. So the chance that a round is the last and one player's total s the highest is g of that player,
times the chance of each other to have less then: b, and g for smaller totals. Equal totals share.
"""

from __future__ import annotations

from math import gcd

import numpy as np

from scorer.advice.chances.sequence_odds import throws_of
from scorer.advice.finish_order import RoundEnds, first_of, shares_of_highest
from scorer.advice.multisets import Floats
from scorer.advice.pure_chance import PureChance
from scorer.games.sequence import Sequence, SequenceState

MOST_STEPS = 500  # of a target; for a greater one chances are approximate: see `_double_turns`
LEFT_OVER = 1e-13  # neglected chance of needing more turns
MOST_TURNS = 6000


class SequenceSolution(PureChance[Sequence]):
    """`needed[i, t]`: f, with i in steps and t in turns; for a great target, in groups of turns."""

    def __init__(self, game: Sequence) -> None:
        super().__init__(game)
        adds, self.wiped = throws_of(game)
        self.step = gcd(*adds)
        brings = np.zeros(max(adds) // self.step + 1)
        for points, chance in adds.items():
            brings[points // self.step] = chance
        wiped = float(self.wiped)
        while -(-game.rules.target // self.step) > MOST_STEPS:
            brings, wiped = _double_turns(brings), 1 - (1 - wiped) ** 2
            self.step *= 2
            self.exact = False
        self.goal = -(-game.rules.target // self.step)
        self.brings, self.wipes = brings, wiped
        self.needed, self.below, self.beyond = self._turn_chances(brings, wiped)
        self.states = self.goal
        self.value = self.chances(game.start(2))[0]

    def _turn_chances(self, brings: Floats, wiped: float) -> tuple[Floats, Floats, Floats]:
        """f, b and g by turns from 1: [i, turns], [turns, i] and [turns, i, steps beyond the goal]. Only finish_round
        needs the latter two."""
        long = np.append(brings, np.zeros(self.goal + 1))
        stays = np.array([np.append(np.zeros(own), long[: self.goal - own]) for own in range(self.goal)])
        stays[:, 0] += wiped
        turns = [1 - stays.sum(axis=1)]
        below = [stays.sum(axis=1)]
        beyond = [np.array([long[self.goal - own :][: len(brings)] for own in range(self.goal)])]
        while 1 - sum(each[0] for each in turns) > LEFT_OVER and len(turns) < MOST_TURNS:
            turns.append(stays @ turns[-1])
            if self.game.rules.finish_round:
                below.append(stays @ below[-1])
                beyond.append(stays @ beyond[-1])
        return np.array(turns).T, np.array(below), np.array(beyond)

    def chances(self, state: SequenceState) -> list[float]:
        if self.game.rules.finish_round:
            return self._chances_of_rounds(state)
        left = [-(-(self.game.rules.target - score) // self.step) for score in state.scores]
        places = [min(max(self.goal - steps, 0), self.goal - 1) for steps in left]
        return first_of([self.needed[place] for place in places], state.player)

    def _chances_of_rounds(self, state: SequenceState) -> list[float]:
        order = state.seats.playing(len(state.scores))
        waiting = {*order[: order.index(state.player)], *state.seats.joining}  # for the next round
        steps = {each: self.goal - -(-(self.game.rules.target - state.scores[each]) // self.step) for each in order}
        totals = sorted({max(self.goal, own) + more for own in steps.values() for more in range(len(self.brings))})
        ends = [self._ends(steps[each], each in waiting, totals) for each in order]
        chances = np.zeros(len(state.scores))
        chances[list(order)] = shares_of_highest(ends)
        found: list[float] = (chances / chances.sum()).tolist()
        return found

    def _ends(self, own: int, waiting: bool, totals: list[int]) -> RoundEnds:
        """A player's chances at the end of each round, from `own` steps. A person may have set them beyond the goal."""
        rounds = len(self.below) + 1
        below, reached = np.zeros(rounds), np.zeros((rounds, len(totals)))
        if own < self.goal:
            place, first = max(own, 0), totals.index(self.goal)
            below[int(waiting) :][: len(self.below)] = self.below[:, place]
            reached[int(waiting) :, first : first + len(self.brings)][: len(self.below)] = self.beyond[:, place]
            below[0] = 1.0 if waiting else below[0]
        elif waiting:
            reached[0, totals.index(own)] = 1.0
        else:
            first = totals.index(own)
            below[0], reached[0, first : first + len(self.brings)] = self.wipes, self.brings
        return RoundEnds(below, reached)


def _double_turns(brings: Floats) -> Floats:
    """Joins two turns to one, and two steps to one. Points between two steps count half for each."""
    two = np.append(np.convolve(brings, brings), [0.0, 0.0, 0.0])
    two = two[: len(two) // 2 * 2]
    found: Floats = two[::2].copy()
    found += two[1::2] / 2
    found[1:] += two[1:-1:2] / 2
    return found


SOLUTION = SequenceSolution
