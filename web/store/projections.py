"""What lists and statistics are read from: rows that follow from a table's events alone.

`project` says what events change in them; `web.store.event_rows` writes that with the events, and `rebuild` writes all
of a table anew. A check compares them with the journals (`differences`).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from web.store import player_rows, schema
from web.table import events
from web.table.access_list import PROGRAM
from web.table.events import Stored
from web.table.new_tables import is_imported
from web.table.photo_state import Waiting
from web.table.stored_table import Json, PlayerResult

NO_PHOTO: Json = {"reading": None, "waiting": False}
EMPTY: Json = {"next_key": None, "lost": None, "guarded": False, "deleted_at": None, **NO_PHOTO}  # when a table begins
STARTED_WITH = "key", "code", "game", "keep_corrections", "created_at", "digest", "owner", "early"
# By table, the columns that follow from events.
COLUMNS = {
    "visits": "device, out",
    "player_games": ", ".join(player_rows.FIELDS),
}


@dataclass
class Projection:
    """What events change. `row`: columns of `schema.tables`; `lines_before`: how many lines the log has before those
    that they add, if they add some; `members`: by phone or program whether it was removed, None for one that is
    forgotten; `results`: of the last lines among them."""

    row: Json = field(default_factory=dict)
    members: dict[str, bool | None] = field(default_factory=dict)
    results: Sequence[PlayerResult] | None = None
    lines_before: int | None = None


def project(happened: Iterable[Stored]) -> Projection:
    """What lists show of a table after these events."""
    found = Projection()
    row, members = found.row, found.members
    for event in happened:
        match event:
            case events.TableStarted():
                row |= EMPTY | _row_of(event)
                found.results = event.results
            case events.Logged():
                last = event.lines[-1]
                if found.lines_before is None:
                    found.lines_before = event.lines[0].seq - 1
                row |= {
                    "active_at": last.at,
                    "finished_at": None if event.results is None else last.at,
                    "digest": event.digest,
                    "lines": last.seq,
                    "early": event.early,
                    **NO_PHOTO,  # that it left may not have been written
                }
                found.results = event.results
            case events.LinesLost():
                row["lost"] = event.count
            case events.PhotoUnderReview() | events.PhotoRead():
                row |= {"reading": event.photo.details.id, "waiting": isinstance(event.photo, Waiting)}
            case events.PhotoRemoved():
                row |= NO_PHOTO
            case events.SettingsChanged() if "dice_set" in event.settings:
                row["dice_set"] = event.settings["dice_set"]
            case events.PhoneJoined():
                members[event.device] = event.phone.out
                if event.forgotten is not None:
                    members[event.forgotten] = None
            case events.AccessChanged():
                members |= {device: phone.out for device, phone in event.phones.items()}
                row |= {"guarded": event.guarded} | ({} if event.code is None else {"code": event.code})
            case events.ProgramConnected():
                members[PROGRAM + event.hash] = None if event.program is None else False
            case events.TableDeleted():
                row["deleted_at"] = None if event.deletion is None else event.deletion.at
            case events.NextTableSet():
                row["next_key"] = event.key
    return found


def set_members(connection: Connection, table_id: int, out: Mapping[str, bool | None]) -> None:
    """Writes phones and programs of a table, as in `Projection`."""
    visits = schema.visits
    for name, gone in out.items():
        mine = {"device": name, "table_id": table_id, "out": gone}
        there = update(visits).where(visits.c.device == name, visits.c.table_id == table_id)
        if not connection.execute(there.values(out=gone)).rowcount and gone is not None:
            connection.execute(insert(visits).values(mine))
    if None in out.values():
        unknown = visits.c.at.is_(None) & visits.c.out.is_(None)
        connection.execute(delete(visits).where(visits.c.table_id == table_id, unknown))


def rebuild(connection: Connection, table_id: int, happened: Sequence[Stored]) -> None:
    """Writes all rows of a table anew, but for its own place in the order of changes."""
    found = project(happened)
    if found.row:  # else its journal is gone
        connection.execute(update(schema.tables).where(schema.tables.c.id == table_id).values(found.row))
    there = connection.scalars(select(schema.visits.c.device).where(schema.visits.c.table_id == table_id))
    set_members(connection, table_id, {**dict.fromkeys(there), **found.members})
    player_rows.write(connection, table_id, found.results)


def differences(happened: Sequence[Stored], rows: Mapping[str, Sequence[Sequence[Any]]], row: Mapping[str, Any]) -> str:
    """The name of what differs between what a store has of a table and what its events say, "" if nothing does.

    `row`: its own; `rows`: those of the tables of COLUMNS.
    """
    found = project(happened)
    if any(row[name] != value for name, value in found.row.items()):
        return "tables"
    rows = {**rows, "visits": [row for row in rows["visits"] if row[1] is not None]}
    members = {(name, out) for name, out in found.members.items() if out is not None}
    results = {
        tuple(each[name] for name in player_rows.FIELDS) for each in player_rows.rows_of(row, found.results or ())
    }
    wanted = {"visits": members, "player_games": results}
    return next((name for name, each in wanted.items() if each != {tuple(one) for one in rows[name]}), "")


def _row_of(started: events.TableStarted) -> Json:
    lines = started.lines
    return {
        **{name: getattr(started, name) for name in STARTED_WITH},
        "options": json.dumps(started.options),
        "players": json.dumps(list(started.players), ensure_ascii=False),
        "active_at": started.at,
        "finished_at": None if started.results is None else started.at,
        "lines": len(lines),
        "dice_set": started.settings.dice_set,
        "imported": bool(lines) and is_imported(lines[0]),
    }
