"""Games as they were played: SQLite through SQLAlchemy Core, one append-only log per table.

States are never stored; they are rebuilt from the log by `scorer`. A write returns only when it is on the disk.
"""

import contextlib
import json
import logging
import math
import os
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from cachetools import FIFOCache
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    create_engine,
    delete,
    event,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.pool import ConnectionPoolEntry

import scorer
from web.problems import Problem
from web.session.access_list import LONGEST_NAME, MOST_PHONES, Door, Seen
from web.session.replay import Standing
from web.store import checksums, player_rows, schema, sqlite_errors
from web.store.codes import KEY_BYTES as KEY_BYTES
from web.store.codes import new_code, new_key
from web.store.commits import Commits
from web.store.disk import to_disk
from web.store.gate import Depth, Gate, checked_as_read
from web.store.maintenance import startup_check, untouched
from web.store.maintenance.background_check import BackgroundCheck
from web.store.maintenance.checking import Changes
from web.store.maintenance.file_guard import Keeper
from web.store.maintenance.log_heads import Head, Heads, mark
from web.store.maintenance.watermarks import Watermark
from web.store.migrations import upgrade
from web.store.stamps import now, stamp
from web.store.unstorable import statements_told
from web.store.visits import seen_by

logger = logging.getLogger(__name__)

FILE_NAME = "rollcall.db"
BUSY_TIMEOUT_MS = 5000
CODE_LIVES = timedelta(hours=12)  # after the table was last used; a code is for people in the same room
REMEMBERED_TABLES = 10_000  # whose last use with this process is known without the clock
MOST_LESSONS = 100  # of a table, the newest: an evening's throws, at most a megabyte
ADVICE = ("off", "odds", "best")  # how much a table advises; the first one where nobody chose
MENDS_AGAIN_AFTER_S = 60.0  # a damage that was not made whole by then is not, because somebody asks again
LONGEST_DICE_SET = 40  # letters of what the dice of a table are called
NEXT_NO = "next_no"
WRITING = "rollcall_writing"  # the execution option of a connection that writes

Json = dict[str, Any]


class Overtaken(Problem):
    """Somebody else changed the table first; with a look at what he did the same may be tried again."""

    def __init__(self) -> None:
        super().__init__("stale", 409)


@dataclass(frozen=True)
class TableRow:
    """A table as it was set up. `key` is the secret in its address, `code` the short one to type."""

    id: int
    key: str
    code: str
    game: str
    options: Json
    players: tuple[str, ...]
    keep_corrections: bool
    created_at: str
    active_at: str
    finished_at: str | None
    next_key: str | None = None  # of the table that the players went on to
    digest: str | None = None  # of the record of a game that is over
    lost: int | None = None  # how many lines of its log a damage took, 0 for some; None: none
    active_no: int = field(default=0, compare=False)  # when it was read: it grows with every change of any table


@dataclass(frozen=True)
class Entry:
    """One line of a table's log."""

    seq: int
    request: str
    body: Json
    device: str
    at: str


@dataclass(frozen=True)
class Beside:
    """What a table has besides its log: the photo under review, the numbers of its lessons, how much it advises, what
    its dice are called, and who may come."""

    pending: Json | None
    taught: set[int]
    advice: str
    dice_set: str
    door: Door


def _nobody_listens() -> None:
    pass


class Ledger(ABC):
    """What a store does, whatever engine it lies in. Safe for use from several threads.

    A subclass gives the connections to read and to write by (`_read`, `_write`), and what only its engine needs.
    """

    shared = False  # whether other processes change the same store, so that what is in memory may be older

    def __init__(self) -> None:
        # What was found and done when the store was opened, and since: for whoever looks after the server.
        self.notices: list[Problem] = []
        self._used: FIFOCache[int, float] = FIFOCache(REMEMBERED_TABLES)  # when each was, by `time.monotonic`
        self._noting = threading.Lock()
        self._checking = Depth()
        self.mended = 0  # how often the store was made whole while it was open
        self.on_mended: Callable[[], None] = _nobody_listens  # called after that: what is in memory is to be read again

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _read(self) -> AbstractContextManager[Connection]:
        """A connection that sees the store; raises `Problem` where it cannot be read."""

    @abstractmethod
    def _write(self) -> AbstractContextManager[Connection]:
        """A connection in a transaction that is durable when it is left. Raises `Problem`, and IntegrityError."""

    def _note(self) -> AbstractContextManager[Connection]:
        """The same for what may be left out, so that it must not keep a page waiting for another program."""
        return self._write()

    def check(self, asked_at: float, waits: bool = True) -> None:  # noqa: B027 - only a file is locked as a whole
        """Raises `Problem` where a change that was asked for then (`time.monotonic`) is not to wait any longer, since
        another one waits for a program that has the store locked, or did so in vain since. `waits` False: only then."""

    def change_of(self, thread: int) -> object | None:
        """What stands for the change that this thread waits for, if that can be told; the same as long as it does."""
        return None

    @property
    @abstractmethod
    def _next_no(self) -> ColumnElement[int]:
        """The next number of `active_no`."""

    def _touch(self, connection: Connection, table_id: int) -> int:
        """Counts a change of a table in the transaction that makes it, and returns its number: see `change`."""
        return 0

    def _touch_next(self, connection: Connection, table_id: int, known: int) -> int:
        """The same, for who looked at the table when `known` was its change. Raises `Overtaken` where another process
        changed it since."""
        change = self._touch(connection, table_id)
        if self.shared and change != known + 1:
            raise Overtaken
        return change

    @abstractmethod
    def _sealed(self, head: Head) -> None:
        """Called in the transaction that changes a table's row, with how far its log goes then."""

    def change(self, table_id: int) -> int:
        """The number of the table's last change by any process; always 0 where no other process changes tables."""
        return 0

    def is_gone(self, key: str) -> bool:
        """Whether this is the key of a table that a damage has taken as a whole."""
        return False

    def mend(self, seen: int) -> bool:
        """Makes a damaged store whole while it is open, unless that was done since `mended` was `seen`. Returns whether
        what was read then is to be read again; False: that does not help, or it cannot be done."""
        return False

    def looked_through(self) -> dict[str, Any] | None:
        """How far the store is looked through in the background (`BackgroundCheck.told`); None where nobody does."""
        return None

    def seen_whole(self) -> AbstractContextManager[Connection]:
        """A connection that sees all of the store as it is at one moment."""
        return self._read()

    def one_moment(self) -> AbstractContextManager[object]:
        """Until it is left, all that this thread reads is of one moment, where other processes write meanwhile."""
        return contextlib.nullcontext()

    def filled(self) -> AbstractContextManager[Connection]:
        """A connection in whose transaction an empty store gets all that another one has."""
        return self._write()

    def derived(self) -> AbstractContextManager[Connection]:
        """A connection in whose transaction rows are written that are made of others (`player_rows`)."""
        return self._write()

    @checked_as_read
    def fault(self) -> str | None:
        """Why nothing can be served from this store now: one sentence without an address. None when all can."""
        try:
            with self.seen_whole() as connection:
                found = schema.version(connection)
        except (Problem, schema.SchemaError) as error:
            return str(error)
        return "the store is empty" if found is None else None

    def new_table(
        self,
        game: str,
        options: Json,
        players: Sequence[str],
        keep_corrections: bool,
        actions: Sequence[Json] = (),
        standings: Sequence[Standing] | None = None,
        digest: str | None = None,
        follows: TableRow | None = None,
        advice: str = ADVICE[0],
        owner: str = "",
    ) -> TableRow:
        """Stores a new table, with the actions of an imported record if there are any.

        `standings`, `digest`: as in `append`, of a record whose game is over. `follows`: the table whose next one this
        is, with what was learnt there of the dice, how much it advised and its owner; if it has one already, that is
        returned. `advice`: one of ADVICE. `owner`: the phone that started it, "" for nobody. Durable on return.
        """
        at = now()
        lines = [
            Entry(seq, schema.IMPORTED.format(seq), {"do": action}, "", at)
            for seq, action in enumerate(actions, start=1)
        ]
        setup = {
            "game": game,
            "options": json.dumps(options),
            "players": json.dumps(list(players), ensure_ascii=False),
            "keep_corrections": keep_corrections,
            "created_at": at,
        }
        return self._begun(setup, lines, standings, digest, follows, advice, owner)

    def branch(
        self,
        row: TableRow,
        lines: Sequence[Entry],
        standings: Sequence[Standing] | None = None,
        digest: str | None = None,
    ) -> TableRow:
        """The table that goes on from these lines of a damaged one, with all that is known of them, and follows it.

        The others as in `new_table`.
        """
        with self._read() as connection:
            names = [schema.tables.c[name] for name in checksums.SETUP if name != "key"]
            setup = connection.execute(select(*names).where(schema.tables.c.id == row.id)).mappings().one()
        return self._begun(dict(setup), lines, standings, digest, row)

    def _begun(
        self,
        setup: Json,
        lines: Sequence[Entry],
        standings: Sequence[Standing] | None,
        digest: str | None,
        follows: TableRow | None,
        advice: str = ADVICE[0],
        owner: str = "",
    ) -> TableRow:
        at = now()
        with self._write() as connection:
            before = None if follows is None else _held(connection, follows)
            if follows is not None:
                if (begun := _next_of(connection, follows)) is not None:
                    return begun
                advice = _advice(connection, follows.id)
                owner = _door(connection, follows.id).owner
            key = new_key()
            values = {
                **setup,
                "key": key,
                "code": self._free_code(connection),
                "active_at": at,
                "finished_at": at if standings is not None else None,
                "digest": digest,
            }
            connection.execute(insert(schema.tables).values(**values, active_no=self._next_no))
            held = dict(connection.execute(select(schema.tables).where(schema.tables.c.key == key)).mappings().one())
            connection.execute(insert(schema.setups).values(schema.setup_row(held)))
            head = checksums.birth(held["id"], held)
            rows = _log_rows(held["id"], head, lines)
            if rows:
                connection.execute(insert(schema.log), rows)
                head = rows[-1]["sum"]
            self._seal(connection, held, lines=len(rows), head=head)
            if before is not None:
                self._seal(connection, before, next_key=key)
                self._touch(connection, before["id"])
                _hand_on_lessons(connection, before["id"], held["id"])
                _set_dice_set(connection, held["id"], _dice_set(connection, before["id"]))
            _set_advice(connection, held["id"], advice)
            _set_owner(connection, held["id"], Door(owner))
            row = _table_row(connection.execute(select(schema.tables).where(schema.tables.c.key == key)).one())
            _write_results(connection, row, standings)
            if standings is not None:
                player_rows.derive(connection, [row.id])
        self._note_use(row.id)
        return row

    @checked_as_read
    def find(self, key: str) -> TableRow | None:
        with self._read() as connection:
            row = connection.execute(select(schema.tables).where(schema.tables.c.key == key)).one_or_none()
        if row is not None and row.sum != checksums.table_sum(dict(row._mapping)):
            raise Problem("store-damaged", 503)
        return None if row is None else _table_row(row)

    def find_code(self, code: str) -> str | None:
        """The key of the table with this short code, if somebody acted there or opened it lately.

        Whoever tries the code prolongs nothing: a guesser must not keep it alive.
        """
        opened = (
            select(func.max(schema.visits.c.at)).where(schema.visits.c.table_id == schema.tables.c.id).scalar_subquery()
        )
        query = (
            select(schema.tables.c.id, schema.tables.c.key, schema.tables.c.active_at, opened.label("opened_at"))
            .where(schema.tables.c.code == code)
            .order_by(schema.tables.c.active_no.desc())
            .limit(1)
        )
        with self._read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return None
        lives = CODE_LIVES.total_seconds()
        # A clock that jumps forward, as a Raspberry Pi's does once it finds the network, must not lock phones out.
        with self._noting:
            used = self._used.get(row.id)
        lately = max(row.active_at, row.opened_at or "") >= stamp(time.time() - lives) or (
            used is not None and time.monotonic() - used < lives
        )
        return str(row.key) if lately else None

    def entries(self, table_id: int) -> list[Entry]:
        """The log of a table as far as it holds, oldest first."""
        return self.log_of(table_id)[0]

    @checked_as_read
    def log_of(self, table_id: int) -> tuple[list[Entry], int | None]:
        """The log of a table as far as it holds, oldest first; and how many lines are lost: 0 for some, None: none."""
        seen = self.mended
        entries, lost, held = self._log_of(table_id)
        if not held and self.mend(seen):
            entries, lost, held = self._log_of(table_id)
        if not held:
            logger.warning("the log of table %d is damaged after line %d", table_id, len(entries))
        return entries, lost

    def _log_of(self, table_id: int) -> tuple[list[Entry], int | None, bool]:
        """The same, and whether all of it holds, but for what was told to be lost."""
        query = select(schema.log).where(schema.log.c.table_id == table_id).order_by(schema.log.c.seq)
        with self._read() as connection:
            of_table = select(schema.tables).where(schema.tables.c.id == table_id)
            found = connection.execute(of_table).mappings().one_or_none()
            rows = [dict(row) for row in connection.execute(query).mappings()]
        if found is None:
            return [], None, True
        held = dict(found)
        chain = checksums.follow(checksums.birth(table_id, held), rows)
        entries = [_entry(row) for row in rows[: chain.lines]]
        if held["sum"] == checksums.table_sum(held) and (chain.lines, chain.head) == (held["lines"], held["head"]):
            return entries, held["lost"], True
        return entries, max(0, max(held["lines"], len(rows)) - chain.lines), False

    @checked_as_read
    def since(self, row: TableRow, last: Entry | None) -> tuple[TableRow, list[Entry]] | None:
        """A table as it is now, with the lines of its log after `last` (None: all); or None where they do not follow
        it, or not all hold."""
        known = 0 if last is None else last.seq
        query = select(schema.log).where(schema.log.c.table_id == row.id, schema.log.c.seq >= known)
        with self._read() as connection:
            now = connection.execute(select(schema.tables).where(schema.tables.c.id == row.id)).one()
            rows = [dict(line) for line in connection.execute(query.order_by(schema.log.c.seq)).mappings()]
        held = dict(now._mapping)
        before = checksums.birth(row.id, held)
        if last is not None:
            if not rows or _entry(rows[0]) != last:
                return None
            before = rows.pop(0)["sum"]
        chain = checksums.follow(before, rows, known)
        whole = chain.lines == known + len(rows) and held["lost"] is None and chain.lines >= held["lines"]
        return (_table_row(now), [_entry(line) for line in rows]) if whole else None

    @checked_as_read
    def beside(self, table_id: int) -> Beside:
        """What a table has besides its log."""
        kept = self.pending(table_id), self.taught(table_id), self.advice(table_id), self.dice_set(table_id)
        return Beside(*kept, self.door(table_id))

    def append(
        self,
        row: TableRow,
        entry: Entry,
        standings: Sequence[Standing] | None = None,
        digest: str | None = None,
        before: Entry | None = None,
        known: int | None = None,
        reviewed: bool = True,
    ) -> int:
        """Adds one line to a table's log, and with it drops the photo under review. Returns the number of the `change`.

        `standings`: those of all who play when the game is over with this entry, else None; `digest`: that of
        its record then. `before`: a line that goes before it; both are there, or neither. `known`: the `change`
        of the table that was looked at; `reviewed`: whether it had a photo under review then.
        Durable on return. Raises `Overtaken` if the log already has a line of this number or request, or another
        process changed the table after `known`: its owner may have closed it, or removed who asks.
        """
        lines = [entry] if before is None else [before, entry]
        try:
            with self._write() as connection:
                held = _held(connection, row, self._next_no.label(NEXT_NO))
                active_no = held.pop(NEXT_NO)
                if held["lines"] + 1 != lines[0].seq:
                    raise Overtaken
                change = (
                    self._touch(connection, row.id) if known is None else self._touch_next(connection, row.id, known)
                )
                rows = _log_rows(row.id, held["head"], lines)
                connection.execute(insert(schema.log), rows)
                if reviewed:
                    connection.execute(delete(schema.pending).where(schema.pending.c.table_id == row.id))
                if standings is not None or held["finished_at"] is not None:
                    _write_results(connection, row, standings)
                self._seal(
                    connection,
                    held,
                    active_at=entry.at,
                    active_no=active_no,
                    finished_at=entry.at if standings is not None else None,
                    digest=digest,
                    lines=entry.seq,
                    head=rows[-1]["sum"],
                )
                if standings is not None or held["finished_at"] is not None:
                    player_rows.derive(connection, [row.id])
        except IntegrityError:
            raise Overtaken from None
        self._note_use(row.id)
        return change

    def advice(self, table_id: int) -> str:
        """How much a table advises, of ADVICE."""
        with self._read() as connection:
            return _advice(connection, table_id)

    def set_advice(self, table_id: int, advice: str) -> int:
        """Sets how much a table advises. Returns the number of the `change`."""
        with self._write() as connection:
            change = self._touch(connection, table_id)
            _set_advice(connection, table_id, advice)
        return change

    def dice_set(self, table_id: int) -> str:
        """What the people call the dice of a table; "" where they did not tell."""
        with self._read() as connection:
            return _dice_set(connection, table_id)

    def set_dice_set(self, table_id: int, name: str) -> int:
        """`name`: at most LONGEST_DICE_SET letters, "" for dice that have none. Returns the number of the `change`."""
        with self._write() as connection:
            change = self._touch(connection, table_id)
            _set_dice_set(connection, table_id, name)
        return change

    def door(self, table_id: int) -> Door:
        """Who may come to a table."""
        with self._read() as connection:
            return _door(connection, table_id)

    def seat(self, table_id: int, device: str, seen: Seen, known: int) -> int:
        """Notes a phone of a table that has an owner. Returns the number of the `change`. Of more than MOST_PHONES that
        were not removed, the one that came first is forgotten. `known`: as in `append`. Raises `Overtaken`."""
        with self._note() as connection:
            change = self._touch_next(connection, table_id, known)
            _set_phone(connection, table_id, device, seen)
            door = _door(connection, table_id)
            there = [each for each, seen in door.phones.items() if not seen.out and each != door.owner]
            if len(there) > MOST_PHONES:
                mine = schema.phones.c.table_id == table_id
                oldest = min(there, key=lambda each: (each == device, door.phones[each].at))
                connection.execute(delete(schema.phones).where(mine, schema.phones.c.device == oldest))
        return change

    def turn(self, row: TableRow, door: Door, devices: Collection[str], code: str | None, known: int) -> int:
        """Writes what became of these phones, and that new ones need the short code, which is `code` from now on (None:
        stays). Returns the number of the `change`. `known`: as in `append`. Raises `Overtaken`."""
        with self._write() as connection:
            held = _held(connection, row)
            change = self._touch_next(connection, row.id, known)
            for device in devices:
                _set_phone(connection, row.id, device, door.phones[device])
            _set_owner(connection, row.id, door)
            if code is not None:
                self._seal(connection, held, code=code)
        return change

    def set_closed(self, table_id: int, door: Door, known: int) -> int:
        """Writes whether a table is closed. Returns the number of the `change`. `known`: as in `append`. Raises
        `Overtaken`."""
        with self._write() as connection:
            change = self._touch_next(connection, table_id, known)
            _set_owner(connection, table_id, door)
        return change

    def free_code(self) -> str:
        """A short code that no table has."""
        with self._read() as connection:
            return self._free_code(connection)

    def pending(self, table_id: int) -> Json | None:
        """The photo under review, as it was given to `set_pending`."""
        query = select(schema.pending).where(schema.pending.c.table_id == table_id)
        with self._read() as connection:
            row = connection.execute(query).mappings().one_or_none()
        return pending_of(row)

    def set_pending(
        self, table_id: int, body: Json | None, replaces: str | None = None, version: int | None = None
    ) -> int:
        """Replaces the photo under review; `body["id"]` names its files. Returns the number of the `change`.

        Where other processes change tables too, raises `Overtaken` when the photo there is not `replaces`, or the log
        has not `version` lines (None: whatever it is).
        """
        with self._write() as connection:
            if self.shared:
                _check_pending(connection, table_id, replaces, version)
            change = self._touch(connection, table_id)
            connection.execute(delete(schema.pending).where(schema.pending.c.table_id == table_id))
            if body is not None:
                values = {"table_id": table_id, "reading": body["id"], "body": json.dumps(body)}
                values["sum"] = checksums.pending_sum(**values)
                connection.execute(insert(schema.pending).values(values))
        return change

    def taught(self, table_id: int) -> set[int]:
        """The numbers of the log's lines that left a lesson of how this table's dice look, as in `add_lesson`."""
        with self._read() as connection:
            mine = select(schema.lessons.c.seq).where(schema.lessons.c.table_id == table_id)
            return set(connection.execute(mine).scalars())

    def lessons(self, table_id: int, seqs: Collection[int]) -> dict[int, bytes]:
        """The lessons of these numbers, by number; those that are gone or damaged are left out."""
        wanted = (schema.lessons.c.table_id == table_id) & schema.lessons.c.seq.in_(seqs)
        with self._read() as connection:
            rows = connection.execute(select(schema.lessons).where(wanted)).all()
        return {row.seq: row.body for row in rows if row.sum == checksums.lesson_sum(table_id, row.seq, row.body)}

    def add_lesson(self, table_id: int, seq: int, body: bytes) -> set[int]:
        """Keeps what the confirmed photo of line `seq` taught. Returns the numbers of all lessons that are now kept:
        of more than MOST_LESSONS the oldest go."""
        of_table = schema.lessons.c.table_id == table_id
        with self._write() as connection:
            values = {"table_id": table_id, "seq": seq, "body": body}
            self._touch(connection, table_id)
            connection.execute(insert(schema.lessons).values(**values, sum=checksums.lesson_sum(table_id, seq, body)))
            newest = select(schema.lessons.c.seq).where(of_table).order_by(schema.lessons.c.seq.desc())
            seqs = list(connection.execute(newest).scalars())
            if old := seqs[MOST_LESSONS:]:
                connection.execute(delete(schema.lessons).where(of_table & schema.lessons.c.seq.in_(old)))
        return set(seqs[:MOST_LESSONS])

    def drop_lessons(self, table_id: int, seqs: Collection[int] | None = None) -> None:
        """Deletes the lessons of these numbers; with None all that the table has."""
        gone = schema.lessons.c.table_id == table_id
        if seqs is not None:
            gone &= schema.lessons.c.seq.in_(seqs)
        with self._write() if seqs is None else self._note() as connection:
            self._touch(connection, table_id)
            connection.execute(delete(schema.lessons).where(gone))

    @checked_as_read
    def pending_ids(self) -> set[str]:
        """The ids of all photos under review: every other photo in the folder may go."""
        with self._read() as connection:
            return set(connection.execute(select(schema.pending.c.reading)).scalars())

    @checked_as_read
    def waiting(self) -> dict[str, str]:
        """The ids of all photos under review, each with the key of its table."""
        query = select(schema.pending.c.reading, schema.tables.c.key).join(
            schema.tables, schema.tables.c.id == schema.pending.c.table_id
        )
        with self._read() as connection:
            return {row.reading: row.key for row in connection.execute(query)}

    @checked_as_read
    def unread(self) -> int:
        """How many photos wait to be read."""
        query = select(func.count()).where(schema.pending.c.body.contains('"status": "waiting"'))
        with self._read() as connection:
            return int(connection.execute(query).scalar_one())

    @checked_as_read
    def visit(self, device: str, row: TableRow) -> None:
        """Notes that this phone is at this table: it is in its list (again), and the table's short code is renewed.

        Where that cannot be written, the table is shown all the same.
        """
        self._note_use(row.id)
        mine = (schema.visits.c.device == device) & (schema.visits.c.table_id == row.id)
        with self._read() as connection:
            shown = mine & ~schema.visits.c.hidden
            known = connection.execute(select(schema.visits.c.at).where(shown)).scalar_one_or_none()
        if known is not None and known[:13] == now()[:13]:
            return  # noted within this hour: a page load need not write to the disk
        try:
            with self._note() as connection:
                connection.execute(delete(schema.visits).where(mine))
                connection.execute(insert(schema.visits).values(device=device, table_id=row.id, at=now()))
        except IntegrityError:
            pass  # another page of this phone noted it at the same moment
        except Problem as problem:
            logger.warning("a visit could not be noted: %s", problem)

    def hide(self, device: str, row: TableRow, hidden: bool) -> None:
        """Takes a table off this phone's list, or puts it back; what was played there counts all the same."""
        mine = (schema.visits.c.device == device) & (schema.visits.c.table_id == row.id)
        with self._write() as connection:
            connection.execute(update(schema.visits).where(mine).values(hidden=hidden))

    def tables_of(
        self,
        device: str,
        hidden: bool = False,
        limit: int = 200,
        before: int | None = None,
        over: bool | None = None,
        key: str | None = None,
    ) -> list[TableRow]:
        """The tables that this phone has been at, the latest first; with `hidden` those taken off its list instead.

        `before`: only those with a smaller `active_no`. `over`: only those whose game is over, or is not. `key`: only
        the table with this key.
        """
        query = select(schema.tables)
        if over is not None:
            ended = schema.tables.c.finished_at
            query = query.where(ended.is_not(None) if over else ended.is_(None))
        with self._read() as connection:
            # A phone of many tables is found from the list of all of them, which is in order already.
            mine = select(schema.visits.c.table_id).where(schema.visits.c.device == device)
            some = mine.limit(player_rows.FEW_VISITS + 1).subquery()
            few = connection.execute(select(func.count()).select_from(some)).scalar_one() <= player_rows.FEW_VISITS
            number = schema.tables.c.active_no + 0 if few else schema.tables.c.active_no
            there = seen_by(device) & (schema.visits.c.hidden == hidden)
            at_table = schema.visits.c.table_id == schema.tables.c.id
            query = (
                query.join(schema.visits, at_table).where(there)
                if few
                else query.where(exists().where(there, at_table))
            )
            if before is not None:
                query = query.where(number < before)
            if key is not None:
                query = query.where(schema.tables.c.key == key)
            return [_table_row(row) for row in connection.execute(query.order_by(number.desc()).limit(limit))]

    def regrouped(self, table_ids: Collection[int]) -> set[int]:
        """Those of these tables at which somebody joined, left or was renamed, undone or not."""
        query = select(schema.log.c.table_id).distinct().where(schema.log.c.table_id.in_(table_ids))
        query = query.where(schema.log.c.body.contains('"player-', autoescape=True))
        with self._read() as connection:
            return set(connection.scalars(query)) if table_ids else set()

    def _seal(self, connection: Connection, held: Json, **changes: Any) -> None:
        """Writes what changes in a table's row, with a new checksum; `held`: the whole row as it is."""
        row = {**held, **changes}
        values = {**changes, "sum": checksums.table_sum(row)}
        connection.execute(update(schema.tables).where(schema.tables.c.id == row["id"]).values(values))
        self._sealed(Head(row["id"], row["lines"], row["head"], mark(row["key"])))

    def _note_use(self, table_id: int) -> None:
        with self._noting:
            self._used[table_id] = time.monotonic()

    def _free_code(self, connection: Connection) -> str:
        while True:
            code = new_code()
            query = select(func.count()).select_from(schema.tables).where(schema.tables.c.code == code)
            if connection.execute(query).scalar_one() == 0:
                return code


class Store(Ledger):
    """The store in the data folder, which is made if it is missing. Safe for use from several threads.

    A store of an older version is taken to the present one; a copy of the older one stays beside it. Raises
    `SchemaError` for a store from a newer version, `Problem` and OSError where it cannot be used.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE_NAME
        startup_check.make_private(folder)
        self._heads = Heads(folder)
        self._known = Watermark(self.path)
        with _told():
            changes = startup_check.changes(self.path, self._heads, self._known)
            if changes is None:
                self._known.forget()
                self.notices += startup_check.made_whole(self.path, self._heads)
        # check_same_thread off: the pool hands a connection to one thread at a time, but not always to the same.
        self._engine: Engine = create_engine(
            f"sqlite:///{self.path}",
            connect_args={"check_same_thread": False, "timeout": BUSY_TIMEOUT_MS / 1000},
            hide_parameters=True,  # of errors that are logged: tables' keys are among them
        )
        event.listen(self._engine, "connect", _configure)
        event.listen(self._engine, "begin", _begin)
        # One writer at a time in this process; SQLite would make them wait for each other anyway, less fairly.
        writer = self._engine.execution_options(**{WRITING: True})
        self._writing = Commits(writer, _told, self._look_after, self._look_after_change, self._look_after_failure)
        self._keeper: Keeper | None = None
        self._check: BackgroundCheck | None = None
        self._gate = Gate()
        self._mended_at = -math.inf  # when the store was made whole while it was open
        try:
            with self._read() as connection:
                found = schema.version(connection)
            if found is not None and found < schema.VERSION:
                copy_store(self.path, kept_copy(self.path, found))
            with self._write() as connection:
                upgrade.prepare(connection)
            whole = changes is None and found in (None, schema.VERSION)
            line, tables = self._note_heads(changes)
            self._known.set(self._heads.name, line, self._whole_at(whole))
            startup_check.make_private(folder)
            watched = (self.path, self._writing, self._heads)
            with _told():
                self._keeper = Keeper(*watched, self._reopen, self.notices, self._known)
            looked_after = (self.path, self._heads, self._known, self._gate)
            self._check = BackgroundCheck(*looked_after, self._mend_now, whole, tables)
        except BaseException:
            with self._writing:
                self._reopen()
            self._heads.close()
            raise

    def close(self) -> None:
        if self._check is not None:
            self._check.close()
        if self._keeper is not None:
            self._keeper.close()
        with self._writing:
            self._reopen()
        self._heads.close()

    def _reopen(self) -> None:
        """Closes all connections; whoever needs one makes it anew. Hold `_writing`."""
        self._writing.close()
        self._engine.dispose()

    def is_gone(self, key: str) -> bool:
        """Whether this is the key of a table that a damage has taken as a whole."""
        looked_for = mark(key)
        return any(head.gone and head.mark == looked_for for head in list(self._heads.known.values()))

    def find(self, key: str) -> TableRow | None:
        found = super().find(key)
        if found is None and self._check is not None and not self._check.lists_hold:
            self._check.wait_for_lists()  # a damaged index hides tables, and is found by then
            found = super().find(key)
        return found

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        if self._keeper is not None and self._keeper.moved:
            with self._writing:
                self._look_after()
        if self._check is not None and not self._checking.depth:
            self._check.wait_for_lists()
        with self._suspected(), self._gate.passed(), _told(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _write(self) -> Iterator[Connection]:
        with self._suspected(), self._writing.change(BUSY_TIMEOUT_MS / 1000) as connection:
            yield connection

    @contextmanager
    def _suspected(self) -> Iterator[None]:
        """Has the store made whole soon where it was found to be damaged."""
        try:
            yield
        except Problem as problem:
            if problem.reason == "store-damaged" and self._check is not None:
                self._check.suspect(str(problem.__cause__ or "a table's own row does not hold"))
            raise

    def looked_through(self) -> dict[str, Any] | None:
        return None if self._check is None else self._check.told()

    def mend(self, seen: int) -> bool:
        if self.mended == seen and time.monotonic() - self._mended_at > MENDS_AGAIN_AFTER_S:
            return self._mend_now("a table's log does not hold", seen)
        return self.mended != seen

    def _mend_now(self, why: str, seen: int) -> bool:
        """Makes the store whole while it is open, unless that was done since `seen`. Returns whether it is done."""
        if self._keeper is None or self._check is None:
            return False
        try:
            with self._writing, self._gate.closed(), _told():
                if self.mended != seen:
                    return True
                self._known.forget()
                self._keeper.mend(why)
                self.mended += 1
                self._mended_at = time.monotonic()
                with self._engine.connect() as connection:
                    line = connection.execute(select(func.coalesce(func.max(schema.log.c.id), 0))).scalar_one()
                self._known.set(self._heads.name, line, now())
                self._check.made_anew()
        except (OSError, Problem) as error:
            logger.warning("the damaged store cannot be made whole now; the next start tries again: %s", error)
            return False
        self.on_mended()
        return True

    def _note(self) -> AbstractContextManager[Connection]:
        return self._writing.change(BUSY_TIMEOUT_MS / 1000, matters=False)

    def check(self, asked_at: float, waits: bool = True) -> None:
        self._writing.check(asked_at, waits)

    def change_of(self, thread: int) -> object | None:
        return self._writing.made_by(thread)

    def _look_after(self) -> None:
        """Before each transaction: whether the files lie where they did. Hold `_writing`."""
        if self._keeper is not None:
            with _told():
                self._keeper.look(writes=True)

    def _look_after_change(self, heads: Sequence[Head]) -> None:
        """After each transaction: the same, and how far these tables go now."""
        for head in heads:
            self._heads.put(head)
        if self._keeper is not None:
            with _told():
                self._keeper.look(writes=True)

    def _look_after_failure(self) -> None:
        """After a transaction that the disk did not take."""
        if self._keeper is not None:
            self._keeper.write_over()

    @property
    def _next_no(self) -> ColumnElement[int]:
        return _NEXT_NO

    def _sealed(self, head: Head) -> None:
        self._writing.note(head)

    def _whole_at(self, whole: bool) -> str | None:
        """When the whole store was last found whole; `whole`: just now."""
        before = None if self._known.mark is None else self._known.mark.whole_at
        return now() if whole else before

    def _note_heads(self, changes: Changes | None) -> tuple[int, int]:
        """Writes the file of heads anew, as the store is; those of lost tables stay. Returns the id of the last line of
        any log, and how many tables there are. `changes`: what there is of them, if that is known. Raises OSError."""
        if changes is not None:
            self._heads.resume()
            with self._read() as connection:
                for number in changes.other_heads:
                    row = connection.execute(select(schema.tables).where(schema.tables.c.id == number)).one()
                    self._heads.put(Head(row.id, row.lines, row.head, mark(row.key)))
            return changes.line, changes.tables
        columns = (schema.tables.c.id, schema.tables.c.lines, schema.tables.c.head, schema.tables.c.key)
        with self._read() as connection:
            rows = connection.execute(select(*columns)).all()
            name = connection.execute(select(schema.identity.c.name)).scalar_one()
            line = connection.execute(select(func.coalesce(func.max(schema.log.c.id), 0))).scalar_one()
        gone = [head for head in self._heads.known.values() if head.gone]
        self._heads.reset(name, [*gone, *(Head(row.id, row.lines, row.head, mark(row.key)) for row in rows)])
        return line, len(rows)


def kept_copy(path: Path, version: int) -> Path:
    """Where the copy of the store of an older version is kept when a newer Rollcall takes it over."""
    return path.with_name(f"{path.stem}-version-{version}{path.suffix}")


def copy_store(source: Path, target: Path) -> None:
    """Copies a store as it is at one moment, also while others write to it; `target` is there whole or not at all.

    The copy is one file, on the disk on return. Raises `Problem`.
    """
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        with _told(), contextlib.closing(sqlite3.connect(part)) as copy:
            waits_s = BUSY_TIMEOUT_MS / 1000
            try:
                with contextlib.closing(sqlite3.connect(source, timeout=waits_s)) as old:
                    old.backup(copy)
            except sqlite3.OperationalError as error:
                if not untouched.cannot_open(error):
                    raise
                with untouched.opened(source, waits_s) as old:  # in a folder that may not be written
                    old.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # else its newest lines could lie in a file beside it
        to_disk(part)
        os.replace(part, target)
        to_disk(target.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def _told() -> Iterator[None]:
    """Turns what the disk or another program did to the store into one sentence for people."""
    try:
        with statements_told(sqlite_errors.problem):
            yield
    except sqlite3.Error as error:
        raise sqlite_errors.problem(error) from error


_NEXT_NO = select(func.coalesce(func.max(schema.tables.c.active_no), 0) + 1).correlate(None).scalar_subquery()


def _configure(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    # Transactions begin where `_begin` says so: the driver's own way leaves changes of the schema outside of them.
    connection.isolation_level = None
    cursor = connection.cursor()
    # The log is folded in by the `Keeper`, for which no change has to wait.
    kept = ("journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=0")
    for pragma in (*kept, f"busy_timeout={BUSY_TIMEOUT_MS}", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # A writer asks for the lock at once: whoever has read first and then wants to write may be refused without waiting.
    writes = connection.get_execution_options().get(WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _next_of(connection: Connection, row: TableRow) -> TableRow | None:
    """The table that was started to follow this one, if one was."""
    asked = schema.tables.alias()
    query = select(schema.tables).join(asked, asked.c.next_key == schema.tables.c.key).where(asked.c.id == row.id)
    found = connection.execute(query).one_or_none()
    return None if found is None else _table_row(found)


def _hand_on_lessons(connection: Connection, old: int, new: int) -> None:
    """Copies the lessons of one table to the next one, in their order, before all that will be learnt there."""
    last = select(func.max(schema.lessons.c.seq)).where(schema.lessons.c.table_id == old).scalar_subquery()
    copied = select(schema.lessons.c.seq - last, schema.lessons.c.body).where(schema.lessons.c.table_id == old)
    rows = [
        {"table_id": new, "seq": seq, "body": body, "sum": checksums.lesson_sum(new, seq, body)}
        for seq, body in connection.execute(copied)
    ]
    if rows:
        connection.execute(insert(schema.lessons), rows)


def _check_pending(connection: Connection, table_id: int, replaces: str | None, version: int | None) -> None:
    """Raises `Overtaken` where a photo belongs to another state, or not in the place of the one there."""
    locked = select(schema.tables.c.lines).where(schema.tables.c.id == table_id)
    locked = locked.with_for_update(key_share=True)
    lines = connection.execute(locked).scalar_one()
    if version is not None and lines != version:
        raise Overtaken
    there = select(schema.pending.c.reading).where(schema.pending.c.table_id == table_id)
    if replaces is not None and connection.execute(there).scalar_one_or_none() != replaces:
        raise Overtaken


def pending_of(row: Mapping[Any, Any] | None) -> Json | None:
    """The photo under review of a row of `schema.pending`; a damaged one is as if it were not there."""
    if row is None or row["sum"] != checksums.pending_sum(row["table_id"], row["reading"], row["body"]):
        return None
    found: Json = json.loads(row["body"])
    return found


def advice_of(row: Mapping[Any, Any] | None) -> str:
    """How much a table advises, of its row of `schema.preferences`, likewise."""
    if row is None or row["advice"] not in ADVICE:
        return ADVICE[0]
    return str(row["advice"]) if row["sum"] == checksums.preferences_sum(row["table_id"], row["advice"]) else ADVICE[0]


def dice_set_of(row: Mapping[Any, Any] | None) -> str:
    """What the dice are called, of a row of `schema.dice_sets`, likewise."""
    if row is None or row["sum"] != checksums.dice_set_sum(row["table_id"], row["name"]):
        return ""
    return str(row["name"])


def door_of(owner: Mapping[Any, Any] | None, phones: Sequence[Mapping[Any, Any]]) -> Door:
    """Who may come to a table, of its row of `schema.owners` and those of `schema.phones`, likewise."""
    if owner is None or checksums.owner_sum(owner) != owner["sum"]:
        return Door()
    whole = sorted((row for row in phones if row["sum"] == checksums.phone_sum(row)), key=_came)
    seen = {row["device"]: Seen(row["name"], row["at"], row["out"]) for row in whole}
    return Door(owner["device"], owner["closed"], owner["guarded"], seen)


def _came(row: Mapping[Any, Any]) -> tuple[str, str]:
    return row["at"], row["device"]


def _advice(connection: Connection, table_id: int) -> str:
    query = select(schema.preferences).where(schema.preferences.c.table_id == table_id)
    return advice_of(connection.execute(query).mappings().one_or_none())


def _set_advice(connection: Connection, table_id: int, advice: str) -> None:
    connection.execute(delete(schema.preferences).where(schema.preferences.c.table_id == table_id))
    if advice != ADVICE[0]:
        values = {"table_id": table_id, "advice": advice, "sum": checksums.preferences_sum(table_id, advice)}
        connection.execute(insert(schema.preferences).values(values))


def _dice_set(connection: Connection, table_id: int) -> str:
    query = select(schema.dice_sets).where(schema.dice_sets.c.table_id == table_id)
    return dice_set_of(connection.execute(query).mappings().one_or_none())


def _set_dice_set(connection: Connection, table_id: int, name: str) -> None:
    connection.execute(delete(schema.dice_sets).where(schema.dice_sets.c.table_id == table_id))
    if name:
        values = {"table_id": table_id, "name": name, "sum": checksums.dice_set_sum(table_id, name)}
        connection.execute(insert(schema.dice_sets).values(values))


def _door(connection: Connection, table_id: int) -> Door:
    owner = connection.execute(select(schema.owners).where(schema.owners.c.table_id == table_id))
    phones = connection.execute(select(schema.phones).where(schema.phones.c.table_id == table_id))
    return door_of(owner.mappings().one_or_none(), phones.mappings().all())


def _set_owner(connection: Connection, table_id: int, door: Door) -> None:
    connection.execute(delete(schema.owners).where(schema.owners.c.table_id == table_id))
    if door.owner:
        values = {"table_id": table_id, "device": door.owner, "closed": door.closed, "guarded": door.guarded}
        connection.execute(insert(schema.owners).values(**values, sum=checksums.owner_sum(values)))


def _set_phone(connection: Connection, table_id: int, device: str, seen: Seen) -> None:
    same = (schema.phones.c.table_id == table_id) & (schema.phones.c.device == device)
    connection.execute(delete(schema.phones).where(same))
    values = {"table_id": table_id, "device": device, **asdict(seen), "name": seen.name[:LONGEST_NAME]}
    connection.execute(insert(schema.phones).values(**values, sum=checksums.phone_sum(values)))


def _write_results(connection: Connection, row: TableRow, standings: Sequence[Standing] | None) -> None:
    connection.execute(delete(schema.results).where(schema.results.c.table_id == row.id))
    if standings is None:
        return
    rows = []
    for each in standings:
        result = {"table_id": row.id, **asdict(each)}
        rows.append({**result, "sum": checksums.result_sum(result)})
    connection.execute(insert(schema.results), rows)


def _held(connection: Connection, row: TableRow, *more: ColumnElement[Any]) -> Json:
    """A table's row as it is in the store, and `more`. Raises `Problem` where it does not hold."""
    # Locked until the transaction ends, where others could write meanwhile; SQLite has one writer anyway.
    query = select(schema.tables, *more).where(schema.tables.c.id == row.id)
    query = query.with_for_update(key_share=True, of=schema.tables)
    held = dict(connection.execute(query).mappings().one())
    if held["sum"] != checksums.table_sum(held):
        raise Problem("store-damaged", 503)
    return held


def _entry(row: Json) -> Entry:
    return Entry(row["seq"], row["request"], json.loads(row["body"]), row["device"], row["at"])


def _log_rows(table_id: int, head: str, lines: Sequence[Entry]) -> list[Json]:
    """The rows of these lines, each vouched for with the one before; `head`: the checksum before the first."""
    rows = []
    for line in lines:
        row = {"seq": line.seq, "request": line.request, "body": json.dumps(line.body)}
        row |= {"device": line.device, "at": line.at}
        head = checksums.line_sum(head, row)
        rows.append({"table_id": table_id, **row, "sum": head})
    return rows


def _table_row(row: Any) -> TableRow:
    return TableRow(
        id=row.id,
        key=row.key,
        code=row.code,
        game=row.game,
        options=scorer.options_of_table(row.game, json.loads(row.options)),
        players=tuple(json.loads(row.players)),
        keep_corrections=row.keep_corrections,
        created_at=row.created_at,
        active_at=row.active_at,
        finished_at=row.finished_at,
        next_key=row.next_key,
        digest=row.digest,
        lost=row.lost,
        active_no=row.active_no,
    )
