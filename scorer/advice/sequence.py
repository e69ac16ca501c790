"""Sequence: the chance to win. Each player's number of turns to the target is independent of the others'.

    f(i, t) = sum over throws of f(i + points, t - 1)        f(0, t - 1) after a throw that takes all points away

is the chance to reach the target from i points in exactly t turns. `finish_order` then says who is first.
"""

from __future__ import annotations

from fractions import Fraction
from math import gcd

import numpy as np

from scorer.actions import Action
from scorer.advice.dice import Floats, all_throws
from scorer.advice.finish_order import first_of
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
        while -(-game.target // self.step) > MOST_STEPS:
            brings, wiped = _double_turns(brings), 1 - (1 - wiped) ** 2
            self.step *= 2
            self.exact = False
        self.goal = -(-game.target // self.step)
        self.needed = self._turn_chances(brings, wiped)
        self.states = self.goal
        self.value = self.chances(game.start(2))[0]

    def _turn_chances(self, brings: Floats, wiped: float) -> Floats:
        long = np.append(brings, np.zeros(self.goal + 1))
        stays = np.array([np.append(np.zeros(own), long[: self.goal - own]) for own in range(self.goal)])
        stays[:, 0] += wiped
        turns = [1 - stays.sum(axis=1)]
        while 1 - sum(each[0] for each in turns) > LEFT_OVER and len(turns) < MOST_TURNS:
            turns.append(stays @ turns[-1])
        return np.array(turns).T

    def chances(self, state: SequenceState) -> list[float]:
        left = [-(-(self.game.target - score) // self.step) for score in state.scores]
        places = [min(max(self.goal - steps, 0), self.goal - 1) for steps in left]
        return first_of([self.needed[place] for place in places], state.player)

    @staticmethod
    def odds(game: Sequence, state: SequenceState, player: int, action: Action) -> dict[str, Fraction]:
        """The chances that the next throw scores, `score`, reaches the target, `target`, and with the option
        three_ones_wipe takes all points away, `bust`.
        """
        adds, wiped = throws_of(game)
        needed = game.target - state.scores[player]
        chances = {
            "score": sum((chance for points, chance in adds.items() if points), Fraction(0)),
            "target": sum((chance for points, chance in adds.items() if points >= needed), Fraction(0)),
        }
        return {"bust": wiped, **chances} if game.three_ones_wipe else chances


def _double_turns(brings: Floats) -> Floats:
    """Joins two turns to one, and two steps to one. Points between two steps count half for each."""
    two = np.append(np.convolve(brings, brings), [0.0, 0.0, 0.0])
    two = two[: len(two) // 2 * 2]
    found: Floats = two[::2].copy()
    found += two[1::2] / 2
    found[1:] += two[1:-1:2] / 2
    return found


def throws_of(game: Sequence) -> tuple[dict[int, Fraction], Fraction]:
    """The chances of the points that a throw adds, and that it takes all away, by the game's rules."""
    adds: dict[int, Fraction] = {}
    wiped = Fraction(0)
    before = game.start(1)._replace(scores=(1,))
    for dice, ways in all_throws(game.dice):
        after, events = game.apply(before, {"do": "throw", "dice": dice})
        chance = Fraction(ways, 6**game.dice)
        if events[0]["event"] == "wiped":
            wiped += chance
        else:
            points = after.scores[0] - before.scores[0]
            adds[points] = adds.get(points, Fraction(0)) + chance
    return adds, wiped


SOLUTION = SequenceSolution
