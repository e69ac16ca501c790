"""Who uses a data folder, and commands on a folder that may not be written: nothing is asked by writing into it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

import rollcall
from tests.reliability.test_disk import bound_by_permissions
from tests.web.served import ROOT
from tests.web.stored import line, log, table_started
from web.store import schema
from web.store.maintenance import locking
from web.store.maintenance.locking import LOCK
from web.store.sqlite import FILE_NAME, SqliteStore

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has neither these locks nor these permissions")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with one table of one line, and with the lock file of a server that was killed."""
    folder = tmp_path / "data"
    store = SqliteStore(folder)
    log(store, store.create(table_started("farkle", {}, ["Ada"])), line(1))
    store.close()
    (folder / LOCK).touch()
    return folder


@pytest.fixture(params=["ended", "killed", "killed and copied"])
def read_only(data: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """The same with a second line, left by a server in this way; nobody may write into it any more."""
    store = SqliteStore(data)
    log(store, store.create(table_started("farkle", {}, ["Bob"])), line(1))
    left = data.with_name("left")
    shutil.copytree(data, left)
    store.close()
    if request.param == "ended":
        shutil.rmtree(left)
        shutil.copytree(data, left)
    if request.param == "killed and copied":
        left.joinpath(FILE_NAME + "-shm").unlink()
    for path in (*left.iterdir(), left):
        path.chmod(0o500 if path.is_dir() else 0o400)
    yield left
    left.chmod(0o700)


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def run(*arguments: object) -> tuple[int, str, str]:
    """The command, as somebody whom the permissions of files bind."""
    command = [sys.executable, "-m", "rollcall", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, preexec_fn=bound_by_permissions)
    return done.returncode, done.stdout, done.stderr


def store_keys(store: SqliteStore) -> list[str]:
    with store.read() as connection:
        return list(connection.scalars(select(schema.tables.c.key)))


@pytest.mark.whole
def test_a_folder_that_may_not_be_written_is_backed_up_checked_and_moved_away_from(
    read_only: Path, tmp_path: Path
) -> None:
    before = content(read_only)
    assert run("check", "--data", read_only) == (0, "game file: whole\ntables whole 2, damaged 0\n", "")
    moved = run("move", read_only, tmp_path / "moved")
    assert moved == (0, "tables 2, actions 2: all there and whole\n", "")
    status, out, err = run("backup", "--data", read_only, tmp_path / "backup")
    assert (status, err) == (0, "")
    assert "tables 2" in out
    assert content(read_only) == before
    store = SqliteStore(tmp_path / "backup")
    rows = [row for row in map(store.find, store_keys(store)) if row is not None]
    assert [len(store.load(row).entries) for row in rows] == [1, 1]
    assert store.notices == []
    store.close()


def test_damage_in_a_folder_that_may_not_be_written_is_told(data: Path) -> None:
    with (data / FILE_NAME).open("r+b") as file:
        file.write(b"SQLite format 4")
    for path in (*data.iterdir(), data):
        path.chmod(0o500)
    before = content(data)
    status, out, err = run("check", "--data", data)
    assert (status, err) == (1, "")
    assert "file is not a database" in out
    assert content(data) == before


def test_a_move_writes_nothing_into_its_source(data: Path, tmp_path: Path) -> None:
    (data / LOCK).unlink()
    before = content(data)
    assert rollcall.main(["move", str(data), str(tmp_path / "moved")]) == 0
    assert content(data) == before


def test_whoever_holds_a_folder_is_seen_by_all_commands(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with locking.alone(data):
        (data / LOCK).unlink()  # as somebody who tidies up
        before = content(data)
        assert rollcall.main(["check", "--data", str(data)]) == 0
        assert capsys.readouterr().out.startswith("a server runs with these games")
        for command in (["check", "--repair", "--data", str(data)], ["move", str(data), str(data / "moved")]):
            assert rollcall.main(command) == 2
            assert capsys.readouterr().err.startswith(f"a server runs with {data}: end it first")
        assert content(data) == before
    assert rollcall.main(["check", "--data", str(data)]) == 0
    assert capsys.readouterr().out.startswith("game file: whole\ntables whole 1")


def test_whoever_is_looked_at_by_several_is_not_taken_for_served(data: Path) -> None:
    with locking.looked_at(data) as one, locking.looked_at(data) as two:
        assert (one, two) == (True, True)
        with pytest.raises(locking.InUseError), locking.alone(data):
            pass


def test_a_store_with_a_name_in_another_folder_is_held_too(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    os.link(data / FILE_NAME, other / FILE_NAME)
    with locking.alone(data):
        with pytest.raises(locking.InUseError) as raised, locking.alone(other):
            pass
        assert raised.value.store
        with locking.looked_at(other) as free:
            assert not free
    with locking.alone(other):
        pass


def test_a_store_that_is_made_later_is_held_from_then_on(tmp_path: Path) -> None:
    with locking.alone(tmp_path) as held:
        store = SqliteStore(tmp_path)
        held.take_store()
        other = tmp_path / "other"
        other.mkdir()
        os.link(tmp_path / FILE_NAME, other / FILE_NAME)
        with pytest.raises(locking.InUseError), locking.alone(other):
            pass
        store.close()
