"""The journal in the transactions of the store, which come from SQLAlchemy.

Tables are loaded from the journal, and what a table has beside its game stands there alone. The store writes the tables
of `schema` in the same transaction: lists and statistics are read from them, and the log, which a damaged journal is
written anew from.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple, cast

from msgspec import structs
from sqlalchemy import Connection, select

from web.journal.codec import NO_BLOBS, PICTURE, SAMPLE, TRACE, Blob, BlobOf, Blobs, NewEvent, encode
from web.journal.folding import UnreadableError, fold, settings_of, understood
from web.journal.journal import NO_EVENT, Database, Journal, Overtaken
from web.session import events
from web.session.access_list import AccessList, ConnectedWebhook
from web.session.events import Stored, TableStarted, blob_hash
from web.session.imported_log import is_imported
from web.session.proof import hash_in
from web.session.replay import PlayerResult
from web.session.state import State
from web.session.stored_table import Entry, LoadedTable, Settings, TableRow
from web.store import checksums, loading, schema
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
    return journal.append(database, table_id, head, [_at_its_time(each, blobs) for each in happened]).number


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
    journal, database = _journal(connection)
    found = journal.events(database, table_id)
    state = fold(table_id, found, _blob_of(journal, database, table_id))
    return Opened(state, len(found.whole) + found.lost, not found.lost)


def events_after(connection: Connection, table_id: int, number: int) -> list[Stored] | None:
    """The events of a table after the one of this number; None if one of them is damaged."""
    journal, database = _journal(connection)
    found = journal.events(database, table_id, number)
    happened, lost = understood(table_id, found, _blob_of(journal, database, table_id))
    return None if lost else happened


def settings(connection: Connection, table_id: int) -> Settings:
    """What a table has beside its game, by the whole part of its journal.

    If another part is damaged, the photo may have left the table there, and a deletion may have been undone.
    """
    journal, database = _journal(connection)
    found = journal.events(database, table_id)
    held = settings_of(table_id, found, _blob_of(journal, database, table_id))
    return held if not found.lost else replace(held, photo=None, access=replace(held.access, deletion=None))


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
    drop_copied_photos(*_journal(connection))


def drop_copied_photos(journal: Journal, database: Database) -> None:
    """See `drop_photos`."""
    cursor = database.cursor()
    cursor.execute("SELECT id, reading FROM tables WHERE reading IS NOT NULL")
    for table_id, reading in cursor.fetchall():
        _append_alone(journal, database, table_id, events.PhotoRemoved(reading))
    cursor.execute("UPDATE tables SET reading = NULL, waiting = FALSE WHERE reading IS NOT NULL")


def undo_deletions(journal: Journal, database: Database) -> None:
    """Undoes all deletions in a copied store that could still be undone."""
    cursor = database.cursor()
    cursor.execute("SELECT table_id FROM deletions WHERE at <> ''")
    for (table_id,) in cursor.fetchall():
        _append_alone(journal, database, table_id, events.TableRestored())
    cursor.execute("DELETE FROM deletions WHERE at <> ''")


def _append_alone(journal: Journal, database: Database, table_id: int, event: Stored) -> None:
    journal.append(database, table_id, journal.head(database, table_id), [_at_its_time(event)])


def derive(connection: Connection, table_id: int, settings: Settings) -> None:
    """Writes a table's journal anew, from its log, these settings and its blobs, which stay."""
    journal, database = _journal(connection)
    found = connection.execute(select(schema.tables).where(schema.tables.c.id == table_id)).one_or_none()
    if found is None:
        return
    loaded, _ = loading.load(connection, loading.table_row(found), lambda *_: settings)
    samples, pictures = {}, []
    for each in samples_and_pictures(connection, table_id):
        if each.kind == SAMPLE:
            samples[each.seq] = blob_hash(each.body)
        else:
            pictures.append(events.PictureKept(each.seq, blob_hash(each.body)))
    happened = _events_of(loaded, samples, _results(connection, loaded.row))
    happened += [*_webhook_events(connection, table_id), *pictures]
    journal.erase_events(database, table_id)
    named = dict.fromkeys(samples.values(), b"") | dict.fromkeys((each.hash for each in pictures), b"")
    encoded = [_at_its_time(each, named) for each in happened]
    lean = [each._replace(blobs=[blob for blob in each.blobs if blob.kind == TRACE]) for each in encoded]
    journal.append(database, table_id, NO_EVENT, lean)


def mend(connection: Connection, table_id: int) -> None:
    """Writes a damaged journal anew, unless it has more of the game than the log."""
    try:
        found = load(connection, table_id)
        if found.whole or found.state.version > _log_lines(connection, table_id):
            return
    except UnreadableError:
        pass
    derive(connection, table_id, settings(connection, table_id))


def _log_lines(connection: Connection, table_id: int) -> int:
    query = select(schema.tables).where(schema.tables.c.id == table_id)
    return loading.log_of(connection, connection.execute(query).one()._mapping)[1].lines


def _blob_of(journal: Journal, database: Database, table_id: int) -> BlobOf:
    return lambda kind, seq: journal.blob(database, table_id, kind, seq)


def _journal(connection: Connection) -> tuple[Journal, Database]:
    return journal_of(connection.dialect.name), database_of(connection)


def _at_its_time(event: Stored, blobs: Blobs = NO_BLOBS) -> NewEvent:
    match event:
        case events.Logged():
            own = event.lines[event.own]
            return encode(event, own.at, "", own.request, blobs)
        case TableStarted():
            return encode(event, event.at, blobs=blobs)
    return encode(event, now(), blobs=blobs)


def _results(connection: Connection, row: TableRow) -> list[PlayerResult] | None:
    if row.finished_at is None:
        return None
    query = select(schema.results).where(schema.results.c.table_id == row.id).order_by(schema.results.c.player)
    rows = [each for each in connection.execute(query).mappings() if checksums.holds("results", each)]
    return [PlayerResult(each["player"], each["name"], each["score"], each["place"]) for each in rows]


def _events_of(loaded: LoadedTable, samples: dict[int, str], results: list[PlayerResult] | None) -> list[Stored]:
    """The events that lead to what a store has of a table. `samples`: the hashes of its training samples."""
    row, settings = loaded.row, loaded.settings
    of_start = [entry for entry in loaded.entries if is_imported(entry)]
    lines = loaded.entries[len(of_start) :]
    started = TableStarted(
        key=row.key,
        code=row.code,
        at=row.created_at if lines else row.active_at,
        created_at=row.created_at,
        game=row.game,
        options=row.options,
        players=row.players,
        keep_corrections=row.keep_corrections,
        chosen=settings.chosen,
        owner=settings.access.owner,
        samples=samples,
        lines=of_start,
    )
    logged = [events.Logged([line]) for line in lines]
    if logged:
        logged[-1] = structs.replace(logged[-1], results=results, digest=row.digest)
    else:
        started = structs.replace(started, results=results, digest=row.digest)
    return [started, *logged, *_settings_events(loaded)]


def _settings_events(loaded: LoadedTable) -> Iterator[Stored]:
    """What happened beside the game, by what a store has of it."""
    row, photo, access = loaded.row, loaded.settings.photo, loaded.settings.access
    if loaded.lost is not None:
        yield events.LinesLost(loaded.lost)
    if photo is not None:
        yield events.PhotoUnderReview(photo)
    yield from _access_events(access)
    if row.next_key is not None:
        yield events.NextTableSet(row.next_key)


def _webhook_events(connection: Connection, table_id: int) -> Iterator[Stored]:
    """The addresses where programs are told what happens, as far as each was told."""
    hooks = schema.webhooks.c
    query = select(schema.webhooks).where(hooks.table_id == table_id).order_by(hooks.at, hooks.id)
    for row in connection.execute(query).mappings().all():
        if not checksums.holds("webhooks", row):
            continue
        connected = ConnectedWebhook(**{name: row[name] for name in ("name", "address", "secret", "maker", "at")})
        yield events.WebhookConnected(row["id"], connected, row["number"], row["origin"], row["receiver"])
        if row["given_up"]:
            yield events.WebhookGivenUp(row["id"], row["failure"])


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
