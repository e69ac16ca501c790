"""Checks a store before it is opened, and repairs it if it is damaged."""

import contextlib
import logging
import os
import sqlite3
import stat
from collections.abc import Iterable
from pathlib import Path

from web.problems import Problem
from web.store.maintenance.checking import Changes, Progress, look, look_at_changes, no_progress
from web.store.maintenance.log_heads import LogHeads
from web.store.maintenance.recovery import collect, replace_damaged
from web.store.maintenance.watermarks import Watermark
from web.store.schema import SEALED
from web.store.sqlite_errors import is_locked

logger = logging.getLogger(__name__)

# Rollcall's own files in a data folder; all others are left alone.
OURS = ("rollcall*", "*.pem", "*.crt", "photos", "photos/*", "corrections", "corrections/*")
OTHERS = 0o077  # permissions of everybody but the owner
ROOM = 1 << 16  # bytes that the disk must take before an unreadable file counts as damaged
AT_ONCE = 4 << 20  # bytes up to which a store is always checked as a whole


def make_private(folder: Path) -> None:
    """Removes the permissions of everybody but the owner from the data folder and our files in it."""
    ours = (path for pattern in OURS for path in folder.glob(pattern))
    for path in [folder, *ours]:
        with contextlib.suppress(OSError):  # gone by now, another user's, or a file system without permissions
            mode = path.lstat().st_mode
            if mode & OTHERS and not stat.S_ISLNK(mode):
                path.chmod(mode & 0o777 & ~OTHERS)


def changes(path: Path, heads: LogHeads, known: Watermark) -> Changes | None:
    """The changes of a store since it was last found whole, if all of them are whole. None: the whole store must be
    checked. Raises sqlite3.Error if another program has it locked."""
    mark = known.mark
    if mark is None or not known.is_known() or path.stat().st_size <= AT_ONCE:
        return None
    return look_at_changes(path, heads, mark)


def repair(path: Path, heads: LogHeads, wrong: Iterable[str]) -> list[Problem]:
    """Replaces the damaged store in file `path` by what can be recovered. `wrong`: what is wrong with it.

    Returns what was done, as a notice. Raises sqlite3.Error and OSError; then nothing was changed.
    """
    saved, aside = replace_damaged(path, heads)
    for complaint in wrong:
        logger.info("%s: %s", path.name, complaint)
    damaged = len(saved.damaged)
    done = Problem(
        "store-mended", whole=len(saved.tables) - damaged, damaged=damaged, gone=len(saved.gone), file=f"{aside}.*"
    )
    logger.warning("%s", done)
    return [done]


def complaints(path: Path, heads: LogHeads, told: Progress = no_progress) -> list[str]:
    """What is wrong with the store and can be repaired, in English; [] if it is whole, new or missing.

    Raises `SchemaError`, sqlite3.Error and OSError if it cannot be checked or repaired.
    """
    had_games = any(not head.gone for head in heads.known.values())
    if not path.is_file():
        return ["it is gone"] if had_games and not path.exists() else []
    log = path.with_name(path.name + "-wal")
    if path.stat().st_size == 0:
        # SQLite would delete the log beside it.
        return ["it is empty"] if had_games or (log.exists() and log.stat().st_size) else []
    try:
        found = look(path, heads, told)
    except sqlite3.Error as error:
        if is_locked(error):
            raise
        _check_room(path.parent)
        if not had_games and not collect(path, heads).tables:
            raise sqlite3.DatabaseError("malformed: no games of Rollcall are in it") from error
        return [str(error) or "it cannot be read"]
    if found.name and heads.name and found.name != heads.name:
        heads.known = {}  # of a store that a backup has replaced
    if not found.whole and found.version is not None and found.version < SEALED:
        raise sqlite3.DatabaseError("malformed")  # it has no checksums to recover by
    return found.complaints


def _check_room(folder: Path) -> None:
    """Raises OSError if the disk is full: then that may be why the store cannot be read. A read-only folder says
    nothing about its disk."""
    probe = folder / "rollcall.probe"
    if not os.access(folder, os.W_OK):
        return
    try:
        with probe.open("wb") as file:
            file.write(bytes(ROOM))
            file.flush()
            os.fsync(file.fileno())
    finally:
        with contextlib.suppress(OSError):
            probe.unlink(missing_ok=True)
