"""What SQLite's messages mean; Python has its error codes only since 3.11."""

import functools
import sqlite3

from web.common.problems import Problem
from web.store.unstorable import statement_errors_as_problems

LOCKED = ("locked", "busy")  # another program has the store
DAMAGED = ("malformed", "not a database", "not decode")  # the last one: a text is no longer UTF-8
REASONS = ((LOCKED, "store-busy"), (("is full",), "store-full"), (DAMAGED, "store-damaged"))


def is_locked(error: BaseException | None) -> bool:
    return _says(error, LOCKED)


def problem(error: BaseException | None) -> Problem:
    """The problem that people are told for an error."""
    return Problem(next((reason for words, reason in REASONS if _says(error, words)), "store-failed"), 503)


def _says(error: BaseException | None, words: tuple[str, ...]) -> bool:
    return any(word in str(error) for word in words)


errors_as_problems = functools.partial(statement_errors_as_problems, problem, sqlite3)
