"""Waiting for what another thread, process or server does."""

import time
from collections.abc import Callable

WITHIN_S = 60  # on a machine that does much else


def wait_until(holds: Callable[[], object], within_s: float = WITHIN_S) -> None:
    """Returns as soon as `holds` does, and fails where that takes too long."""
    ends = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < ends, "what was waited for did not happen"
        time.sleep(0.01)
