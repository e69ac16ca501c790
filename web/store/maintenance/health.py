"""`rollcall check`: checks the store in a data folder or in a database, and repairs it."""

import contextlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from web.journal.loading import UnreadableError
from web.store import event_rows, schema
from web.store.maintenance import checking, locking
from web.store.maintenance.caretaker import SUSPECT
from web.store.maintenance.checking import Checked, Progress, no_progress
from web.store.maintenance.ends import FILE_NAME as ENDS
from web.store.maintenance.ends import JournalEnds
from web.store.maintenance.not_done import NotDoneError, explain_failure
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


def check(data: Path, copies: Path | None = None, repair: int = LOOK, progress: Progress = no_progress) -> Health:
    """Checks the store in the data folder. With REPAIR it is repaired first, with REBUILD also what lists are read from
    is written anew. `copies`: as in `SqliteStore`. Raises `NotDoneError`.

    Calls `told` with the numbers of checked and of all tables.
    """
    path, repaired = data / FILE_NAME, None
    with explain_failure(f"{data} cannot be checked", data), ExitStack() as until:
        if not any((data / name).exists() for name in (FILE_NAME, ENDS)):
            raise NotDoneError(f"there are no games in {data}: name the folder that the server uses with --data")
        if repair:
            until.enter_context(locking.alone(data))
            if path.exists():
                (data / SUSPECT).touch()  # also a large store is checked at once
            with contextlib.closing(SqliteStore(data, copies)) as store:  # which repairs it
                repaired = _repair(store, repair)
        free = bool(repair) or until.enter_context(locking.looked_at(data))
        found = checking.check(path, JournalEnds(data), progress)
        if found.word == checking.DAMAGED and found.version is None and not (data / ENDS).exists():
            raise NotDoneError(f"{path} is damaged or not Rollcall's: {found.complaints[0]}")
        return _health(found, repaired, not free)


def check_store(store: Store, repair: int = LOOK, progress: Progress = no_progress) -> Health:
    """The same for an open store of either engine."""
    if repair:
        with store.write() as connection:
            for number in connection.scalars(select(schema.tables.c.id)).all():
                with contextlib.suppress(UnreadableError):
                    event_rows.mend(connection, number)
    repaired = _repair(store, repair)
    with store.read() as connection:
        return _health(check_connection(connection, progress), repaired)


def check_connection(connection: Connection, progress: Progress = no_progress) -> Checked:
    found = Checked(version=schema.VERSION)
    for done in checking.check_tables(event_rows.journal_of(connection), {}, found, contextlib.nullcontext):
        progress(done, found.tables)
    return found


def _repair(store: Store, repair: int) -> str | None:
    """Returns what was done, None for nothing."""
    done = [str(notice) for notice in store.notices]
    if repair == REBUILD:
        with store.write() as connection:
            done.append(f"written anew from the journals: {event_rows.rebuild(connection)} tables")
    return "; ".join(done) or None


def _health(found: Checked, repaired: str | None, served: bool = False) -> Health:
    tables = 0 if found.word == checking.DAMAGED else found.tables
    return Health(found.word, found.lines(), tables, found.lost, served, repaired)
