"""Summaries of requests for the log and for Prometheus, with no key, code or name in them.

The library of Prometheus is loaded only if the server has a token for `/metrics`.
"""

import asyncio
import hmac
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass

from web.hosts.laptop.asgi import NOT_KEPT, Message, Receive, Scope, Send, answer
from web.problems.problem import Problem

METRICS = "/metrics"
SHORTEST_TOKEN = 20
TABLE = "/api/v1/tables/…"
STREAM = f"{TABLE}/states"
ACTIONS = {f"{TABLE}/actions": "action", f"{TABLE}/undo": "undo", f"{TABLE}/corrections": "correction"}
WITHIN_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
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


def check_token(token: str) -> None:
    """Raises ValueError if a token for `/metrics` is too short."""
    if len(token) < SHORTEST_TOKEN:
        raise ValueError(f"a token for /metrics has {SHORTEST_TOKEN} characters or more")


class Metrics:
    """Counts of one server. `note` and `count_reading` may be called from any thread."""

    def __init__(self, streams: Callable[[], int], unread: Callable[[], int], token: str) -> None:
        """`streams()`: how many are open. `unread()`: how many photos wait; may raise `Problem`.

        `token`: what a client must show.
        """
        import prometheus_client as prometheus

        self._generate = prometheus.generate_latest
        self._content_type = prometheus.CONTENT_TYPE_LATEST.encode()
        self._expected = b"Bearer " + token.encode()
        self._unread = unread
        self._registry = registry = prometheus.CollectorRegistry()
        about = {"registry": registry}
        by = ("method", "route", "status")
        self._requests = prometheus.Counter("rollcall_requests", "Requests, refused ones too", by, **about)
        self._seconds = prometheus.Histogram(
            "rollcall_request_seconds", "Until the answer was sent", ("route",), buckets=WITHIN_S, **about
        )
        self._actions = prometheus.Counter(
            "rollcall_actions", "Changes of games that were confirmed", ("kind",), **about
        )
        self._readings = prometheus.Counter(
            "rollcall_readings", "Readings that a person confirmed", ("sure", "corrected"), **about
        )
        prometheus.Gauge("rollcall_streams", "Open live streams", **about).set_function(streams)
        self._waiting = prometheus.Gauge("rollcall_photos_waiting", "Photos to be read, of the whole store", **about)

    def note(self, seen: RequestSummary) -> None:
        self._requests.labels(seen.method, seen.route, str(seen.status)).inc()
        if seen.route != STREAM:  # a stream lasts until the phone goes
            self._seconds.labels(seen.route).observe(seen.seconds)
        if seen.method == "POST" and seen.status == 200 and seen.route in ACTIONS:
            self._actions.labels(ACTIONS[seen.route]).inc()

    def count_reading(self, sure: bool, corrected: bool) -> None:
        """Counts a confirmed reading; one that is sure and corrected is a silent error."""
        self._readings.labels(*("yes" if each else "no" for each in (sure, corrected))).inc()

    def page(self) -> bytes:
        """The page for Prometheus. It asks the store, so not in the event loop."""
        try:
            self._waiting.set(self._unread())
        except Problem:
            self._waiting.set(math.nan)
        page: bytes = self._generate(self._registry)
        return page

    async def answer(self, scope: Scope, send: Send) -> None:
        """Sends the page to a client that shows the token, and refuses any other."""
        shown = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        if hmac.compare_digest(shown, self._expected):
            page = await asyncio.to_thread(self.page)
            await answer(send, 200, [NOT_KEPT, (b"content-type", self._content_type)], page)
        else:
            await answer(send, 401, [NOT_KEPT, (b"www-authenticate", b"Bearer")])
