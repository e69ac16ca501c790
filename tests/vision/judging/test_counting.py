"""How probable candidates are to be dice with the dice count, compared with sums over all subsets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.judging.counting import chances_with, prior, probability


@pytest.mark.parametrize("things", range(8))
@pytest.mark.parametrize(("dice", "aside"), [(1, 0), (3, 0), (3, 2), (6, 5)])
def test_chances_are_those_of_all_subsets(things: int, dice: int, aside: int) -> None:
    alone = 1 / (1 + np.exp(-np.random.default_rng(things).normal(0, 3, things)))
    numbers = prior(things, dice, aside)
    weights = {}
    for size in range(things + 1):
        for subset in itertools.combinations(range(things), size):
            chosen = np.isin(np.arange(things), subset)
            weights[subset] = numbers[size] * np.prod(np.where(chosen, alone, 1 - alone))
    total = sum(weights.values())
    found = chances_with(numbers, alone)
    for thing in range(things):
        expected = sum(weight for subset, weight in weights.items() if thing in subset) / total
        assert found[thing] == pytest.approx(expected, abs=1e-9)
    for subset, weight in weights.items():
        assert probability(numbers, alone, subset) == pytest.approx(weight / total, abs=1e-9)


def test_the_dice_count_lifts_what_is_needed_to_reach_it() -> None:
    alone = [0.99, 0.98, 0.2, 0.01]
    assert chances_with(prior(4, 3), alone)[2] > 0.9
    assert chances_with(prior(4, 2), alone)[2] < 0.05


def test_without_the_dice_count_candidates_count_by_themselves_but_there_is_a_die() -> None:
    several = [0.9, 0.8, 0.2]
    assert chances_with(prior(3, None), several) == pytest.approx(several, abs=0.02)
    alone = [0.6]
    assert chances_with(prior(1, None), alone)[0] > 0.8
    assert probability(prior(1, None), alone, ()) > 0.1, "a table may be bare"
    assert chances_with(prior(0, None), []) == ()


@pytest.mark.parametrize("dice", [2, 4])
def test_clear_dice_outweigh_the_dice_count(dice: int) -> None:
    clear = [0.999, 0.999, 0.999, 0.001]
    assert probability(prior(4, dice), clear, {0, 1, 2}) > 0.5


def test_dice_aside_may_be_there_or_not() -> None:
    clear = [0.9] * 5
    assert probability(prior(5, 3, 2), clear, range(5)) > 0.5
    assert prior(6, 4, 1)[5] == prior(6, 4, 1)[4] > 20 * prior(6, 4)[5]


def test_many_things_neither_overflow_nor_vanish() -> None:
    alone = [1 - 1e-5] * 60 + [1e-5] * 240
    found = chances_with(prior(300, 24), alone)
    assert min(found[:60]) > 0.99
    assert max(found[60:]) < 0.01
