"""Keeping some of five dice, against all the ways in which the others can fall."""

from __future__ import annotations

from itertools import compress, product

import numpy as np
import pytest

from scorer.advice.dice import keeps_of
from scorer.advice.sheet.keep_values import CHANCES, COMPLETE, FIRST, KEPT, PLACE, best, means, ways
from tests.scorer.playing import all_throws

WORTH = np.random.default_rng(20).normal(size=(len(COMPLETE), 2))


def test_there_are_462_multisets_of_up_to_five_dice_and_252_of_five() -> None:
    assert len(set(KEPT)) == 462
    assert len(set(COMPLETE)) == 252
    assert CHANCES.sum() == pytest.approx(1)


@pytest.mark.parametrize("kept", [(), (3,), (1, 6), (2, 2, 5), (1, 3, 4, 6), (4, 4, 4, 4, 4)])
def test_the_mean_over_what_is_thrown(kept: tuple[int, ...]) -> None:
    thrown = [PLACE[tuple(sorted((*kept, *dice)))] - FIRST for dice in all_throws(5 - len(kept))]
    assert means(WORTH)[PLACE[kept]] == pytest.approx(WORTH[thrown].mean(axis=0))


@pytest.mark.parametrize("kept", [(), (2, 2, 5), (4, 4, 4, 4)])
def test_the_ways_are_counted_exactly(kept: tuple[int, ...]) -> None:
    wanted = np.array([[dice[0] == dice[-1], sum(dice) > 17] for dice in COMPLETE], dtype=np.int64)
    thrown = [PLACE[tuple(sorted((*kept, *dice)))] - FIRST for dice in all_throws(5 - len(kept))]
    assert ways(wanted)[PLACE[kept]].tolist() == (wanted[thrown].sum(axis=0) * 6 ** len(kept)).tolist()


def test_the_best_that_may_be_kept() -> None:
    worth = np.random.default_rng(21).normal(size=(len(KEPT), 2))
    found = best(worth)
    for row, dice in enumerate(COMPLETE):
        keeps = {PLACE[tuple(compress(dice, stays))] for stays in product((0, 1), repeat=5)}
        assert found[row].tolist() == worth[sorted(keeps)].max(axis=0).tolist()


def test_every_different_keep_once() -> None:
    assert keeps_of((1, 1, 6)) == [(1, 1), (1, 6), (1,), (6,), ()]
    assert len(keeps_of((1, 2, 3, 4, 5))) == 31
