"""docs/interfaces.md, "Players": who joins, leaves, is skipped, and in which order they play, in every game."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer
from scorer.game import SEATING
from tests.scorer.playing import (
    BANK,
    PASS,
    Action,
    aside,
    legal,
    places,
    play,
    refusal_of,
    score,
    scores,
    table_of,
    throw,
)
from tests.scorer.playing import turn as turn_of
from tests.scorer.test_correcting import check_correction, likely_action, other_action, random_value
from tests.scorer.test_every_game import any_action, every_game, everything, greedy_action, randomly

SHEETS = ["kosci-single", "kosci", "yahtzee", "yatzy"]
NOTHING = throw(2, 2, 3, 3, 4, 6)  # a bust


def rename(player: int, name: Any) -> Action:
    return {"do": "adjust", "what": "player-renamed", "player": player, "name": name}


def add(name: Any) -> Action:
    return {"do": "adjust", "what": "player-added", "name": name}


def remove(player: int) -> Action:
    return {"do": "adjust", "what": "player-removed", "player": player}


def skip_turn(player: int) -> Action:
    return {"do": "adjust", "what": "turn-skipped", "player": player}


def order(*players: int) -> Action:
    return {"do": "adjust", "what": "order", "players": list(players)}


def to_act(table: scorer.Table) -> list[int]:
    return table.standing()["to_act"]


def turns_of(table: scorer.Table) -> list[int]:
    """Whose turns the next ones are, each ended with nothing written."""
    found = []
    for _ in range(7):
        (player,) = to_act(table)
        found.append(player)
        end_turn(table)
    return found


def end_turn(table: scorer.Table) -> None:
    (player,) = to_act(table)
    standing = table.standing()
    what: dict[str, Any] = {"points": 0}
    if "sheet" in standing:
        column = standing["players"][player]["columns"][0]
        keys = [*standing["sheet"]["upper"], *standing["sheet"]["lower"]]
        what.update(category=next(key for key in keys if key not in column["cells"]), bonus=0)
    if "figures_list" in standing:
        what.update(category=None, saved=0)
    table.do({"do": "adjust", "what": "turn", "player": player, **what})


TURN_BY_TURN = [*SHEETS, "ones-and-fives", "six-dice", "farkle", "zilch", "drapky", "sequence"]
turn_by_turn = pytest.mark.parametrize("key", TURN_BY_TURN)


@every_game
def test_names_are_changed_also_when_the_game_is_over(key: str) -> None:
    table = table_of(key, 2)
    before = everything(table)
    play(table, rename(1, " Eva "))
    assert [player["name"] for player in table.standing()["players"]] == ["Ada", "Eva"] == list(table.players)
    assert table.record()["players"] == ["Ada", "Bob"], "the record begins as the game began"
    assert "adjusted" not in table.standing()["players"][1]
    assert refusal_of(table, rename(0, "Eva")) == "name-twice"
    assert refusal_of(table, rename(0, " ")) == "name-empty"
    assert refusal_of(table, rename(0, "a\x07")) == "name-unprintable"
    assert refusal_of(table, rename(0, "a" * 41)) == "name-too-long"
    assert refusal_of(table, rename(0, 7)) == "name-not-text"
    assert refusal_of(table, rename(2, "Jan")) == "not-in-range"
    play(table, {"do": "adjust", "what": "game", "over": True}, rename(0, "Jan"))
    assert table.standing()["players"][0]["name"] == "Jan"
    for _ in range(3):
        table.undo()
    assert everything(table) == before


@turn_by_turn
def test_who_is_added_plays_from_the_next_round_on(key: str) -> None:
    table = play(table_of(key, 2), add("Cid"))
    player = table.standing()["players"][2]
    assert (player["name"], player["score"], player["joining"]) == ("Cid", 0, True)
    assert turns_of(table) == [0, 1, 0, 1, 2, 0, 1]
    assert "joining" not in table.standing()["players"][2]


@every_game
def test_who_waits_for_the_next_round_begins_it_when_the_others_leave(key: str) -> None:
    for steps in range(5):
        table, rng = table_of(key), random.Random(steps)
        for _ in range(steps):
            if not table.over:
                play(table, greedy_action(table, rng))
        if not table.over:
            play(table, add("Bob"), remove(0))
            check_seats(table)
            assert table.over or to_act(table) == [1]


@turn_by_turn
def test_who_is_removed_has_no_place_and_no_turn_and_keeps_what_he_had(key: str) -> None:
    table = play(table_of(key, 3), {"do": "adjust", "what": "total", "player": 1, "points": 90})
    play(table, remove(1))
    player = table.standing()["players"][1]
    assert (player["score"], player["place"], player["out"]) == (90, None, True)
    assert (places(table), table.standing()["order"]) == ([1, None, 1], [0, 2])
    assert turns_of(table) == [0, 2, 0, 2, 0, 2, 0]
    for action in (remove(1), skip_turn(1), {"do": "adjust", "what": "total", "player": 1, "points": 5}):
        assert refusal_of(table, action) == "player-left"
    play(table, rename(1, "Robert"), remove(0))
    assert to_act(table) == [2]
    assert refusal_of(table, remove(2)) == "last-player"
    assert refusal_of(table, skip_turn(2)) == "nobody-else"
    play(table, {"do": "adjust", "what": "game", "over": True})
    assert (places(table), table.standing()["winners"]) == ([None, None, 1], [2])


@turn_by_turn
def test_who_comes_back_has_what_he_had(key: str) -> None:
    table = play(table_of(key, 3), {"do": "adjust", "what": "total", "player": 1, "points": 90}, remove(1), add("Bob"))
    assert (len(table.players), scores(table)[1], places(table)) == (3, 90, [2, 1, 2])
    assert table.standing()["order"] == [0, 2, 1]
    assert turns_of(table) == [0, 2, 0, 2, 1, 0, 2]


@turn_by_turn
def test_a_turn_that_is_skipped_is_not_written(key: str) -> None:
    table = table_of(key, 3)
    assert refusal_of(table, skip_turn(1)) == "not-this-players-turn"
    before = table.standing()["players"]
    play(table, skip_turn(0))
    assert to_act(table) == [1]
    if key != "sequence":
        play(table, throw(*[1, 1, 1, 2, 3, 5][: table.game.dice]), skip_turn(1))
        assert to_act(table) == [2]
        assert (turn_of(table)["throw"], turn_of(table)["points"]) == ([], 0)
    assert table.standing()["players"] == before


@turn_by_turn
def test_the_order_changes_from_the_next_turn_on(key: str) -> None:
    table = play(table_of(key, 3), order(2, 0, 1))
    assert turns_of(table) == [0, 1, 2, 0, 1, 2, 0]
    table = play(table_of(key, 3), order(0, 2, 1))
    assert turns_of(table) == [0, 2, 1, 0, 2, 1, 0]
    for wrong in ([0, 1], [0, 1, 1], [0, 1, 3], "012", [0, 1, 2.0]):
        assert refusal_of(table, {"do": "adjust", "what": "order", "players": wrong}) == "order-of-all"


@every_game
def test_who_has_no_place_at_the_table(key: str) -> None:
    game = scorer.game(key)
    names = [f"player {number}" for number in range(game.most_players)]
    table = scorer.Table(game, names)
    assert refusal_of(table, add("Eva")) == "no-free-place"
    play(table, remove(1), add("Eva"))
    assert refusal_of(table, add("player 1")) == "no-free-place"
    play(table, remove(2))
    assert refusal_of(table, add("Eva")) == "name-twice"
    while len(table.players) < 24:
        play(table, add(f"guest {len(table.players)}"), remove(len(table.players) - 1))
    assert refusal_of(table, add("one more")) == "no-free-place"
    play(table, add("player 2"), {"do": "adjust", "what": "game", "over": True})
    for action in (add("Jan"), remove(0), order(*table.standing()["order"])):
        assert refusal_of(table, action) == "game-over"


@pytest.mark.parametrize("key", SHEETS)
def test_a_sheet_game_is_over_when_the_sheets_of_all_who_play_are_full(key: str) -> None:
    table = play(table_of(key, 2), skip_turn(0))
    end_turn(table)
    play(table, add("Cid"))
    turns = 0
    while not table.over:
        end_turn(table)
        turns += 1
    cells = len(table.standing()["sheet"]["upper"]) + len(table.standing()["sheet"]["lower"])
    assert turns == 3 * cells - 1, "the skipped turn is made up, and who came later fills his sheet"
    table = play(table_of(key, 2))
    while len(table.standing()["players"][0]["columns"][0]["cells"]) < cells:
        end_turn(table)
    play(table, remove(1))
    assert table.over, "he was the only one with an open cell"
    assert places(table) == [1, None]


def test_in_forbidden_numbers_everybody_has_all_his_turns() -> None:
    table = play(table_of("forbidden-numbers", 2, rounds=2), throw(2, 2), skip_turn(0), throw(1, 2))
    play(table, throw(1, 1, 1, 3, 3, 3), skip_turn(1))
    assert (scores(table), to_act(table)) == ([0, 0], [0])
    play(table, add("Cid"))
    done: list[int] = []
    while not table.over:
        done += to_act(table)
        end_turn(table)
    assert sorted(done) == [0, 0, 1, 1, 2, 2]
    assert table.standing()["round"] == 2
    table = play(table_of("forbidden-numbers", 2), throw(1, 2), throw(1, 1, 1, 2, 2, 2), remove(1))
    assert (table.over, places(table)) == (True, [1, None])


def test_throws_that_were_saved_stay_saved_when_a_turn_is_skipped() -> None:
    table = play(table_of("drapky", 2), PASS, PASS, throw(1, 2, 3, 4, 5, 6), skip_turn(0))
    assert table.standing()["players"][0]["saved"] == 3
    play(table, PASS)
    assert turn_of(table)["throws_left"] == 6


def test_the_last_round_is_played_without_who_had_reached_the_target() -> None:
    table = play(table_of("farkle", 3, target=500), throw(1, 1, 1, 1, 2, 3), aside(1, 1, 1, 1), BANK)
    assert table.standing()["last_round"] == 0
    play(table, remove(0))
    assert (table.standing()["last_round"], to_act(table)) == (None, [1])
    table = play(table_of("farkle", 3, target=500), throw(1, 1, 1, 1, 2, 3), aside(1, 1, 1, 1), BANK, NOTHING)
    play(table, skip_turn(2))
    assert table.over, "a skipped last turn is none"
    assert table.standing()["winners"] == [0]
    table = play(table_of("ones-and-fives", 2, target=500, finish_round=True), order(1, 0))
    play(table, {"do": "adjust", "what": "turn", "player": 0, "points": 600})
    assert table.over, "he was the last of the round"


def test_zilches_in_a_row_do_not_count_a_turn_that_was_skipped() -> None:
    table = table_of("zilch", 2)
    for player in (0, 1):
        play(table, {"do": "adjust", "what": "turn", "player": player, "points": 0})
    play(table, skip_turn(0))
    assert table.standing()["players"][0]["busts"] == 1


def test_in_knaster_nobody_waits_for_who_left_or_is_skipped() -> None:
    table = play(table_of("knaster", 3), throw(3, 4), {"do": "write", "player": 0, "cell": [1, 1]}, add("Dan"))
    assert to_act(table) == [1, 2], "who joins has nothing to do with this throw"
    play(table, skip_turn(1), remove(2))
    assert (turn_of(table)["player"], to_act(table)) == (1, [1])
    play(table, throw(1, 1))
    assert to_act(table) == [0, 1, 3]
    play(table, remove(1))
    for player in (0, 3):
        play(table, {"do": "write", "player": player, "cell": [2, 2]})
    assert turn_of(table)["player"] == 3
    play(table, skip_turn(3))
    assert turn_of(table)["player"] == 0
    play(table, remove(0), throw(2, 2), {"do": "write", "player": 3, "cell": [3, 3]})
    assert (places(table), to_act(table)) == ([None, None, None, 1], [3])


def test_a_grid_that_left_brings_no_last_throw() -> None:
    full = [{"cell": [row, column], "number": 7, "circled": False} for row in range(1, 6) for column in range(1, 6)]
    table = play(table_of("knaster", 2), {"do": "adjust", "what": "cell", "player": 1, "cells": full})
    assert turn_of(table)["last_throw"]
    play(table, remove(1))
    assert not turn_of(table)["last_throw"]


def seating(table: scorer.Table, rng: random.Random) -> Action | None:
    """One of the actions that say who plays, if it is legal now."""
    what = rng.choice(list(SEATING))
    action: Action = {"do": "adjust", "what": what}
    for name in SEATING[what].fields:
        action[name] = random_value(table, table.standing(), name, rng)
    if "player" in action and rng.random() < 0.5:
        action["player"] = rng.randrange(len(table.players))
    return action if action in table.legal else None


def play_and_change_seats(table: scorer.Table, rng: random.Random, most: int) -> None:
    for _ in range(most):
        found = seating(table, rng) if rng.random() < 0.2 else None
        if found is not None:
            table.do(found)
        elif table.over:
            return
        else:
            table.do(likely_action(table, rng))
        check_seats(table)


def check_seats(table: scorer.Table) -> None:
    standing = table.standing()
    order_, players = standing["order"], standing["players"]
    assert len(order_) == len(set(order_)) >= 1
    assert {number for number, player in enumerate(players) if "out" not in player} == set(order_)
    assert set(standing["to_act"]) <= set(order_)
    assert bool(standing["to_act"]) != standing["over"]
    assert bool(list(table.legal)) != standing["over"]
    assert all((player["place"] is None) == ("out" in player) for player in players)
    assert sorted(player["place"] for player in players if player["place"])[0] == 1


@pytest.mark.whole
@every_game
@given(data=st.data())
@settings(randomly, max_examples=8)
def test_players_come_and_go_in_random_play(key: str, data: st.DataObject) -> None:
    """No crash, undo is exact, the record gives the same standing, and every earlier action can be corrected."""
    count = data.draw(st.integers(1, 4))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    table = scorer.Table(scorer.game(key), [f"player {number}" for number in range(count)])
    play_and_change_seats(table, rng, data.draw(st.integers(1, 90)))
    record = json.loads(json.dumps(table.record()))
    assert everything(scorer.Table.from_record(record)) == everything(table)
    states = [everything(table)]
    for _ in range(min(10, table.version)):
        table.undo()
        states.append(everything(table))
    while states:
        prefix = {**record, "actions": record["actions"][: table.version]}
        assert states.pop() == everything(table) == everything(scorer.Table.from_record(prefix))
        if states:
            table.do(record["actions"][table.version])
    while not table.over and table.version < 150:
        table.do(any_action(table, rng))
    for index in rng.sample(range(1, table.version + 1), min(2, table.version)):
        if table.actions[index - 1]["do"] != "adjust" and len(table.legal_before(index)):
            check_correction(table, index, other_action(table, index, rng), rng)


def test_a_correction_keeps_who_plays() -> None:
    table = play(table_of("farkle", 2, opening=0), throw(1, 1, 1, 5, 2, 3), add("Cid"), aside(1, 1, 1, 5), BANK)
    play(table, NOTHING, skip_turn(0), throw(5, 5, 5, 5, 5, 5), aside(5, 5, 5, 5, 5, 5), BANK)
    corrected, settled = table.proposed(1, throw(2, 1, 1, 5, 2, 3))
    assert (scores(corrected), len(settled)) == (scores(table), 1)
    assert corrected.players == table.players
    assert to_act(corrected) == to_act(table)


def test_a_sheet_is_written_by_who_has_the_turn() -> None:
    table = play(table_of("yatzy", 2), throw(1, 2, 3, 4, 5), skip_turn(0), throw(1, 2, 3, 4, 6), score("chance"))
    assert (scores(table), to_act(table)) == ([0, 16], [0])
    assert legal(table, "throw") == [{"do": "throw", "count": 5}]


def test_a_step_that_says_who_plays_is_corrected_only_while_later_turns_stay_with_their_players() -> None:
    left = play(table_of("zilch", 2), throw(1, 5, 5, 2, 2, 1), remove(0), throw(1, 1, 1, 2, 2, 2))
    joined = play(table_of("knaster"), add("Bob"), throw(1, 2))
    play(joined, *(next(entry for entry in joined.legal if entry["player"] == player) for player in (0, 1)))
    for table, index, action in ((left, 2, aside(5)), (joined, 1, throw(3, 4))):
        before = everything(table)
        with pytest.raises(scorer.IllegalAction) as refusal:
            table.proposed(index, action)
        assert refusal.value.reason == "turn-with-other-player"
        assert everything(table) == before
