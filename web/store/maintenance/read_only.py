"""A store that is read where it lies and stays as it is, also in a folder that may not be written."""

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

UNOPENED = ("unable to open", "readonly")  # what SQLite says where it needs a file beside the store and may make none


@contextlib.contextmanager
def open_read_only(path: Path, waits_s: float) -> Iterator[sqlite3.Connection]:
    """A connection that reads the store in file `path`, with what its write-ahead log holds. Raises sqlite3.Error where
    it cannot be read, and OSError. `waits_s`: how long another program that has it locked is waited for."""
    log = path.with_name(path.name + "-wal")
    # Without a log beside it nobody has it open, and none is made when it is told so.
    alone = "" if log.exists() else "&immutable=1"
    uri = f"{path.absolute().as_uri()}?mode=ro{alone}"
    with contextlib.ExitStack() as until:
        store = until.enter_context(contextlib.closing(sqlite3.connect(uri, uri=True, timeout=waits_s)))
        if not alone and not _opens(store):
            # The index of the log is not there either, and may not be made beside it.
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
    except ValueError:  # of a name that bits were flipped in: whoever reads is told
        return True
    return True


def cannot_open(error: sqlite3.Error) -> bool:
    """Whether SQLite could not open a file, which is no damage."""
    return any(words in str(error) for words in UNOPENED)


def copy_to(target: Path, store: sqlite3.Connection) -> None:
    """Writes an open store, as it is at one moment, to one file."""
    with contextlib.closing(sqlite3.connect(target)) as copy:
        store.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # else its newest lines could lie in a file beside it
