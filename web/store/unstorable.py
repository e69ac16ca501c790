"""Raises failed statements as `Problem`. Data that no store can hold is told as such, not as a failure of the disk or
the database."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, StatementError

from web.problems import Problem

logger = logging.getLogger(__name__)


@contextmanager
def statement_errors_as_problems(
    problem: Callable[[BaseException | None], Problem], of_driver: type[Exception]
) -> Iterator[None]:
    """Raises errors of statements, except IntegrityError, as `Problem`. `problem`: makes one of the driver's error;
    `of_driver`: those of the journal's own statements."""
    try:
        yield
    except IntegrityError:
        raise
    except of_driver as error:
        raise problem(error) from error
    except (StatementError, UnicodeEncodeError, OverflowError) as error:
        if (told := unstorable(error)) is not None:
            raise told from error
        if isinstance(error, DBAPIError):
            raise problem(error.orig) from error
        raise


def unstorable(error: BaseException) -> Problem | None:
    """The problem if the engine or its driver refused a text or a number; None for any other failure.

    Input is checked before (`web.session.names`), so this last net is logged.
    """
    cause = error.orig if isinstance(error, StatementError) else error
    refused = isinstance(error, DataError) or isinstance(cause, (UnicodeEncodeError, OverflowError))
    # What the driver did not send fails with a ValueError.
    unsent = isinstance(error, StatementError) and isinstance(cause, ValueError)
    if not refused and not unsent:
        return None
    logger.warning("what was sent cannot be stored: %s: %s", type(cause).__name__, cause)
    return Problem("bad-request", 400, detail="a text or a number in it cannot be stored")
