"""Work beside requests: the core says what is to be done and when, a host does it in its own way."""

from collections.abc import Callable
from typing import Protocol

ENDS_WITHIN_S = 10.0

# Does what is due. Returns after how many seconds there is more to do; None: when the task is woken.
Step = Callable[[], float | None]


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
