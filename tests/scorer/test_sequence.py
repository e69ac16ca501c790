"""scorer/games/sequence.toml: docs/rules.md section 4."""

from tests.scorer.playing import events, places, play, refusal_of, scores, table_of, throw

KEY = "sequence"


def test_section_4_one_throw_a_turn() -> None:
    table = table_of(KEY, players=2)
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    play(table, throw(1, 2, 3, 3, 5, 6))
    assert (scores(table), events(table)) == ([10, 0], ["scored", "turn"])
    assert table.standing()["to_act"] == [1]
    assert refusal_of(table, throw(1, 2, 3)) == "wrong-count"


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


def test_three_ones_take_all_points_away() -> None:
    table = play(table_of(KEY, players=1, three_ones_wipe=True), throw(1, 2, 3, 4, 5, 5), throw(1, 1, 1, 2, 3, 4))
    assert (scores(table), events(table)) == ([0], ["all-lost", "turn"])
    assert table.standing()["players"][0]["turns"] == [20, -20]
    plain = play(table_of(KEY, players=1), throw(1, 1, 1, 2, 3, 4))
    assert scores(plain) == [15]


def test_a_reopened_game_goes_on_until_the_target_is_reached_once_more() -> None:
    table = play(table_of(KEY, players=2, target=25), throw(1, 2, 3, 4, 5, 6))
    play(table, {"do": "adjust", "what": "game", "over": False}, throw(2, 2, 2, 2, 2, 2))
    assert (table.over, table.to_act) == (False, [0])
    play(table, throw(1, 2, 2, 2, 2, 2))
    assert (table.over, scores(table)) == (True, [30, 0])


def test_a_skipped_turn_ends_a_round_that_is_played_out() -> None:
    table = play(table_of(KEY, players=2, target=25, finish_round=True), throw(1, 2, 3, 4, 5, 6))
    assert not table.over
    play(table, {"do": "adjust", "what": "turn-skipped", "player": 1})
    assert table.over
