"""Copies a data folder as it is at one moment, also while a server uses it."""

import contextlib
import os
import secrets
import shutil
import sqlite3
import tempfile
from dataclasses import dataclass
from pathlib import Path

from web.journal.journal import Journal
from web.problems import Problem, disk_problem
from web.store import journalling
from web.store.disk import to_disk
from web.store.maintenance.copies import copy_store
from web.store.sqlite import FILE_NAME

CORRECTIONS = "corrections"
BESIDE = (".pem", ".crt")  # the server's own certificates and their keys


class BackupError(Exception):
    """No backup could be made: one sentence that says what was wrong and what would be right."""


@dataclass(frozen=True)
class Backup:
    """The folder of a copy, and the numbers of its tables, lines of logs and corrected photos."""

    folder: Path
    tables: int
    lines: int
    corrections: int


def back_up(data: Path, target: Path) -> Backup:
    """Copies the data folder `data` to the new folder `target`, on which a server can start.

    All games are of one moment between the call and the return. The copy has everything that phones were told is done
    before the call. It has corrected photos and the server's certificates, but no photos under review, which would be
    deleted anyway. `target` is there whole or not at all. Raises `BackupError`.
    """
    if not (data / FILE_NAME).is_file():
        raise BackupError(f"there are no games in {data}: name the folder that the server uses with --data")
    target = target.resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise BackupError(f"{target} is there already: name a folder that is new or empty")
    if target.is_relative_to(data.resolve()):
        raise BackupError(f"{target} lies in the data folder itself: name a folder elsewhere")
    part: Path | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        made = _copy_folder(data, part)
        if target.is_dir():
            target.rmdir()
        os.replace(part, target)
        to_disk(target.parent)
    except (OSError, Problem, sqlite3.Error) as error:
        raise BackupError(_sentence(error, data, target)) from error
    finally:
        if part is not None:
            shutil.rmtree(part, ignore_errors=True)  # if it was not moved to its place
    return Backup(target, *made)


def _copy_folder(data: Path, part: Path) -> tuple[int, int, int]:
    copy_store(data / FILE_NAME, part / FILE_NAME)
    with contextlib.closing(sqlite3.connect(part / FILE_NAME)) as copy:
        clean_copy(copy)
        (tables,) = copy.execute("SELECT count(*) FROM tables").fetchone()
        old = "log" in _names(copy)
        count = "SELECT count(*) FROM log" if old else "SELECT coalesce(sum(lines), 0) FROM tables"
        (lines,) = copy.execute(count).fetchone()
    corrections = 0
    for label in sorted((data / CORRECTIONS).glob("*.json")):
        photo = label.with_suffix(".photo")
        if photo.is_file():  # its label is there first
            (part / CORRECTIONS).mkdir(mode=0o700, exist_ok=True)
            for file in (label, photo):
                _copy(file, part / CORRECTIONS / file.name)
            corrections += 1
    for file in sorted(data.iterdir()):
        if file.suffix in BESIDE and file.is_file():
            _copy(file, part / file.name)
    for folder in (part / CORRECTIONS, part):
        if folder.is_dir():
            to_disk(folder)
    return tables, lines, corrections


def clean_copy(copy: sqlite3.Connection) -> None:
    """Makes a copied store one of its own: without photos under review, which lie elsewhere, and with another name."""
    with copy:
        names = _names(copy)
        # A new name, so that a backup that replaces the store is not taken for it.
        name = (secrets.token_hex(16),)
        if "events" in names:
            copy.execute("UPDATE schema_version SET name = ?", name)
            journal = Journal(copy)
            journalling.drop_photos(journal)
            journalling.undo_deletions(journal)  # the copy keeps what can still be undone
        else:  # an older store
            copy.execute("DELETE FROM pending")
            if "deletions" in names:
                copy.execute("DELETE FROM deletions WHERE at != ''")
            if "identity" in names:
                copy.execute("UPDATE identity SET name = ?", name)


def _names(copy: sqlite3.Connection) -> set[str]:
    return {name for (name,) in copy.execute("SELECT name FROM sqlite_master")}


def _copy(file: Path, target: Path) -> None:
    shutil.copy2(file, target)  # with its permissions: a private key stays private
    to_disk(target)


def _sentence(error: Exception, data: Path, target: Path) -> str:
    problem = disk_problem(error) if isinstance(error, OSError) else error
    reason = problem.reason if isinstance(problem, Problem) else None
    if reason == "store-full":
        return f"there is not enough room for the copy at {target}: make room, or name another folder"
    if reason == "store-failed":
        return f"{data} cannot be copied to {target}: name a folder that can be written"
    if reason == "store-busy":
        return f"another program has {data / FILE_NAME} locked: end that program and try again"
    if reason == "store-damaged" or isinstance(error, sqlite3.Error):
        return f"{data / FILE_NAME} is damaged or not Rollcall's: nothing was copied"
    return f"{data} cannot be copied to {target}: {getattr(error, 'strerror', None) or error}"
