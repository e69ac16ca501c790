"""The store in a data folder: SQLite through SQLAlchemy Core. Its file is checked, copied and recovered beside."""

import contextlib
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, func, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from web.common.background import Later, Never
from web.store import schema
from web.store.commits import BEGINS_ITSELF, Commits
from web.store.disk import make_private
from web.store.journalling import NEXT_OF_FILE
from web.store.maintenance import checking, recovery
from web.store.maintenance.caretaker import SUSPECT, Caretaker, connect, empty_log
from web.store.maintenance.copies import Copies
from web.store.maintenance.ends import JournalEnds
from web.store.migrations import upgrade
from web.store.store import Store
from web.store.store_errors import errors_as_problems

logger = logging.getLogger(__name__)

FILE_NAME = "rollcall.db"
OF_OLDER = ("rollcall.heads", "rollcall.checked")  # what versions before the sixth noted of their store
BUSY_TIMEOUT_MS = 5000
AT_ONCE = 64 << 20  # bytes up to which a store is checked before it is served; a larger one, meanwhile


class SqliteStore(Store):
    """The store in the data folder, which is made if missing. For many threads.

    A damaged store is replaced by what is whole in it and in its newest copy. A store of an older version is copied and
    upgraded. `copies`: a folder on another disk for further copies. `later`: checks and copies the store beside
    requests. Raises `SchemaError` for a store from a newer version, and `Problem` or OSError if it cannot be used.
    """

    next_no = NEXT_OF_FILE

    def __init__(self, folder: Path, copies: Path | None = None, later: Later = Never) -> None:
        super().__init__()
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE_NAME
        make_private(folder)
        self._ends = JournalEnds(folder)
        self._copies = Copies(self.path, copies)
        with errors_as_problems():
            checked = self._check()
        # check_same_thread off: the pool hands a connection to one thread at a time, but not always to the same.
        self._engine: Engine = create_engine(
            f"sqlite:///{self.path}",
            connect_args={"check_same_thread": False, "timeout": BUSY_TIMEOUT_MS / 1000},
            hide_parameters=True,  # of errors that are logged: tables' keys are among them
        )
        event.listen(self._engine, "connect", _configure)
        event.listen(self._engine, "begin", _begin)
        # One writer at a time in this process: SQLite would make writers wait too, less fairly.
        self._commits = Commits(self._engine, errors_as_problems, self._write_over)
        self._caretaker: Caretaker | None = None
        self.was_damaged = any(folder.glob("rollcall-damaged-*"))  # what was replaced in the last week
        try:
            with self.read() as connection:
                found = schema.version(connection)
            if found is not None and found < schema.VERSION:
                self._copies.make_before(found)
            with self.write() as connection:
                upgrade.prepare(connection)
            for name in OF_OLDER:
                (folder / name).unlink(missing_ok=True)
            self._note_ends(checked)
            make_private(folder)
            self._caretaker = Caretaker(self.path, self._ends, self._copies, checked is not None, self.notices, later)
            self.check_progress = self._caretaker.progress
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._caretaker is not None:
            self._caretaker.close()
        with self._commits:
            self._commits.close()
            self._engine.dispose()
        self._ends.close()

    def note_stored(self, table_id: int, number: int) -> None:
        self._ends.note(table_id, number)
        if not number:
            with self._commits:  # what was deleted is in the write-ahead log too
                empty_log(self.path)

    def check(self, asked_at: float, waits: bool = True) -> None:
        self._commits.check(asked_at, waits)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with errors_as_problems(), self._engine.connect() as connection:
            yield connection

    def write(self, matters: bool = True) -> AbstractContextManager[Connection]:
        return self._commits.change(BUSY_TIMEOUT_MS / 1000, matters)

    def _check(self) -> checking.Checked | None:
        """Checks the store before it is opened, and replaces a damaged one. None: it is large, and checked later."""
        suspect = self.path.with_name(SUSPECT)
        if self.path.is_file() and self.path.stat().st_size > AT_ONCE and not suspect.exists():
            return None
        found = checking.check(self.path, self._ends)
        if found.word == checking.DAMAGED:
            if found.version is not None and found.version < schema.VERSION:
                raise sqlite3.DatabaseError("malformed")  # it has no journal to recover by
            for complaint in found.complaints:
                logger.info("%s: %s", FILE_NAME, complaint)
            copies = self._copies.find(self._ends.name)
            self.notices.append(recovery.replace_damaged(self.path, self._ends, copies))
            logger.warning("%s", self.notices[-1])
        suspect.unlink(missing_ok=True)
        return found

    def _note_ends(self, checked: checking.Checked | None) -> None:
        """Begins the file of ends anew; for a store that is checked later, with what it said. Raises OSError."""
        query = select(schema.events.c.table_id, func.max(schema.events.c.number)).group_by(schema.events.c.table_id)
        with self.read() as connection:
            name = connection.execute(select(schema.schema_version.c.name)).scalar_one()
            if checked is None:
                ends = self._ends.known if self._ends.name == name else {}
            else:
                ends = checked.ends or {row[0]: row[1] for row in connection.execute(query)}
        self._ends.reset(name, ends)

    def _write_over(self) -> None:
        """Overwrites a commit in the log whose sync failed: a later start could take the refused change for done. This
        works also if its own sync fails."""
        if self._caretaker is None:  # the start itself failed, and nobody waits for a change
            return
        try:
            with contextlib.closing(connect(self.path)) as connection:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(f"PRAGMA user_version = {version}")
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            logger.warning("the disk does not take what is written: %s", error)


def _configure(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # `_begin` begins transactions: the driver's own way leaves changes of the schema outside of them.
    connection.isolation_level = None
    cursor = connection.cursor()
    # What is deleted is overwritten: a deleted game is gone, and a recovery finds nothing of it.
    kept = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")
    for pragma in (*kept, f"busy_timeout={BUSY_TIMEOUT_MS}"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    if not connection.get_execution_options().get(BEGINS_ITSELF, False):
        connection.exec_driver_sql("BEGIN")
