"""Looks after an open store, beside the server: checks it, and makes its copies once a day."""

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from web.problems.problem import Problem
from web.store.maintenance import checking
from web.store.maintenance.copies import Copies
from web.store.maintenance.ends import JournalEnds
from web.store.sqlite_file import empty_log
from web.store.stamps import now
from web.tasks.background import Later

logger = logging.getLogger(__name__)

FIRST_AFTER_S = 20.0  # a copy, so that it does not slow the start down
EVERY_S = 24 * 3600.0  # a check
AGAIN_S = 600.0  # after what failed, and between two looks whether the day has a copy
LOOKS_EVERY_S = 1.0  # at the write-ahead log
QUIET_S = 2.0  # after the last change
RESTS = 2.0  # times the length of a step: phones wait meanwhile
ENDS_WITHIN_S = 30.0
SUSPECT = "rollcall.damaged"  # a file that has the next start check the store as a whole


class _Ended(Exception):  # noqa: N818 - nothing is wrong
    """The store is closed."""


class Caretaker:
    """Looks after the store in file `path`. `checked`: the start found it whole. `rebuild`: writes what lists are read
    from of these tables anew, or raises `Problem`. `notices`: where other damage is told."""

    def __init__(
        self,
        path: Path,
        ends: JournalEnds,
        copies: Copies,
        checked: bool,
        rebuild: Callable[[Sequence[int]], None],
        notices: list[Problem],
        later: Later,
    ) -> None:
        self._path, self._ends, self._copies, self._rebuild, self._notices = path, ends, copies, rebuild, notices
        self._ended = threading.Event()
        self._stepped_at = time.monotonic()
        # When the next check is due, and the next copy: so that it does not slow the start down, a moment later.
        self._due = self._stepped_at + (EVERY_S if checked else 0.0)
        self._copy_due = self._stepped_at + (FIRST_AFTER_S if checked else 0.0)
        self._progress = {"state": checking.WHOLE if checked else "running", "tables": 0, "of": 0}
        self._whole_at = now() if checked else None
        self._task = later("store", self._look)
        self._task.wake()

    def close(self) -> None:
        self._ended.set()
        self._task.end(ENDS_WITHIN_S)

    def progress(self) -> dict[str, Any]:
        """`state`: "running", "whole" or "damaged"; `tables` checked `of` all; `whole_at`: when it was last found whole
        since the start."""
        return {**self._progress, "whole_at": self._whole_at}

    def _look(self) -> float:
        log = self._path.with_name(self._path.name + "-wal")
        with contextlib.suppress(OSError):  # it is gone
            if log.stat().st_size and time.time() - log.stat().st_mtime >= QUIET_S:
                empty_log(self._path)
        if time.monotonic() >= self._copy_due:
            self._copy_due = time.monotonic() + AGAIN_S
            try:
                if time.monotonic() >= self._due:
                    self._check()
                if self._progress["state"] == checking.WHOLE:  # a damaged store needs its old copies
                    if self._ends.known:
                        self._copies.make(self._ends.name)
                    self._copies.drop_old()
            except _Ended:
                pass
            except (sqlite3.Error, OSError, Problem) as error:
                logger.warning("the games cannot be checked or copied now: %s", error)
        return LOOKS_EVERY_S

    def _check(self) -> None:
        began = self._stepped_at = time.monotonic()
        found = checking.check(self._path, self._ends, self._step)
        if found.outdated:
            logger.warning("what lists are read from was damaged for %d tables", len(found.outdated))
            with contextlib.suppress(Problem):  # then the next start mends it
                self._rebuild(found.outdated)
            found = checking.check(self._path, self._ends, self._step)
        self._due = time.monotonic() + EVERY_S
        self._progress["state"] = found.word
        for complaint in found.lines():
            logger.warning("the game file is damaged: %s", complaint)
        if found.complaints:
            self._path.with_name(SUSPECT).touch()
            if not any(notice.reason == "store-suspect" for notice in self._notices):
                self._notices.append(Problem("store-suspect"))
            return
        self._whole_at = now()
        logger.info("the game file was checked in %.0f s: %d tables, all whole", time.monotonic() - began, found.tables)
        for table_id, number in found.ends.items():
            if self._ends.known.get(table_id, 0) < number:
                self._ends.note(table_id, number)

    def _step(self, done: int, tables: int) -> None:
        self._progress |= {"tables": done, "of": tables}
        if self._ended.wait(min((time.monotonic() - self._stepped_at) * RESTS, 1.0)):
            raise _Ended
        self._stepped_at = time.monotonic()
