"""How long those are to wait who find a bound reached: longer each time, and not all equally long."""

import random
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

# Each time for twice as long, and up to half as long again: those who were refused together come back one by one.
FIRST_S, LONGEST_S = 5, 60
REMEMBERED = 5000  # of those that were refused, the latest

Who = TypeVar("Who", bound=Hashable)


class Waits(Generic[Who]):
    """Whom a bound refused, and how often. For many threads."""

    def __init__(self) -> None:
        self._times: OrderedDict[Who, int] = OrderedDict()
        self._lock = threading.Lock()

    def next_of(self, who: Who) -> int:
        """Seconds to wait from now on."""
        with self._lock:
            times = self._times.pop(who, 0)
            self._times[who] = times + 1
            if len(self._times) > REMEMBERED:
                self._times.popitem(last=False)
        longer: int = 2 ** min(times, 10)
        return min(round(FIRST_S * longer * random.uniform(1, 1.5)), LONGEST_S)

    def forget(self, who: Who) -> None:
        """Notes that there was room for this one."""
        with self._lock:
            self._times.pop(who, None)
