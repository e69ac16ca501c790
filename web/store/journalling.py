"""The journal in the transactions of the store, which come from SQLAlchemy."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, cast

from sqlalchemy import Connection, select

from web.journal import folding
from web.journal.codec import NO_BLOBS, PICTURE, TRACE, Blob, BlobOf, Blobs, NewEvent, encode
from web.journal.folding import after_loss, fold, understood
from web.journal.journal import Database, Events, Journal, Overtaken
from web.session import events
from web.session.events import Stored, TableStarted
from web.session.proof import hash_in
from web.session.state import State
from web.session.stored_table import Entry, LoadedTable
from web.store import projections, schema
from web.store.stamps import now


@cache  # bounded: two engines
def journal_of(engine: str) -> Journal:
    """The journal on an engine, by the name of its dialect."""
    if engine == "sqlite":
        return Journal("?", sqlite3.IntegrityError)
    from psycopg.errors import UniqueViolation  # of the extra `cluster`

    return Journal("%s", UniqueViolation)


def database_of(connection: Connection) -> Database:
    """The driver's own connection, in the same transaction."""
    return cast(Database, connection.connection.driver_connection)


def append(
    connection: Connection,
    table_id: int,
    happened: Sequence[Stored],
    blobs: Blobs = NO_BLOBS,
    known: int | None = None,
) -> int:
    """Appends events of a table and returns the number of the last one. `blobs`: those that they name.

    `known`: the number of the event before them. Raises `Overtaken` if there is a later one.
    """
    journal, database = _journal(connection)
    head = journal.head(database, table_id)
    if known not in (None, head.number):
        raise Overtaken
    return journal.append(database, table_id, head, [encode_now(each, blobs) for each in happened]).number


def check(connection: Connection, table_id: int, known: int) -> None:
    """Raises `Overtaken` if a table has later events than the one of this number."""
    journal, database = _journal(connection)
    if journal.head(database, table_id).number != known:
        raise Overtaken


def hand_on_pictures(connection: Connection, old: int, new: int, lines: Iterable[Entry]) -> None:
    """Copies the pictures of these lines, which one table took over from another."""
    journal, database = _journal(connection)
    for line in lines:
        if (name := hash_in(line.body)) is not None:
            journal.hand_on_blob(database, old, new, PICTURE, line.seq, name)


class Opened(NamedTuple):
    """A table by its journal. `number`: of its last event; `whole`: no event is damaged."""

    state: State
    number: int
    whole: bool


def load(connection: Connection, table_id: int) -> Opened:
    """A table by its journal. Raises `folding.UnreadableError`."""
    found, blob_of = events_of(connection, table_id)
    return Opened(fold(table_id, found, blob_of), len(found.whole) + found.lost, not found.lost)


def load_log(connection: Connection, table_id: int) -> LoadedTable:
    """The log and settings of a table. Raises `folding.UnreadableError`."""
    return folding.load_log(table_id, *events_of(connection, table_id))


def happened_at(connection: Connection, table_id: int) -> list[Stored]:
    """The whole part of a table's journal, as far as this version knows its events."""
    return understood(table_id, *events_of(connection, table_id))[0]


def mend(connection: Connection, table_id: int, known: int = 0) -> int:
    """Leaves out what follows the whole part of a damaged journal, and notes how much that was, if it went as far as
    the event `known` at least. Returns how many events are lost. Raises `folding.UnreadableError`."""
    journal, database = _journal(connection)
    found, blob_of = events_of(connection, table_id)
    happened, lost = understood(table_id, found, blob_of)
    gone = max(found.lost, known - len(found.whole))
    if gone <= 0:
        return 0
    lost += gone - found.lost
    noted = after_loss(happened, lost)
    journal.cut(database, table_id, len(found.whole))
    append(connection, table_id, noted)
    rebuild(connection, table_id)
    return lost


def rebuild(connection: Connection, *numbers: int) -> int:
    """Writes what lists and statistics are read from anew, of these tables or of all. Returns how many there are."""
    chosen = numbers or connection.scalars(select(schema.tables.c.id)).all()
    for number in chosen:
        projections.rebuild(connection, number, happened_at(connection, number))
    return len(chosen)


def events_of(connection: Connection, table_id: int, after: int = 0) -> tuple[Events, BlobOf]:
    """A table's journal as it is stored, after the event of this number, and its blobs."""
    journal, database = _journal(connection)
    return journal.events(database, table_id, after), lambda kind, seq: journal.blob(database, table_id, kind, seq)


def events_after(connection: Connection, table_id: int, number: int) -> list[Stored] | None:
    """The events of a table after the one of this number; None if one of them is damaged."""
    happened, lost = understood(table_id, *events_of(connection, table_id, number))
    return None if lost else happened


def blob(connection: Connection, table_id: int, kind: str, seq: int) -> bytes | None:
    """See `Journal.blob`."""
    journal, database = _journal(connection)
    return journal.blob(database, table_id, kind, seq)


def blobs(connection: Connection, table_id: int, kind: str) -> dict[int, bytes]:
    """See `Journal.blobs`."""
    journal, database = _journal(connection)
    return journal.blobs(database, table_id, kind)


def insert_blobs(connection: Connection, table_id: int, brought: Iterable[Blob]) -> None:
    """Stores blobs that came otherwise than with an event."""
    journal, database = _journal(connection)
    for each in brought:
        journal.insert_blob(database, table_id, each)


def samples_and_pictures(connection: Connection, table_id: int) -> Iterator[Blob]:
    """The whole blobs of a table that its game and its dice memory need, one in memory at a time."""
    journal, database = _journal(connection)
    for kind, seq in journal.blob_numbers(database, table_id):
        body = None if kind == TRACE else journal.blob(database, table_id, kind, seq)
        if body is not None:
            yield Blob(kind, seq, body)


def drop_photos(connection: Connection) -> None:
    """Removes all photos under review from a copied store: their files lie elsewhere."""
    tables = schema.tables
    for row in connection.execute(select(tables.c.id, tables.c.reading).where(tables.c.reading.is_not(None))).all():
        append(connection, row.id, [events.PhotoRemoved(row.reading)])
        rebuild(connection, row.id)


def undo_deletions(connection: Connection) -> None:
    """Undoes all deletions in a copied store that could still be undone."""
    for number in connection.scalars(select(schema.tables.c.id).where(schema.tables.c.deleted_at.is_not(None))).all():
        append(connection, number, [events.TableRestored()])
        rebuild(connection, number)


def append_encoded(connection: Connection, table_id: int, happened: Sequence[NewEvent]) -> None:
    """Appends events that another journal had."""
    journal, database = _journal(connection)
    journal.append(database, table_id, journal.head(database, table_id), happened)


def _journal(connection: Connection) -> tuple[Journal, Database]:
    return journal_of(connection.dialect.name), database_of(connection)


def encode_now(event: Stored, blobs: Blobs = NO_BLOBS) -> NewEvent:
    """An event that happens now, as the journal keeps it. `blobs`: those that it names."""
    match event:
        case events.Logged():
            own = event.lines[event.own]
            return encode(event, own.at, "", own.request, blobs)
        case TableStarted():
            return encode(event, event.at, blobs=blobs)
    return encode(event, now(), blobs=blobs)
