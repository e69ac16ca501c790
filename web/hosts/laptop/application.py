"""The ASGI application: the pages behind their threads, and what the event loop itself answers a supervisor."""

from web.hosts.laptop.asgi import Receive, Scope, Send
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.metrics import METRICS, Metrics
from web.hosts.laptop.probes import HEALTH, READY, SERVER, Probes
from web.hosts.laptop.wsgi_bridge import WsgiBridge
from web.pages.keys import Keys


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
    ) -> None:
        """`secure`: whether it is served over https; then the pages answer whatever comes over plain http."""
        self.hub = hub
        self.keys = keys
        self._probes = probes
        self._pages = pages
        self._metrics = metrics
        self._secure = secure

    def drain(self) -> None:
        """Answers `/ready` with no from now on: this server will end."""
        self._probes.ending = True

    def close(self) -> None:
        """Ends all live streams; their phones reconnect to another server."""
        self.hub.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        method, path = scope["method"], scope["path"]
        # The connection leaves the body out of an answer to HEAD.
        asks = method in ("GET", "HEAD") and not (self._secure and scope["scheme"] == "http")
        if asks and path in (HEALTH, READY):
            await self._probes.answer(path, send)
        elif (method, path) == ("OPTIONS", SERVER):
            await self._probes.answer_ping(send)
        elif asks and path == METRICS and self._metrics is not None:
            await self._metrics.answer(scope, send)
        else:
            await self._pages(scope, receive, send)
