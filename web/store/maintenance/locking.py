"""Locks a data folder, so that one process at a time uses it. A mere file says nothing, since files are left behind.

Three things are locked: a file in the folder, which is all that Windows can lock; the folder itself, since the file may
be deleted meanwhile; and the store, which may have another name in another folder. A lock ends with its process.
SQLite's own locks on the store are of another kind (fcntl), and the two kinds do not see each other.
"""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import filelock

from web.store.sqlite import FILE_NAME

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOCK = "rollcall.lock"  # the file


class InUseError(Exception):
    """Another process uses the folder, or with `store` the same store in another folder."""

    def __init__(self, store: bool = False) -> None:
        super().__init__("another Rollcall runs with it")
        self.store = store


class FolderLock:
    """The locks of a folder that this process alone uses, until `until` ends."""

    def __init__(self, data: Path, until: contextlib.ExitStack) -> None:
        self._store, self._until = data / FILE_NAME, until
        self._locked: tuple[int, int] | None = None  # the device and the number of the store

    def take_store(self) -> None:
        """Locks the store in the folder, if there is one by now. Raises `InUseError`.

        It stays open until the end, since closing it would release SQLite's locks of this process.
        """
        try:
            about = self._store.stat()
            if self._locked != (about.st_dev, about.st_ino):
                _lock(self._store, self._until, alone=True)
            self._locked = about.st_dev, about.st_ino
        except BlockingIOError as error:
            raise InUseError(store=True) from error
        except OSError:
            return


@contextlib.contextmanager
def alone(data: Path) -> Iterator[FolderLock]:
    """Keeps other processes from using the folder. Raises `InUseError`, and OSError if it cannot be written."""
    with contextlib.ExitStack() as until:
        held = FolderLock(data, until)
        try:
            _lock(data, until, alone=True)
            held.take_store()
            until.enter_context(filelock.FileLock(data / LOCK).acquire(timeout=0))  # last: it makes the file
        except (filelock.Timeout, BlockingIOError) as error:
            raise InUseError from error
        yield held


@contextlib.contextmanager
def looked_at(data: Path) -> Iterator[bool]:
    """Whether no process uses the folder alone; none can begin to until it is left. It writes nothing."""
    with contextlib.ExitStack() as until:
        try:
            if fcntl is None and (data / LOCK).exists():
                until.enter_context(filelock.FileLock(data / LOCK).acquire(timeout=0))
            for path in (data, data / LOCK, data / FILE_NAME):
                _lock(path, until, alone=False)
            free = True
        except (filelock.Timeout, BlockingIOError):
            free = False
        yield free


def _lock(path: Path, until: contextlib.ExitStack, alone: bool) -> None:
    """Locks a file or a folder. Raises BlockingIOError if another process has it.

    It skips what is missing or cannot be locked, as on some network file systems.
    """
    if fcntl is not None:
        try:
            number = os.open(path, os.O_RDONLY)
            until.callback(os.close, number)
            fcntl.flock(number, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            return
