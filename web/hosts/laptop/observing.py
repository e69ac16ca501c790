"""Summaries of requests for the log and the metrics, with no key, code or name in them."""

import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from web.hosts.laptop.asgi import Message, Receive, Scope, Send

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
OTHER = "other"
HIDDEN = "…"
STATIC = "/static/" + HIDDEN
LONGEST_PATH = 200

Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True)
class RequestSummary:
    """One request that is over. `status` is 0 if it broke off."""

    method: str
    path: str  # with only those segments that routes are made of
    route: str  # one of the server's own, else "other"
    status: int
    seconds: float


Observer = Callable[[RequestSummary], None]


class Paths:
    """Hides every segment of a path that is not part of a route."""

    def __init__(self, rules: Iterable[str]) -> None:
        """`rules`: the routes, as Flask writes them."""
        self._routes = {"/".join(HIDDEN if "<" in part else part for part in rule.split("/")) for rule in rules}
        self._words = {word for route in self._routes for word in route.split("/")} - {HIDDEN}

    def redact(self, path: str) -> str:
        return "/".join(part if part in self._words else HIDDEN for part in path[:LONGEST_PATH].split("/"))

    def route(self, path: str) -> str:
        """The route that a path is counted as: one of few, for any path."""
        shown = self.redact(path)
        if shown in self._routes:
            return shown
        return STATIC if shown.startswith(STATIC) else OTHER


class ObservedApplication:
    """An ASGI application that tells `observers` of each request that is over."""

    def __init__(self, application: Application, paths: Paths, observers: Sequence[Observer]) -> None:
        self._application = application
        self._paths = paths
        self._observers = observers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status = time.monotonic(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._application(scope, receive, noting)
        finally:
            method = scope["method"] if scope["method"] in METHODS else OTHER
            path = scope["path"]
            seen = RequestSummary(
                method, self._paths.redact(path), self._paths.route(path), status, time.monotonic() - began
            )
            for observer in self._observers:
                observer(seen)
