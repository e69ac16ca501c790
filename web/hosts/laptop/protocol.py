"""The protocol of one connection: it ends silent connections and limits what each one costs.

Phones leave a Wi-Fi without a word; browsers open connections that they never use. The protocol notices both. A small
read costs as much as a large one, so a body in small pieces is read seldom. Chunked bodies are refused: each chunk is
parsed by itself, and 100,000 of them fit into a megabyte.
"""

import asyncio
import contextlib
import math
import random
import re
import socket
import sys
from http import HTTPStatus
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

from web.hosts.laptop.asgi import NOT_KEPT, PROBLEM
from web.hosts.laptop.connections import Connection, Connections, ConnectionState, Timer, nothing
from web.hosts.laptop.proxies import Proxies
from web.limits.ledger import BOUNDS, CONNECTIONS
from web.limits.origins import origin_of
from web.pages.keys import Keys
from web.problems.problem import Problem, as_body

REQUEST_WITHIN_S = 20.0  # from the beginning of a connection or a request to the end of its headers
DOWNLOADED_WITHIN_S = 60.0  # a piece of an answer; for so long a body that was refused may go on, too
ENDING_S = 2.0  # for which a connection stays open after its last answer, so that it is received
VANISHED = {"TCP_KEEPIDLE": 30, "TCP_KEEPINTVL": 10, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 60_000}  # 60 s in all
BUSY_S = (5, 15)  # a random wait for phones whose body finds no room
READ_AT_ONCE = 1 << 16  # bytes; asyncio itself reads four times as many
BACKLOG = 4096  # connections that the system accepts ahead of us; if it is full, phones wait for seconds
SPARE_FILES = BACKLOG + 400  # open files of the process for everything but connections
SMALL_READ = 4096  # bytes: a read of fewer is a small read
FREE_SMALL_READS = 16  # of one request; after more, its connection pauses after each
REST_S, LONGEST_REST_S = 0.05, 1.0  # the pause doubles until a read brings more
ABSOLUTE = re.compile(rb"https?://([^/?#]*)(.*)", re.IGNORECASE)  # what is asked for by its whole address


class H11Connection(h11.Connection):
    """Refuses chunked bodies: browsers send none, and a script that sends a file knows its length.

    A request for a whole address becomes a request for its path at the host in it.
    """

    refused: Problem | None = None

    def next_event(self) -> Any:
        event = super().next_event()
        if not isinstance(event, h11.Request):
            return event
        if any(name == b"transfer-encoding" for name, _ in event.headers):
            self.refused = Problem("length-required", 411)
            raise h11.RemoteProtocolError(str(self.refused))
        address = ABSOLUTE.fullmatch(event.target)
        return event if address is None else _in_origin_form(event, *address.groups())


class Protocol(H11Protocol):
    """One connection. See `uvicorn.Config(http=...)`."""

    _late: object = None  # the request whose answer is not received at once
    _small_reads = 0
    _ending = False  # its last answer was sent; what still comes is thrown away

    def __init__(
        self,
        *arguments: Any,
        connection: Connection,
        connections: Connections,
        keys: Keys,
        proxies: Proxies,
        **named: Any,
    ) -> None:
        super().__init__(*arguments, **named)
        self.conn: H11Connection = H11Connection(h11.SERVER)
        self._connection = connection
        self._connections = connections
        self._keys = keys
        self._proxies = proxies
        self._waiting = Timer()  # limits how long the present state may last
        self._resting = Timer()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._connection.end = transport.abort
        self._connection.refuse = self._refuse
        if self._connection.state is not ConnectionState.WAITING:  # the bytes that were peeked at come in a moment
            self._connections.set_state(self._connection, ConnectionState.STARTED)
        _notice_vanished(transport.get_extra_info("socket"))
        # So that `pause_writing` is called for everything that is not received at once; over TLS, from the second piece
        # of an answer on (`asgi.answer`). There 0 would mean always.
        transport.set_write_buffer_limits(high=1, low=0)
        transport.max_size = READ_AT_ONCE  # type: ignore[attr-defined]
        self._waiting.start(REQUEST_WITHIN_S, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._update_state()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._update_state()
        if self._connection.state is ConnectionState.DOWNLOADING and not self._ending:
            self._waiting.start(DOWNLOADED_WITHIN_S, self.transport.abort)  # anew, since it has taken something

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.remove(self._connection)
        self._connection.lost = True
        self._connection.end, self._connection.refuse = nothing, None
        self._waiting.stop()
        self._resting.stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing() or self._ending:
            return
        self._connection.received += len(data)
        super().data_received(data)
        self._update_state()
        if self._connection.state in (ConnectionState.STARTED, ConnectionState.UPLOADING):
            self._count_small_read(len(data))

    def handle_events(self) -> None:
        super().handle_events()
        scope: Any = self.scope
        if scope is not None and "connection" not in scope["state"]:
            scope["state"]["connection"] = self._connection
            if self._proxies:
                self._look_behind_proxies(scope)
            self._connections.assign(self._connection, self._connection.address, self._keys.of_path(scope["path"]))

    def _look_behind_proxies(self, scope: Any) -> None:
        """Sets the client, the scheme and the path above our pages of a request that a proxy hands on."""
        client = self.client[0] if self.client else ""
        scope["scheme"] = self._proxies.scheme(client, self.headers) or self.scheme
        scope["root_path"] = self._proxies.root(client, self.headers)
        address = self._proxies.client_address(client, self.headers)
        if address != client:
            scope["client"] = (address, 0)
        self._connections.assign(self._connection, origin_of(address), self._connection.group)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._unset_keepalive_if_required()  # it would run before the answer is received; see `_update_state`
        self._update_state()
        if self._connection.state is ConnectionState.UPLOADING and not self._waiting.runs:
            self._waiting.start(DOWNLOADED_WITHIN_S, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        """Tells why this is no request for us, unless an answer has begun."""
        self._tell(self.conn.refused or Problem("bad-request", 400, detail="this is no HTTP"))

    def _refuse(self) -> None:
        """Ends a request that finds no room, and tells its phone to try again later, unless an answer has begun."""
        if self.transport.is_closing() or self._ending:
            return
        if self.cycle.response_started:
            self.transport.abort()
            return
        self.cycle.disconnected = True  # what it still sends or is answered goes nowhere
        self.cycle.message_event.set()
        self._tell(Problem("busy", 503, again_s=random.randint(*BUSY_S)))

    def _tell(self, problem: Problem) -> None:
        with contextlib.suppress(h11.LocalProtocolError):
            body = as_body(problem)
            headers = [
                PROBLEM,
                (b"content-length", str(len(body)).encode()),
                NOT_KEPT,
                (b"connection", b"close"),
                *([(b"retry-after", b"%d" % problem.again_s)] if problem.again_s else []),
            ]
            phrase = HTTPStatus(problem.status).phrase.encode()
            head = self.conn.send(h11.Response(status_code=problem.status, headers=headers, reason=phrase))
            self.transport.write(b"".join(filter(None, (head, self.conn.send(h11.Data(data=body))))))
        self._end_gently()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._update_state()

    def shutdown(self) -> None:
        if self._ending:
            self.transport.abort()
        else:
            super().shutdown()

    def _should_upgrade(self) -> bool:
        return False  # a wish that is not granted (RFC 9110, section 7.8); uvicorn would log each

    def _update_state(self) -> None:
        """Notes the present state of this connection, and limits how long it may last."""
        state = self._current_state()
        if state is self._connection.state or self._ending:
            return
        self._connections.set_state(self._connection, state)
        self._small_reads = 0
        if state is ConnectionState.DOWNLOADING:
            self._waiting.start(DOWNLOADED_WITHIN_S, self.transport.abort)
        elif state is ConnectionState.STARTED or self.transport.is_closing():
            self._waiting.start(REQUEST_WITHIN_S, self.transport.abort)  # over TLS, a phone that went does not close it
        elif state is ConnectionState.IDLE:
            self._waiting.start(self.timeout_keep_alive, self.timeout_keep_alive_handler)
        else:
            self._waiting.stop()  # other states have limits of their own

    def _current_state(self) -> ConnectionState:
        if self.cycle is None:
            return ConnectionState.STARTED  # TLS itself may still be writing: that is no answer
        sent = self.conn.their_state
        if not self.cycle.response_complete:
            if sent is h11.SEND_BODY:
                return ConnectionState.UPLOADING
            if self.flow.write_paused and self.cycle.response_started and not self._connection.listens:
                self._late = self.cycle
            return ConnectionState.DOWNLOADING if self._late is self.cycle else ConnectionState.ANSWERING
        if self.transport.is_closing():
            return ConnectionState.DOWNLOADING if self.flow.write_paused else ConnectionState.STARTED
        if sent is h11.SEND_BODY:
            return ConnectionState.UPLOADING
        if self.flow.write_paused:
            return ConnectionState.DOWNLOADING
        return ConnectionState.STARTED if sent is h11.IDLE and self.conn.trailing_data[0] else ConnectionState.IDLE

    def _count_small_read(self, size: int) -> None:
        """Pauses a connection that sends its request in small pieces: meanwhile the system collects them."""
        if size >= SMALL_READ:
            self._small_reads = min(self._small_reads, FREE_SMALL_READS)
            return
        self._small_reads += 1
        if self._small_reads > FREE_SMALL_READS and not self._resting.runs:
            doubled = min(self._small_reads - FREE_SMALL_READS - 1, 10)
            self.transport.pause_reading()
            self._resting.start(min(REST_S * 2**doubled, LONGEST_REST_S), self._go_on)

    def _go_on(self) -> None:
        if not self.flow.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def _end_gently(self) -> None:
        """Ends the connection after its last answer was received: closing while a phone still sends would lose it."""
        self._ending = True
        self._connections.set_state(self._connection, ConnectionState.STARTED)
        with contextlib.suppress(OSError, NotImplementedError):  # TLS cannot close one direction alone
            if self.transport.can_write_eof():
                self.transport.write_eof()
        self._waiting.start(ENDING_S, self.transport.abort)


def _in_origin_form(request: h11.Request, host: bytes, target: bytes) -> h11.Request:
    """Turns a request for a whole address into one for its path. Its host replaces the Host header (RFC 9112)."""
    if not target.startswith(b"/"):  # an empty path is "/", but "*" for OPTIONS
        target = b"*" if not target and request.method == b"OPTIONS" else b"/" + target
    headers = [(b"host", host), *((name, value) for name, value in request.headers if name != b"host")]
    return h11.Request(method=request.method, target=target, headers=headers, http_version=request.http_version)


def file_limit() -> float:
    if resource is None:
        return math.inf
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return math.inf if soft == resource.RLIM_INFINITY else soft


def most_connections() -> int:
    """How many connections there may be at once, given the limit of open files."""
    limit = file_limit()
    return int(min(BOUNDS[CONNECTIONS].most, max(limit - SPARE_FILES, limit // 2)))


def backlog() -> int:
    """How many connections the system may accept ahead of us: fewer than we can still open."""
    return int(min(BACKLOG, max(file_limit() - most_connections() - 100, 16)))


def raise_file_limit() -> None:
    """Lets this process open as many files as its connections need, if the system allows it."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = BOUNDS[CONNECTIONS].most + SPARE_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _notice_vanished(sock: socket.socket | None) -> None:
    """Has the system probe silent phones, so that one that vanished is noticed."""
    if sock is None:
        return
    with contextlib.suppress(OSError):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in VANISHED.items():
            if sys.platform != "win32" and hasattr(socket, name):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
