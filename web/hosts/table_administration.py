"""`rollcall tables`: lists the tables of a store, and deletes some for good; and `rollcall check` for a database."""

import contextlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from web.photos.photo_files import PhotoFiles
from web.store import codes, event_rows, schema
from web.store.maintenance import health, locking
from web.store.maintenance.checking import Progress
from web.store.maintenance.not_done import NotDoneError, explain_failure, store_in
from web.store.maintenance.store_files import open_copy
from web.store.sqlite import SqliteStore
from web.store.store import Store, photos_under_review
from web.texts.formats import local_date

UNUSED = "the games cannot be used"


@dataclass(frozen=True)
class ListedTable:
    """A table. `state`: "running", "finished", "ended early", "damaged", or "deleted" while that can be undone."""

    key: str
    game: str
    players: list[str]
    created_at: str
    active_at: str
    state: str

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        return f"{self.key}  {self.game:18} {local_date(self.active_at)}  {self.state:11}  {', '.join(self.players)}"


def list_tables(data: Path, database: str | None) -> list[ListedTable]:
    """All tables, the latest first, also while servers run. Raises `NotDoneError`."""
    with explain_failure(UNUSED), contextlib.ExitStack() as until:
        if database is None:
            connection = until.enter_context(open_copy(store_in(data)))  # opening a store may change it
        else:
            connection = until.enter_context(until.enter_context(open_database(database)).read())
        rows = connection.execute(select(schema.tables).order_by(schema.tables.c.active_no.desc())).all()
        tables = [(event_rows.table_row(row), _state_of(row)) for row in rows]
    return [
        ListedTable(row.key, row.game, [*row.players], row.created_at, row.active_at, state) for row, state in tables
    ]


def delete_tables(data: Path, database: str | None, keys: Sequence[str]) -> None:
    """Deletes these tables for good, all of them or none. No server may run with the data folder meanwhile.

    Raises `NotDoneError`.
    """
    with explain_failure(UNUSED, data), contextlib.ExitStack() as until:
        if database is None:
            store_in(data)
            until.enter_context(locking.alone(data))
        opened = contextlib.closing[Store](SqliteStore(data)) if database is None else open_database(database)
        store = until.enter_context(opened)
        rows = {key: store.find(key) for key in keys}
        if missing := [key for key, row in rows.items() if row is None]:
            raise NotDoneError(f"there is no table with the key {missing[0]}: `rollcall tables` lists all keys")
        photo_files = PhotoFiles(data) if database is None else None
        photos = {key: reading for reading, key in photos_under_review(store).items()}
        for row in rows.values():
            assert row is not None
            store.erase(row)
            if photo_files is not None and row.key in photos:
                photo_files.delete(photos[row.key])
        if photo_files is not None:  # each server of a database deletes those in its own folder
            photo_files.delete_kept({codes.mark_of(key) for key in keys})


def _state_of(row: Any) -> str:
    if row.deleted_at is not None:
        return "deleted"
    if row.lost is not None:
        return "damaged"
    if row.finished_at is None:
        return "running"
    return "ended early" if row.early else "finished"


def check_database(address: str, repair: int, progress: Progress) -> health.Health:
    """As `health.check`, of the store in a database."""
    with explain_failure("the database cannot be checked"), open_database(address) as store:
        return health.check_store(store, repair, progress)


def open_database(address: str) -> contextlib.closing[Store]:
    from web.hosts.cluster.shared_store import SharedStore  # needs the extra `cluster`

    return contextlib.closing[Store](SharedStore(address))
