"""A game can be deleted: hidden at once, brought back within a minute, then gone; on both engines."""

import re
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import func, select

from tests.web.apps import create_app
from tests.web.pages.test_owners import guest, owner_of, reason, statuses_of_views
from tests.web.phones import JSON, Phone, device_of, end
from tests.web.postgres import both_engines
from tests.web.stored import table_started
from tests.web.waiting import wait_until
from web.services import services
from web.store import schema
from web.store.codes import mark_of
from web.store.maintenance import health, recovery
from web.store.maintenance.ends import FILE_NAME as ENDS
from web.store.maintenance.ends import JournalEnds
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.store import Store, pending_deletions
from web.table.commands import AddSample, ChangeSettings

PLAYERS = ("Ada of Deletion", "Bob of Deletion")


def delete(phone: Phone, deleted: bool = True) -> Any:
    return phone.client.post(f"/api/v1{phone.base}/deleted", json={"deleted": deleted}, headers=JSON)


def let_a_minute_pass(app: Flask) -> None:
    """Sets the clock of the deletions forward until none waits any more."""
    parts = services(app)
    later = 0

    def is_over() -> bool:
        nonlocal later
        later += 61
        parts.deletions.clock = lambda: time.monotonic() + later
        parts.deletions.wake()
        return not pending_deletions(parts.store)

    wait_until(is_over)


def rows_of(store: Store, table_id: int) -> dict[str, int]:
    """How many rows of a game table each table of the store has, but for its deletion."""
    tables = [table for table in schema.metadata.sorted_tables if table is not schema.erased]
    columns = [table.c.table_id for table in tables if "table_id" in table.c] + [schema.tables.c.id]
    with store.read() as connection:
        counted = {
            column.table.name: connection.execute(select(func.count()).where(column == table_id)).scalar_one()
            for column in columns
        }
    return {name: count for name, count in counted.items() if count}


def test_a_deleted_game_is_gone_from_all_pages_and_comes_back(app: Flask, client: FlaskClient) -> None:
    owner = owner_of(client, "farkle", *PLAYERS)
    other = guest(app, owner.base)
    other.throw(1, 1, 6, 6, 3, 4)
    before, code = owner.look(), owner.state["code"]
    assert delete(owner).status_code == 200
    for phone in (owner, other):
        assert set(statuses_of_views(phone)) == {410}
        assert reason(phone.act(do="set-aside", dice=[1, 1])) == (410, "table-deleted")
        for page in ("/", "/history", "/history/players"):
            assert PLAYERS[0] not in phone.client.get(page).get_data(as_text=True)
        shown = phone.client.get(owner.base).get_data(as_text=True)
        assert ("This game was deleted." in shown, "Undo" in shown) == (True, phone is owner)
    assert client.get(f"/j/{code}").status_code == 404
    assert delete(owner).status_code == 200, "sent again, it is done once"
    assert client.post(f"/history/undelete/{owner.key}").status_code == 303
    assert owner.look()["standing"] == other.look()["standing"] == before["standing"]
    assert owner.base in client.get("/history").get_data(as_text=True)


def test_my_tables_asks_once_and_offers_to_undo(app: Flask, client: FlaskClient) -> None:
    owner = owner_of(client, "farkle", *PLAYERS)
    other = guest(app, owner.base)
    page = f"/history/delete/{owner.key}"
    assert page in client.get("/history").get_data(as_text=True)
    assert page not in other.client.get("/history").get_data(as_text=True)
    assert "Delete this game" in client.get(page).get_data(as_text=True)
    assert owner.look()["version"] == 0, "it only asks"
    shown = client.post(page, follow_redirects=True).get_data(as_text=True)
    assert "“Farkle” was deleted." in shown
    back = re.search(r'action="(/history/undelete/[^"]+)"', shown)
    assert "was deleted" not in other.client.get(f"/history?deleted={owner.key}").get_data(as_text=True)
    assert client.post(back[1]).status_code == 303
    assert owner.look()["version"] == 0


@both_engines
def test_after_a_minute_nothing_is_left_of_it(app: Flask, client: FlaskClient, tmp_path: Path) -> None:
    stays = owner_of(client, "sequence", "Ada", "Bob")
    end(client, stays.base)
    owner = owner_of(client, "farkle", *PLAYERS)
    other, parts, key = guest(app, owner.base), services(app), owner.key
    owner.throw(1, 1, 6, 6, 3, 4)
    parts.runner.do(key, AddSample(1, b"\x00\x01 a sample"))
    parts.runner.do(key, ChangeSettings(advice="odds"))
    parts.runner.do(key, ChangeSettings(dice_set="the deleted ones"))
    end(client, owner.base)
    kept = tmp_path / "data" / "corrections"
    kept.mkdir(exist_ok=True)
    for name, of in (("gone", key), ("stays", stays.key)):
        (kept / f"{name}.json").write_text(f'{{"table": "{mark_of(of)}"}}')
        (kept / f"{name}.photo").write_bytes(b"\xff\xd8 a photo")
    client.get(f"{owner.base}/statistics")
    row = parts.runner.row(key)
    assert rows_of(parts.store, row.id)
    delete(owner)
    let_a_minute_pass(app)
    wait_until(lambda: not (kept / "gone.json").exists())
    assert rows_of(parts.store, row.id) == {}
    assert sorted(path.name for path in kept.iterdir()) == ["stays.json", "stays.photo"]
    for phone in (owner, other):
        assert set(statuses_of_views(phone)) == {410}
        shown = phone.client.get(owner.base)
        assert "Undo" not in shown.get_data(as_text=True)
        assert "Refresh" not in shown.headers
    assert reason(delete(owner, False)) == (410, "table-deleted")
    assert stays.look()["standing"]["over"]


@both_engines
def test_the_next_table_follows_the_one_before_the_deleted_one(app: Flask, client: FlaskClient) -> None:
    first = owner_of(client, "sequence", "Ada", "Bob")
    end(client, first.base)
    second = Phone(client, client.post(f"{first.base}/again", data={"begins": "0"}).headers["Location"])
    end(client, second.base)
    third = Phone(client, client.post(f"{second.base}/again", data={"begins": "0"}).headers["Location"])
    delete(second)
    let_a_minute_pass(app)
    wait_until(lambda: first.look()["next"] == third.key)
    delete(third)
    let_a_minute_pass(app)
    wait_until(lambda: first.look()["next"] is None)
    again = client.post(f"{first.base}/again", data={"begins": "0"}).headers["Location"]
    assert client.get(again).status_code == 200


@both_engines
def test_a_deletion_is_known_to_the_next_start(tmp_path: Path, database: str | None) -> None:
    app = create_app(tmp_path / "data", database=database)
    client = app.test_client()
    undone, gone = (owner_of(client, "farkle", *PLAYERS) for _ in range(2))
    for phone in (undone, gone):
        delete(phone)
    device = device_of(client)
    services(app).close()
    app = create_app(tmp_path / "data", database=database)
    client = app.test_client()
    client.set_cookie("device", device)
    assert client.get(gone.base).status_code == 410
    assert client.post(f"/history/undelete/{undone.key}").status_code == 303
    let_a_minute_pass(app)
    assert [client.get(phone.base).status_code for phone in (undone, gone)] == [200, 410]
    services(app).close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder from which the newest table of three was deleted for good; its first one goes on."""
    app = create_app(tmp_path / "data")
    client = app.test_client()
    tables = [owner_of(client, "sequence", f"Player {number}", "Bob") for number in range(2)]
    tables.append(owner_of(client, "farkle", *PLAYERS))
    for phone in tables[:2]:
        phone.throw(1, 2, 3, 4, 6, 6)
    for dice in ((1, 1, 6, 6, 3, 4), (2, 3, 4, 6)):
        tables[2].throw(*dice)
        tables[2].act(do="set-aside", dice=[1, 1])
    shutil.copy(tmp_path / "data" / ENDS, tmp_path / ENDS)
    (tmp_path / "key").write_text(tables[2].key)
    delete(tables[2])
    let_a_minute_pass(app)
    services(app).close()
    return tmp_path / "data"


def test_no_byte_of_it_is_left_in_the_folder(folder: Path) -> None:
    key = (folder.parent / "key").read_bytes()
    for path in folder.rglob("*"):
        if path.is_file():
            found = path.read_bytes()
            assert key not in found, path.name
            assert b"of Deletion" not in found, path.name


def test_the_store_is_whole_after_a_deletion(folder: Path) -> None:
    assert health.check(folder).whole
    # A power cut may bring back the ends of before.
    shutil.copy(folder.parent / ENDS, folder / ENDS)
    assert health.check(folder).whole
    store = SqliteStore(folder)
    assert store.notices == []
    store.close()
    assert len(JournalEnds(folder).known) == 2
    assert not list(folder.glob("rollcall-damaged*"))


def test_its_number_is_not_given_again(folder: Path) -> None:
    app = create_app(folder)
    key = owner_of(app.test_client(), "farkle").key
    assert services(app).runner.row(key).id == 4
    services(app).close()


def test_a_recovery_does_not_bring_it_back(folder: Path) -> None:
    shutil.copy(folder.parent / ENDS, folder / ENDS)
    recovered = recovery.replace_damaged(folder / FILE_NAME, JournalEnds(folder), [])
    assert [recovered.params[name] for name in ("whole", "damaged", "gone")] == [2, 0, 0]
    assert health.check(folder).whole
    app = create_app(folder)
    key = (folder.parent / "key").read_text()
    answer = app.test_client().get(f"/tables/{key}", headers=JSON)
    assert reason(answer) == (410, "table-deleted")
    services(app).close()


def test_a_table_of_an_old_store_without_an_owner(app: Flask, client: FlaskClient) -> None:
    row = services(app).store.create(table_started("farkle", {}, list(PLAYERS)))
    phone = Phone(client, f"/tables/{row.key}")
    other = guest(app, phone.base)
    assert delete(other).status_code == 200
    assert reason(delete(phone, False)) == (410, "table-deleted")
    assert delete(other, False).status_code == 200
