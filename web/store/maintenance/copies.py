"""Copies of the store: one for each of the last seven days, and one from before each upgrade.

They lie in `copies` in the data folder and, if it is named, in a folder on another disk. None becomes older than seven
days while Rollcall is used: then nothing of an erased table is left.
"""

import contextlib
import logging
import re
import secrets
import shutil
import sqlite3
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from sqlalchemy import func, select, update

from web.problems.problem import Problem
from web.store import event_rows, schema
from web.store.disk import replace_file, to_disk
from web.store.maintenance.store_files import copy_store, open_alone

logger = logging.getLogger(__name__)

FOLDER = "copies"
DAYS = 7
ROOM = 100 << 20  # bytes of the disk that a copy leaves free
NAME = 8  # letters of the store's name in those of its copies
DATE = re.compile(r"\d{4}-\d\d-\d\d")
# All that has games which may be erased by now.
OURS = ("rollcall-damaged-*", "rollcall-version-*", "rollcall-????????-????-??-??.db*")


@dataclass(frozen=True)
class Copies:
    """The copies of the store in file `path`. `elsewhere`: a folder on another disk, or None."""

    path: Path
    elsewhere: Path | None = None

    def make(self, name: str) -> None:
        """Makes the copy of this day, unless it is there. `name`: of the store. Raises `Problem` and OSError."""
        target = self._of_today(name[:NAME])
        if not target.exists():
            self._make(target)
            with contextlib.closing(sqlite3.connect(target)) as copy, copy:
                # A new name, so that a copy that takes the place of the store is not taken for it.
                copy.execute("UPDATE schema_version SET name = ?", (secrets.token_hex(16),))
        self._put_elsewhere(target)

    def make_before(self, version: int) -> None:
        """Makes the copy of a store of this older version. Raises `Problem` and OSError."""
        self._make(self.path_before(version))
        self._put_elsewhere(self.path_before(version))

    def path_before(self, version: int) -> Path:
        return self._of_today(f"version-{version}")

    def find(self, name: str) -> list[Path]:
        """The copies of the store of this name, the newest first. With "", those in the data folder."""
        wanted = f"rollcall-{name[:NAME] or '?' * NAME}-{'[0-9]' * 4}-*.db"
        folders = [self._folder, *([self.elsewhere] if self.elsewhere is not None and name else [])]
        return sorted((path for folder in folders for path in folder.glob(wanted)), key=_day, reverse=True)

    def drop_old(self) -> None:
        """Deletes the copies, and damaged files, that are older than a week."""
        oldest = (date.today() - timedelta(days=DAYS - 1)).isoformat()
        for folder in (self.path.parent, self._folder, self.elsewhere):
            for path in () if folder is None else [path for which in OURS for path in folder.glob(which)]:
                if "" < _day(path) < oldest:
                    with contextlib.suppress(OSError):
                        path.unlink()

    @property
    def _folder(self) -> Path:
        return self.path.parent / FOLDER

    def _of_today(self, what: str) -> Path:
        return self._folder / f"rollcall-{what}-{date.today().isoformat()}.db"

    def _make(self, target: Path) -> None:
        target.parent.mkdir(mode=0o700, exist_ok=True)
        if shutil.disk_usage(target.parent).free < self.path.stat().st_size + ROOM:
            raise Problem("store-full", 503)
        copy_store(self.path, target)

    def _put_elsewhere(self, copy: Path) -> None:
        if self.elsewhere is None or (self.elsewhere / copy.name).exists():
            return
        try:
            self.elsewhere.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replace_file(self.elsewhere / copy.name) as part:
                shutil.copyfile(copy, part)
        except OSError as error:
            logger.warning("no copy of the games could be written to %s: %s", self.elsewhere, error)


def copy_games(store: Path, target: Path) -> tuple[int, int]:
    """Writes all games of the file `store` to the one file `target`, as they are at one moment, also while they are
    played. Returns the numbers of tables and of lines of their logs. Raises `Problem`, `SchemaError` and OSError.

    The copy is a store of its own: without photos under review, which lie elsewhere, with what can still be undone, and
    with another name, so that it is not taken for the one that it replaces.
    """
    copy_store(store, target)
    with open_alone(target) as copy:
        event_rows.drop_photos(copy)
        event_rows.undo_deletions(copy)
        copy.execute(update(schema.schema_version).values(name=secrets.token_hex(16)))
        lines = func.coalesce(func.sum(schema.tables.c.lines), 0)
        tables, actions = copy.execute(select(func.count(), lines).select_from(schema.tables)).one()
    to_disk(target)
    return tables, actions


def _day(path: Path) -> str:
    """The day in the name of a copy; "" if it has none."""
    named = DATE.search(path.name)
    return named[0] if named else ""
