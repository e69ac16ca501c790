"""The pages of a club's night: who may come where, and what each shows."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, end
from web.clubs.night_decisions import MOST_PEOPLE
from web.clubs.night_document import NightDocument
from web.clubs.seasons import SeasonDocument
from web.limits.visitor_limits import NEWCOMERS, NIGHT_TABLES
from web.pages.access import services
from web.store.server_tokens import create_token

PLAN = {"name": "Fire brigade", "game": "kniffel", "rounds": "3", "seats": "4", "adds": "points", "minutes": "30"}
NAMES = "Ada\nBob\nCyd\nDan\nEve\nFay\nGus\nHal"


def start_night(client: FlaskClient, names: str = NAMES, **more: Any) -> str:
    """Starts a night as its form does, and returns the address of its pages."""
    answer = client.post("/clubs", data={**PLAN, **more})
    assert answer.status_code == 303, answer.get_data(as_text=True)
    base = answer.headers["Location"].removesuffix("/desk")
    do(client, base, "people", names=names)
    return str(base)


def do(client: FlaskClient, base: str, what: str, **form: Any) -> Any:
    return client.post(f"{base}/do/{what}", data=form)


def ring(client: FlaskClient, base: str) -> None:
    assert do(client, base, "draw").status_code == 303
    assert client.post(f"{base}/bell").status_code == 303


def shown(client: FlaskClient, base: str) -> dict[str, Any]:
    answer = client.get(f"{base}/night.json")
    msgspec.json.decode(answer.data, type=NightDocument)
    return answer.get_json()


def page(client: FlaskClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.get_data(as_text=True)
    return answer.get_data(as_text=True)


def reason(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["reason"]


@pytest.fixture
def base(client: FlaskClient) -> str:
    return start_night(client)


def test_a_round_of_thirty_takes_the_desk_two_taps(client: FlaskClient) -> None:
    """Draw and bell: results come by themselves, and the next draw ends the round."""
    base = start_night(client, "\n".join(f"Person {number}" for number in range(30)))
    for _ in range(2):
        ring(client, base)
        for table in shown(client, base)["round"]["tables"]:
            address = client.get(f"/j/{table['code']}").headers["Location"]
            end(client, address)
        assert shown(client, base)["stage"] == "between"
    assert shown(client, base)["rounds"] == 2


def test_totals_are_written_only_where_no_game_brings_them(client: FlaskClient, base: str) -> None:
    """What is written over those of a game would be gone as soon as the desk looks at the game again."""
    ring(client, base)
    first, _ = shown(client, base)["round"]["tables"]
    end(client, client.get(f"/j/{first['code']}").headers["Location"])
    desk = page(client, f"{base}/desk")
    assert 'id="totals1"' not in desk
    assert 'id="totals2"' in desk
    do(client, base, "totals", round="1", table="2", points=["1", "2", "3", "4"])
    assert 'id="totals2"' in page(client, f"{base}/desk"), "those of the desk can be corrected there"
    assert 'id="move1"' not in desk


def test_results_of_a_table_stand_in_the_night_when_it_is_over(app: Flask, client: FlaskClient, base: str) -> None:
    ring(client, base)
    table = shown(client, base)["round"]["tables"][0]
    address = client.get(f"/j/{table['code']}").headers["Location"]
    Phone(client, address).act(do="adjust", what="total", player=0, points=250)
    end(client, address)
    told = shown(client, base)["round"]["tables"][0]
    assert told["told"]
    assert next(each["points"] for each in told["people"]) == 250
    assert shown(client, base)["standings"][0]["total"] == 250
    Phone(client, address).act(do="adjust", what="game", over=False)
    Phone(client, address).act(do="adjust", what="total", player=0, points=150)
    end(client, address)
    assert shown(client, base)["standings"][0]["total"] == 150
    assert shown(client, base)["corrected"] == [{"round": 1, "table": 1}]
    assert "Corrected: round 1, table 1." in page(app.test_client(), f"{base}/board")


FORMS = ("people", "rename", "leave", "free", "draw", "seats", "time", "totals", "end-round", "end", "nothing")


def test_a_hostile_phone_changes_nothing(app: Flask, client: FlaskClient, base: str) -> None:
    ring(client, base)
    before = shown(client, base)
    stranger = app.test_client()
    page(stranger, base)
    form = {"names": "Zed", "person": "1", "name": "Zed", "round": "1", "table": "1", "points": ["1", "2", "3", "4"]}
    for what in FORMS:
        assert stranger.post(f"{base}/do/{what}", data=form, headers=JSON).status_code in (403, 404), what
    assert stranger.post(f"{base}/bell", headers=JSON).status_code == 403
    assert stranger.post(f"{base}/forget", data={"person": 1}, headers=JSON).status_code == 403
    assert stranger.post(f"{base}/desk/offer", headers=JSON).status_code == 403
    assert stranger.get(f"{base}/desk", headers=JSON).status_code == 403
    assert stranger.post(f"{base}/desk/join", data={"token": "x"}, headers=JSON).status_code == 403
    key = base.rpartition("/")[2]
    act = {"version": 0, "request": "request-1", "action": {"do": "write", "player": 0, "points": 9}}
    assert reason(stranger.post(f"/api/v1/tables/{key}/actions", json=act, headers=JSON)) == (409, "table-closed")
    after = shown(client, base)
    assert {**after, "round": None} == {**before, "round": None}


def test_the_keys_of_tables_are_told_to_nobody(app: Flask, client: FlaskClient, base: str) -> None:
    ring(client, base)
    keys = [table.key for table in services_of(app).nights.look(base.rpartition("/")[2]).rounds[0].tables]
    for path in ("", "/board", "/night.json", "/print"):
        told = page(app.test_client(), base + path)
        assert not [key for key in keys if key in told]


def services_of(app: Flask) -> Any:
    with app.test_request_context():
        return services()


def test_a_second_device_joins_the_desk_by_its_link(app: Flask, client: FlaskClient, base: str) -> None:
    offer = client.post(f"{base}/desk/offer").get_data(as_text=True)
    found = re.search(rf"{base}/desk/join#([\w-]+)", offer)
    other = app.test_client()
    page(other, f"{base}/desk/join")
    assert other.post(f"{base}/desk/join", data={"token": found[1]}).headers["Location"] == f"{base}/desk"
    ring(other, base)
    assert shown(client, base)["stage"] == "playing"


def test_wrong_numbers_and_names_are_refused_in_words(client: FlaskClient, base: str) -> None:
    ring(client, base)
    wrong = do(client, base, "totals", round="1", table="1", points=["1", "", "3", "4"])
    assert wrong.status_code == 422
    assert "Write a whole number for everybody at table 1." in wrong.get_data(as_text=True)
    for form in (
        {"seats": "9"},
        {"rounds": "x"},
        {"game": "no-such"},
        {"name": " "},
        {"adds": "luck"},
        {"game": "threes"},
    ):
        answer = client.post("/clubs", data={**PLAN, **form})
        assert answer.status_code == 422, form
        assert 'role="alert"' in answer.get_data(as_text=True)


def test_each_round_may_have_its_own_game_and_rules(app: Flask, client: FlaskClient) -> None:
    form = page(client, "/clubs?game=farkle&game2=kniffel&rules=1&name=Two")
    assert 'name="r1.farkle.target"' in form
    base = start_night(client, game2="farkle", **{"r2.farkle.target": "5000"})
    for title in ("Kniffel", "Farkle", "Kniffel"):
        ring(client, base)
        assert shown(client, base)["round"]["game"] == title
        code = shown(client, base)["round"]["tables"][0]["code"]
        if title == "Farkle":
            key = client.get(f"/j/{code}").headers["Location"].rpartition("/")[2]
            assert services_of(app).runner.row(key).options["target"] == 5000
        do(client, base, "end-round")


def test_the_ready_made_nights_can_be_started(client: FlaskClient) -> None:
    ways = re.findall(r'class="chip" href="(/clubs\?[^"]+)"', page(client, "/clubs"))
    assert len(ways) == 6
    for way in ways:
        form = page(client, way.replace("&amp;", "&"))
        fields = dict(re.findall(r'<input type="(?:text|number)" name="(\w+)"[^>]* value="([^"]*)"', form))
        selects = re.findall(r'<select name="([\w.]+)">(.*?)</select>', form, re.DOTALL)
        chosen = {name: re.findall(r'<option value="([^"]*)" selected', options)[:1] for name, options in selects}
        assert client.post("/clubs", data={**fields, **chosen}).status_code == 303


def test_results_as_a_file_and_on_paper(client: FlaskClient, base: str) -> None:
    ring(client, base)
    told = do(client, base, "totals", round="1", table="1", points=["1", "2", "3", "\u22124"])
    assert told.headers["Location"] == f"{base}/desk#table1"
    lines = client.get(f"{base}/night.csv").data.decode("utf-8-sig").splitlines()
    assert lines[0] == "place,name,total,points,wins,round 1"
    assert len(lines) == 9
    assert lines[1].endswith(",3,3,1,3")
    assert lines[-1].endswith(",-4,-4,0,-4")
    assert "Number of the draw" in page(client, f"{base}/print")


@pytest.mark.parametrize("what", ["night.csv", "night.json", "print", "board", "desk"])
def test_results_cut_off_from_their_night_are_shown_everywhere(
    app: Flask, client: FlaskClient, base: str, what: str
) -> None:
    """A power cut came after a table's end, before its night had it."""
    ring(client, base)
    address = client.get(f"/j/{shown(client, base)['round']['tables'][0]['code']}").headers["Location"]
    services_of(app).runner._followers.clear()
    Phone(client, address).act(do="adjust", what="total", player=0, points=257)
    end(client, address)
    assert "257" in page(client, f"{base}/{what}")


def test_a_season_as_a_file_and_a_person_in_it(app: Flask, client: FlaskClient) -> None:
    base = start_night(client, "\n".join(f"Somebody {number}" for number in range(4)))
    ring(client, base)
    do(client, base, "totals", round="1", table="1", points=["1", "2", "3", "4"])
    again = start_night(client, season="League")
    assert page(client, "/clubs").count('value="League"') == 1, "the next night goes on with it"
    found = client.get(f"{base}/season.json")
    document = msgspec.json.decode(found.data, type=SeasonDocument)
    assert [line.total for line in document.standings] == [4, 3, 2, 1]
    lines = client.get(f"{base}/season.csv").data.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("place,name,total,played,wins,skill,night 2")
    assert len(lines) == 5
    name, person = document.standings[0].name, f"{base}/season/{document.standings[0].number}"
    guest = app.test_client()
    assert name in page(guest, f"{base}/season")
    assert "<h2>What the nights brought</h2>" in page(guest, person)
    assert "None of these games could be analysed." in page(guest, f"{person}?luck=1")
    page(guest, f"{base}/season/99", 404)
    assert client.get(f"{again}/season.json").get_json()["standings"] == []
    assert client.post(f"{base}/forget", data={"person": "99"}).status_code == 404
    numbers = {each.name: each.number for each in services_of(app).nights.look(base.rpartition("/")[2]).people.values()}
    assert client.post(f"{base}/forget", data={"person": numbers[name]}).status_code == 303
    for address in (f"{base}/desk", f"{base}/season", f"{base}/print", f"{again}/desk"):
        assert name not in page(client, address), address


def test_parts_of_pages_have_no_frame(client: FlaskClient, base: str) -> None:
    for path in ("", "/desk", "/board"):
        part = page(client, f"{base}{path}?part=1")
        assert "<html" not in part
        assert 'class="night-head"' in part


def test_a_night_is_in_the_lists_of_its_phones(app: Flask, client: FlaskClient, base: str) -> None:
    key = base.rpartition("/")[2]
    for address in ("/", "/history", "/clubs"):
        assert "Fire brigade" in page(client, address)
    assert client.get(f"/tables/{key}").headers["Location"] == base
    code = re.search(r'<strong class="code">(\w{6})', page(client, f"{base}/board"))
    joined = app.test_client().get(f"/j/{code[1]}")
    assert joined.headers["Location"] == f"/tables/{key}"
    assert reason(app.test_client().get("/clubs/no-such-night", headers=JSON)) == (404, "table-unknown")


def test_tables_of_rounds_and_newcomers_are_counted(
    client: FlaskClient, base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[Any] = []
    monkeypatch.setattr("web.pages.clubs.count", counted.append)
    ring(client, base)
    assert counted.count(NIGHT_TABLES) == 2
    client.post(f"{base}/me", data={"person": 1})
    assert counted.count(NEWCOMERS) == 0
    client.post(f"{base}/me", data={"name": "Zed"})
    assert counted.count(NEWCOMERS) == 1


def test_a_phone_fills_no_night_with_names(app: Flask, client: FlaskClient, base: str) -> None:
    stranger, elsewhere = app.test_client(), {"REMOTE_ADDR": "192.168.7.7"}
    stranger.get(base, environ_base=elsewhere)
    came = [
        stranger.post(f"{base}/me", data={"name": f"Name {number}"}, environ_base=elsewhere).status_code
        for number in range(9)
    ]
    assert came == [303] * 5 + [429] * 4
    assert shown(client, base)["people"] == 13
    for number in range(120):  # it calls itself another phone each time
        stranger.set_cookie("device", f"a-phone-of-a-stranger-{number}")
        last = stranger.post(f"{base}/me", data={"name": f"Further {number}"}, environ_base=elsewhere)
    assert last.status_code == 429
    assert shown(client, base)["people"] == 8 + NEWCOMERS.of_address < MOST_PEOPLE
    for field in ("name", "person"):
        assert stranger.post(f"{base}/me", data={field: "9" * 50_000}).status_code in (400, 422)
    do(client, base, "people", names="Latecomer")
    assert shown(client, base)["people"] == 9 + NEWCOMERS.of_address


def test_a_server_may_ask_for_its_owners_token(tmp_path: Path) -> None:
    app = create_app(tmp_path, nights_need_token=True)
    client, token = app.test_client(), create_token(tmp_path, "club")
    assert 'name="token" required' in page(client, "/clubs")
    for wrong in ({}, {"token": "x" * 50_000}):
        assert reason(client.post("/clubs", data={**PLAN, **wrong}, headers=JSON)) == (403, "night-token")
    start_night(client, token=token)
    tries = {client.post("/clubs", data={**PLAN, "token": "x"}, headers=JSON).status_code for _ in range(40)}
    assert tries == {403, 429}, "nobody guesses on"
    services_of(app).close()


@pytest.mark.parametrize("language", ["cs", "pl", "de"])
def test_every_language_has_all_its_words(client: FlaskClient, base: str, language: str) -> None:
    english = {"Standings", "Draw again", "Open my table", "Who are you?", "Ring the bell", "Board of the hall"}
    ring(client, base)
    for path in ("", "/desk", "/board", "/print"):
        told = client.get(base + path, headers={"Accept-Language": language}).get_data(as_text=True)
        assert f'lang="{language}"' in told or path == "/board"
        assert not [word for word in english if f">{word}<" in told]


def test_a_night_ends_and_goes_on(client: FlaskClient, base: str) -> None:
    assert shown(client, base)["stage"] == "coming"
    do(client, base, "end")
    assert shown(client, base)["stage"] == "over"
    assert reason(client.post(f"{base}/do/draw", headers=JSON)) == (409, "night-over")
    do(client, base, "end", ended="no")
    ring(client, base)


def test_the_people_of_the_last_night_come_by_one_tap(app: Flask, client: FlaskClient, base: str) -> None:
    again = start_night(client, "Ada\nZed")
    desk = page(client, f"{again}/desk")
    assert "Add all 7 people of the last night" in desk
    names = re.search(r'name="names" value="([^"]+)"', desk)
    do(client, again, "people", names=names[1])
    assert shown(client, again)["people"] == 9
    assert "of the last night" not in page(client, f"{again}/desk")
    assert "of the last night" not in page(app.test_client(), again)
