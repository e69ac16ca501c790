"""Solves a turn of a ten-thousand game: the greatest mean of its points, from every state within it.

The value of a turn with P points and n dice left satisfies

    V(P, n) = max(P + h(banked) where it may be banked, mean over the throws of their best offer's V(P + gain, n')),

A bust, a throw that offers nothing, is worth h(bust). h is the long-run value of the mode after a turn: 0 if all
turns are alike. With an opening minimum or busts in a row that cost points, h(m) + g = V of a turn begun in mode m, and
h = 0 for a player who has banked and has no busts; g is the mean of a turn.

A turn may go on without end, since all six dice may score again and again. Above some number of points V is a P + b: a
is the best chance to bank at all, and b what the best of those ways adds. `_tail` finds both, and the points from which
no other choice is better. Every throw adds points, so V is exact from there down.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scorer.advice.chances.throws import bankable_rows, best_chance, counts_as_banked, dice_of, resting_state
from scorer.advice.dice import all_throws
from scorer.advice.multisets import Floats
from scorer.advice.ten_thousand.throw_arrays import ThrowArrays, throw_arrays_of
from scorer.ten_thousand import TenThousand, TenThousandState

EQUAL = 1e-12  # chances that differ by less are the same
CLOSE = 1e-10  # points: an iteration ends at smaller changes
MOST_ROWS = 4000  # steps of a turn that are solved one by one

Bankable = npt.NDArray[np.bool_]


class Mode(NamedTuple):
    """What matters at the start of a turn besides points: whether the player has `banked`, and his `busts` in a row.

    If the game has no use for them, they are True and 0.
    """

    banked: bool = True
    busts: int = 0


class Ends(NamedTuple):
    """The mode after banking and after a bust, and the points that the bust costs, for each mode of `modes`."""

    modes: tuple[Mode, ...]
    banked: tuple[int, ...]
    bust: tuple[int, ...]
    cost: tuple[int, ...]


class Turns(NamedTuple):
    """A solved turn. `worth[row, column, mode]`: points with h of the turn's end, for turns of `row` steps. Beyond the
    last row it is `slope[column] * points + level[column, mode]`. `mean`: g.
    """

    throws: ThrowArrays
    ends: Ends
    relative: Floats  # h of each mode
    mean: float
    worth: Floats
    slope: Floats
    level: Floats
    exact: bool

    def value(self, points: int, place: int, mode: int) -> float:
        row, off = divmod(points, self.throws.step)
        if off == 0 and row < len(self.worth):
            return float(self.worth[row, place, mode])
        return float(self.slope[place] * points + self.level[place, mode])

    def value_of_throwing(self, points: int, place: int, mode: int) -> float:
        """The worth of the turn if the dice are thrown now."""
        throws = self.throws
        after = points + throws.gain * throws.step
        worth = self.slope[throws.column] * after + self.level[throws.column, mode]
        near = after // throws.step < len(self.worth)
        if points % throws.step == 0:
            worth[near] = self.worth[after[near] // throws.step, throws.column[near], mode]
        best = np.maximum.reduceat(worth, throws.begins)
        count = dice_of(place, len(throws.ways)) - 1
        lost = self.relative[self.ends.bust[mode]] - self.ends.cost[mode]
        return float(throws.chance[count] @ best + throws.bust[count] * lost)


def mode_of(game: TenThousand, banked: bool, busts: int) -> Mode:
    return Mode(counts_as_banked(game, banked), busts if game.rules.penalty else 0)


def ends_of(game: TenThousand) -> Ends:
    """Every mode that is possible by the rules. The first is that of a player who has banked."""
    modes = [Mode()]
    if game.rules.opening > game.rules.minimum:
        modes.append(Mode(banked=False))
    found: list[tuple[int, int, int]] = []
    while len(found) < len(modes):
        mode = modes[len(found)]
        after = game.apply(_busting(game, mode), {"do": "throw", "dice": _bust_dice(game)})[0]
        following = mode_of(game, after.banked[0], after.busts[0])
        if following not in modes:
            modes.append(following)
        found.append((modes.index(Mode()), modes.index(following), -after.scores[0]))
    return Ends(tuple(modes), *(tuple(each) for each in zip(*found, strict=True)))


def _busting(game: TenThousand, mode: Mode) -> TenThousandState:
    return resting_state(game, len(_bust_dice(game)) - 1, 0, mode.banked)._replace(busts=(mode.busts,))


def _bust_dice(game: TenThousand) -> tuple[int, ...]:
    """A throw in which nothing scores."""
    return next(dice for count in range(1, game.dice + 1) for dice, _ in all_throws(count) if not game.choices(dice))


def solve_turns(game: TenThousand) -> Turns:
    """Solves a turn in less than a second; in a few if turns need thousands of throws."""
    ends, throws = ends_of(game), throw_arrays_of(game)
    relative = np.zeros(len(ends.modes))
    bankable = bankable_by_mode(game, throws.step, ends.modes)
    while True:
        bust = relative[list(ends.bust)] - ends.cost
        worth, slope, level, exact = _solve_rows(throws, bankable, bust)
        start = worth[0, throws.start]
        change = np.abs(start - start[0] - relative).max()
        relative = start - start[0]
        if change < 100 * CLOSE:
            return Turns(throws, ends, relative, float(start[0]), worth, slope, level, exact)


def bankable_by_mode(game: TenThousand, step: int, modes: tuple[Mode, ...]) -> Bankable:
    """As `bankable_rows`, for each mode: shape (rows, columns, modes)."""
    may = {banked: np.array(bankable_rows(game, step, banked)) for banked in {mode.banked for mode in modes}}
    return np.stack([may[mode.banked] for mode in modes], axis=-1)


def _solve_rows(throws: ThrowArrays, bankable: Bankable, bust: Floats) -> tuple[Floats, Floats, Floats, bool]:
    """`worth`, `slope`, `level` and whether they are exact. `bust`: the value of a bust by mode; a bank has 0."""
    slope, level, points = _tail(throws, bankable[-1, :, 0], bust)
    needed = max(len(bankable), int(points // throws.step) + 2)
    rows = min(needed, max(len(bankable), MOST_ROWS))
    most = int(throws.gain.max())
    worth = np.empty((rows + most, throws.columns, len(bust)))
    for row in range(rows, rows + most):
        worth[row] = slope[:, None] * row * throws.step + level
    lost = throws.bust[:, None] * bust
    for row in range(rows - 1, -1, -1):
        worth[row, : throws.confirm] = throws.mean_after_throw(worth, row) + lost
        worth[row, throws.confirm] = worth[row, throws.start]
        may = bankable[min(row, len(bankable) - 1)]
        np.maximum(worth[row], row * throws.step, out=worth[row], where=may)
    return worth[:rows], slope, level, rows == needed


def _tail(throws: ThrowArrays, may: Bankable, bust: Floats) -> tuple[Floats, Floats, float]:
    """`slope` and `level` of a turn with very many points, and the points from which they hold.

    With many points the best choice is the one that loses least often, and among those the one that adds most.
    """
    slope = np.array(best_chance(throws, may.tolist()))
    safe = _thrown_chance(throws, slope) > 1 - EQUAL  # a throw that cannot bust is as safe as banking
    counted = np.repeat(np.arange(len(throws.begins)), np.diff([*throws.begins, len(throws.gain)]))
    most = np.maximum.reduceat(slope[throws.column], throws.begins)
    as_safe = slope[throws.column] > most[counted] - EQUAL
    level = np.zeros((throws.columns, len(bust)))
    while True:
        added = slope[throws.column, None] * throws.gain[:, None] * throws.step + level[throws.column]
        best = np.maximum.reduceat(np.where(as_safe[:, None], added, -np.inf), throws.begins, axis=0)
        thrown = throws.chance @ best + throws.bust[:, None] * bust
        thrown = np.vstack([thrown, thrown[throws.start]])
        following = np.where(may[:, None], np.where(safe[:, None], np.maximum(thrown, 0.0), 0.0), thrown)
        change = np.abs(following - level).max()
        level = following
        if change < CLOSE / 10:
            break
    return slope, level, _holds_from(slope, thrown, throws, may & ~safe, added - best[counted], most[counted])


def _holds_from(slope: Floats, thrown: Floats, throws: ThrowArrays, may: Bankable, more: Floats, most: Floats) -> float:
    """The points from which the tail's choices are the best: the last crossing of the lines of two choices.

    `may`: the columns where banking is best. `more`: what each offer adds beyond the best of its pattern if the turn is
    banked in the end. `most`: the best slope.
    """
    flatter = most - slope[throws.column]
    crossings = more.max(axis=1)[flatter > EQUAL] / flatter[flatter > EQUAL]
    on = _thrown_chance(throws, slope)
    banking = thrown[may].max(axis=1) / (1 - on[may])
    return float(max(0.0, *crossings, *banking))


def _thrown_chance(throws: ThrowArrays, chance: Floats) -> Floats:
    best = np.maximum.reduceat(chance[throws.column], throws.begins)
    thrown = throws.chance @ best
    return np.append(thrown, thrown[throws.start])
