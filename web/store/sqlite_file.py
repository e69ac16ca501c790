"""A store in one file of SQLite, through SQLAlchemy Core."""

import contextlib
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from web.store import upgrade
from web.store.commits import BEGINS_ITSELF, Commits
from web.store.event_rows import NEXT_OF_FILE
from web.store.maintenance.ends import JournalEnds
from web.store.store import Store
from web.store.store_errors import errors_as_problems
from web.table.events import PhotoRead, PhotoRemoved, PhotoUnderReview
from web.table.stored_table import TableRow

logger = logging.getLogger(__name__)

BUSY_TIMEOUT_MS = 5000
WAITS_S = 0.5  # for others that use the file, beside the server


class SqliteFile(Store):
    """The store in the file `path`, which `prepare` makes or upgrades. For many threads.

    `ends`: where it notes how far each journal goes; None: nowhere.
    """

    next_no = NEXT_OF_FILE
    optional = frozenset({*Store.optional, PhotoUnderReview, PhotoRemoved})
    passing = frozenset({PhotoRead})

    def __init__(self, path: Path, ends: JournalEnds | None = None) -> None:
        super().__init__()
        self.path = path
        self._ends = ends
        # check_same_thread off: the pool hands a connection to one thread at a time, but not always to the same.
        self._engine: Engine = create_engine(
            f"sqlite:///{path}",
            connect_args={"check_same_thread": False, "timeout": BUSY_TIMEOUT_MS / 1000},
            hide_parameters=True,  # of errors that are logged: tables' keys are among them
        )
        event.listen(self._engine, "connect", _configure)
        event.listen(self._engine, "begin", _begin)
        # One writer at a time in this process: SQLite would make writers wait too, less fairly.
        self._commits = Commits(self._engine, errors_as_problems, self._write_over)
        self._is_prepared = False

    def prepare(self) -> None:
        """Makes the tables of an empty file, or upgrades an older one. Raises `SchemaError` for a store that another
        Rollcall wrote and this one cannot use, and `Problem`."""
        with self.write() as connection:
            upgrade.prepare(connection)
        self._is_prepared = True

    def close(self) -> None:
        with self._commits:
            self._commits.close()
            self._engine.dispose()

    def note_stored(self, row: TableRow, number: int) -> None:
        if self._ends is not None:
            self._ends.note(row.id, number)
        if not number:
            self.empty_log()

    def empty_log(self) -> None:
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

    def _write_over(self) -> None:
        """Overwrites a commit in the log whose sync failed: a later start could take the refused change for done. This
        works also if its own sync fails."""
        if not self._is_prepared:  # the start itself failed, and nobody waits for a change
            return
        try:
            with contextlib.closing(connect(self.path)) as connection:
                (version,) = connection.execute("PRAGMA user_version").fetchone()
                connection.execute("BEGIN IMMEDIATE")
                connection.execute(f"PRAGMA user_version = {version}")
                connection.execute("COMMIT")
        except sqlite3.Error as error:
            logger.warning("the disk does not take what is written: %s", error)


def empty_log(path: Path) -> None:
    """Writes the write-ahead log into the store, and empties it, unless somebody reads just now."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect(path)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the store, which must be there. It begins no transaction by itself, and waits a moment only."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=WAITS_S, isolation_level=None)


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
