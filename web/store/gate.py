"""Who reads an open store goes through here, so that it can be exchanged while nobody reads."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from web.problems import Problem

READERS_END_WITHIN_S = 30.0


class Gate:
    """For many threads. One that has passed may pass again inside."""

    def __init__(self) -> None:
        self._changing = threading.Condition()
        self._inside = 0
        self._closed = False
        self._own = threading.local()

    @property
    def closes(self) -> bool:
        """Whether somebody waits for all who are inside to leave: who takes long is to break off."""
        return self._closed

    @contextmanager
    def enter(self, waits_s: float = 60.0) -> Iterator[None]:
        """Raises `Problem` after `waits_s` seconds in which it stayed closed."""
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
        """While nobody is inside but this thread, and nobody comes in. Raises `Problem` where somebody does not leave;
        one thread at a time."""
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
