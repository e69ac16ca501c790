"""Limits how often a visitor may do something, by the cookie and the address of his phone.

The limits are so generous that no family and no club notices them: one address may be a club's router. This machine
itself is not counted.
"""

import functools
import time
from collections.abc import Mapping
from dataclasses import dataclass

from web.common.problems import Problem
from web.limits.origins import ip_of, origin_of
from web.limits.quotas import FixedWindow, Share


@dataclass(frozen=True)
class Limit:
    """How often one phone, and all phones of one address together, may do `what` in each span of `seconds`."""

    what: str
    of_phone: int
    of_address: int
    seconds: int
    refusal: str  # a key of `web.common.reasons`


TABLES = Limit("table", 40, 400, 3600, "too-many-tables")  # started, imported and played again
PHOTOS = Limit("photo", 200, 2000, 600, "too-many-photos")
FRAMES = Limit("frame", 600, 6000, 60, "too-many-steps")  # of phones on stands, at most five a second
STEPS = Limit("step", 600, 6000, 60, "too-many-steps")  # actions, undone and corrected ones
TRIES = Limit("try", 150, 1500, 60, "too-many-steps")  # changed games that are looked at

REMEMBERED_PHONES = 2000

# Of the processor, for all phones of one address, and for each phone within it: a club's evening takes a third of it.
PROCESSOR = Share(at_once_s=20.0, a_second=0.5, places_over=1, others_within_s=10.0)


@functools.lru_cache(maxsize=REMEMBERED_PHONES)
def bounds(limit: Limit, address: str, phone: str) -> Mapping[str, int]:
    """The names that a phone and its address are counted by, with the limit of each; {} for this machine. All phones of
    an address that have no id count as one."""
    known = ip_of(address)
    if known is not None and known.is_loopback:
        return {}
    origin = origin_of(address)
    whose = f"phone {phone}" if phone else f"phone {origin} {phone}"
    return {whose: limit.of_phone, f"address {origin}": limit.of_address}


class Limits:
    """Counts in this process, in spans that begin with whole multiples of their length. For many threads.

    No lock: who asks in all threads at the same moment may exceed a limit by as many requests.
    """

    def __init__(self) -> None:
        self._windows: dict[str, FixedWindow] = {}

    def count(self, limit: Limit, address: str, phone: str) -> None:
        """Counts one `limit.what`. Raises `Problem` if it is one too many. `phone`: its id, or ""."""
        most = bounds(limit, address, phone)
        if not most:
            return
        counts = self._window(limit).counts(self._now())
        if any(counts[who] >= most[who] for who in most):
            raise Problem(limit.refusal, 429)
        counts.update(most.keys())

    def _window(self, limit: Limit) -> FixedWindow:
        return self._windows.setdefault(limit.what, FixedWindow(limit.seconds))

    def _now(self) -> float:
        return time.monotonic()
