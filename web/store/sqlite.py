"""The store in a data folder: SQLite through SQLAlchemy Core, with checks and repair of its file."""

import contextlib
import logging
import math
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, event, func, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry

from web.journal.codec import NO_BLOBS, Blobs
from web.problems import Problem
from web.session.events import Logged, Stored, TableStarted
from web.session.stored_table import LoadedTable, TableRow
from web.store import journalling, schema, writing
from web.store.commits import Commits
from web.store.disk import replace_file
from web.store.gate import Gate
from web.store.maintenance import read_only, startup_check
from web.store.maintenance.background_check import BackgroundCheck
from web.store.maintenance.checking import Changes
from web.store.maintenance.file_guard import FileGuard
from web.store.maintenance.log_heads import LogHead, LogHeads, key_hash
from web.store.maintenance.watermarks import Watermark
from web.store.migrations import upgrade
from web.store.sqlite_errors import errors_as_problems
from web.store.stamps import now
from web.store.store import Found, Store

logger = logging.getLogger(__name__)

FILE_NAME = "rollcall.db"
BUSY_TIMEOUT_MS = 5000
MENDS_AGAIN_AFTER_S = 60.0  # between two repairs because of damaged logs
WRITING = "rollcall_writing"  # the execution option of a connection that writes
NEXT_NO = select(func.coalesce(func.max(schema.tables.c.active_no), 0) + 1).correlate(None).scalar_subquery()


class SqliteStore(Store):
    """The store in the data folder, which is made if missing. For many threads.

    A store of an older version is upgraded; a copy of the older one stays beside it. Raises `SchemaError` for a store
    from a newer version, and `Problem` or OSError if it cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE_NAME
        startup_check.make_private(folder)
        self._heads = LogHeads(folder)
        self._watermark = Watermark(self.path)
        with errors_as_problems():
            changes = startup_check.changes(self.path, self._heads, self._watermark)
            if changes is None:
                self._watermark.forget()
                if wrong := startup_check.complaints(self.path, self._heads):
                    self.notices += startup_check.repair(self.path, self._heads, wrong)
        # check_same_thread off: the pool hands a connection to one thread at a time, but not always to the same.
        self._engine: Engine = create_engine(
            f"sqlite:///{self.path}",
            connect_args={"check_same_thread": False, "timeout": BUSY_TIMEOUT_MS / 1000},
            hide_parameters=True,  # of errors that are logged: tables' keys are among them
        )
        event.listen(self._engine, "connect", _configure)
        event.listen(self._engine, "begin", _begin)
        # One writer at a time in this process: SQLite would make writers wait too, less fairly.
        writer = self._engine.execution_options(**{WRITING: True})
        self._commits = Commits(
            writer, errors_as_problems, self._look_after, self._look_after_change, self._look_after_failure
        )
        self._guard: FileGuard | None = None
        self._check: BackgroundCheck | None = None
        self._gate = Gate()
        self.repairs = 0  # how often the open store was repaired
        self._repaired_at = -math.inf  # when it was last repaired
        try:
            with self._open() as connection:
                found = schema.version(connection)
            if found is not None and found < schema.VERSION:
                copy_store(self.path, kept_copy(self.path, found))
            with self.write() as connection:
                upgrade.prepare(connection)
            whole = changes is None and found in (None, schema.VERSION)
            line, tables = self._note_heads(changes)
            before = None if self._watermark.mark is None else self._watermark.mark.whole_at
            self._watermark.update(self._heads.name, line, now() if whole else before)
            startup_check.make_private(folder)
            watched = (self.path, self._commits, self._heads)
            with errors_as_problems():
                self._guard = FileGuard(*watched, self._reopen, self.notices, self._watermark)
            looked_after = (self.path, self._heads, self._watermark, self._gate)
            self._check = BackgroundCheck(*looked_after, self._repair_now, whole, tables)
            self._check.start()
            self.check_progress = self._check.progress
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        if self._check is not None:
            self._check.close()
        if self._guard is not None:
            self._guard.close()
        with self._commits:
            self._reopen()
        self._heads.close()

    def _reopen(self) -> None:
        """Closes all connections; new ones are opened when needed. Hold `_commits`."""
        self._commits.close()
        self._engine.dispose()

    def find(self, key: str) -> TableRow | None:
        found = super().find(key)
        if found is None and self._check is not None and not self._check.lists_checked:
            self._check.wait_for_lists()  # a damaged index hides tables, and is repaired by then
            found = super().find(key)
        if found is None and self._heads.is_gone(key):
            raise Problem("table-lost", 410)
        return found

    def create(
        self, started: TableStarted, blobs: Blobs = NO_BLOBS, before: TableRow | None = None, known: int | None = None
    ) -> TableRow:
        with self.write() as connection:
            row, heads = writing.create(connection, started, blobs, before, NEXT_NO)
            self._commits.note(heads)
        self.last_use.note(row.id)
        return row

    def bring(self, tables: Sequence[writing.BroughtTable]) -> int:
        """Stores tables of another store that this one lacks, in one transaction. Returns how many."""
        with self.write() as connection:
            heads = [writing.bring(connection, table, NEXT_NO) for table in tables]
            self._commits.note(heads)
        return len(heads)

    def append(self, row: TableRow, events: Sequence[Stored], known: int | None = None, blobs: Blobs = NO_BLOBS) -> int:
        is_logged = any(isinstance(event, Logged) for event in events)
        try:
            with self.write(not writing.may_be_left_out(events)) as connection:
                held = writing.lock_if_changed(connection, row, events, NEXT_NO)
                number = journalling.append(connection, row.id, events, blobs)
                self._commits.note(writing.append(connection, row, held, events))
        except IntegrityError:
            raise Problem("stale", 409) from None
        if is_logged:
            self.last_use.note(row.id)
        return number

    def erase(self, row: TableRow, known: int | None = None) -> writing.Erasure:
        with self.write() as connection:
            gone = writing.erase(connection, row)
            self._commits.note(gone.heads)
            line = connection.execute(select(func.coalesce(func.max(schema.log.c.id), 0))).scalar_one()
        with self._commits, errors_as_problems():
            self._heads.forget(row.id)
            if (mark := self._watermark.mark) is not None and mark.line > line:  # new lines get these numbers again
                self._watermark.update(mark.name, line, mark.whole_at)
            if self._guard is not None:
                self._guard.empty_log()
        return gone

    def check(self, asked_at: float, waits: bool = True) -> None:
        self._commits.check(asked_at, waits)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        if self._check is not None:
            self._check.wait_for_lists()
        with self._open() as connection:
            yield connection

    def read_checked(self, ask: Callable[[Connection], Found]) -> Found:
        seen = self.repairs
        try:
            with self._open() as connection:
                return ask(connection)
        except Problem as problem:
            if problem.reason != "store-damaged" or not self._repair_once(seen):
                raise
        with self._open() as connection:
            return ask(connection)

    @contextmanager
    def write(self, matters: bool = True) -> Iterator[Connection]:
        with self._report_damage(), self._commits.change(BUSY_TIMEOUT_MS / 1000, matters) as connection:
            yield connection

    def _load(self, row: TableRow) -> tuple[LoadedTable, bool]:
        seen = self.repairs
        loaded, holds = super()._load(row)
        return super()._load(row) if not holds and self._repair_once(seen) else (loaded, holds)

    @contextmanager
    def _open(self) -> Iterator[Connection]:
        if self._guard is not None and self._guard.moved:
            with self._commits:
                self._look_after()
        with self._report_damage(), self._gate.enter(), errors_as_problems(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _report_damage(self) -> Iterator[None]:
        """Has the store repaired soon if the body finds it damaged."""
        try:
            yield
        except Problem as problem:
            if problem.reason == "store-damaged" and self._check is not None:
                self._check.suspect(str(problem.__cause__ or "a table's own row does not hold"))
            raise

    def _repair_once(self, seen: int) -> bool:
        """Repairs the open store, unless that was done since `repairs` was `seen`. Returns whether to read again."""
        if self.repairs == seen and time.monotonic() - self._repaired_at > MENDS_AGAIN_AFTER_S:
            return self._repair_now("a table's log does not hold", seen)
        return self.repairs != seen

    def _repair_now(self, why: str, seen: int) -> bool:
        """Repairs the open store, unless that was done since `seen`. Returns whether it is repaired."""
        if self._guard is None or self._check is None:
            return False
        try:
            with self._commits, self._gate.close_for(), errors_as_problems():
                if self.repairs != seen:
                    return True
                self._watermark.forget()
                self._guard.repair(why)
                self.repairs += 1
                self._repaired_at = time.monotonic()
                with self._engine.connect() as connection:
                    line = connection.execute(select(func.coalesce(func.max(schema.log.c.id), 0))).scalar_one()
                self._watermark.update(self._heads.name, line, now())
                self._check.note_replacement()
        except (OSError, Problem) as error:
            logger.warning("the damaged store cannot be made whole now; the next start tries again: %s", error)
            return False
        self.on_repaired()
        return True

    def _look_after(self) -> None:
        """Before each transaction: checks that the files are still in place. Hold `_commits`."""
        if self._guard is not None:
            with errors_as_problems():
                self._guard.look(writes=True)

    def _look_after_change(self, heads: Sequence[LogHead]) -> None:
        """After each transaction: checks the same, and notes the new log heads."""
        for head in heads:
            self._heads.note(head)
        if self._guard is not None:
            with errors_as_problems():
                self._guard.look(writes=True)

    def _look_after_failure(self) -> None:
        """After a transaction that the disk refused."""
        if self._guard is not None:
            self._guard.write_over()

    def _note_heads(self, changes: Changes | None) -> tuple[int, int]:
        """Updates the file of log heads from the store; those of lost tables stay. Returns the id of the last line of
        any log, and the number of tables. `changes`: if known; otherwise it writes the whole file. Raises OSError."""
        if changes is not None:
            self._heads.resume()
            with self._open() as connection:
                for number in changes.other_heads:
                    row = connection.execute(select(schema.tables).where(schema.tables.c.id == number)).one()
                    self._heads.note(LogHead(row.id, row.lines, row.head, key_hash(row.key)))
            return changes.line, changes.tables
        columns = (schema.tables.c.id, schema.tables.c.lines, schema.tables.c.head, schema.tables.c.key)
        with self._open() as connection:
            rows = connection.execute(select(*columns)).all()
            name = connection.execute(select(schema.identity.c.name)).scalar_one()
            line = connection.execute(select(func.coalesce(func.max(schema.log.c.id), 0))).scalar_one()
        gone = [head for head in self._heads.known.values() if head.gone]
        self._heads.reset(name, [*gone, *(LogHead(row.id, row.lines, row.head, key_hash(row.key)) for row in rows)])
        return line, len(rows)


def kept_copy(path: Path, version: int) -> Path:
    """The path of the copy that is kept when a store of an older version is upgraded."""
    return path.with_name(f"{path.stem}-version-{version}{path.suffix}")


def copy_store(source: Path, target: Path) -> None:
    """Copies a store as it is at one moment, also while others write to it.

    `target` is one file, there whole or not at all, and on the disk on return. Raises `Problem`.
    """
    waits_s = BUSY_TIMEOUT_MS / 1000
    with errors_as_problems(), replace_file(target) as part:
        try:
            with contextlib.closing(sqlite3.connect(source, timeout=waits_s)) as store:
                read_only.copy_to(part, store)
        except sqlite3.OperationalError as error:
            if not read_only.cannot_open(error):
                raise
            with read_only.open_read_only(source, waits_s) as store:  # in a folder that may not be written
                read_only.copy_to(part, store)


def _configure(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # `_begin` begins transactions: the driver's own way leaves changes of the schema outside of them.
    connection.isolation_level = None
    cursor = connection.cursor()
    # `FileGuard` checkpoints the write-ahead log, so that no change waits for it.
    kept = ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=0")
    # What is deleted is overwritten: a deleted game is gone, and a recovery finds nothing of it.
    for pragma in (*kept, f"busy_timeout={BUSY_TIMEOUT_MS}", "foreign_keys=ON", "secure_delete=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # A writer locks at once: SQLite may refuse the lock, without waiting, to a transaction that read first.
    writes = connection.get_execution_options().get(WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
