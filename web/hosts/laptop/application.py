"""The ASGI application: the pages behind their threads, and what the event loop itself answers a supervisor.

So a server whose pages' threads are all busy still tells that it lives.
"""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

from web.hosts.laptop.asgi import JSON, NOT_KEPT, Receive, Scope, Send, answer
from web.hosts.laptop.connections import nothing
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.metrics import METRICS, Metrics
from web.hosts.laptop.wsgi_bridge import WsgiBridge
from web.pages.keys import Keys
from web.texts.release import VERSION, commit

HEALTH, READY = "/health", "/ready"
SERVER = "*"  # the path of OPTIONS for the whole server (RFC 9110, section 9.3.7)
KNOWN_FOR_S = 0.5  # for which an answer of the store is used again
ANSWERS_WITHIN_S = 3.0
ENDING = "this server is ending"
SLOW = "the store does not answer"


class Probes:
    """Tells a proxy or a supervisor whether the server lives and is ready for phones.

    `fault()`: why nothing can be served now, one sentence without an address or a key; None if all is well.

    `check()`: how far the background check of the store is; None if there is none. `engine()`: what runs the networks
    that read photos; None if they are not loaded, or not here.
    """

    def __init__(
        self,
        fault: Callable[[], str | None],
        check: Callable[[], dict[str, Any] | None],
        engine: Callable[[], str | None],
    ) -> None:
        self._fault = fault
        self._notes: dict[str, Callable[[], Any]] = {"check": check, "engine": engine}
        self._about = {"version": VERSION, **({} if (made_from := commit()) is None else {"commit": made_from.name})}
        self._found: str | None = None
        self._found_at: float | None = None
        self._looking: asyncio.Task[None] | None = None
        self.ending = False

    async def answer(self, path: str, send: Send) -> None:
        reason = None if path == HEALTH else await self.unready()
        document: dict[str, Any] = {"ready": reason is None, "reason": reason} if path == READY else self._health()
        await answer(send, 200 if reason is None else 503, [JSON, NOT_KEPT], json.dumps(document).encode())

    def _health(self) -> dict[str, Any]:
        noted = {name: note() for name, note in self._notes.items()}
        return {"health": "ok", **self._about, **{name: value for name, value in noted.items() if value is not None}}

    async def unready(self) -> str | None:
        """Why phones should go to another server, or None."""
        if self.ending:
            return ENDING
        if self._found_at is None or time.monotonic() - self._found_at > KNOWN_FOR_S:
            if self._looking is None or self._looking.done():
                self._looking = asyncio.ensure_future(self._look())
            try:
                # Only one thread waits for a store that does not answer.
                await asyncio.wait_for(asyncio.shield(self._looking), ANSWERS_WITHIN_S)
            except asyncio.TimeoutError:
                return SLOW
        return ENDING if self.ending else self._found

    async def _look(self) -> None:
        self._found = await asyncio.to_thread(self._fault)
        self._found_at = time.monotonic()


class Application:
    """The pages, their live streams, and the addresses for a supervisor: `/health`, `/ready`, `/metrics`."""

    def __init__(
        self,
        pages: WsgiBridge,
        hub: Hub,
        keys: Keys,
        probes: Probes,
        metrics: Metrics | None,
        secure: bool,
        end_waits: Callable[[], None] = nothing,
    ) -> None:
        """`secure`: whether it is served over https; then the pages answer whatever comes over plain http.
        `end_waits()` ends what requests wait for."""
        self.hub = hub
        self.keys = keys
        self._probes = probes
        self._pages = pages
        self._metrics = metrics
        self._secure = secure
        self._end_waits = end_waits

    def drain(self) -> None:
        """Answers `/ready` with no from now on: this server will end."""
        self._probes.ending = True

    def close(self) -> None:
        """Ends all live streams, whose phones reconnect to another server, and what other requests wait for."""
        self.hub.close()
        self._end_waits()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method, path = scope["method"], scope["path"]
        # The connection leaves the body out of an answer to HEAD.
        asks = method in ("GET", "HEAD") and not (self._secure and scope["scheme"] == "http")
        if asks and path in (HEALTH, READY):
            await self._probes.answer(path, send)
        elif (method, path) == ("OPTIONS", SERVER):
            await answer(send, 200, [(b"allow", b"GET, HEAD, OPTIONS, POST"), (b"content-length", b"0")])
        elif asks and path == METRICS and self._metrics is not None:
            await self._metrics.answer(scope, send)
        else:
            await self._pages(scope, receive, send)
