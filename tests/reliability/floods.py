"""What one hostile device can do without any key: `python -m tests.reliability.floods silent --port 8000 --seconds 20`.

Each kind of flood runs in a process of its own, against loopback addresses only, and ends by itself:

- `silent`: connections on which nothing is ever said (with https: handshakes that never begin);
- `bodies`: requests that announce a body and send five bytes of it;
- `chunks`: bodies in chunks of one byte;
- `small-pieces`: bodies of a known length, one byte in each packet;
- `asking`: requests like any other, as fast as they are answered;
- `leaving`: connections that ask once and hang up, every other one without waiting for the answer.

Each by `--https`, too.

It opens as many files as it may (`ulimit -n`). What the server ends is opened again. `--sources 3`: from three
addresses, 127.0.0.2 and the following ones; 0: from 127.0.0.1, where the honest phones of the test are as well.
"""

import argparse
import contextlib
import itertools
import json
import selectors
import socket
import ssl
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from tests.web.served import UNCHECKED

MOST_SECONDS = 120
NEW_A_SECOND = 3000  # connections
HEAD = "POST /join HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
ASKED = b"GET /help HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
OPENINGS = {
    "silent": b"",
    "bodies": f"{HEAD}Content-Length: 1000\r\n\r\ncode=".encode(),
    "chunks": f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode(),
    "small-pieces": f"{HEAD}Content-Length: 200000\r\n\r\n".encode(),
    "asking": ASKED,
    "leaving": ASKED,
}
# What is said again and again once a connection stands, and how many bytes in one packet.
GOING_ON = {"chunks": b"1\r\na\r\n" * 2000, "small-pieces": b"a"}
KINDS = tuple(OPENINGS)


@dataclass
class FloodReport:
    """What a flood did, as it tells at its end."""

    opened: int = 0
    ended: int = 0  # by the server; of `leaving`: by itself
    sent: int = 0  # bytes
    most: int = 0  # connections at once


class Flood:
    def __init__(self, kind: str, port: int, connections: int, sources: int, https: bool) -> None:
        self._kind = kind
        self._port = port
        self._wanted = connections
        self._https = https
        self._from = itertools.cycle([f"127.0.0.{2 + each}" for each in range(sources)] or ["127.0.0.1"])
        self._selector = selectors.DefaultSelector()
        self._open: set[socket.socket] = set()
        self.report = FloodReport()

    def run(self, seconds: float) -> FloodReport:
        began = time.monotonic()
        while (now := time.monotonic()) < began + seconds:
            while len(self._open) < self._wanted and self.report.opened < NEW_A_SECOND * (now - began):
                self._connect()
                if self.report.opened % 50 == 0:
                    break
            for key, events in self._selector.select(0.01):
                connection = key.fileobj
                assert isinstance(connection, socket.socket)
                try:
                    self._serve(connection, events)
                except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                    pass  # what came or went was TLS's own
                except OSError:
                    self._end(connection)
            self.report.most = max(self.report.most, len(self._open))
        for connection in [*self._open]:
            self._end(connection)
        return self.report

    def _connect(self) -> None:
        self.report.opened += 1
        connection = socket.socket()
        try:
            connection.bind((next(self._from), 0))
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.settimeout(5)
            connection.connect(("127.0.0.1", self._port))
            if self._https and self._kind != "silent":
                connection = UNCHECKED.wrap_socket(connection)
            connection.setblocking(False)
            connection.send(OPENINGS[self._kind])
        except OSError:
            connection.close()
            return
        if self._kind == "leaving" and self.report.opened % 2:
            self.report.ended += 1
            connection.close()
            return
        self._open.add(connection)
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._kind in GOING_ON else 0)
        self._selector.register(connection, events)

    def _serve(self, connection: socket.socket, events: int) -> None:
        if events & selectors.EVENT_READ:
            if not connection.recv(1 << 16) or self._kind == "leaving":
                self._end(connection)
                return
            while isinstance(connection, ssl.SSLSocket) and connection.pending():
                connection.recv(1 << 16)
            if self._kind == "asking":
                self.report.sent += connection.send(OPENINGS[self._kind])
        if events & selectors.EVENT_WRITE:
            self.report.sent += connection.send(GOING_ON[self._kind])

    def _end(self, connection: socket.socket) -> None:
        if connection in self._open:
            self.report.ended += 1
            self._open.discard(connection)
            self._selector.unregister(connection)
        with contextlib.suppress(OSError):
            connection.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="a flood against a server on this machine")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--connections", type=int, default=4300)
    parser.add_argument("--sources", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--https", action="store_true")
    args = parser.parse_args(arguments)
    flood = Flood(args.kind, args.port, args.connections, args.sources, args.https)
    print(json.dumps(vars(flood.run(min(args.seconds, MOST_SECONDS)))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
