from pathlib import Path
from random import Random

import pytest

import scorer
from scorer.advice.ten_thousand import points, race
from scorer.advice.ten_thousand.turns_needed import TurnsNeeded
from scorer.tuples import LinkedList

pytestmark = pytest.mark.whole

# Games whose worths follow the laws of `test_laws`.
SMALL = {
    "few dice left": scorer.game("ones-and-fives", target=200, minimum=100, bank_with_at_most=3),
    "played out": scorer.game("ones-and-fives", target=150, minimum=0, bank_with_at_most=6, finish_round=True),
    "six dice": scorer.game("six-dice", target=250, minimum=100),
    "opening": scorer.game("farkle", target=150, opening=100),
}


@pytest.fixture(scope="module")
def farkle() -> race.RaceSolution:
    return race.SOLUTION.solve(scorer.game("farkle", target=1000))


def test_with_three_the_turns_of_the_others_say_how_soon_one_must_be_there(farkle: race.RaceSolution) -> None:
    """Who leads is likelier to win, and who is about to be overtaken risks more."""
    start = farkle.game.start(3)._replace(banked=(True, True, True))
    ahead = farkle.worth(start._replace(scores=(500, 100, 100)), 0)
    assert ahead > farkle.worth(start._replace(scores=(100, 500, 100)), 0)
    turn = start._replace(points=400, left=3, aside=LinkedList(None, (1,)), scores=(0, 0, 0))
    assert farkle.choices(turn, 0)[0].action == {"do": "bank"}
    hurry = turn._replace(scores=(0, 950, 950))
    assert farkle.choices(hurry, 0)[0].action == {"do": "throw", "count": 3}


def test_zilch_counts_busts_in_a_row_against_a_player() -> None:
    solution = race.SOLUTION.solve(scorer.game("zilch", target=1000))
    assert not solution.exact
    start = solution.game.start(2)
    worth = [solution.worth(start._replace(busts=(busts, 0)), 0) for busts in (0, 1, 2)]
    assert worth == sorted(worth, reverse=True)
    assert worth[0] - worth[2] > 0.01


def test_what_turns_bring_has_the_mean_of_the_solved_turn() -> None:
    for key in ("ones-and-fives", "farkle", "six-dice"):
        solution = points.SOLUTION.solve(scorer.game(key))
        brought = TurnsNeeded(solution.turns, 200).turn
        assert brought.sum() == pytest.approx(1)
        assert sum(steps * 50 * chance for steps, chance in enumerate(brought)) == pytest.approx(
            solution.value, abs=0.01
        )


SHIPPED = Path(__file__).resolve().parents[4] / "models" / "advice"


@pytest.mark.parametrize("key", ["ones-and-fives", "six-dice", "farkle", "zilch"])
def test_the_tables_that_rollcall_brings_are_those_of_todays_rules(key: str) -> None:
    """Each standing is worth what one turn from it leads to: so for standings of every size, drawn at random."""
    solution = race.SOLUTION.load(SHIPPED / f"{key}-race.npz", scorer.game(key))
    random = Random(9)
    for _ in range(6):
        scores = tuple(50 * random.randrange(20, 200) for _ in range(2))
        state = solution.game.start(2)._replace(scores=scores, banked=(True, True))
        places = tuple(score // 50 - solution.race.rules.lowest for score in scores)
        assert solution.worth(state, 0) == pytest.approx(
            solution.race.chance[(0, *places)], abs=2e-4 if key == "zilch" else 2e-5
        )


def test_a_total_near_the_most_that_may_be_settled_is_advised_on() -> None:
    """Tables from before totals by hand were bounded may hold such totals."""
    table = scorer.Table(scorer.game("farkle"), ["Ada", "Bob", "Cyd"])
    for player, total in enumerate((995_000, 999_999, 0)):
        table.do({"do": "adjust", "what": "total", "player": player, "points": total})
    solution = race.SOLUTION.load(SHIPPED / "farkle-race.npz", table.game)
    assert 0 <= solution.worth(table.state, 0) <= 1
    table.do({"do": "throw", "dice": [1, 5, 2, 3, 4, 6]})
    assert solution.choices(table.state, 0)
