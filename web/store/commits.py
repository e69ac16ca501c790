"""Group commit: simultaneous changes from many threads share a transaction, and so one wait for the disk.

One transaction runs at a time. Each change is a savepoint in it, so a failed change leaves the others as they are.
Changes that come while the disk writes go into the next transaction; the last thread to leave it commits for all. No
change returns before that commit is on the disk. If the commit fails, all its changes fail with the reason.
"""

import logging
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine

from web.problems.problem import Problem, disk_problem
from web.store.store_errors import is_locked

logger = logging.getLogger(__name__)

SLOW_DISK_S = 60  # for which a change waits for earlier ones
A_MOMENT_S = 0.5  # for which all changes wait for a store that another program has locked; after it only one does
ASKS_AGAIN_MS = 50  # between two tries to lock the store
ASKS_EVERY_S = 0.05  # between two looks whether a change was refused meanwhile
BUSY = "store-busy"
BEGINS_ITSELF = "rollcall_begins_itself"  # the execution option of the connection that writes


@dataclass(eq=False)
class _Batch:
    """The changes of one transaction. `failure`: once `ended` is set, why none of them is done."""

    began: float = field(default_factory=time.monotonic)
    failure: Problem | None = None
    ended: threading.Event = field(default_factory=threading.Event)


@dataclass(eq=False)
class Commits:
    """Changes of the store behind `engine`, by one connection, whose transactions begin and end in SQLite alone: for
    SQLAlchemy it is in one that never ends.

    `errors` raises errors of the engine as `Problem`. `failed` is called after a commit that the disk refused, before
    its changes return. As a context manager it blocks all changes; no transaction runs meanwhile.
    """

    engine: Engine
    errors: Callable[[], AbstractContextManager[None]]
    failed: Callable[[], None]

    def __post_init__(self) -> None:
        self._lock = threading.Lock()  # of the connection that writes: for statements and commits
        self._connection: Connection | None = None  # hold `_lock`
        self._driver: sqlite3.Connection  # of `_connection`
        self._batch: _Batch | None = None  # which takes further changes; hold `_lock`
        self._coming: set[object] = set()  # changes that wait for `_lock` or hold it
        self._commit_s = 0.0  # how long the last commit took
        self._locked_at = math.inf  # since when a change waits for another program that has the store locked
        self._refused_at = -math.inf  # when one last waited for that in vain

    def __enter__(self) -> None:
        self._lock.acquire()
        try:
            self._commit()
        except BaseException:
            self._lock.release()
            raise

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def close(self) -> None:
        """Closes the connection; the next change opens a new one. Enter this first."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def check(self, asked_at: float, waits: bool = True) -> None:
        """Raises `Problem` if a change asked for at `asked_at` (`time.monotonic`) should wait no longer: another one
        waits for a program that locks the store, or did so in vain since. `waits` False: only the latter counts."""
        locked = waits and time.monotonic() - self._locked_at > A_MOMENT_S
        if locked or self._refused_at > asked_at:
            raise Problem(BUSY, 503)

    @contextmanager
    def change(self, waits_s: float, matters: bool = True) -> Iterator[Connection]:
        """A connection in a transaction that is on the disk when it is left. If this or the body raises, nothing of the
        change is done.

        `waits_s`: how long to wait for another program that locks the store. `matters` False: only a moment.
        """
        asked_at, own = time.monotonic(), object()
        self._coming.add(own)
        try:
            if not self._lock.acquire(blocking=False):
                self._take(asked_at)
        except BaseException:
            if self._leave(own) and self._batch is not None:
                with self:  # commits for those who counted on this thread
                    pass
            raise
        try:
            first = self._batch is None
            connection, batch = self._join(waits_s, matters)
            try:
                if not first:
                    self._driver.execute("SAVEPOINT change")
                yield connection
                if not first:
                    self._driver.execute("RELEASE change")
            except BaseException as error:
                # The first one has no savepoint, and some errors of the disk end the whole transaction.
                if first or not _undo_change(self._driver):
                    self._fail(batch, error)
                raise
        except BaseException:
            with self.errors():
                raise
        finally:
            try:
                if self._leave(own) or self._is_due():
                    self._commit()
            finally:
                self._lock.release()
        batch.ended.wait()
        if batch.failure is not None:
            raise Problem(batch.failure.reason, batch.failure.status) from batch.failure

    def _take(self, asked_at: float) -> None:
        """Takes the lock. It waits for a slow disk, but not for changes that wait in turn for another program."""
        while not self._lock.acquire(timeout=ASKS_EVERY_S):
            self.check(asked_at)
            if time.monotonic() - asked_at > SLOW_DISK_S:
                raise Problem(BUSY, 503)
        try:
            self.check(asked_at, waits=False)
        except Problem:
            self._lock.release()
            raise

    def _leave(self, own: object) -> bool:
        """Whether no other change waits, so that this one must commit. Of several that leave at once, the last one sees
        none; if others do too, one commits and they find nothing to do."""
        self._coming.discard(own)
        return not self._coming

    def _is_due(self) -> bool:
        """Whether the transaction has lasted as long as the last commit took."""
        return self._batch is not None and time.monotonic() - self._batch.began >= self._commit_s

    def _join(self, waits_s: float, matters: bool) -> tuple[Connection, _Batch]:
        connection = self._connection or self._open()
        if self._batch is None:
            try:
                self._begin(waits_s if matters else min(waits_s, A_MOMENT_S))
            except BaseException as error:
                self.close()
                if matters and isinstance(error, sqlite3.Error) and is_locked(error):
                    self._refused_at = time.monotonic()
                raise
            self._batch = _Batch()
        return connection, self._batch

    def _open(self) -> Connection:
        connection = self._connection = self.engine.connect().execution_options(**{BEGINS_ITSELF: True})
        connection.begin()
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        self._driver = driver
        # Short, so that `_begin` can look around between two tries.
        driver.execute(f"PRAGMA busy_timeout={ASKS_AGAIN_MS}")
        return connection

    def _begin(self, waits_s: float) -> None:
        until = time.monotonic() + waits_s
        try:
            while True:
                try:
                    # At once: SQLite may refuse the lock, without waiting, to a transaction that read first.
                    self._driver.execute("BEGIN IMMEDIATE")
                    return
                except sqlite3.Error as error:
                    if not is_locked(error) or time.monotonic() >= until:
                        raise
                    self._locked_at = min(self._locked_at, time.monotonic())
        finally:
            self._locked_at = math.inf

    def _commit(self) -> None:
        """Commits the batch and wakes the changes that wait for it. Hold `_lock`."""
        batch, self._batch = self._batch, None
        if batch is None:
            return
        try:
            began = time.monotonic()
            self._driver.execute("COMMIT")
            self._commit_s = time.monotonic() - began
            batch.ended.set()
        except BaseException as error:  # each change of the batch raises it
            try:
                self._fail(batch, error, self.failed)
            except Exception:
                logger.exception("changes could not be kept")
            if not isinstance(error, Exception):
                raise

    def _fail(self, batch: _Batch, error: BaseException, then: Callable[[], None] | None = None) -> None:
        """Fails a batch with this error. `then` is called before its changes return."""
        self._batch = None
        try:
            with self.errors():
                raise error
        except BaseException as cause:
            failure = disk_problem(cause) if isinstance(cause, OSError) else cause
        batch.failure = failure if isinstance(failure, Problem) else Problem("store-failed", 503)
        try:
            self._driver.rollback()
        except sqlite3.Error:
            self.close()
        finally:
            try:
                if then is not None:
                    then()
            finally:
                batch.ended.set()


def _undo_change(driver: sqlite3.Connection) -> bool:
    """Rolls back to the savepoint. Returns whether that worked."""
    try:
        driver.execute("ROLLBACK TO change")
        driver.execute("RELEASE change")
    except sqlite3.Error:
        return False
    return driver.in_transaction
