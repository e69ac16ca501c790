"""What is told of a statement that failed. Data that no store can hold is told as what it is, and never as a failure of
the disk or of the way to a database."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, StatementError

from web.problems import Problem

logger = logging.getLogger(__name__)


@contextmanager
def statement_errors_as_problems(problem: Callable[[BaseException | None], Problem]) -> Iterator[None]:
    """Raises as `Problem` what failed of a statement, but for IntegrityError. `problem`: of an error of the driver."""
    try:
        yield
    except IntegrityError:
        raise
    except (StatementError, UnicodeEncodeError, OverflowError) as error:
        if (told := unstorable(error)) is not None:
            raise told from error
        if isinstance(error, DBAPIError):
            raise problem(error.orig) from error
        raise


def unstorable(error: BaseException) -> Problem | None:
    """What is told of a statement with a text or a number that the engine or its driver refused; None: it failed for
    another reason.

    What people send is checked before (`web.session.names`), so this is the last net: it is logged.
    """
    cause = error.orig if isinstance(error, StatementError) else error
    refused = isinstance(error, DataError) or isinstance(cause, (UnicodeEncodeError, OverflowError))
    # What fails on the way to the driver has not been sent to any database yet.
    unsent = isinstance(error, StatementError) and isinstance(cause, ValueError)
    if not refused and not unsent:
        return None
    logger.warning("what was sent cannot be stored: %s: %s", type(cause).__name__, cause)
    return Problem("bad-request", 400, detail="a text or a number in it cannot be stored")
