"""What one visitor, who has no account, may do in a while: by the cookie of his phone and by its address.

So generous that no family and no club notices: one address may be a club's router. Nothing is counted against this
machine itself.
"""

import ipaddress
import threading
import time
from dataclasses import dataclass
from typing import Protocol

from web.problems import Problem
from web.quotas import FixedWindow
from web.server.security import origin_of


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


class Limits(Protocol):
    """Who counts."""

    def count(self, limit: Limit, address: str, phone: str) -> None:
        """Counts one of `limit.what`. Raises `Problem` where it is one too many. `phone`: its id, "" for none."""


def counted_as(address: str, phone: str) -> tuple[str, str] | None:
    """By what a phone and its address are counted; all phones of an address without an id are one. None: not at all."""
    if _is_this_machine(address):
        return None
    origin = origin_of(address)
    return f"phone {origin} {phone}" if not phone else f"phone {phone}", f"address {origin}"


def _is_this_machine(address: str) -> bool:
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False  # whatever a proxy calls it
    return known.is_loopback or bool(known.version == 6 and known.ipv4_mapped and known.ipv4_mapped.is_loopback)


class OwnLimits:
    """Counts in this process, in spans that begin with whole multiples of their length. For many threads."""

    def __init__(self) -> None:
        self._windows: dict[str, FixedWindow] = {}
        self._lock = threading.Lock()

    def count(self, limit: Limit, address: str, phone: str) -> None:
        whose = counted_as(address, phone)
        if whose is None:
            return
        with self._lock:
            window = self._windows.setdefault(limit.what, FixedWindow(limit.seconds))
            counts = window.counts(time.monotonic())
            if any(counts[who] >= most for who, most in zip(whose, (limit.of_phone, limit.of_address), strict=True)):
                raise Problem(limit.refusal, 429)
            counts.update(whose)
