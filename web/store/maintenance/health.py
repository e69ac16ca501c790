"""`rollcall check`: checks the store in a data folder or in a database, and repairs it."""

import contextlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, func, select

from web.store import journalling, schema
from web.store.maintenance import checking, locking
from web.store.maintenance.caretaker import SUSPECT
from web.store.maintenance.checking import Checked, Progress, no_progress
from web.store.maintenance.ends import FILE_NAME as ENDS
from web.store.maintenance.ends import JournalEnds
from web.store.maintenance.not_done import NotDoneError, told_as
from web.store.maintenance.store_files import reading
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.store import Store

LOOK, REPAIR, REBUILD = range(3)  # what to do beside a check


@dataclass(frozen=True)
class Health:
    """The result of a check. `word`: of the store, as in `checking.Checked`; `file`: what is wrong with it.

    `tables`: how many there are, 0 in a damaged file; `damaged`: how many of them lost steps and say so. `repaired`:
    what was done.
    """

    word: str
    file: list[str]
    tables: int = 0
    damaged: int = 0
    served: bool = False
    repaired: str | None = None

    @property
    def whole(self) -> bool:
        return not (self.file or self.damaged)

    def lines(self) -> Iterator[str]:
        """The lines that the command prints."""
        if self.served:
            yield "a server runs with these games; what phones do meanwhile may not be counted"
        if self.repaired:
            yield self.repaired
        yield f"game file: {self.word}"
        yield from self.file
        if self.tables:
            yield f"tables whole {self.tables - self.damaged}, damaged {self.damaged}"

    def to_json(self) -> dict[str, Any]:
        return {"whole": self.whole, **asdict(self)}


def check(
    data: Path,
    copies: Path | None = None,
    repair: int = LOOK,
    told: Progress = no_progress,
) -> Health:
    """Checks the store in the data folder. With REPAIR it is repaired first, with REBUILD also what lists are read from
    is written anew. `copies`: as in `SqliteStore`. Raises `NotDoneError`.

    Calls `told` with the numbers of checked and of all tables.
    """
    with told_as(f"{data} cannot be checked", data), ExitStack() as until:
        if not any((data / name).exists() for name in (FILE_NAME, ENDS)):
            raise NotDoneError(f"there are no games in {data}: name the folder that the server uses with --data")
        if not repair:
            free = until.enter_context(locking.looked_at(data))
            return replace(_check_folder(data, told), served=not free)
        until.enter_context(locking.alone(data))
        if (data / FILE_NAME).exists():
            (data / SUSPECT).touch()  # also a large store is checked at once
        with contextlib.closing(SqliteStore(data, copies)) as opened:  # which repairs it
            repaired = _repair(opened, repair)
        return replace(_check_folder(data, told), repaired=repaired)


def check_store(store: Store, repair: int = LOOK, told: Progress = no_progress) -> Health:
    """The same for an open store."""
    repaired = _repair(store, repair)
    with store.read() as connection:
        return replace(check_connection(connection, told), repaired=repaired)


def _repair(store: Store, repair: int) -> str | None:
    """Repairs an open store. Returns what was done, None for nothing."""
    done = [str(notice) for notice in store.notices]
    if repair == REBUILD:
        with store.write() as connection:
            done.append(f"written anew from the journals: {journalling.rebuild(connection)} tables")
    return "; ".join(done) or None


def _check_folder(data: Path, told: Progress) -> Health:
    path = data / FILE_NAME
    checked = checking.check(path, JournalEnds(data), told)
    if checked.word == checking.DAMAGED and checked.version is None and not (data / ENDS).exists():
        raise NotDoneError(f"{path} is damaged, and nothing in it says that it is Rollcall's: {checked.complaints[0]}")
    if checked.word != checking.WHOLE:
        return Health(checked.word, checked.complaints)
    with reading(path) as store:
        lost = "count(lost)" if checked.version == schema.VERSION else "0"
        return Health(checked.word, [], *store.execute(f"SELECT count(*), {lost} FROM tables").fetchone())


def check_connection(connection: Connection, told: Progress = no_progress) -> Health:
    """Checks all tables of a store of the present version, of either engine."""
    checked = Checked(checking.WHOLE)
    checking.check_tables(journalling.journal_of(connection), {}, checked, told, contextlib.nullcontext)
    damaged = connection.execute(select(func.count(schema.tables.c.lost))).scalar_one()
    word = checking.DAMAGED if checked.complaints else checking.WHOLE
    return Health(word, checked.complaints, len(checked.ends), damaged)
