"""The chances of the next throw in Knaster."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from scorer.actions import Action
from scorer.games.knaster import LINES, SIZE, Grid, Knaster, KnasterState, line_circles

SUMS = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}  # of two dice


def odds(game: Knaster, state: KnasterState, player: int, action: Action) -> dict[str, Fraction]:
    """The chances of the next throw: `circle`, that an uncircled cell holds its sum; and `line`, that it completes
    a line that lacks one number, with circles.
    """
    if action["do"] == "throw":
        grid = state.grids[player]
    else:
        alone = KnasterState((state.grids[player]._replace(done=False),), 0, state.dice, state.extra)
        grid = game.apply(alone, {**action, "player": 0})[0].grids[0]
    open_ = {number for cell, number in enumerate(grid.numbers) if number and not grid.is_circled(cell)}
    lines = {total for total in SUMS if any(_completes(numbers, total) for numbers in _nearly(grid))}
    return {
        "circle": sum((SUMS[total] for total in open_), Fraction(0)),
        "line": sum((SUMS[total] for total in lines), Fraction(0)),
    }


def _nearly(grid: Grid) -> Iterator[tuple[int, ...]]:
    """The numbers of each line that lacks exactly one."""
    for cells in LINES.values():
        numbers = tuple(grid.numbers[cell] for cell in cells if grid.numbers[cell])
        if len(numbers) == SIZE - 1:
            yield numbers


def _completes(numbers: tuple[int, ...], total: int) -> bool:
    return line_circles(iter((*numbers, total))) > 0
