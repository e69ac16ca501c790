"""Work that one thread does at a time, and that nobody waits for."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Exclusive:
    """Lets one thread in. Others are told no: waiting requests would occupy the threads that players need."""

    def __init__(self) -> None:
        self._inside = threading.Lock()

    @contextmanager
    def enter(self) -> Iterator[bool]:
        """Whether this thread is let in."""
        is_in = self._inside.acquire(blocking=False)
        try:
            yield is_in
        finally:
            if is_in:
                self._inside.release()
