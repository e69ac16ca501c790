"""An older store: a newer Rollcall takes it over as a whole or not at all, keeps a copy, and loses nothing."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from tests.reliability import old_stores
from tests.reliability.driving import Served, ask, refused_start
from tests.web.apps import create_app
from tests.web.phones import Phone, any_legal
from tests.web.served import UNPREPARED
from tests.web.stored import lines_in, log, table_started
from web.services import services
from web.statistics import player_games
from web.store import schema, visits
from web.store.maintenance.copies import Copies
from web.store.migrations import upgrade
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.stamps import now
from web.table.stored_table import Entry

DEVICE = "a-phone-of-an-older-version"
OLDER = [version for version in old_stores.versions() if version < schema.VERSION]

resource = pytest.importorskip("resource", reason="Windows has no limits on the size of files")


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        found: int = connection.execute("SELECT version FROM schema_version").fetchone()[0]
        return found


def essence(table: dict[str, Any]) -> dict[str, Any]:
    """What must not change, though later versions may show more beside it."""
    players = [{name: player[name] for name in ("name", "score", "place")} for player in table["players"]]
    record = {name: table["record"][name] for name in ("game", "players", "actions")}
    log = [{name: line[name] for name in ("seq", "body", "device", "at")} for line in table["log"]]
    return {**table, "players": players, "record": record, "log": log}


def test_there_is_a_store_of_every_older_version() -> None:
    assert list(range(1, schema.VERSION)) == OLDER


@pytest.mark.parametrize("version", old_stores.versions())
def test_an_older_store_is_taken_over_with_everything_in_it(version: int, tmp_path: Path) -> None:
    told = old_stores.unpack(version, tmp_path)
    (tmp_path / "photos").mkdir(exist_ok=True)
    (tmp_path / "photos" / "a-photo-under-review.photo").write_bytes(b"")  # without it nothing is under review
    application = create_app(tmp_path)
    store, client = services(application).store, application.test_client()
    assert version_of(tmp_path / FILE_NAME) == schema.VERSION
    with_photo = store.find(told[0]["base"].rsplit("/", 1)[1])
    assert with_photo is not None
    photo = store.load(with_photo).settings.photo
    assert photo is not None
    assert photo.details.id == "a-photo-under-review"
    for table in told:
        assert essence(old_stores.document_of(client, table["base"])) == essence(table)
    assert [row.key for row in visits.tables_of(store, DEVICE)] == [
        table["base"].rsplit("/", 1)[1] for table in reversed(told)
    ]
    over = [table for table in told if table["over"]]
    assert len(over) >= 3
    rows = player_games.read_rows(store, lambda open_: player_games.games_ended_after(open_, DEVICE, 0, 1000)[0])
    assert [(row.name, row.score, row.place) for row in rows] == [
        (player["name"], player["score"], player["place"]) for table in over for player in table["players"]
    ]
    dice = random.Random(1)
    for table in told:  # they go on
        phone = Phone(client, table["base"])
        assert phone.post("undo", request="a-new-request-1").status_code == 200
        action = any_legal(phone.standing, dice)
        assert phone.post("actions", request="a-new-request-2", action=action).status_code == 200
        assert phone.state["version"] == table["version"] + 2
    services(application).close()


@pytest.mark.parametrize("version", OLDER)
def test_a_copy_of_the_older_store_is_kept(version: int, tmp_path: Path) -> None:
    old_stores.unpack(version, tmp_path)
    before = dump(tmp_path / FILE_NAME)
    (tmp_path / "rollcall.heads").write_text("how far the logs of that store went\n")
    SqliteStore(tmp_path).close()
    assert not (tmp_path / "rollcall.heads").exists()
    copy = Copies(tmp_path / FILE_NAME).path_before(version)
    assert dump(copy) == before
    assert not list(tmp_path.glob("*.part"))
    SqliteStore(tmp_path).close()  # nothing to take over: the copy stays as it is
    assert dump(copy) == before


@pytest.mark.parametrize("version", OLDER)
def test_an_older_store_becomes_what_a_new_one_is(version: int, tmp_path: Path) -> None:
    old_stores.unpack(version, tmp_path / "old")
    SqliteStore(tmp_path / "old").close()
    SqliteStore(tmp_path / "new").close()

    def describe(folder: str) -> dict[str, Any]:
        with closing(sqlite3.connect(tmp_path / folder / FILE_NAME)) as connection:
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            return {
                name: (
                    sorted(row[1:] for row in connection.execute(f"PRAGMA table_info({name})")),
                    sorted(tuple(row[1:]) for row in connection.execute(f"PRAGMA index_list({name})")),
                )
                for (name,) in names
            }

    assert describe("old") == describe("new")


# What a file of version 5 did not have at first, before Alembic.
BESIDE = (
    *("TABLE alembic_version", "TABLE preferences", "TABLE dice_sets", "TABLE owners", "TABLE phones"),
    *("TRIGGER results_insert", "TRIGGER results_delete", "TABLE player_games", "TABLE stale_games"),
    *("TABLE deletions", "TABLE early_games", "TABLE programs"),
    *("TABLE kept_games", "TABLE own_games", "TABLE agreements", "TABLE pictures"),
    *("TABLE webhooks", "TABLE deliveries"),
    *("INDEX ix_tables_next_key", "INDEX ix_tables_running", "INDEX ix_visits_table"),
)


def test_a_file_from_before_alembic_gets_what_it_lacks(tmp_path: Path) -> None:
    old_stores.unpack(5, tmp_path / "whole")
    old_stores.unpack(5, tmp_path / "first")
    with closing(sqlite3.connect(tmp_path / "first" / FILE_NAME)) as connection, connection:
        for name in BESIDE:
            connection.execute(f"DROP {name}")
    for folder in ("whole", "first"):
        store = SqliteStore(tmp_path / folder)
        assert store.notices == []
        store.close()
    assert layout(tmp_path / "first") == layout(tmp_path / "whole")
    assert revision_of(tmp_path / "first") == schema.REVISION
    assert Copies(tmp_path / "first" / FILE_NAME).path_before(5).exists()


def test_what_a_newer_rollcall_added_beside_is_left_alone(tmp_path: Path) -> None:
    SqliteStore(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        connection.execute("CREATE TABLE later (id INTEGER PRIMARY KEY)")
        connection.execute("ALTER TABLE tables ADD COLUMN later TEXT")
        connection.execute("CREATE INDEX ix_later ON events (at)")
        connection.execute(f"UPDATE schema_version SET revision = '{schema.VERSION}.later'")
    before = layout(tmp_path)
    store = SqliteStore(tmp_path)
    log(
        store, store.create(table_started("farkle", {}, ["Ada"])), Entry(1, "a-request", {"undo": True}, "phone", now())
    )
    store.close()
    store = SqliteStore(tmp_path)
    assert store.notices == []
    store.close()
    assert layout(tmp_path) == before
    assert revision_of(tmp_path) == f"{schema.VERSION}.later"


def test_a_store_gets_what_was_added_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    SqliteStore(tmp_path).close()
    before = layout(tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        connection.execute("DROP TABLE phone_games")
        connection.execute("DROP INDEX ix_visits_table")
        connection.execute("ALTER TABLE visits DROP COLUMN hidden")
    monkeypatch.setattr(schema, "REVISION", f"{schema.VERSION}.added")
    store = SqliteStore(tmp_path)
    assert store.notices == []
    store.close()
    assert len(layout(tmp_path)) == len(before)
    assert revision_of(tmp_path) == f"{schema.VERSION}.added"


@pytest.mark.parametrize("version", OLDER)
def test_a_revision_that_nobody_knows_does_not_keep_an_older_store_back(version: int, tmp_path: Path) -> None:
    old_stores.unpack(version, tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        connection.execute("CREATE TABLE IF NOT EXISTS alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
        connection.execute("DELETE FROM alembic_version")
        connection.execute("INSERT INTO alembic_version VALUES ('no revision')")
    SqliteStore(tmp_path).close()
    assert version_of(tmp_path / FILE_NAME) == schema.VERSION
    assert revision_of(tmp_path) == schema.REVISION


def layout(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        found = connection.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
        ).fetchall()
        return sorted(" ".join(f"{kind} {name} {sql}".split()) for kind, name, sql in found)


def revision_of(folder: Path) -> str:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        (found,) = connection.execute("SELECT revision FROM schema_version").fetchone()
        return str(found)


def half_way(happens: Callable[[], None]) -> Callable[..., None]:
    """A step to the next version, and what is to happen in its middle."""

    def step(connection: Connection, *_: object) -> None:
        connection.exec_driver_sql("CREATE TABLE half_way (id INTEGER)")
        connection.exec_driver_sql("DELETE FROM events")
        happens()

    return step


def test_a_migration_that_fails_leaves_the_older_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old_stores.unpack(1, tmp_path / "data")
    before = dump(tmp_path / "data" / FILE_NAME)
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    monkeypatch.setitem(upgrade.STEPS, schema.VERSION, half_way(lambda: 1 // 0))
    with pytest.raises(ZeroDivisionError):
        SqliteStore(tmp_path / "data")
    assert dump(tmp_path / "data" / FILE_NAME) == before


def test_killed_inside_a_migration_the_store_is_the_older_one(tmp_path: Path) -> None:
    data = tmp_path / "data"
    old_stores.unpack(1, data)
    before = dump(data / FILE_NAME)
    code = f"""
import os, signal
from pathlib import Path
from tests.reliability.test_migration import half_way
from web.store.migrations import upgrade
from web.store import schema
from web.store import sqlite

schema.VERSION += 1
upgrade.STEPS[schema.VERSION] = half_way(lambda: os.kill(os.getpid(), signal.SIGKILL))
sqlite.SqliteStore(Path({str(data)!r}))
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == -signal.SIGKILL
    assert version_of(data / FILE_NAME) == 1
    assert dump(data / FILE_NAME) == before
    SqliteStore(data).close()
    assert version_of(data / FILE_NAME) == schema.VERSION


@pytest.mark.parametrize(("kills", "times"), [(3, 40), pytest.param(100, 150, marks=pytest.mark.slow)])
def test_killed_at_random_moments_the_store_is_one_or_the_other(tmp_path: Path, kills: int, times: int) -> None:
    """After each kill the store is whole, of one version or the other, with every line of its log.

    `times`: how often its tables are repeated, so that the migration takes a while.
    """
    folder, dice = tmp_path / "data", random.Random(kills)
    told = old_stores.unpack(1, folder)
    repeat_tables(folder / FILE_NAME, times)
    lines = count(folder / FILE_NAME)
    original = (folder / FILE_NAME).read_bytes()
    copy = Copies(folder / FILE_NAME).path_before(1)
    older = newer = 0
    # How long the taking over lasts on this machine, so that the kills fall into it.
    SqliteStore(folder).close()
    lasts = (folder / FILE_NAME).stat().st_mtime - copy.stat().st_mtime
    for _ in range(kills):
        for path in folder.glob("*"):
            if path.is_file():
                path.unlink()
        (folder / FILE_NAME).write_bytes(original)
        code = f"from pathlib import Path; from web.store.sqlite import SqliteStore; SqliteStore(Path({str(folder)!r}))"
        process = subprocess.Popen([sys.executable, "-c", code])
        until = time.monotonic() + 60
        while not copy.exists():
            assert time.monotonic() < until
            assert process.poll() is None
            time.sleep(0.001)
        time.sleep(dice.uniform(0, max(lasts, 0.05)))
        process.kill()
        process.wait(60)
        if version_of(folder / FILE_NAME) == 1:
            older += 1
            assert count(folder / FILE_NAME) == lines
        else:
            newer += 1
        assert version_of(copy) == 1
        assert count(copy) == lines
    with Served(folder, program=UNPREPARED) as served:
        for table in told:
            _, state = ask(served, "GET", f"/api/v1{table['base']}")
            assert state["version"] == table["version"]
    assert count(folder / FILE_NAME) == lines
    assert version_of(folder / FILE_NAME) == schema.VERSION
    print(f"\n{older + newer} kills while migrating: {older} left the older version, {newer} the newer, 0 lines lost")
    assert older or kills < 100, "no kill fell into the migration"


def repeat_tables(path: Path, times: int) -> None:
    """Repeats the tables of a store of version 1, with their logs, under other keys."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for time_ in range(1, times):
            shift = time_ * 1000
            connection.execute(
                f"INSERT INTO tables SELECT id + {shift}, key || '-{time_}', code, game, options, players,"
                " keep_corrections, created_at, active_at, finished_at FROM tables WHERE id < 1000"
            )
            connection.execute(
                "INSERT INTO log (table_id, seq, request, body, device, at)"
                f" SELECT table_id + {shift}, seq, request, body, device, at FROM log WHERE table_id < 1000"
            )


def count(path: Path) -> int:
    return len(lines_in(path))


def test_a_full_disk_leaves_the_older_store(tmp_path: Path) -> None:
    old_stores.unpack(1, tmp_path)
    before = dump(tmp_path / FILE_NAME)
    half = (tmp_path / FILE_NAME).stat().st_size // 2

    said = refused_start(tmp_path, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (half, half)))
    assert str(tmp_path) in said
    assert dump(tmp_path / FILE_NAME) == before
    assert not list(tmp_path.glob("*.part"))


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    SqliteStore(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection, connection:
        connection.execute("UPDATE schema_version SET version = version + 1")
        connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    before = dump(tmp_path / FILE_NAME)
    said = refused_start(tmp_path)
    assert "newer Rollcall" in said
    assert "update Rollcall" in said
    assert dump(tmp_path / FILE_NAME) == before


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"a shopping list" * 100)
    said = refused_start(tmp_path)
    assert f"{FILE_NAME} in it is damaged or not Rollcall's" in said
    assert (tmp_path / FILE_NAME).read_bytes() == b"a shopping list" * 100
