"""What tests write into a store of either engine, as whoever has just looked at the table."""

from collections.abc import Sequence

from web.session.events import Logged, Stored
from web.session.replay import PlayerResult
from web.session.stored_table import Entry, TableRow
from web.store.store import Store


def append(store: Store, row: TableRow, *events: Stored) -> int:
    known = store.change(row.id) if hasattr(store, "change") else 0
    return store.append(row, events, known)


def log(
    store: Store, row: TableRow, line: Entry, standings: Sequence[PlayerResult] | None = None, digest: str | None = None
) -> int:
    return append(store, row, Logged([line], standings, digest))


def whole_log(store: Store, row: TableRow) -> tuple[list[Entry], int | None]:
    """The log of a table as far as it holds, and how many lines are lost: 0 for some, None: none."""
    loaded = store.load(row)
    return list(loaded.entries), loaded.lost
