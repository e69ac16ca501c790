"""Where connections come in: each is counted before anything is done with it, a TLS handshake above all.

An event loop's own server counts nothing: a connection is known to it only when its handshake is over, and those that
never begin one take all open files of the process.
"""

import asyncio
import functools
import logging
import re
import socket
import ssl
import sys
from asyncio import sslproto
from collections.abc import Callable
from typing import Any

from web.quotas import FairQueue
from web.server import protocol
from web.server.connections import At, Caller, Callers
from web.server.keys import Keys
from web.server.security import origin_of

logger = logging.getLogger(__name__)

HANDSHAKE_WITHIN_S = 10.0
MOST_GREETINGS = 400  # handshakes at once, each of which takes 120 kB
AT_ONCE = 64  # connections that are accepted before others are looked after
BEGUN_AT_ONCE = 16  # of those that have said something; each costs ten times what accepting it did
UNFINISHED_AT_ONCE = 4  # of those that have said something, but no whole request
GLANCE = 4096  # bytes of a request that are looked at before it is begun with
TLS_GREETING = 22  # the first byte of a handshake
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,15})", re.IGNORECASE)
CHUNKS = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
TLS_BUFFER = 1 << 14  # bytes that one connection reads at once: a record of TLS
LOOKED_AFTER_S = 0.5
CAUGHT_UP_AFTER_S = 0.01
AGAIN_AFTER_S = 0.1  # when the system has no room for another connection


class Acceptor:
    """Accepts connections from `listening` and gives each a protocol. For `uvicorn.Server.servers`."""

    def __init__(
        self,
        listening: socket.socket,
        make_protocol: Callable[[Caller], asyncio.Protocol],
        callers: Callers,
        keys: Keys,
        context: ssl.SSLContext | None,
    ) -> None:
        self._listening = listening
        listening.setblocking(False)
        self._make_protocol = make_protocol
        self._callers = callers
        self._keys = keys
        self._tls: dict[str, Any] = {}
        if context is not None:
            self._tls = {"ssl": context, "ssl_handshake_timeout": HANDSHAKE_WITHIN_S}
            if sys.version_info >= (3, 11):
                # Each connection would have a buffer of 256 kB, a gigabyte for a crowd that says nothing.
                sslproto.SSLProtocol.max_size = TLS_BUFFER
                # An answer that is still being taken would be cut off; how long that may last, the connection knows.
                self._tls["ssl_shutdown_timeout"] = protocol.HEARD_WITHIN_S
        self._silent: dict[Caller, socket.socket] = {}  # those that have said nothing yet, the oldest first
        # Of these, who has said something: a whole request, or less. Of the latter the oldest give way when room is
        # needed, so the newest are begun with first: who has only just begun to speak may well go on.
        self._spoke: FairQueue[Caller] = FairQueue()
        self._unfinished: FairQueue[Caller] = FairQueue(newest_first=True)
        self._greetings: set[asyncio.Task[bool]] = set()
        self._loop = asyncio.get_running_loop()
        self._tasks = [self._loop.create_task(work()) for work in (self._take_in, self._look_after)]

    def close(self) -> None:
        """No more connections; those that have not begun to ask are ended."""
        for task in (*self._tasks, *self._greetings):
            task.cancel()
        for caller in [*self._silent]:
            self._hang_up(caller)

    async def wait_closed(self) -> None:
        await asyncio.gather(*self._tasks, *self._greetings, return_exceptions=True)

    async def _take_in(self) -> None:
        taken = 0
        while True:
            while self._callers.behind:
                await asyncio.sleep(CAUGHT_UP_AFTER_S)
            try:
                connection, address = await self._loop.sock_accept(self._listening)
            except OSError as error:
                logger.warning("a connection could not be accepted: %s", error)
                self._callers.make_room()
                await asyncio.sleep(AGAIN_AFTER_S)
                continue
            caller = Caller(origin_of(address[0]))
            self._callers.come(caller)
            self._listen_to(caller, connection)
            taken += 1
            if taken % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _listen_to(self, caller: Caller, connection: socket.socket) -> None:
        """Waits for the first byte: until then a connection costs its place and nothing else."""
        try:
            # By its number: of the socket itself, asyncio would have the system tell its addresses each time.
            self._loop.add_reader(connection.fileno(), self._spoken, caller)
        except NotImplementedError:  # Windows' event loop
            self._begin(caller, connection)
            return
        self._silent[caller] = connection
        caller.end = functools.partial(self._hang_up, caller)

    def _spoken(self, caller: Caller) -> None:
        """Looks at what was said without taking it: what is no whole request waits behind those that are."""
        connection = self._silent[caller]
        self._loop.remove_reader(connection.fileno())
        said = _peek(connection)
        if not said or (self._tls and said[0] != TLS_GREETING):
            self._hang_up(caller)
            return
        if not self._spoke and not self._unfinished:
            self._loop.call_soon(self._begin_some)
        self._callers.belong(caller, caller.owner, "" if self._tls else self._keys.of_head(said))
        if caller.party or (_is_greeting(said) if self._tls else is_whole(said)):
            self._callers.now(caller, At.WAITING)
            self._spoke.put(caller, caller.owner, caller.party)
        else:
            self._unfinished.put(caller, caller.owner, caller.party)
            self._callers.now(caller, At.UNFINISHED)

    def _begin_some(self) -> None:
        """Begins with some of those that have said something, most of them whole requests."""
        for waiting, most in ((self._spoke, BEGUN_AT_ONCE), (self._unfinished, UNFINISHED_AT_ONCE)):
            begun = 0
            while waiting and begun < most:
                caller = waiting.take()
                connection = self._silent.pop(caller, None)
                if connection is not None:  # else it has given way
                    self._begin(caller, connection)
                    begun += 1
        if self._spoke or self._unfinished:
            self._loop.call_soon(self._begin_some)

    def _hang_up(self, caller: Caller) -> None:
        connection = self._silent.pop(caller)
        self._loop.remove_reader(connection.fileno())
        connection.close()
        self._callers.go(caller)

    async def _look_after(self) -> None:
        """Ends what has been silent for too long."""
        while True:
            await asyncio.sleep(LOOKED_AFTER_S)
            silent_for = HANDSHAKE_WITHIN_S if self._tls else protocol.REQUEST_WITHIN_S
            for caller in [caller for caller in self._silent if caller.age_s > silent_for]:
                self._hang_up(caller)

    def _begin(self, caller: Caller, connection: socket.socket) -> None:
        greeting = self._loop.create_task(self._greet(caller, connection))
        caller.end = greeting.cancel
        self._greetings.add(greeting)
        greeting.add_done_callback(functools.partial(self._greeted, caller, connection))
        if self._tls:
            self._callers.now(caller, At.GREETING)

    async def _greet(self, caller: Caller, connection: socket.socket) -> bool:
        """Makes a connection one that may ask, and says whether it is. Its protocol then tells what it is at."""
        try:
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: self._make_protocol(caller), connection, **self._tls
            )
        except OSError:  # no TLS, or no longer there: nobody to tell, and nothing to note of each
            return False
        return not transport.is_closing()

    def _greeted(self, caller: Caller, connection: socket.socket, greeting: "asyncio.Task[bool]") -> None:
        self._greetings.discard(greeting)
        if greeting.cancelled() or not greeting.result():
            self._callers.go(caller)
            connection.close()


def is_whole(said: bytes) -> bool:
    """Whether the first bytes of a connection hold a whole request, as far as a glance can tell."""
    head, end, body = said.partition(b"\r\n\r\n")
    if not end or CHUNKS.search(head):
        return False
    length = LENGTH.search(head)
    return length is None or len(body) >= int(length[1])


def _is_greeting(said: bytes) -> bool:
    """Whether these first bytes hold all of the first record of TLS (RFC 8446, section 5.1)."""
    return len(said) >= 5 + int.from_bytes(said[3:5], "big")


def _peek(connection: socket.socket) -> bytes:
    try:
        return connection.recv(GLANCE, socket.MSG_PEEK)
    except OSError:
        return b""
