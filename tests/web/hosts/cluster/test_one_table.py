"""No transaction changes two tables, so that tables may be spread over several databases by their key.

Triggers of PostgreSQL note which transaction changed rows of which table. What they may not: a table that follows
another one begins in a transaction of both, so it has to be where that one is (docs/scaling.md).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, start
from tests.web.proving import confirm
from web.programs.webhooks.outgoing import AllowedNetworks
from web.services import services
from web.store import schema
from web.table.commands import AddSample, ShowPhoto, StartNext
from web.table.photo_state import PHOTO, PhotoDetails, Waiting

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

import psycopg

# All that belongs to a table which is not erased, and the column that says to which.
OWNED = {schema.tables.name: "id"} | {
    each.name: "table_id"
    for each in schema.metadata.sorted_tables
    if "table_id" in each.columns and each is not schema.erased
}
NOTED = """
CREATE TABLE noted (seq SERIAL, transaction BIGINT, table_id INTEGER, what TEXT);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO noted (transaction, table_id, what)
  VALUES (txid_current(), (to_jsonb(COALESCE(NEW, OLD)) ->> TG_ARGV[0])::INTEGER, TG_TABLE_NAME);
  RETURN NULL;
END $$;
"""


@contextmanager
def noting(address: str) -> Iterator[Any]:
    """A connection to the database, whose changes are noted from now on."""
    with psycopg.connect(address.replace("+psycopg", ""), autocommit=True) as database:
        database.execute(NOTED)
        for table, column in OWNED.items():
            database.execute(
                f"CREATE TRIGGER noting AFTER INSERT OR UPDATE OR DELETE ON {table} "  # type: ignore[call-overload]
                f"FOR EACH ROW EXECUTE FUNCTION note('{column}')"
            )
        yield database


def spans(database: Any) -> list[list[int]]:
    """The tables of each transaction that changed more than one, and forgets all."""
    query = "SELECT array_agg(DISTINCT table_id ORDER BY table_id) FROM noted GROUP BY transaction"
    found = [row[0] for row in database.execute(query).fetchall()]
    assert found, "nothing was noted"
    database.execute("TRUNCATE noted")
    return [tables for tables in found if len(tables) > 1]


def test_no_transaction_changes_two_tables(tmp_path: Path, shared: str) -> None:
    app = create_app(tmp_path, database=shared, webhooks_to=AllowedNetworks(also=["192.168.77.0/24"]))
    runner = services(app).runner
    with noting(shared) as database:
        client = app.test_client()
        phones = [Phone(client, start(client, "sequence", "Ada")) for _ in range(2)]
        for phone in phones:
            assert client.get(phone.base).status_code == 200
            assert phone.post("settings", advice="odds").status_code == 200
            assert phone.post("settings", keeps_pictures=True).status_code == 200
            assert phone.post("settings", dice_set="red").status_code == 200
            assert client.post(f"/api/v1{phone.base}/programs", json={"name": "lamp"}, headers=JSON).status_code == 201
            hook = {"name": "lamp", "address": "http://192.168.77.7/"}
            assert client.post(f"/api/v1{phone.base}/webhooks", json=hook, headers=JSON).status_code == 201
        for number in range(4):
            for phone in phones:
                assert phone.throw(1, 2, 3, 4, 5, 6).status_code == 200
                row = runner.row(phone.key)
                taken = PhotoDetails(f"photo-{row.id}-{number}", PHOTO, "phone", phone.state["version"], 6)
                runner.do(row.key, ShowPhoto(Waiting(taken)))
                runner.do(row.key, AddSample(phone.state["version"], b"sample"))
                assert phone.post("undo").status_code == 200
                assert confirm(app, phone, f"picture-{row.id}-{number}", 1, 2, 3, 4, 5, 6).status_code == 200
        first = phones[0]
        while not first.standing["over"]:
            assert first.throw(1, 2, 3, 4, 5, 6).status_code == 200
        record = client.get(f"{first.base}/record.json").get_data()
        assert client.post("/import", data={"record": (BytesIO(record), "game.json")}).status_code == 303
        assert client.post("/history/forget/" + first.key).status_code == 303
        early = Phone(client, start(client, "sequence", "Ada"))
        assert early.act(do="adjust", what="game", over=True).status_code == 200
        assert client.get("/history").status_code == 200
        assert early.post("deleted", deleted=True).status_code == 200
        noted = {row[0] for row in database.execute("SELECT DISTINCT what FROM noted").fetchall()}
        assert noted == set(OWNED)
        assert spans(database) == []
        followed = runner.row(first.key)
        fresh = runner.go_on(followed.key, StartNext())
        assert spans(database) == [[followed.id, fresh.id]], "so it has to be where the other one is"
    services(app).close()
