"""What one visitor, who has no account, may do in a while: by the cookie of his phone and by its address.

So generous that no family and no club notices: one address may be a club's router. Nothing is counted against this
machine itself.
"""

import threading
import time
from dataclasses import dataclass

from web.problems import Problem
from web.quotas import FixedWindow
from web.server.security import ip_of, origin_of


@dataclass(frozen=True)
class Limit:
    """How often one phone, and all phones of one address together, may do `what` in each span of `seconds`."""

    what: str
    of_phone: int
    of_address: int
    seconds: int
    refusal: str  # a key of `web.reasons`


TABLES = Limit("table", 40, 400, 3600, "too-many-tables")  # started, imported and played again
PHOTOS = Limit("photo", 200, 2000, 600, "too-many-photos")
STEPS = Limit("step", 600, 6000, 60, "too-many-steps")  # actions, undone and corrected ones


def bounds(limit: Limit, address: str, phone: str) -> dict[str, int]:
    """By what a phone and its address are counted, and how often each may; all phones of an address without an id are
    one. This machine is not counted at all."""
    known = ip_of(address)
    if known is not None and known.is_loopback:
        return {}
    origin = origin_of(address)
    whose = f"phone {phone}" if phone else f"phone {origin} {phone}"
    return {whose: limit.of_phone, f"address {origin}": limit.of_address}


class Limits:
    """Counts in this process, in spans that begin with whole multiples of their length. For many threads."""

    def __init__(self) -> None:
        self._windows: dict[str, FixedWindow] = {}
        self._lock = threading.Lock()

    def count(self, limit: Limit, address: str, phone: str) -> None:
        """Counts one of `limit.what`. Raises `Problem` where it is one too many. `phone`: its id, "" for none."""
        most = bounds(limit, address, phone)
        with self._lock:
            counts = self._window(limit).counts(self._now())
            if any(counts[who] >= most[who] for who in most):
                raise Problem(limit.refusal, 429)
            counts.update(most.keys())

    def _window(self, limit: Limit) -> FixedWindow:
        return self._windows.setdefault(limit.what, FixedWindow(limit.seconds))

    def _now(self) -> float:
        return time.monotonic()
