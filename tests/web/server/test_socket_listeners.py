"""Listeners at WebSockets that do not listen: each is noticed, told, and ended, and costs nobody else anything."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.web.server.small import Small
from web.server import web_sockets
from web.server.live import Hub
from web.server.wsgi_bridge import connection_of

pytestmark = pytest.mark.whole

SHAKE = (
    b"GET /api/v1/tables/a-key/events HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
CLOSE, PING, TEXT = 0x88, 0x89, 0x81
TEXTS = 40  # far more than what the system holds for a connection
PATIENCE_S = 0.3


class Telling(Small):
    """Tells each listener `texts` at once, and goes on for as long as it listens."""

    def __init__(self, https: bool, texts: int) -> None:
        super().__init__(https)
        self.hub, self.texts = Hub(), [b"x" * 500_000] * texts
        self.heard = 0  # by listeners that are gone

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            await super().__call__(scope, receive, send)
            return
        told = iter([self.texts])
        with self.hub.listening("a-key", connection_of(scope), speaks=True) as listener:
            await web_sockets.tell_events(self.hub, listener, lambda: next(told, []), receive, send)
        self.heard += 1


@pytest.fixture(params=[False, True], ids=["http", "https"])
def https(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@contextmanager
def telling(https: bool, texts: int = 0) -> Iterator[Telling]:
    with Telling(https, texts) as small:
        yield small
        until = time.monotonic() + 60
        while small.heard == 0 or small.hub.streams or small.server._connections.count > 1:
            assert time.monotonic() < until, "somebody is still there"
            time.sleep(0.01)


def shake(small: Small, **more: Any) -> socket.socket:
    """A connection whose handshake is over."""
    sock = small.connect(**more)
    sock.settimeout(60)
    sock.sendall(SHAKE)
    told = b""
    while not told.endswith(b"\r\n\r\n"):
        told += sock.recv(1)
    assert told.startswith(b"HTTP/1.1 101 ")
    return sock


def frame(sock: socket.socket) -> tuple[int, bytes]:
    """The next frame: its first byte and what it holds; (0, b"") at the end."""
    head = taken(sock, 2)
    if len(head) < 2:
        return 0, b""
    longer = {126: 2, 127: 8}.get(head[1], 0)
    return head[0], taken(sock, int.from_bytes(taken(sock, longer), "big") if longer else head[1])


def taken(sock: socket.socket, size: int) -> bytes:
    found = b""
    while len(found) < size and (piece := sock.recv(size - len(found))):
        found += piece
    return found


def test_who_answers_no_ping_is_closed(https: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    with telling(https) as small:
        config = small.server.config
        config.ws_ping_interval = config.ws_ping_timeout = PATIENCE_S
        monkeypatch.setattr(web_sockets, "CLOSED_WITHIN_S", PATIENCE_S)
        with shake(small) as sock:
            assert frame(sock)[0] == PING
            kind, said = frame(sock)
            assert (kind, int.from_bytes(said[:2], "big")) == (CLOSE, 1011)
            assert frame(sock) == (0, b"")


def test_who_takes_nothing_is_told_and_closed(https: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_sockets, "RECEIVED_WITHIN_S", PATIENCE_S)
    with telling(https, TEXTS) as small, shake(small, receive_buffer=4096) as sock:
        until = time.monotonic() + 60
        while small.heard == 0:  # it has given up
            assert time.monotonic() < until
            time.sleep(0.01)
        kinds = []
        while (found := frame(sock))[0] == TEXT:
            kinds.append(len(found[1]))
        assert 0 < len(kinds) < TEXTS
        assert found[0] == CLOSE
        assert int.from_bytes(found[1][:2], "big") == web_sockets.TOO_SLOW


def test_who_takes_nothing_for_good_is_cut(https: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_sockets, "RECEIVED_WITHIN_S", PATIENCE_S)
    monkeypatch.setattr(web_sockets, "CLOSED_WITHIN_S", PATIENCE_S)
    with Telling(https, TEXTS) as small, shake(small, receive_buffer=4096):
        until = time.monotonic() + 60
        while small.heard == 0 or small.server._connections.count:
            assert time.monotonic() < until, "it is still there"
            time.sleep(0.01)


def test_who_takes_nothing_gets_no_pongs_held(https: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pings are not even read, so no answer to them waits in memory."""
    monkeypatch.setattr(web_sockets, "FREE_BYTES", 1 << 40)
    with telling(https, TEXTS) as small, shake(small, receive_buffer=4096) as sock:
        sock.settimeout(1)
        ping = bytes([PING, 0x80 | 100]) + bytes(104)
        pieces = [ping * 1000] * 1000  # 106 MB, far more than the system holds
        with pytest.raises(TimeoutError):
            list(map(sock.sendall, pieces))
