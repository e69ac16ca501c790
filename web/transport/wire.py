"""The connections themselves: bounded in number, and none is held for somebody who says nothing.

Phones leave a Wi-Fi without a word; browsers open connections that they never use. Here both are noticed.
"""

import asyncio
import contextlib
import json
import socket
import sys
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_WITHIN_S = 20.0  # from the first byte of a request (or the connection's beginning) to the end of its headers
VANISHED_AFTER_S = 60
MOST_CONNECTIONS = 4000
SPARE_FILES = 100  # of the process' limit of open files, for everything that is no connection
MALFORMED = {
    "error": {
        "reason": "bad-request",
        "params": {"detail": "this is no HTTP"},
        "message": "The request could not be understood: this is no HTTP.",
    }
}


class Wire(H11Protocol):
    """One connection. See `uvicorn.Config(http=...)`."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        _notice_vanished(transport.get_extra_info("socket"))
        if len(self.connections) > most_connections():
            self._make_room()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return  # what follows a request that was no HTTP
        super().data_received(data)
        # Headers that come byte by byte do not prolong their time.
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Tells that the request was no HTTP, in the shape of every other error, unless an answer has begun."""
        with contextlib.suppress(h11.LocalProtocolError):
            body = json.dumps(MALFORMED).encode()
            headers = [
                (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
                (b"cache-control", b"no-store"),
                (b"connection", b"close"),
            ]
            head = self.conn.send(h11.Response(status_code=400, headers=headers, reason=b"Bad Request"))
            self.transport.write(b"".join(filter(None, (head, self.conn.send(h11.Data(data=body))))))
        self.transport.close()

    def _should_upgrade(self) -> bool:
        return False  # there are no web sockets here, and nothing to warn of

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(REQUEST_WITHIN_S, self._give_up)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _give_up(self) -> None:
        self._waiting = None
        self.transport.close()

    def _make_room(self) -> None:
        """Ends a connection on which nothing is asked now, which its browser will hardly notice; else this one."""
        idle = (other for other in self.connections if other is not self and _is_idle(other))
        next(idle, self).transport.close()


def most_connections() -> int:
    """How many connections there may be at once, with what the system lets a process open."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST_CONNECTIONS
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, max(soft - SPARE_FILES, 16))


def raise_file_limit() -> None:
    """Lets this process open as many files as `MOST_CONNECTIONS` needs, where the system allows it."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + SPARE_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _is_idle(connection: Any) -> bool:
    cycle = connection.cycle
    return cycle is None or bool(cycle.response_complete)


def _notice_vanished(connection: socket.socket | None) -> None:
    """Has the system ask after a phone that is silent, so that one that went without a word is noticed."""
    if connection is None:
        return
    wanted = [(socket.SOL_SOCKET, "SO_KEEPALIVE", 1)]
    if sys.platform != "win32":
        wanted += [
            (socket.IPPROTO_TCP, "TCP_KEEPIDLE", VANISHED_AFTER_S // 2),
            (socket.IPPROTO_TCP, "TCP_KEEPINTVL", VANISHED_AFTER_S // 6),
            (socket.IPPROTO_TCP, "TCP_KEEPCNT", 3),
            (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", VANISHED_AFTER_S * 1000),
        ]
    for level, name, value in wanted:
        option = getattr(socket, name, None)
        if option is not None:
            with contextlib.suppress(OSError):
                connection.setsockopt(level, option, value)
