"""The journal in the transactions of the store, which come from SQLAlchemy, and the journal of what older stores have.

Beside the journal, the store still writes the tables of `schema`. Lists and statistics are read from them.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from functools import cache
from typing import cast

from msgspec import structs
from sqlalchemy import Connection, select

from web.journal.codec import SAMPLE, Blob, NewEvent, encode
from web.journal.folding import fold
from web.journal.journal import NO_EVENT, Database, Journal
from web.session import events
from web.session.access_list import AccessList
from web.session.events import Stored
from web.session.imported_log import is_imported
from web.session.replay import PlayerResult
from web.session.state import State
from web.session.stored_table import Entry, LoadedTable, TableRow
from web.store import checksums, loading, schema
from web.store.stamps import now


@cache
def journal_of(engine: str) -> Journal:
    """The journal on an engine, by the name of its dialect."""
    if engine == "sqlite":
        return Journal("?", sqlite3.IntegrityError)
    from psycopg.errors import UniqueViolation  # of the extra `cluster`

    return Journal("%s", UniqueViolation)


def database_of(connection: Connection) -> Database:
    """The driver's own connection, in the same transaction."""
    return cast(Database, connection.connection.driver_connection)


def append(connection: Connection, table_id: int, happened: Sequence[Stored]) -> None:
    """Appends events of a table. Raises `Overtaken`."""
    journal, database = _journal(connection)
    journal.append(database, table_id, journal.head(database, table_id), [_at_its_time(each) for each in happened])


def load(connection: Connection, table_id: int) -> State:
    """The state of a table by its journal. Raises `folding.UnreadableError`."""
    journal, database = _journal(connection)
    found = journal.events(database, table_id)
    return fold(table_id, found, lambda kind, seq: journal.blob(database, table_id, kind, seq))


def derive_all(connection: Connection) -> None:
    """Writes the journals of all tables anew, from what a store of before the journal has."""
    query = select(schema.tables.c.id).order_by(schema.tables.c.id)
    for table_id in connection.scalars(query).all():
        derive(connection, table_id)


def derive(connection: Connection, table_id: int, begins: bool = False) -> None:
    """Writes a table's journal anew, from its rows in the other tables. What these have damaged counts as lost.

    `begins`: the table begins with all these rows; otherwise only lines that came with a record are of its start.
    """
    journal, database = _journal(connection)
    found = connection.execute(select(schema.tables).where(schema.tables.c.id == table_id)).one()
    loaded, _ = loading.load(connection, loading.table_row(found), loading.settings)
    journal.erase(database, table_id)
    samples = _samples(connection, table_id)
    of_start = [entry for entry in loaded.entries if begins or is_imported(entry)]
    lines = loaded.entries[len(of_start) :]
    results, digest = _results(connection, loaded.row), loaded.row.digest
    started = _start_of(loaded, {blob.seq for blob in samples}, of_start)
    logged = [events.Logged([line]) for line in lines]
    if logged:
        logged[-1] = structs.replace(logged[-1], results=results, digest=digest)
    else:
        started = structs.replace(started, results=results, digest=digest)
    first = encode(started, started.at if lines else loaded.row.active_at)._replace(blobs=samples)
    others = [*logged, *_settings_events(loaded)]
    head = journal.append(database, table_id, NO_EVENT, [first, *map(_at_its_time, others)])
    for picture in loading.pictures(connection, table_id):  # one in memory at a time
        kept = events.PictureKept(picture["seq"], picture["hash"], picture["body"])
        head = journal.append(database, table_id, head, [_at_its_time(kept)])


def _journal(connection: Connection) -> tuple[Journal, Database]:
    return journal_of(connection.dialect.name), database_of(connection)


def _at_its_time(event: Stored) -> NewEvent:
    if isinstance(event, events.Logged):
        own = event.lines[event.own]
        return encode(event, own.at, "", own.request)
    return encode(event, now())


def _samples(connection: Connection, table_id: int) -> list[Blob]:
    rows = connection.execute(select(schema.lessons).where(schema.lessons.c.table_id == table_id)).mappings()
    return [Blob(SAMPLE, row["seq"], row["body"]) for row in rows if checksums.holds("lessons", row)]


def _results(connection: Connection, row: TableRow) -> list[PlayerResult] | None:
    if row.finished_at is None:
        return None
    query = select(schema.results).where(schema.results.c.table_id == row.id).order_by(schema.results.c.player)
    rows = [each for each in connection.execute(query).mappings() if checksums.holds("results", each)]
    return [PlayerResult(each["player"], each["name"], each["score"], each["place"]) for each in rows]


def _start_of(loaded: LoadedTable, samples: set[int], entries: Sequence[Entry]) -> events.TableStarted:
    """The start of a table that has these training samples and lines."""
    row, settings = loaded.row, loaded.settings
    return events.TableStarted(
        row.key,
        row.code,
        row.game,
        row.options,
        row.players,
        row.keep_corrections,
        row.created_at,
        settings.access.owner,
        settings.advice,
        settings.dice_set,
        settings.keeps_pictures,
        samples,
        entries,
    )


def _settings_events(loaded: LoadedTable) -> Iterator[Stored]:
    """What happened beside the game, by what a store has of it."""
    row, photo, access = loaded.row, loaded.settings.photo, loaded.settings.access
    if loaded.lost is not None:
        yield events.LinesLost(loaded.lost)
    if photo is not None:
        yield events.PhotoUnderReview(photo, None)
    yield from _access_events(access)
    if row.next_key is not None:
        yield events.NextTableSet(row.next_key)


def _access_events(access: AccessList) -> Iterator[Stored]:
    for device, phone in access.phones.items():
        yield events.PhoneJoined(device, phone)
    if access.guarded:
        yield events.AccessChanged({}, True, None)
    if access.closed:
        yield events.TableClosed(True)
    for hash_, program in access.programs.items():
        yield events.ProgramConnected(hash_, program)
    if access.deletion is not None:
        yield events.TableDeleted(access.deletion)
