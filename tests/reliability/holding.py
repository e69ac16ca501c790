"""One hostile device that has a server hold bytes and spend seconds: large bodies, answers not taken, long games.

Run as a program beside the server, as `floods.py` is. Kinds, in the order of what they cost a server:

- `records`: senders of records that are as long as one may be, and nothing but brackets;
- `files`: connections that ask for one large file (`--path`) and take nothing of it;
- `scripts`: the same with a joined script, which is no file;
- `histories`: connections that ask for the history of a game of 20,000 lines, and take nothing of it;
- `events`: connections that ask for one event of such a game;
- `streams`: programs that want all events of six such games.
"""

import argparse
import asyncio
import contextlib
import json
import socket
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scorer import MOST_ACTIONS
from tests.web.served import UNCHECKED, connection_to
from web.hosts.laptop.protocol import raise_file_limit
from web.pages import static
from web.pages.operations import RECORD_LIMIT

MOST_SECONDS = 120
BOUNDARY, COOKIE = "of-the-device", "device=hostile-device-0123456789"
BUST = {"do": "throw", "dice": [2, 3, 4, 6, 2, 3]}
CONNECTIONS = {"records": 8, "files": 200, "scripts": 200, "histories": 300, "events": 8, "streams": 40}
PATIENCE_S = 20.0  # with one answer that is wanted


def record_of(lines: int) -> bytes:
    """A game in which everybody busts for so long."""
    game = {"format": 1, "game": "ones-and-fives", "options": {}, "players": ["Ada", "Bob"], "actions": [BUST] * lines}
    return json.dumps(game).encode()


def form_of(record: bytes) -> bytes:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="record"; filename="game.json"\r\n\r\n'
    return head.encode() + record + f"\r\n--{BOUNDARY}--\r\n".encode()


def asked(method: str, path: str, body: bytes = b"", *more: str) -> bytes:
    kind = f"Content-Type: multipart/form-data; boundary={BOUNDARY}"
    lines = [
        f"{method} {path} HTTP/1.1",
        "Host: 127.0.0.1",
        "Connection: close",
        f"Cookie: {COOKIE}",
        "Accept: application/json",
        *more,
    ]
    lines += [f"Content-Length: {len(body)}", *([] if more else [kind])] if body else []
    return "\r\n".join([*lines, "", ""]).encode() + body


class HoldingDevice:
    """Connections of one address, each of which asks again as soon as it is answered or ended."""

    def __init__(self, port: int, https: bool, source: str, lines: int, size: int, path: str) -> None:
        self._port, self._https, self._source, self._size = port, https, source, size
        self._lines, self._path = lines, path
        self.told: Counter[str] = Counter()

    def requests(self, kind: str) -> tuple[list[bytes], bool]:
        """What is asked for in turns, and whether the answers are taken."""
        if kind == "records":
            brackets = b"[" + b",".join([b"[]"] * ((self._size - 2) // 3)) + b"]"
            return [asked("POST", "/import", form_of(brackets))], True
        if kind in ("files", "scripts"):
            path = self._path if kind == "files" else f"/static/{static.version()}/table/table.js"
            return [asked("GET", path)], False
        tables = [self.import_game() for _ in range(6 if kind == "streams" else 1)]
        found = {"histories": "history", "events": "events?limit=1", "streams": "events?after=0"}[kind]
        more = ("Accept: text/event-stream",) if kind == "streams" else ()
        return [asked("GET", f"/api/v1{table}/{found}", b"", *more) for table in tables], kind == "events"

    async def run(self, requests: Sequence[bytes], takes: bool, connections: int, seconds: float) -> None:
        until = time.monotonic() + seconds
        tasks = [
            asyncio.ensure_future(self._ask(requests[number % len(requests)], takes, until))
            for number in range(connections)
        ]
        await asyncio.wait(tasks, timeout=seconds)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _ask(self, request: bytes, takes: bool, until: float) -> None:
        while time.monotonic() < until:
            await self.ask_once(request, None if takes else until - time.monotonic())

    async def ask_once(self, request: bytes, holds_s: float | None) -> None:
        """Asks by a connection of its own. `holds_s`: how long it takes nothing of the answer; None: it takes it."""
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.setblocking(False)
        plain.bind((self._source, 0))
        try:
            await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", self._port))
            about: dict[str, Any] = {"ssl": UNCHECKED, "server_hostname": ""} if self._https else {}
            reader, writer = await asyncio.open_connection(sock=plain, limit=1024, **about)
        except OSError:
            plain.close()
            self.told["not connected"] += 1
            await asyncio.sleep(0.1)
            return
        with contextlib.closing(writer):
            await self._exchange(reader, writer, request, holds_s)

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes, holds_s: float | None
    ) -> None:
        try:
            writer.write(request)
            await writer.drain()
            head = await asyncio.wait_for(reader.readline(), PATIENCE_S)
            self.told[head.decode("latin-1").strip()[9:12] or "ended"] += 1
            if holds_s is not None and head.startswith(b"HTTP/1.1 200"):
                assert isinstance(writer.transport, asyncio.Transport)
                writer.transport.pause_reading()
                await asyncio.sleep(holds_s)
            while holds_s is None and await asyncio.wait_for(reader.read(1 << 16), PATIENCE_S):
                pass
        except (OSError, ValueError, asyncio.TimeoutError):
            self.told["broken"] += 1
            await asyncio.sleep(0.1)

    def import_game(self) -> str:
        kind = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        return self._start("/import", form_of(record_of(self._lines)), kind)

    def start_night(self) -> str:
        """The key of a club's night."""
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        return self._start("/clubs", b"name=Night&game=yahtzee&rounds=3&seats=4", kind).split("/")[-2]

    def _start(self, path: str, body: bytes, kind: Mapping[str, str]) -> str:
        """Posts a form; returns where it leads."""
        with contextlib.closing(connection_to(self._port, self._https, 120, self._source)) as connection:
            connection.request("POST", path, body, {**kind, "Cookie": COOKIE})
            answer = connection.getresponse()
            answer.read()
        assert answer.status == 303, answer.status
        return str(answer.headers["Location"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="a device that has a server on this machine hold and spend much")
    parser.add_argument("kind", choices=CONNECTIONS)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--connections", type=int)
    parser.add_argument("--source", default="127.0.0.2")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--lines", type=int, default=MOST_ACTIONS, help="of a game")
    parser.add_argument("--size", type=int, default=RECORD_LIMIT, help="bytes of a record")
    parser.add_argument("--path", default="/phone/large.gz", help="of a file")
    parser.add_argument("--https", action="store_true")
    args = parser.parse_args(arguments)
    raise_file_limit()
    device = HoldingDevice(args.port, args.https, args.source, args.lines, args.size, args.path)
    requests, takes = device.requests(args.kind)
    connections = args.connections or CONNECTIONS[args.kind]
    asyncio.run(device.run(requests, takes, connections, min(args.seconds, MOST_SECONDS)))
    print(json.dumps(device.told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
