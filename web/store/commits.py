"""Group commit: changes that come from many threads at once share a transaction, and with it one wait for the disk.

One transaction runs at a time. Each change is a savepoint in it, so that one which fails leaves the others as they are.
What comes while the disk writes goes into the next transaction, and whoever leaves that last commits for all. Nobody is
told that his change is done before that commit is on the disk, and if it fails, all of them are told why.
"""

import logging
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from web.problems import Problem, disk_problem
from web.store.maintenance.log_heads import LogHead
from web.store.sqlite_errors import is_locked

logger = logging.getLogger(__name__)

SLOW_DISK_S = 60  # for which a change waits for those before it
A_MOMENT_S = 0.5  # for which everybody waits for a store that another program has locked; then only one does
ASKS_AGAIN_MS = 50  # whether another program still has the store locked
ASKS_EVERY_S = 0.05  # whether the lock is free, or was refused to somebody
BUSY = "store-busy"


class _Batch:
    """The changes of one transaction. `failure`: why none of them is done, once `ended` is set."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.heads: list[LogHead] = []
        self.failure: Problem | None = None
        self.ended = threading.Event()


class Commits:
    """Changes of the store behind `engine`, whose connections begin by asking for SQLite's lock to write.

    `told` turns errors of the engine into `Problem`. `before` is called before each transaction, `after` with the heads
    of its changes once it is on the disk; what they raise fails it. `failed` is called after a commit that the disk did
    not take, before anybody is told. As a context manager it keeps everybody from writing, and no transaction runs
    meanwhile.
    """

    def __init__(
        self,
        engine: Engine,
        told: Callable[[], AbstractContextManager[None]],
        before: Callable[[], None],
        after: Callable[[Sequence[LogHead]], None],
        failed: Callable[[], None],
    ) -> None:
        self._engine = engine
        self._errors = told
        self._before = before
        self._after = after
        self._failed = failed
        self._lock = threading.Lock()  # of the connection that writes: for statements and commits
        self._connection: Connection | None = None  # hold `_lock`
        self._batch: _Batch | None = None  # which takes further changes; hold `_lock`
        self._heads: list[LogHead] = []  # of the change that runs; hold `_lock`
        self._counting = threading.Lock()
        self._coming = 0  # changes that wait for `_lock` or hold it; hold `_counting`
        self._commit_s = 0.0  # how long the last commit took
        self._locked_at = math.inf  # when the store was found to be locked by another program, while one waits for it
        self._refused_at = -math.inf  # when one had waited for that in vain

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
        """Lets go of the connection; the next change makes a new one. Enter this first."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def note(self, heads: Sequence[LogHead]) -> None:
        """How far tables go with the change that runs in this thread."""
        self._heads += heads

    def check(self, asked_at: float, waits: bool = True) -> None:
        """Raises `Problem` where a change that was asked for then (`time.monotonic`) is not to wait any longer: another
        one waits for a program that has the store locked, or did so in vain since. `waits` False: only in vain."""
        locked = waits and time.monotonic() - self._locked_at > A_MOMENT_S
        if locked or self._refused_at > asked_at:
            raise Problem(BUSY, 503)

    @contextmanager
    def change(self, waits_s: float, matters: bool = True) -> Iterator[Connection]:
        """A connection in a transaction that is on the disk when it is left. Raises `Problem`, and what is raised
        inside; then nothing of this change is done.

        `waits_s`: how long another program that has the store locked is waited for. `matters` False: a moment at most,
        and others go on waiting.
        """
        asked_at = time.monotonic()
        with self._counting:
            self._coming += 1
        try:
            self._take(asked_at)
        except BaseException:
            if self._leave() and self._batch is not None:
                with self:  # commits for those who counted on this thread
                    pass
            raise
        try:
            first = self._batch is None
            connection, batch = self._join(waits_s, matters)
            with self._point(connection, batch, first):
                yield connection
        finally:
            try:
                if self._leave() or self._is_due():
                    self._commit()
            finally:
                self._lock.release()
        batch.ended.wait()
        if batch.failure is not None:
            raise Problem(batch.failure.reason, batch.failure.status) from batch.failure

    def _take(self, asked_at: float) -> None:
        """A slow disk is waited for. But while another program has the store locked, those who wait here must not wait
        for one another in turn."""
        while not self._lock.acquire(timeout=ASKS_EVERY_S):
            self.check(asked_at)
            if time.monotonic() - asked_at > SLOW_DISK_S:
                raise Problem(BUSY, 503)
        try:
            self.check(asked_at, waits=False)
        except Problem:
            self._lock.release()
            raise

    def _leave(self) -> bool:
        """Whether nobody else comes, so that who leaves has to commit."""
        with self._counting:
            self._coming -= 1
            return not self._coming

    def _is_due(self) -> bool:
        """Whether those who are in the transaction have waited for others as long as they would for the disk."""
        return self._batch is not None and time.monotonic() - self._batch.began >= self._commit_s

    def _join(self, waits_s: float, matters: bool) -> tuple[Connection, _Batch]:
        if self._batch is None:
            self._before()
        with self._errors():
            connection = self._connection = self._connection or self._open()
            if self._batch is None:
                try:
                    self._begin(connection, waits_s if matters else min(waits_s, A_MOMENT_S))
                except BaseException as error:
                    self.close()
                    if matters and isinstance(error, DBAPIError) and is_locked(error.orig):
                        self._refused_at = time.monotonic()
                    raise
                self._batch = _Batch()
        return connection, self._batch

    def _open(self) -> Connection:
        connection = self._engine.connect()
        # It asks again and again, so that others can be told meanwhile.
        _driver(connection).execute(f"PRAGMA busy_timeout={ASKS_AGAIN_MS}")
        return connection

    def _begin(self, connection: Connection, waits_s: float) -> None:
        until = time.monotonic() + waits_s
        try:
            while True:
                try:
                    connection.begin()
                    return
                except DBAPIError as error:
                    if not is_locked(error.orig) or time.monotonic() >= until:
                        raise
                    self._locked_at = min(self._locked_at, time.monotonic())
        finally:
            self._locked_at = math.inf

    @contextmanager
    def _point(self, connection: Connection, batch: _Batch, first: bool) -> Iterator[None]:
        """A savepoint of the batch, for one change. Where that cannot be taken back alone, all of the batch is; so is
        the first change, for which there is no savepoint."""
        self._heads = []
        try:
            with self._errors():
                if not first:
                    _driver(connection).execute("SAVEPOINT change")
                yield
                if not first:
                    _driver(connection).execute("RELEASE change")
        except BaseException as error:
            if first or not _undo_change(connection):
                self._fail(batch, error)
            raise
        batch.heads += self._heads

    def _commit(self) -> None:
        """Puts what runs on the disk and lets everybody know who waits for that. Hold `_lock`."""
        batch, self._batch = self._batch, None
        if batch is None or self._connection is None:
            return
        try:
            try:
                began = time.monotonic()
                with self._errors():
                    self._connection.commit()
                self._commit_s = time.monotonic() - began
            except BaseException as error:
                self._fail(batch, error, self._failed)
                raise
            self._after(batch.heads)
            batch.ended.set()
        except BaseException as error:
            if not batch.ended.is_set():
                self._fail(batch, error)
            if not isinstance(error, Exception):
                raise
            if not isinstance(error, Problem):  # each of the batch is told
                logger.error("changes could not be kept", exc_info=error)

    def _fail(self, batch: _Batch, error: BaseException, then: Callable[[], None] | None = None) -> None:
        """Nothing of a batch is done, for the reason of this error. `then` is called before anybody hears of it."""
        self._batch = None
        failure = disk_problem(error) if isinstance(error, OSError) else error
        batch.failure = failure if isinstance(failure, Problem) else Problem("store-failed", 503)
        try:
            if self._connection is not None:
                self._connection.rollback()
        except DBAPIError:
            self.close()
        finally:
            try:
                if then is not None:
                    then()
            finally:
                batch.ended.set()


def _driver(connection: Connection) -> sqlite3.Connection:
    driver = connection.connection.driver_connection
    assert isinstance(driver, sqlite3.Connection)
    return driver


def _undo_change(connection: Connection) -> bool:
    """Takes back what was done since the savepoint. Returns whether that was possible: some errors of the disk have
    SQLite end the whole transaction."""
    driver = _driver(connection)
    try:
        driver.execute("ROLLBACK TO change")
        driver.execute("RELEASE change")
    except sqlite3.Error:
        return False
    return driver.in_transaction
