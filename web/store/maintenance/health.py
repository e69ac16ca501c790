"""`rollcall check`: checks a data folder, and repairs it."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DBAPIError

from web.problems import Problem, disk_problem
from web.store import journalling, schema
from web.store.maintenance import checking, locking
from web.store.maintenance.backup import CORRECTIONS
from web.store.maintenance.caretaker import SUSPECT
from web.store.maintenance.checking import Progress, no_progress
from web.store.maintenance.ends import FILE_NAME as ENDS
from web.store.maintenance.ends import JournalEnds
from web.store.sqlite import FILE_NAME, SqliteStore

LOOK, REPAIR, REBUILD = range(3)  # what to do beside a check
BEGINNINGS = (b"\xff\xd8", b"\x89PNG", b"RIFF")  # of the files of photos


class CheckError(Exception):
    """Nothing could be checked or repaired: one sentence that says what was wrong and what would be right."""


@dataclass
class Health:
    """The result of a check. `word`: of the game file, as in `checking.Checked`; `file`: what is wrong with it.

    `tables`: how many there are, 0 in a damaged file; `damaged`: how many of them lost steps and say so. `photos`:
    damaged corrected photos. `repaired`: what was done.
    """

    word: str
    served: bool = False
    file: list[str] = field(default_factory=list)
    tables: int = 0
    damaged: int = 0
    corrections: int = 0
    photos: list[str] = field(default_factory=list)
    repaired: str | None = None

    @property
    def whole(self) -> bool:
        return not (self.file or self.damaged or self.photos)

    def lines(self) -> Iterator[str]:
        """The lines that the command prints."""
        if self.served:
            yield "a server runs with these games; what phones do meanwhile may not be counted"
        if self.repaired:
            yield self.repaired
        yield f"game file: {self.word}"
        yield from self.file
        yield from (f"corrected photo {name}: damaged" for name in self.photos)
        tables = f"tables whole {self.tables - self.damaged}, damaged {self.damaged}; " if self.tables else ""
        yield f"{tables}corrected photos {self.corrections}"

    def to_json(self) -> dict[str, Any]:
        return {"whole": self.whole, **vars(self)}


def check(data: Path, copies: Path | None = None, repair: int = LOOK, told: Progress = no_progress) -> Health:
    """Checks the data folder. With REPAIR it is repaired first, with REBUILD also what lists are read from is written
    anew. `copies`: as in `SqliteStore`. Raises `CheckError`.

    Calls `told` with the numbers of checked and of all tables.
    """
    if not any((data / name).exists() for name in (FILE_NAME, ENDS)):
        raise CheckError(f"there are no games in {data}: name the folder that the server uses with --data")
    repaired = None
    try:
        if repair:
            with locking.alone(data):
                repaired = _repair(data, copies, repair == REBUILD)
                found = _inspect(data, told)
        else:
            with locking.looked_at(data) as free:
                found = _inspect(data, told)
                found.served = not free
    except locking.InUseError as error:
        raise CheckError(f"a server runs with {data}: end it first, then repair") from error
    except (OSError, Problem, sqlite3.Error, DBAPIError, schema.SchemaError) as error:
        raise CheckError(_sentence(error, data)) from error
    found.repaired = repaired
    return found


def _repair(data: Path, copies: Path | None, rebuild: bool) -> str | None:
    """Opens the store as a server does, which repairs it. Returns what was done, None for nothing."""
    if (data / FILE_NAME).exists():
        (data / SUSPECT).touch()  # also a large store is checked at once
    store = SqliteStore(data, copies)
    try:
        done = [str(notice) for notice in store.notices]
        if rebuild:
            with store.write() as connection:
                done.append(f"written anew from the journals: {journalling.rebuild(connection)} tables")
    finally:
        store.close()
    for name in _photos(data)[1]:
        _aside(data / CORRECTIONS, name)
    return "; ".join(done) or None


def _aside(folder: Path, name: str) -> None:
    """Moves the rest of a corrected photo to where no training looks."""
    kept = folder / "damaged"
    kept.mkdir(mode=0o700, exist_ok=True)
    for suffix in (".json", ".photo"):
        with contextlib.suppress(FileNotFoundError):
            (folder / f"{name}{suffix}").rename(kept / f"{name}{suffix}")


def _inspect(data: Path, told: Progress) -> Health:
    path = data / FILE_NAME
    checked = checking.check(path, JournalEnds(data), told)
    if checked.word == checking.DAMAGED and checked.version is None and not (path.parent / ENDS).exists():
        raise sqlite3.DatabaseError(f"malformed: {checked.complaints[0]}")  # nothing says that it is Rollcall's
    found = Health(word=checked.word, file=checked.complaints)
    if checked.word == checking.WHOLE:
        with checking.reading(path) as store:
            found.tables = store.execute("SELECT count(*) FROM tables").fetchone()[0]
            if checked.version == schema.VERSION:
                lost = "SELECT count(DISTINCT table_id) FROM events WHERE kind = 'lines-lost'"
                found.damaged = store.execute(lost).fetchone()[0]
    found.corrections, found.photos = _photos(data)
    return found


def _photos(data: Path) -> tuple[int, list[str]]:
    """The number of corrected photos, and the names of damaged ones: a half is missing, or it is no photo."""
    folder = data / CORRECTIONS
    names = {path.stem for kind in ("json", "photo") for path in folder.glob(f"*.{kind}")}
    return len(names), sorted(name for name in names if not _is_whole(folder, name))


def _is_whole(folder: Path, name: str) -> bool:
    try:
        label = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        with (folder / f"{name}.photo").open("rb") as photo:
            return isinstance(label, dict) and photo.read(4).startswith(BEGINNINGS)
    except (OSError, ValueError):
        return False


def _sentence(error: Exception, data: Path) -> str:
    problem = disk_problem(error) if isinstance(error, OSError) else error
    if isinstance(problem, schema.SchemaError):
        return f"{data / FILE_NAME}: {problem}"
    reason = problem.reason if isinstance(problem, Problem) else str(error)
    if reason == "store-full":
        return f"there is no room in {data}: make room and try again"
    if "busy" in reason or "locked" in reason:
        return f"another program has {data / FILE_NAME} locked: end that program and try again"
    if "malformed" in reason or reason == "store-damaged":
        return f"{data / FILE_NAME} is damaged and nothing in it vouches for itself, or it is not Rollcall's"
    return f"{data} cannot be checked: {getattr(error, 'strerror', None) or error}"
