"""Text that people or programs send: what nobody can read is never kept, wherever it comes from, on either engine."""

import json
import logging
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from sqlalchemy import select

from tests.web.phones import JSON, Phone, send_record
from tests.web.postgres import both_engines
from tests.web.stored import append, dice_named, table_started
from web.problems.problem import Problem
from web.store import schema
from web.store.sqlite import SqliteStore
from web.store.store import Store

pytestmark = both_engines

UNSOUND = ["\0abc", "ab\0c", "\u202eabc", "a\u200bbc", "a\x1bbc", "abc\x7f", "a\u2069bc", "abc\ufeff"]
# JSON can hold these too, which no encoding can.
UNENCODABLE = ["\ud800abc", "abc\udfff"]


def label(phone: Phone) -> Any:
    return phone.state["recent"][-1]["device"]


def test_an_unsound_name_of_a_phone_is_cleaned_and_keeps_nobody_from_playing(phone: Phone) -> None:
    """The page sets it, but whoever has the phone may set anything."""
    for name in UNSOUND:
        phone.client.set_cookie("device-name", quote(name))
        assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
        assert label(phone) == "abc", repr(name)
        assert phone.post("undo").status_code == 200
        assert phone.client.get(phone.base).status_code == 200


def test_a_phone_whose_name_shows_nothing_goes_by_its_kind(phone: Phone) -> None:
    for name in ("\0", "\u202e", "\u200b\u200d", "\u3164", " \0 "):
        phone.client.set_cookie("device-name", quote(name))
        assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
        assert label(phone) == "Computer", repr(name)
        assert phone.post("undo").status_code == 200


def test_whatever_a_name_cookie_holds_its_phone_plays(phone: Phone) -> None:
    for cookie in ("%ED%A0%80abc", "%FFabc", "%", "%zz", "%F4%90%80%80", "abc" * 60, "%00" * 60):
        phone.client.set_cookie("device-name", cookie)
        assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200, cookie
        assert phone.post("undo").status_code == 200, cookie


def test_a_sound_name_stays_as_it_is(phone: Phone) -> None:
    for name in ("Žofie’s phone", "👩\u200d👧", "می\u200cخواهم", "王小明"):
        phone.client.set_cookie("device-name", quote(name))
        assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
        assert label(phone) == name
        assert phone.post("undo").status_code == 200


def test_the_settings_say_why_they_do_not_take_a_name(client: FlaskClient) -> None:
    for name in UNSOUND:
        answer = client.post("/settings", data={"name": name}, headers=JSON)
        assert (answer.status_code, reason(answer)) == (422, "name-hidden"), repr(name)
        assert client.get_cookie("device-name") is None
    assert client.post("/settings", data={"name": "  Ada's   phone "}).status_code == 303
    cookie = client.get_cookie("device-name")
    assert cookie.value == quote("Ada's phone")


def test_players_get_no_such_name_while_they_play(phone: Phone) -> None:
    for name in UNSOUND + UNENCODABLE:
        for whom in ({"what": "player-added"}, {"what": "player-renamed", "player": 1}):
            answer = post_ascii(phone, "actions", action={"do": "adjust", **whom, "name": name})
            assert (answer.status_code, reason(answer)) == (422, "name-hidden"), repr(name)
    assert [player["name"] for player in phone.look()["standing"]["players"]] == ["Ada", "Bob"]


def test_a_correction_gives_nobody_such_a_name(phone: Phone) -> None:
    renamed = {"do": "adjust", "what": "player-renamed", "player": 1, "name": "Bert"}
    assert phone.act(**renamed).status_code == 200
    for name in UNSOUND + UNENCODABLE:
        answer = post_ascii(phone, "corrections", step=1, action={**renamed, "name": name}, said=[])
        assert (answer.status_code, reason(answer)) == (422, "name-hidden"), repr(name)
    assert phone.look()["standing"]["players"][1]["name"] == "Bert"


def test_a_record_brings_nobody_such_a_name(client: FlaskClient) -> None:
    """Not even for a while: the log would hold it."""
    for name in UNSOUND + UNENCODABLE:
        renamed = {"do": "adjust", "what": "player-renamed", "player": 0, "name": name}
        again = {**renamed, "name": "Ada"}
        for players, actions in (([name], []), (["Eva"], [renamed]), (["Eva"], [renamed, again])):
            record = {"format": 1, "game": "farkle", "options": {}, "players": players, "actions": actions}
            answer = send_record(client, record, **JSON)
            assert answer.status_code == 422, (name, actions)
            assert reason(answer) in ("name-hidden", "name-unprintable", "record-step"), reason(answer)


def test_dice_get_no_such_name(phone: Phone) -> None:
    for name in UNSOUND + UNENCODABLE:
        answer = post_ascii(phone, "settings", dice_set=name)
        assert (answer.status_code, reason(answer)) == (422, "name-hidden"), repr(name)


def test_what_is_looked_up_by_such_a_text_is_not_there(phone: Phone) -> None:
    """Of every address and field by which something is found: it is told as unknown, not as a failure."""
    client, action = phone.client, {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
    for text in UNSOUND + UNENCODABLE:
        raw = text.encode("utf-8", "replace")
        typed = quote(raw)
        asked = [
            client.get(f"/api/v1/tables/{typed}", headers=JSON),
            client.get(f"/tables/{typed}", headers=JSON),
            client.post(f"/history/forget/{typed}", headers=JSON),
            client.post(f"/history/restore/{typed}", headers=JSON),
            client.get(f"/j/{typed}", headers=JSON),
            client.get(f"/join?code={typed}", headers=JSON),
            client.post("/join", data={"code": raw}, headers=JSON),
            client.get(f"/rules/{typed}", headers=JSON),
            client.get(f"/history/player?name={typed}&game={typed}", headers=JSON),
            client.get(f"/api/v1{phone.base}/photos/{typed}", headers=JSON),
            post_ascii(phone, "phones", phone=text),
            post_ascii(phone, "advice", advice=text),
            post_ascii(phone, "watch/choose", id=text, way=0),
            post_ascii(phone, "actions", request=text * 4, action=action),
            post_ascii(phone, "actions", action={"do": text}),
            post_ascii(phone, "actions", action=action, evidence={"reading": text, "dice": []}),
            client.post("/tables", data={"game": raw, "player": "Ada"}, headers=JSON),
            client.post("/tables", data={"game": "farkle", "farkle.target": raw, "player": "Ada"}, headers=JSON),
        ]
        told = [(answer.status_code, answer.request.path) for answer in asked]
        assert [each for each in told if not 400 <= each[0] < 500] == [], repr(text)
        assert client.get(f"/api/v1{phone.base}?stamp={typed}", headers=JSON).status_code == 200
        assert client.get(f"/history?taken={typed}").status_code == 200
        # What is not there is forgotten already.
        assert client.delete(f"/api/v1{phone.base}/photos/{typed}", headers=JSON).status_code == 200


@pytest.mark.parametrize("text", ["\0abc", "\ud800"])
def test_what_a_store_cannot_hold_is_told_as_that(
    open_store: Callable[[], Store], caplog: pytest.LogCaptureFixture, text: str
) -> None:
    """The last net, below all checks: an error of data is none of the connection or of the disk."""
    store = open_store()
    row = store.create(table_started("farkle", {}, ["Ada"]))
    caplog.set_level(logging.WARNING)
    if text == "\0abc" and isinstance(store, SqliteStore):
        append(store, row, dice_named(text))  # a file can hold it
        return
    with pytest.raises(Problem) as told:
        append(store, row, dice_named(text))
    assert (told.value.reason, told.value.status) == ("bad-request", 400)
    assert "cannot be stored" in str(told.value)
    if text == "\ud800":
        with pytest.raises(Problem) as told:
            store.find(text)
        assert (told.value.reason, told.value.status) == ("bad-request", 400)
    else:
        assert store.find(text) is None
    assert "cannot be reached" not in caplog.text
    assert "cannot be stored" in caplog.text
    append(store, row, dice_named("red"))  # and the store goes on


def test_numbers_that_no_store_holds_are_told_as_that(open_store: Callable[[], Store]) -> None:
    store = open_store()
    with pytest.raises(Problem) as told, store.read() as connection:
        connection.execute(select(schema.tables).where(schema.tables.c.id == 10**30))
    assert (told.value.reason, told.value.status) == ("bad-request", 400)


def post_ascii(phone: Phone, path: str, /, **body: Any) -> Any:
    """As `Phone.post`, with what only JSON in ASCII can hold."""
    whole = {"version": phone.state["version"], "request": "request-unsound", **body}
    data = json.dumps(whole).encode()
    return phone.client.post(f"/api/v1{phone.base}/{path}", data=data, content_type="application/json", headers=JSON)


def reason(answer: Any) -> Any:
    return answer.get_json()["reason"]
