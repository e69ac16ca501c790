"""Reads a store without changing it, also in a folder that may not be written."""

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

UNOPENED = ("unable to open", "readonly")  # SQLite's words if it needs a file beside the store and may not make it


@contextlib.contextmanager
def open_read_only(path: Path, waits_s: float) -> Iterator[sqlite3.Connection]:
    """A connection that reads the store in file `path` with its write-ahead log. Raises sqlite3.Error and OSError.
    `waits_s`: how long to wait for another program that has it locked."""
    log = path.with_name(path.name + "-wal")
    # Without a log nobody has it open; `immutable` keeps SQLite from making one.
    alone = "" if log.exists() else "&immutable=1"
    uri = f"{path.absolute().as_uri()}?mode=ro{alone}"
    with contextlib.ExitStack() as until:
        store = until.enter_context(contextlib.closing(sqlite3.connect(uri, uri=True, timeout=waits_s)))
        if not alone and not _opens(store):
            # The index of the log is missing and may not be made there.
            folder = Path(until.enter_context(tempfile.TemporaryDirectory(prefix="rollcall-")))
            for file in (path, log):
                shutil.copyfile(file, folder / file.name)
            store = until.enter_context(contextlib.closing(sqlite3.connect(folder / path.name, timeout=waits_s)))
        yield store


def _opens(store: sqlite3.Connection) -> bool:
    try:
        store.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        return not cannot_open(error)
    except ValueError:  # a name with flipped bits: the reader finds it
        return True
    return True


def cannot_open(error: sqlite3.Error) -> bool:
    """Whether SQLite could not open a file, which is no damage of it."""
    return any(words in str(error) for words in UNOPENED)


def copy_to(target: Path, store: sqlite3.Connection) -> None:
    """Writes an open store, as it is at one moment, to one file."""
    with contextlib.closing(sqlite3.connect(target)) as copy:
        store.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # otherwise its newest lines could be in a file beside it
