"""Reads and copies the file of a store without changing it, also while a server uses it."""

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Connection, create_engine

from web.store import schema, upgrade
from web.store.disk import replace_file
from web.store.store_errors import OF_DAMAGE, damage_as_problem, errors_as_problems

WAITS_S = 5.0  # for another program that has the store locked


@contextlib.contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that changes neither the file nor its write-ahead log, also in a folder that may not be written.

    It begins no transaction by itself. Raises sqlite3.Error and OSError if the file cannot be read.
    """
    log = path.with_name(path.name + "-wal")
    # Without a log nobody has it open; `immutable` keeps SQLite from making one.
    how = "mode=ro" if log.exists() else "mode=ro&immutable=1"
    with contextlib.ExitStack() as until:
        if log.exists() and not os.access(path.parent, os.W_OK):  # SQLite may have to make the log's index there
            folder = Path(until.enter_context(TemporaryDirectory(prefix="rollcall-")))
            for file in (path, log):
                shutil.copyfile(file, folder / file.name)
            path = folder / path.name
        uri = f"{path.absolute().as_uri()}?{how}"
        store = sqlite3.connect(uri, uri=True, timeout=WAITS_S, isolation_level=None)
        try:
            yield until.enter_context(contextlib.closing(store))
        except (*OF_DAMAGE, MemoryError) as error:
            raise sqlite3.DatabaseError(f"malformed: {error}") from error


def version_of(store: sqlite3.Connection) -> int | None:
    """The version of a store, of which the file's header has a second copy; None for an empty file.

    Raises `SchemaError` if this Rollcall cannot use it, and sqlite3.Error or ValueError if it is damaged.
    """
    (signed,) = store.execute("PRAGMA user_version").fetchone()
    if not store.execute("SELECT 1 FROM sqlite_master").fetchone() and not signed:
        return None
    (found,) = store.execute("SELECT version FROM schema_version").fetchone()
    is_of_before = 0 < found < schema.FIRST and signed in (0, found)  # the first ones had no copy
    if signed != found and not is_of_before:
        raise ValueError("its two versions differ")
    newer = store.execute("SELECT readable_by FROM schema_version").fetchone()[0] if found > schema.VERSION else found
    schema.check_version(found, newer)
    return int(found)


def copy_store(source: Path, target: Path) -> None:
    """Copies a store as it is at one moment, also while others write to it.

    `target` is one file, there whole or not at all, and on the disk on return. Raises `Problem`, and `SchemaError` for
    one that this Rollcall cannot use, which is not even opened for writing.
    """
    with damage_as_problem(), errors_as_problems(), reading(source) as looked_at:
        version_of(looked_at)
    with damage_as_problem(), errors_as_problems(), replace_file(target) as part, contextlib.ExitStack() as until:
        if os.access(source.parent, os.W_OK):  # which keeps it whole, also if a server starts meanwhile
            store = until.enter_context(contextlib.closing(sqlite3.connect(source, timeout=WAITS_S)))
        else:
            store = until.enter_context(reading(source))
        copy = until.enter_context(contextlib.closing(sqlite3.connect(part)))
        store.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # otherwise its newest lines could be in a file beside it


@contextlib.contextmanager
def open_alone(path: Path) -> Iterator[Connection]:
    """The store in a file that nobody else uses, made or upgraded to the present version, in one transaction.

    Raises `SchemaError` for one that this Rollcall cannot use, and `Problem`.
    """
    engine = create_engine(f"sqlite:///{path}", hide_parameters=True)
    try:
        with errors_as_problems(), engine.begin() as connection:
            upgrade.prepare(connection)
            yield connection
    finally:
        engine.dispose()


@contextlib.contextmanager
def open_copy(path: Path) -> Iterator[Connection]:
    """A copy of the store in file `path`, as `open_alone`: that one is not changed."""
    with TemporaryDirectory(prefix="rollcall-") as folder:
        copied = Path(folder) / path.name
        copy_store(path, copied)
        with open_alone(copied) as connection:
            yield connection
