"""The store of a phone alone: checked or mended at each start, with a copy of the last hour beside it.

All files have fixed names: `shell/disk.js` keeps those on the phone's disk, and all others in memory alone.
"""

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from web.problems.problem import Problem
from web.store.maintenance import checking
from web.store.maintenance.caretaker import SUSPECT
from web.store.maintenance.copies import Copies
from web.store.maintenance.store_files import copy_store, reading
from web.store.sqlite import FILE_NAME, SqliteStore
from web.table.stored_table import TableRow
from web.tasks.background import Later

logger = logging.getLogger(__name__)

COPY, BEFORE, DAMAGED = "rollcall-copy.db", "rollcall-before.db", "damaged.db"
# What changes with every game that is played, brought or erased.
STATE = ("count(*) FROM events", "max(active_no) FROM tables", "count(*) FROM erased", "count(*) FROM phone_games")
FIRST_AFTER_S = 20.0  # a copy, so that it does not slow the start down
EVERY_S = 3600.0
AGAIN_S = 600.0  # after what failed


class GamesDamagedError(Exception):
    """Nothing can be read in the store, nor in its copy."""


@dataclass(frozen=True)
class PhoneCopies(Copies):
    """Two files beside the store: its copy, and one from before an upgrade, which is there until the next one."""

    def make(self, name: str) -> None:
        copy_store(self.path, self.path.with_name(COPY))

    def make_before(self, version: int) -> None:
        copy_store(self.path, self.path_before(version))

    def path_before(self, version: int) -> Path:
        return self.path.with_name(BEFORE)

    def find(self, name: str) -> list[Path]:
        copy = self.path.with_name(COPY)
        return [copy] if copy.is_file() and copy.stat().st_size else []


class PhoneStore(SqliteStore):
    """The store in the data folder. Raises `GamesDamagedError`, and as `SqliteStore` does.

    `later`: checks and copies it beside requests.
    """

    passing = frozenset()  # reading a photo again takes a phone seconds
    checked_at_once = 1 << 20  # a second
    begins_anew = False  # the person saves what is there first

    def __init__(self, folder: Path, later: Later) -> None:
        try:
            super().__init__(folder, PhoneCopies(folder / FILE_NAME))
        except Problem as problem:
            if problem.reason == "store-damaged":
                raise GamesDamagedError from problem
            raise
        self._keep_damaged(folder)
        self._is_changed = state_of(self.path) != state_of(folder / COPY)
        self._steps = self._look_after()
        self._task = later("copies", lambda: next(self._steps))
        self._task.wake()

    def note_stored(self, row: TableRow, number: int) -> None:
        self._is_changed = True
        super().note_stored(row, number)

    def is_there(self, suspect: Path) -> bool:
        return suspect.is_file() and suspect.stat().st_size > 0  # all files have fixed names, and are there

    def _keep_damaged(self, folder: Path) -> None:
        """Keeps the file that was replaced just now, and tells of it in the phone's own words."""
        self.notices = [Problem("phone-mended", **each.params) for each in self.notices]
        for damaged in folder.glob("rollcall-damaged-*.db"):
            shutil.copyfile(damaged, folder / DAMAGED)
        self.was_damaged = (folder / DAMAGED).is_file() and (folder / DAMAGED).stat().st_size > 0

    def _look_after(self) -> Iterator[float]:
        """Checks the store if its start did not, and before each copy. Yields after how many seconds it goes on."""
        yield FIRST_AFTER_S
        while True:
            try:
                yield from self._check_and_copy()
                yield EVERY_S
            except (sqlite3.Error, OSError, Problem) as error:  # such as of a full disk
                logger.warning("the games cannot be checked or copied now: %s", error)
                yield AGAIN_S

    def _check_and_copy(self) -> Iterator[float]:
        if self.is_whole and not self._is_changed:
            return
        found = checking.Checked()
        for _ in checking.check_in_steps(self.path, found, self._ends):
            yield 0.0
        self.is_whole = found.word == checking.WHOLE
        if self.is_whole:
            self._is_changed = False
            self._copies.make("")
        elif not self.notices:  # the copy is needed as it is
            self.path.with_name(SUSPECT).write_bytes(b"1")
            self.notices.append(Problem("store-suspect"))


def state_of(path: Path) -> list[int]:
    """Tells two states of a store apart; empty if there is none."""
    with contextlib.suppress(sqlite3.Error, OSError), reading(path) as store:
        return [store.execute(f"SELECT {each}").fetchone()[0] for each in STATE]
    return []
