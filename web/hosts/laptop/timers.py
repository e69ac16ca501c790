"""A timer that runs once."""

import asyncio
from collections.abc import Callable


class Timer:
    """At most one pending call. For the event loop alone.

    It holds what it calls only while it runs, so timers keep no closed connection in memory.
    """

    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None

    @property
    def runs(self) -> bool:
        return self._handle is not None

    def start(self, within_s: float, call: Callable[[], object]) -> None:
        """Calls `call` once, in `within_s` seconds, in the place of a pending call."""
        self.stop()
        self._handle = asyncio.get_running_loop().call_later(within_s, self._run_out, call)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _run_out(self, call: Callable[[], object]) -> None:
        self._handle = None
        call()
