"""The journal of all tables: the same statements for SQLite and PostgreSQL, through Python's database interface.

The key of an event is its table and its number. Of two processes that append to the same state, the second one is
refused: it is `Overtaken`. Each event has a hash over its fields and over the hash of the event before it, so that
damage is noticed wherever it is.
"""

import hashlib
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

from web.journal.codec import Blob, NewEvent
from web.problems import Problem
from web.session.events import blob_hash

HASH_BYTES = 16
INSERT_BLOB = "INSERT INTO blobs (table_id, kind, seq, hash, body) VALUES (?, ?, ?, ?, ?)"
OF_EVENT = "number, kind, body, at, by, request, chain"


class Overtaken(Problem):
    """Another process changed the table first. Catch up and try again."""

    def __init__(self) -> None:
        super().__init__("stale", 409)


class Cursor(Protocol):
    """What the journal needs of a cursor of PEP 249."""

    def execute(self, statement: Any, values: Any = ..., /) -> Any: ...

    def executemany(self, statement: Any, rows: Any, /) -> Any: ...

    def fetchall(self) -> list[Any]: ...

    def fetchone(self) -> Any: ...

    def __iter__(self) -> Any: ...


class Database(Protocol):
    """A connection of PEP 249, in a transaction of the caller's."""

    def cursor(self) -> Any: ...


class Head(NamedTuple):
    """The number of a table's last event, and its hash. Before the first event: `NO_EVENT`."""

    number: int
    chain: str


NO_EVENT = Head(0, "")


class StoredEvent(NamedTuple):
    """An event as the journal has it. `number`: from 1, without gaps; `kind`, `body`: see `codec`.

    `at`: the time, as the store writes it; `by`: the phone or program that asked, "" for the server itself; `request`:
    the phone's own id of its request, "" without one; `chain`: the hash.
    """

    number: int
    kind: str
    body: str
    at: str
    by: str
    request: str
    chain: str


class Events(NamedTuple):
    """Events of one table, in their order, as far as they are whole. `lost`: how many of those after them are there,
    but damaged, or follow a gap."""

    whole: Sequence[StoredEvent]
    lost: int = 0


class Journal:
    """Events and blobs of all tables, in the transaction of the connection that each method is given.

    `mark`: the engine's placeholder in statements; `clash`: the error that it raises if a key is there already.
    """

    def __init__(self, mark: str, clash: type[Exception]) -> None:
        self._mark, self._clash = mark, clash

    def head(self, database: Database, table_id: int) -> Head:
        """The number and hash of a table's last event."""
        query = "SELECT number, chain FROM events WHERE table_id = ? ORDER BY number DESC LIMIT 1"
        found = self.do(database, query, table_id).fetchone()
        return NO_EVENT if found is None else Head(*found)

    def append(self, database: Database, table_id: int, after: Head, happened: Sequence[NewEvent]) -> Head:
        """Appends events that were decided from the state `after` that one. Returns the last one's number and hash.

        Raises `Overtaken` if another process appended first; then the transaction must be rolled back.
        """
        number, chain = after
        rows = []
        for event in happened:
            number += 1
            fields = event.kind, event.body, event.at, event.by, event.request
            chain = chain_of(chain, number, *fields)
            rows.append((table_id, number, *fields, chain))
        cursor = database.cursor()
        try:
            insert = self._statement(f"INSERT INTO events (table_id, {OF_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
            if len(rows) == 1:
                cursor.execute(insert, rows[0])
            else:
                cursor.executemany(insert, rows)
            for event in happened:
                self._change_blobs(cursor, table_id, event)
        except self._clash:
            raise Overtaken from None
        return Head(number, chain)

    def events(self, database: Database, table_id: int, after: int = 0) -> Events:
        """The events of a table after the one of this number, which is known and whole."""
        query = f"SELECT {OF_EVENT} FROM events WHERE table_id = ? AND number >= ? ORDER BY number"
        rows = [StoredEvent(*row) for row in self.do(database, query, table_id, after).fetchall()]
        known, rows = (NO_EVENT, rows) if after == 0 else (Head(after, rows[0].chain) if rows else NO_EVENT, rows[1:])
        count = whole_part(rows, known)
        return Events(rows[:count], len(rows) - count)

    def blob(self, database: Database, table_id: int, kind: str, seq: int) -> bytes | None:
        """A blob of a table; None if it has gone, or is damaged."""
        query = "SELECT hash, body FROM blobs WHERE table_id = ? AND kind = ? AND seq = ?"
        found = self.do(database, query, table_id, kind, seq).fetchone()
        if found is None or blob_hash(found[1]) != found[0]:
            return None
        return bytes(found[1])

    def blobs(self, database: Database, table_id: int, kind: str) -> dict[int, bytes]:
        """The whole blobs of this kind, by their numbers."""
        query = "SELECT seq, hash, body FROM blobs WHERE table_id = ? AND kind = ?"
        rows = self.do(database, query, table_id, kind).fetchall()
        return {seq: bytes(body) for seq, hash_, body in rows if blob_hash(body) == hash_}

    def blob_numbers(self, database: Database, table_id: int) -> list[tuple[str, int]]:
        """Kind and number of each blob."""
        query = "SELECT kind, seq FROM blobs WHERE table_id = ? ORDER BY kind, seq"
        return [(kind, seq) for kind, seq in self.do(database, query, table_id).fetchall()]

    def insert_blob(self, database: Database, table_id: int, blob: Blob) -> None:
        hash_ = blob_hash(blob.body)
        self.do(database, INSERT_BLOB, table_id, blob.kind, blob.seq, hash_, blob.body)

    def hand_on_blob(self, database: Database, old: int, new: int, kind: str, seq: int, hash_: str) -> None:
        """Copies a blob from one table to another, if it is there."""
        copy = "SELECT CAST(? AS INTEGER), kind, seq, hash, body FROM blobs"
        copy = f"INSERT INTO blobs (table_id, kind, seq, hash, body) {copy}"
        where = "WHERE table_id = ? AND kind = ? AND seq = ? AND hash = ?"
        self.do(database, f"{copy} {where}", new, old, kind, seq, hash_)

    def erase(self, database: Database, table_id: int) -> None:
        """Deletes all events and blobs of a table."""
        self.cut(database, table_id, 0)
        self.do(database, "DELETE FROM blobs WHERE table_id = ?", table_id)

    def cut(self, database: Database, table_id: int, number: int) -> None:
        """Deletes the events of a table after the one of this number."""
        self.do(database, "DELETE FROM events WHERE table_id = ? AND number > ?", table_id, number)

    def do(self, database: Database, statement: str, *values: Any) -> Cursor:
        """Executes a statement with `?` in the place of its values."""
        cursor: Cursor = database.cursor()
        cursor.execute(self._statement(statement), values)
        return cursor

    def _change_blobs(self, cursor: Cursor, table_id: int, event: NewEvent) -> None:
        drop = "DELETE FROM blobs WHERE table_id = ? AND kind = ? AND seq BETWEEN ? AND ?"
        for dropped in event.dropped:
            cursor.execute(self._statement(drop), (table_id, *dropped))
        for blob in event.blobs:
            values = (table_id, blob.kind, blob.seq, blob_hash(blob.body), blob.body)
            cursor.execute(self._statement(INSERT_BLOB), values)

    def _statement(self, statement: str) -> str:
        return _with_mark(statement, self._mark)


@cache  # bounded: the statements of this class, with two marks
def _with_mark(statement: str, mark: str) -> str:
    return statement.replace("?", mark)


def chain_of(before: str, number: int, kind: str, body: str, at: str, by: str, request: str) -> str:
    """The hash of an event, given that of the one before it."""
    lengths = f"{len(kind)} {len(body)} {len(at)} {len(by)} {len(request)}"
    text = f"{before} {number} {lengths} {kind}{body}{at}{by}{request}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).hexdigest()


def whole_part(rows: Iterable[Sequence[Any]], after: Head = NO_EVENT) -> int:
    """How many of these events (the fields of `StoredEvent`) follow one another without a gap or damage."""
    number, chain = after
    count = 0
    for row in rows:
        found, kind, body, at, by, request, held = row
        number += 1
        try:
            chain = chain_of(chain, number, kind, body, at, by, request)
        except TypeError:  # a damaged file has any type anywhere
            return count
        if found != number or held != chain:
            return count
        count += 1
    return count
