"""What tests write into a store of either engine, as whoever has just looked at the table."""

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from web.journal.journal import Head
from web.store.codes import new_code, new_key
from web.store.event_rows import journal_of
from web.store.stamps import now
from web.store.store import Store
from web.table.events import Logged, SampleAdded, SettingsChanged, Stored, TableStarted, blob_hash, from_body
from web.table.stored_table import IMPORTED, Entry, Json, PlayerResult, TableRow

THROW: Json = {"do": {"do": "throw", "dice": [1, 1, 1, 1, 1, 1]}}


def table_started(
    game: str,
    options: Json,
    players: Sequence[str],
    keep_corrections: bool = False,
    bodies: Sequence[Json] = (),
    **more: Any,
) -> TableStarted:
    """A table that begins now. `bodies`: of the lines of an imported record; `more`: fields of the event."""
    at = now()
    lines = [Entry(seq, IMPORTED.format(seq), body, "", at) for seq, body in enumerate(bodies, 1)]
    setup = {"game": game, "options": options, "players": players, "keep_corrections": keep_corrections}
    return TableStarted(key=new_key(), code=new_code(), at=at, created_at=at, lines=lines, **setup, **more)


def line(seq: int, body: Json = THROW, request: str = "") -> Entry:
    """A line of a log. `request`: another one than `request-{seq}`."""
    return Entry(seq, request or f"request-{seq}", body, "phone", f"2026-01-01T00:00:{seq:02}Z")


def append(store: Store, row: TableRow, *events: Stored, blobs: Sequence[bytes] = ()) -> int:
    held = store.find(row.key) or row
    return store.append(held, last_event(store, row), events, {blob_hash(each): each for each in blobs}).number


def last_event(store: Store, row: TableRow) -> Head:
    with store.read() as connection:
        return journal_of(connection).head(row.id)


def add_sample(store: Store, row: TableRow, seq: int, body: bytes, *dropped: int) -> None:
    append(store, row, SampleAdded(seq, blob_hash(body), frozenset(dropped)), blobs=[body])


def log(
    store: Store,
    row: TableRow,
    logged: Entry,
    standings: Sequence[PlayerResult] | None = None,
    digest: str | None = None,
) -> int:
    return append(store, row, Logged([logged], standings, digest))


def throw_and_undo(store: Store, row: TableRow, *lines: int) -> None:
    """Lines of these numbers: odd ones throw, even ones take the throw back."""
    for seq in lines:
        log(store, row, line(seq, {"undo": True} if seq % 2 == 0 else THROW))


def lines_in(file: Path) -> list[tuple[int, Entry]]:
    """All lines of all logs in a file of any version, each with the number of its table, in their order."""
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'log'").fetchone():
            old = "SELECT table_id, seq, request, body, device, at FROM log ORDER BY table_id, seq"
            return [(row[0], Entry(*row[1:3], json.loads(row[3]), *row[4:])) for row in connection.execute(old)]
        query = "SELECT table_id, body FROM events WHERE kind IN ('table-started', 'logged') ORDER BY table_id, number"
        found = [(number, from_body(body.encode())) for number, body in connection.execute(query)]
    return [
        (number, line) for number, event in found if isinstance(event, TableStarted | Logged) for line in event.lines
    ]


def dice_named(name: str) -> SettingsChanged:
    """Any event that is told from others of its kind."""
    return SettingsChanged({"dice_set": name}, "")
