"""scorer/advice/shut_the_box.py and its odds against a second reckoning by sets of numbers."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

import scorer
from scorer.advice import analysis, odds, solve
from tests.scorer.playing import Action, play, table_of, throw

KEY = "shut-the-box"
Open = frozenset[int]


def dice_of(open_: Open, one_die: str) -> tuple[int, ...]:
    if one_die == "choice":
        return (1, 2) if max(open_) <= 6 else (2,)
    return (1,) if sum(open_) <= 6 else (2,)


def left_after(open_: Open, total: int, most: int) -> Iterator[Open]:
    for count in range(1, most + 1):
        for tiles in combinations(open_, count):
            if sum(tiles) == total:
                yield open_ - set(tiles)


@cache  # bounded: sets of nine numbers
def least_points(open_: Open, one_die: str, most: int) -> Fraction:
    """The least mean of the open numbers at the end, in fractions."""
    if not open_:
        return Fraction(0)
    return min(after_throw(open_, count, one_die, most) for count in dice_of(open_, one_die))


def after_throw(open_: Open, count: int, one_die: str, most: int) -> Fraction:
    found = Fraction(0)
    for dice in product(range(1, 7), repeat=count):
        ways = [least_points(each, one_die, most) for each in left_after(open_, sum(dice), most)]
        found += min(ways, default=Fraction(sum(open_)))
    return found / 6**count


def every_set() -> Iterator[Open]:
    for count in range(1, 10):
        yield from map(frozenset, combinations(range(1, 10), count))


@pytest.mark.parametrize(("one_die", "two_at_most"), [("low", False), ("low", True), ("choice", False)])
def test_each_set_of_nine_has_the_least_mean_points(one_die: str, two_at_most: bool) -> None:
    game = scorer.game(KEY, ends="one-round", one_die=one_die, two_at_most=two_at_most)
    solution: Any = solve(game)
    for open_ in every_set():
        state = game.start(1)._replace(open=tuple(sorted(open_)))
        least = float(least_points(open_, one_die, 2 if two_at_most else 9))
        assert solution.worth(state, 0) == pytest.approx(-least)
    assert solution.value == pytest.approx(
        float(least_points(frozenset(range(1, 10)), one_die, 2 if two_at_most else 9))
    )


def test_the_mean_points_of_each_box() -> None:
    """Docs name these."""
    found = [solve(scorer.game(KEY, ends="one-round", tiles=tiles)).value for tiles in ("nine", "ten", "twelve")]
    assert found == pytest.approx([11.021, 16.578, 35.076], abs=0.0005)
    assert solve(scorer.game(KEY, ends="five-rounds")).value == pytest.approx(5 * found[0])
    assert solve(scorer.game(KEY)).exact is False


def test_the_chances_of_small_boxes() -> None:
    def chances(*open_: int, do: Action, **options: Any) -> dict[str, float]:
        game = scorer.game(KEY, **options)
        state = game.start(1)._replace(open=open_, throw=(1, 1) if do["do"] == "shut" else ())
        return {name: float(chance) for name, chance in odds(game, state, 0, do).items()}

    one, two = {"do": "throw", "count": 1}, {"do": "throw", "count": 2}
    assert chances(3, do=one) == pytest.approx({"stuck": 5 / 6, "shut": 1 / 6})
    # One die: 1 and then 2, 2 and then 1, or 3 at once.
    assert chances(1, 2, do=one) == pytest.approx({"stuck": 1 / 2, "shut": 1 / 6 + 2 / 36})
    assert chances(9, do=two) == pytest.approx({"stuck": 32 / 36, "shut": 4 / 36})
    assert chances(2, 3, do={"do": "shut", "tiles": [2]}) == pytest.approx({"stuck": 5 / 6, "shut": 1 / 6})
    assert chances(2, do={"do": "shut", "tiles": [2]}) == {}
    # With a choice, two dice make 6 in 5 of 36 ways, one in 6 of 36.
    assert chances(6, do=two, one_die="choice") == pytest.approx({"stuck": 31 / 36, "shut": 5 / 36})
    assert chances(6, do={"do": "choose", "count": 1}, one_die="choice") == pytest.approx(
        {"stuck": 5 / 6, "shut": 1 / 6}
    )


def test_choosing_dice_is_judged_as_the_throw_that_it_is() -> None:
    table = table_of(KEY, 1, ends="one-round", one_die="choice")
    play(table, throw(6, 3), {"do": "shut", "tiles": [9]}, throw(6, 2), {"do": "shut", "tiles": [8]})
    play(table, throw(6, 1), {"do": "shut", "tiles": [7]})
    solution: Any = solve(table.game)
    first, second = solution.choices(table.state, 0)
    assert {first.action["count"], second.action["count"]} == {1, 2}
    for dice in ((5,), (5, 1)):
        judged = analysis.analyse(play(table.copy(), throw(*dice)), solution).judged[-1]
        wrong = second.action["count"] == len(dice)
        assert judged.sums[0]["mistakes"] == pytest.approx(first.value - second.value if wrong else 0)
