"""A store of tables on any engine: an append-only journal for each table, and what lists are read from.

States are never stored: a session is made from its journal. A write returns only when it is on the disk.
"""

import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, suppress
from datetime import timedelta
from typing import Any, TypeVar

from cachetools import FIFOCache
from sqlalchemy import Connection, func, select

from web.journal.codec import NO_BLOBS, PICTURE, SAMPLE, Blobs
from web.journal.folding import UnreadableError
from web.problems import Problem
from web.session.access_list import Deletion, deleted_problem, table_id
from web.session.events import Stored, TableStarted
from web.session.state import State
from web.session.stored_table import LoadedTable, TableRow
from web.store import codes, journalling, loading, schema
from web.store.stamps import stamp
from web.store.writing import Erasure

logger = logging.getLogger(__name__)

CODE_LIVES = timedelta(hours=12)  # after the last use of its table
REMEMBERED_TABLES = 10_000  # with a known last use in this process
REMEMBERED_IDS = 1000  # of tables that programs of the machine's owner asked for

Found = TypeVar("Found")


class LastUse:
    """When tables were last used in this process, by a clock that nobody sets. For many threads."""

    def __init__(self) -> None:
        self._used: FIFOCache[int, float] = FIFOCache(REMEMBERED_TABLES)
        self._noting = threading.Lock()

    def note(self, table_id: int) -> None:
        with self._noting:
            self._used[table_id] = time.monotonic()

    def is_within(self, table_id: int, seconds: float) -> bool:
        with self._noting:
            used = self._used.get(table_id)
        return used is not None and time.monotonic() - used < seconds


class Store(ABC):
    """Appends and loads, for many threads. Raises `Problem` if the store cannot be used."""

    def __init__(self) -> None:
        # What was found and repaired since the store was opened, for the first page.
        self.notices: list[Problem] = []
        self.last_use = LastUse()
        self._keys_of_ids: FIFOCache[str, str] = FIFOCache(REMEMBERED_IDS)
        self._finding = threading.Lock()
        # How far the check of the file is (`Caretaker.progress`); None if there is none.
        self.check_progress: Callable[[], dict[str, Any] | None] = _nothing

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def read(self) -> AbstractContextManager[Connection]:
        """A connection that sees the store as it is at one moment."""

    @abstractmethod
    def write(self, matters: bool = True) -> AbstractContextManager[Connection]:
        """A connection in a transaction that is durable when it is left. Raises IntegrityError too. `matters` False:
        the change may fail, so it must not keep a page waiting for another program."""

    def read_checked(self, ask: Callable[[Connection], Found]) -> Found:
        """Returns what `ask` reads."""
        with self.read() as connection:
            return ask(connection)

    @abstractmethod
    def create(
        self, started: TableStarted, blobs: Blobs = NO_BLOBS, before: TableRow | None = None, known: int | None = None
    ) -> TableRow:
        """Stores a table that begins. `blobs`: those that the event names. `before`: the table that it follows, which
        goes on to it at the same moment; `known`: as in `append`, of that table. Raises `Problem("stale")` if it has
        gone on already."""

    @abstractmethod
    def append(self, row: TableRow, events: Sequence[Stored], known: int | None = None, blobs: Blobs = NO_BLOBS) -> int:
        """Stores events of a table, all or nothing. Returns the number of the last one.

        `known`: the number of the last event when these were decided, for a store that other processes change. `blobs`:
        those that the events name. Raises `Problem("stale")` if the log has unknown lines.
        """

    @abstractmethod
    def erase(self, row: TableRow, known: int | None = None) -> Erasure:
        """Deletes all that is stored of a table; see `writing.erase`. `known`: as in `append`; None: whatever
        happened."""

    def check(self, asked_at: float, waits: bool = True) -> None:  # noqa: B027 - only a file is locked as a whole
        """See `Commits.check`."""

    def find(self, key: str) -> TableRow | None:
        """The table with this key. Raises `Problem`: "table-lost" if damage destroyed it, "table-deleted" if a person
        did."""

        def ask(connection: Connection) -> TableRow | None:
            row = loading.find(connection, key)
            if row is None and loading.is_erased(connection, key):
                raise deleted_problem(final=True)
            return row

        return self.read_checked(ask)

    def find_code(self, code: str) -> str | None:
        """The key of the table with this short code, if the table was changed or opened lately.

        Trying the code prolongs nothing: a guesser must not keep it alive.
        """
        opened = (
            select(func.max(schema.visits.c.at)).where(schema.visits.c.table_id == schema.tables.c.id).scalar_subquery()
        )
        query = (
            select(schema.tables.c.id, schema.tables.c.key, schema.tables.c.active_at, opened.label("opened_at"))
            .where(schema.tables.c.code == code)
            .where(schema.tables.c.deleted_at.is_(None))
            .order_by(schema.tables.c.active_no.desc())
            .limit(1)
        )
        with self.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        lives = CODE_LIVES.total_seconds()
        # A Raspberry Pi's clock jumps forward when it finds the network; that must not lock phones out.
        lately = max(row.active_at, row.opened_at or "") >= stamp(time.time() - lives)
        return str(row.key) if lately or self.last_use.is_within(row.id, lives) else None

    def find_id(self, table: str) -> str | None:
        """The key of the table with this id (`table_id`), if there is one. It looks through the keys of all tables."""
        with self._finding:
            known = self._keys_of_ids.get(table)
        if known is not None:
            return known
        with self.read() as connection:
            keys = connection.scalars(select(schema.tables.c.key).order_by(schema.tables.c.id.desc()))
            found = next((key for key in keys if table_id(key) == table), None)
        if found is not None:
            with self._finding:
                self._keys_of_ids[table] = found
        return found

    def open(self, row: TableRow) -> tuple[State, int]:
        """A table as stored now, and the number of its last event. Raises `Problem`.

        What follows damage in its journal is lost, and left out from now on.
        """
        found = self._read_journal(row, journalling.load)
        if not found.whole:
            logger.warning("the journal of table %d is damaged", row.id)
            with self.write() as connection:
                journalling.mend(connection, row.id)
            found = self._read_journal(row, journalling.load)
        return found.state, found.number

    def load(self, row: TableRow) -> LoadedTable:
        """The log and settings of a table as stored now. Raises `Problem`."""
        return self._read_journal(row, journalling.load_log)

    def _read_journal(self, row: TableRow, read: Callable[[Connection, int], Found]) -> Found:
        def ask(connection: Connection) -> Found:
            try:
                return read(connection, row.id)
            except UnreadableError:
                there = connection.execute(select(schema.tables.c.id).where(schema.tables.c.id == row.id)).first()
                raise Problem("table-unknown", 404) if there is None else Problem("store-damaged", 503) from None

        return self.read_checked(ask)

    def samples(self, table_id: int, seqs: Collection[int]) -> dict[int, bytes]:
        """The training samples of these numbers, by number, without missing and damaged ones."""
        with self.read() as connection:
            found = journalling.blobs(connection, table_id, SAMPLE)
        return {seq: body for seq, body in found.items() if seq in seqs}

    def picture(self, table_id: int, seq: int) -> bytes | None:
        """The picture of the throw in this line of a table's log; None if there is none, or it is damaged."""
        with self.read() as connection:
            return journalling.blob(connection, table_id, PICTURE, seq)

    def count_pictures(self) -> int:
        """How many pictures of throws all tables keep."""
        query = select(func.count()).where(schema.blobs.c.kind == PICTURE)
        return self.read_checked(lambda connection: int(connection.execute(query).scalar_one()))

    def new_key(self) -> str:
        """A key for a new table."""
        return codes.new_key()

    def free_code(self) -> str:
        """A short code that no table has."""
        with self.read() as connection:
            return codes.free_code(connection)


def pending_deletions(store: Store) -> dict[str, Deletion]:
    """The deletions that may be undone, by the keys of their tables."""

    def ask(connection: Connection) -> dict[str, Deletion]:
        tables, found = schema.tables.c, dict[str, Deletion]()
        rows = connection.execute(select(tables.id, tables.key).where(tables.deleted_at.is_not(None))).all()
        for row in rows:
            with suppress(UnreadableError):
                deletion = journalling.load_log(connection, row.id).settings.access.deletion
                found |= {} if deletion is None else {row.key: deletion}
        return found

    return store.read_checked(ask)


def marks_of_erased(store: Store) -> set[str]:
    """The codes (`codes.mark_of`) of all tables of which nothing is left."""
    return store.read_checked(lambda connection: set(connection.scalars(select(schema.erased.c.mark))))


def fault(store: Store) -> str | None:
    """Why a store cannot be used now: one sentence without an address. None if it can."""
    try:
        found = store.read_checked(schema.version)
    except (Problem, schema.SchemaError) as error:
        return str(error)
    return "the store is empty" if found is None else None


def photos_under_review(store: Store) -> dict[str, str]:
    """The ids of all photos under review, each with the key of its table."""
    query = select(schema.tables.c.reading, schema.tables.c.key).where(schema.tables.c.reading.is_not(None))
    return store.read_checked(lambda connection: {row.reading: row.key for row in connection.execute(query)})


def unread_photos(store: Store) -> int:
    query = select(func.count()).where(schema.tables.c.waiting)
    return store.read_checked(lambda connection: int(connection.execute(query).scalar_one()))


def _nothing() -> None:
    pass
