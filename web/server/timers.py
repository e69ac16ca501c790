"""Times that run out, each in one place of its own: none is left behind when another begins."""

import asyncio
from collections.abc import Callable


class Timer:
    """One call that is yet to come, at most. For the event loop alone.

    What it is to call is held only while it runs, so that a connection that is over is not held by its timers.
    """

    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None

    @property
    def runs(self) -> bool:
        return self._handle is not None

    def start(self, within_s: float, call: Callable[[], object]) -> None:
        """Calls `call` once, in `within_s` seconds; what was yet to come is not called any more."""
        self.stop()
        self._handle = asyncio.get_running_loop().call_later(within_s, self._run_out, call)

    def stop(self) -> None:
        """Calls nothing any more; any number of times."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _run_out(self, call: Callable[[], object]) -> None:
        self._handle = None
        call()
