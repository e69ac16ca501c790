"""Runs uvicorn with our connections, and ends so that phones hardly notice."""

import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import uvicorn

from web.hosts.laptop import protocol
from web.hosts.laptop.acceptor import Acceptor
from web.hosts.laptop.application import Application
from web.hosts.laptop.connections import OUTSIDE, Connection, Connections, ConnectionState, nothing
from web.hosts.laptop.metrics import ObservedApplication
from web.hosts.laptop.proxies import Proxies
from web.tasks import heap

logger = logging.getLogger(__name__)

KEEP_ALIVE_S = 30
TICKS_BETWEEN_LOOKS = 50  # of a tenth of a second
CROWD = 100  # connections; when so many go, they leave holes in memory
END_WITHIN_S = 3  # seconds that running requests get when the server is asked to end


class Server(uvicorn.Server):
    """Uvicorn that counts its connections, closes them when it is to end, and ends with exit status 0.

    It calls `ready` when phones can come and a signal would end it cleanly.
    """

    def __init__(
        self,
        config: uvicorn.Config,
        application: Application,
        ready: Callable[[], None] = nothing,
        proxies: Proxies | None = None,
        drain_s: float = 0.0,
    ) -> None:
        """`drain_s`: seconds that it serves on after a signal, while `application` tells that it will end."""
        super().__init__(config)
        self._drain_s = drain_s
        self._ends_at: float | None = None
        self._application = application
        self._proxies = proxies or Proxies()
        self._ready = ready
        self._connections = Connections(application.hub.ledger, protocol.most_connections())
        self._crowd = 0  # the most connections since memory was given back

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        for sock in sockets or []:
            acceptor = Acceptor(sock, self._protocol, self._connections, self._application.keys, self.config.ssl)
            self.servers.append(acceptor)  # type: ignore[arg-type]
        self._ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._application.drain()
        if self._drain_s and self._ends_at is None:  # a second signal does not wait
            self._ends_at = time.monotonic() + self._drain_s
            return
        self._application.close()
        # Uvicorn would raise the signal again at its end.
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        self._look_after(counter)
        if self._ends_at is not None and time.monotonic() >= self._ends_at and not self.should_exit:
            self.handle_exit(signal.SIGTERM, None)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Uvicorn would wait in vain for phones in the middle of sending.
        for connection in self._connections.in_states(
            *OUTSIDE, ConnectionState.STARTED, ConnectionState.HANDSHAKE, ConnectionState.UPLOADING
        ):
            connection.end()
        await super().shutdown(sockets)

    def _protocol(self, connection: Connection) -> protocol.Protocol:
        about = (self.config, self.server_state, self.lifespan.state)
        return protocol.Protocol(
            *about,
            connection=connection,
            connections=self._connections,
            keys=self._application.keys,
            proxies=self._proxies,
        )

    def _look_after(self, counter: int) -> None:
        """Logs how many connections gave way, and gives memory back after a crowd has gone."""
        if counter % TICKS_BETWEEN_LOOKS:
            return
        if self._connections.ended:
            logger.warning("too many connections at once; how many had to give way: %d", self._connections.ended)
            self._connections.ended = 0
        self._crowd = max(self._crowd, self._connections.count)
        if self._crowd > CROWD and self._connections.count < self._crowd // 2:
            self._crowd = self._connections.count
            gc.collect()
            heap.trim()


def run(
    application: Application,
    face: Application | ObservedApplication,
    sock: socket.socket,
    files: tuple[Path, Path] | None,
    ready: Callable[[], None],
    proxies: Proxies,
    drain_s: float = 0.0,
) -> None:
    """Serves until a signal ends it. `face`: the application as connections see it; `files`: of a certificate and its
    key, for https; `ready` and `drain_s`: see `Server`."""
    config = uvicorn.Config(
        face,
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="off",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_S,
        timeout_graceful_shutdown=END_WITHIN_S,
        ssl_certfile=None if files is None else os.fspath(files[0]),
        ssl_keyfile=None if files is None else os.fspath(files[1]),
        proxy_headers=False,  # see `proxies`
        http=protocol.Protocol,  # made by the acceptor, which knows who calls
        ws="none",
    )
    Server(config, application, ready, proxies, drain_s).run(sockets=[sock])


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections; `port` 0: one that is free. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small pieces at once only if the socket is named TCP. Otherwise a second piece waits for the
    # acknowledgement of the first: 40 ms on a phone that reuses its connection.
    sock = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":  # on Windows this option lets two servers share one port
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
        sock.listen(protocol.backlog())
    except OSError:
        sock.close()
        raise
    return sock
