"""A store of tables on any engine: an append-only journal for each table, and what lists are read from.

States are never stored: a session is made from its journal. A write returns only when it is on the disk.
"""

import itertools
import logging
import secrets
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence, Set
from contextlib import AbstractContextManager, suppress
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import IntegrityError

from web.journal.journal import NO_BLOBS, PICTURE, SAMPLE, Blobs, Head, Overtaken
from web.journal.loading import UnreadableError
from web.limits.recent import Recent
from web.problems.problem import Problem
from web.store import codes, event_rows, schema
from web.store.stamps import stamp
from web.store.store_errors import damage_as_problem
from web.table.access_list import Deletion, deleted_problem, table_id
from web.table.events import Logged, PhoneJoined, SamplesDropped, Stored, TableStarted
from web.table.moves import Pace, no_limit
from web.table.state import LoadedTable, State, rebuild
from web.table.stored_table import TableRow

logger = logging.getLogger(__name__)

CODE_LIVES = timedelta(hours=12)  # after the last use of its table
REMEMBERED_TABLES = 10_000  # with a known last use in this process
REMEMBERED_IDS = 1000  # of tables that programs of the machine's owner asked for

MAY_BE_LEFT_OUT = {PhoneJoined, SamplesDropped}  # events that may fail rather than keep a page waiting


class News(NamedTuple):
    """What others added to a table's journal, and its last event now. `events` None: load the table anew, since damage
    took events that were known."""

    events: Sequence[Stored] | None
    head: Head


class Store(ABC):
    """Appends and loads, for many threads. Raises `Problem` if the store cannot be used.

    An engine says how it connects, what makes a commit durable, what its errors mean and what others did meanwhile
    (`web.store.sqlite`, `web.hosts.cluster.shared_store`); all else is the same on each.
    """

    next_no: str  # SQL for the next `active_no`
    # Events that are no part of the game: if they cannot be written, they are held in memory alone.
    optional: Set[type] = frozenset({SamplesDropped})
    passing: Set[type] = frozenset()  # events that are held in memory alone, since they are made again

    def __init__(self) -> None:
        # What was found and repaired since the store was opened, for the first page.
        self.notices: list[Problem] = []
        self.was_damaged = False  # so that whole tables may have gone
        self.used: Recent[int, float] = Recent(REMEMBERED_TABLES)  # when tables were, by a clock that nobody sets
        self._keys_of_ids: Recent[str, str] = Recent(REMEMBERED_IDS)
        self._start, self._views = secrets.token_hex(4), itertools.count(1)
        # How far the check of the file is (`Caretaker.progress`); None if there is none.
        self.check_progress: Callable[[], dict[str, Any] | None] = lambda: None

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def read(self) -> AbstractContextManager[Connection]:
        """A connection that sees the store as it is at one moment."""

    @abstractmethod
    def write(self, matters: bool = True) -> AbstractContextManager[Connection]:
        """A connection in a transaction that is durable when it is left. Raises IntegrityError too. `matters` False:
        the change may fail, so it must not keep a page waiting for another program."""

    @abstractmethod
    def note_stored(self, row: TableRow, number: int) -> None:
        """Called after each change of a journal. `number`: of its last event, 0 if the table was erased."""

    def create(self, started: TableStarted, blobs: Blobs = NO_BLOBS) -> TableRow:
        """Stores a table that begins. `blobs`: those that the event names."""
        with self.write() as connection:
            row = event_rows.create(connection, started, blobs, self.next_no)
        self.note_stored(row, 1)
        note_use(self, row.id)
        return row

    def go_on(
        self, before: TableRow, after: Head, started: TableStarted, blobs: Blobs = NO_BLOBS
    ) -> tuple[TableRow, Head]:
        """Stores a table that follows the table `before`, which goes on to it at the same moment. Returns its row, and
        the last event of `before`. `after`: as in `append`, of `before`. Raises `Problem("stale")` if that has gone on
        already."""
        with self.write() as connection:
            row, head = event_rows.go_on(connection, before, after, started, blobs, self.next_no)
        self.note_stored(row, 1)
        self.note_stored(before, head.number)
        note_use(self, row.id)
        return row, head

    def append(self, row: TableRow, after: Head, events: Sequence[Stored], blobs: Blobs = NO_BLOBS) -> Head:
        """Stores events of a table that were decided from the state `after` that event, all or nothing. Returns the
        last one. `blobs`: those that the events name. Raises `Overtaken` if there are further events by now."""
        kinds = set(map(type, events))
        try:
            with self.write(not kinds <= MAY_BE_LEFT_OUT) as connection:
                head = event_rows.append(connection, row, after, events, blobs, self.next_no)
        except IntegrityError:
            raise Overtaken from None
        self.note_stored(row, head.number)
        if Logged in kinds:
            note_use(self, row.id)
        return head

    def erase(self, row: TableRow, after: Head | None = None) -> str | None:
        """Deletes all that is stored of a table. `after`: as in `append`; None: whatever happened. Returns the key of
        the table that was to go on to it, if there is one: that goes on to the one after it now."""
        with self.write() as connection:
            changed = event_rows.erase(connection, row, after)
        self.note_stored(row, 0)
        if changed is None:
            return None
        before, head = changed
        self.note_stored(before, head.number)
        return before.key

    def rewrite(self, row: TableRow, change: Callable[[str], str]) -> None:
        """As `event_rows.rewrite`. What was there before lies in the log still: `empty_log`."""
        with self.write() as connection:
            head = event_rows.rewrite(connection, row, change)
        self.note_stored(row, head.number)

    def empty_log(self) -> None:  # noqa: B027 - only a file has one of its own
        """Leaves nothing in a log of what was overwritten in the store."""

    def catch_up(self, row: TableRow, known: Head) -> News | None:
        """What others appended to a table after this event; None: nothing, as always where one process has the store.
        Raises `Problem("table-deleted")` if they erased it."""
        return None

    def stamp_view(self, head: Head, before: str) -> str:
        """What tells a phone whether a view is newer: "tick.start", where any view of another start is. `head`: of the
        table that is shown; `before`: how the stamp of its last view ended, "" if there was none."""
        return f"{next(self._views)}.{self._start}"

    def check(self, asked_at: float, waits: bool = True) -> None:  # noqa: B027 - only a file is locked as a whole
        """See `Commits.check`."""

    def find(self, key: str) -> TableRow | None:
        """The table with this key. Raises `Problem`: "table-lost" if damage destroyed it, "table-deleted" if a person
        did."""
        if "\0" in key:  # PostgreSQL's texts cannot hold it
            return None
        with self.read() as connection:
            row = event_rows.find(connection, key)
            if row is None and event_rows.is_erased(connection, key):
                raise deleted_problem(final=True)
        if row is None and self.was_damaged:
            raise Problem("table-lost", 410)
        return row

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
            row = None if "\0" in code else connection.execute(query).one_or_none()
        if row is None:
            return None
        # A Raspberry Pi's clock jumps forward when it finds the network; that must not lock phones out.
        lives = CODE_LIVES.total_seconds()
        lately = max(row.active_at, row.opened_at or "") >= stamp(time.time() - lives)
        used = self.used.get(row.id)
        return str(row.key) if lately or (used is not None and time.monotonic() - used < lives) else None

    def find_id(self, table: str) -> str | None:
        """The key of the table with this id (`table_id`), if there is one. It looks through the keys of all tables."""
        known = self._keys_of_ids.get(table)
        if known is not None:
            return known
        with self.read() as connection:
            keys = connection.scalars(select(schema.tables.c.key).order_by(schema.tables.c.id.desc()))
            found = next((key for key in keys if table_id(key) == table), None)
        if found is not None:
            self._keys_of_ids[table] = found
        return found

    def open(self, row: TableRow, pace: Pace = no_limit) -> tuple[State, Head]:
        """A table as stored now, and its last event. Raises `Problem`. `pace`: as in `replay_log`.

        What follows damage in its journal is lost, and left out from now on.
        """
        found = self._read_journal(row)
        if not found.whole:
            logger.warning("the journal of table %d is damaged", row.id)
            with damage_as_problem(), self.write() as connection:
                event_rows.mend(connection, row.id)
            found = self._read_journal(row)
        state = rebuild(found.loaded, pace)
        if state.row.key != row.key:  # a damaged row or index leads to another table
            raise Problem("store-damaged", 503)
        return state, found.head

    def load(self, row: TableRow) -> LoadedTable:
        """The log and settings of a table as stored now. Raises `Problem`."""
        return self._read_journal(row).loaded

    def _read_journal(self, row: TableRow) -> event_rows.StoredTable:
        with self.read() as connection:
            try:
                return event_rows.load(connection, row.id)
            except UnreadableError:
                there = event_rows.find(connection, row.key) is not None
        raise Problem("store-damaged", 503) if there else Problem("table-unknown", 404)

    def samples(self, table_id: int, seqs: Collection[int]) -> dict[int, bytes]:
        """The training samples of these numbers, by number, without missing and damaged ones."""
        with self.read() as connection:
            found = event_rows.journal_of(connection).blobs(table_id, SAMPLE)
        return {seq: body for seq, body in found.items() if seq in seqs}

    def picture(self, table_id: int, seq: int) -> bytes | None:
        """The picture of the throw in this line of a table's log; None if there is none, or it is damaged."""
        with self.read() as connection:
            return event_rows.journal_of(connection).blob(table_id, PICTURE, seq)


def note_use(store: Store, table_id: int) -> None:
    """Keeps the short code of a table alive."""
    store.used[table_id] = time.monotonic()


def free_code(store: Store) -> str:
    with store.read() as connection:
        return codes.free_code(connection)


def pending_deletions(store: Store) -> dict[str, Deletion]:
    """The deletions that may be undone, by the keys of their tables."""
    tables, found = schema.tables.c, dict[str, Deletion]()
    with store.read() as connection:
        rows = connection.execute(select(tables.id, tables.key).where(tables.deleted_at.is_not(None))).all()
        for row in rows:
            with suppress(UnreadableError):
                deletion = event_rows.load(connection, row.id).loaded.begun.access.deletion
                found |= {} if deletion is None else {row.key: deletion}
    return found


def count_pictures(store: Store) -> int:
    query = select(func.count()).where(schema.blobs.c.kind == PICTURE)
    with store.read() as connection:
        return int(connection.execute(query).scalar_one())


def marks_of_erased(store: Store) -> set[str]:
    """The codes (`codes.mark_of`) of all tables of which nothing is left."""
    with store.read() as connection:
        return set(connection.scalars(select(schema.erased.c.mark)))


def fault(store: Store) -> str | None:
    """Why a store cannot be used now: one sentence without an address. None if it can."""
    try:
        with store.read() as connection:
            found = schema.version(connection)
    except (Problem, schema.SchemaError) as error:
        return str(error)
    return "the store is empty" if found is None else None


def photos_under_review(store: Store) -> dict[str, str]:
    """The ids of all photos under review, each with the key of its table."""
    query = select(schema.tables.c.reading, schema.tables.c.key).where(schema.tables.c.reading.is_not(None))
    with store.read() as connection:
        return {row.reading: row.key for row in connection.execute(query)}


def unread_photos(store: Store) -> int:
    query = select(func.count()).where(schema.tables.c.waiting)
    with store.read() as connection:
        return int(connection.execute(query).scalar_one())
