"""What the commands on a store share that nobody asks by phone: why one did nothing, and where the store is."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from web.problems.problem import Problem
from web.store import data_folder
from web.store.maintenance import locking
from web.store.schema import DatabaseError, SchemaError
from web.store.sqlite import FILE_NAME
from web.store.store_errors import OF_DAMAGE, problem


class NotDoneError(Exception):
    """A command did nothing: one sentence that says what was wrong and what would be right."""


@contextlib.contextmanager
def explain_failure(what: str, data: Path | str = "") -> Iterator[None]:
    """Raises why a store cannot be used as `NotDoneError`, after the words `what`. `data`: its folder."""
    try:
        yield
    except locking.InUseError as error:
        raise NotDoneError(f"a server runs with {data}: end it first, then try again") from error
    except (OSError, Problem, sqlite3.Error, DBAPIError, DatabaseError, SchemaError, *OF_DAMAGE) as error:
        cause: Exception = error
        if isinstance(error, OF_DAMAGE):
            cause = Problem("store-damaged", 503)
        elif isinstance(error, (sqlite3.Error, DBAPIError)):
            cause = problem(error)
        raise NotDoneError(f"{what}: {data_folder.why(cause)}") from error


def store_in(data: Path) -> Path:
    """The file with the games in a data folder. Raises `NotDoneError`."""
    if not (data / FILE_NAME).is_file():
        raise NotDoneError(f"there are no games in {data}: name the folder that the server uses with --data")
    return data / FILE_NAME
