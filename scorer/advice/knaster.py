"""Knaster: a policy that looks one throw ahead and estimates what a grid will bring. docs/advice-games.md measures it.

Each uncircled cell has an estimated chance to be circled in the end. It combines, as if they were independent:

- each incomplete line through the cell: a fifth of the circles that the line's numbers promise, see `promise`;
- the cell's number, if it has one: each throw of its sum circles one cell with that number, see `hits`. The throws to
  come are about THROWS_PER_CELL for each empty cell of the fullest grid, and the extra one;
- an empty cell's later number: EMPTY_CELL, and less if fewer cells are empty.

A grid is worth the sum of these chances, plus for each line its points times the product of its cells' chances.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import exp, prod
from operator import itemgetter

from scorer.actions import Action
from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.solution import Choice, best_first
from scorer.games.knaster import CELLS, LINES, LINES_OF, SIZE, Grid, Knaster, KnasterState, line_circles

SUMS = {total: (6 - abs(7 - total)) / 36 for total in range(2, 13)}
THROWS_PER_CELL = 1.0  # a throw that circles fills no cell
EMPTY_CELL = 0.8  # the chance that a cell of an empty grid is circled by its number, chosen by trying
PICK = {line: itemgetter(*cells) for line, cells in LINES.items()}  # of 25 the five of a line
TO_CHOOSE_FROM = 2  # throws of which a line takes the best number; the others go elsewhere


@cache  # bounded: lines of five sums of two dice
def promise(numbers: tuple[int, ...]) -> float:
    """The estimated circles of a line with these numbers, ascending, once it is complete. Each further number counts
    as the best of TO_CHOOSE_FROM throws.
    """
    if len(numbers) == SIZE:
        return float(line_circles(iter(numbers)))
    offered = sorted((promise(tuple(sorted((*numbers, total)))), chance) for total, chance in SUMS.items())
    mean = below = 0.0
    for circles, chance in offered:
        mean += circles * ((below + chance) ** TO_CHOOSE_FROM - below**TO_CHOOSE_FROM)
        below += chance
    return mean


class KnasterSolution(OnDemandSolution[Knaster]):
    """`worth` is in points; `value` is that of an empty grid."""

    exact = False

    def __init__(self, game: Knaster) -> None:
        super().__init__(game)
        self.value = self.worth(game.start(1), 0)

    def worth(self, state: KnasterState, player: int) -> float:
        grid, empty = state.grids[player], self._empty(state)
        extra = self.game.scores(state)[player] - self._points(grid)  # settled by hand
        if state.over:
            return float(self.game.scores(state)[player])
        if not state.dice:
            alone = [self._alone(state, player, dice) for dice in _DICE]
            return extra + sum(SUMS[sum(each.dice)] * self._best(each, empty) for each in alone)
        if grid.done:
            return extra + self.estimate(grid, empty)
        return extra + self._best(self._alone(state, player, state.dice), empty)

    def choices(self, state: KnasterState, player: int) -> list[Choice]:
        if state.over or not state.dice or state.grids[player].done:
            return []
        alone, empty = self._alone(state, player, state.dice), self._empty(state)
        extra = self.game.scores(state)[player] - self._points(state.grids[player])
        found = []
        for entry in self.game.legal(alone):
            value = extra + self._value_after(alone, entry, empty)
            found.append(Choice({**entry, "player": player}, value))
        return best_first(found)

    def _alone(self, state: KnasterState, player: int, dice: tuple[int, ...]) -> KnasterState:
        """The state with one player alone, as if the others were done."""
        return KnasterState((state.grids[player]._replace(done=False),), 0, dice, state.extra)

    def _best(self, alone: KnasterState, empty: int) -> float:
        return max(self._value_after(alone, entry, empty) for entry in self.game.legal(alone))

    def _value_after(self, alone: KnasterState, entry: Action, empty: int) -> float:
        """The worth of an action. Lines that it completes get the best circles, one line after the other."""
        after, _ = self.game.apply(alone, entry)
        while after.dice:
            options = [self.game.apply(after, each)[0] for each in self.game.legal(after)]
            after = max(options, key=lambda each: self.estimate(each.grids[0], empty))
        if after.over:
            return self._points(after.grids[0])
        return self.estimate(after.grids[0], empty)

    def _empty(self, state: KnasterState) -> int:
        """The empty cells of the fullest grid; -1 once the extra throw has come."""
        return -1 if state.extra else min(CELLS - grid.filled.bit_count() for grid in state.grids)

    def _points(self, grid: Grid) -> float:
        return float(self.game.scores(KnasterState((grid,)))[0])

    def estimate(self, grid: Grid, empty: int) -> float:
        """The estimated points of a grid at the end, if the fullest grid has so many empty cells."""
        left = min(empty, CELLS - grid.filled.bit_count())
        throws = 1 + THROWS_PER_CELL * left if left >= 0 else 0.0
        fails = {line: _fails(pick(grid.numbers)) for line, pick in PICK.items()}
        open_ = [number for cell, number in enumerate(grid.numbers) if number and not grid.is_circled(cell)]
        misses = {number: 1 - hits(open_.count(number), round(throws * SUMS[number], 2)) for number in set(open_)}
        misses[0] = 1 - EMPTY_CELL * max(left, 0) / CELLS
        chances = []
        for cell, number in enumerate(grid.numbers):
            fail = 0.0
            if not grid.circled >> cell & 1:
                fail = misses[number]
                for line in LINES_OF[cell]:
                    fail *= fails[line]
            chances.append(1 - fail)
        total = sum(chances)
        for line, pick in PICK.items():
            total += prod(pick(chances)) * self.game.rules.line_points[line]
        return total


# One throw of two dice for each sum.
_DICE = tuple((max(1, total - 6), min(6, total - 1)) for total in SUMS)


@cache  # bounded: cells of a grid, and a mean of two decimals
def hits(cells: int, mean: float) -> float:
    """The share of so many cells that get circled if throws of their number are Poisson with this mean."""
    chance, left, circled = exp(-mean), 1.0, 0.0
    for number in range(1, cells + 1):
        left -= chance
        circled += left  # the chance of `number` throws and more
        chance *= mean / number
    return circled / cells


@lru_cache(10_000)
def _fails(numbers: tuple[int, ...]) -> float:
    """The estimated chance that a line with these numbers (0: empty) does not circle one of its cells."""
    if all(numbers):
        return 1.0  # it is complete
    return 1 - promise(tuple(sorted(number for number in numbers if number))) / SIZE


SOLUTION = KnasterSolution
