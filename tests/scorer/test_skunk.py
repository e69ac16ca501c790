"""scorer/games/skunk.py: docs/rules.md section 15."""

from typing import Any

import scorer
from tests.scorer.playing import Action, all_throws, events, play, refusal_of, scores, table_of, throw, turn

KEY = "skunk"


def sit(*players: int) -> list[Action]:
    return [{"do": "sit", "player": player} for player in players]


def settle(what: str, **fields: Any) -> Action:
    return {"do": "adjust", "what": what, **fields}


def turns(table: scorer.Table) -> list[list[int]]:
    return [player["turns"] for player in table.standing()["players"]]


def test_every_throw() -> None:
    """Two who stand with 9 and one who sits with them, and 6 each from the round before."""
    for dice in all_throws(2):
        table = play(table_of(KEY, 3), throw(2, 4), *sit(0, 1, 2), throw(4, 5), *sit(2), throw(*dice))
        if 1 not in dice:
            assert (turn(table)["points"], turns(table), scores(table)) == (9 + sum(dice), [[6]] * 3, [6, 6, 15])
            assert turn(table)["throw"] == list(dice)
            continue
        added = -6 if dice == (1, 1) else 0
        assert turns(table) == [[6, added], [6, added], [6, 9]]
        assert scores(table) == [6 + added, 6 + added, 15]
        assert (turn(table)["throw"], table.to_act, table.standing()["round"]) == ([], [0, 1, 2], 3)
        assert events(table) == ["skunk", "turn", "turn", "turn"]


def test_refusals() -> None:
    table = table_of(KEY, 3)
    assert refusal_of(table, *sit(0)) == "stand-for-first-throw"
    assert refusal_of(table, throw(1, 2, 3)) == "wrong-count"
    play(table, throw(3, 4), *sit(1))
    assert refusal_of(table, *sit(1)) == "sits-already"
    assert refusal_of(table, *sit(3)) == "not-in-range"
    assert refusal_of(table, {"do": "sit"}) == "missing-field"
    assert refusal_of(table, {"do": "bank"}) == "unknown-action"
    play(table, settle("player-added", name="Dan"), settle("player-removed", player=2))
    assert refusal_of(table, *sit(3)) == "joins-next-round"
    assert refusal_of(table, *sit(2)) == "player-left"
    assert refusal_of(table, settle("turn-skipped", player=1)) == "not-this-players-turn"


def test_a_person_settles_a_round() -> None:
    table = play(table_of(KEY, 2), throw(3, 4), *sit(0, 1), throw(5, 5), throw(2, 2))
    play(table, settle("cell", player=0, round=1, points=12), settle("cell", player=1, round=2, points=10))
    assert (turns(table), table.to_act, scores(table)) == ([[12], [7]], [0], [12, 17])
    play(table, settle("cell", player=1, round=2, points=None))
    assert (table.to_act, scores(table)) == ([0, 1], [12, 7])
    play(table, settle("cell", player=1, round=2, points=10), *sit(0))
    assert turns(table) == [[12, 14], [7, 10]]
    assert refusal_of(table, settle("cell", player=0, round=4, points=1)) == "not-in-range"
    play(table, settle("total", player=0, points=50), throw(1, 1))
    assert scores(table) == [0, 0], "points by hand are lost too"


def test_players_come_and_go() -> None:
    table = play(table_of(KEY, 2), settle("player-added", name="Cid"), throw(6, 5))
    assert table.to_act == [0, 1, 2], "before the first throw he stands with the others"
    play(table, settle("player-added", name="Dan"), *sit(0), settle("player-removed", player=1))
    assert table.to_act == [2]
    play(table, settle("turn-skipped", player=2))
    assert (turns(table), table.to_act) == ([[11], [0], [0], [0]], [0, 2, 3])
    play(table, throw(2, 2), *sit(0, 2), settle("player-removed", player=3))
    assert turns(table) == [[11, 4], [0, 0], [0, 4], [0, 0]], "nobody waits for who left"


def test_a_lone_player_cannot_be_skipped() -> None:
    assert refusal_of(table_of(KEY), settle("turn-skipped", player=0)) == "nobody-else"


ROUND = [throw(6, 6), *sit(1), throw(5, 5), *sit(0)]


def test_a_corrected_throw_moves_what_its_round_was_worth() -> None:
    table = play(table_of(KEY, 2), *ROUND, *ROUND)
    corrected, settled = table.proposed(1, throw(2, 2))
    assert (turns(corrected), settled) == ([[14, 22], [4, 12]], [])


def test_a_corrected_throw_that_ends_its_round_too_early_leaves_what_it_was_worth() -> None:
    table = play(table_of(KEY, 2), *ROUND, *ROUND)
    corrected, settled = table.proposed(3, throw(1, 5))
    assert turns(corrected) == turns(table)
    assert [each.actions for each in settled] == [[settle("cell", player=0, round=1, points=22)]]
    running, settled = play(table_of(KEY, 2), *ROUND, *ROUND[:3]).proposed(5, throw(1, 5))
    assert turns(running) == [[22, 0], [12, 0]], "what came after it in the running round is dropped"
    assert [each.actions for each in settled] == [[]]


def test_a_round_that_its_corrected_throw_does_not_end_is_ended() -> None:
    table = play(table_of(KEY, 2), *ROUND, throw(6, 6), *sit(1), throw(1, 1), *ROUND)
    corrected, settled = table.proposed(7, throw(2, 3))
    assert (turns(corrected), scores(corrected)) == (turns(table), scores(table))
    assert [each.actions for each in settled] == [[settle("cell", player=0, round=2, points=-22)]]


def test_another_player_who_sat_down() -> None:
    table = play(table_of(KEY, 2), *ROUND, *ROUND)
    corrected, settled = table.proposed(2, *sit(0))
    assert turns(corrected) == [[12, 22], [12, 12]], "Bob keeps what the round was worth to him"
    assert len(settled) == 1
