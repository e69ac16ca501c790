"""What a table advises: chosen by its people, kept with the table, and never in the way of those who play."""

import random
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from tests.web.phones import JSON, Phone, any_legal, end, start
from web.advising import advisor, solutions
from web.limits.quotas import TokenBuckets
from web.services import services

GAMES = [info.key for info in scorer.games()]

Json = dict[str, Any]


def advised_phone(
    client: FlaskClient, *, game: str = "kosci", players: Sequence[str] = ("Ada", "Bob"), **form: str
) -> Phone:
    phone = Phone(client, start(client, game, *players, **form))
    assert phone.post("settings", advice="best").status_code == 200
    return phone


@pytest.fixture(autouse=True)
def a_full_purse(app: Flask) -> None:
    """A test asks for more in a moment than people do, on machines that may be slow."""
    services(app).advisor._own = services(app).advisor._all = TokenBuckets(1e6, 1.0)


def advice_for(phone: Phone, **query: object) -> Json:
    answer = phone.client.get(f"/api/v1{phone.base}/advice", headers=JSON, query_string=query)
    assert answer.status_code == 200
    found: Json = answer.get_json()
    assert found["version"] == phone.state["version"]
    return found


def best_of(found: Json) -> Json:
    return min(found["choices"], key=lambda choice: choice["loss"])


def test_a_table_advises_nothing_until_somebody_wants_it(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "kosci"))
    phone.throw(1, 2, 3, 4, 6)
    assert phone.state["settings"]["advice"] == "off"
    assert advice_for(phone)["choices"] == []
    phone.post("settings", advice="odds")
    assert phone.state["settings"]["advice"] == "odds"
    assert any(choice["odds"] for choice in advice_for(phone)["choices"])
    assert not any("loss" in choice for choice in advice_for(phone)["choices"])
    assert phone.post("settings", advice="everything").status_code == 400
    assert phone.look()["settings"]["advice"] == "odds"


def test_it_is_chosen_with_the_table_and_stays_its_own(client: FlaskClient) -> None:
    form = {"game": "kosci", "player": ["Ada"], "advice": "best"}
    phone = Phone(client, client.post("/tables", data=form).headers["Location"])
    assert phone.state["settings"]["advice"] == "best"
    assert "advice" not in str(phone.record())
    end(client, phone.base)
    fresh = Phone(client, client.post(f"{phone.base}/again", data={"begins": "0"}).headers["Location"])
    assert fresh.state["settings"]["advice"] == "best"
    fresh.post("settings", advice="off")
    assert phone.look()["settings"]["advice"] == "best"
    refused = client.post("/tables", data={"game": "kosci", "advice": "best"}).get_data(as_text=True)
    assert '<option value="best" selected>' in refused


@pytest.mark.whole
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("players", [("Ada",), ("Ada", "Bob", "Eva")])
def test_every_game_tells_what_each_choice_costs(client: FlaskClient, game: str, players: Sequence[str]) -> None:
    phone, dice = advised_phone(client, game=game, players=players), random.Random(11)
    for _ in range(16):
        if phone.standing["over"]:
            break
        for player in phone.standing["to_act"]:
            found = advice_for(phone, player=player)
            assert (found["player"], found["without"], found["again"]) == (player, None, None)
            assert found["unit"] in ("points", "win", "turns")
            for choice in found["choices"]:
                assert choice["loss"] >= 0
                assert all(0 <= chance <= 1 for chance in choice["odds"].values())
            if found["choices"]:
                assert best_of(found)["loss"] == 0
        assert phone.act(**any_legal(phone.standing, dice)).status_code == 200


def test_what_the_best_choice_is_agrees_with_the_command(client: FlaskClient) -> None:
    phone = advised_phone(client, game="yahtzee", players=["Ada"])
    phone.throw(5, 5, 5, 2, 3)
    found = advice_for(phone)
    assert best_of(found)["action"] == {"do": "keep", "dice": [5, 5, 5]}
    assert best_of(found)["odds"]["general"] == pytest.approx(1 / 36 + 10 / 36 * 1 / 6 + 25 / 36 / 36, abs=1e-5)
    assert found["value"] == pytest.approx(261, abs=5)


def test_in_drapky_the_turns_still_to_come_are_told(client: FlaskClient) -> None:
    phone = advised_phone(client, game="drapky", players=["Ada"])
    first = advice_for(phone)["value"]
    for _ in range(20):
        phone.act(do="pass")
    assert first < advice_for(phone)["value"] < -13, (
        "with sixty throws saved there are fewer to come, but a turn for each figure"
    )


def test_a_lone_player_with_odds_is_told_afterwards_what_a_choice_cost(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "kosci", "Ada"))
    phone.post("settings", advice="odds")
    phone.throw(5, 5, 5, 2, 3)
    found = advice_for(phone)
    assert found["mode"] == "odds"
    assert best_of(found)["action"] == {"do": "keep", "dice": [5, 5, 5]}


def test_where_players_joined_only_odds_are_told(client: FlaskClient) -> None:
    phone = advised_phone(client)
    assert phone.act(do="adjust", what="player-added", name="Dan").status_code == 200
    phone.throw(1, 2, 3, 4, 6)
    found = advice_for(phone)
    assert found["without"] == "players"
    assert any(choice["odds"] for choice in found["choices"])
    assert not any("loss" in choice for choice in found["choices"])


@pytest.mark.whole
@pytest.mark.parametrize("game", ["kosci", "kosci-triple", "six-dice", "drapky", "knaster", "sequence"])
@pytest.mark.parametrize(
    "what",
    [
        {"what": "turn-skipped"},
        {"what": "player-removed", "player": 1},
        {"what": "player-added", "name": "Dan"},
        {"what": "total", "player": 0, "points": 77},
    ],
)
def test_what_is_settled_by_hand_is_no_hindrance(client: FlaskClient, game: str, what: Json) -> None:
    phone, dice = advised_phone(client, game=game, players=["Ada", "Bob", "Eva"]), random.Random(3)
    for _ in range(3):
        phone.act(**any_legal(phone.standing, dice))
    phone.act(do="adjust", **what)
    advice_for(phone)


def test_a_game_that_is_over_is_not_advised(client: FlaskClient) -> None:
    phone = advised_phone(client)
    phone.act(do="adjust", what="game", over=True)
    assert advice_for(phone)["choices"] == []
    assert client.get("/api/v1/tables/no-such-table/advice").status_code == 404


def test_house_rules_are_solved_beside_the_server_and_odds_told_meanwhile(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = threading.Event()

    def solve(command: Sequence[str]) -> bool:
        solved.wait(60)
        return False

    monkeypatch.setattr(services(app).solutions._solver, "_solve", solve)
    phone = advised_phone(client, first_general_is_joker="true")
    phone.throw(1, 2, 3, 4, 6)
    found = advice_for(phone)
    assert (found["without"], found["again"]) == ("solving", advisor.AGAIN_LATER_S)
    assert any(choice["odds"] for choice in found["choices"])
    solved.set()


def test_a_race_that_is_not_solved_is_told_in_points_until_then(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services(app).solutions._solver, "ask", lambda game, players=1: True)
    phone = advised_phone(client, game="ones-and-fives", target="4000")
    phone.throw(1, 1, 2, 3, 4, 6)
    found = advice_for(phone)
    assert (found["unit"], found["again"]) == ("points", advisor.AGAIN_LATER_S)
    assert best_of(found)["loss"] == 0
    kept = [id(each) for each in services(app).solutions._kept._entries.values()]
    advice_for(phone)
    assert [id(each) for each in services(app).solutions._kept._entries.values()] == kept, (
        "it is not solved again and again"
    )


def test_without_memory_there_are_odds_and_no_best_play(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solutions, "_has_room", lambda: False)
    phone = advised_phone(client)
    phone.throw(1, 2, 3, 4, 6)
    found = advice_for(phone)
    assert found["without"] == "memory"
    assert any(choice["odds"] for choice in found["choices"])
    assert "not enough free memory" in client.get(f"{phone.base}/luck").get_data(as_text=True)


def test_memory_is_asked_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told_by_system = tmp_path / "meminfo"
    monkeypatch.setattr(solutions, "MEMORY", told_by_system)
    assert solutions._has_room()
    for megabytes, room in ((100, False), (1000, True)):
        told_by_system.write_text(f"MemTotal: 9 kB\nMemAvailable:  {megabytes << 10} kB\n")
        assert solutions._has_room() is room


def test_one_answer_is_worked_out_at_a_time_and_what_is_known_is_told_at_once(app: Flask, client: FlaskClient) -> None:
    known, other = advised_phone(client), advised_phone(client)
    known.throw(1, 2, 3, 4, 6)
    other.throw(1, 2, 3, 4, 6)
    assert advice_for(known)["choices"]
    with services(app).advisor._work.enter():
        assert advice_for(known)["choices"]
        found = advice_for(other)
        assert (found["choices"], found["again"]) == ([], advisor.AGAIN_S)
        assert other.act(do="keep", dice=[1, 2, 3, 4]).status_code == 200, "playing waits for nobody"
    assert advice_for(other)["again"] is None


def test_who_asks_for_too_much_waits_and_others_do_not(app: Flask, client: FlaskClient) -> None:
    room = services(app).advisor
    phone = advised_phone(client)
    phone.throw(1, 2, 3, 4, 6)
    key = phone.key
    room._own = TokenBuckets(10.0, 0.2)
    room._own.spend("a hostile phone", 40.0, time.monotonic())
    assert b'"again":3.0' in room.advice_of(key, "a hostile phone")
    assert b'"again":null' in room.advice_of(key, "another phone")
    assert b'"again":null' in room.advice_of(key, "a hostile phone"), "what is known costs nothing"
