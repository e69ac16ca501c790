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


class ConnectionState(enum.IntEnum):
    """What a connection is at."""

    SILENT = enum.auto()  # it was accepted and has said nothing yet
    UNFINISHED = enum.auto()  # it has said something that is no whole request, and we have not begun with it yet
    WAITING = enum.auto()  # it has asked for something, and we have not begun with it yet
    STARTED = enum.auto()  # we have begun with it: nothing has come yet (over https), or a part of the headers
    HANDSHAKE = enum.auto()  # a handshake of TLS has begun
    UPLOADING = enum.auto()  # a body comes
    ANSWERING = enum.auto()  # its request is whole and is being answered; a live stream, too
    DOWNLOADING = enum.auto()  # it was answered and has not taken all of it yet
    IDLE = enum.auto()  # its last request was answered


OUTSIDE = (
    ConnectionState.SILENT,
    ConnectionState.UNFINISHED,
    ConnectionState.WAITING,
)  # we have not begun with: these take hardly any memory


class Connection:
    """One connection, from the moment that it is accepted."""

    def __init__(self, owner: str) -> None:
        """`owner`: whose it is, see `security.origin_of`."""
        self.owner = owner
        self.group = ""  # the key of the table at which its owner is, if it has shown one; see `keys.Keys`
        self.state = ConnectionState.SILENT
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


class Connections:
    """All connections of the server. For the event loop alone."""

    def __init__(self, most: int, most_in_state: Mapping[ConnectionState, int], most_begun: int | None = None) -> None:
        """`most`: connections at once. `most_begun`: of these, how many we have begun with. `most_in_state`: bounds of
        states that take more memory than others."""
        self._most = most
        self._most_begun = most if most_begun is None else most_begun
        self._most_at = most_in_state
        self._all: Quota[Connection] = Quota()  # by owners and groups, as the others
        self._begun: Quota[Connection] = Quota()
        self._by_state: dict[ConnectionState, Quota[Connection]] = {state: Quota() for state in ConnectionState}
        self.ended = 0  # how many had to give way

    @property
    def count(self) -> int:
        return self._all.size

    @property
    def behind(self) -> bool:
        """Whether those who wait for us take the places: then newcomers wait too, and nobody has to give way."""
        return (
            self.count >= self._most - self._most // 10
            and 2 * self._by_state[ConnectionState.WAITING].size > self.count
        )

    def add(self, connection: Connection) -> None:
        """Takes in a connection that was accepted just now, and makes room for it."""
        while self.count >= self._most:
            self.make_room()
        self._add(connection)

    def remove(self, connection: Connection) -> None:
        """Notes that a connection is over; any number of times."""
        self._remove(connection)

    def set_state(self, connection: Connection, state: ConnectionState) -> None:
        """Notes what a connection is at from now on. Where too many are at that, one gives way."""
        if not self._remove(connection):
            return  # it has given way already
        connection.state, connection.since, connection.received = state, time.monotonic(), 0
        self._add(connection)
        if self._by_state[state].size > self._most_at.get(state, self._most):
            owner, group = self._biggest(self._by_state[state])
            if state is ConnectionState.UPLOADING:
                self._one_body_less(connection, owner, group)
            else:
                self._give_way(self._by_state[state].owned_by(owner, group).oldest())
        if self._begun.size > self._most_begun:
            self._give_way(self._least_missed(self._begun))

    def assign(self, connection: Connection, owner: str, group: str) -> None:
        """Notes whose a connection is from now on; `party`: the key of a table that is known, or ""."""
        if (connection.owner, connection.group) == (owner, group):
            return
        known = self._remove(connection)
        connection.owner, connection.group = owner, group
        if known:
            self._add(connection)

    def make_room(self) -> None:
        """Ends one connection of the address that has most, and of those with the key of one table or with none."""
        if self.count:
            self._give_way(self._least_missed(self._all))

    def in_states(self, *state: ConnectionState) -> list[Connection]:
        """Those that are at one of these."""
        return [connection for each in state for connection in self._by_state[each].things]

    def _add(self, connection: Connection) -> None:
        for quota in self._quotas_of(connection.state):
            quota.put(connection, 1, connection.owner, connection.group)

    def _remove(self, connection: Connection) -> bool:
        known = connection in self._all.things
        for quota in self._quotas_of(connection.state):
            quota.take(connection)
        return known

    def _quotas_of(self, state: ConnectionState) -> tuple[Quota[Connection], ...]:
        return (
            (self._all, self._by_state[state]) if state in OUTSIDE else (self._all, self._by_state[state], self._begun)
        )

    def _biggest(self, among: Quota[Connection]) -> tuple[str, str]:
        """The owner who has most of these, and his party that has most."""
        owner = _first_biggest(self._all, among)
        return owner, _first_biggest(self._all.owned_by(owner), among.owned_by(owner))

    def _one_body_less(self, newcomer: Connection, owner: str, group: str) -> None:
        """Ends a body of `owner`, who has most, at `party`, which has most of his: one of which hardly anything comes.

        Where all come as they should, a newcomer from a table is refused, unless these have more than their share: what
        was sent of the others would be lost, and they would come again, for which others would have to be ended.
        """
        bodies = self._by_state[ConnectionState.UPLOADING].owned_by(owner, group)
        slow = slowest(bodies.things)
        if slow is not None:
            self._give_way(slow)
        elif newcomer.group and self._is_equal(newcomer, owner, group):
            self._give_way(newcomer, tell=True)
        else:
            self._give_way(_lightest(bodies), tell=True)

    def _is_equal(self, newcomer: Connection, owner: str, group: str) -> bool:
        bodies = self._by_state[ConnectionState.UPLOADING]
        if newcomer.owner != owner:
            return bodies.size_of(owner) <= bodies.size_of(newcomer.owner) + EQUALS
        return bodies.owned_by(owner).size_of(group) <= bodies.owned_by(owner).size_of(newcomer.group) + EQUALS

    def _least_missed(self, among: Quota[Connection]) -> Connection:
        """Of the largest party of who has most of these what is missed least; a live stream only where nothing rests at
        his others either."""
        owner, group = self._biggest(among)
        found = _least_missed_of(
            {
                state: self._by_state[state].owned_by(owner, group)
                for state in ConnectionState
                if among is self._all or state not in OUTSIDE
            }
        )
        resting = self._by_state[ConnectionState.IDLE].owned_by(owner)
        if found.state is ConnectionState.ANSWERING and resting.size:
            return resting.owned_by(_first_biggest(self._all.owned_by(owner), resting)).oldest()
        return found

    def _give_way(self, connection: Connection, tell: bool = False) -> None:
        self.ended += 1
        if tell and connection.refuse is not None:
            connection.refuse()  # it keeps its place among the connections until it has heard that
            return
        self.remove(connection)
        connection.end()


def _first_biggest(all_: Quota[Connection], among: Quota[Connection]) -> str:
    """Who has most of these; of equals who has been among all for longest."""
    return max(filter(among.sizes.__contains__, all_.sizes), key=among.sizes.__getitem__)


def slowest(bodies: Iterable[Connection]) -> Connection | None:
    """The one of which least comes, of those that have had their time; None where all come as they should."""
    oldest = itertools.islice(bodies, LOOKED_AT)
    slow = [body for body in oldest if body.age_s > YOUNG_S and body.speed < LEAST_SPEED]
    return min(slow, key=lambda body: body.speed, default=None)


def _lightest(bodies: Quota[Connection]) -> Connection:
    """The oldest that brought little, else the newest: least is lost of it."""
    oldest = itertools.islice(bodies.things, LOOKED_AT)
    return next((body for body in oldest if body.received < LITTLE), None) or bodies.newest()


def _least_missed_of(own: Mapping[ConnectionState, Quota[Connection]]) -> Connection:
    """What never became a request, a body that hardly moves, what rests, and only then the others."""
    little = [
        state
        for state in (
            ConnectionState.SILENT,
            ConnectionState.UNFINISHED,
            ConnectionState.STARTED,
            ConnectionState.HANDSHAKE,
        )
        if state in own and own[state].size
    ]
    for state in little:
        first = own[state].oldest()
        if first.age_s > YOUNG_S or 2 * own[state].size > sum(each.size for each in own.values()):
            return first
    crowd = max((ConnectionState.UPLOADING, ConnectionState.IDLE), key=lambda state: own[state].size)
    if crowd is ConnectionState.UPLOADING and own[crowd].size:
        return slowest(own[crowd].things) or _lightest(own[crowd])
    order = (ConnectionState.IDLE, *little, ConnectionState.DOWNLOADING)
    # Of those that wait the newest: the oldest are looked at next.
    return next((connection for state in order for connection in own[state].things), None) or next(
        connection
        for state in (ConnectionState.WAITING, ConnectionState.ANSWERING)
        if state in own
        for connection in reversed(own[state].things)
    )


def nothing() -> None:
    """For what is called where nothing is to be done."""
