"""Fair turns, rates and quotas: who comes next, who must wait, and who gives way if there is no room.

An owner is named by a text, mostly an address; a group is one table of an owner. Nothing here knows pages or stores.
Unless a class says otherwise, its caller holds a lock or has one thread.
"""

import asyncio
import contextlib
import math
import random
import time
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import AsyncIterator, Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from web.common.recent import Recent

# The wait doubles each time, plus a random half: those who were refused together come back one by one.
FIRST_S, LONGEST_S = 5, 60
REMEMBERED = 5000  # the latest refused ones
MOST_DEBT = 4  # times what may be spent at once

Thing = TypeVar("Thing", bound=Hashable)
Who = TypeVar("Who", bound=Hashable)


def place_in_turn(owner: str, waiting: Sequence[str]) -> int:
    """The place of one more thing of this owner among those that wait, if owners take turns."""
    own = waiting.count(owner)
    seen: Counter[str] = Counter()
    for place, other in enumerate(waiting):
        if seen[other] > own:
            return place
        seen[other] += 1
    return len(waiting)


def gives_way(owner: str, sizes: Mapping[str, int], equals: int) -> str | None:
    """The owner who gives way to this one: who has most. None if that is at most `equals` more than this owner has."""
    biggest = max(sizes, key=sizes.__getitem__, default=owner)
    return biggest if sizes.get(biggest, 0) > sizes.get(owner, 0) + equals else None


class QuotaItem(NamedTuple):
    size: int
    owners: tuple[str, ...]


class Quota(Generic[Thing]):
    """Things that take room, the oldest first. The things of each owner form a quota again.

    `quota.owned_by("an address", "a table")` has the things that were put with these two owners.
    """

    def __init__(self) -> None:
        self.size = 0
        self.things: dict[Thing, QuotaItem] = {}
        # The size and the quota of each owner that has things, first who has had one for longest.
        self.sizes: dict[str, int] = {}
        self.parts: defaultdict[str, Quota[Thing]] = defaultdict(Quota)

    def put(self, thing: Thing, size: int, *owners: str) -> None:
        """Adds a thing, or changes the size of a known one, which keeps its owners and its age."""
        before = self.things.get(thing, QuotaItem(0, owners))
        held = QuotaItem(size, before.owners)
        self._set_size(thing, held, size - before.size)
        part = self
        for owner in held.owners:
            outer, part = part, part.parts[owner]
            part._set_size(thing, held, size - before.size)
            outer.sizes[owner] = part.size

    def _set_size(self, thing: Thing, held: QuotaItem, more: int) -> None:
        self.things[thing] = held
        self.size += more

    def take(self, thing: Thing) -> None:
        """Takes a thing away, if it is there."""
        if thing not in self.things:
            return
        held = self.things.pop(thing)
        self.size -= held.size
        part = self
        for owner in held.owners:
            outer, part = part, part.parts[owner]
            del part.things[thing]
            part.size -= held.size
            outer.sizes[owner] = part.size
            if not part.things:
                del outer.parts[owner], outer.sizes[owner]

    def owned_by(self, *owners: str) -> "Quota[Thing]":
        """The quota of an owner, or of one within another. Only read it: an empty one belongs to nothing."""
        found = self
        for owner in owners:
            found = found.parts.get(owner) or Quota()
        return found

    def size_of(self, owner: str) -> int:
        return self.sizes.get(owner, 0)

    def biggest(self) -> str:
        """The owner whose things take most. Raises ValueError if there are none."""
        return max(self.sizes, key=self.sizes.__getitem__)

    def crowd(self) -> "Quota[Thing]":
        """The largest group of the owner whose things take most."""
        return self.parts[self.biggest()].crowd() if self.parts else self

    def crowd_for(self, equals: int, *owners: str) -> "Quota[Thing] | None":
        """What gives way to a newcomer of these owners: the largest group of the owner who has most, else of the same
        owner. None if these take at most `equals` more than the newcomer's."""
        if not owners:
            return None
        biggest = gives_way(owners[0], self.sizes, equals)
        if biggest is not None:
            return self.parts[biggest].crowd()
        return self.owned_by(owners[0]).crowd_for(equals, *owners[1:])

    def oldest(self) -> Thing:
        return next(iter(self.things))

    def newest(self) -> Thing:
        return next(reversed(self.things))


class FairQueue(Generic[Thing]):
    """A queue in which owners take turns, and the groups of each owner too."""

    def __init__(self, newest_first: bool = False) -> None:
        """`newest_first`: within one group; otherwise the oldest comes first."""
        self._newest_first = newest_first
        self._owners: OrderedDict[str, OrderedDict[str, deque[Thing]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._owners)

    def put(self, thing: Thing, owner: str, group: str = "") -> None:
        self._owners.setdefault(owner, OrderedDict()).setdefault(group, deque()).append(thing)

    def take(self, rank: Callable[[str, str | None], int | None] = lambda owner, group: 0) -> Thing:
        """The next one. Raises KeyError if none waits.

        `rank(owner, None)` and `rank(owner, group)`: who has a lower rank comes first; None: not now.
        """
        owner = _first_of(self._owners, lambda each: rank(each, None))
        groups = self._owners.pop(owner)
        group = _first_of(groups, lambda each: rank(owner, each))
        things = groups.pop(group)
        thing = things.pop() if self._newest_first else things.popleft()
        if things:
            groups[group] = things  # behind all others
        if groups:
            self._owners[owner] = groups
        return thing


def _first_of(names: Iterable[str], rank: Callable[[str], int | None]) -> str:
    """The first name of the lowest rank. Raises KeyError if none has one."""
    best: str | None = None
    lowest = 0
    for name in names:
        found = rank(name)
        if found == 0:
            return name
        if found is not None and (best is None or found < lowest):
            best, lowest = name, found
    if best is None:
        raise KeyError
    return best


class Share(NamedTuple):
    """What one owner may spend before it comes behind all others: `at_once_s` seconds, and `a_second` more each second.

    Over its share it has `places_over` places while somebody else has asked within `others_within_s`; otherwise it
    goes on as before.
    """

    at_once_s: float
    a_second: float
    places_over: int
    others_within_s: float


class FairScheduler:
    """Places that owners and their groups get in turn: an owner of many requests delays only himself.

    No owner holds more than half of them. Who has spent more than his `share` comes behind the others, and so do groups
    within an owner. For one event loop.
    """

    def __init__(self, places: int, share: Share, clock: Callable[[], float] = time.monotonic) -> None:
        self._free = places
        self._half = max(1, places // 2)
        self._share = share
        self._clock = clock
        self._waiting: FairQueue[tuple[str, asyncio.Future[None]]] = FairQueue()
        self._held: Counter[str] = Counter()
        self._latest = ("", -math.inf)  # who asked last, and when
        self._before = -math.inf  # when somebody else asked last
        self._of_owners: TokenBuckets[str] = TokenBuckets(share.at_once_s, share.a_second)
        self._of_groups: TokenBuckets[tuple[str, str]] = TokenBuckets(share.at_once_s, share.a_second)

    @contextlib.asynccontextmanager
    async def place(self, owner: str, group: str = "") -> AsyncIterator[Callable[[float], None]]:
        """Waits for a place and holds it until it is left. Yields what takes the seconds that were spent."""
        self._note(owner)
        turn = asyncio.get_running_loop().create_future()
        self._waiting.put((owner, turn), owner, group)
        self._give()
        try:
            await turn
            yield lambda seconds: self._spend(owner, group, seconds)
        finally:
            if not turn.cancelled():
                self._free += 1
                self._held[owner] -= 1
                if not self._held[owner]:
                    del self._held[owner]
                self._give()

    def _give(self) -> None:
        while self._free and self._waiting:
            try:
                owner, turn = self._waiting.take(self._rank)
            except KeyError:  # whoever waits has as many places as it may have
                return
            if not turn.cancelled():  # otherwise nobody waits for it any more
                turn.set_result(None)
                self._free -= 1
                self._held[owner] += 1

    def _rank(self, owner: str, group: str | None) -> int | None:
        if group is not None:
            return 0 if self._of_groups.has_some((owner, group), self._clock()) else 1
        within = self._of_owners.has_some(owner, self._clock())
        most = self._half if within or not self._others_ask(owner) else self._share.places_over
        return None if self._held[owner] >= most else 0 if within else 1

    def _spend(self, owner: str, group: str, seconds: float) -> None:
        now = self._clock()
        self._of_owners.spend(owner, seconds, now)
        self._of_groups.spend((owner, group), seconds, now)

    def _note(self, owner: str) -> None:
        if self._latest[0] != owner:
            self._before = self._latest[1]
        self._latest = owner, self._clock()

    def _others_ask(self, owner: str) -> bool:
        at = self._before if self._latest[0] == owner else self._latest[1]
        return self._clock() - at < self._share.others_within_s


class FixedWindow:
    """Counts by name in windows of `seconds`, which begin at whole multiples of their length."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.number = 0  # of the last window
        self._counts: Counter[str] = Counter()

    def counts(self, now: float) -> Counter[str]:
        """The counts of the window at this time, to add to."""
        number = math.floor(now / self._seconds)
        if number != self.number:
            self._counts, self.number = Counter(), number  # in this order: other threads ask meanwhile
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
