"""What lists and statistics are read from follows from the journals: a check notices what differs, and all can be
written anew."""

from __future__ import annotations

import contextlib
import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text

import rollcall
from tests.web.random_tables import RandomTable, compare, projected
from tests.web.stored import append, table_started
from web.hosts.laptop.live_hub import Hub
from web.runner import Sessions
from web.store import journalling, player_rows, schema, webhook_rows
from web.store.maintenance import checking
from web.store.maintenance.ends import JournalEnds
from web.store.sqlite import FILE_NAME, SqliteStore
from web.table import events
from web.table.access_list import ConnectedWebhook
from web.table.stored_table import Entry, PlayerResult

AT = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with tables at which all happened that rows tell."""
    folder = tmp_path_factory.mktemp("played") / "data"
    store = SqliteStore(folder)
    row = store.create(table_started("farkle", {}, ["Ada"], owner="owner"))
    line = Entry(1, "request-1", {"do": {"do": "throw", "dice": [1, 2, 3, 4, 6, 6]}}, "Ada", AT)
    append(store, row, events.Logged([line], [PlayerResult(0, "Ada", 500, 1)], "digest"))
    webhook = ConnectedWebhook("lamp", "http://192.168.77.7/", "secret", "", AT)
    append(store, row, events.WebhookConnected("an-address", webhook, 3, "origin", "192.168.77.7"))
    sessions, rng = Sessions(store, Hub()), random.Random(1)
    for game in ("farkle", "kosci-single", "sequence"):
        RandomTable(sessions, rng, game).play(150)
    store.close()
    return folder


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "data")
    return tmp_path / "data"


DAMAGES = {
    "tables": [
        *("UPDATE tables SET key = 'another' WHERE id = 1", "UPDATE tables SET code = 'ABCDEF' WHERE id = 1"),
        *("UPDATE tables SET game = 'pig' WHERE id = 1", "UPDATE tables SET players = '[]' WHERE id = 1"),
        *("UPDATE tables SET lines = lines + 1 WHERE id = 1", "UPDATE tables SET finished_at = '' WHERE id = 1"),
        *("UPDATE tables SET owner = 'me' WHERE id = 1", "UPDATE tables SET deleted_at = '2026' WHERE id = 1"),
    ],
    "visits": ["DELETE FROM visits", "UPDATE visits SET out = NOT out"],
    "player_games": ["UPDATE player_games SET score = 501 WHERE table_id = 1", "DELETE FROM player_games"],
    "webhooks": ["UPDATE webhooks SET address = 'http://192.168.77.5/' WHERE table_id = 1", "DELETE FROM webhooks"],
}


@pytest.mark.parametrize(("name", "damage"), [(name, each) for name, some in DAMAGES.items() for each in some])
def test_damage_of_a_row_is_told_and_mended_from_the_journal(data: Path, name: str, damage: str) -> None:
    file = data / FILE_NAME
    with contextlib.closing(sqlite3.connect(file)) as store, store:
        assert store.execute(damage).rowcount
    found = checking.check(file, JournalEnds(data))
    assert found.word == checking.DAMAGED
    assert found.complaints[0].endswith(f"what {name} says of it is damaged")
    opened = SqliteStore(data)
    assert [(notice.reason, notice.params["damaged"]) for notice in opened.notices] == [("store-mended", 0)]
    compare(opened)
    opened.close()


def test_all_rows_can_be_written_anew(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = SqliteStore(data)
    before = projected(store)
    store.close()
    assert all(before.values())
    assert rollcall.main(["check", "--rebuild", "--data", str(data)]) == 0
    assert f"written anew from the journals: {len(before['tables'])} tables\n" in capsys.readouterr().out
    store = SqliteStore(data)
    assert projected(store) == before
    store.close()


def test_each_projection_is_written_anew_from_nothing(data: Path) -> None:
    store = SqliteStore(data)
    before = projected(store)
    with store.write() as connection:
        for name in ("visits", "player_games"):
            connection.execute(text(f"DELETE FROM {name}"))
        connection.execute(text("UPDATE tables SET next_key = NULL, lines = 0, owner = '', digest = 'none', early = 1"))
        connection.execute(text("UPDATE webhooks SET address = '', given_up = 1 - given_up"))
        stray = {**dict(connection.execute(select(schema.webhooks)).mappings().first() or {}), "id": "stray"}
        connection.execute(insert(schema.webhooks).values(stray))
        journalling.rebuild(connection)
    assert projected(store) == before
    store.close()


def test_what_only_others_know_stays_when_rows_are_written_anew(data: Path) -> None:
    """How far an address was told, and what the replay of a game told."""
    store = SqliteStore(data)
    with store.write() as connection:
        figures = player_rows.ReplayFigures([300], [1], [4], [1, 2, 3, 4, 5, 6])
        (ended_no,) = connection.scalars(text("SELECT ended_no FROM player_games WHERE table_id = 1"))
        player_rows.note_replays(connection, {(1, ended_no): figures})
        connection.execute(text("UPDATE webhooks SET number = 7, tries = 2, failure = 'no-answer' WHERE table_id = 1"))
    before = projected(store)
    with store.write() as connection:
        journalling.rebuild(connection)
    assert projected(store) == before
    with store.read() as connection:
        assert connection.execute(text("SELECT best, fell FROM player_games WHERE table_id = 1")).one()[0] == 300
        hooks = webhook_rows.hooks.c
        told = select(hooks.number, hooks.tries, hooks.failure).where(hooks.table_id == 1)
        assert tuple(connection.execute(told).one()) == (7, 2, "no-answer")
    store.close()
