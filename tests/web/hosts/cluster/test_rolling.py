"""A store to which a newer Rollcall added something is served by this one, also when it is started anew on it."""

from pathlib import Path

import pytest

from tests.web.apps import create_app
from tests.web.phones import Phone, start
from web.services import services
from web.store.schema import VERSION
from web.store.store import fault

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

import psycopg

# What a later version may do without another `schema.READABLE_BY` (CONTRIBUTING.md).
ADDED = f"""
CREATE TABLE later (id INTEGER PRIMARY KEY, table_id INTEGER NOT NULL REFERENCES tables (id));
ALTER TABLE tables ADD COLUMN later TEXT;
ALTER TABLE events ADD COLUMN later INTEGER NOT NULL DEFAULT 7;
ALTER TABLE player_games ADD COLUMN later TEXT;
ALTER TABLE visits ADD COLUMN later TEXT NOT NULL DEFAULT '';
ALTER TABLE photos ADD COLUMN later TEXT;
CREATE INDEX ix_later ON events (later, number);
UPDATE schema_version SET version = {VERSION + 1};
"""


def test_what_was_added_is_left_alone_while_games_go_on(tmp_path: Path, shared: str) -> None:
    running = create_app(tmp_path / "one", database=shared)
    base = start(running.test_client(), "sequence", "Ada")
    with psycopg.connect(shared.replace("+psycopg", ""), autocommit=True) as database:
        for statement in ADDED.strip().split("\n"):
            database.execute(statement)  # type: ignore[call-overload]
        started = create_app(tmp_path / "two", database=shared)
        for app in (running, started):
            assert fault(services(app).store) is None
            phone = Phone(app.test_client(), base)
            assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
            assert phone.post("undo").status_code == 200
        found = database.execute("SELECT count(*), min(later) FROM events WHERE kind = 'logged'").fetchone()
        assert found == (4, 7)
        assert database.execute("SELECT version FROM schema_version").fetchone() == (VERSION + 1,)
    for app in (running, started):
        services(app).close()
