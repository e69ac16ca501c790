"""Who uses a data folder: whoever holds a lock on it. That a file is there says nothing, since files are left behind.

Three things are locked: a file in the folder, which is all that Windows can do; the folder itself, since the file may
be deleted while its lock is held; and the store, which may have a name in another folder as well. A lock ends with its
process. SQLite's own locks on the store are of another kind (fcntl), and neither sees the other.
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
    """The locks of a folder that this process uses alone."""

    def __init__(self, data: Path) -> None:
        self._store = data / FILE_NAME
        self._opened = contextlib.ExitStack()
        self._locked: tuple[int, int] | None = None  # the device and the number of the store

    def take_store(self) -> None:
        """Locks the store that is in the folder now, if there is one. Raises `InUseError`.

        It stays open until the end: with it this process would close SQLite's own locks on it.
        """
        try:
            about = self._store.stat()
        except OSError:
            return
        if self._locked != (about.st_dev, about.st_ino):
            try:
                _lock(self._store, self._opened, alone=True)
            except BlockingIOError as error:
                raise InUseError(store=True) from error
            self._locked = about.st_dev, about.st_ino

    def close(self) -> None:
        self._opened.close()


@contextlib.contextmanager
def alone(data: Path) -> Iterator[FolderLock]:
    """Has no other process use the folder. Raises `InUseError`, and OSError where it cannot be written."""
    held = FolderLock(data)
    lock = filelock.FileLock(data / LOCK)
    with contextlib.ExitStack() as opened:
        opened.callback(lock.release)
        opened.callback(held.close)
        try:
            _lock(data, opened, alone=True)
            held.take_store()
            lock.acquire(timeout=0)  # last: it makes the file
        except (filelock.Timeout, BlockingIOError) as error:
            raise InUseError from error
        yield held


@contextlib.contextmanager
def looked_at(data: Path) -> Iterator[bool]:
    """Whether nobody uses the folder alone; nobody can begin to before it is left. Nothing is written."""
    with contextlib.ExitStack() as opened:
        try:
            if fcntl is None and (data / LOCK).exists():
                opened.enter_context(filelock.FileLock(data / LOCK).acquire(timeout=0))
            for path in (data, data / LOCK, data / FILE_NAME):
                _lock(path, opened, alone=False)
            free = True
        except (filelock.Timeout, BlockingIOError):
            free = False
        yield free


def _lock(path: Path, opened: contextlib.ExitStack, alone: bool) -> None:
    """Locks a file or a folder until `opened` ends. Raises BlockingIOError where another process has it.

    Without a lock goes on what is not there or cannot be locked, as on some file systems of networks.
    """
    if fcntl is None:
        return
    try:
        number = os.open(path, os.O_RDONLY)
    except OSError:
        return
    opened.callback(os.close, number)
    try:
        fcntl.flock(number, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        pass
