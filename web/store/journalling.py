"""The journals in the transactions of the store, which come from SQLAlchemy."""

import sqlite3
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from sqlalchemy import Connection, select

from web.journal import folding
from web.journal.codec import NO_BLOBS, PICTURE, BlobOf, Blobs, NewEvent, encode
from web.journal.folding import after_loss, fold, understood
from web.journal.journal import NO_EVENT, Events, Head, Journal
from web.store import projections, schema
from web.store.stamps import now
from web.table import events
from web.table.events import Stored, TableStarted
from web.table.proof import hash_in
from web.table.state import State
from web.table.stored_table import Entry, LoadedTable


def journal_of(connection: Connection) -> Journal:
    """The journal in the transaction of a connection."""
    return Journal(connection.connection.driver_connection, *_ways_of(connection.dialect.name))  # type: ignore[arg-type]


@cache  # bounded: two engines
def _ways_of(engine: str) -> tuple[str, type[Exception]]:
    if engine == "sqlite":
        return "?", sqlite3.IntegrityError
    from psycopg import IntegrityError  # of the extra `cluster`

    return "%s", IntegrityError


def append_now(connection: Connection, table_id: int, *happened: Stored) -> Head:
    """Appends what happens now at a table after its last event."""
    return journal_of(connection).append_later(table_id, [encode_now(each) for each in happened])


def hand_on_pictures(journal: Journal, old: int, new: int, lines: Iterable[Entry]) -> None:
    """Copies the pictures of these lines, which one table took over from another."""
    for line in lines:
        if (name := hash_in(line.body)) is not None:
            journal.hand_on_blob(old, new, PICTURE, line.seq, name)


class Opened(NamedTuple):
    """A table by its journal. `head`: its last event; `whole`: no event is damaged."""

    state: State
    head: Head
    whole: bool


def load(connection: Connection, table_id: int) -> Opened:
    """A table by its journal. Raises `folding.UnreadableError`."""
    found, blob_of = events_of(connection, table_id)
    return Opened(fold(table_id, found, blob_of), head_of(found), not found.lost)


def load_log(connection: Connection, table_id: int) -> LoadedTable:
    """The log and settings of a table. Raises `folding.UnreadableError`."""
    return folding.load_log(table_id, *events_of(connection, table_id))


def happened_at(connection: Connection, table_id: int) -> list[Stored]:
    """The whole part of a table's journal, as far as this version knows its events."""
    return understood(table_id, *events_of(connection, table_id))[0]


def mend(connection: Connection, table_id: int, known: int = 0) -> int:
    """Leaves out what follows the whole part of a damaged journal, and notes how much that was, if it went as far as
    the event `known` at least. Returns how many events are lost. Raises `folding.UnreadableError`."""
    found, blob_of = events_of(connection, table_id)
    happened, lost = understood(table_id, found, blob_of)
    gone = max(found.lost, known - len(found.whole))
    if gone <= 0:
        return 0
    lost += gone - found.lost
    noted = after_loss(happened, lost)
    journal_of(connection).cut(table_id, len(found.whole))
    append_now(connection, table_id, *noted)
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
    journal = journal_of(connection)
    return journal.events(table_id, after), lambda kind, seq: journal.blob(table_id, kind, seq)


def head_of(found: Events, before: Head = NO_EVENT) -> Head:
    """The last one of these events, which are whole; `before`: the event before them."""
    return Head(found.whole[-1].number, found.whole[-1].chain) if found.whole else before


def events_after(connection: Connection, table_id: int, known: Head) -> tuple[list[Stored], Head] | None:
    """The events of a table after this one, and the last of them; None if one of them is damaged."""
    found, blob_of = events_of(connection, table_id, known.number)
    happened, lost = understood(table_id, found, blob_of)
    return None if lost else (happened, head_of(found, known))


def drop_photos(connection: Connection) -> None:
    """Removes all photos under review from a copied store: their files lie elsewhere."""
    tables = schema.tables
    for row in connection.execute(select(tables.c.id, tables.c.reading).where(tables.c.reading.is_not(None))).all():
        append_now(connection, row.id, events.PhotoRemoved(row.reading))
        rebuild(connection, row.id)


def undo_deletions(connection: Connection) -> None:
    """Undoes all deletions in a copied store that could still be undone."""
    for number in connection.scalars(select(schema.tables.c.id).where(schema.tables.c.deleted_at.is_not(None))).all():
        append_now(connection, number, events.TableRestored())
        rebuild(connection, number)


def encode_now(event: Stored, blobs: Blobs = NO_BLOBS) -> NewEvent:
    """An event that happens now, as the journal keeps it. `blobs`: those that it names."""
    match event:
        case events.Logged():
            own = event.lines[event.own]
            return encode(event, own.at, "", own.request, blobs)
        case TableStarted():
            return encode(event, event.at, blobs=blobs)
    return encode(event, now(), blobs=blobs)
