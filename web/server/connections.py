"""Who is connected, by address and by what each connection is at, and which one gives way when there are too many.

Nobody is kept out: when all places are taken, the address that holds most of them gives one back, first of what nobody
would miss. A limit for each address would not do: a club's phones may all come from one, that of a router or a proxy.
So within an address, too, those who have shown the key of a table are apart from all others.
"""

import enum
import itertools
import operator
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

YOUNG_S = 0.5  # so long a connection may need before anybody thinks that nothing comes of it
LEAST_SPEED = 1000.0  # bytes a second of a body, once SLOW_FOR_S have passed
SLOW_FOR_S = 10.0
LITTLE = 4096  # bytes of a body
LOOKED_AT = 32  # of the oldest bodies, among which the slowest is looked for
# Up to so many more or less, two addresses, or two tables of one, are of equal standing: nothing of one is ended for
# the other. Else who is ended would come back and have another ended, and so on.
EQUALS = 4


class At(enum.IntEnum):
    """What a connection is at."""

    SILENT = enum.auto()  # it was accepted and has said nothing yet
    UNFINISHED = enum.auto()  # it has said something that is no whole request, and we have not begun with it yet
    WAITING = enum.auto()  # it has asked for something, and we have not begun with it yet
    BEGINNING = enum.auto()  # we have begun with it: nothing has come yet (over https), or a part of the headers
    GREETING = enum.auto()  # a handshake of TLS has begun
    SENDING = enum.auto()  # a body comes
    ANSWERED = enum.auto()  # its request is whole and is being answered; a live stream, too
    HEARING = enum.auto()  # it was answered and has not taken all of it yet
    RESTING = enum.auto()  # its last request was answered


OUTSIDE = (At.SILENT, At.UNFINISHED, At.WAITING)  # we have not begun with: these take hardly any memory


class Caller:
    """One connection, from the moment that it is accepted."""

    def __init__(self, owner: str) -> None:
        """`owner`: whose it is, see `security.origin_of`."""
        self.owner = owner
        self.party = ""  # the key of the table at which its owner is, if it has shown one; see `keys.Keys`
        self.at = At.SILENT
        self.since = time.monotonic()  # when that began
        self.received = 0  # bytes since then
        self.end: Callable[[], object] = _nothing  # ends it at once, whatever it is at
        self.refuse: Callable[[], object] | None = None  # ends it too, but tells before to try again later

    def turn_away(self) -> None:
        (self.refuse or self.end)()

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.since

    @property
    def speed(self) -> float:
        """Bytes a second since it is at what it is at."""
        return self.received / max(self.age_s, 0.001)


class _Party:
    """Connections of one address with the key of one table, or with none."""

    def __init__(self) -> None:
        self.at: dict[At, dict[Caller, None]] = {at: {} for at in At}  # each the oldest first
        self.count = 0

    def count_at(self, at: At) -> int:
        return len(self.at[at])

    def begun(self) -> int:
        return self.count - sum(map(self.count_at, OUTSIDE))


class _Owner:
    """Connections of one address."""

    def __init__(self) -> None:
        self.parties: dict[str, _Party] = {}
        self.count = 0
        self._count_at = dict.fromkeys(At, 0)

    def count_at(self, at: At) -> int:
        return self._count_at[at]

    def begun(self) -> int:
        return self.count - sum(map(self.count_at, OUTSIDE))

    def put(self, caller: Caller) -> None:
        party = self.parties.get(caller.party)
        if party is None:
            party = self.parties[caller.party] = _Party()
        party.at[caller.at][caller] = None
        party.count += 1
        self.count += 1
        self._count_at[caller.at] += 1

    def take(self, caller: Caller) -> bool:
        party = self.parties.get(caller.party)
        if party is None or caller not in party.at[caller.at]:
            return False
        del party.at[caller.at][caller]
        party.count -= 1
        self.count -= 1
        self._count_at[caller.at] -= 1
        if not party.count:
            del self.parties[caller.party]
        return True


class Callers:
    """All connections of the server. For the event loop alone."""

    def __init__(self, most: int, most_at: Mapping[At, int], most_begun: int | None = None) -> None:
        """`most`: connections at once; `most_begun`: of these, with which we have begun; `most_at`: at what takes more
        room than the others."""
        self._most = most
        self._most_begun = most if most_begun is None else most_begun
        self._most_at = most_at
        self._count_at = dict.fromkeys(At, 0)
        self._owners: dict[str, _Owner] = {}
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
        self._put(caller)

    def go(self, caller: Caller) -> None:
        """Notes that a connection is over; any number of times."""
        self._take(caller)

    def now(self, caller: Caller, at: At) -> None:
        """Notes what a connection is at from now on. Where too many are at that, one gives way."""
        if not self._take(caller):
            return  # it has given way already
        caller.at, caller.since, caller.received = at, time.monotonic(), 0
        self._put(caller)
        if self._count_at[at] > self._most_at.get(at, self._most):
            owner = max(self._owners.values(), key=lambda each: each.count_at(at))
            party = max(owner.parties.values(), key=lambda each: each.count_at(at))
            if at is At.SENDING:
                self._one_body_less(caller, owner, party)
            else:
                self._give_way(next(iter(party.at[at])))
        if self.count - sum(map(self._count_at.__getitem__, OUTSIDE)) > self._most_begun:
            owner = max(self._owners.values(), key=_Owner.begun)
            self._give_way(_least_missed(owner, _Party.begun, begun=True))

    def belong(self, caller: Caller, owner: str, party: str) -> None:
        """Notes whose a connection is from now on; `party`: the key of a table that is known, or ""."""
        if (caller.owner, caller.party) == (owner, party):
            return
        known = self._take(caller)
        caller.owner, caller.party = owner, party
        if known:
            self._put(caller)

    def make_room(self) -> None:
        """Ends one connection of the address that has most, and of those with the key of one table or with none."""
        if self._owners:
            owner = max(self._owners.values(), key=_count)
            self._give_way(_least_missed(owner, _count))

    def everybody(self, *at: At) -> list[Caller]:
        """Those that are at one of these."""
        parties = [party for owner in self._owners.values() for party in owner.parties.values()]
        return [caller for party in parties for each in at for caller in party.at[each]]

    def _put(self, caller: Caller) -> None:
        owner = self._owners.get(caller.owner)
        if owner is None:
            owner = self._owners[caller.owner] = _Owner()
        owner.put(caller)
        self.count += 1
        self._count_at[caller.at] += 1

    def _take(self, caller: Caller) -> bool:
        owner = self._owners.get(caller.owner)
        if owner is None or not owner.take(caller):
            return False
        self.count -= 1
        self._count_at[caller.at] -= 1
        if not owner.count:
            del self._owners[caller.owner]
        return True

    def _one_body_less(self, newcomer: Caller, owner: _Owner, party: _Party) -> None:
        """Ends a body of `owner`, who has most, at `party`, which has most of his: one of which hardly anything comes.

        Where all come as they should, a newcomer from a table is refused, unless these have more than their share: what
        was sent of the others would be lost, and they would come again, for which others would have to be ended.
        """
        bodies = party.at[At.SENDING]
        slow = slowest(bodies)
        if slow is not None:
            self._give_way(slow)
        elif newcomer.party and self._is_equal(newcomer, owner, party):
            self._give_way(newcomer, tell=True)
        else:
            self._give_way(_lightest(bodies), tell=True)

    def _is_equal(self, newcomer: Caller, owner: _Owner, party: _Party) -> bool:
        own = self._owners[newcomer.owner]
        if own is not owner:
            return owner.count_at(At.SENDING) <= own.count_at(At.SENDING) + EQUALS
        return party.count_at(At.SENDING) <= own.parties[newcomer.party].count_at(At.SENDING) + EQUALS

    def _give_way(self, caller: Caller, tell: bool = False) -> None:
        self.ended += 1
        if tell and caller.refuse is not None:
            caller.refuse()  # it keeps its place among the connections until it has heard that
            return
        self.go(caller)
        caller.end()


_count = operator.attrgetter("count")


def slowest(bodies: Iterable[Caller]) -> Caller | None:
    """The one of which least comes, of those that have had their time; None where all come as they should."""
    oldest = itertools.islice(bodies, LOOKED_AT)
    slow = [body for body in oldest if body.age_s > YOUNG_S and body.speed < LEAST_SPEED]
    return min(slow, key=lambda body: body.speed, default=None)


def _lightest(bodies: dict[Caller, None]) -> Caller:
    """The oldest that brought little, else the newest: least is lost of it."""
    oldest = itertools.islice(bodies, LOOKED_AT)
    return next((body for body in oldest if body.received < LITTLE), None) or next(reversed(bodies))


def _least_missed(owner: _Owner, size: Callable[[_Party], int], begun: bool = False) -> Caller:
    """Of an address' largest party what is missed least; a live stream only where nothing rests at the others either.

    `begun`: of those with which we have begun.
    """
    found = _least_missed_of(max(owner.parties.values(), key=size), begun)
    if found.at is At.ANSWERED and owner.count_at(At.RESTING):
        return next(iter(max(owner.parties.values(), key=lambda party: party.count_at(At.RESTING)).at[At.RESTING]))
    return found


def _least_missed_of(party: _Party, begun: bool) -> Caller:
    """What never became a request, a body that hardly moves, what rests, and only then the others."""
    own = {at: party.at[at] for at in At if not (begun and at in OUTSIDE)}
    little = [at for at in (At.SILENT, At.UNFINISHED, At.BEGINNING, At.GREETING) if own.get(at)]
    for at in little:
        first = next(iter(own[at]))
        if first.age_s > YOUNG_S or 2 * len(own[at]) > sum(map(len, own.values())):
            return first
    crowd = max((At.SENDING, At.RESTING), key=lambda at: len(own[at]))
    if crowd is At.SENDING and own[crowd]:
        return slowest(own[crowd]) or _lightest(own[crowd])
    order = (At.RESTING, *little, At.HEARING)
    # Of those that wait the newest: the oldest are looked at next.
    return next((caller for at in order for caller in own[at]), None) or next(
        caller for at in (At.WAITING, At.ANSWERED) for caller in reversed(own.get(at, {}))
    )


Thing = TypeVar("Thing")


class Queue(Generic[Thing]):
    """Things that wait. Addresses take turns, and at each its parties: see `Caller`."""

    def __init__(self, newest_first: bool = False) -> None:
        """`newest_first`: of one party; else its oldest is the next."""
        self._newest_first = newest_first
        self._owners: OrderedDict[str, OrderedDict[str, deque[Thing]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._owners)

    def put(self, caller: Caller, thing: Thing) -> None:
        self._owners.setdefault(caller.owner, OrderedDict()).setdefault(caller.party, deque()).append(thing)

    def take(self) -> Thing:
        """The next one. Raises KeyError when none waits."""
        owner, parties = self._owners.popitem(last=False)
        party, things = parties.popitem(last=False)
        thing = things.pop() if self._newest_first else things.popleft()
        if things:
            parties[party] = things  # behind all others
        if parties:
            self._owners[owner] = parties
        return thing


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

    def things_of(self, owner: str) -> list[Thing]:
        return list(self._owners[owner])

    def newest_of(self, owner: str) -> Thing:
        return next(reversed(self._owners[owner]))

    def biggest_owner(self) -> str:
        """Whose things take most. Raises ValueError when there are none."""
        return max(self._sizes, key=self._sizes.__getitem__)


def _nothing() -> None:
    pass
