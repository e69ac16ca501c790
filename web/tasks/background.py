"""Work beside requests: the core says what is to be done and when, a host does it in its own way."""

import logging
from collections.abc import Callable
from typing import Protocol

logger = logging.getLogger(__name__)

ENDS_WITHIN_S = 10.0
AFTER_FAILURE_S = 10.0

# Does what is due. Returns after how many seconds there is more to do; None: when the task is woken.
Step = Callable[[], float | None]


def attempt(name: str, step: Step) -> float | None:
    """Does a step; one that fails is logged, and tried again after a while, since the task must go on."""
    try:
        return step()
    except Exception:
        logger.exception("%s: a step failed", name)
        return AFTER_FAILURE_S


class BackgroundTask(Protocol):
    """Work that is done in steps, one at a time. Thread-safe."""

    def wake(self) -> None:
        """Has a step done as soon as possible, and one more if one is being done just now."""

    def end(self, within_s: float = ENDS_WITHIN_S) -> None:
        """Begins no further step, and waits so many seconds for the present one, unless that asks for the end."""


class Later(Protocol):
    """A host's way to do work later."""

    def __call__(self, name: str, step: Step) -> BackgroundTask:
        """A task that sleeps until it is woken. `name`: for the log."""


class Never:
    """A task that nobody does: of commands, which look after nothing beside what they do."""

    def __init__(self, name: str, step: Step) -> None:
        pass

    def wake(self) -> None:
        pass

    def end(self, within_s: float = ENDS_WITHIN_S) -> None:
        pass
