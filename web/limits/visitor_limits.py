"""Limits how often a visitor may do something, by the cookie and the address of his phone.

The limits are so generous that no family and no club notices them: one address may be a club's router. This machine
itself is not counted.
"""

import functools
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from web.limits.origins import is_loopback, origin_of
from web.limits.quotas import FixedWindow
from web.problems.problem import Problem


@dataclass(frozen=True)
class Limit:
    """How often one phone, and all phones of one address together, may do `what` in each span of `seconds`."""

    what: str
    of_phone: int
    of_address: int
    seconds: int
    refusal: str  # a key of `web.problems.reasons`


TABLES = Limit("table", 40, 400, 3600, "too-many-tables")  # started, imported and played again
NIGHT_TABLES = Limit("night table", 200, 400, 3600, "too-many-tables")  # of the rounds of a club's nights
NEWCOMERS = Limit("newcomer", 5, 100, 3600, "too-many-steps")  # who wrote their own name at a club's night
PHOTOS = Limit("photo", 200, 2000, 600, "too-many-photos")
FRAMES = Limit("frame", 600, 6000, 60, "too-many-steps")  # of phones on stands, at most five a second
STEPS = Limit("step", 600, 6000, 60, "too-many-steps")  # actions, undone and corrected ones
TRIES = Limit("try", 150, 1500, 60, "too-many-steps")  # changed games that are looked at

REMEMBERED_PHONES = 2000


@functools.lru_cache(maxsize=REMEMBERED_PHONES)
def bounds(limit: Limit, address: str, phone: str) -> Mapping[str, int]:
    """The names that a phone and its address are counted by, with the limit of each; {} for this machine. All phones of
    an address that have no id count as one."""
    if is_loopback(address):
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
        """Counts one `limit.what`. Raises `Problem` if it is one too many. `phone`: its id, or ""."""
        most = bounds(limit, address, phone)
        if not most:
            return
        with self._lock:
            window = self._windows.setdefault(limit.what, FixedWindow(limit.seconds))
            counts = window.counts(time.monotonic())
            if any(counts[who] >= most[who] for who in most):
                raise Problem(limit.refusal, 429)
            counts.update(most.keys())
