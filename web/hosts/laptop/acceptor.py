"""Accepts connections, and counts each one before its TLS handshake.

An event loop's own server knows a connection only after its handshake. Connections that never begin a handshake would
take all open files of the process.
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

from web.hosts.laptop import protocol
from web.hosts.laptop.connections import Connection, Connections, ConnectionState
from web.limits.origins import origin_of
from web.limits.quotas import FairQueue
from web.pages.keys import Keys

logger = logging.getLogger(__name__)

HANDSHAKE_WITHIN_S = 10.0
AT_ONCE = 64  # connections accepted in a row, before the event loop gets to anything else
BEGUN_AT_ONCE = 16  # connections that sent a whole request; beginning costs ten times what accepting does
UNFINISHED_AT_ONCE = 4  # connections that sent a part of a request
GLANCE = 4096  # bytes of a request that are peeked at before its connection is begun
TLS_HANDSHAKE = b"\x16"  # the first byte of a handshake
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,15})", re.IGNORECASE)
CHUNKS = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
TLS_BUFFER = 1 << 14  # bytes that one connection reads at once: a record of TLS
LOOKED_AFTER_S = 0.5
CAUGHT_UP_AFTER_S = 0.01
AGAIN_AFTER_S = 0.1  # after the system had no room for another connection


class Acceptor:
    """Accepts connections from `listening` and gives each a protocol. For `uvicorn.Server.servers`."""

    def __init__(
        self,
        listening: socket.socket,
        make_protocol: Callable[[Connection], asyncio.Protocol],
        connections: Connections,
        keys: Keys,
        context: ssl.SSLContext | None,
    ) -> None:
        self._listening = listening
        listening.setblocking(False)
        self._make_protocol = make_protocol
        self._connections = connections
        self._keys = keys
        self._tls: dict[str, Any] = {}
        if context is not None:
            self._tls = {"ssl": context, "ssl_handshake_timeout": HANDSHAKE_WITHIN_S}
            if sys.version_info >= (3, 11):
                # The default is 256 kB for each connection: a gigabyte for a silent crowd.
                sslproto.SSLProtocol.max_size = TLS_BUFFER
                # A shorter time would cut off answers that a phone still receives; `Protocol` limits those.
                self._tls["ssl_shutdown_timeout"] = protocol.DOWNLOADED_WITHIN_S
        self._silent: dict[Connection, socket.socket] = {}  # nothing came from them yet; oldest first
        # Silent ones that sent a whole request by now, or a part of one. The oldest parts give way when room is
        # needed, so the newest are begun first: their senders are the likeliest to go on.
        self._spoke: FairQueue[Connection] = FairQueue()
        self._unfinished: FairQueue[Connection] = FairQueue(newest_first=True)
        self._handshakes: set[asyncio.Task[bool]] = set()
        self._loop = asyncio.get_running_loop()
        self._tasks = [self._loop.create_task(work()) for work in (self._accept, self._look_after)]

    def close(self) -> None:
        """Accepts no more connections and ends those that were not begun."""
        for task in (*self._tasks, *self._handshakes):
            task.cancel()
        for connection in [*self._silent]:
            self._hang_up(connection)

    async def wait_closed(self) -> None:
        await asyncio.gather(*self._tasks, *self._handshakes, return_exceptions=True)

    async def _accept(self) -> None:
        taken = 0
        while True:
            while self._connections.behind:
                await asyncio.sleep(CAUGHT_UP_AFTER_S)
            try:
                sock, address = await self._loop.sock_accept(self._listening)
            except OSError as error:
                logger.warning("a connection could not be accepted: %s", error)
                self._connections.make_room()
                await asyncio.sleep(AGAIN_AFTER_S)
                continue
            connection = Connection(origin_of(address[0]))
            self._connections.add(connection)
            self._await_first_bytes(connection, sock)
            taken += 1
            if taken % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _await_first_bytes(self, connection: Connection, sock: socket.socket) -> None:
        """Waits for the first byte. Until then a connection costs its place and nothing else."""
        try:
            # By its number: for a socket object asyncio asks the system for its addresses each time.
            self._loop.add_reader(sock.fileno(), self._on_first_bytes, connection)
        except NotImplementedError:  # Windows' event loop
            self._begin(connection, sock)
            return
        self._silent[connection] = sock
        connection.end = functools.partial(self._hang_up, connection)

    def _on_first_bytes(self, connection: Connection) -> None:
        """Peeks at the first bytes. Whole requests come first; parts of requests wait behind them."""
        sock = self._silent[connection]
        self._loop.remove_reader(sock.fileno())
        said = _peek(sock)
        if not said:
            self._hang_up(connection)
            return
        if not self._spoke and not self._unfinished:
            self._loop.call_soon(self._begin_some)
        self._connections.assign(connection, connection.address, "" if self._tls else self._keys.of_head(said))
        if connection.group or (_is_client_hello(said) if self._over_tls(said) else is_whole(said)):
            self._connections.set_state(connection, ConnectionState.WAITING)
            self._spoke.put(connection, connection.address, connection.group)
        else:
            self._unfinished.put(connection, connection.address, connection.group)
            self._connections.set_state(connection, ConnectionState.UNFINISHED)

    def _begin_some(self) -> None:
        """Begins some of the connections that sent something, most of them with whole requests."""
        for waiting, most in ((self._spoke, BEGUN_AT_ONCE), (self._unfinished, UNFINISHED_AT_ONCE)):
            begun = 0
            while waiting and begun < most:
                connection = waiting.take()
                sock = self._silent.pop(connection, None)
                if sock is not None:  # else it has given way
                    self._begin(connection, sock)
                    begun += 1
        if self._spoke or self._unfinished:
            self._loop.call_soon(self._begin_some)

    def _over_tls(self, said: bytes) -> bool:
        """Whether a connection that began with these bytes, which may be none yet, is to be one over TLS."""
        return bool(self._tls) and said[:1] in (b"", TLS_HANDSHAKE)

    def _hang_up(self, connection: Connection) -> None:
        sock = self._silent.pop(connection)
        self._loop.remove_reader(sock.fileno())
        sock.close()
        self._connections.remove(connection)

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(LOOKED_AFTER_S)
            silent_for = HANDSHAKE_WITHIN_S if self._tls else protocol.REQUEST_WITHIN_S
            for connection in [connection for connection in self._silent if connection.age_s > silent_for]:
                self._hang_up(connection)

    def _begin(self, connection: Connection, sock: socket.socket) -> None:
        # Plain http is answered at a server with a certificate too: its pages say how to come over https.
        tls = self._tls if self._over_tls(_peek(sock)) else {}
        connection.over_tls = bool(tls)
        handshake = self._loop.create_task(self._do_handshake(connection, sock, tls))
        connection.end = handshake.cancel
        self._handshakes.add(handshake)
        handshake.add_done_callback(functools.partial(self._on_handshake_done, connection, sock))
        if tls:
            self._connections.set_state(connection, ConnectionState.HANDSHAKE)

    async def _do_handshake(self, connection: Connection, sock: socket.socket, tls: dict[str, Any]) -> bool:
        """Shakes hands, if over TLS, and hands the connection to its protocol. Returns whether that worked."""
        try:
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: self._make_protocol(connection), sock, **tls
            )
        except OSError:  # no TLS, or gone: nobody to tell, and not worth a line of the log
            return False
        return not transport.is_closing()

    def _on_handshake_done(self, connection: Connection, sock: socket.socket, handshake: "asyncio.Task[bool]") -> None:
        self._handshakes.discard(handshake)
        if handshake.cancelled() or not handshake.result():
            self._connections.remove(connection)
            sock.close()


def is_whole(said: bytes) -> bool:
    """Whether the first bytes of a connection seem to hold a whole request."""
    head, end, body = said.partition(b"\r\n\r\n")
    if not end or CHUNKS.search(head):
        return False
    length = LENGTH.search(head)
    return length is None or len(body) >= int(length[1])


def _is_client_hello(said: bytes) -> bool:
    """Whether these first bytes hold all of the first record of TLS (RFC 8446, section 5.1)."""
    return len(said) >= 5 + int.from_bytes(said[3:5], "big")


def _peek(sock: socket.socket) -> bytes:
    try:
        return sock.recv(GLANCE, socket.MSG_PEEK)
    except OSError:
        return b""
