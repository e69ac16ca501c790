"""scorer/correcting.py: a game whose record is corrected stands, in every game, wherever it is corrected."""

import json
import random
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorer
from scorer.correcting import Settlement
from scorer.game import SEATING
from scorer.pad import PadGame
from tests.scorer.playing import BANK, Action, aside, keep, play, score, scores, table_of, throw, write
from tests.scorer.sheets import column_of
from tests.scorer.test_every_game import any_action, every_game, everything, greedy_action, made_whole, randomly, tables


def likely_action(table: scorer.Table, rng: random.Random) -> Action:
    """Now greedy, now random, so that games get far and end; now and then settled by hand."""
    if rng.random() < 0.05 and (found := random_adjustment(table, rng)):
        return found
    return greedy_action(table, rng) if rng.random() < 0.6 else any_action(table, rng)


def random_adjustment(table: scorer.Table, rng: random.Random) -> Action | None:
    """An adjustment that is legal now, of any kind that the game has."""
    standing = table.standing()
    what = rng.choice(list(table.game.adjustments))
    action: Action = {"do": "adjust", "what": what}
    for name in table.game.adjustments[what].fields:
        action[name] = random_value(table, standing, name, rng)
    return action if action in table.legal else None


def random_value(table: scorer.Table, standing: dict[str, Any], name: str, rng: random.Random) -> Any:
    if name == "cells":
        places = rng.sample([[row, column] for row in range(1, 6) for column in range(1, 6)], rng.randint(0, 3))
        numbers = [rng.choice([None, 2, 7, 12]) for _ in places]
        return [
            {"cell": place, "number": number, "circled": number is not None and rng.random() < 0.5}
            for place, number in zip(places, numbers, strict=True)
        ]
    keys = standing.get("figures_list") or [
        key for part in ("upper", "lower") for key in standing.get("sheet", {}).get(part, [])
    ]
    return {
        "player": rng.choice(standing["to_act"] or [0]),
        "to": rng.randrange(len(standing["players"])),
        "points": rng.choice([0, 50, 100, 350] if not {"sheet", "pad"} & standing.keys() else [0, 12, 25, None]),
        "round": rng.randint(1, standing.get("pad", {"round": 1})["round"]),
        "text": rng.choice(["", "Ada dealt"]),
        "over": not standing["over"],
        "bonus": rng.choice([0, 100]),
        "saved": rng.randint(0, 3),
        "column": rng.choice(standing.get("sheet", {}).get("columns", [1])),
        "category": rng.choice(keys or [""]),
        "number": rng.randint(1, 4),
        "wins": rng.random() < 0.5,
        "numbers": rng.sample(range(1, 7), 2),
        "name": rng.choice(["Eva", "Ivo", "Jan", *table.players]),
        "players": rng.sample(standing["order"], len(standing["order"])),
    }[name]


def other_action(table: scorer.Table, index: int, rng: random.Random) -> Action:
    """What could have been done in place of the action `index`: mostly the same kind of action."""
    entries = list(table.legal_before(index))
    alike = [entry for entry in entries if entry["do"] == table.actions[index - 1]["do"]]
    return made_whole(rng.choice(alike if alike and rng.random() < 0.8 else entries), rng)


def play_randomly(table: scorer.Table, rng: random.Random, most: int) -> None:
    for _ in range(most):
        if table.over and rng.random() < 0.9:
            return
        if table.over:
            found = random_adjustment(table, rng)
            if found is None:
                return
            table.do(found)
        else:
            table.do(likely_action(table, rng))


def put_in_place(actions: list[Action], index: int, action: Action, settled: list[Settlement]) -> list[Action]:
    """The record that a correction is to give, made from what it says was settled."""
    made = []
    place = 1
    for each in settled:
        assert each.at >= max(place, index + 1), "in order, and after the corrected action"
        made += actions[place - 1 : each.at - 1]
        made += each.actions
        assert all(adjustment["do"] == "adjust" for adjustment in each.actions)
        place = each.at + each.drop
    made += actions[place - 1 :]
    made[index - 1] = action
    return made


@every_game
@given(data=st.data())
@settings(randomly, max_examples=6)
def test_what_came_after_a_corrected_action_stands(key: str, data: st.DataObject) -> None:
    table = data.draw(tables(key))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    play_randomly(table, rng, data.draw(st.integers(1, 80)))
    correctable = [
        index
        for index in range(1, table.version + 1)
        if table.actions[index - 1]["do"] != "adjust" and len(table.legal_before(index))
    ]
    for index in rng.sample(correctable, min(2, len(correctable))):
        check_correction(table, index, other_action(table, index, rng), rng)


def check_correction(table: scorer.Table, index: int, action: Action, rng: random.Random) -> None:
    before = everything(table)
    try:
        corrected, settled = table.proposed(index, action)
    except scorer.IllegalAction as refusal:
        seated = any(each["do"] == "adjust" and each["what"] in SEATING for each in table.actions[index:])
        contested = getattr(table.game.rules, "counts", "totals") == "rounds"  # ties may come or go
        if refusal.reason == "turn-with-other-player" and (seated or contested):
            return
        raise
    assert everything(table) == before, "nothing has been done yet"
    done = corrected.actions[index - 1]
    assert corrected.actions == put_in_place(table.actions, index, done, settled)
    check_only_settled_turns_changed(table, corrected, settled, index)
    check_record_and_undo(corrected, table)
    # The same edits, as a log keeps them, make the same game of it.
    again = scorer.Table.from_record(table.record())
    edits = json.loads(json.dumps([each.to_json() for each in settled]))
    assert again.correct(index, action, settled=edits) == 0
    assert everything(again) == everything(corrected)
    # It can be played on to its end.
    for _ in range(5):
        if not corrected.over:
            corrected.do(any_action(corrected, rng))


def check_only_settled_turns_changed(
    table: scorer.Table, corrected: scorer.Table, settled: list[Settlement], index: int
) -> None:
    """No turn of anybody is gone, except what was thrown in a turn that still runs."""
    game, course = table.game, table._steps
    if getattr(game.rules, "counts", "") == "rounds" and corrected.over and not game.may_go_on(corrected.state):
        return  # a tie that the correction undoes was not to be thrown again
    for each in settled:
        dropped = course[each.at - 1 : each.at - 1 + each.drop]
        if not game.settled_by_action:
            assert len({game.turns_done(step.before) for step in dropped}) <= 1, "of one turn"
        if table.game.may_go_on(corrected.state):
            assert each.drop == len(dropped)
    if isinstance(game, PadGame):  # a round that others must write in too goes on; no entry is gone
        kept = [entries_of(each) for each in (table, corrected)]
        assert kept[1] >= kept[0] - 1 - sum(step.action.get("points", 0) is None for step in course[index:])
        return
    turns = [game.turns_done(each.state) for each in (table, corrected)]
    # A cell that was settled by hand is filled without a turn, if the turn that had filled it now fills another.
    by_hand = sum(step.action.get("what") == "cell" for step in course[index:])
    assert turns[1] >= turns[0] - by_hand or turns[0] == game.turns_done(course[index - 1].before) + 1
    # A turn that ended since its player left, or was skipped, has brought nothing; corrected to a bust it has.
    seated = any(step.action["do"] == "adjust" and step.action["what"] in SEATING for step in course[index:])
    if game.shows_turns and turns[0] == turns[1] and not seated:
        for was, now in zip(table.standing()["players"], corrected.standing()["players"], strict=True):
            assert len(was["turns"]) == len(now["turns"])


def entries_of(table: scorer.Table) -> int:
    """How many times anybody has written on a score pad."""
    players = table.standing()["players"]
    return sum(points is not None for player in players for points in (*player["rounds"], player["now"]))


def check_record_and_undo(corrected: scorer.Table, table: scorer.Table) -> None:
    record = json.loads(json.dumps(corrected.record()))
    again = scorer.Table.from_record(record)
    assert everything(again) == everything(corrected)
    rng = random.Random(1)
    back = rng.randint(0, again.version)
    for _ in range(back):
        again.undo()
    prefix = scorer.Table.from_record({**record, "actions": record["actions"][: len(record["actions"]) - back]})
    assert everything(again) == everything(prefix)


# --- a few games checked by hand ---------------------------------------------------------------------------------


def settle(what: str, player: int, **more: Any) -> Action:
    return {"do": "adjust", "what": what, "player": player, **more}


def test_a_turn_whose_set_aside_no_longer_holds_is_worth_what_it_was() -> None:
    table = play(table_of("ones-and-fives", 2), throw(1, 1, 1, 5, 2, 3), aside(1, 1, 1, 5), BANK)
    play(table, throw(1, 1, 1, 5, 5, 2), aside(1, 1, 1, 5), BANK, throw(5, 2, 2, 3, 4, 6))
    corrected, settled = table.proposed(1, throw(1, 1, 2, 5, 2, 3))
    assert corrected.actions[:2] == [throw(1, 1, 2, 5, 2, 3), settle("turn", 0, points=1050)]
    assert corrected.actions[2:] == table.actions[3:]
    assert scores(corrected) == scores(table) == [1050, 1050]
    assert [(each.at, each.drop) for each in settled] == [(2, 2)]
    assert settled[0].because.reason == "dice-not-there"
    said, _ = table.proposed(1, throw(1, 1, 2, 5, 2, 3), said=[250])
    assert scores(said) == [250, 1050]
    assert said.standing()["players"][0]["adjusted"] == [{"action": 2, "what": "turn", "points": 250, "turn": 0}]


def test_a_throw_corrected_to_a_bust_ends_its_turn_and_the_turn_is_worth_what_it_was() -> None:
    table = play(table_of("farkle", 2), throw(1, 1, 1, 5, 5, 2), aside(1, 1, 1, 5, 5), throw(1), aside(1), BANK)
    play(table, throw(2, 2, 3, 3, 4, 6))
    corrected, settled = table.proposed(1, throw(2, 2, 3, 3, 4, 6))
    assert corrected.actions[1] == settle("last-turn", 0, points=500)
    assert (scores(corrected), settled[0].drop) == ([500, 0], 4)
    assert [player["turns"] for player in corrected.standing()["players"]] == [[500], [0]]
    while corrected.version:
        corrected.undo()
    assert corrected.standing() == table_of("farkle", 2).standing()


def test_a_turn_that_would_go_on_is_ended() -> None:
    table = play(table_of("six-dice", 2), throw(2, 2, 3, 3, 4, 6), throw(2, 2, 3, 3, 4, 6), throw(1, 2, 3, 4, 6, 6))
    corrected, settled = table.proposed(1, throw(1, 2, 3, 3, 4, 6))
    assert corrected.actions == [corrected.actions[0], settle("turn", 0, points=0), *table.actions[1:]]
    assert (settled[0].at, settled[0].drop, settled[0].because) == (2, 0, None)
    last, none = table.proposed(3, throw(1, 1, 2, 3, 4, 6))
    assert (none, last.standing()["turn"]["points"]) == ([], 200)


def test_a_cell_that_a_correction_takes_leaves_the_other_for_what_was_written_there() -> None:
    table = play(table_of("kosci", 2), throw(1, 1, 1, 2, 2), score("three"), throw(1, 2, 3, 4, 6), score("chance"))
    play(table, throw(2, 2, 3, 3, 3), score("full"), throw(6, 6, 6, 1, 2), score("sixes"))
    corrected, settled = table.proposed(2, score("full"))
    assert column_of(corrected)["cells"] == {"full": 25, "three": 25}
    assert len(settled) == 1
    assert corrected.actions[-2:] == table.actions[-2:]
    assert column_of(corrected, 1) == column_of(table, 1)


def test_a_keep_that_no_longer_holds_leaves_the_cell_as_it_was() -> None:
    """The issue's own case: step 1 of a game from 5 to 3."""
    table = play(table_of("yahtzee", 2), throw(5, 5, 2, 3, 4), keep(5, 5), throw(5, 5, 1), score("fives"))
    play(table, throw(1, 2, 3, 4, 6), score("small-straight"), throw(1, 2, 3, 4, 6), score("small-straight"))
    corrected, _ = table.proposed(1, throw(3, 5, 2, 3, 4))
    assert corrected.actions[1] == settle("turn", 0, category="fives", points=20, bonus=0)
    assert scores(corrected) == scores(table) == [50, 30]


def test_forbidden_numbers_that_turn_out_a_pair_stay_as_they_were_played() -> None:
    table = play(table_of("forbidden-numbers"), throw(1, 2), throw(3, 3, 3, 1, 2, 2))
    corrected, _ = table.proposed(1, throw(2, 2))
    assert corrected.actions[1:] == [{"do": "adjust", "what": "forbidden", "numbers": [1, 2]}, *table.actions[1:]]
    assert corrected.standing()["forbidden"] == [1, 2]


def test_a_game_that_a_correction_would_have_ended_earlier_goes_on() -> None:
    table = play(table_of("sequence", 2, target=30), throw(1, 2, 3, 3, 3, 3), throw(1, 2, 2, 2, 2, 2))
    play(table, throw(1, 2, 2, 2, 2, 2), throw(1, 2, 3, 4, 5, 6))
    corrected, _ = table.proposed(1, throw(1, 2, 3, 4, 5, 6))
    assert corrected.actions[3] == {"do": "adjust", "what": "game", "over": False}
    assert (corrected.actions[4], scores(corrected)) == (table.actions[3], [30, 30])
    assert corrected.over


def test_knaster_keeps_the_circles_of_a_throw_that_was_corrected() -> None:
    table = play(table_of("knaster", 2), throw(3, 4), write(0, 1, 1), write(1, 1, 1), throw(3, 4))
    play(table, {"do": "circle", "player": 0, "cell": [1, 1]}, write(1, 1, 2), throw(1, 1))
    corrected, settled = table.proposed(4, throw(4, 4))
    cells = [{"cell": [1, 1], "number": 7, "circled": True}]
    assert corrected.actions[4:6] == [settle("turn", 0, cells=cells), table.actions[5]]
    assert corrected.standing()["players"][1]["grid"][0][1] == {"number": 8, "circled": False}
    assert (scores(corrected), len(settled)) == ([1, 0], 1)


def test_a_correction_that_is_illegal_itself_is_refused() -> None:
    table = play(table_of("ones-and-fives", 2), throw(1, 1, 1, 5, 2, 3), aside(1, 1, 1, 5), BANK)
    for ask in (table.proposed, table.correct, partial(table.correct, drop_tail=True)):
        with pytest.raises(scorer.IllegalAction) as refusal:
            ask(1, throw(1, 1))
        assert (refusal.value.index, refusal.value.reason, table.version) == (1, "wrong-count", 3)
    with pytest.raises(scorer.IllegalAction):
        table.proposed(1, throw(1, 1, 2, 5, 2, 3), said=[10**9])
    with pytest.raises(scorer.NothingToUndo):
        table.proposed(4, throw(1, 1))


def test_points_are_moved_by_a_correction_of_an_earlier_turn() -> None:
    """Later turns stay as they were played; an earlier correction keeps what was moved."""
    straight = [throw(1, 2, 3, 4, 5, 6), aside(1, 2, 3, 4, 5, 6), BANK]
    table = play(table_of("farkle", 3), *straight, *straight, throw(2, 2, 3, 3, 4, 6), *straight)
    moved = {"do": "adjust", "what": "turn-moved", "player": 0, "to": 2, "points": 1500}
    corrected, settled = table.proposed(3, moved)
    assert (corrected.scores, settled, corrected.to_act) == ([1500, 1500, 1500], [], table.to_act)
    assert [player["turns"] for player in corrected.standing()["players"]] == [[0, 1500], [1500], [0]]
    again, settled = corrected.proposed(1, throw(1, 2, 3, 4, 5, 5))
    assert again.scores == [1500, 1500, 1500], "its turn still goes to who threw"
    bust, settled = corrected.proposed(1, throw(2, 2, 3, 3, 4, 6))
    assert bust.scores == [1500, 1500, 1500]
    assert [each["what"] for each in settled[0].actions] == ["total"]
    back, _ = corrected.proposed(3, BANK)
    assert back.standing() == table.standing()
