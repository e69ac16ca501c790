"""Copies of all games, and games brought from them: never over what is there, and a bad file changes nothing."""

import contextlib
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.games import text_of
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, bring, device_of, start
from web.hosts.merging import Merged, bring_games
from web.problems.problem import Problem
from web.services import services
from web.store.maintenance import health
from web.store.maintenance.backup import copy_games
from web.store.sqlite import FILE_NAME, SqliteStore

FINISHED = {
    "format": 1,
    "game": "sequence",
    "options": {"target": 10},
    "players": ["Ada"],
    "actions": [{"do": "throw", "dice": [1, 2, 3, 4, 5, 6]}],
}


@pytest.fixture
def open_app(tmp_path: Path) -> Iterator[Callable[[str], Flask]]:
    """Opens the application with the data folder of this name."""
    opened: list[Flask] = []

    def make(name: str) -> Flask:
        opened.append(create_app(tmp_path / name))
        return opened[-1]

    yield make
    for each in opened:
        services(each).close()


def play(client: FlaskClient, game: str = "ones-and-fives") -> Phone:
    phone = Phone(client, start(client, game, "Ada", "Bob"))
    phone.throw(1, 1, 6, 6, 3, 4)
    return phone


def copy_of(tmp_path: Path, name: str = "old") -> Path:
    copy_games(tmp_path / name / FILE_NAME, tmp_path / "copy.db")
    return tmp_path / "copy.db"


def merge(app: Flask, copy: Path) -> Merged:
    store = services(app).store
    assert isinstance(store, SqliteStore)
    kept = shutil.copy(copy, copy.with_name("sent.db"))
    return bring_games(store, Path(kept))


def state(client: FlaskClient, base: str) -> Any:
    return client.get(f"/api/v1{base}", headers=JSON).get_json()["standing"]


def test_games_come_with_all_that_belongs_to_them(open_app: Callable[[str], Flask], tmp_path: Path) -> None:
    old = open_app("old").test_client()
    phone = play(old)
    phone.act(do="set-aside", dice=[1, 1])
    phone.post("undo")
    bring(old, FINISHED)
    copy = copy_of(tmp_path)
    new = open_app("new")
    assert merge(new, copy) == Merged(came=2)
    there = new.test_client()
    there.set_cookie("device", device_of(old))
    assert state(there, phone.base) == phone.standing
    assert "Ada" in there.get("/history").get_data(as_text=True)
    assert "25" in there.get("/history/player?name=Ada&game=sequence").get_data(as_text=True)
    went_on = Phone(there, phone.base)
    assert went_on.act(do="set-aside", dice=[1, 1]).status_code == 200
    services(new).close()
    assert health.check(tmp_path / "new").whole


OURS = text_of("farkle").replace('title = "Farkle"', 'title = "Our Farkle"')


def test_phones_get_the_games_back_that_they_kept(open_app: Callable[[str], Flask], tmp_path: Path) -> None:
    old = open_app("old").test_client()
    saved = [old.post("/own-games", json={"name": "Ours", "toml": f"{OURS}# {number}"}).get_json() for number in (1, 2)]
    page = old.get("/").get_data(as_text=True)
    copy = copy_of(tmp_path)
    with contextlib.closing(sqlite3.connect(copy)) as broken, broken:
        broken.execute("UPDATE phone_games SET file = 'no game' WHERE digest = ?", (saved[1]["page"][3:],))
    new = open_app("new")
    there = new.test_client()
    there.set_cookie("device", device_of(old))
    assert merge(new, copy) == Merged(games=1)
    assert saved[0]["key"] in there.get("/").get_data(as_text=True)
    assert saved[1]["key"] not in there.get("/").get_data(as_text=True)
    assert saved[0]["key"] in page
    assert saved[0]["key"] not in new.test_client().get("/").get_data(as_text=True), "of another phone"
    assert merge(new, copy) == Merged(), "twice is once"
    start(there, saved[0]["key"])
    services(new).close()
    assert health.check(tmp_path / "new").whole


def test_what_is_there_stays_as_it_is_and_twice_is_once(open_app: Callable[[str], Flask], tmp_path: Path) -> None:
    old = open_app("old")
    phone = play(old.test_client())
    copy = copy_of(tmp_path)
    phone.act(do="set-aside", dice=[1, 1])  # newer than the copy
    played = phone.standing
    assert merge(old, copy) == Merged(here=1)
    assert state(old.test_client(), phone.base) == played
    new = open_app("new")
    own = play(new.test_client(), "farkle")
    before = own.standing
    assert [merge(new, copy) for _ in range(2)] == [Merged(came=1), Merged(here=1)]
    assert state(new.test_client(), own.base) == before
    code = "SELECT count(*), count(DISTINCT id), count(DISTINCT code), count(DISTINCT active_no) FROM tables"
    with contextlib.closing(sqlite3.connect(tmp_path / "new" / FILE_NAME)) as connection:
        assert connection.execute(code).fetchone() == (2, 2, 2, 2)


def test_a_game_that_was_deleted_here_stays_deleted(open_app: Callable[[str], Flask], tmp_path: Path) -> None:
    old = open_app("old")
    phone = play(client := old.test_client())
    copy = copy_of(tmp_path)
    parts = services(old)
    key = phone.key
    assert client.post(f"/history/delete/{key}").status_code == 303
    assert merge(old, copy) == Merged(here=1), "it can still be undone"
    parts.store.erase(parts.runner.row(key))
    assert merge(old, copy) == Merged(deleted=1)


def cut(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[: copy.stat().st_size // 2])


def flip(copy: Path) -> None:
    data = bytearray(copy.read_bytes())
    at = data.index(b'"do":{"do":"throw"')  # of the journal
    data[at + 16] ^= 1
    copy.write_bytes(data)


def of_another_program(copy: Path) -> None:
    copy.unlink()
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        connection.execute("CREATE TABLE tables (id INTEGER, key TEXT)")
        connection.commit()


def with_a_view(copy: Path) -> None:
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        connection.execute("CREATE VIEW more AS SELECT * FROM events")
        connection.commit()


def of_a_newer_rollcall(copy: Path) -> None:
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE schema_version SET version = 199, readable_by = 199")
        connection.execute("PRAGMA user_version = 199")
        connection.commit()


def of_an_older_rollcall(copy: Path) -> None:
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE schema_version SET version = 7")
        connection.execute("PRAGMA user_version = 7")
        connection.commit()


def of_noise(copy: Path) -> None:
    copy.write_bytes(b"SQLite format 3\0" + random.Random(1).randbytes(20_000))


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (cut, "copy-damaged"),
        (flip, "copy-damaged"),
        (of_noise, "copy-damaged"),
        (of_another_program, "copy-not-ours"),
        (with_a_view, "copy-not-ours"),
        (of_a_newer_rollcall, "copy-newer"),
        (of_an_older_rollcall, "copy-older"),
        (lambda copy: copy.write_bytes(b"a letter to grandma"), "copy-not-ours"),
        (lambda copy: copy.write_bytes(b""), "copy-not-ours"),
    ],
    ids=["half", "flipped", "noise", "another program", "a view", "newer", "older", "no database", "empty"],
)
def test_a_file_that_is_no_whole_copy_changes_nothing(
    open_app: Callable[[str], Flask], tmp_path: Path, spoil: Callable[[Path], Any], reason: str
) -> None:
    play(open_app("old").test_client())
    copy = copy_of(tmp_path)
    spoil(copy)
    new = open_app("new")
    own = play(new.test_client())
    before = own.standing
    with pytest.raises(Problem) as problem:
        merge(new, copy)
    assert problem.value.reason == reason
    assert state(new.test_client(), own.base) == before
    with contextlib.closing(sqlite3.connect(tmp_path / "new" / FILE_NAME)) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchone() == (1,)
