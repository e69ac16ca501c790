"""docs/interfaces.md, "adjust": what a person settles by hand, in every family of games."""

import random
from typing import Any

import pytest

import scorer
from tests.scorer.playing import BANK, Action, aside, events, places, play, refusal_of, score, scores, table_of, throw
from tests.scorer.sheets import column_of, fill
from tests.scorer.test_every_game import any_action, every_game, everything


def settle(what: str, player: int = 0, **more: Any) -> Action:
    return {"do": "adjust", "what": what, "player": player, **more}


@every_game
def test_a_total_is_set_counts_in_the_places_and_is_undone(key: str) -> None:
    table = table_of(key, 3)
    rng = random.Random(3)
    for _ in range(2):
        table.do(any_action(table, rng))
    before, was = everything(table), scores(table)[1]
    table.do(settle("total", 1, points=90))
    shown = table.standing()["players"][1]
    assert (shown["score"], shown["adjusted_by"]) == (90, 90 - was)
    assert shown["adjusted"] == [{"action": table.version, "what": "total", "points": 90}]
    assert everything(scorer.Table.from_record(table.record())) == everything(table)
    table.undo()
    assert everything(table) == before


@every_game
def test_a_game_is_ended_early_with_the_places_as_they_stand_and_may_go_on(key: str) -> None:
    table = table_of(key, 2)
    rng = random.Random(4)
    for _ in range(2):
        table.do(any_action(table, rng))
    table.do(settle("total", 0, points=min(40, (table.game.wanted_total or 41) - 1)))
    standing = table.standing()
    over = {"do": "adjust", "what": "game", "over": True}
    table.do(over)
    assert (table.over, list(table.legal), places(table)) == (True, [], [each["place"] for each in standing["players"]])
    assert table.standing()["winners"] == [number for number, place in enumerate(places(table)) if place == 1]
    assert events(table) == ["adjusted", "game-over"]
    assert refusal_of(table, over) == "game-over"
    table.do({**over, "over": False})
    assert table.standing()["to_act"] == standing["to_act"]
    assert table.standing()["legal"] == standing["legal"]


@every_game
def test_what_cannot_be_settled(key: str) -> None:
    table = table_of(key, 2)
    assert refusal_of(table, {"do": "adjust"}) == "unknown-adjustment"
    assert refusal_of(table, {"do": "adjust", "what": "\x1b[2J"}) == "unknown-adjustment"
    assert refusal_of(table, {"do": "adjust", "what": "total", "player": 0}) == "missing-field"
    assert refusal_of(table, settle("total", 2, points=1)) == "not-in-range"
    assert refusal_of(table, settle("total", points="1")) == "not-in-range"
    assert refusal_of(table, settle("total", points=10**7)) == "not-in-range"
    assert refusal_of(table, settle("total", points=5, why="x")) == "unknown-field"
    assert refusal_of(table, {"do": "adjust", "what": "game", "over": 1}) == "not-true-or-false"
    assert refusal_of(table, {"do": "adjust", "what": "game", "over": False}) == "game-goes-on"


@pytest.mark.parametrize("key", ["ones-and-fives", "six-dice", "farkle", "zilch", "sequence"])
def test_the_running_turn_ends_with_what_a_person_says(key: str) -> None:
    table = table_of(key, 2, target=500)
    assert refusal_of(table, settle("turn", 1, points=50)) == "not-this-players-turn"
    assert refusal_of(table, settle("last-turn", 0, points=50)) == "not-this-players-last-turn"
    play(table, settle("turn", 0, points=350), settle("turn", 1, points=0))
    assert [player["turns"] for player in table.standing()["players"]] == [[350], [0]]
    play(table, settle("last-turn", 1, points=600))
    assert [player["turns"] for player in table.standing()["players"]] == [[350], [600]]
    assert scores(table) == [350, 600]
    once = key in ("ones-and-fives", "six-dice", "sequence")
    assert table.over == once, "the target is reached; in farkle and zilch the other has one more turn"
    play(table, settle("last-turn", 1, points=400))
    assert (table.over, table.standing()["to_act"]) == (False, [0])


def moved(to: int, points: int) -> Action:
    return settle("turn-moved", 0, to=to, points=points)


@pytest.mark.parametrize("key", ["ones-and-fives", "six-dice", "farkle", "zilch", "sequence", "pig"])
def test_the_points_of_a_turn_go_to_who_threw(key: str) -> None:
    """The turn counts for nobody else, who plays next stays, and one undo gives it back."""
    table = table_of(key, 3, target=500)
    play(table, moved(2, 350))
    first, _, third = table.standing()["players"]
    assert (first["turns"], third["turns"], scores(table), table.to_act) == ([0], [], [0, 0, 350], [1])
    assert (first["adjusted"][0]["turn"], first["adjusted_by"]) == (0, 0)
    assert ("turn" in third["adjusted"][0], third["adjusted_by"]) == (False, 350)
    table.undo()
    assert scores(table) == [0, 0, 0]
    assert "adjusted" not in table.standing()["players"][2]
    play(table, moved(2, 600))
    once = key in ("ones-and-fives", "six-dice", "sequence", "pig")
    assert (table.over, table.winners) == (once, [2] if once else []), "the total decides, as ever"


def test_who_may_have_the_points_of_a_turn() -> None:
    table = table_of("farkle", 3)
    assert refusal_of(table, moved(0, 50)) == "moved-to-himself"
    assert refusal_of(table, moved(3, 50)) == "not-in-range"
    assert refusal_of(table, settle("turn-moved", 1, to=2, points=50)) == "not-this-players-turn"
    play(table, settle("player-removed", 2))
    assert refusal_of(table, moved(2, 50)) == "player-left"
    for key in ("yahtzee", "knaster", "bunco", "threes", "score-pad"):
        assert "turn-moved" not in table_of(key, 2).game.adjustments, key


def test_moved_points_open_the_bank_of_who_has_them_and_are_no_turn_without_points() -> None:
    table = play(table_of("farkle", 2), moved(1, 500))
    play(table, throw(1, 2, 2, 3, 3, 4), aside(1))
    assert BANK in table.legal, "Bob has opened"
    zilch = play(table_of("zilch", 2), settle("turn", 0, points=0), settle("turn", 1, points=0))
    play(zilch, moved(1, 300), settle("turn", 1, points=0), settle("turn", 0, points=0))
    assert [player["busts"] for player in zilch.standing()["players"]] == [2, 1]


def test_a_turn_settled_by_hand_opens_the_bank_and_ends_the_zilches() -> None:
    table = play(table_of("farkle"), settle("turn", points=100), throw(1, 2, 2, 3, 3, 4), aside(1))
    assert BANK in table.legal
    zilch = play(table_of("zilch"), settle("turn", points=0), settle("turn", points=0))
    assert zilch.standing()["turn"]["penalty"] == 500
    play(zilch, settle("turn", points=0))
    assert (scores(zilch), zilch.standing()["turn"]["penalty"]) == ([0], 0)


def test_a_total_that_reaches_the_target_ends_the_game_and_one_below_it_goes_on() -> None:
    table = play(table_of("ones-and-fives", 2), settle("total", 1, points=10_000))
    assert table.standing()["winners"] == [1]
    play(table, settle("total", 1, points=9_950))
    assert (table.over, table.standing()["to_act"]) == (False, [0])


def test_cells_of_a_sheet_are_set_and_opened_again() -> None:
    table = fill(table_of("kosci-single"), chance=(1, 2, 3, 4, 6), ones=(1, 1, 1, 2, 3))
    play(table, settle("cell", category="sixes", points=62))
    assert (column_of(table)["upper_sum"], column_of(table)["upper_bonus"], scores(table)) == (65, 35, [116])
    play(table, settle("cell", category="chance", points=None))
    assert "chance" not in column_of(table)["cells"]
    assert refusal_of(table, settle("cell", category="pair", points=1)) == "unknown-category"
    assert refusal_of(table, settle("turn", category="sixes", points=1, bonus=0)) == "cell-filled"
    play(table, settle("turn", category="general", points=50, bonus=100))
    assert (column_of(table)["extra"], scores(table)) == (100, [250])


def test_a_sheet_that_is_full_before_the_others_is_passed_over() -> None:
    table = table_of("yatzy", 2)
    keys = [*table.standing()["sheet"]["upper"], *table.standing()["sheet"]["lower"]]
    for key in keys:
        play(table, settle("cell", 0, category=key, points=0))
    assert (table.over, table.standing()["to_act"]) == (False, [1])
    for key in keys:
        play(table, throw(1, 2, 3, 4, 6), score(key))
    assert table.over
    play(table, settle("cell", 0, category="yatzy", points=None))
    assert (table.over, table.standing()["to_act"]) == (False, [0])


def test_a_general_settled_by_hand_is_one() -> None:
    """docs/rules.md section 8: a joker wants a general that was written before."""
    table = play(table_of("kosci"), settle("cell", category="general", points=50))
    play(table, settle("cell", category="fours", points=8), throw(4, 4, 4, 4, 4))
    assert {"do": "score", "category": "full", "points": 25, "bonus": 100} in list(table.legal)


def test_figures_are_set_and_taken_away_and_throws_saved() -> None:
    table = play(table_of("drapky"), settle("cell", category="ones", points=3))
    play(table, settle("turn", category="twos", points=6, saved=5))
    player = table.standing()["players"][0]
    assert (player["figures"], player["saved"], player["score"]) == ({"ones": 3, "twos": 6}, 5, 9)
    assert table.standing()["turn"]["throws_left"] == 8
    assert refusal_of(table, settle("turn", category="ones", points=6, saved=0)) == "figure-held"
    play(table, settle("turn", category=None, points=0, saved=0), settle("cell", category="ones", points=None))
    for key in table.standing()["figures_list"]:
        play(table, settle("cell", category=key, points=10))
    assert table.over
    play(table, settle("cell", category="general", points=None))
    assert not table.over


def test_cells_of_a_grid_are_set_and_lines_count() -> None:
    row = [{"cell": [1, column], "number": 7, "circled": True} for column in range(1, 6)]
    table = play(table_of("knaster", 2), settle("cell", 1, cells=row))
    assert scores(table) == [0, 14]
    assert table.standing()["players"][1]["lines"]["r1"]["scored"]
    assert refusal_of(table, settle("turn", 0, cells=[])) == "throw-first"
    play(table, throw(3, 4), settle("turn", 0, cells=row[:1]))
    assert refusal_of(table, settle("turn", 0, cells=[])) == "already-acted"
    assert table.standing()["to_act"] == [1]
    for cells in ([1], [{"cell": [1, 1], "number": 13, "circled": False}], [{"cell": [1, 1]}], "x"):
        assert refusal_of(table, settle("cell", 0, cells=cells)) in {
            "not-an-adjusted-cell",
            "not-in-range",
            "cells-not-a-list",
        }
    empty = {"cell": [2, 2], "number": None, "circled": True}
    assert refusal_of(table, settle("cell", 0, cells=[empty])) == "cell-empty"


def test_a_grid_filled_by_hand_brings_the_last_throw() -> None:
    full = [{"cell": [row, column], "number": 7, "circled": False} for row in range(1, 6) for column in range(1, 6)]
    table = play(table_of("knaster", 2), settle("cell", 0, cells=full))
    assert table.standing()["turn"]["last_throw"]
    play(table, settle("cell", 0, cells=[{**full[0], "number": None}]))
    assert not table.standing()["turn"]["last_throw"]
    play(table, throw(1, 1), settle("cell", 0, cells=full))
    assert table.standing()["to_act"] == [1], "who has no empty cell has nothing to do"


def test_forbidden_numbers_are_set() -> None:
    table = table_of("forbidden-numbers", 2)
    assert refusal_of(table, settle("turn", points=3)) == "nothing-forbidden-yet"
    forbidden = {"do": "adjust", "what": "forbidden", "numbers": [5, 2]}
    assert refusal_of(table, {**forbidden, "numbers": [2, 2]}) == "forbidden-must-differ"
    play(table, forbidden, throw(1, 1, 1, 2, 2, 2), settle("turn", points=9), settle("turn", 1, points=4))
    assert (scores(table), table.over) == ([9, 4], True)
    play(table, settle("last-turn", 1, points=9))
    assert places(table) == [1, 1]
    assert refusal_of(table, {"do": "adjust", "what": "game", "over": False}) == "cannot-go-on"
