"""Cells with tiers alone: their worth against a plain recursion over turns without choice."""

from functools import cache

import numpy as np
import pytest

import scorer
from scorer.advice.sheet.estimated import points_of
from scorer.advice.sheet.keep_values import hands
from scorer.advice.sheet.tiered_cells import TieredCell
from scorer.categories import points_by
from scorer.sheet import SheetGame

HANDS = hands(5)


def cell_of(key: str, count: float, throws: int, more: int) -> TieredCell:
    game = scorer.game("balut")
    assert isinstance(game, SheetGame)
    place = [category.key for category in game.categories].index(key)
    ends = [points_of(game, 0)[:, place]] * throws
    return TieredCell(HANDS, game.categories[place], ends, count, more)


@pytest.mark.parametrize(("key", "count"), [("fours", 0.0), ("fours", 0.1), ("straight", 0.0), ("balut", 0.02)])
def test_a_cell_with_one_throw_a_turn(key: str, count: float) -> None:
    """Then a turn is a draw: it is written, or passed if turns are to spare."""
    game = scorer.game("balut")
    assert isinstance(game, SheetGame)
    category = next(each for each in game.categories if each.key == key)
    draws = [(category.points(dice), chance) for dice, chance in zip(HANDS.complete, HANDS.chances, strict=True)]

    @cache
    def worth(still: int, reached: int, more: int) -> float:
        if not still:
            return points_by(category.tiers, reached)
        total = 0.0
        for points, chance in draws:
            gained = int(points > 0) if category.counts_hits else points
            written = count * points + worth(still - 1, reached + gained, more)
            total += chance * max(written, worth(still, reached, more - 1) if more else written)
        return total

    cell = cell_of(key, count, 1, 2)
    for still, reached, more in ((1, 0, 0), (1, 3, 2), (3, 0, 2), (4, 0, 0), (4, 0, 2), (2, 40, 1)):
        assert cell.worth(more, still, np.array([reached]))[0] == pytest.approx(worth(still, reached, more))


def test_more_throws_and_more_turns_bring_more() -> None:
    once, thrice = (cell_of("sixes", 0.02, throws, 3) for throws in (1, 3))
    for cell in (once, thrice):
        worth = [float(cell.worth(more, 4, np.array([0]))[0]) for more in (0, 0.5, 1, 3)]
        assert worth == sorted(worth)
    assert thrice.worth(0, 4, np.array([0]))[0] > once.worth(0, 4, np.array([0]))[0]
    full = thrice.worth(2, 0, np.array([0, 77, 78, 120]))
    assert full.tolist() == [0, 0, 2, 2]
