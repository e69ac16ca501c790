"""How uneven dice are, against known values of the chi-square distribution."""

import math

import pytest

from web.statistics.fairness import LEAST_DICE, chi_square_survival, fairness
from web.table.score_history import fell_in


def throw(*dice: int) -> dict[str, object]:
    return {"do": "throw", "dice": list(dice)}


@pytest.mark.parametrize(
    ("statistic", "chance"),  # the usual table of critical values (NIST/SEMATECH e-Handbook, 1.3.6.7.4)
    [(9.236, 0.10), (11.070, 0.05), (15.086, 0.01), (20.515, 0.001)],
)
def test_critical_values(statistic: float, chance: float) -> None:
    assert chi_square_survival(statistic) == pytest.approx(chance, rel=1e-3)


def test_the_survival_function_is_the_integral_of_the_density() -> None:
    def density(x: float) -> float:
        return x**1.5 * math.exp(-x / 2) / (2**2.5 * math.gamma(2.5))

    low, high, steps = 2.0, 9.0, 2000  # Simpson's rule
    width = (high - low) / steps
    inner = sum((4 if step % 2 else 2) * density(low + step * width) for step in range(1, steps))
    between = (density(low) + inner + density(high)) * width / 3
    assert chi_square_survival(low) - chi_square_survival(high) == pytest.approx(between, abs=1e-12)
    assert chi_square_survival(0) == 1


def test_only_thrown_dice_count() -> None:
    actions = [throw(1, 1, 6), {"do": "keep", "dice": [1, 1]}, throw(2), {"do": "set-aside", "dice": [2]}]
    found = fairness(fell_in(actions))
    assert found.counts == (2, 1, 0, 0, 0, 1)
    assert found.dice == 4
    assert found.chance is None, "nobody can tell from four dice"


def test_even_dice_are_as_even_as_can_be_and_loaded_ones_are_not() -> None:
    even = fairness(*[fell_in([throw(*range(1, 7))])] * (LEAST_DICE // 6))
    assert even.chance == 1
    assert fairness(fell_in([throw(6, 6, 6, 6, 6, 1)] * 10)).chance == pytest.approx(0, abs=1e-12)
