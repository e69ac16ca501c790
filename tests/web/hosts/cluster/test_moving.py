"""`rollcall move`: all of a store is in the other one, whichever engines they have; nothing is half there."""

import json
import shutil
from pathlib import Path

import pytest
from sqlalchemy import select, text, update

import rollcall
from scorer.games import text_of
from tests.web.apps import create_app
from tests.web.phones import Phone, start
from tests.web.proving import confirm
from tests.web.stored import append, dice_named, line, log, table_started
from web.programs.webhooks.outgoing import AllowedNetworks
from web.services import services
from web.store import schema
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.store import Store
from web.table.commands import AddSample, Asker, ChangeSettings, StartNext
from web.table.events import PhotoUnderReview
from web.table.photo_state import PHOTO, PhotoDetails, Waiting

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

from web.hosts.cluster import moving
from web.hosts.cluster.moving import MOVED, move
from web.hosts.cluster.shared_store import SharedStore
from web.store.maintenance.not_done import NotDoneError


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A data folder with a finished game, the one that follows it, and one that runs.

    That one has an undo, a sample of its dice and their name, advice, a program, the picture of a throw, and the phone
    of its owner. Another table was deleted. A phone keeps a game of its own.
    """
    folder = tmp_path / "played"
    app = create_app(folder, webhooks_to=AllowedNetworks(also=["192.168.77.0/24"]))
    client = app.test_client()
    over = Phone(client, start(client, "sequence", "Ada", "Bob"))
    while not over.standing["over"]:
        assert over.throw(1, 2, 3, 4, 5, 6).status_code == 200
    services(app).runner.go_on(over.key, StartNext())
    runs = Phone(client, start(client, "farkle", "Žofie", "Łucja"))
    client.get(runs.base)
    runs.throw(1, 1, 1, 5, 2, 4)
    runs.post("undo")
    assert runs.post("settings", keeps_pictures=True).status_code == 200
    assert confirm(app, runs, "a-photo-of-a-throw", 5, 5, 5, 1, 2, 4).status_code == 200
    services(app).runner.do(runs.key, AddSample(3, b"\x00\x01\xff"))
    services(app).runner.do(runs.key, ChangeSettings(advice="odds"), Asker(name="phone"))
    services(app).runner.do(runs.key, ChangeSettings(dice_set="the red ones"))
    runs.client.post(f"/api/v1{runs.base}/programs", json={"name": "lamp"})
    hook = {"name": "lamp", "address": "http://192.168.77.7/"}
    assert runs.client.post(f"/api/v1{runs.base}/webhooks", json=hook).status_code == 201
    own = text_of("pig").replace('title = "Pig"', 'title = "Our Pig"')
    assert client.post("/own-games", json={"name": "Our Pig", "toml": own}).status_code == 200
    store = services(app).store
    gone = store.find(start(client).rpartition("/")[2])
    assert gone is not None
    store.erase(gone)
    services(app).close()
    return folder


def content(store: Store) -> dict[str, list[str]]:
    with store.read() as connection:
        return {table.name: sorted(map(repr, connection.execute(select(table)).all())) for table in MOVED}


def test_a_store_goes_there_and_back_and_games_go_on(
    played: Path, shared: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert rollcall.main(["move", str(played), shared, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"tables": 3, "actions": 10}
    assert rollcall.main(["move", shared, str(tmp_path / "back")]) == 0
    assert capsys.readouterr().out == "tables 3, actions 10: all there and whole\n"
    before, there, back = SqliteStore(played), SharedStore(shared), SqliteStore(tmp_path / "back")
    assert content(before) == content(there) == content(back)
    assert all(content(before).values())
    new = [store.create(table_started("farkle", {}, ["Eva"])) for store in (there, back)]  # with a number of its own
    assert [row.id for row in new] == [5, 5], "the number of the deleted table is not given again"
    for store, row in zip((there, back), new, strict=True):
        log(store, row, line(1, request="request-new"))
        store.close()
    before.close()
    again = SqliteStore(tmp_path / "back")
    assert again.notices == []
    again.close()


def test_a_photo_under_review_is_not_moved(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "old")
    row = store.create(table_started("farkle", {}, ["Ada"]))
    append(store, row, PhotoUnderReview(Waiting(PhotoDetails("a-photo", PHOTO, "Ada", 0, 6, ()), 1)))
    assert store.open(row)[0].photo is not None
    store.close()
    move(str(tmp_path / "old"), str(tmp_path / "new"))
    moved = SqliteStore(tmp_path / "new")
    assert moved.open(row)[0].photo is None
    append(moved, row, dice_named("red"))
    assert moved.open(row)[0].settings.dice_set == "red"
    moved.close()


def test_a_store_that_has_games_is_not_moved_to(played: Path, shared: str, tmp_path: Path) -> None:
    move(str(played), shared)
    with pytest.raises(NotDoneError, match=r"there are games in the database rollcall_\w+ already"):
        move(str(played), shared)
    shutil.copytree(played, tmp_path / "copy")
    with pytest.raises(NotDoneError, match="already: name one that is new or empty"):
        move(str(played), str(tmp_path / "copy"))


def test_what_does_not_arrive_as_it_was_sent_is_not_there_at_all(
    played: Path, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = moving._copy

    def spoil(reading: object, writing: object, table: object) -> None:
        copy(reading, writing, table)  # type: ignore[arg-type]
        if table is schema.player_games:
            writing.execute(update(table).values(score=table.c.score + 1))  # type: ignore[attr-defined]

    monkeypatch.setattr(moving, "_copy", spoil)
    with pytest.raises(NotDoneError, match="player_games says of it is damaged"):
        move(str(played), shared)
    store = SharedStore(shared)
    assert not any(content(store).values())
    store.close()


def test_a_journal_whose_hashes_are_wrong_is_not_moved(shared: str, tmp_path: Path) -> None:
    store = SharedStore(shared)
    row = store.create(table_started("farkle", {}, ["Ada"]))
    log(store, row, line(1))
    with store._engine.begin() as connection:
        connection.execute(text("UPDATE events SET at = '2026'"))
    store.close()
    with pytest.raises(NotDoneError, match="mends table 1: its journal is damaged after event 0"):
        move(shared, str(tmp_path / "target"))


def test_a_place_without_games_is_told(shared: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rollcall.main(["move", str(tmp_path / "none"), shared]) == 2
    assert "there are no games in" in capsys.readouterr().err
    assert not (tmp_path / "none" / FILE_NAME).exists()
    assert rollcall.main(["move", "mysql://somewhere/games", str(tmp_path / "target")]) == 2
    assert "a database is postgresql+psycopg://" in capsys.readouterr().err


def test_a_database_is_checked_and_its_lists_are_written_anew(
    played: Path, shared: str, capsys: pytest.CaptureFixture[str]
) -> None:
    move(str(played), shared)
    command = ["check", "--database", shared]
    assert rollcall.main(command) == 0
    assert capsys.readouterr().out == "game file: whole\ntables whole 3, damaged 0\n"
    store = SharedStore(shared)
    before = content(store)
    with store.write() as connection:
        connection.execute(text("UPDATE player_games SET score = score + 1"))
        connection.execute(text("UPDATE tables SET players = '[]' WHERE id = 2"))
    assert rollcall.main(command) == 1
    told = capsys.readouterr().out
    assert "game file: damaged\ntable 1: what player_games says of it is damaged\n" in told
    assert "table 2: what tables says of it is damaged\n" in told
    assert rollcall.main([*command, "--rebuild"]) == 0
    assert capsys.readouterr().out.startswith("written anew from the journals: 3 tables\ngame file: whole\n")
    assert content(store) == before
    with store.write() as connection:
        connection.execute(text("UPDATE events SET at = 'once' WHERE table_id = 3 AND number = 3"))
    assert rollcall.main(command) == 1
    assert "table 3: its journal is damaged after event 2\n" in capsys.readouterr().out
    assert rollcall.main([*command, "--repair"]) == 1
    assert capsys.readouterr().out == "game file: whole\ntables whole 2, damaged 1\n"
    store.close()
