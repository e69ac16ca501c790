"""How probable candidates are to be dice with the dice count, compared with sums over all subsets."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from vision.judging.counting import count_posterior, prior, prior_without_count, probability, sizes


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
    found = count_posterior(alone, numbers)
    for thing in range(things):
        expected = sum(weight for subset, weight in weights.items() if thing in subset) / total
        assert found.chance[thing] == pytest.approx(expected, abs=1e-9)
    for size in range(things + 1):
        expected = sum(weight for subset, weight in weights.items() if len(subset) == size) / total
        assert found.number[size] == pytest.approx(expected, abs=1e-9)
    for subset, weight in weights.items():
        assert probability(alone, numbers, subset) == pytest.approx(weight / total, abs=1e-9)


def test_the_dice_count_lifts_what_is_needed_to_reach_it() -> None:
    alone = np.array([0.99, 0.98, 0.2, 0.01])
    assert count_posterior(alone, prior(4, 3, 0)).chance[2] > 0.9
    assert count_posterior(alone, prior(4, 2, 0)).chance[2] < 0.05


def test_without_the_dice_count_candidates_count_by_themselves_but_there_is_a_die() -> None:
    several = np.array([0.9, 0.8, 0.2])
    assert count_posterior(several, prior_without_count(3)).chance == pytest.approx(tuple(several), abs=0.02)
    alone = np.array([0.6])
    assert count_posterior(alone, prior_without_count(1)).chance[0] > 0.8
    assert probability(alone, prior_without_count(1), ()) > 0.1, "a table may be bare"
    assert len(count_posterior(np.zeros(0), prior_without_count(0)).chance) == 0


def test_clear_dice_outweigh_the_dice_count() -> None:
    clear = np.array([0.999, 0.999, 0.999, 0.001])
    assert np.argmax(count_posterior(clear, prior(4, 2, 0)).number) == 3
    assert np.argmax(count_posterior(clear, prior(4, 4, 0)).number) == 3


def test_dice_aside_may_be_there_or_not() -> None:
    clear = np.full(5, 0.9)
    assert np.argmax(count_posterior(clear, prior(5, 3, 2)).number) == 5
    assert prior(6, 4, 0)[4] > 20 * prior(6, 4, 0)[5]


def test_many_things_neither_overflow_nor_vanish() -> None:
    alone = np.concatenate([np.full(60, 1 - 1e-5), np.full(240, 1e-5)])
    assert sum(sizes(alone)) == pytest.approx(1)
    found = count_posterior(alone, prior(300, 24, 0))
    assert np.isfinite(found.chance).all()
    assert np.argmax(found.number) == 60
