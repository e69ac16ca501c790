"""Checks the whole store in small steps while it is served: what the start left out.

First come the rows that lists and statistics read; these wait for it. Then come each table, as in `checking`, and
SQLite's own check of the file. Between two steps the thread rests for longer than they took.
"""

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from web.problems import Problem
from web.store.gate import Gate
from web.store.maintenance import checking
from web.store.maintenance.log_heads import LogHeads
from web.store.maintenance.watermarks import Watermark
from web.store.sqlite_errors import is_damage
from web.store.stamps import now

logger = logging.getLogger(__name__)

STEP_S = 0.003  # of one step, at most: phones may wait for it
RESTS = 2.0  # times the length of the last step
HURRIES = 0.2  # the same, while lists wait
LISTS_WAIT_S = 60.0
OPCODES = 20_000  # of SQLite's own check, between two looks whether to break off
NEWEST_EVERY_S = 600.0  # between two checks of new lines, which spare the next start that work
WHOLE_EVERY_S = 24 * 3600.0  # between two checks of the whole store
TRIES_AGAIN_S = 60.0  # after a check that failed


class _Ended(Exception):  # noqa: N818 - nothing is wrong
    """The store was closed or exchanged."""


@dataclass(eq=False)
class BackgroundCheck:
    """Checks the open store in file `path`. `gate`: its readers. `repair(why, made)` repairs it, unless it was repaired
    more than `made` times since it was opened.

    `whole`: all of it was checked just now. `tables`: how many it has.
    """

    path: Path
    heads: LogHeads
    watermark: Watermark
    gate: Gate
    repair: Callable[[str, int], bool]
    whole: bool
    tables: int

    def __post_init__(self) -> None:
        self._lists = threading.Event()
        self._wakes = threading.Event()
        self._ends = False
        self._made = 0  # how often a repaired store took its place
        self._suspicion: tuple[str, int] | None = None  # and `_made` then
        self._state = "whole" if self.whole else "running"
        self._of = self.tables
        self._done = self.tables if self.whole else 0
        self._whole_at = time.monotonic() if self.whole else None
        if self.whole:
            self._lists.set()
        self._thread = threading.Thread(target=self._run, name="check", daemon=True)

    def start(self) -> None:
        """Begins. What it was made for must know it by now: it may have something repaired at once."""
        self._thread.start()

    def close(self) -> None:
        self._ends = True
        self._wakes.set()
        self._lists.set()
        if self._thread.ident is not None:
            self._thread.join(timeout=10)

    def progress(self) -> dict[str, Any]:
        """The progress: `state` "running", "whole" or "damaged"; `tables` checked `of` all; `whole_at`: when the whole
        store was last found whole, None: never."""
        mark = self.watermark.mark
        whole_at = None if mark is None else mark.whole_at
        return {"state": self._state, "tables": self._done, "of": self._of, "whole_at": whole_at}

    @property
    def lists_checked(self) -> bool:
        return self._lists.is_set()

    def wait_for_lists(self) -> None:
        """Waits until the rows that lists read are checked. Raises `Problem`."""
        if self._state == "damaged" and not self._lists.is_set():
            raise Problem("store-damaged", 503)
        if not self._lists.wait(LISTS_WAIT_S):
            raise Problem("store-busy", 503)

    def suspect(self, why: str) -> None:
        """Has the store repaired soon, since a reader found damage."""
        self._suspicion = why, self._made
        self._wakes.set()

    def note_replacement(self) -> None:
        """Notes that a repaired and checked store took the place of this one."""
        self._made += 1
        self._state, self._done, self._whole_at = "whole", self._of, time.monotonic()
        self._suspicion = None
        self._lists.set()

    def _run(self) -> None:
        while not self._ends:
            begun, made = time.monotonic(), self._made
            try:
                if self._suspicion is not None:
                    self._handle_damage(*self._suspicion)
                elif self._whole_at is None or begun - self._whole_at >= WHOLE_EVERY_S:
                    self._look()
                else:
                    self._follow_newest()
            except _Ended:
                continue
            except (sqlite3.Error, OSError, Problem) as error:
                if _is_damage(error):
                    self._handle_damage(str(error), made)
                else:
                    logger.warning("the store cannot be looked through now: %s", error)
            # A check without a result is tried again soon.
            self._wakes.wait(NEWEST_EVERY_S if self._whole_at is not None else TRIES_AGAIN_S)
            self._wakes.clear()

    def _handle_damage(self, why: str, made: int) -> None:
        self._suspicion = None
        if self._made != made:  # another reader had it repaired
            return
        self._state, self._whole_at = "damaged", time.monotonic()
        logger.warning("the store is damaged: %s", why)
        if self.repair(why, made):
            self._state = "whole"
        else:
            self.watermark.forget()
            self._lists.clear()  # each table is checked as it is read, but lists are not
            self._whole_at = None  # it is tried again

    def _look(self) -> None:
        begun, made = time.monotonic(), self._made
        self._state, self._done = "running", 0
        complaint = None
        with self._open() as store:
            line = self._last_line(store, made)
            for complaint in self._complaints(store, made):
                if complaint is not None:
                    break
        if complaint is not None:
            self._handle_damage(complaint, made)
            return
        with self.gate.enter():
            if self._made != made:
                raise _Ended
            self._state, self._whole_at = "whole", time.monotonic()
            self.watermark.update(self.heads.name, line, now())
        logger.info(
            "the whole store was looked through in %.0f s: %d tables, all whole", self._whole_at - begun, self._of
        )

    def _complaints(self, store: sqlite3.Connection, made: int) -> Iterator[str | None]:
        """What is wrong, or None, after each step."""
        for table in ("tables", "results"):
            with self._step(store, made):
                said = checking.integrity(store, table)
            yield said[0] if said else None
        last: int | None = 0
        while last is not None:
            with self._step(store, made, HURRIES):
                last, complaint = checking.rows_complaint(store, last)
            yield complaint
        self._lists.set()
        numbers = self._numbers(store, made)
        self._of = len(numbers)
        while numbers:
            complaint = None
            with self._step(store, made) as until:
                while numbers and complaint is None and time.monotonic() < until:
                    complaint = self._of_table(store, numbers.pop())
            self._done = self._of - len(numbers)
            yield complaint
        for check in (checking.tables_without_rows, checking.integrity):
            with self._step(store, made):
                said = check(store)
            yield said[0] if said else None

    def _of_table(self, store: sqlite3.Connection, number: int) -> str | None:
        head = self.heads.known.get(number)  # first: what is noted there is in the store by now
        return checking.complaint_of(store, number, 0 if head is None or head.gone else head.lines)

    def _numbers(self, store: sqlite3.Connection, made: int) -> list[int]:
        """The ids of all tables, also of missing ones."""
        known = {number for number, head in list(self.heads.known.items()) if not head.gone}
        with self._step(store, made):
            return sorted(known | {row[0] for row in store.execute("SELECT id FROM tables")})

    def _follow_newest(self) -> None:
        """Checks the lines after the mark, and moves it."""
        mark, made = self.watermark.mark, self._made
        if mark is None or self._suspicion is not None:
            return
        with self._open() as store:
            line = self._last_line(store, made)
            with self._step(store, made):
                changed = [
                    row[0] for row in store.execute("SELECT DISTINCT table_id FROM log WHERE id > ?", (mark.line,))
                ]
            while changed:
                with self._step(store, made):
                    complaint = checking.complaint_of(store, changed.pop(), 0, mark.line)
                if complaint is not None:
                    self._handle_damage(complaint, made)
                    return
        with self.gate.enter():
            if self._made == made and line > mark.line:
                self.watermark.update(mark.name, line, mark.whole_at)

    def _last_line(self, store: sqlite3.Connection, made: int) -> int:
        with self._step(store, made):
            return checking.last_line(store)

    @contextlib.contextmanager
    def _step(self, store: sqlite3.Connection, made: int, rests: float = RESTS) -> Iterator[float]:
        """A step of work, which should end at the yielded time. Raises `_Ended`."""
        with self.gate.enter():
            if self._ends or self._made != made:
                raise _Ended
            begun = time.monotonic()
            try:
                yield begun + STEP_S
            except sqlite3.Error:
                if self._breaks_off():
                    raise _Ended from None
                raise
        took = time.monotonic() - begun
        if not self._ends:
            time.sleep(min(took * rests, 1.0))

    def _breaks_off(self) -> int:
        return int(self._ends or self.gate.closes)

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        uri = f"{self.path.absolute().as_uri()}?mode=ro"
        with self.gate.enter():
            opened = sqlite3.connect(uri, uri=True, timeout=checking.WAITS_S, isolation_level=None)
        with contextlib.closing(opened) as store, checking.readable():
            store.row_factory = sqlite3.Row
            store.set_progress_handler(self._breaks_off, OPCODES)
            yield store


def _is_damage(error: Exception) -> bool:
    if isinstance(error, Problem):
        return error.reason == "store-damaged"
    return isinstance(error, sqlite3.DatabaseError) and is_damage(error)
