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
from web.store import schema
from web.store.maintenance import locking, startup_check
from web.store.maintenance.backup import CORRECTIONS
from web.store.maintenance.checking import Progress, no_progress, reading
from web.store.maintenance.log_heads import LogHeads
from web.store.maintenance.recovery import collect
from web.store.sqlite import FILE_NAME, SqliteStore

BEGINNINGS = (b"\xff\xd8", b"\x89PNG", b"RIFF")  # of the files of photos


class CheckError(Exception):
    """Nothing could be checked or repaired: one sentence that says what was wrong and what would be right."""


@dataclass
class Health:
    """The result of a check. `tables`: each with its number, game, players, lines and `lost` lines.

    `file`: what is wrong with the game file. `photos`: names of damaged corrected photos. `repaired`: what was done.
    """

    served: bool = False
    file: list[str] = field(default_factory=list)
    tables: list[dict[str, Any]] = field(default_factory=list)
    gone: int = 0
    corrections: int = 0
    photos: list[str] = field(default_factory=list)
    repaired: str | None = None

    @property
    def whole(self) -> bool:
        return not (self.file or self.gone or self.photos or any(table["lost"] is not None for table in self.tables))

    def lines(self) -> Iterator[str]:
        """The lines that the command prints."""
        if self.served:
            yield "a server runs with these games; what phones do meanwhile may not be counted"
        if self.repaired:
            yield self.repaired
        yield from (f"game file: {complaint}" for complaint in self.file)
        for table in self.tables:
            if table["lost"] is not None:
                who = ", ".join(table["players"])
                yield f"table {table['table']} ({table['game']}, {who}): damaged; whole up to line {table['lines']}"
        if self.gone:
            yield f"tables that cannot be read: {self.gone}"
        yield from (f"corrected photo {name}: damaged" for name in self.photos)
        damaged = sum(table["lost"] is not None for table in self.tables)
        whole = len(self.tables) - damaged
        yield f"tables whole {whole}, damaged {damaged}; corrected photos {self.corrections}"

    def to_json(self) -> dict[str, Any]:
        return {"whole": self.whole, **vars(self)}


def check(data: Path, repair: bool = False, told: Progress = no_progress) -> Health:
    """Checks the data folder, and with `repair` repairs it first. Raises `CheckError`.

    Calls `told` with the numbers of checked and of all tables.
    """
    if not any((data / name).exists() for name in (FILE_NAME, "rollcall.heads")):
        raise CheckError(f"there are no games in {data}: name the folder that the server uses with --data")
    repaired = None
    try:
        if repair:
            with locking.alone(data):
                repaired = _repair(data)
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


def _repair(data: Path) -> str | None:
    """Opens the store as a server does, which repairs it. Returns what was done, None for nothing."""
    store = SqliteStore(data)
    try:
        done = [str(notice) for notice in store.notices]
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
    heads = LogHeads(data)
    path = data / FILE_NAME
    found = Health(file=startup_check.complaints(path, heads, told))
    if found.file:
        recovery = collect(path, heads)
        found.tables = [_describe(table.row) for table in recovery.tables]
        found.gone = len(recovery.gone)
    elif path.is_file() and path.stat().st_size:
        found.tables = _tables(path)
        found.gone = sum(head.gone for head in heads.known.values())
    found.corrections, found.photos = _photos(data)
    return found


def _tables(path: Path) -> list[dict[str, Any]]:
    """The tables of a whole store; one of an older Rollcall has no checksums yet."""
    with reading(path) as store:
        older = store.execute("SELECT version FROM schema_version").fetchone()[0] < schema.SEALED
        lines = (
            "(SELECT count(*) FROM log WHERE table_id = tables.id) AS lines, NULL AS lost" if older else "lines, lost"
        )
        return [_describe(row) for row in store.execute(f"SELECT id, game, players, {lines} FROM tables ORDER BY id")]


def _describe(row: Any) -> dict[str, Any]:
    return {
        "table": row["id"],
        "game": row["game"],
        "players": json.loads(row["players"]),
        "lines": row["lines"],
        "lost": row["lost"],
    }


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
