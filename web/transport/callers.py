"""Who is connected, by address and by what each connection is at, and which one gives way when there are too many.

Nobody is kept out: when all places are taken, the address that holds most of them gives one back, first of what nobody
would miss. A limit for each address would not do: a club's phones may all come from one, that of a router or a proxy.
"""

import enum
import itertools
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

YOUNG_S = 0.5  # so long a connection may need before anybody thinks that nothing comes of it
LEAST_SPEED = 1000.0  # bytes a second of a body, once SLOW_FOR_S have passed
SLOW_FOR_S = 10.0
LITTLE = 4096  # bytes of a body
LOOKED_AT = 32  # of the oldest bodies, among which the slowest is looked for


class At(enum.Enum):
    """What a connection is at."""

    BEGINNING = enum.auto()  # it was accepted, or headers have begun to come
    WAITING = enum.auto()  # it has said something that we have not looked at yet
    GREETING = enum.auto()  # a handshake of TLS has begun
    SENDING = enum.auto()  # a body comes
    ANSWERED = enum.auto()  # its request is whole and is being answered; a live stream, too
    HEARING = enum.auto()  # it was answered and has not taken all of it yet
    RESTING = enum.auto()  # its last request was answered


class Caller:
    """One connection, from the moment that it is accepted."""

    def __init__(self, owner: str) -> None:
        """`owner`: whose it is, see `security.origin_of`."""
        self.owner = owner
        self.at = At.BEGINNING
        self.since = time.monotonic()  # when that began
        self.received = 0  # bytes since then
        self.end: Callable[[], object] = _nothing  # ends it at once, whatever it is at

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.since

    @property
    def speed(self) -> float:
        """Bytes a second since it is at what it is at."""
        return self.received / max(self.age_s, 0.001)


class Callers:
    """All connections of the server. For the event loop alone."""

    def __init__(self, most: int, most_at: Mapping[At, int]) -> None:
        """`most`: connections at once; `most_at`: of these at what takes more room than the others."""
        self._most = most
        self._most_at = most_at
        self._count_at = dict.fromkeys(At, 0)
        self._owners: dict[str, dict[At, dict[Caller, None]]] = {}  # each the oldest first
        self.count = 0
        self.ended = 0  # how many had to give way

    @property
    def behind(self) -> bool:
        """Whether those who wait for us take the places: then newcomers wait too, and nobody has to give way."""
        return self.count >= self._most - self._most // 10 and 2 * self._count_at[At.WAITING] > self.count

    def come(self, caller: Caller) -> None:
        """Takes in a connection that was accepted just now, and makes room for it."""
        while self.count >= self._most:
            self.make_room()
        self._owners.setdefault(caller.owner, {at: {} for at in At})[caller.at][caller] = None
        self.count += 1
        self._count_at[caller.at] += 1

    def go(self, caller: Caller) -> None:
        """Notes that a connection is over; any number of times."""
        own = self._owners.get(caller.owner)
        if own is None or caller not in own[caller.at]:
            return
        del own[caller.at][caller]
        self.count -= 1
        self._count_at[caller.at] -= 1
        if not any(own.values()):
            del self._owners[caller.owner]

    def now(self, caller: Caller, at: At) -> None:
        """Notes what a connection is at from now on. Where too many are at that, one gives way."""
        own = self._owners.get(caller.owner)
        if own is None or caller not in own[caller.at]:
            return  # it has given way already
        del own[caller.at][caller]
        self._count_at[caller.at] -= 1
        self._count_at[at] += 1
        caller.at, caller.since, caller.received = at, time.monotonic(), 0
        own[at][caller] = None
        if self._count_at[at] > self._most_at.get(at, self._most):
            most = max(self._owners.values(), key=lambda each: len(each[at]))[at]
            self._give_way(slowest(most) if at is At.SENDING else next(iter(most)))

    def make_room(self) -> None:
        """Ends one connection of the address that has most."""
        most = max(self._owners.values(), key=lambda each: sum(map(len, each.values())), default=None)
        if most is not None:
            self._give_way(_least_missed(most))

    def everybody(self, *at: At) -> list[Caller]:
        """Those that are at one of these."""
        return [caller for own in self._owners.values() for each in at for caller in own[each]]

    def _give_way(self, caller: Caller) -> None:
        self.ended += 1
        self.go(caller)
        caller.end()


def slowest(bodies: Iterable[Caller]) -> Caller:
    """The one of which least comes, of those that have had their time; else the oldest that brought little."""
    oldest = list(itertools.islice(bodies, LOOKED_AT))
    slow = [body for body in oldest if body.age_s > YOUNG_S and body.speed < LEAST_SPEED]
    if slow:
        return min(slow, key=lambda body: body.speed)
    return next((body for body in oldest if body.received < LITTLE), oldest[0])


def _least_missed(own: dict[At, dict[Caller, None]]) -> Caller:
    """Of one address: what never became a request, a body that hardly moves, what rests, and only then the others."""
    for at in (At.BEGINNING, At.GREETING):
        first = next(iter(own[at]), None)
        if first is not None and (first.age_s > YOUNG_S or 2 * len(own[at]) > sum(map(len, own.values()))):
            return first
    crowd = max((At.SENDING, At.RESTING), key=lambda at: len(own[at]))
    if crowd is At.SENDING and own[crowd]:
        return slowest(own[crowd])
    order = (At.RESTING, At.BEGINNING, At.GREETING, At.HEARING)
    # Of those that wait the newest: the oldest are looked at next.
    return next((caller for at in order for caller in own[at]), None) or next(
        caller for at in (At.WAITING, At.ANSWERED) for caller in reversed(own[at])
    )


Thing = TypeVar("Thing")


class Shares(Generic[Thing]):
    """Things that take room, the oldest first, each with its owner and its size. For one thread, or under a lock."""

    def __init__(self) -> None:
        self._owners: dict[str, dict[Thing, int]] = {}
        self._sizes: dict[str, int] = {}
        self.total = 0

    def put(self, owner: str, thing: Thing, size: int) -> None:
        """Adds a thing, or gives one that is there another size."""
        own = self._owners.setdefault(owner, {})
        more = size - own.get(thing, 0)
        own[thing] = size
        self._sizes[owner] = self._sizes.get(owner, 0) + more
        self.total += more

    def take(self, owner: str, thing: Thing) -> None:
        """Takes a thing away; nothing happens when it is not there."""
        own = self._owners.get(owner, {})
        if thing not in own:
            return
        size = own.pop(thing)
        self._sizes[owner] -= size
        self.total -= size
        if not own:
            del self._owners[owner], self._sizes[owner]

    def of(self, owner: str) -> int:
        """What this owner's things take together."""
        return self._sizes.get(owner, 0)

    def oldest_of(self, owner: str) -> Thing:
        return next(iter(self._owners[owner]))

    def biggest_owner(self) -> str:
        """Whose things take most. Raises ValueError when there are none."""
        return max(self._sizes, key=self._sizes.__getitem__)


def _nothing() -> None:
    pass
