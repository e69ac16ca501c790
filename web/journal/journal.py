"""The journal of all tables: the same statements for SQLite and PostgreSQL, through Python's database interface.

The key of an event is its table and its number. Of two processes that append to the same state, the second one is
refused: it is `Overtaken`. Each event has a hash over its fields and over the hash of the event before it, so that
damage is noticed wherever it is.

What is large lies beside the events, as blobs, which they name by their hashes. A blob may go while its event stays: a
sample that was dropped, or the trace of a photo that has left the table. Whoever forgets the dice must find nothing of
them.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias

from msgspec import json, structs

from web.problems.problem import Problem
from web.table import events
from web.table.events import Stored, blob_hash
from web.table.photo_state import Read
from web.table.proof import hash_in

HASH_BYTES = 16
OF_EVENT = "number, kind, body, at, by, request, chain"
INSERT_EVENT = f"INSERT INTO events (table_id, {OF_EVENT}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
DROP_BLOBS = "DELETE FROM blobs WHERE table_id = ? AND kind = ? AND seq BETWEEN ? AND ?"
INSERT_BLOB = "INSERT INTO blobs (table_id, kind, seq, hash, body) VALUES (?, ?, ?, ?, ?)"
PICTURE, SAMPLE, TRACE = "picture", "sample", "trace"  # kinds of blobs
LARGEST = 2**31 - 1  # number of a blob

Blobs: TypeAlias = Mapping[str, bytes]  # by the hashes in events
NO_BLOBS: Blobs = MappingProxyType({})
BlobOf: TypeAlias = Callable[[str, int], bytes | None]  # by kind and number; None if it has gone


class Overtaken(Problem):
    """Another process changed the table first. Catch up and try again."""

    def __init__(self) -> None:
        super().__init__("stale", 409)


class Database(Protocol):
    """A connection of PEP 249 that makes its own cursors, in a transaction of the caller's."""

    def execute(self, statement: Any, values: Any = ..., /) -> Any: ...

    def cursor(self) -> Any: ...


class Head(NamedTuple):
    """The number of a table's last event, and its hash. Before the first event: `NO_EVENT`."""

    number: int
    chain: str


NO_EVENT = Head(0, "")


class Blob(NamedTuple):
    """A blob of a table. `kind`: PICTURE, SAMPLE or TRACE; `seq`: its line of the log, 0 for none."""

    kind: str
    seq: int
    body: bytes


class DroppedBlobs(NamedTuple):
    """Blobs of this kind that are no longer needed: those with a number from `first` to `last`."""

    kind: str
    first: int = -LARGEST
    last: int = LARGEST


class NewEvent(NamedTuple):
    """An event to be appended. `dropped` go before `blobs` come; the rest as in `StoredEvent`."""

    kind: str
    body: str
    at: str
    by: str
    request: str
    blobs: Sequence[Blob] = ()
    dropped: Sequence[DroppedBlobs] = ()


class StoredEvent(NamedTuple):
    """An event as the journal has it. `number`: from 1, without gaps; `kind`, `body`: as `web.table.events` writes it.

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


@dataclass(frozen=True)
class Journal:
    """Events and blobs of all tables, in the present transaction of a connection.

    `mark`: the engine's placeholder in statements; `clash`: the error that it raises if a key is there already, or the
    table is gone.
    """

    database: Database
    mark: str = "?"
    clash: type[Exception] = sqlite3.IntegrityError

    def do(self, statement: str, *values: Any) -> Any:
        """Executes a statement, whose placeholders are question marks, and returns its cursor."""
        return self.database.execute(statement.replace("?", self.mark), values)

    def head(self, table_id: int) -> Head:
        query = "SELECT number, chain FROM events WHERE table_id = ? ORDER BY number DESC LIMIT 1"
        found = self.do(query, table_id).fetchone()
        return NO_EVENT if found is None else Head(*found)

    def append(self, table_id: int, after: Head, happened: Sequence[NewEvent]) -> Head:
        """Appends events that were decided from the state `after` that one. Returns the last one's number and hash.

        Raises `Overtaken` if another process appended first, or erased the table; then the transaction must be rolled
        back.
        """
        number, chain = after
        rows = []
        for event in happened:
            number += 1
            fields = event[:5]  # all but its blobs
            chain = chain_of(chain, number, *fields)
            rows.append((table_id, number, *fields, chain))
        try:
            if len(rows) == 1:
                self.do(INSERT_EVENT, *rows[0])
            else:
                self.database.cursor().executemany(INSERT_EVENT.replace("?", self.mark), rows)
            for event in happened:
                for dropped in event.dropped:
                    self.do(DROP_BLOBS, table_id, *dropped)
                for blob in event.blobs:
                    self.insert_blob(table_id, blob)
        except self.clash:
            raise Overtaken from None
        return Head(number, chain)

    def append_later(self, table_id: int, happened: Sequence[NewEvent]) -> Head:
        return self.append(table_id, self.head(table_id), happened)

    def events(self, table_id: int, after: int = 0) -> Events:
        """The events of a table after the one of this number, which is known and whole."""
        query = f"SELECT {OF_EVENT} FROM events WHERE table_id = ? AND number >= ? ORDER BY number"
        rows = [StoredEvent(*row) for row in self.do(query, table_id, after).fetchall()]
        known, rows = (NO_EVENT, rows) if after == 0 else (Head(after, rows[0].chain) if rows else NO_EVENT, rows[1:])
        count = whole_part(rows, known)
        return Events(rows[:count], len(rows) - count)

    def blob(self, table_id: int, kind: str, seq: int) -> bytes | None:
        """A blob of a table; None if it has gone, or is damaged."""
        query = "SELECT hash, body FROM blobs WHERE table_id = ? AND kind = ? AND seq = ?"
        found = self.do(query, table_id, kind, seq).fetchone()
        return None if found is None or blob_hash(found[1]) != found[0] else bytes(found[1])

    def blobs(self, table_id: int, kind: str) -> dict[int, bytes]:
        """The whole blobs of this kind, by their numbers."""
        rows = self.do("SELECT seq, hash, body FROM blobs WHERE table_id = ? AND kind = ?", table_id, kind).fetchall()
        return {seq: bytes(body) for seq, hash_, body in rows if blob_hash(body) == hash_}

    def samples_and_pictures(self, table_id: int) -> Iterator[Blob]:
        """The whole blobs of a table that its game and its dice memory need, one in memory at a time."""
        query = "SELECT kind, seq FROM blobs WHERE table_id = ? AND kind <> ? ORDER BY kind, seq"
        for kind, seq in self.do(query, table_id, TRACE).fetchall():
            if (body := self.blob(table_id, kind, seq)) is not None:
                yield Blob(kind, seq, body)

    def insert_blob(self, table_id: int, blob: Blob) -> None:
        self.do(INSERT_BLOB, table_id, blob.kind, blob.seq, blob_hash(blob.body), blob.body)

    def hand_on_blob(self, old: int, new: int, kind: str, seq: int, hash_: str) -> None:
        """Copies a blob from one table to another, if it is there."""
        copy = "INSERT INTO blobs (table_id, kind, seq, hash, body) SELECT CAST(? AS INTEGER), kind, seq, hash, body"
        where = "WHERE table_id = ? AND kind = ? AND seq = ? AND hash = ?"
        self.do(f"{copy} FROM blobs {where}", new, old, kind, seq, hash_)

    def cut(self, table_id: int, number: int) -> None:
        self.do("DELETE FROM events WHERE table_id = ? AND number > ?", table_id, number)


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


def encode(event: Stored, at: str, blobs: Blobs = NO_BLOBS) -> NewEvent:
    """An event as the journal keeps it. `at`: when it happens, if it does not say so itself; `blobs`: those it names.

    Raises UnicodeEncodeError and OverflowError for what JSON cannot say.
    """
    request = ""
    added: list[Blob] = []
    dropped: list[DroppedBlobs] = []
    match event:
        case events.Logged():
            own = event.lines[event.own]
            at, request = own.at, own.request
            named = [(line.seq, hash_in(line.body) or "") for line in event.lines]
            added = [Blob(PICTURE, seq, blobs[name]) for seq, name in named if name in blobs]
        case events.TableStarted():
            at = event.at
            added = [Blob(SAMPLE, seq, blobs[name]) for seq, name in event.samples.items()]
        case events.SampleAdded():
            added = [Blob(SAMPLE, event.seq, blobs[event.hash])]
            dropped = [DroppedBlobs(SAMPLE, seq, seq) for seq in event.dropped]
        case events.SamplesDropped():
            dropped = [DroppedBlobs(SAMPLE, seq, seq) for seq in event.seqs]
        case events.DiceForgotten():
            dropped = [DroppedBlobs(SAMPLE)]
        case events.PhotoUnderReview() | events.PhotoRead():
            dropped = [DroppedBlobs(TRACE, 0, 0)]
            if isinstance(event.photo, Read) and event.photo.result.trace is not None:
                trace = event.photo.result.trace.encode()
                added = [Blob(TRACE, 0, trace)]
                event = type(event)(_with_trace(event.photo, blob_hash(trace)))  # the hash in its place
        case events.PhotoRemoved():
            dropped = [DroppedBlobs(TRACE, 0, 0)]
    return NewEvent(str(event.__struct_config__.tag), json.encode(event).decode(), at, "", request, added, dropped)


def decode(body: str, blob_of: BlobOf) -> Stored:
    """The event with this body. Raises ValueError for one that no Rollcall of this version wrote."""
    event = events.from_body(body.encode("utf-8", "surrogatepass"))
    if not isinstance(event, events.PhotoUnderReview | events.PhotoRead) or not isinstance(event.photo, Read):
        return event
    name = event.photo.result.trace
    trace = None if name is None else blob_of(TRACE, 0)
    held = None if trace is None or blob_hash(trace) != name else trace.decode()
    return type(event)(_with_trace(event.photo, held))


def _with_trace(photo: Read, trace: str | None) -> Read:
    return structs.replace(photo, result=structs.replace(photo.result, trace=trace))
