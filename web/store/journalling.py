"""The journal in the transactions of the store, which come from SQLAlchemy, and the journal of what older stores have.

Tables are loaded from the journal. Beside it, the store still writes the tables of `schema`: lists and statistics are
read from them, and a damaged journal is written anew from them.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple, cast

from msgspec import structs
from sqlalchemy import Connection, select

from web.journal.codec import NO_BLOBS, PICTURE, BlobOf, Blobs, NewEvent, encode
from web.journal.folding import fold, understood
from web.journal.journal import NO_EVENT, Database, Journal, Overtaken
from web.session import events
from web.session.access_list import AccessList, ConnectedWebhook
from web.session.events import Stored, TableStarted, blob_hash
from web.session.imported_log import is_imported
from web.session.proof import hash_in
from web.session.replay import PlayerResult
from web.session.state import State
from web.session.stored_table import Entry, LoadedTable, TableRow
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


def derive_all(connection: Connection) -> None:
    """Writes the journals of all tables anew, from what a store of before the journal has."""
    query = select(schema.tables.c.id).order_by(schema.tables.c.id)
    for table_id in connection.scalars(query).all():
        derive(connection, table_id)


def derive(connection: Connection, table_id: int) -> None:
    """Writes a table's journal anew, from its rows in the other tables. What these have damaged counts as lost."""
    journal, database = _journal(connection)
    found = connection.execute(select(schema.tables).where(schema.tables.c.id == table_id)).one_or_none()
    if found is None:
        return
    loaded, _ = loading.load(connection, loading.table_row(found), loading.settings)
    samples = _samples(connection, table_id)
    names = {seq: blob_hash(body) for seq, body in samples.items()}
    happened = _events_of(loaded, names, _results(connection, loaded.row))
    happened += _webhook_events(connection, table_id, loaded.settings.webhooks)
    blobs = {names[seq]: body for seq, body in samples.items()}
    journal.erase(database, table_id)
    head = journal.append(database, table_id, NO_EVENT, [_at_its_time(each, blobs) for each in happened])
    for picture in loading.pictures(connection, table_id):  # one in memory at a time
        kept = events.PictureKept(picture["seq"], picture["hash"])
        head = journal.append(database, table_id, head, [_at_its_time(kept, {kept.hash: picture["body"]})])


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


def _samples(connection: Connection, table_id: int) -> dict[int, bytes]:
    rows = connection.execute(select(schema.lessons).where(schema.lessons.c.table_id == table_id)).mappings()
    return {row["seq"]: row["body"] for row in rows if checksums.holds("lessons", row)}


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


def _webhook_events(
    connection: Connection, table_id: int, webhooks: Mapping[str, ConnectedWebhook]
) -> Iterator[Stored]:
    """The addresses where programs are told what happens, as far as each was told."""
    rows = connection.execute(select(schema.deliveries).where(schema.deliveries.c.table_id == table_id)).mappings()
    told = {row["webhook"]: row for row in rows}
    for name, webhook in webhooks.items():
        if (row := told.get(name)) is None:
            continue
        connected = replace(webhook, given_up=False)
        yield events.WebhookConnected(name, connected, row["number"], row["origin"], row["receiver"])
        if webhook.given_up:
            yield events.WebhookGivenUp(name, row["failure"])


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
