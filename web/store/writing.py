"""Writes events of a table on either engine, in the caller's transaction.

Each important row gets a checksum, and each change of a table's own row a new one.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, select, update

from web.journal.codec import Blobs
from web.problems import Problem
from web.session import events
from web.session.access_list import AccessList, KnownPhone
from web.session.photo_state import UnderReview, to_json
from web.session.proof import hash_in
from web.session.replay import Json, PlayerResult
from web.session.stored_table import ADVICE, Entry, TableRow
from web.store import checksums, codes, journalling, loading, player_rows, schema, webhook_rows

NEXT_NO = "next_no"
# The next `active_no` of a file, which has one writer.
NEXT_OF_FILE = select(func.coalesce(func.max(schema.tables.c.active_no), 0) + 1).correlate(None).scalar_subquery()
# All that has rows of a game table. `stale_games` after `results`: triggers fill it.
OF_A_TABLE = (
    *(schema.pending, schema.lessons, schema.preferences, schema.dice_sets, schema.owners, schema.phones),
    *(schema.agreements, schema.pictures),
    *(schema.programs, schema.webhooks, schema.deliveries),
    *(schema.results, schema.player_games, schema.early_games, schema.stale_games),
    *(schema.visits, schema.setups, schema.log, schema.deletions, schema.events, schema.blobs),
)
# What is brought of a table from another store, besides its own row and its log.
BROUGHT = (
    *(schema.results, schema.lessons, schema.preferences, schema.dice_sets, schema.owners, schema.phones),
    *(schema.visits, schema.agreements),
)


@dataclass(frozen=True)
class BroughtTable:
    """A table of another store: its row, its log, and its rows of BROUGHT without number and checksum. `pictures`: the
    rows of its pictures likewise, one after the other, since they may be large."""

    row: Json
    lines: Sequence[Entry]
    rows: Mapping[Table, Sequence[Json]]
    pictures: Iterable[Json] = ()


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
        _hand_on_pictures(connection, held_before["id"], number, started.lines)
    samples = started.samples.items()
    _insert(
        connection, schema.lessons, [{"table_id": number, "seq": seq, "body": blobs[name]} for seq, name in samples]
    )
    _set_dice_set(connection, number, started.chosen.dice_set)
    _set_advice(connection, number, started.chosen.advice)
    _set_agreement(connection, number, started.chosen.keeps_pictures)
    _set_owner(connection, number, AccessList(started.owner))
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


def _hand_on_pictures(connection: Connection, old: int, new: int, lines: Iterable[Entry]) -> None:
    """Copies the pictures of these lines, which one table took over from another."""
    named = {line.seq: hash_in(line.body) for line in lines}
    for picture in loading.pictures(connection, old):
        if named.get(picture["seq"]) == picture["hash"]:
            _insert(connection, schema.pictures, [{"table_id": new, **picture}])


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
    _insert_pictures(connection, held["id"], brought.pictures)
    if held["finished_at"] is not None:
        player_rows.derive(connection, [held["id"]])
    journalling.derive(connection, held["id"])
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
    locks = events.AccessChanged, events.TableDeleted, events.TableRestored, events.NextTableSet
    return lock_row(connection, row) if any(isinstance(event, locks) for event in batch) else None


def append(
    connection: Connection, row: TableRow, held: Json | None, batch: Sequence[events.Stored], blobs: Blobs
) -> None:
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
                set_photo(connection, row.id, event.photo)
            case events.PhotoRemoved():
                set_photo(connection, row.id, None)
            case events.PictureKept():
                picture = {"table_id": row.id, "seq": event.seq, "hash": event.hash, "body": blobs[event.hash]}
                _insert(connection, schema.pictures, [picture])
            case events.PicturesAgreed():
                _set_agreement(connection, row.id, event.keeps)
            case events.SampleAdded():
                sample = {"table_id": row.id, "seq": event.seq, "body": blobs[event.hash]}
                _insert(connection, schema.lessons, [sample])
                _drop(connection, schema.lessons, row.id, schema.lessons.c.seq.in_(event.dropped))
            case events.SamplesDropped():
                _drop(connection, schema.lessons, row.id, schema.lessons.c.seq.in_(event.seqs))
            case events.DiceForgotten():
                _drop(connection, schema.lessons, row.id)
            case events.AdviceSet():
                _set_advice(connection, row.id, event.advice)
            case events.DiceNamed():
                _set_dice_set(connection, row.id, event.name)
            case events.PhoneJoined():
                _set_phone(connection, row.id, event.device, event.phone)
                _drop(connection, schema.phones, row.id, schema.phones.c.device == event.forgotten)
            case events.AccessChanged():
                for device, phone in event.phones.items():
                    _set_phone(connection, row.id, device, phone)
                _set_owner(connection, row.id, replace(loading.access_list(connection, row.id), guarded=event.guarded))
                changes |= {} if event.code is None else {"code": event.code}
            case events.TableClosed():
                _set_owner(connection, row.id, replace(loading.access_list(connection, row.id), closed=event.closed))
            case events.ProgramConnected():
                _insert(
                    connection,
                    schema.programs,
                    [{"table_id": row.id, "hash": event.hash, **asdict(event.program)}],
                )
            case events.ProgramRemoved():
                _drop(connection, schema.programs, row.id, schema.programs.c.hash == event.hash)
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


def erase(connection: Connection, row: TableRow) -> Erasure:
    """Deletes all that is stored of a table, but for its number. Raises `Problem`."""
    # As a whole, so that nobody notes a visit meanwhile.
    connection.execute(select(schema.tables.c.id).where(schema.tables.c.id == row.id).with_for_update())
    held = lock_row(connection, row)
    of_key = select(schema.tables).where(schema.tables.c.next_key == row.key)
    found = connection.execute(of_key).first()
    before = None if found is None else loading.table_row(found)
    if before is not None:
        _seal(connection, lock_row(connection, before), {"next_key": held["next_key"]})
        journalling.append(connection, before.id, [events.NextTableSet(held["next_key"])])
    for table in OF_A_TABLE:
        _drop(connection, table, row.id)
    connection.execute(delete(schema.tables).where(schema.tables.c.id == row.id))
    gone = {"table_id": row.id, "device": "", "at": "", "lines": 0, "mark": codes.mark_of(row.key)}
    _insert(connection, schema.deletions, [gone])
    return Erasure(before, held["next_key"])


def set_photo(connection: Connection, table_id: int, photo: UnderReview | None) -> None:
    """Sets the photo under review, or none."""
    _drop(connection, schema.pending, table_id)
    if photo is not None:
        body = json.dumps(to_json(photo))
        _insert(connection, schema.pending, [{"table_id": table_id, "reading": photo.details.id, "body": body}])


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


def _set_advice(connection: Connection, table_id: int, advice: str) -> None:
    _drop(connection, schema.preferences, table_id)
    if advice != ADVICE[0]:
        _insert(connection, schema.preferences, [{"table_id": table_id, "advice": advice}])


def _set_agreement(connection: Connection, table_id: int, keeps_pictures: bool) -> None:
    _drop(connection, schema.agreements, table_id)
    if keeps_pictures:
        _insert(connection, schema.agreements, [{"table_id": table_id, "pictures": True}])


def _insert_pictures(connection: Connection, table_id: int, pictures: Iterable[Json]) -> None:
    for picture in pictures:
        _insert(connection, schema.pictures, [{"table_id": table_id, **picture}])


def _set_dice_set(connection: Connection, table_id: int, name: str) -> None:
    _drop(connection, schema.dice_sets, table_id)
    if name:
        _insert(connection, schema.dice_sets, [{"table_id": table_id, "name": name}])


def _set_owner(connection: Connection, table_id: int, access: AccessList) -> None:
    _drop(connection, schema.owners, table_id)
    if access.owner:
        row = {"table_id": table_id, "device": access.owner, "closed": access.closed, "guarded": access.guarded}
        _insert(connection, schema.owners, [row])


def _set_phone(connection: Connection, table_id: int, device: str, phone: KnownPhone) -> None:
    _drop(connection, schema.phones, table_id, schema.phones.c.device == device)
    row = {"table_id": table_id, "device": device, **asdict(phone)}
    _insert(connection, schema.phones, [row])


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
