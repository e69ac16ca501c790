"""Connections by address and state, and which one gives way when they are too many, or cost too much memory.

Nobody is kept out. When all is taken, the address that holds most gives a connection back: first one that nobody would
miss. Within an address, connections that have shown the key of a table form a group apart from all others.
"""

import asyncio
import enum
import itertools
import time
from collections.abc import Callable

from web.limits.ledger import CONNECTIONS, STATES, Ledger
from web.limits.quotas import Quota

YOUNG_S = 0.5  # a younger connection is not taken for an idle one
LEAST_SPEED = 1000.0  # bytes a second; a slower body hardly moves
LATE_S = 10.0  # after which an answer that has not been received hardly moves either
LOOKED_AT = 32  # of the oldest bodies: the slowest is searched among these


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
# Bytes that one costs besides what it sends or is sent: over http, over TLS, and more in some states.
PLAIN, OVER_TLS = 24 << 10, 80 << 10
MORE = {HANDSHAKE: 40 << 10, UPLOADING: 128 << 10, DOWNLOADING: 64 << 10}


class Connection:
    """One connection, from the moment that it is accepted."""

    def __init__(self, address: str) -> None:
        """`address`: whose it is, see `origins.origin_of`."""
        self.address = address
        self.group = ""  # the key of its table, if it has shown one; see `keys.Keys`
        self.over_tls = False
        self.state = SILENT
        self.since = time.monotonic()  # when its state began
        self.received = 0  # bytes since then
        self.lost = False  # nobody is there any more
        self.listens = False  # to a live stream, which it may receive as slowly as it likes
        self.end: Callable[[], object] = nothing  # ends it at once, in any state
        self.refuse: Callable[[], object] | None = None  # ends it too, after telling its phone to try again later

    def turn_away(self) -> None:
        (self.refuse or self.end)()

    @property
    def cost(self) -> int:
        """Bytes of memory, besides those of bodies and answers."""
        return (OVER_TLS if self.over_tls else PLAIN) + MORE.get(self.state, 0)

    @property
    def age_s(self) -> float:
        return time.monotonic() - self.since

    @property
    def speed(self) -> float:
        return self.received / max(self.age_s, 0.001)


class Connections:
    """All connections of the server. For the event loop alone."""

    def __init__(self, ledger: Ledger, most: int) -> None:
        self._most, self._most_bytes = most, ledger.bounds[STATES].most
        self._all: Quota[Connection] = ledger.accounts[CONNECTIONS]
        self._begun: Quota[Connection] = ledger.accounts[STATES]
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
        for quota in (self._all, self._begun, self._by_state[connection.state]):
            quota.take(connection)
        return known

    def set_state(self, connection: Connection, state: ConnectionState) -> None:
        """Sets the state of a connection. If all together cost too much memory then, some give way."""
        if not self.remove(connection):
            return  # it has given way already
        connection.state, connection.since, connection.received = state, time.monotonic(), 0
        self._add(connection)
        while self._begun.size > self._most_bytes:
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
        path = connection.address, connection.group
        for quota in (self._all, self._by_state[connection.state]):
            quota.put(connection, 1, *path)
        if connection.state not in OUTSIDE:
            self._begun.put(connection, connection.cost, *path)

    def _least_missed(self, among: Quota[Connection]) -> Connection:
        """The connection that is missed least, in the largest group of the address that has most: first one that never
        became a request, then a slow body, an idle one, and only then the others. It is a live stream only if none of
        this address's other connections is idle."""
        one = among.crowd().oldest()
        own = {state: each.part_of(one.address, one.group) for state, each in self._by_state.items()}
        if among is not self._all:
            own |= dict.fromkeys(OUTSIDE, Quota())
        little = [state for state in (SILENT, UNFINISHED, STARTED, HANDSHAKE) if own[state].size]
        for state in little:
            first = own[state].oldest()
            if first.age_s > YOUNG_S or 2 * own[state].size > sum(each.size for each in own.values()):
                return first
        if own[UPLOADING].size >= max(1, own[IDLE].size):
            return least_moving(own[UPLOADING])
        for state in (IDLE, *little, DOWNLOADING):
            if own[state].size:
                return own[state].oldest()
        if own[WAITING].size:
            return own[WAITING].newest()  # the oldest ones are next in turn
        resting = self._by_state[IDLE].part_of(one.address)
        return resting.crowd().oldest() if resting.size else own[ANSWERING].newest()

    def _give_way(self, connection: Connection) -> None:
        self.ended += 1
        self.remove(connection)
        connection.end()


def least_moving(held: Quota[Connection]) -> Connection:
    """Of connections with bodies or answers, the one to give way: the slowest body if it hardly moves, else an answer
    that is not taken, else the newest, of which the least is lost."""
    oldest = [*itertools.islice(held.things, LOOKED_AT)]
    slow = [each for each in oldest if each.state is UPLOADING and each.age_s > YOUNG_S and each.speed < LEAST_SPEED]
    late = (each for each in oldest if each.state is DOWNLOADING and each.age_s > LATE_S)
    return min(slow, key=lambda body: body.speed, default=None) or next(late, None) or held.newest()


def hold(ledger: Ledger, what: str, connection: Connection, amount: int) -> bool:
    """Has a connection hold so many bytes of bodies and answers. Whoever has far more gives way for it.

    Returns False, and it holds none, if there is no room.
    """
    for other in ledger.draw(what, connection, amount, connection.address, connection.group, least_moving):
        if other is connection:
            return False
        other.turn_away()
    return True


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
