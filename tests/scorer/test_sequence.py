"""scorer/games/sequence.py: docs/rules.md section 4."""

from __future__ import annotations

import pytest

import scorer
from tests.scorer.playing import all_throws, events, places, play, refusal_of, scores, table_of, throw

KEY = "sequence"

RUNS = [("123456", 25), ("12345", 20), ("1234", 15), ("123", 10), ("12", 5), ("", 0)]


@pytest.mark.parametrize("wipe", [False, True])
def test_section_4_every_throw(wipe: bool) -> None:
    """Section 4: "The longest run starting from 1 scores"; with the option three or more ones wipe the total."""
    game = scorer.game(KEY, three_ones_wipe=wipe, target=1000)
    start = game.start(1)._replace(scores=(40,))
    for dice in all_throws(6):
        text = "".join(map(str, dice))
        points = next(points for run, points in RUNS if all(face in text for face in run))
        wiped = wipe and text.count("1") >= 3
        assert game.apply(start, {"do": "throw", "dice": dice})[0].scores == (0 if wiped else 40 + points,), dice


def test_section_4_one_throw_a_turn() -> None:
    table = table_of(KEY, players=2)
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    play(table, throw(1, 2, 3, 3, 5, 6))
    assert (scores(table), events(table)) == ([10, 0], ["scored", "turn"])
    assert table.standing()["to_act"] == [1]
    assert refusal_of(table, throw(1, 2, 3)) == "wrong-count"


def test_section_4_the_first_to_the_target_wins_at_once() -> None:
    table = table_of(KEY, players=2)
    for _ in range(3):
        play(table, throw(1, 2, 3, 4, 5, 6), throw(2, 3, 4, 5, 6, 6))
    assert not table.over
    play(table, throw(1, 2, 3, 4, 5, 6))
    assert (scores(table), places(table)) == ([100, 0], [1, 2])
    assert table.standing()["winners"] == [0]
    assert refusal_of(table, throw(1, 2, 3, 4, 5, 6)) == "game-over"


def test_section_4_option_three_ones_wipe() -> None:
    three_ones = throw(1, 1, 1, 2, 3, 4)
    assert scores(play(table_of(KEY), throw(1, 2, 3, 4, 5, 6), three_ones)) == [40]
    table = play(table_of(KEY, three_ones_wipe=True), throw(1, 2, 3, 4, 5, 6), three_ones)
    assert scores(table) == [0]
    assert table.standing()["players"][0]["turns"] == [25, -25]
    assert scores(play(table_of(KEY, three_ones_wipe=True), throw(1, 1, 2, 3, 4, 4))) == [15]


def test_section_4_option_target() -> None:
    assert play(table_of(KEY, target=25), throw(1, 2, 3, 4, 5, 6)).over


def test_section_4_option_finish_round() -> None:
    table = table_of(KEY, players=3, target=25, finish_round=True)
    play(table, throw(2, 2, 3, 4, 5, 6), throw(1, 2, 3, 4, 5, 6))
    assert (events(table), table.over) == (["scored", "turn", "last-round"], False)
    play(table, throw(1, 2, 3, 4, 5, 6))
    assert (scores(table), places(table), table.over) == ([0, 25, 25], [3, 1, 1], True)
    last = table_of(KEY, players=2, target=25, finish_round=True)
    play(last, throw(2, 2, 3, 4, 5, 6), throw(1, 2, 3, 4, 5, 6))
    assert (events(last)[-1], last.over) == ("game-over", True)
    settled = table_of(KEY, players=2, finish_round=True)
    settled.do({"do": "adjust", "what": "total", "player": 0, "points": 100})
    assert not settled.over
    play(settled, throw(2, 2, 3, 4, 5, 6), throw(2, 2, 3, 4, 5, 6))
    assert settled.over
