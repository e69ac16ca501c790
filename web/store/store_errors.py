"""Raises failed statements as `Problem`. Data that no store can hold is told as such, not as a failure of the disk or
the database."""

import functools
import logging
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import IntegrityError, InvalidRequestError, StatementError

from web.problems.problem import Problem

logger = logging.getLogger(__name__)


@contextmanager
def statement_errors_as_problems(problem: Callable[[BaseException | None], Problem], driver: Any) -> Iterator[None]:
    """Raises errors of statements, except SQLAlchemy's IntegrityError, as `Problem`. `problem`: makes one of an error
    of the `driver`, a module by PEP 249.

    Input is checked before (`web.table.names`), so what this last net finds cannot be stored is logged.
    """
    try:
        yield
    except IntegrityError:
        raise
    except (StatementError, driver.Error, UnicodeEncodeError, OverflowError) as error:
        cause = error.orig if isinstance(error, StatementError) else error
        # What the driver did not send fails with a ValueError.
        if isinstance(cause, (driver.DataError, UnicodeEncodeError, OverflowError, ValueError)):
            logger.warning("what was sent cannot be stored: %s: %s", type(cause).__name__, cause)
            raise Problem("bad-request", 400, detail="a text or a number in it cannot be stored") from error
        if isinstance(cause, driver.Error):
            raise problem(cause) from error
        raise


LOCKED = ("locked", "busy")  # another program has the store
DAMAGED = ("malformed", "not a database", "not decode")  # the last one: a text is no longer UTF-8
REASONS = ((LOCKED, "store-busy"), (("is full",), "store-full"), (DAMAGED, "store-damaged"))

# What Python and SQLAlchemy raise at values, names and keys that damage changed.
OF_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, IntegrityError, InvalidRequestError)


def is_locked(error: BaseException | None) -> bool:
    return _says(error, LOCKED)


def problem(error: BaseException | None) -> Problem:
    return Problem(next((reason for words, reason in REASONS if _says(error, words)), "store-failed"), 503)


def _says(error: BaseException | None, words: tuple[str, ...]) -> bool:
    return any(word in str(error) for word in words)


errors_as_problems = functools.partial(statement_errors_as_problems, problem, sqlite3)


@contextmanager
def damage_as_problem() -> Iterator[None]:
    """Raises as `Problem` what damaged values lead to, where all values come from a store."""
    try:
        yield
    except OF_DAMAGE as error:
        logger.debug("the store is damaged: %s: %s", type(error).__name__, error)
        raise Problem("store-damaged", 503) from error


def require_beyond(last: Any, keys: Iterable[Any]) -> None:
    """Raises `Problem` unless all keys of a page are higher than the `last` one before it, as was asked: by a damaged
    index the same rows are found again, for ever."""
    with damage_as_problem():
        if not all(key > last for key in keys):
            raise ValueError("an index is out of order")
