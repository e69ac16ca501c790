"""The number of turns that a player still needs if he plays for the most points a turn, and who is first of several.

D is the distribution of a turn's steps under the best choices of `turns.Turns`. The chance f(i, t) that a player with i
steps reaches the goal in exactly t turns is the sum of D(d) f(i + d, t - 1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorer.advice.chances.throws import dice_of
from scorer.advice.finish_order import first_of
from scorer.advice.multisets import Floats, interpolate
from scorer.advice.ten_thousand.turns import CLOSE, Turns

MOST_TURNS = 150


class TurnsNeeded:
    """`turn`: D, by steps from 0. `needed[i, t - 1]`: f; the last t has the chances of all longer games too."""

    def __init__(self, turns: Turns, goal: int) -> None:
        self.goal = goal
        self.turn = turn_distribution(turns)
        self.needed = self._solve()

    def _solve(self) -> Floats:
        some = np.zeros(self.goal + 1)
        reach = min(self.goal + 1, len(self.turn))
        some[:reach] = self.turn[:reach]
        stays = np.array([np.append(np.zeros(own), some[: self.goal - own]) for own in range(self.goal)])
        needed = np.empty((self.goal, MOST_TURNS))
        needed[:, 0] = 1 - stays.sum(axis=1)
        for turn in range(1, MOST_TURNS):
            needed[:, turn] = stays @ needed[:, turn - 1]
        needed[:, -1] += 1 - needed.sum(axis=1)
        return needed

    def chances_at(self, total: float) -> Floats:
        """f for a number of steps that may have a fraction."""
        chances: Floats = interpolate(self.needed, total)
        return chances

    def later(self, totals: Sequence[float]) -> Floats:
        """The chance that all players with these steps need more than t turns, for t = 1, 2..."""
        chance: Floats = np.prod([1 - np.cumsum(self.chances_at(total)) for total in totals], axis=0)
        return np.maximum(chance, 0.0)

    def chances(self, totals: Sequence[float], following: int) -> list[float]:
        """Each player's chance to reach the goal first if `following` plays next."""
        return first_of([self.chances_at(total) for total in totals], following)


def turn_distribution(turns: Turns) -> Floats:
    """The chances that a turn brings 0, 1, 2... steps to a player who has banked before and has no busts."""
    throws, rows = turns.throws, len(turns.worth)
    most = int(throws.gain.max())
    worth = np.empty((rows + most, throws.columns))
    worth[:rows] = turns.worth[:, :, 0]
    beyond = np.arange(rows, rows + most)[:, None] * throws.step
    worth[rows:] = turns.slope * beyond + turns.level[:, 0]
    there = np.zeros((rows + most, throws.columns))
    there[0, throws.start] = 1.0
    bring = np.zeros(rows + most)
    for row in range(rows):
        for place in np.flatnonzero(there[row]):
            chance = there[row, place]
            if row and abs(worth[row, place] - row * throws.step) < CLOSE:  # else a throw is worth more, or must come
                bring[row] += chance
                continue
            offered = worth[row + throws.gain, throws.column]
            best = np.maximum.reduceat(offered, throws.begins)
            counted = np.repeat(best, np.diff([*throws.begins, len(offered)]))
            chosen = np.flatnonzero(offered == counted)
            first = chosen[np.searchsorted(chosen, throws.begins)]
            count = dice_of(int(place), len(throws.ways)) - 1
            np.add.at(there, (row + throws.gain[first], throws.column[first]), chance * throws.chance[count])
            bring[0] += chance * throws.bust[count]
    bring[rows:] += there[rows:] @ turns.slope
    bring[0] += (there[rows:] @ (1 - turns.slope)).sum()
    return bring
