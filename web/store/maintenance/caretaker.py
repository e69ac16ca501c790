"""Looks after an open store, beside the server: checks it, and makes its copies once a day."""

import contextlib
import logging
import sqlite3
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from web.background import Later
from web.problems import Problem
from web.store.maintenance import checking
from web.store.maintenance.copies import Copies
from web.store.maintenance.ends import JournalEnds
from web.store.stamps import now

logger = logging.getLogger(__name__)

FIRST_AFTER_S = 20.0  # a copy, so that it does not slow the start down
EVERY_S = 24 * 3600.0  # a check
AGAIN_S = 600.0  # after what failed, and between two looks whether the day has a copy
LOOKS_EVERY_S = 1.0  # at the write-ahead log
QUIET_S = 2.0  # after the last change
RESTS = 2.0  # times the length of a step: phones wait meanwhile
ENDS_WITHIN_S = 30.0
WAITS_S = 0.5  # for others that use the store
SUSPECT = "rollcall.damaged"  # a file that has the next start check the store as a whole


class _Ended(Exception):  # noqa: N818 - nothing is wrong
    """The store is closed."""


@dataclass(eq=False)
class Caretaker:
    """Looks after the store in file `path`. `checked`: the start found it whole. `notices`: where damage is told."""

    path: Path
    ends: JournalEnds
    copies: Copies
    checked: bool
    notices: list[Problem]
    later: Later

    def __post_init__(self) -> None:
        self._ended = threading.Event()
        self._word, self._done, self._of = checking.WHOLE if self.checked else "running", 0, 0
        self._whole_at = now() if self.checked else None
        self._checked_at = time.monotonic() if self.checked else None
        self._due = time.monotonic() + (FIRST_AFTER_S if self.checked else 0.0)
        self._task = self.later("store", self._look)
        self._task.wake()

    def close(self) -> None:
        self._ended.set()
        self._task.end(ENDS_WITHIN_S)

    def progress(self) -> dict[str, Any]:
        """`state`: "running", "whole" or "damaged"; `tables` checked `of` all; `whole_at`: when it was last found whole
        since the start."""
        return {"state": self._word, "tables": self._done, "of": self._of, "whole_at": self._whole_at}

    def _look(self) -> float:
        if self._is_quiet():
            empty_log(self.path)
        if time.monotonic() >= self._due:
            self._due = time.monotonic() + AGAIN_S
            try:
                self._work()
            except _Ended:
                pass
            except (sqlite3.Error, OSError, Problem) as error:
                logger.warning("the games cannot be checked or copied now: %s", error)
        return LOOKS_EVERY_S

    def _is_quiet(self) -> bool:
        """Whether there is a write-ahead log to be emptied, and nobody acts just now."""
        try:
            log = self.path.with_name(self.path.name + "-wal").stat()
        except OSError:
            return False
        return log.st_size > 0 and time.time() - log.st_mtime >= QUIET_S

    def _work(self) -> None:
        if self._checked_at is None or time.monotonic() - self._checked_at >= EVERY_S:
            self._check()
        if self._word == checking.WHOLE:  # a damaged store needs its old copies
            if self.ends.known:
                self.copies.make(self.ends.name)
            self.copies.drop_old()

    def _check(self) -> None:
        self._done = 0
        began = self._stepped_at = time.monotonic()
        found = checking.check(self.path, self.ends, self._step)
        self._checked_at = time.monotonic()
        if found.word == checking.DAMAGED:
            self._word = checking.DAMAGED
            for complaint in found.complaints:
                logger.warning("the game file is damaged: %s", complaint)
            self.path.with_name(SUSPECT).touch()
            if not any(notice.reason == "store-suspect" for notice in self.notices):
                self.notices.append(Problem("store-suspect"))
            return
        self._word, self._whole_at = checking.WHOLE, now()
        took = self._checked_at - began
        logger.info("the game file was checked in %.0f s: %d tables, all whole", took, len(found.ends))
        for table_id, number in found.ends.items():
            if self.ends.known.get(table_id, 0) < number:
                self.ends.note(table_id, number)

    def _step(self, done: int, tables: int) -> None:
        self._done, self._of = done, tables
        took = time.monotonic() - self._stepped_at
        if self._ended.wait(min(took * RESTS, 1.0)):
            raise _Ended
        self._stepped_at = time.monotonic()


def empty_log(path: Path) -> None:
    """Writes the write-ahead log into the store, and empties it, unless somebody reads just now."""
    with contextlib.suppress(sqlite3.Error), contextlib.closing(connect(path)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def connect(path: Path) -> sqlite3.Connection:
    """A connection to the store, which must be there. It begins no transaction by itself, and waits a moment only."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, timeout=WAITS_S, isolation_level=None)
