"""The ASGI application: live streams in the event loop, all that is asked for else in the pages' threads."""

import asyncio
from typing import Protocol

from web.problems import Problem
from web.server import live, security
from web.server.asgi import Receive, Scope, Send, table_of
from web.server.headers import header
from web.server.keys import Keys
from web.server.metrics import METRICS, Metrics
from web.server.probes import HEALTH, READY, SERVER, Probes
from web.server.wsgi_bridge import Pages, WsgiBridge, connection_of

THREADS = 16  # for pages and actions; an action takes milliseconds, and photos are read by a thread of their own


class Tables(Protocol):
    """What the server asks of the application's tables, beside having its pages made."""

    def phone(self, cookies: str) -> str:
        """The id of the phone that sends this Cookie header; "" for one without."""

    def first_state(self, key: str, address: str, phone: str) -> bytes:
        """What a phone that listens to a table is sent first. Raises `Problem` for one that may not come."""

    def most_bytes(self, scope: Scope) -> int:
        """How many bytes a large request may have. Raises `Problem` where nothing of it is wanted."""


class Application:
    """The pages with their live streams, and what a supervisor asks."""

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
    ) -> None:
        """`body_limit`: bytes of a request for which `tables` need not be asked."""
        self.hub = hub
        self.keys = Keys()
        self._probes = probes
        self._pages = WsgiBridge(pages, threads, body_limit, tables.most_bytes, self.keys.note)
        self._tables = tables
        self._hosts = hosts
        self._metrics = metrics

    def drain(self) -> None:
        """Tells who asks that this server will end."""
        self._probes.ending = True

    def close(self) -> None:
        """Sends the phones that listen to another server."""
        self.hub.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = table_of(scope, "GET", "events")
        # Of an answer to HEAD the connection leaves the body out.
        asked = scope["path"] if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if asked in (HEALTH, READY):
            await self._probes.answer(asked, send)
        elif scope["type"] == "http" and (scope["method"], scope["path"]) == ("OPTIONS", SERVER):
            await self._probes.answer_ping(send)
        elif asked == METRICS and self._metrics is not None:
            await self._metrics.answer(scope, send)
        elif key is None:
            await self._pages(scope, receive, send)
        else:
            await self._stream(key, scope, receive, send)

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
