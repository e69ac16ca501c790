"""A table through the eyes of its phones: acting, being late, repeating, undoing, correcting, starting again."""

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from tests.web import under_review
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, bring, device_of, send_record, start
from tests.web.postgres import both_engines
from tests.web.statistics.results import results_of
from web.runner import runner
from web.services import services


def test_a_set_aside_says_whether_it_would_allow_banking(phone: Phone) -> None:
    phone.throw(1, 1, 1, 5, 2, 4)
    choices = {tuple(entry["dice"]): entry for entry in phone.standing["legal"]}
    assert choices[1, 1, 1, 5]["may_bank"] is True
    assert choices[1, 1, 1]["bank_refusal"]["reason"] == "too-many-dice-left"
    assert choices[5,]["bank_refusal"]["reason"] == "bank-needs-minimum"


@both_engines
def test_of_two_phones_one_wins_and_the_other_is_told(app: Flask, phone: Phone) -> None:
    other = Phone(app.test_client(), phone.base)
    assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
    late = other.throw(5, 5, 5, 2, 3, 4)
    assert (late.status_code, late.get_json()["reason"]) == (409, "stale")
    assert other.look()["standing"]["turn"]["throw"] == [1, 1, 6, 6, 3, 4]


@both_engines
def test_a_request_that_is_sent_twice_counts_once(phone: Phone) -> None:
    throw = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
    for _ in range(2):
        response = phone.post("actions", version=0, request="the-same-request", action=throw)
        assert (response.status_code, response.get_json()["version"]) == (200, 1)


def test_an_illegal_action_is_refused_with_its_reason(phone: Phone) -> None:
    refused = phone.throw(1, 2)
    assert refused.status_code == 422
    error = refused.get_json()
    assert error["reason"] == "wrong-count"
    assert error["params"]["expected"] == 6
    assert error["detail"] == "This throw has 6 dice, got 2"
    assert phone.look()["version"] == 0


def test_an_option_of_any_name_is_refused_with_a_sentence(client: FlaskClient) -> None:
    record: dict[str, Any] = {"format": 1, "game": "farkle", "players": ["Ada"], "actions": []}
    form = {"game": "farkle", "player": ["Ada"], "farkle.self": "1"}
    answers = [client.post("/tables", data=form, headers=JSON)]
    answers += [send_record(client, {**record, "options": options}, **JSON) for options in ({"self": 1}, {"file": "x"})]
    for answer, name in zip(answers, ("self", "self", "file"), strict=True):
        assert (answer.status_code, answer.get_json()["reason"]) == (422, "unknown-option")
        assert f"There is no option {name} in this game" in answer.get_json()["detail"]


def test_undo_takes_back_and_is_seen(phone: Phone) -> None:
    phone.throw(1, 1, 6, 6, 3, 4)
    assert phone.post("undo").status_code == 200
    assert phone.standing["turn"]["expects"] == 6
    assert phone.state["recent"][-1]["kind"] == "undo"
    assert phone.post("undo").get_json()["reason"] == "nothing-to-undo"


def test_an_undo_is_shown_before_it_is_done(phone: Phone) -> None:
    nothing = phone.client.get(f"/api/v1{phone.base}/undo/preview", headers=JSON)
    assert (nothing.status_code, nothing.get_json()["reason"]) == (422, "nothing-to-undo")
    phone.throw(1, 1, 1, 5, 2, 4)
    phone.act(do="set-aside", dice=[1, 1, 1, 5])
    phone.act(do="bank")
    shown = phone.get("undo/preview")
    assert (shown["version"], shown["move"]["action"]) == (3, {"do": "bank"})
    assert [score["score"] for score in (shown["before"][0], shown["after"][0])] == [1050, 0]
    assert shown["turn"] == [0, 1050]
    assert phone.look()["version"] == 3


def test_the_log_tells_what_was_undone_and_corrected(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", "Bob"))
    ones, twos, threes = ({"do": "throw", "dice": [value] * 6} for value in (1, 2, 3))
    phone.throw(*ones["dice"])
    phone.throw(*twos["dice"])
    phone.post("undo")
    phone.post("corrections", step=1, action=threes, drop_tail=False)
    history = phone.get("history")
    assert [line["changed"] for line in history["log"]] == [
        None,
        None,
        {"player": 1, "action": twos},
        {"action": ones, "dropped": 0},
    ]
    assert [move["seq"] for move in history["moves"]] == [1]


def test_a_correction_names_the_state_that_was_shown(app: Flask, phone: Phone) -> None:
    phone.throw(1, 1, 1, 5, 2, 4)
    wrong = {"do": "throw", "dice": [1, 1, 2, 5, 2, 4]}
    shown = phone.post("corrections/preview", step=1, action=wrong).get_json()
    assert (shown["version"], shown["seq"], shown["dropped"]) == (1, 1, 0)
    assert shown["was"]["dice"] == [1, 1, 1, 5, 2, 4]
    assert Phone(app.test_client(), phone.base).act(do="set-aside", dice=[1, 1, 1, 5]).status_code == 200
    late = phone.post("corrections", version=shown["version"], step=1, action=wrong, drop_tail=True)
    assert (late.status_code, late.get_json()["reason"]) == (409, "stale")
    assert phone.look()["steps"] == 2


def test_a_phone_bound_to_a_player_does_not_discard_anothers_photo(app: Flask, phone: Phone) -> None:
    under_review.put(app, phone.key, {"id": "a-photo", "status": "read", "device": "", "dice": [], "version": 0})
    refused = phone.client.delete(f"/api/v1{phone.base}/photos/a-photo?plays_for=1", headers=JSON)
    assert refused.status_code == 403
    assert refused.get_json()["detail"] == "This phone plays for Bob only, and it is not Bob's turn."
    assert phone.look()["pending"] is not None
    assert phone.client.delete(f"/api/v1{phone.base}/photos/a-photo?plays_for=0", headers=JSON).status_code == 200
    assert phone.look()["pending"] is None


def test_phones_without_a_name_are_told_apart(app: Flask) -> None:
    android = {"User-Agent": "Mozilla/5.0 (Linux; Android 14)"}

    def throws(client: FlaskClient, base: str, version: int) -> str:
        body = {"version": version, "request": f"request-{version}", "action": {"do": "throw", "dice": [2] * 6}}
        done = client.post(f"/api/v1{base}/actions", json=body, headers={**JSON, **android})
        assert done.status_code == 200
        return str(done.get_json()["recent"][-1]["device"])

    clients = [app.test_client() for _ in range(3)]
    base = start(clients[0], "sequence", "Ada", "Bob")
    for client in clients:
        client.get(base)  # which gives the phone its id
    clients[2].set_cookie("device-name", "Tablet")
    names = [throws(client, base, version) for version, client in enumerate([*clients, *clients])]
    assert names == ["Android", "Android 2", "Tablet"] * 2
    elsewhere = start(clients[1], "sequence", "Ada", "Bob")
    assert throws(clients[1], elsewhere, 0) == "Android", "alone there"
    services(app).runner._cache.clear()  # as after a restart
    clients[1].get(base)
    assert throws(clients[1], base, 6) == "Android 2", "the one that it was before"


def banked_twice(phone: Phone) -> None:
    """Ada has banked 1050 and Bob 1000; Ada has thrown again."""
    for dice, aside in (((1, 1, 1, 5, 2, 4), [1, 1, 1, 5]), ((1, 1, 1, 2, 2, 4), [1, 1, 1])):
        phone.throw(*dice)
        phone.act(do="set-aside", dice=aside)
        if len(aside) == 3:
            phone.throw(5, 5, 2)
            phone.act(do="set-aside", dice=[5])
        phone.act(do="bank")
    phone.throw(1, 2, 3, 3, 4, 4)


def test_a_correction_is_shown_before_it_is_done_and_the_rest_of_the_game_stands(phone: Phone) -> None:
    banked_twice(phone)
    steps = phone.look()["steps"]
    wrong = {"do": "throw", "dice": [1, 1, 2, 5, 2, 4]}
    shown = phone.post("corrections/preview", step=1, action=wrong).get_json()
    assert [each["score"] for each in shown["before"]] == [each["score"] for each in shown["after"]] == [1050, 1050]
    assert shown["dropped"] == 0
    settled = shown["settled"][0]
    adjustment = {"do": "adjust", "what": "turn", "player": 0, "points": 1050}
    assert (settled["drop"], settled["adjustments"]) == (2, [adjustment])
    assert settled["because"]["params"]["dice"] == [1, 1, 1, 5]
    allowed = [([*each["dice"]], each["points"]) for each in settled["allowed"]]
    assert allowed == [([1, 1, 5], 250), ([1, 1], 200), ([1, 5], 150), ([1], 100), ([5], 50)], "with this throw"
    asked = {"step": 1, "action": wrong, "said": [250]}
    told = phone.post("corrections/preview", **asked).get_json()
    assert told["after"][0]["score"] == 250
    assert phone.look()["steps"] == steps
    assert phone.post("corrections", step=1, action=wrong, drop_tail=False).status_code == 422
    assert phone.post("corrections", step=1, action=wrong, said=[250]).status_code == 200
    assert [player["score"] for player in phone.standing["players"]] == [250, 1050]
    assert phone.standing["turn"]["throw"] == [1, 2, 3, 3, 4, 4], "what is on the table stays"
    assert phone.standing["players"][0]["adjusted"][0]["points"] == 250


def test_what_a_correction_settled_is_a_step_of_who_corrected(app: Flask, phone: Phone) -> None:
    banked_twice(phone)
    other = Phone(app.test_client(), phone.base)
    wrong = {"do": "throw", "dice": [1, 1, 2, 5, 2, 4]}
    assert other.post("corrections", step=1, action=wrong, said=[]).status_code == 200
    history = phone.get("history")
    made = history["moves"][1]
    assert (made["action"]["do"], made["seq"], made["player"]) == ("adjust", other.state["version"], 0)
    assert history["moves"][0]["corrected_by"] == made["device"]
    assert history["log"][-1]["changed"]["settled"] == 1
    assert len(history["moves"]) == other.state["steps"]
    assert other.post("undo").status_code == 200, "the throw that is on the table"


def test_a_correction_of_a_set_aside_shows_what_else_there_was(phone: Phone) -> None:
    banked_twice(phone)
    was = {"do": "set-aside", "dice": [1, 1, 1, 5]}
    found = phone.post("corrections/preview", step=2, action=was).get_json()
    choices = found["choices"]
    assert [1, 1, 1] in [entry["dice"] for entry in choices]
    assert found["settled"] == []
    assert phone.post("corrections", step=2, action=choices[1], said=[]).status_code == 200


def test_a_record_that_was_dropped_long_ago_is_read_as_ever(phone: Phone) -> None:
    phone.throw(1, 1, 1, 5, 2, 4)
    phone.act(do="set-aside", dice=[1, 1, 1, 5])
    phone.act(do="bank")
    wrong = {"do": "throw", "dice": [1, 1, 2, 5, 2, 4]}
    assert phone.post("corrections", step=1, action=wrong, drop_tail=True).status_code == 200
    assert phone.standing["turn"]["throw"] == [1, 1, 2, 5, 2, 4]
    history = phone.get("history")
    assert [move["action"]["do"] for move in history["moves"]] == ["throw"]
    assert history["moves"][0]["corrected_by"]
    assert len(history["log"]) == 4
    assert history["log"][-1]["changed"]["dropped"] == 2


@pytest.mark.parametrize("said", ["x", [1.5], [True], {"0": 1}, [10**9]])
def test_points_that_nobody_can_mean_are_refused(phone: Phone, said: Any) -> None:
    banked_twice(phone)
    wrong = {"do": "throw", "dice": [1, 1, 2, 5, 2, 4]}
    before = phone.look()
    answer = phone.post("corrections", step=1, action=wrong, said=said)
    assert answer.status_code in (400, 422)
    assert phone.look() == before


def test_a_person_settles_a_total_on_any_phone(phone: Phone) -> None:
    banked_twice(phone)
    assert phone.act(do="adjust", what="total", player=1, points=1000).status_code == 200
    assert phone.standing["players"][1]["score"] == 1000
    bound = phone.post("actions", action={"do": "adjust", "what": "total", "player": 1, "points": 5}, plays_for=0)
    assert bound.get_json()["reason"] == "other-players-turn"
    assert phone.post("undo").status_code == 200
    assert phone.standing["players"][1]["score"] == 1050


@both_engines
def test_the_table_stands_as_it_was_after_a_restart(tmp_path: Path, database: str | None) -> None:
    first = create_app(tmp_path, database=database, reads=True)
    phone = Phone(first.test_client(), start(first.test_client(), "kosci", "Ada"))
    phone.throw(3, 3, 5, 3, 1)
    phone.act(do="keep", dice=[3, 3, 3])
    phone.throw(3, 6)
    phone.post("undo")
    phone.throw(3, 3)
    phone.act(do="score", category="general")
    before = phone.look()["standing"]
    moves = phone.get("history")["moves"]
    services(first).close()
    second = create_app(tmp_path, database=database, reads=True)
    again = Phone(second.test_client(), phone.base)
    assert again.standing == before
    assert again.get("history")["moves"] == moves
    services(second).close()


def test_a_keep_is_told_and_taken_back_with_its_throw(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "kosci", "Ada"))
    phone.throw(3, 3, 5, 3, 1)
    assert phone.post("actions", action={"do": "throw", "dice": [3, 6]}, keep=[3, 3, 3]).status_code == 200
    assert phone.standing["turn"]["dice"] == [3, 3, 3, 3, 6]
    record = phone.record()
    assert [action["do"] for action in record["actions"]] == ["throw", "keep", "throw"]
    shown = phone.get("undo/preview")
    assert shown["move"]["action"] == {"do": "throw", "dice": [3, 6]}
    assert phone.post("undo").status_code == 200
    assert phone.standing["turn"]["dice"] == [1, 3, 3, 3, 5]
    assert phone.state["steps"] == 1
    history = phone.get("history")
    assert [line["changed"]["action"]["do"] for line in history["log"][3:]] == ["throw", "keep"]


@pytest.mark.parametrize(
    ("dice", "keep", "status"),
    [
        ([3], [3, 3, 3], 422),  # one die of two
        ([3, 6], [3, 3, 4], 422),
        ([], [1, 3, 3, 3, 5], 422),
        ([3, 6], [3, 3, True], 400),
        ([3, 6], "333", 400),
        ([3, 6], [3] * 7, 400),
    ],
)
def test_a_keep_is_not_recorded_when_its_throw_is_refused(
    client: FlaskClient, dice: list[int], keep: object, status: int
) -> None:
    phone = Phone(client, start(client, "kosci", "Ada"))
    phone.throw(3, 3, 5, 3, 1)
    refused = phone.post("actions", action={"do": "throw", "dice": dice}, keep=keep)
    assert refused.status_code == status, refused.get_json()
    assert phone.look()["steps"] == 1
    assert phone.standing["turn"]["dice"] == [1, 3, 3, 3, 5]
    assert any(entry["do"] == "score" for entry in phone.standing["legal"])


def throw_with_forced_step(phone: Phone, *dice: int, **more: Any) -> Any:
    return phone.post("actions", action={"do": "throw", "dice": list(dice)}, forced=True, **more)


def test_a_single_set_aside_is_done_with_its_throw_and_taken_back_with_it(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "farkle"))
    before = phone.standing
    for _ in range(2):  # sent twice, it counts once and is answered the same
        state = throw_with_forced_step(phone, 5, 2, 3, 3, 4, 6, version=0, request="one-and-the-same").get_json()
        assert (state["version"], state["steps"]) == (2, 2)
    assert phone.standing["turn"]["set_aside"] == [[5]]
    assert (state["last_move"]["action"], state["last_move"]["gained"]) == ({"do": "set-aside", "dice": [5]}, 50)
    assert [each["action"] for each in state["came_with"]] == [{"do": "throw", "dice": [5, 2, 3, 3, 4, 6]}]
    assert [line["request"] for line in state["recent"]] == ["one-and-the-same", "with-one-and-the-same"]
    assert phone.post("undo").get_json()["steps"] == 0
    assert phone.standing == before
    assert (phone.state["came_with"], phone.state["version"]) == ([], 4)
    throw_with_forced_step(phone, 5, 2, 3, 3, 4, 6)
    throw = {"do": "throw", "dice": [1, 2, 3, 3, 4, 6]}
    assert phone.post("corrections", step=1, action=throw, said=[]).status_code == 200
    assert phone.standing["turn"]["set_aside"] == [], "the five is no longer there: the turn goes on from the throw"


def test_a_choice_is_left_to_people_and_scripts_get_what_they_asked_for(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "farkle"))
    assert throw_with_forced_step(phone, 1, 1, 3, 3, 4, 6).get_json()["steps"] == 1
    phone.act(do="set-aside", dice=[1])
    assert phone.state["came_with"] == []
    assert "gained" not in phone.state["last_move"]
    phone.throw(5, 2, 3, 3, 4)
    assert (phone.state["steps"], phone.state["came_with"]) == (3, [])
    phone.act(do="set-aside", dice=[5])
    assert phone.post("undo").get_json()["steps"] == 3
    other = Phone(client, start(client, "six-dice"))
    assert throw_with_forced_step(other, 5, 2, 3, 3, 4, 6).get_json()["steps"] == 1
    bust = Phone(client, start(client, "farkle"))
    assert throw_with_forced_step(bust, 2, 2, 3, 3, 4, 6).get_json()["standing"]["to_act"] == [1]


THREE_ONES = {"do": "throw", "dice": [1, 1, 1, 5, 3, 4]}
ASIDE = {"do": "set-aside", "dice": [1, 1, 1, 5]}
BANK = {"do": "bank"}


def test_several_actions_are_one_request_and_one_undo(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "ones-and-fives"))
    before = phone.standing
    for _ in range(2):  # sent twice, they count once
        state = phone.post(
            "actions", action=THREE_ONES, then=[ASIDE, BANK], version=0, request="all-at-once"
        ).get_json()
        assert (state["version"], state["steps"]) == (3, 3)
    assert (phone.standing["players"][0]["score"], phone.standing["to_act"]) == (1050, [1])
    assert [each["action"] for each in [*state["came_with"], state["last_move"]]] == [THREE_ONES, ASIDE, BANK]
    assert "gained" not in state["came_with"][1], "somebody chose it"
    assert phone.post("undo").get_json()["steps"] == 0
    assert phone.standing == before
    phone.post("actions", action=THREE_ONES, then=[ASIDE])
    assert phone.act(**BANK).status_code == 200
    assert phone.post("undo").get_json()["steps"] == 2, "the bank had a request of its own"
    assert phone.post("undo").get_json()["steps"] == 0


def test_dice_kept_a_throw_and_a_cell_are_one_request_and_one_undo(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "yahtzee"))
    phone.throw(1, 3, 3, 3, 5)
    write = {"do": "score", "category": "general"}
    state = phone.post("actions", action={"do": "throw", "dice": [3, 3]}, keep=[3, 3, 3], then=[write]).get_json()
    assert (state["steps"], len(state["came_with"]), phone.standing["players"][0]["score"]) == (4, 2, 50)
    assert phone.post("undo").get_json()["steps"] == 1


@pytest.mark.parametrize(
    ("action", "then", "status", "at"),
    [
        (THREE_ONES, [{"do": "set-aside", "dice": [2]}, BANK], 422, "then[0]"),
        (THREE_ONES, [ASIDE, BANK, BANK], 422, "then[2]"),
        (BANK, [THREE_ONES], 422, "action"),
        (THREE_ONES, [{"do": "adjust", "what": "total", "player": 0, "points": 10**7}], 422, "then[0]"),
        (THREE_ONES, [{"do": "adjust", "what": "player-renamed", "player": 0, "name": "bob"}], 422, "then[0]"),
        (THREE_ONES, [ASIDE] * 5, 400, None),
    ],
    ids=["not these dice", "twice", "the first", "too many points", "a name alike", "too many"],
)
def test_of_several_actions_all_are_done_or_none(
    client: FlaskClient, action: dict[str, Any], then: list[dict[str, Any]], status: int, at: str | None
) -> None:
    phone = Phone(client, start(client, "ones-and-fives", "Ada", "Bob"))
    before = phone.look()
    refused = phone.post("actions", action=action, then=then)
    assert (refused.status_code, refused.get_json()["params"].get("at")) == (status, at), refused.get_json()
    assert phone.look() == before


def test_a_phone_does_for_others_nothing_among_several_actions(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "knaster", "Ada", "Bob"))
    throw = {"do": "throw", "dice": [1, 5]}

    def write(player: int) -> Any:
        then = [{"do": "write", "player": player, "cell": [1, 1]}]
        return phone.post("actions", action=throw, then=then, plays_for=0)

    assert (write(1).status_code, phone.look()["version"]) == (403, 0)
    assert (write(0).status_code, phone.look()["version"]) == (200, 2)


def test_the_longest_game_has_no_more_steps_for_what_comes_with_a_throw(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scorer, "MOST_ACTIONS", 2)
    phone = Phone(client, start(client, "farkle"))
    phone.throw(2, 2, 3, 3, 4, 6)
    assert throw_with_forced_step(phone, 5, 2, 3, 3, 4, 6).get_json()["steps"] == 2
    keeping = Phone(client, start(client, "yahtzee"))
    keeping.throw(1, 2, 3, 4, 6)
    told = keeping.post("actions", action={"do": "throw", "dice": [5, 5, 5, 5]}, keep=[1]).get_json()
    assert told["reason"] == "game-too-long"


def test_a_game_is_not_corrected_so_often_that_its_table_cannot_be_loaded(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.table.game_decisions.MOST_REPLAYED", 5)
    phone = Phone(client, start(client, "farkle"))
    for _ in range(3):
        phone.throw(2, 2, 3, 3, 4, 6)
    for bust in ([2, 3, 3, 4, 4, 6], [2, 2, 3, 4, 6, 6]):
        throw = {"do": "throw", "dice": bust}
        assert phone.post("corrections", step=1, action=throw).status_code == 200
    assert phone.post("corrections", step=1, action=throw).get_json()["reason"] == "too-many-corrections"
    assert phone.post("corrections", step=3, action=throw).status_code == 200, "its last step is always corrected"


def test_in_knaster_others_writing_does_not_make_mine_stale(app: Flask) -> None:
    client = app.test_client()
    one = Phone(client, start(client, "knaster", "Ada", "Bob"))
    one.throw(4, 5)
    two = Phone(app.test_client(), one.base)
    assert one.act(do="write", player=0, cell=[1, 1]).status_code == 200
    assert two.act(do="write", player=1, cell=[3, 3]).status_code == 200
    assert two.standing["players"][1]["grid"][2][2]["number"] == 9
    # The same player from a phone that slept is late, though.
    assert Phone(client, one.base).act(do="write", player=0, cell=[2, 2], version=1).status_code in (409, 422)


def test_in_skunk_anybody_throws_and_who_sits_down_after_the_next_throw_is_too_late(app: Flask) -> None:
    client = app.test_client()
    one = Phone(client, start(client, "skunk", "Ada", "Bob", "Cyd"))
    for player in (1, 2):
        assert one.post("actions", action={"do": "throw", "dice": [4, 5]}, plays_for=player).status_code == 200
    others = one.post("actions", action={"do": "sit", "player": 0}, plays_for=1)
    assert (others.status_code, others.get_json()["reason"]) == (403, "other-players-turn")
    for player in (0, 1):  # of two taps at once neither concerns the other
        assert one.post("actions", action={"do": "sit", "player": player}, version=2).status_code == 200
    one.throw(2, 2)
    late = one.post("actions", action={"do": "sit", "player": 2}, version=4)
    assert (late.status_code, late.get_json()["reason"]) == (409, "stale")


def test_an_unchanged_state_is_not_sent_again(phone: Phone) -> None:
    stamp = phone.state["stamp"]
    assert phone.client.get(f"/api/v1{phone.base}", query_string={"stamp": stamp}).status_code == 204
    phone.throw(1, 1, 6, 6, 3, 4)
    assert phone.client.get(f"/api/v1{phone.base}", query_string={"stamp": stamp}).status_code == 200


def test_a_record_is_exported_and_goes_on_elsewhere(app: Flask, phone: Phone) -> None:
    phone.throw(1, 1, 1, 5, 2, 4)
    phone.act(do="set-aside", dice=[1, 1, 1, 5])
    record = phone.client.get(f"{phone.base}/record.json")
    assert record.headers["Content-Disposition"].startswith("attachment")
    elsewhere = app.test_client()
    again = bring(elsewhere, record.data)
    assert again.standing == phone.standing
    assert again.state["steps"] == 2
    broken = send_record(elsewhere, b"[1")
    assert broken.status_code == 422
    assert "not a game record" in broken.get_data(as_text=True)


NOT_OURS = "This file is no game that Rollcall has saved."


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (None, NOT_OURS),
        ({"game": ""}, NOT_OURS),
        ({"options": {"line_points": {"r1": "x"}}}, NOT_OURS),
        ({"options": {"colour": 1}}, NOT_OURS),
        ({"players": [None]}, NOT_OURS),
        ({"actions": [{"do": "write", "player": 0, "cell": [1, 1]}]}, "Step 1 of this game breaks its rules."),
    ],
)
def test_a_file_that_is_no_game_is_told_in_words_and_to_programs_in_full(
    client: FlaskClient, change: Any, sentence: str
) -> None:
    whole = {"format": 1, "game": "knaster", "players": ["Ada"], "actions": []}
    record = {} if change is None else {**whole, **change}
    page = send_record(client, record)
    assert page.status_code == 422
    assert re.search(f'role="alert"[^>]*>(<p>)?{sentence}', page.get_data(as_text=True))
    told = send_record(client, record, **JSON).get_json()
    assert told["reason"] not in ("record-not-ours", "unknown-game") or change == {"game": ""}


def test_memory_has_room_for_so_many_lines_and_no_table_is_the_worse_for_it(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LINES_OF_A_TABLE", 4)
    monkeypatch.setattr(runner, "CACHED_LINES", 3 * runner.LINES_OF_A_TABLE)
    phones = [Phone(client, start(client)) for _ in range(8)]
    for count in range(1, 3 * runner.LINES_OF_A_TABLE):  # in the end each table alone is more than there is room for
        for phone in phones:
            assert (phone.throw(1, 1, 6, 6, 3, 4) if count % 2 else phone.post("undo")).status_code == 200
            assert phone.look()["version"] == count
        assert len(services(app).runner._cache.all()) <= 3
    assert [each.snapshot.state.row.key for each in services(app).runner._cache.all()] == [phones[-1].key]


def test_games_that_are_over_leave_memory_first(app: Flask, client: FlaskClient) -> None:
    running = Phone(client, start(client))
    over = [Phone(client, start(client, "sequence", "Ada", target=1)) for _ in range(runner.CACHED_FINISHED + 3)]
    for phone in over:
        phone.throw(1, 2, 3, 4, 5, 6)
        assert phone.standing["over"]
    Phone(client, start(client))
    kept = services(app).runner._cache.all()
    assert len([table for table in kept if table.snapshot.state.table.over]) == runner.CACHED_FINISHED
    assert running.key in [each.snapshot.state.row.key for each in kept]
    assert all(phone.look()["standing"]["over"] for phone in over)


def test_a_phones_request_is_not_taken_for_an_imports(client: FlaskClient) -> None:
    """`import-1` is what the store calls the first line of a record that was imported."""
    first = Phone(client, start(client))
    first.throw(1, 1, 6, 6, 3, 4)
    phone = bring(client, first.record())
    before = phone.state["version"]
    for _ in range(2):
        told = phone.post("actions", version=before, request="import-1", action={"do": "set-aside", "dice": [1, 1]})
        assert told.get_json()["version"] == before + 1


def adjust(phone: Phone, what: str, **more: Any) -> Any:
    return phone.act(do="adjust", what=what, **more)


def test_players_who_change_are_in_the_results_and_in_the_rematch(app: Flask, client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "Ada", "Bob", "Cid"))
    adjust(phone, "player-added", name="Dan")
    adjust(phone, "player-renamed", player=0, name="Anna")
    adjust(phone, "player-removed", player=1)
    adjust(phone, "order", players=[3, 0, 2])
    phone.throw(2, 2, 3, 3, 4, 6)
    adjust(phone, "turn-skipped", player=2)
    adjust(phone, "turn-skipped", player=3)
    assert phone.standing["to_act"] == [0]
    assert phone.state["last_move"]["player"] == 3
    moves = phone.get("history")["moves"]
    assert [move["player"] for move in moves] == [None, 0, 1, None, 0, 2, 3]
    assert "Anna" in phone.client.get(f"{phone.base}/throws.csv").get_data(as_text=True)
    adjust(phone, "total", player=2, points=55)
    adjust(phone, "game", over=True)
    reached = results_of(services(app).store, device(phone))
    assert [each.name for each in reached if each.place == 1] == ["Cid"]
    results = [(each.player, each.name, each.score, each.place) for each in reached]
    assert results == [(0, "Anna", 0, 2), (2, "Cid", 55, 1), (3, "Dan", 0, 2)], "who left has no result"
    assert phone.client.get(f"{phone.base}/statistics").status_code == 200
    assert phone.client.post(f"{phone.base}/again", data={"begins": "1"}).status_code == 400, "he does not play"
    fresh = phone.client.post(f"{phone.base}/again", data={"begins": "0"}).headers["Location"]
    names = [player["name"] for player in Phone(phone.client, fresh).standing["players"]]
    assert names == ["Anna", "Cid", "Dan"]


def device(phone: Phone) -> str:
    """What the server knows this phone by, which looks at its table."""
    phone.client.get(phone.base)
    return device_of(phone.client)


def test_every_phone_may_say_who_plays_and_a_name_is_one_person(phone: Phone) -> None:
    bound = {"plays_for": 1}
    action = {"do": "adjust", "what": "turn-skipped", "player": 0}
    assert phone.post("actions", action=action, **bound).status_code == 200
    late = phone.post("actions", action={"do": "adjust", "what": "total", "player": 0, "points": 5}, **bound)
    assert late.get_json()["reason"] == "other-players-turn"
    for action in (
        {"do": "adjust", "what": "player-added", "name": "ada "},
        {"do": "adjust", "what": "player-renamed", "player": 1, "name": "ADA"},
    ):
        assert phone.post("actions", action=action).get_json()["reason"] == "names-alike"
    assert adjust(phone, "player-renamed", player=0, name="ADA").status_code == 200, "it is his own name"
    assert adjust(phone, "player-removed", player=0).status_code == 200
    refused = adjust(phone, "player-removed", player=1).get_json()
    assert refused["reason"] == "last-player"


def test_a_total_may_be_the_target_of_a_long_game(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "farkle", target=1_000_000))
    assert phone.act(do="adjust", what="total", player=0, points=1_000_000).status_code == 200


def test_points_of_a_turn_that_a_correction_settles_are_bounded_too(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "farkle"))
    phone.throw(1, 1, 1, 2, 3, 4)
    phone.act(do="set-aside", dice=[1, 1, 1])
    phone.throw(1, 1, 2)
    phone.act(do="set-aside", dice=[1, 1])
    phone.act(do="bank")
    phone.throw(2, 3, 4, 4, 6, 6)

    def reason(path: str, **body: Any) -> Any:
        answer = phone.post(path, step=3, action={"do": "throw", "dice": [2, 3, 4]}, **body)
        return answer.get_json()["reason"] if answer.status_code == 422 else answer.status_code

    for path in ("corrections/preview", "corrections"):
        assert reason(path, said=[-5]) == "points-out-of-bounds"
    brought = {"do": "adjust", "what": "turn", "player": 0, "points": -5}
    answer = phone.post("corrections", step=5, action=brought, said=[])
    assert answer.get_json()["reason"] == "points-out-of-bounds"
