"""Hands whose totals have a target: the fewest turns to it, T(s) if s points are lacking, whatever the others do.

T(s) = 1 + the mean of T(s - w) over the hands w of best play. A hand that is worth nothing leaves T(s): Newton's method
finds it, by the chance of such a hand. It is exact where the target ends the game at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import numpy as np

from scorer.advice.hand.hand_totals import HandTotals
from scorer.advice.hand.turn import HandTurns, Worths
from scorer.advice.multisets import Floats
from scorer.advice.solution import TURNS, Progress, WrongTable
from scorer.advice.solution_files import read_table, write_table
from scorer.turns.hand import HandGame, HandState

CLOSE = 1e-9  # turns: an iteration ends at smaller changes
STEPS_A_SECOND = 6_000_000  # choices compared in a second of one core


class HandFewest(HandTotals):
    """`needed[s]`: T."""

    unit: ClassVar[str] = TURNS

    def __init__(self, game: HandGame, needed: Floats | None = None, progress: Progress | None = None) -> None:
        super().__init__(game)
        self.exact = self.exact and game.rules.end == "at-once"
        self.needed = (
            fewest_turns(self.turns, game.rules.target, game.rules.most_throws, progress) if needed is None else needed
        )
        self.states = len(self.needed) * len(self.turns.place) * game.rules.most_throws
        self.value = self.worth(game.start(1), 0)

    @classmethod
    def seconds(cls, game: HandGame) -> float:
        turns = HandTurns(game)
        return game.rules.target * game.rules.most_throws * turns.work / STEPS_A_SECOND

    @classmethod
    def solve(cls, game: HandGame, progress: Progress | None = None) -> HandFewest:
        return cls(game, progress=progress)

    def _rest(self, state: HandState, player: int) -> float:
        left = 0.0 if state.over else float(self.needed[self._lacking(state, player)])
        return -self.turns_had(state, player) - left

    def _lacking(self, state: HandState, player: int) -> int:
        return min(max(self.game.rules.target - state.scores[player], 0), len(self.needed) - 1)

    def _solve_turn(self, state: HandState) -> Worths:
        lacking = np.maximum(self._lacking(state, state.player) - self.turns.worths, 0)
        ends = (-self.turns_had(state, state.player) - 1 - self.needed[lacking])[:, None, None]
        return self.turns.solve([ends] * self.game.limit(state), 0)

    def save(self, path: Path) -> None:
        write_table(path, self.game, {}, {"needed": self.needed})

    @classmethod
    def load(cls, path: Path, game: HandGame) -> HandFewest:
        _, arrays = read_table(path, game)
        if arrays.get("needed", np.zeros(0)).shape != (game.rules.target + 1,):
            raise WrongTable(f"{path} is no table of turns")
        return cls(game, arrays["needed"])


def fewest_turns(turns: HandTurns, target: int, throws: int, progress: Progress | None = None) -> Floats:
    """T by the points that are lacking, from 0. As many are solved at once as no turn leads to one another."""
    needed = np.zeros(target + 1)
    worths = turns.worths[:, None]
    step = int(min(worth for worth in turns.worths if worth))
    for low in range(1, target + 1, step):
        lacking = np.arange(low, min(low + step, target + 1))
        needed[lacking] = needed[low - 1] + 1
        while True:
            ends = np.empty((len(worths), len(lacking), 2))
            ends[:, :, 0] = -1 - needed[np.maximum(lacking - worths, 0)]
            ends[:, :, 1] = worths == 0  # the chance to bring nothing
            found = turns.solve([ends] * throws, 0).before[0][0]
            change = (-found[:, 0] - needed[lacking]) / (1 - found[:, 1])
            needed[lacking] += change
            if np.abs(change).max() < CLOSE:
                break
        if progress is not None:
            progress(float(lacking[-1]) / target)
    return needed


SOLUTION = HandFewest
