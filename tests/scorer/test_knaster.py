"""scorer/games/knaster.py: docs/rules.md section 9."""

from collections import Counter
from itertools import product

import pytest

import scorer
from scorer.games.knaster import line_circles
from tests.scorer.playing import (
    circle,
    circle_line,
    events,
    legal,
    play,
    refusal_of,
    scores,
    skip,
    table_of,
    throw,
    turn,
    write,
)

KEY = "knaster"


def throw_sum(total: int) -> dict[str, object]:
    return throw(max(1, total - 6), min(6, total - 1))


def put(table: scorer.Table, total: int, row: int, column: int) -> scorer.Table:
    """A lone player's round: the sum and where he writes it."""
    return play(table, throw_sum(total), write(0, row, column))


def test_section_9_every_line_of_five_numbers() -> None:
    """Section 9: its table of lines, "any order"."""
    for numbers in product(range(2, 13), repeat=5):
        counts = sorted(Counter(numbers).values())
        consecutive = max(numbers) - min(numbers) == 4 and counts == [1] * 5
        circles = {(1, 1, 3): 1, (1, 2, 2): 1, (1, 4): 2, (2, 3): 2, (5,): 3}.get(
            tuple(counts), 3 if consecutive else 0
        )
        assert line_circles(numbers) == circles, numbers


def test_section_9_one_player_in_turn_throws_and_everybody_acts_in_any_order() -> None:
    table = table_of(KEY, players=3)
    assert table.standing()["to_act"] == [0]
    assert list(table.legal) == [{"do": "throw", "count": 2}]
    assert refusal_of(table, write(0, 1, 1)) == "throw-first"
    play(table, throw(3, 6))
    assert (turn(table)["sum"], table.standing()["to_act"]) == (9, [0, 1, 2])
    assert len(table.legal) == 75
    play(table, write(2, 3, 3))
    assert (table.standing()["to_act"], turn(table)["done"]) == ([0, 1], [2])
    assert refusal_of(table, write(2, 1, 1)) == "already-acted"
    assert refusal_of(table, throw(1, 1)) == "all-must-act"
    play(table, write(0, 3, 3), write(1, 5, 5))
    assert (table.standing()["to_act"], turn(table)["player"]) == ([1], 1)
    play(table, throw(1, 1), write(0, 1, 1), write(1, 1, 1), write(2, 1, 1))
    assert table.standing()["to_act"] == [2]


def test_section_9_write_into_an_empty_cell_or_circle_one_that_holds_the_sum() -> None:
    table = play(table_of(KEY), throw(5, 6), write(0, 1, 1), throw(5, 6), write(0, 1, 2), throw(6, 5))
    assert legal(table, "circle") == [circle(0, 1, 1), circle(0, 1, 2)]
    assert refusal_of(table, write(0, 1, 1)) == "cell-taken"
    assert refusal_of(table, circle(0, 3, 3)) == "cell-empty"
    play(table, circle(0, 1, 2))
    assert scores(table) == [1]
    play(table, throw(5, 6))
    assert refusal_of(table, circle(0, 1, 2)) == "cell-circled"
    play(table, circle(0, 1, 1), throw(1, 1))
    assert refusal_of(table, circle(0, 1, 1)) == "not-the-sum"


def test_section_9_no_skipping_before_the_extra_throw() -> None:
    table = play(table_of(KEY), throw(3, 4))
    assert refusal_of(table, skip(0)) == "skip-only-last"
    assert legal(table, "skip") == []


def test_section_9_a_completed_line_must_be_circled_at_once() -> None:
    table = table_of(KEY)
    for column, number in enumerate((5, 5, 5, 7), start=1):
        put(table, number, 1, column)
    put(table, 7, 1, 5)
    assert table.standing()["to_act"] == [0]
    assert len(table.legal) == 10
    assert refusal_of(table, write(0, 2, 2)) == "circle-line-first"
    assert refusal_of(table, throw(1, 1)) == "all-must-act"
    assert refusal_of(table, circle_line(0, "r1", (1, 1))) == "circles-count"
    assert refusal_of(table, circle_line(0, "r1", (1, 1), (1, 1))) == "cell-named-twice"
    assert refusal_of(table, circle_line(0, "r1", (1, 1), (2, 1))) == "cell-not-in-line"
    assert refusal_of(table, circle_line(0, "c1", (1, 1))) == "line-gives-nothing"
    assert refusal_of(table, circle_line(0, "r6", (1, 1))) == "unknown-line"
    play(table, circle_line(0, "r1", (1, 4), (1, 1)))
    assert scores(table) == [2]
    assert list(table.legal) == [{"do": "throw", "count": 2}]


def filled_but_one(players: int = 1) -> scorer.Table:
    """Grids of which no line gives circles, all cells but (5, 5) filled."""
    table = table_of(KEY, players=players)
    for row, numbers in enumerate(NO_PATTERN, start=1):
        for column, number in enumerate(numbers, start=1):
            if (row, column) != (5, 5):
                play(table, throw_sum(number), *(write(player, row, column) for player in range(players)))
    return table


# No row, column or diagonal shows a pattern.
NO_PATTERN = ((4, 11, 9, 6, 3), (9, 8, 8, 12, 6), (5, 10, 12, 2, 8), (8, 11, 5, 9, 6), (5, 3, 3, 7, 2))


def test_section_9_the_extra_throw() -> None:
    """Section 9: "when someone has filled all 25 cells, there is one more throw, which each player may write,
    circle or skip; then it is over".
    """
    table = filled_but_one(players=2)
    play(table, throw_sum(2), write(0, 5, 5))
    assert not turn(table)["last_throw"]
    assert refusal_of(table, skip(0)) == "already-acted"
    play(table, circle(1, 3, 4))
    assert events(table) == ["last-throw"]
    assert turn(table)["last_throw"]
    assert table.standing()["to_act"] == [1]
    play(table, throw_sum(12))
    assert {entry["do"] for entry in table.legal if entry["player"] == 0} == {"circle", "skip"}
    assert {entry["do"] for entry in table.legal if entry["player"] == 1} == {"write", "circle", "skip"}
    play(table, skip(0), circle(1, 2, 4))
    standing = table.standing()
    assert (standing["over"], standing["winners"], scores(table)) == (True, [1], [0, 2])
    assert refusal_of(table, throw(1, 1)) == "game-over"


@pytest.mark.parametrize("points", [{"d1": 20}, {"d1": 20, "r1": 9}, [9, 8, 7, 6, 5, 9, 8, 7, 6, 5, 20, 10]])
def test_section_9_option_line_points(points: object) -> None:
    lines = table_of(KEY, line_points=points).standing()["lines"]
    assert (lines["d1"], lines["d2"], lines["r1"]) == (20, 10, 9)


@pytest.mark.parametrize(("score", "praise"), [(50, ""), (51, "good"), (81, "great"), (101, "spectacular")])
def test_section_9_solo(score: int, praise: str) -> None:
    """Section 9: "over 50 good, over 80 great, over 100 spectacular"."""
    game = scorer.game(KEY, line_points={"r1": score - 5})
    state = game.start(1)
    state = state._replace(grids=(state.grids[0]._replace(circled=0b11111),), over=True)
    assert game.scores(state) == [score]
    assert game.player(state, 0)["rating"] == praise


def test_section_9_a_circled_line_scores_its_points_once() -> None:
    table = table_of(KEY)
    for row, number in enumerate((2, 3, 4, 6, 12), start=1):
        put(table, number, row, 2)
    for row, number in enumerate((2, 3, 4, 6, 12), start=1):
        play(table, throw_sum(number), circle(0, row, 2))
    assert events(table) == ["line-scored"]
    assert scores(table) == [5 + 8]
    assert table.standing()["players"][0]["lines"]["c2"] == {"points": 8, "complete": True, "scored": True}
