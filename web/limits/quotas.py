"""Fair turns, rates and quotas: who comes next, who must wait, and who gives way if there is no room.

An address is that of a visitor, as `origins.origin_of` counts it; a group is one table of an address. Nothing here
knows pages or stores. Unless a class says otherwise, its caller holds a lock or has one thread.
"""

import math
import random
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from web.limits.recent import Recent

# The wait doubles each time, plus a random half: those who were refused together come back one by one.
FIRST_S, LONGEST_S = 5, 60
REMEMBERED = 5000  # the latest refused ones
MOST_DEBT = 4  # times what may be spent at once

Thing = TypeVar("Thing", bound=Hashable)
Who = TypeVar("Who", bound=Hashable)


def place_in_turn(address: str, waiting: Sequence[str]) -> int:
    """The place of one more thing of this address among those that wait, if addresses take turns."""
    own = waiting.count(address)
    seen: Counter[str] = Counter()
    for place, other in enumerate(waiting):
        if seen[other] > own:
            return place
        seen[other] += 1
    return len(waiting)


def gives_way(address: str, sizes: Mapping[str, int], equals: int) -> str | None:
    """The address that gives way to this one: that with most. None if it has at most `equals` more than this one."""
    biggest = max(sizes, key=sizes.__getitem__, default=address)
    return biggest if sizes.get(biggest, 0) > sizes.get(address, 0) + equals else None


class QuotaItem(NamedTuple):
    size: int
    path: tuple[str, ...]


class Quota(Generic[Thing]):
    """Things that take room, the oldest first. Those of each address form a quota again, and so do its groups.

    `quota.part_of("an address", "a table")` has the things that were put with this path.
    """

    def __init__(self) -> None:
        self.size = 0
        self.things: dict[Thing, QuotaItem] = {}
        # The size and the quota of each name that has things, first which has had one for longest.
        self.sizes: dict[str, int] = {}
        self.parts: defaultdict[str, Quota[Thing]] = defaultdict(Quota)

    def put(self, thing: Thing, size: int, *path: str) -> None:
        """Adds a thing, or changes the size of a known one, which keeps its path and its age."""
        before = self.things.get(thing, QuotaItem(0, path))
        self.things[thing] = QuotaItem(size, before.path)
        self.size += size - before.size
        if before.path:
            name, *inner = before.path
            self.parts[name].put(thing, size, *inner)
            self.sizes[name] = self.parts[name].size

    def take(self, thing: Thing) -> None:
        """Takes a thing away, if it is there."""
        held = self.things.pop(thing, None)
        if held is None:
            return
        self.size -= held.size
        if held.path:
            name = held.path[0]
            part = self.parts[name]
            part.take(thing)
            self.sizes[name] = part.size
            if not part.things:
                del self.parts[name], self.sizes[name]

    def part_of(self, *path: str) -> "Quota[Thing]":
        """The quota of an address, or of a group of it. Only read it: an empty one belongs to nothing."""
        found = self
        for name in path:
            found = found.parts.get(name) or Quota()
        return found

    def size_of(self, name: str) -> int:
        return self.sizes.get(name, 0)

    def biggest(self) -> str:
        """The address whose things take most. Raises ValueError if there are none."""
        return max(self.sizes, key=self.sizes.__getitem__)

    def crowd(self) -> "Quota[Thing]":
        """The largest group of the address whose things take most."""
        return self.parts[self.biggest()].crowd() if self.parts else self

    def crowd_for(self, equals: int, *path: str) -> "Quota[Thing] | None":
        """What gives way to a newcomer with this path: the largest group of the address that has most, else of the
        same address. None if these take at most `equals` more than the newcomer's."""
        if not path:
            return None
        biggest = gives_way(path[0], self.sizes, equals)
        if biggest is not None:
            return self.parts[biggest].crowd()
        return self.part_of(path[0]).crowd_for(equals, *path[1:])

    def oldest(self) -> Thing:
        return next(iter(self.things))

    def newest(self) -> Thing:
        return next(reversed(self.things))


class FairQueue(Generic[Thing]):
    """A queue in which addresses take turns, and the groups of each address too."""

    def __init__(self, newest_first: bool = False) -> None:
        """`newest_first`: within one group; otherwise the oldest comes first."""
        self._newest_first = newest_first
        self._addresses: OrderedDict[str, OrderedDict[str, deque[Thing]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._addresses)

    def put(self, thing: Thing, address: str, group: str = "") -> None:
        self._addresses.setdefault(address, OrderedDict()).setdefault(group, deque()).append(thing)

    def take(self, rank: Callable[[str, str | None], int | None] = lambda address, group: 0) -> Thing:
        """The next one. Raises KeyError if none waits.

        `rank(address, None)` and `rank(address, group)`: who has a lower rank comes first; None: not now.
        """
        address = _first_of(self._addresses, lambda each: rank(each, None))
        groups = self._addresses.pop(address)
        group = _first_of(groups, lambda each: rank(address, each))
        things = groups.pop(group)
        thing = things.pop() if self._newest_first else things.popleft()
        if things:
            groups[group] = things  # behind all others
        if groups:
            self._addresses[address] = groups
        return thing


def _first_of(names: Iterable[str], rank: Callable[[str], int | None]) -> str:
    """The first name of the lowest rank. Raises KeyError if none has one."""
    best: tuple[int, str] | None = None
    for name in names:
        found = rank(name)
        if found is not None and (best is None or found < best[0]):
            best = found, name
            if found == 0:
                break
    if best is None:
        raise KeyError
    return best[1]


class FixedWindow:
    """Counts by name in windows of `seconds`, which begin at whole multiples of their length."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._number = 0  # of the last window
        self._counts: Counter[str] = Counter()

    def counts(self, now: float) -> Counter[str]:
        """The counts of the window at this time, to add to."""
        number = math.floor(now / self._seconds)
        if number != self._number:
            self._number, self._counts = number, Counter()
        return self._counts


class SlidingWindow(Generic[Who]):
    """The last `most` times of each of the `remembered` latest names. For many threads."""

    def __init__(self, most: int, remembered: int) -> None:
        self._most = most
        self._times: Recent[Who, deque[float]] = Recent(remembered)

    def note(self, who: Who, now: float) -> None:
        self._times.setdefault(who, deque(maxlen=self._most)).append(now)

    def count_since(self, who: Who, moment: float) -> int:
        """How many of its times are after this moment."""
        times = self._times.get(who)
        return 0 if times is None else sum(at > moment for at in times.copy())  # others add to it meanwhile


class TokenBuckets(Generic[Who]):
    """What each of the `remembered` latest names may spend: `most` at once, and `a_second` more each second."""

    def __init__(self, most: float, a_second: float, remembered: int = 1000) -> None:
        self._most, self._a_second = most, a_second
        self._spent: Recent[Who, tuple[float, float]] = Recent(remembered)  # how much, and when

    def has_some(self, who: Who, now: float) -> bool:
        return self._balance(who, now) > 0

    def spend(self, who: Who, amount: float, now: float) -> None:
        """Spends an amount, also if less is left: then the name waits longer, but never for more than `MOST_DEBT`."""
        spent = self._most - self._balance(who, now) + amount
        self._spent[who] = min(spent, MOST_DEBT * self._most), now

    def _balance(self, who: Who, now: float) -> float:
        spent, at = self._spent.get(who) or (0.0, now)
        return self._most - max(0.0, spent - self._a_second * max(0.0, now - at))


class Backoff(Generic[Who]):
    """How long a refused one must wait: longer each time, and not all equally long. For many threads."""

    def __init__(self) -> None:
        self._times: Recent[Who, int] = Recent(REMEMBERED)

    def next_of(self, who: Who) -> int:
        """Seconds to wait from now on."""
        times = self._times.get(who) or 0
        self._times[who] = times + 1
        longer: int = 2 ** min(times, 10)
        return min(round(FIRST_S * longer * random.uniform(1, 1.5)), LONGEST_S)

    def forget(self, who: Who) -> None:
        self._times.pop(who)
