"""What Prometheus reads at `/metrics`. Its library is loaded only if the server has a token for it."""

import asyncio
import hmac
import math
from collections.abc import Callable

from web.common.problems import Problem
from web.hosts.laptop.asgi import NOT_KEPT, Scope, Send, answer
from web.hosts.laptop.observing import RequestSummary

METRICS = "/metrics"
SHORTEST_TOKEN = 20
TABLE = "/api/v1/tables/…"
STREAM = f"{TABLE}/states"
ACTIONS = {f"{TABLE}/actions": "action", f"{TABLE}/undo": "undo", f"{TABLE}/corrections": "correction"}
WITHIN_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


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
