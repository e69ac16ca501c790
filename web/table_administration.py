"""`rollcall tables`: lists the tables of a store, and deletes some for good."""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import select

from web.photos.photo_files import PhotoFiles
from web.problems import Problem
from web.store import codes, schema
from web.store.maintenance import locking
from web.store.maintenance.copies import copy_store
from web.store.schema import DatabaseError, SchemaError
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.store import Store, photos_under_review
from web.texts.moments import local_date


class AdministrationError(Exception):
    """Nothing was listed or deleted: one sentence that says what was wrong and what would be right."""


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
    """All tables, the latest first, also while servers run. Raises `AdministrationError`."""
    with _errors_as_sentences(data), contextlib.ExitStack() as until:
        if database is None:
            copied = Path(until.enter_context(TemporaryDirectory(prefix="rollcall-")))
            copy_store(_file_in(data), copied / FILE_NAME)  # opening a store may change it
            return _tables_in(until.enter_context(contextlib.closing(SqliteStore(copied))))
        return _tables_in(until.enter_context(_open_database(database)))


def delete_tables(data: Path, database: str | None, keys: Sequence[str]) -> None:
    """Deletes these tables for good, all of them or none. No server may run with the data folder meanwhile.

    Raises `AdministrationError`.
    """
    with _errors_as_sentences(data), contextlib.ExitStack() as until:
        if database is None:
            _file_in(data)
            until.enter_context(locking.alone(data))
            store: Store = until.enter_context(contextlib.closing(SqliteStore(data)))
        else:
            store = until.enter_context(_open_database(database))
        rows = {key: store.find(key) for key in keys}
        if missing := [key for key, row in rows.items() if row is None]:
            raise AdministrationError(f"there is no table with the key {missing[0]}: `rollcall tables` lists all keys")
        photo_files = PhotoFiles(data) if database is None else None
        photos = {key: reading for reading, key in photos_under_review(store).items()}
        for row in rows.values():
            assert row is not None
            store.erase(row)
            if photo_files is not None and row.key in photos:
                photo_files.delete(photos[row.key])
        if photo_files is not None:  # each server of a database deletes those in its own folder
            photo_files.delete_kept({codes.mark_of(key) for key in keys})


def _tables_in(store: Store) -> list[ListedTable]:
    with store.read() as connection:
        rows = connection.execute(select(schema.tables).order_by(schema.tables.c.active_no.desc())).all()
    return [
        ListedTable(row.key, row.game, json.loads(row.players), row.created_at, row.active_at, _state_of(row))
        for row in rows
    ]


def _state_of(row: Any) -> str:
    if row.deleted_at is not None:
        return "deleted"
    if row.lost is not None:
        return "damaged"
    if row.finished_at is None:
        return "running"
    return "ended early" if row.early else "finished"


def _file_in(data: Path) -> Path:
    path = data / FILE_NAME
    if not path.is_file():
        raise AdministrationError(f"there are no games in {data}: name the folder that the server uses with --data")
    return path


@contextlib.contextmanager
def _open_database(address: str) -> Iterator[Store]:
    from web.cluster.shared_store import SharedStore  # needs the extra `cluster`

    with contextlib.closing(SharedStore(address)) as store:
        yield store


@contextlib.contextmanager
def _errors_as_sentences(data: Path) -> Iterator[None]:
    try:
        yield
    except locking.InUseError as error:
        raise AdministrationError(
            f"a server runs with {data}: delete the game on the phone that started it, or end the server first"
        ) from error
    except (Problem, OSError, DatabaseError, SchemaError) as error:
        raise AdministrationError(f"the games cannot be used: {error}") from error
