"""scorer/advice/skunk.py, against sums over all throws."""

from fractions import Fraction

import pytest

import scorer
from scorer.advice import odds, skunk
from scorer.advice.analysis import analyse
from tests.scorer.playing import play, table_of, throw
from tests.scorer.test_skunk import sit


@pytest.fixture(scope="module")
def solution() -> skunk.SkunkSolution:
    return skunk.SkunkSolution(scorer.game("skunk"))


@pytest.mark.parametrize(("total", "least"), [(0, 19), (20, 17), (50, 14), (100, 10), (200, 4)])
def test_the_more_there_is_to_lose_the_sooner_best_play_sits(
    solution: skunk.SkunkSolution, total: int, least: int
) -> None:
    for points in range(4, 39):
        state = scorer.game("skunk").start(1)._replace(points=points, throw=(6, 6), adjusted=(total,))
        assert (solution.choices(state, 0)[0].action["do"] == "sit") == (points >= least), points


def test_who_stands_chose_the_throw_and_has_its_luck(solution: skunk.SkunkSolution) -> None:
    """Cid, who sits, has none of it; Ada, who should have sat down long ago, made a mistake."""
    table = play(table_of("skunk", 3), throw(6, 6), throw(6, 4), *sit(2), throw(5, 5), *sit(1), throw(6, 1))
    found = analyse(table, solution)
    for player in range(3):
        sums = {name: found.total(player, name) for name in ("luck", "mistakes", "others", "settled")}
        assert found.result[player] == pytest.approx(found.start[player] + sums["luck"] - sums["mistakes"])
        assert sums["others"] == pytest.approx(0)
    last = found.judged[-1]
    assert last.player is None
    assert last.sums[0]["mistakes"] > 3
    assert last.sums[1] == last.sums[2] == pytest.approx({"luck": 0, "mistakes": 0})


def test_odds_of_the_next_throw() -> None:
    table = play(table_of("skunk"), throw(3, 4))
    assert odds(table.game, table.state, 0, {"do": "throw"}) == {"bust": Fraction(10, 36), "all-lost": Fraction(1, 36)}
    assert odds(table.game, table.state, 0, *sit(0)) == {}
    again = table_of("skunk", first_throw_counts=False)
    assert odds(again.game, again.state, 0, {"do": "throw"}) == {}
