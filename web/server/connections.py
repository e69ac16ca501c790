"""Who is connected, by address and by what each connection is at, and which one gives way when there are too many.

Nobody is kept out: when all places are taken, the address that holds most of them gives one back, first of what nobody
would miss. A limit for each address would not do: a club's phones may all come from one, that of a router or a proxy.
So within an address, too, those who have shown the key of a table are apart from all others.
"""

import enum
import itertools
import time
from collections.abc import Callable, Iterable, Mapping

from web.quotas import Quota

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
        self.end: Callable[[], object] = nothing  # ends it at once, whatever it is at
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


class Callers:
    """All connections of the server. For the event loop alone."""

    def __init__(self, most: int, most_at: Mapping[At, int], most_begun: int | None = None) -> None:
        """`most`: connections at once; `most_begun`: of these, with which we have begun; `most_at`: at what takes more
        room than the others."""
        self._most = most
        self._most_begun = most if most_begun is None else most_begun
        self._most_at = most_at
        self._all: Quota[Caller] = Quota()  # by owners and parties, as the others
        self._begun: Quota[Caller] = Quota()
        self._at: dict[At, Quota[Caller]] = {at: Quota() for at in At}
        self.ended = 0  # how many had to give way

    @property
    def count(self) -> int:
        return self._all.size

    @property
    def behind(self) -> bool:
        """Whether those who wait for us take the places: then newcomers wait too, and nobody has to give way."""
        return self.count >= self._most - self._most // 10 and 2 * self._at[At.WAITING].size > self.count

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
        if self._at[at].size > self._most_at.get(at, self._most):
            owner, party = self._biggest(self._at[at])
            if at is At.SENDING:
                self._one_body_less(caller, owner, party)
            else:
                self._give_way(self._at[at].of(owner, party).oldest())
        if self._begun.size > self._most_begun:
            self._give_way(self._least_missed(self._begun))

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
        if self.count:
            self._give_way(self._least_missed(self._all))

    def everybody(self, *at: At) -> list[Caller]:
        """Those that are at one of these."""
        return [caller for each in at for caller in self._at[each].things]

    def _put(self, caller: Caller) -> None:
        for quota in self._quotas_at(caller.at):
            quota.put(caller, 1, caller.owner, caller.party)

    def _take(self, caller: Caller) -> bool:
        known = caller in self._all.things
        for quota in self._quotas_at(caller.at):
            quota.take(caller)
        return known

    def _quotas_at(self, at: At) -> tuple[Quota[Caller], ...]:
        return (self._all, self._at[at]) if at in OUTSIDE else (self._all, self._at[at], self._begun)

    def _biggest(self, among: Quota[Caller]) -> tuple[str, str]:
        """The owner who has most of these, and his party that has most."""
        owner = _first_biggest(self._all, among)
        return owner, _first_biggest(self._all.of(owner), among.of(owner))

    def _one_body_less(self, newcomer: Caller, owner: str, party: str) -> None:
        """Ends a body of `owner`, who has most, at `party`, which has most of his: one of which hardly anything comes.

        Where all come as they should, a newcomer from a table is refused, unless these have more than their share: what
        was sent of the others would be lost, and they would come again, for which others would have to be ended.
        """
        bodies = self._at[At.SENDING].of(owner, party)
        slow = slowest(bodies.things)
        if slow is not None:
            self._give_way(slow)
        elif newcomer.party and self._is_equal(newcomer, owner, party):
            self._give_way(newcomer, tell=True)
        else:
            self._give_way(_lightest(bodies), tell=True)

    def _is_equal(self, newcomer: Caller, owner: str, party: str) -> bool:
        bodies = self._at[At.SENDING]
        if newcomer.owner != owner:
            return bodies.size_of(owner) <= bodies.size_of(newcomer.owner) + EQUALS
        return bodies.of(owner).size_of(party) <= bodies.of(owner).size_of(newcomer.party) + EQUALS

    def _least_missed(self, among: Quota[Caller]) -> Caller:
        """Of the largest party of who has most of these what is missed least; a live stream only where nothing rests at
        his others either."""
        owner, party = self._biggest(among)
        found = _least_missed_of(
            {at: self._at[at].of(owner, party) for at in At if among is self._all or at not in OUTSIDE}
        )
        resting = self._at[At.RESTING].of(owner)
        if found.at is At.ANSWERED and resting.size:
            return resting.of(_first_biggest(self._all.of(owner), resting)).oldest()
        return found

    def _give_way(self, caller: Caller, tell: bool = False) -> None:
        self.ended += 1
        if tell and caller.refuse is not None:
            caller.refuse()  # it keeps its place among the connections until it has heard that
            return
        self.go(caller)
        caller.end()


def _first_biggest(all_: Quota[Caller], among: Quota[Caller]) -> str:
    """Who has most of these; of equals who has been among all for longest."""
    return max(filter(among.sizes.__contains__, all_.sizes), key=among.sizes.__getitem__)


def slowest(bodies: Iterable[Caller]) -> Caller | None:
    """The one of which least comes, of those that have had their time; None where all come as they should."""
    oldest = itertools.islice(bodies, LOOKED_AT)
    slow = [body for body in oldest if body.age_s > YOUNG_S and body.speed < LEAST_SPEED]
    return min(slow, key=lambda body: body.speed, default=None)


def _lightest(bodies: Quota[Caller]) -> Caller:
    """The oldest that brought little, else the newest: least is lost of it."""
    oldest = itertools.islice(bodies.things, LOOKED_AT)
    return next((body for body in oldest if body.received < LITTLE), None) or bodies.newest()


def _least_missed_of(own: Mapping[At, Quota[Caller]]) -> Caller:
    """What never became a request, a body that hardly moves, what rests, and only then the others."""
    little = [at for at in (At.SILENT, At.UNFINISHED, At.BEGINNING, At.GREETING) if at in own and own[at].size]
    for at in little:
        first = own[at].oldest()
        if first.age_s > YOUNG_S or 2 * own[at].size > sum(each.size for each in own.values()):
            return first
    crowd = max((At.SENDING, At.RESTING), key=lambda at: own[at].size)
    if crowd is At.SENDING and own[crowd].size:
        return slowest(own[crowd].things) or _lightest(own[crowd])
    order = (At.RESTING, *little, At.HEARING)
    # Of those that wait the newest: the oldest are looked at next.
    return next((caller for at in order for caller in own[at].things), None) or next(
        caller for at in (At.WAITING, At.ANSWERED) if at in own for caller in reversed(own[at].things)
    )


def nothing() -> None:
    """For what is called where nothing is to be done."""
