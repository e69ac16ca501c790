"""A store that another Rollcall wrote: an older one is copied, and upgraded as a whole or not at all; one that this
Rollcall cannot use stays as it is."""

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

import rollcall
from tests.reliability.driving import refused_start
from tests.web.postgres import both_engines
from tests.web.stored import lines_in, log, table_started
from web.store import schema, upgrade
from web.store.maintenance.copies import Copies
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.stamps import now
from web.store.store import Store
from web.table.stored_table import Entry

pytestmark = pytest.mark.whole

resource = pytest.importorskip("resource", reason="Windows has no limits on the size of files")

OF_BEFORE = (1, *schema.LAST_READERS)  # versions of stores of development: the first has no copy in the header
NEXT = schema.VERSION + 1
# A next form that nobody has yet: each event says how long it took.
CHANGES = ("ALTER TABLE events ADD COLUMN took INTEGER", "UPDATE events SET took = 5")


def change(connection: sa.Connection) -> None:
    for statement in CHANGES:
        connection.exec_driver_sql(statement)


def change_and(happens: Callable[[], object]) -> Callable[[sa.Connection], None]:
    """The same step; this happens in its middle."""

    def step(connection: sa.Connection) -> None:
        change(connection)
        happens()

    return step


@pytest.fixture
def next_form(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes the invented form that of this Rollcall."""

    def begin(step: Callable[[sa.Connection], None] = change, readable_by: int = NEXT) -> None:
        monkeypatch.setattr(schema, "VERSION", NEXT)
        monkeypatch.setattr(schema, "READABLE_BY", readable_by)
        monkeypatch.setitem(upgrade.STEPS, NEXT, step)

    return begin


def play(store: Store) -> None:
    row = store.create(table_started("farkle", {}, ["Ada"]))
    log(store, row, Entry(1, "a-request", {"undo": True}, "phone", now()))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with a game, in the present form."""
    with closing(SqliteStore(tmp_path / "data")) as store:
        play(store)
    return tmp_path / "data"


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump(), str(connection.execute("PRAGMA user_version").fetchone())]


def set_version(path: Path, version: int, signed: int, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in (f"UPDATE schema_version SET version = {version}", *statements):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {signed}")


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("rollcall.db*")}


@pytest.fixture(params=OF_BEFORE)
def of_before(data: Path, request: pytest.FixtureRequest) -> Path:
    """A data folder as a version of development marked it; a part of it is in the write-ahead log."""
    version: int = request.param
    set_version(
        data / FILE_NAME, version, version if version > 1 else 0, "ALTER TABLE schema_version DROP COLUMN readable_by"
    )
    writer = sqlite3.connect(data / FILE_NAME)
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    with writer:
        writer.execute("UPDATE tables SET code = 'LOG'")
    kept = content(data)
    writer.close()
    for name, body in kept.items():
        (data / name).write_bytes(body)  # as a killed server leaves it
    (data / "rollcall.db-shm").unlink(missing_ok=True)
    assert (data / "rollcall.db-wal").stat().st_size
    return data


@pytest.mark.parametrize("is_large", [False, True])
def test_a_store_of_before_is_refused_in_one_sentence_and_not_touched(
    of_before: Path, is_large: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_large:
        monkeypatch.setattr("web.store.sqlite.SqliteStore.checked_at_once", 0)
    before, folder = content(of_before), str(of_before)
    for command in (
        ["serve", "--port", "0", "--data", folder],
        ["tables", "--data", folder],
        ["check", "--data", folder],
        ["check", "--repair", "--data", folder],
        ["backup", str(tmp_path / "backup"), "--data", folder],
        ["move", folder, str(tmp_path / "moved")],
    ):
        assert rollcall.main(command) == 2, command
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1), said
        assert "a development version of Rollcall wrote it" in said.err
        assert any(f"it is Rollcall {reader}, and nothing" in said.err for reader in schema.LAST_READERS.values())
        after = content(of_before)
        after.pop("rollcall.db-shm", None)  # where SQLite has what it knows of the log; never read again
        assert after == before, command
    assert not (of_before / "copies").exists()


def test_a_database_of_before_is_refused_too(shared: str) -> None:
    from web.hosts.cluster.shared_store import SharedStore

    with closing(SharedStore(shared)) as store, store.write() as connection:
        connection.execute(sa.update(schema.schema_version).values(version=7))
    with pytest.raises(schema.OlderStoreError, match=r"the last one that reads it is Rollcall 0\.4\.0"):
        SharedStore(shared)


def test_a_store_is_copied_and_then_upgraded_once(data: Path, next_form: Callable[..., None]) -> None:
    before, lines = dump(data / FILE_NAME), lines_in(data / FILE_NAME)
    next_form()
    for _ in range(2):
        with closing(SqliteStore(data)) as store:
            assert store.notices == []
    copy = Copies(data / FILE_NAME).path_before(schema.VERSION - 1)
    assert dump(copy) == before
    assert not list(data.glob("**/*.part"))
    assert lines_in(data / FILE_NAME) == lines
    with closing(sqlite3.connect(data / FILE_NAME)) as connection:
        assert connection.execute("SELECT DISTINCT took FROM events").fetchall() == [(5,)]
        assert connection.execute("SELECT version, readable_by FROM schema_version").fetchall() == [(NEXT, NEXT)]
        assert connection.execute("PRAGMA user_version").fetchone() == (NEXT,)


@both_engines
def test_each_step_is_done_once_in_order(
    open_store: Callable[[], Store], next_form: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    play(open_store())
    next_form(change_and(lambda: done.append(NEXT)))
    monkeypatch.setattr(schema, "VERSION", NEXT + 1)
    monkeypatch.setitem(upgrade.STEPS, NEXT + 1, lambda connection: done.append(NEXT + 1))
    for _ in range(2):
        with open_store().read() as connection:
            assert schema.version(connection) == NEXT + 1
            assert connection.exec_driver_sql("SELECT DISTINCT took FROM events").fetchall() == [(5,)]
    assert done == [NEXT, NEXT + 1]


@both_engines
def test_a_step_that_fails_leaves_the_older_store(
    open_store: Callable[[], Store], next_form: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store()
    play(store)
    before = rows(store)
    with monkeypatch.context():
        next_form(change_and(lambda: 1 // 0))
        with pytest.raises(ZeroDivisionError):
            open_store()
    monkeypatch.undo()
    assert rows(open_store()) == before


def rows(store: Store) -> list[list[tuple[object, ...]]]:
    with store.read() as connection:
        return [[tuple(row) for row in connection.execute(sa.select(table))] for table in schema.metadata.sorted_tables]


KILLED = """
import os, signal, sys
from pathlib import Path
from tests.web.store.test_upgrade import NEXT, change_and
from web.store import schema, upgrade
from web.store.sqlite import SqliteStore

schema.VERSION = NEXT
upgrade.STEPS[NEXT] = change_and(lambda: os.kill(os.getpid(), signal.SIGKILL))
SqliteStore(Path(sys.argv[1]))
"""


def test_killed_inside_a_step_the_store_is_the_older_one(data: Path, next_form: Callable[..., None]) -> None:
    before = dump(data / FILE_NAME)
    assert subprocess.run([sys.executable, "-c", KILLED, data], timeout=60).returncode == -signal.SIGKILL
    assert dump(Copies(data / FILE_NAME).path_before(schema.VERSION)) == before
    assert dump(data / FILE_NAME) == before
    next_form()
    with closing(SqliteStore(data)) as store:
        assert store.notices == []
    assert dump(data / FILE_NAME) != before


def test_a_full_disk_leaves_the_older_store(data: Path) -> None:
    before = dump(data / FILE_NAME)
    half = (data / FILE_NAME).stat().st_size // 2

    def fill_disk() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (half, half))

    ended = subprocess.run([sys.executable, "-c", KILLED, data], capture_output=True, text=True, preexec_fn=fill_disk)
    assert "Problem: This was not saved" in ended.stderr
    assert dump(data / FILE_NAME) == before
    assert not list(data.glob("**/*.part"))


def test_a_newer_store_that_only_has_more_is_used_and_stays_newer(data: Path) -> None:
    set_version(data / FILE_NAME, NEXT, NEXT, CHANGES[0], "CREATE TABLE later (id INTEGER PRIMARY KEY)")
    for _ in range(2):
        with closing(SqliteStore(data)) as store:
            assert store.notices == []
            play(store)
    with closing(sqlite3.connect(data / FILE_NAME)) as connection:
        assert connection.execute("SELECT version FROM schema_version").fetchone() == (NEXT,)
        assert connection.execute("PRAGMA user_version").fetchone() == (NEXT,)


def test_another_newer_store_is_left_alone(data: Path) -> None:
    set_version(data / FILE_NAME, NEXT, NEXT, f"UPDATE schema_version SET readable_by = {NEXT}")
    before = dump(data / FILE_NAME)
    said = refused_start(data)
    assert "newer Rollcall" in said
    assert "update Rollcall" in said
    assert dump(data / FILE_NAME) == before


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"a shopping list" * 100)
    said = refused_start(tmp_path)
    assert "the game file is damaged or not Rollcall's" in said
    assert (tmp_path / FILE_NAME).read_bytes() == b"a shopping list" * 100
