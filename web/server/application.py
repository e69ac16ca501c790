"""The ASGI application: live streams run in the event loop, all other requests in the pages' threads."""

import asyncio
from typing import Protocol

from web.problems import Problem
from web.server import live, security
from web.server.asgi import NOT_KEPT, STATES, Headers, Receive, Scope, Send, answer, stream_of
from web.server.headers import header
from web.server.keys import Keys
from web.server.metrics import METRICS, Metrics
from web.server.probes import HEALTH, READY, SERVER, Probes
from web.server.wsgi_bridge import Pages, WsgiBridge, connection_of

THREADS = 16  # for pages and actions; an action takes milliseconds, and photos are read by a thread of their own


class Tables(Protocol):
    """What the server asks of the application, besides its pages."""

    def phone(self, cookies: str) -> str:
        """The id of the phone that sends this Cookie header; "" if it has none."""

    def first_state(self, key: str, address: str, phone: str) -> bytes:
        """The first state of a phone's live stream. Raises `Problem` if the phone may not come to the table."""

    def program(self, kind: str, name: str, scope: Scope) -> tuple[str, str]:
        """The key of the table, and who listens, of a request that `asgi.stream_of` found. Raises `Problem`."""

    def reader(self, kind: str, key: str, phone: str, scope: Scope) -> live.Reader:
        """What such a listener is sent."""

    def refusal(self, problem: Problem) -> tuple[Headers, bytes]:
        """The headers and body by which a program is refused."""

    def most_bytes(self, scope: Scope) -> int:
        """How many bytes a large request may have. Raises `Problem` if it is refused unread."""


class Application:
    """The pages, their live streams, and the addresses for a supervisor: `/health`, `/ready`, `/metrics`."""

    def __init__(
        self,
        pages: Pages,
        body_limit: int,
        tables: Tables,
        hub: live.Hub,
        hosts: security.Hosts,
        probes: Probes,
        metrics: Metrics | None = None,
        threads: int = THREADS,
        secure: bool = False,
    ) -> None:
        """`body_limit`: bytes up to which `tables` is not asked about a request. `secure`: whether it is served over
        https; then the pages answer whatever comes over plain http."""
        self.hub = hub
        self.keys = Keys()
        self._probes = probes
        self._pages = WsgiBridge(pages, threads, body_limit, tables.most_bytes, self.keys.note)
        self._tables = tables
        self._hosts = hosts
        self._metrics = metrics
        self._secure = secure

    def drain(self) -> None:
        """Answers `/ready` with no from now on: this server will end."""
        self._probes.ending = True

    def close(self) -> None:
        """Ends all live streams; their phones reconnect to another server."""
        self.hub.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._secure and scope.get("scheme") == "http":
            await self._pages(scope, receive, send)
            return
        stream = stream_of(scope)
        # The connection leaves the body out of an answer to HEAD.
        asked = scope["path"] if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if asked in (HEALTH, READY):
            await self._probes.answer(asked, send)
        elif scope["type"] == "http" and (scope["method"], scope["path"]) == ("OPTIONS", SERVER):
            await self._probes.answer_ping(send)
        elif asked == METRICS and self._metrics is not None:
            await self._metrics.answer(scope, send)
        elif stream is None or not _listens(stream[0], scope):
            await self._pages(scope, receive, send)
        elif stream[0] == STATES and not header(scope, "authorization"):
            await self._stream(stream[1], scope, receive, send)
        else:
            await self._stream_to_program(*stream, scope, receive, send)

    async def _stream(self, key: str, scope: Scope, receive: Receive, send: Send) -> None:
        connection = connection_of(scope)
        try:
            security.check_host(self._hosts, header(scope, "host"))
            phone = self._tables.phone(header(scope, "cookie"))
            with self.hub.listening(key, connection, phone) as listener:
                state = await asyncio.to_thread(self._tables.first_state, key, connection.owner, phone)
                self.keys.note(key)
                await self.hub.stream(listener, state, receive, send)
        except Problem as problem:
            await live.refuse(send, problem, header(scope, "accept"))

    async def _stream_to_program(self, kind: str, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        connection = connection_of(scope)
        try:
            security.check_host(self._hosts, header(scope, "host"))
            if _wants_socket(scope):
                raise Problem("socket-gone", 410)
            key, phone = await asyncio.to_thread(self._tables.program, kind, name, scope)
            with self.hub.listening(key, connection, phone, heartbeat_s=_heartbeat_of(phone, scope)) as listener:
                self.keys.note(key)
                await self.hub.stream(listener, b"", receive, send, self._tables.reader(kind, key, phone, scope))
        except Problem as problem:
            await answer(send, *self._refusal(problem))

    def _refusal(self, problem: Problem) -> tuple[int, Headers, bytes]:
        headers, body = self._tables.refusal(problem)
        return problem.status, [*headers, NOT_KEPT, (b"content-length", b"%d" % len(body))], body


def _heartbeat_of(phone: str, scope: Scope) -> float:
    """A token that is no table's is the machine's owner's: `rollcall token` takes it back."""
    return live.HEARTBEAT_S if phone or not header(scope, "authorization") else live.RECHECKED_S


def _listens(kind: str, scope: Scope) -> bool:
    """Whether it asks for a stream, or for the WebSocket that was at this address."""
    return kind == STATES or live.EVENTS in header(scope, "accept").lower() or _wants_socket(scope)


def _wants_socket(scope: Scope) -> bool:
    return header(scope, "upgrade").lower() == "websocket"
