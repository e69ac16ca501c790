"""The exact chance that a turn of a ten-thousand game becomes bankable with a minimum of points."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from scorer.advice.chances.throws import (
    Offers,
    Throws,
    bankable_rows,
    best_chance,
    counts_as_banked,
    dice_of,
    throws_of,
)
from scorer.ten_thousand import TenThousand

Bankable = tuple[tuple[bool, ...], ...]  # as from `bankable_rows`
Row = tuple[int, ...]  # by column: parts of `Rows.whole`


class Rows(NamedTuple):
    """The chances for turns of 0, 1, 2... steps. The last row covers all further ones. All have one denominator."""

    rows: list[Row]
    whole: int


def reach_probability(
    game: TenThousand, banked: bool, needed: int, points: int, place: int, throwing: bool
) -> Fraction:
    """The best chance that a turn with `points` in column `place` ever becomes bankable with `needed` points or more.

    The player wants only that, so he banks as soon as he may. `throwing`: he throws first. `banked`: whether he has
    banked a turn before.
    """
    throws = throws_of(game)
    rows, whole = _rows(throws, _bankable(game, counts_as_banked(game, banked)), -(-needed // throws.step))
    row = min(points // throws.step, len(rows) - 1)
    if throwing:
        count = dice_of(place, game.dice)
        return Fraction(_sum_of_best(throws.ways[count - 1], rows[row + 1 :] or rows[-1:]), whole * 6**count)
    return Fraction(rows[row][place], whole)


@lru_cache
def _bankable(game: TenThousand, banked: bool) -> Bankable:
    """Remembered, since asking the rules takes longer than the rest of a choice."""
    return bankable_rows(game, throws_of(game).step, banked)


@lru_cache(256)
def _rows(throws: Throws, bankable: Bankable, needed: int) -> Rows:
    last = max(needed, len(bankable) - 1)
    ended = _last_row(throws, bankable[-1])
    # Integers are much quicker than fractions. Each die of a throw divides by 6, so this denominator is enough.
    whole = lcm(*(chance.denominator for chance in ended)) * 6 ** (len(throws.ways) * last)
    rows: list[Row] = [()] * last + [tuple(int(chance * whole) for chance in ended)]
    for row in range(last - 1, -1, -1):
        following = rows[row + 1 :]
        thrown = [_sum_of_best(offers, following) // 6**count for count, offers in enumerate(throws.ways, start=1)]
        thrown.append(thrown[throws.start])
        may = bankable[min(row, len(bankable) - 1)]
        rows[row] = tuple(whole if row >= needed and may[place] else thrown[place] for place in range(throws.columns))
    return Rows(rows, whole)


def _sum_of_best(ways: dict[Offers, int], following: list[Row]) -> int:
    """The sum of the best chances over all falls of the dice. `following`: rows of turns with 1, 2... more steps."""
    most = len(following)
    total = 0
    for offers, number in ways.items():
        if offers:
            total += number * max([following[min(gain, most) - 1][column] for gain, column in offers])
    return total


def _last_row(throws: Throws, may: tuple[bool, ...]) -> tuple[Fraction, ...]:
    """The chances if only a bankable column is missing, not points. A column may lead to itself again."""
    chance = best_chance(throws, may)
    unknown = [place for place in range(throws.columns) if not may[place]]
    # An equation for each unknown column: its coefficients, then the chance to get to a bankable one.
    system = []
    for place in unknown:
        count = dice_of(place, len(throws.ways))
        share = [Fraction(0)] * throws.columns
        for offers, number in throws.ways[count - 1].items():
            if offers:
                best = max((column for _, column in offers), key=lambda column: chance[column])
                share[best] += Fraction(number, 6**count)
        sure = sum((share[column] for column in range(throws.columns) if may[column]), Fraction(0))
        system.append([Fraction(int(place == other)) - share[other] for other in unknown] + [sure])
    solved = dict(zip(unknown, _solve(system), strict=True))
    return tuple(solved.get(place, Fraction(1)) for place in range(throws.columns))


def _solve(system: list[list[Fraction]]) -> list[Fraction]:
    """Solves linear equations with one solution. Each row is an equation with its right side last."""
    size = len(system)
    for place in range(size):
        pivot = next(row for row in range(place, size) if system[row][place])
        system[place], system[pivot] = system[pivot], system[place]
        by = system[place][place]
        system[place] = [value / by for value in system[place]]
        for row in range(size):
            if row != place and system[row][place]:
                by = system[row][place]
                system[row] = [value - by * own for value, own in zip(system[row], system[place], strict=True)]
    return [row[-1] for row in system]
