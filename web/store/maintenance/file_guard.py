"""Looking after the files of an open store: the log is folded in when it is quiet, and a file that goes is noticed.

As long as the server runs it holds the files open, so that nothing is lost with the name of one that somebody deletes:
what was in it is written to where it belongs.
"""

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

from web.problems import Problem
from web.store.disk import identity, replace_file
from web.store.maintenance import startup_check
from web.store.maintenance.log_heads import LogHeads
from web.store.maintenance.read_only import copy_to
from web.store.maintenance.watermarks import Watermark

logger = logging.getLogger(__name__)

LOOKS_AFTER_S = 1.0
QUIET_S = 2.0  # after the last change
FOLDS_AFTER = 150  # transactions, of which each adds some pages to the log
MOST_PAGES = 10_000  # of the log, before changes wait until it can begin anew: 40 MB, minutes of a busy club
BUSY_MS = 200  # for which those who read are waited for
TRIES = 25  # to write a deleted log's lines into the store, each of them so long
FOUND = "rollcall-found-{}"  # what lay in the place of the deleted store

Files = tuple[tuple[int, ...], tuple[int, ...]]  # device and number of the store and its log


class FileGuard:
    """Looks after the store in file `path`, which is open. `writing`: entered, nobody changes it.

    `reopen` closes all other connections, so that they are made anew; `notices` gets what was noticed.
    `known`: by which the file is known again at the next start.
    """

    def __init__(
        self,
        path: Path,
        writing: AbstractContextManager[None],
        heads: LogHeads,
        reopen: Callable[[], None],
        notices: list[Problem],
        known: Watermark,
    ) -> None:
        self._path = path
        self._log = path.with_name(path.name + "-wal")
        self._writing = writing
        self._heads = heads
        self._reopen = reopen
        self._notices = notices
        self._watermark = known
        self._wrote_at = time.monotonic()
        self._folded = False
        self._unfolded = 0  # looks before and after changes, since some of the log was folded in
        self._told = False
        self._connection = self._open()
        self._files = self._identities()
        with contextlib.suppress(sqlite3.Error):  # tried again soon
            self._fold()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Folds the log in and lets go of the store."""
        self._ended.set()
        self._thread.join(timeout=5)
        with self._writing, contextlib.suppress(sqlite3.Error, OSError, Problem):
            self.look()
            self._fold()
        self._connection.close()

    @property
    def moved(self) -> bool:
        """Whether a file does not lie where it did."""
        return self._identities() != self._files

    def look(self, writes: bool = False) -> None:
        """Whether the files lie where they did, and what is to be done where not; `writes`: before and after a change.

        Hold `writing`. Raises sqlite3.Error and OSError where nothing could be done.
        """
        if writes:
            self._wrote_at = time.monotonic()
            self._folded = False
            self._unfolded += 1
        if self.moved:
            self._rescue()

    def write_over(self) -> None:
        """After a commit whose sync failed. The log may hold all of it: whoever opens the store after a kill would take
        what was refused for done. What is written next lies in its place, even if that is not synced either.

        Hold `writing`.
        """
        try:
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute(f"PRAGMA user_version = {version}")
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            logger.warning("the disk does not take what is written: %s", error)
        finally:
            if self._connection.in_transaction:
                with contextlib.suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")

    def repair(self, why: str) -> None:
        """Puts what can be saved of the store in its place, and tells so.

        Hold `writing`, while nobody reads. Raises sqlite3.Error, OSError and `Problem`; then all is as it was.
        """
        self._reopen()  # this connection stays until then: the last one of a store writes and deletes its log
        done = startup_check.repair(self._path, self._heads, [why])
        self._connection.close()
        self._connection = self._open()
        self._files = self._identities()
        self._notices[:] = [*self._notices, *done]

    def _run(self) -> None:
        while not self._ended.wait(LOOKS_AFTER_S):
            try:
                self._fold_meanwhile()
            except sqlite3.Error as error:
                logger.debug("the log of the game file is not folded in: %s", error)  # it is tried again
            with self._writing:
                try:
                    self.look()
                    if not self._heads.exists():
                        self._heads.reset(self._heads.name, list(self._heads.known.values()))
                    if not self._folded and time.monotonic() - self._wrote_at >= QUIET_S:
                        self._fold()
                    self._told = False
                except (sqlite3.Error, OSError) as error:
                    if not self._told:
                        logger.warning("the game file cannot be looked after: %s", error)
                    self._told = True

    def _fold_meanwhile(self) -> None:
        """Folds in what can be while changes are made, so that none of them waits for it. SQLite would have a change
        do it, and all others wait: that takes three syncs."""
        if self._unfolded < 2 * FOLDS_AFTER or self.moved:
            return
        self._unfolded = 0
        # Its own connection: the other one may be closed by whoever notices that a file is gone.
        uri = f"{self._path.absolute().as_uri()}?mode=rw"
        with (
            contextlib.closing(sqlite3.connect(uri, uri=True, timeout=BUSY_MS / 1000)) as connection,
            self._watermark.folding(),
        ):
            _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if pages > MOST_PAGES:
                with self._writing:  # nothing is added meanwhile, so that the next change begins the log anew
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _fold(self) -> bool:
        """Writes what the log holds into the store's own file. Returns whether all of it is there."""
        self._heads.to_disk()
        with self._watermark.folding():
            busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._folded = not busy
        return self._folded

    def _rescue(self) -> None:
        if self._identities()[0] == self._files[0]:
            for _ in range(TRIES):
                if self._fold():
                    break
            else:
                raise OSError("the log of the game file was deleted, and another program keeps it from being written")
        else:
            self._write_anew()
        self._connection.close()
        self._reopen()
        self._connection = self._open()
        self._files = self._identities()
        notice = Problem("store-rescued", file=self._path.name)
        self._notices[:] = [each for each in self._notices if each.reason != notice.reason] + [notice]
        logger.warning("%s", notice)

    def _write_anew(self) -> None:
        """The store's own file is gone, or is another one: what is open is written to its place."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replace_file(self._path) as part:
            copy_to(part, self._connection)
            aside = FOUND.format(time.strftime("%Y-%m-%d-%H%M%S"))
            for suffix in ("-wal", "-shm", ""):
                there = self._path.with_name(self._path.name + suffix)
                if there.exists() and suffix != "-shm":
                    there.rename(self._path.with_name(f"{aside}.db{suffix}"))
                there.unlink(missing_ok=True)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        for pragma in (f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=0"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # which opens the log as well
        return connection

    def _identities(self) -> Files:
        return identity(self._path)[:2], identity(self._log)[:2]
