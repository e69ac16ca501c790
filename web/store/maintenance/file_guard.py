"""Guards the files of an open store: checkpoints the write-ahead log in quiet moments, and notices deleted files.

The server holds the files open. So if somebody deletes one, its content is still there and is written to its place.
"""

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
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
CHECKPOINT_AFTER = 150  # transactions; each adds some pages to the log
MOST_PAGES = 10_000  # of the log, 40 MB: then changes wait for a checkpoint
BUSY_MS = 200  # for which a checkpoint waits for readers
TRIES = 25  # of a checkpoint after the log was deleted, each of BUSY_MS
FOUND = "rollcall-found-{}"  # the file that took the place of a deleted store

Files = tuple[tuple[int, ...], tuple[int, ...]]  # device and number of the store and its log


@dataclass(eq=False)
class FileGuard:
    """Guards the open store in file `path`. Inside `writing` nobody changes it.

    `reopen` closes all other connections; new ones are opened when needed. It adds to `notices` what it did.
    """

    path: Path
    writing: AbstractContextManager[None]
    heads: LogHeads
    reopen: Callable[[], None]
    notices: list[Problem]
    watermark: Watermark

    def __post_init__(self) -> None:
        self._log = self.path.with_name(self.path.name + "-wal")
        self._wrote_at = time.monotonic()
        self._is_checkpointed = False
        self._looks_since = 0  # calls of `look` around changes since the last checkpoint
        self._told = False
        self._connection = self._open()
        self._files = self._identities()
        with contextlib.suppress(sqlite3.Error):  # tried again soon
            self._checkpoint()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Checkpoints the log and closes the store."""
        self._ended.set()
        self._thread.join(timeout=5)
        with self.writing, contextlib.suppress(sqlite3.Error, OSError, Problem):
            self.look()
            self._checkpoint()
        self._connection.close()

    @property
    def moved(self) -> bool:
        return self._identities() != self._files

    def look(self, writes: bool = False) -> None:
        """Writes files again that are no longer in their place. `writes`: called before or after a change.

        Hold `writing`. Raises sqlite3.Error and OSError if it fails.
        """
        if writes:
            self._wrote_at = time.monotonic()
            self._is_checkpointed = False
            self._looks_since += 1
        if self.moved:
            self._rescue()

    def empty_log(self) -> None:
        """Takes what was deleted from the store out of the write-ahead log, now or with the next checkpoint.

        Hold `writing`.
        """
        with contextlib.suppress(sqlite3.Error):
            self._checkpoint()

    def write_over(self) -> None:
        """Overwrites a commit in the log whose sync failed: a later start could take the refused change for done. This
        works also if its own sync fails.

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
        """Replaces the store by what can be recovered of it, and adds a notice.

        Hold `writing` while nobody reads. Raises sqlite3.Error, OSError and `Problem`; then nothing changed.
        """
        self.reopen()  # but keep this connection: closing the last one writes and deletes the log
        done = startup_check.repair(self.path, self.heads, [why])
        self._connection.close()
        self._connection = self._open()
        self._files = self._identities()
        self.notices[:] = [*self.notices, *done]

    def _run(self) -> None:
        while not self._ended.wait(LOOKS_AFTER_S):
            try:
                self._checkpoint_meanwhile()
            except sqlite3.Error as error:
                logger.debug("the log of the game file is not checkpointed: %s", error)  # it is tried again
            with self.writing:
                try:
                    self.look()
                    if not self.heads.exists():
                        self.heads.reset(self.heads.name, list(self.heads.known.values()))
                    if not self._is_checkpointed and time.monotonic() - self._wrote_at >= QUIET_S:
                        self._checkpoint()
                    self._told = False
                except (sqlite3.Error, OSError) as error:
                    if not self._told:
                        logger.warning("the game file cannot be looked after: %s", error)
                    self._told = True

    def _checkpoint_meanwhile(self) -> None:
        """Checkpoints what it can beside changes, so that none waits for it. SQLite would do it within a change, which
        takes three syncs."""
        if self._looks_since < 2 * CHECKPOINT_AFTER or self.moved:
            return
        self._looks_since = 0
        # Its own connection: `look` may close the other one.
        uri = f"{self.path.absolute().as_uri()}?mode=rw"
        with (
            contextlib.closing(sqlite3.connect(uri, uri=True, timeout=BUSY_MS / 1000)) as connection,
            self.watermark.folding(),
        ):
            _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if pages > MOST_PAGES:
                with self.writing:  # no changes, so that the log can start from its beginning again
                    connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def _checkpoint(self) -> bool:
        """Writes the log into the store's file. Returns whether all of it is there."""
        self.heads.to_disk()
        with self.watermark.folding():
            busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._is_checkpointed = not busy
        return self._is_checkpointed

    def _rescue(self) -> None:
        if self._identities()[0] == self._files[0]:
            for _ in range(TRIES):
                if self._checkpoint():
                    break
            else:
                raise OSError("the log of the game file was deleted, and another program keeps it from being written")
        else:
            self._write_again()
        self._connection.close()
        self.reopen()
        self._connection = self._open()
        self._files = self._identities()
        notice = Problem("store-rescued", file=self.path.name)
        self.notices[:] = [each for each in self.notices if each.reason != notice.reason] + [notice]
        logger.warning("%s", notice)

    def _write_again(self) -> None:
        """Writes the open store to its place, if its file is gone or another one."""
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replace_file(self.path) as part:
            copy_to(part, self._connection)
            aside = FOUND.format(time.strftime("%Y-%m-%d-%H%M%S"))
            for suffix in ("-wal", "-shm", ""):
                there = self.path.with_name(self.path.name + suffix)
                if there.exists() and suffix != "-shm":
                    there.rename(self.path.with_name(f"{aside}.db{suffix}"))
                there.unlink(missing_ok=True)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        for pragma in (f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=FULL", "wal_autocheckpoint=0"):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()  # opens the log too
        return connection

    def _identities(self) -> Files:
        return identity(self.path)[:2], identity(self._log)[:2]
