"""Counts connections by address and state, and chooses which one gives way when there are too many.

Nobody is kept out. When all places are taken, the address that holds most of them gives one back: first a connection
that nobody would miss. A limit for each address would fail, since all phones of a club may come from one router or
proxy. So within an address, connections that have shown the key of a table form a group apart from all others.
"""

import asyncio
import enum
import itertools
import time
from collections.abc import Callable, Iterable, Mapping

from web.limits.quotas import Quota

YOUNG_S = 0.5  # a younger connection is not taken for an idle one
LEAST_SPEED = 1000.0  # bytes a second of a body, once SLOW_FOR_S have passed
SLOW_FOR_S = 10.0
LITTLE = 4096  # bytes of a body
LOOKED_AT = 32  # of the oldest bodies: the slowest is searched among these
# Two addresses, or two tables of one address, that differ by at most so many are equals: none of one is ended for the
# other. Otherwise an ended phone would come back, have another one ended, and so on.
EQUALS = 4


class ConnectionState(enum.IntEnum):
    SILENT = enum.auto()  # accepted; nothing came yet
    UNFINISHED = enum.auto()  # a part of a request came, and we have not begun with it
    WAITING = enum.auto()  # a whole request came, and we have not begun with it
    STARTED = enum.auto()  # begun: nothing came yet (over https), or a part of the headers
    HANDSHAKE = enum.auto()  # of TLS
    UPLOADING = enum.auto()  # a body comes
    ANSWERING = enum.auto()  # its request is whole and is being answered; also a live stream
    DOWNLOADING = enum.auto()  # it is answered and does not receive all of it at once
    IDLE = enum.auto()  # its last request was answered


SILENT, UNFINISHED, WAITING, STARTED, HANDSHAKE, UPLOADING, ANSWERING, DOWNLOADING, IDLE = ConnectionState
OUTSIDE = (SILENT, UNFINISHED, WAITING)  # not begun: these take hardly any memory


class Connection:
    """One connection, from the moment that it is accepted."""

    def __init__(self, address: str) -> None:
        """`address`: whose it is, see `origins.origin_of`."""
        self.address = address
        self.group = ""  # the key of its table, if it has shown one; see `keys.Keys`
        self.state = SILENT
        self.since = time.monotonic()  # when its state began
        self.received = 0  # bytes since then
        self.listens = False  # to a live stream, which it may receive as slowly as it likes
        self.end: Callable[[], object] = nothing  # ends it at once, in any state
        self.refuse: Callable[[], object] | None = None  # ends it too, after telling its phone to try again later

    def turn_away(self) -> None:
        (self.refuse or self.end)()

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.since

    @property
    def speed(self) -> float:
        return self.received / max(self.age_s, 0.001)


class Connections:
    """All connections of the server. For the event loop alone."""

    def __init__(self, most: int, most_in_state: Mapping[ConnectionState, int], most_begun: int | None = None) -> None:
        """`most`: connections at once. `most_begun`: of these, how many we have begun with. `most_in_state`: bounds of
        states that take more memory than others."""
        self._most = most
        self._most_begun = most if most_begun is None else most_begun
        self._most_at = most_in_state
        self._all: Quota[Connection] = Quota()  # by addresses and groups, as the others
        self._begun: Quota[Connection] = Quota()
        self._by_state: dict[ConnectionState, Quota[Connection]] = {state: Quota() for state in ConnectionState}
        self.ended = 0  # how many had to give way

    @property
    def count(self) -> int:
        return self._all.size

    @property
    def behind(self) -> bool:
        """Whether most places are taken by connections that wait for us: then newcomers wait, and none gives way."""
        return self.count >= self._most - self._most // 10 and 2 * self._by_state[WAITING].size > self.count

    def add(self, connection: Connection) -> None:
        """Adds a connection that was accepted just now, and makes room for it."""
        while self.count >= self._most:
            self.make_room()
        self._add(connection)

    def remove(self, connection: Connection) -> bool:
        """Removes a connection that is over. Returns whether it was there."""
        known = connection in self._all.things
        for quota in self._quotas_of(connection.state):
            quota.take(connection)
        return known

    def set_state(self, connection: Connection, state: ConnectionState) -> None:
        """Sets the state of a connection. If too many are in that state, one gives way."""
        if not self.remove(connection):
            return  # it has given way already
        connection.state, connection.since, connection.received = state, time.monotonic(), 0
        self._add(connection)
        if self._by_state[state].size > self._most_at.get(state, self._most):
            if state is UPLOADING:
                self._one_body_less(connection)
            else:
                self._give_way(self._by_state[state].crowd().oldest())
        if self._begun.size > self._most_begun:
            self._give_way(self._least_missed(self._begun))

    def assign(self, connection: Connection, address: str, group: str) -> None:
        """Sets whose a connection is. `group`: the key of a known table, or ""."""
        if (connection.address, connection.group) == (address, group):
            return
        known = self.remove(connection)
        connection.address, connection.group = address, group
        if known:
            self._add(connection)

    def make_room(self) -> None:
        """Ends one connection: of the address that has most, and there of the largest group."""
        if self.count:
            self._give_way(self._least_missed(self._all))

    def in_states(self, *state: ConnectionState) -> list[Connection]:
        return [connection for each in state for connection in self._by_state[each].things]

    def _add(self, connection: Connection) -> None:
        for quota in self._quotas_of(connection.state):
            quota.put(connection, 1, connection.address, connection.group)

    def _quotas_of(self, state: ConnectionState) -> tuple[Quota[Connection], ...]:
        both = self._all, self._by_state[state]
        return both if state in OUTSIDE else (*both, self._begun)

    def _one_body_less(self, newcomer: Connection) -> None:
        """Ends one body of the largest group of the address that has most: one that hardly moves.

        If all move, a newcomer from a table is refused, unless these have more than their share. Ending another body
        would lose what was sent of it; its phone would come again, and others would have to end for that.
        """
        bodies = self._by_state[UPLOADING]
        crowd = bodies.crowd()
        slow = slowest(crowd.things)
        if slow is not None:
            self._give_way(slow)
            return
        larger = bodies.crowd_for(EQUALS, newcomer.address, newcomer.group)
        gives_way = newcomer if newcomer.group and larger is None else _lightest(larger or crowd)
        self._give_way(gives_way, tell=True)

    def _least_missed(self, among: Quota[Connection]) -> Connection:
        """The connection that is missed least, in the largest group of the address that has most. It is a live stream
        only if none of this address's other connections is idle."""
        one = among.crowd().oldest()
        found = _least_missed_of(
            {
                state: self._by_state[state].part_of(one.address, one.group)
                for state in ConnectionState
                if among is self._all or state not in OUTSIDE
            }
        )
        resting = self._by_state[IDLE].part_of(one.address)
        return resting.crowd().oldest() if found.state is ANSWERING and resting.size else found

    def _give_way(self, connection: Connection, tell: bool = False) -> None:
        self.ended += 1
        if tell and connection.refuse is not None:
            connection.refuse()  # it keeps its place until its phone has received that
            return
        self.remove(connection)
        connection.end()


def slowest(bodies: Iterable[Connection]) -> Connection | None:
    """The slowest of the bodies that are older than YOUNG_S; None if all come fast enough."""
    oldest = itertools.islice(bodies, LOOKED_AT)
    slow = [body for body in oldest if body.age_s > YOUNG_S and body.speed < LEAST_SPEED]
    return min(slow, key=lambda body: body.speed, default=None)


def _lightest(bodies: Quota[Connection]) -> Connection:
    """The oldest body that brought little, else the newest: the least is lost with it."""
    oldest = itertools.islice(bodies.things, LOOKED_AT)
    return next((body for body in oldest if body.received < LITTLE), None) or bodies.newest()


def _least_missed_of(own: Mapping[ConnectionState, Quota[Connection]]) -> Connection:
    """First a connection that never became a request, then a slow body, an idle one, and only then the others."""
    little = [state for state in (SILENT, UNFINISHED, STARTED, HANDSHAKE) if state in own and own[state].size]
    for state in little:
        first = own[state].oldest()
        if first.age_s > YOUNG_S or 2 * own[state].size > sum(each.size for each in own.values()):
            return first
    crowd = max((UPLOADING, IDLE), key=lambda state: own[state].size)
    if crowd is UPLOADING and own[crowd].size:
        return slowest(own[crowd].things) or _lightest(own[crowd])
    order = (IDLE, *little, DOWNLOADING)
    # The newest of those that wait: the oldest ones are next in turn.
    return next((connection for state in order for connection in own[state].things), None) or next(
        connection for state in (WAITING, ANSWERING) if state in own for connection in reversed(own[state].things)
    )


class Timer:
    """A timer that runs once: at most one pending call. For the event loop alone.

    It holds what it calls only while it runs, so timers keep no closed connection in memory.
    """

    def __init__(self) -> None:
        self._handle: asyncio.TimerHandle | None = None

    @property
    def runs(self) -> bool:
        return self._handle is not None

    def start(self, within_s: float, call: Callable[[], object]) -> None:
        """Calls `call` once, in `within_s` seconds, in the place of a pending call."""
        self.stop()
        self._handle = asyncio.get_running_loop().call_later(within_s, self._run_out, call)

    def stop(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _run_out(self, call: Callable[[], object]) -> None:
        self._handle = None
        call()


def nothing() -> None:
    """Does nothing."""
