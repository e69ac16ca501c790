"""What lasts longer than anything that the server has a connection wait for goes on, over http and over https.

A live stream, a body that is slow but fast enough, an answer that is taken slowly, a connection that is kept: all of
them wait at once, beside other tests. In the short form all waits of the server, and theirs, are a sixth.
"""

import contextlib
import random
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.driving import Served, ask, new_table
from tests.reliability.fuzzing import multipart
from tests.reliability.test_bounds import BOUNDED
from tests.web.bounded import bounds
from tests.web.hosts.laptop.small import ASKED, Small
from tests.web.hosts.laptop.test_server import Stream
from tests.web.served import throw
from web.hosts.laptop import connections, protocol, server, wsgi_bridge

PHOTO = Path(__file__).resolve().parents[1] / "pictures" / "throw-113466.jpg"
SCHEMES = {"http": False, "https": True}
SPEED = 1300  # bytes a second of a slow body; 1,000 are asked for
TAKES_AFTER_S = 45  # a phone that does not take its answer is waited for a minute
ASKS_EVERY_S = 8
WAITS: dict[Any, tuple[str, ...]] = {
    protocol: ("REQUEST_WITHIN_S", "DOWNLOADED_WITHIN_S"),
    server: ("KEEP_ALIVE_S",),
    wsgi_bridge: ("SILENCE_S",),
    connections: ("LATE_S",),
}


def listens(served: Served, seconds: float) -> None:
    """A live stream hears what is done when it is as old as that."""
    base = new_table(served)
    stream = Stream(served, base)
    try:
        throw(served, base, 0, [1, 1, 6, 6, 3, 4])
        stream.wait_for(1)
        time.sleep(seconds)
        ask(served, "POST", f"/api/v1{base}/undo", {"version": 1, "request": "undo-number-2"})
        stream.wait_for(2)
    finally:
        stream.close()


def sends_slowly(served: Served, seconds: float, speed: float) -> None:
    """A photo that is on its way for so long is taken."""
    base = new_table(served)
    photo = PHOTO.read_bytes()
    photo += bytes(max(0, int(speed * seconds) - len(photo)))  # a reader stops at the picture's own end
    body, kind = multipart({"version": "0"}, {"photo": photo}, random.Random(1))
    head = f"POST /api/v1{base}/photos HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\nConnection: close\r\n"
    with served.open() as phone:
        phone.sendall(f"{head}Content-Type: {kind.decode()}\r\nContent-Length: {len(body)}\r\n\r\n".encode())
        began, sent = time.monotonic(), 0
        while sent < len(body):
            due = int(len(body) * (time.monotonic() - began) / seconds) + 1
            phone.sendall(body[sent:due])
            sent = due
            time.sleep(0.5)
        answer = b"".join(iter(lambda: phone.recv(1 << 16), b""))
    assert answer.startswith(b"HTTP/1.1 202 "), answer


def keeps_its_connection(served: Served, seconds: float, every_s: float) -> None:
    """A phone asks now and then, always by the same connection."""
    with contextlib.closing(served.connect()) as connection:
        until, port = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            connection.request("GET", "/help")
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            assert isinstance(connection.sock, socket.socket)
            assert port in (0, connection.sock.getsockname()[1]), "it was ended"
            port = connection.sock.getsockname()[1]
            time.sleep(every_s)


def takes_late(https: bool, after_s: float) -> None:
    """A large answer comes as a whole to a phone that was asleep for a while."""
    with Small(https, answer=bytes(10_000_000)) as small, contextlib.ExitStack() as stack:
        closed = ASKED.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
        phones = [stack.enter_context(small.connect(receive_buffer=1 << 16)) for _ in range(2)]
        for phone, asked in zip(phones, (ASKED, closed), strict=True):
            phone.sendall(asked)
        time.sleep(after_s)
        for phone in phones:
            taken = 0
            while taken < len(small.answer) and (piece := phone.recv(1 << 20)):
                taken += len(piece)
            assert taken >= len(small.answer)


def last(folder: Path, seconds: float, slow_body_s: float, shorter: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All times are `shorter` times shorter."""
    shortened: dict[str, float] = {"connections__LEAST_SPEED": connections.LEAST_SPEED * shorter}
    for module, names in WAITS.items():
        for name in names:
            shortened[f"{module.__name__.rpartition('.')[2]}__{name}"] = getattr(module, name) / shorter
            monkeypatch.setattr(module, name, getattr(module, name) / shorter)
    with contextlib.ExitStack() as stack:
        works: dict[str, Callable[[], None]] = {}
        for scheme, https in SCHEMES.items():
            served = Served(folder / scheme, https=https, environment=bounds(**shortened), program=BOUNDED)
            stack.enter_context(served)
            works[f"a live stream by {scheme}"] = partial(listens, served, seconds / shorter)
            works[f"a slow photo by {scheme}"] = partial(sends_slowly, served, slow_body_s / shorter, SPEED * shorter)
            kept = partial(keeps_its_connection, served, seconds / shorter, ASKS_EVERY_S / shorter)
            works[f"a kept connection by {scheme}"] = kept
            works[f"an answer that is taken late by {scheme}"] = partial(takes_late, https, TAKES_AFTER_S / shorter)
        with ThreadPoolExecutor(len(works)) as pool:
            raised = {what: pool.submit(work).exception for what, work in works.items()}
            failed = {what: error for what, of in raised.items() if (error := of()) is not None}
    assert not failed


@pytest.mark.parametrize(
    ("seconds", "slow_body_s", "shorter"),
    [(92, 80, 6), pytest.param(300, 170, 1, marks=pytest.mark.slow)],
    ids=["short", "long"],
)
def test_what_lasts_is_not_cut_off(
    tmp_path: Path, seconds: float, slow_body_s: float, shorter: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    last(tmp_path, seconds, slow_body_s, shorter, monkeypatch)
