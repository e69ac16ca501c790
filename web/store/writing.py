"""Writes events of a table on either engine, in the caller's transaction.

Each important row gets a checksum, and each change of a table's own row a new one.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, select, update

from web.journal.codec import Blob, Blobs
from web.problems import Problem
from web.session import events
from web.session.access_list import PROGRAM
from web.session.photo_state import UnderReview, Waiting
from web.session.replay import Json, PlayerResult
from web.session.stored_table import Entry, Settings, TableRow
from web.store import checksums, codes, journalling, loading, player_rows, schema, webhook_rows

NEXT_NO = "next_no"
# The events that change a table's own row, or that others of these must not overtake.
LOCKING = (
    *(events.AccessChanged, events.TableDeleted, events.TableRestored, events.NextTableSet),
    *(events.PhotoUnderReview, events.PhotoRemoved, events.DiceNamed),
)
NO_PHOTO: Json = {"reading": None, "waiting": False}
# The next `active_no` of a file, which has one writer.
NEXT_OF_FILE = select(func.coalesce(func.max(schema.tables.c.active_no), 0) + 1).correlate(None).scalar_subquery()
# All that has rows of a game table. `stale_games` after `results`: triggers fill it.
OF_A_TABLE = (
    *(schema.members, schema.webhooks, schema.results, schema.player_games, schema.early_games, schema.stale_games),
    *(schema.visits, schema.setups, schema.log, schema.deletions, schema.events, schema.blobs),
)
# What is brought of a table from another store, besides its own row, its log and what its journal says beside the game.
BROUGHT = (schema.results, schema.visits)


@dataclass(frozen=True)
class BroughtTable:
    """A table of another store: its row, its log, its settings, and its rows of BROUGHT without number and checksum.
    `blobs`: its samples and pictures, one after the other, since they may be large."""

    row: Json
    lines: Sequence[Entry]
    rows: Mapping[Table, Sequence[Json]]
    settings: Settings
    blobs: Iterable[Blob] = ()


def create(
    connection: Connection,
    started: events.TableStarted,
    blobs: Blobs,
    before: TableRow | None,
    next_no: ColumnElement[int],
    known: int | None = None,
    number: int | None = None,
) -> TableRow:
    """Stores a table that begins. Returns its row. `before`: the table that it follows, `known`: the number of its last
    event, if others may have appended since. `next_no`: the next `active_no`. `number`: the id of the table, None: the
    next one. Raises `Overtaken`, and `Problem("stale")` if that one has gone on already."""
    held_before = None if before is None else lock_row(connection, before)
    if held_before is not None and known is not None:
        journalling.check(connection, held_before["id"], known)
    if held_before is not None and _goes_on(connection, held_before):
        raise Problem("stale", 409)
    values = {
        "game": started.game,
        "options": json.dumps(started.options),
        "players": json.dumps(list(started.players), ensure_ascii=False),
        "keep_corrections": started.keep_corrections,
        "created_at": started.created_at,
        "key": started.key,
        "code": started.code,
        "active_at": started.at,
        "finished_at": started.at if started.results is not None else None,
        "digest": started.digest,
        "owner": started.owner,
        "dice_set": started.chosen.dice_set,
    }
    if connection.dialect.name == "sqlite":  # which would give the number of a deleted table again
        values["id"] = _next_id() if number is None else number
    connection.execute(insert(schema.tables).values(**values, active_no=next_no))
    of_key = select(schema.tables).where(schema.tables.c.key == started.key)
    held = dict(connection.execute(of_key).mappings().one())
    number = held["id"]
    connection.execute(insert(schema.setups).values(schema.setup_row(held)))
    rows = _log_rows(number, checksums.setup_sum(number, held), started.lines)
    if rows:
        connection.execute(insert(schema.log), rows)
    head = rows[-1]["sum"] if rows else checksums.setup_sum(number, held)
    _seal(connection, held, {"lines": len(rows), "head": head})
    if held_before is not None:
        _seal(connection, held_before, {"next_key": started.key})
    if started.results is not None:
        _write_results(connection, number, started.results)
        player_rows.derive(connection, [number])
    journalling.append(connection, number, [started], blobs)
    if held_before is not None:
        journalling.append(connection, held_before["id"], [events.NextTableSet(started.key)])
        journalling.hand_on_pictures(connection, held_before["id"], number, started.lines)
    return loading.table_row(connection.execute(of_key).one())


def _goes_on(connection: Connection, held: Json) -> bool:
    """Whether a table has a next one that is still there."""
    of_key = select(schema.tables.c.id).where(schema.tables.c.key == held["next_key"])
    return connection.execute(of_key).first() is not None


def bring(connection: Connection, brought: BroughtTable, next_no: ColumnElement[int]) -> int:
    """Stores a table of another SQLite store under a number of this one, and returns that."""
    kept = {name: brought.row[name] for name in (*checksums.SETUP, *checksums.CHANGING) if name != "active_no"}
    same_code = select(schema.tables.c.id).where(schema.tables.c.code == kept["code"])
    if connection.execute(same_code).first() is not None:
        kept["code"] = codes.free_code(connection)
    connection.execute(insert(schema.tables).values(**kept, id=_next_id(), active_no=next_no))
    of_key = select(schema.tables).where(schema.tables.c.key == kept["key"])
    held = dict(connection.execute(of_key).mappings().one())
    setup = schema.setup_row(held)
    connection.execute(insert(schema.setups).values(setup))
    lines = _log_rows(held["id"], setup["sum"], brought.lines)
    if lines:
        connection.execute(insert(schema.log), lines)
    _seal(connection, held, {"lines": len(lines), "head": lines[-1]["sum"] if lines else setup["sum"]})
    for table, rows in brought.rows.items():
        numbered = [{"table_id": held["id"], **row} for row in rows]
        if table.name in checksums.ROWS:
            _insert(connection, table, numbered)
        elif numbered:
            connection.execute(insert(table), numbered)
    journalling.insert_blobs(connection, held["id"], brought.blobs)
    if held["finished_at"] is not None:
        player_rows.derive(connection, [held["id"]])
    journalling.derive(connection, held["id"], brought.settings)
    project(connection, held["id"], brought.settings)
    return int(held["id"])


def may_be_left_out(batch: Sequence[events.Stored]) -> bool:
    """Whether these events may fail rather than keep a page waiting for another program."""
    return all(isinstance(event, (events.PhoneJoined, events.SamplesDropped)) for event in batch)


def lock_if_changed(
    connection: Connection, row: TableRow, batch: Sequence[events.Stored], next_no: ColumnElement[int]
) -> Json | None:
    """Locks and returns a table's row if these events change it. Raises `Problem` if it is damaged."""
    if any(isinstance(event, events.Logged) for event in batch):
        return lock_row(connection, row, next_no.label(NEXT_NO))
    return lock_row(connection, row) if any(isinstance(event, LOCKING) for event in batch) else None


def append(connection: Connection, row: TableRow, held: Json | None, batch: Sequence[events.Stored]) -> None:
    """Writes events of a table in their order. `held`: the result of `lock_if_changed`. Raises `Problem("stale")` if a
    line is not the log's next one, and IntegrityError."""
    before = dict(held or {})
    next_no, changes = before.pop(NEXT_NO, None), Json()
    ends = False  # whether the game's end came or went
    for event in batch:
        match event:
            case events.Logged():
                now = {**before, **changes}
                ends = ends or event.results is not None or now["finished_at"] is not None
                changes |= {**_write_lines(connection, now, event, ends), "active_no": next_no}
            case events.PhotoUnderReview():
                changes |= _of_photo(event.photo)
            case events.PhotoRemoved():
                changes |= NO_PHOTO
            case events.DiceNamed():
                changes |= {"dice_set": event.name}
            case events.PhoneJoined():
                _set_members(connection, row.id, {event.device: event.phone.out})
                if event.forgotten is not None:
                    _drop(connection, schema.members, row.id, schema.members.c.member == event.forgotten)
            case events.AccessChanged():
                _set_members(connection, row.id, {device: phone.out for device, phone in event.phones.items()})
                changes |= {"guarded": event.guarded} | ({} if event.code is None else {"code": event.code})
            case events.ProgramConnected():
                _set_members(connection, row.id, {PROGRAM + event.hash: False})
            case events.ProgramRemoved():
                _drop(connection, schema.members, row.id, schema.members.c.member == PROGRAM + event.hash)
            case events.WebhookConnected():
                webhook_rows.add(connection, row.id, event)
            case events.WebhookDisconnected():
                webhook_rows.remove(connection, row.id, event.id)
            case events.WebhookGivenUp():
                webhook_rows.give_up(connection, row.id, event.id, event.failure)
            case events.WebhookRetried():
                webhook_rows.retry(connection, row.id, event.id)
            case events.TableDeleted():
                _drop(connection, schema.deletions, row.id)
                mark = {"table_id": row.id, "mark": codes.mark_of(row.key)}
                _insert(connection, schema.deletions, [{**mark, **asdict(event.deletion)}])
            case events.TableRestored():
                _drop(connection, schema.deletions, row.id)
            case events.NextTableSet():
                changes |= {"next_key": event.key}
    if changes:
        _seal(connection, before, changes)
    if ends:
        player_rows.derive(connection, [row.id])


def lock_row(connection: Connection, row: TableRow, *more: ColumnElement[Any]) -> Json:
    """Locks and returns a table's row, with `more` columns. Raises `Problem` if it is damaged."""
    # For PostgreSQL; SQLite has one writer anyway.
    query = select(schema.tables, *more).where(schema.tables.c.id == row.id)
    query = query.with_for_update(key_share=True, of=schema.tables)
    found = connection.execute(query).mappings().one_or_none()
    if found is None:
        raise Problem("table-unknown", 404)
    held = dict(found)
    if held["sum"] != checksums.table_sum(held):
        raise Problem("store-damaged", 503)
    return held


@dataclass(frozen=True)
class Erasure:
    """A table that was erased. `before`: the table that it was played again from, if there is one; `next_key`: of the
    table that this one goes on to now."""

    before: TableRow | None
    next_key: str | None


def erase(connection: Connection, row: TableRow, others: Sequence[Table] = ()) -> Erasure:
    """Deletes all that is stored of a table, also in `others`, but for its number. Raises `Problem`."""
    # As a whole, so that nobody notes a visit meanwhile.
    connection.execute(select(schema.tables.c.id).where(schema.tables.c.id == row.id).with_for_update())
    held = lock_row(connection, row)
    of_key = select(schema.tables).where(schema.tables.c.next_key == row.key)
    found = connection.execute(of_key).first()
    before = None if found is None else loading.table_row(found)
    if before is not None:
        _seal(connection, lock_row(connection, before), {"next_key": held["next_key"]})
        journalling.append(connection, before.id, [events.NextTableSet(held["next_key"])])
    for table in (*OF_A_TABLE, *others):
        _drop(connection, table, row.id)
    connection.execute(delete(schema.tables).where(schema.tables.c.id == row.id))
    gone = {"table_id": row.id, "device": "", "at": "", "lines": 0, "mark": codes.mark_of(row.key)}
    _insert(connection, schema.deletions, [gone])
    return Erasure(before, held["next_key"])


def project(connection: Connection, table_id: int, settings: Settings) -> None:
    """Writes what lists show of a table's settings."""
    access = settings.access
    values = {"owner": access.owner, "guarded": access.guarded, "dice_set": settings.dice_set}
    values |= NO_PHOTO if settings.photo is None else _of_photo(settings.photo)
    connection.execute(update(schema.tables).where(schema.tables.c.id == table_id).values(values))
    _drop(connection, schema.members, table_id)
    phones = {device: phone.out for device, phone in access.phones.items()}
    _set_members(connection, table_id, phones | {PROGRAM + hash_: False for hash_ in access.programs})


def _of_photo(photo: UnderReview) -> Json:
    return {"reading": photo.details.id, "waiting": isinstance(photo, Waiting)}


def _set_members(connection: Connection, table_id: int, out: Mapping[str, bool]) -> None:
    """Notes phones and programs of a table. `out`: whether each was removed."""
    if out:
        _drop(connection, schema.members, table_id, schema.members.c.member.in_(list(out)))
        rows = [{"table_id": table_id, "member": member, "out": gone} for member, gone in out.items()]
        connection.execute(insert(schema.members), rows)


def _write_lines(connection: Connection, held: Json, logged: events.Logged, ends: bool) -> Json:
    """Writes lines of a log, and the results if `ends`: the game's end came or went. Returns the changes of the
    table's row, `held`."""
    lines = logged.lines
    if held["lines"] + 1 != lines[0].seq:
        raise Problem("stale", 409)
    rows = _log_rows(held["id"], held["head"], lines)
    connection.execute(insert(schema.log), rows)
    if ends:
        _write_results(connection, held["id"], logged.results or ())
    return {
        "active_at": lines[-1].at,
        "finished_at": lines[-1].at if logged.results is not None else None,
        "digest": logged.digest,
        "lines": lines[-1].seq,
        "head": rows[-1]["sum"],
        **NO_PHOTO,  # that it left may not have been written
    }


def _log_rows(table_id: int, head: str, lines: Sequence[Entry]) -> list[Json]:
    """The rows of these lines with their checksums. `head`: the checksum before the first."""
    rows = []
    for line in lines:
        row = {"seq": line.seq, "request": line.request, "body": json.dumps(line.body)}
        row |= {"device": line.device, "at": line.at}
        head = checksums.line_sum(head, row)
        rows.append({"table_id": table_id, **row, "sum": head})
    return rows


def _seal(connection: Connection, held: Json, changes: Json) -> None:
    """Writes changes of a table's row, with a new checksum. `held`: the whole row before."""
    row = {**held, **changes}
    values = {**changes, "sum": checksums.table_sum(row)}
    connection.execute(update(schema.tables).where(schema.tables.c.id == row["id"]).values(values))


def _write_results(connection: Connection, table_id: int, results: Sequence[PlayerResult]) -> None:
    _drop(connection, schema.results, table_id)
    _insert(connection, schema.results, [{"table_id": table_id, **asdict(each)} for each in results])


def _next_id() -> ColumnElement[int]:
    last = [
        select(func.coalesce(func.max(column), 0)).correlate(None).scalar_subquery()
        for column in (schema.tables.c.id, schema.deletions.c.table_id)
    ]
    return func.max(*last) + 1


def _insert(connection: Connection, table: Table, rows: Sequence[Json]) -> None:
    if rows:
        connection.execute(insert(table), [{**row, "sum": checksums.row_sum(table.name, row)} for row in rows])


def _drop(connection: Connection, table: Table, table_id: int, *which: ColumnElement[bool]) -> None:
    connection.execute(delete(table).where(table.c.table_id == table_id, *which))
