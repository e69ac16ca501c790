"""A lock that many readers share, so that the store can be exchanged while nobody reads."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from web.problems import Problem

READERS_END_WITHIN_S = 30.0


class Gate:
    """For many threads. A thread inside may enter again."""

    def __init__(self) -> None:
        self._changing = threading.Condition()
        self._inside = 0
        self._closed = False
        self._own = threading.local()

    @property
    def closes(self) -> bool:
        """Whether a thread waits for all others to leave: long work inside should break off."""
        return self._closed

    @contextmanager
    def enter(self, waits_s: float = 60.0) -> Iterator[None]:
        """Enters; raises `Problem` if it stays closed for `waits_s` seconds."""
        depth = getattr(self._own, "depth", 0)
        with self._changing:
            if not depth and not self._changing.wait_for(lambda: not self._closed, waits_s):
                raise Problem("store-busy", 503)
            self._inside += 1
        self._own.depth = depth + 1
        try:
            yield
        finally:
            self._own.depth = depth
            with self._changing:
                self._inside -= 1
                self._changing.notify_all()

    @contextmanager
    def close_for(self) -> Iterator[None]:
        """Keeps all other threads out. Raises `Problem` if one does not leave. For one thread at a time."""
        own = getattr(self._own, "depth", 0)
        with self._changing:
            self._closed = True
        try:
            until = time.monotonic() + READERS_END_WITHIN_S
            with self._changing:
                if not self._changing.wait_for(lambda: self._inside <= own, until - time.monotonic()):
                    raise Problem("store-busy", 503)
            yield
        finally:
            with self._changing:
                self._closed = False
                self._changing.notify_all()
