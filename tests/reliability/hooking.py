"""What one hostile device can do with webhooks: `python -m tests.reliability.hooking --port 8000 --seconds 20`.

From 127.0.0.66, against loopback addresses only, it connects programs that hang at as many tables as it can, and acts
there as fast as it is answered; by `--https`, too. Half of its receivers are at 127.0.0.1, half at the addresses from
127.0.1.1 on: they take every connection and say nothing. Start the server with `--webhooks-to` each of `RECEIVERS`.
"""

import argparse
import contextlib
import http.client
import itertools
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlencode

from tests.web.served import connection_to

# Every other one is at the machine of the honest program.
RECEIVERS = [host for number in range(1, 51) for host in ("127.0.0.1", f"127.0.1.{number}")]
SOURCE = "127.0.0.66"
THREADS = 2
THROW = {"do": "throw", "dice": [1, 1, 1, 2, 3, 4]}


class Device:
    """One connection of the device, which begins again when it is ended."""

    def __init__(self, port: int, https: bool, receivers: Iterator[str], until: float) -> None:
        self._port, self._https, self._receivers, self._until = port, https, receivers, until
        self._requests = itertools.count(1)
        self.connected: list[tuple[str, str]] = []  # the table of each program, and the cookie of its owner
        self.acted = 0
        self._cookie = ""  # of another phone for each table
        self._line = self._open()

    def _open(self) -> http.client.HTTPConnection:
        return connection_to(self._port, self._https, 60, SOURCE)

    def run(self) -> None:
        while time.monotonic() < self._until:
            with contextlib.suppress(OSError, http.client.HTTPException):
                self._connect()
                self._act()

    def _connect(self) -> None:
        self._cookie = f"device={id(self) % 10**12:012}{next(self._requests):012}"
        form = urlencode([("game", "zilch"), ("player", "Eve"), ("player", "Mal")])
        status, _, table = self._ask("POST", "/tables", form, "application/x-www-form-urlencoded")
        for _ in range(5 if status == 303 else 0):
            body = {"name": "lamp", "address": next(self._receivers)}
            if self._ask("POST", f"/api/v1{table}/webhooks", json.dumps(body))[0] == 201:
                self.connected.append((table, self._cookie))

    def _act(self) -> None:
        for table, cookie in self.connected[-25:]:
            self._cookie = cookie
            if time.monotonic() >= self._until:
                return
            _, state, _ = self._ask("GET", f"/api/v1{table}", "")
            body = {"version": state["version"], "request": f"device-{id(self)}-{next(self._requests):08}"}
            path, more = ("undo", {}) if state["version"] % 2 else ("actions", {"action": THROW})
            status, _, _ = self._ask("POST", f"/api/v1{table}/{path}", json.dumps({**body, **more}))
            self.acted += status == 200

    def _ask(self, method: str, path: str, body: str, kind: str = "application/json") -> tuple[int, Any, str]:
        try:
            headers = {"Content-Type": kind, "Accept": "application/json", "Cookie": self._cookie}
            self._line.request(method, path, body or None, headers)
            answer = self._line.getresponse()
            data = answer.read()
        except (OSError, http.client.HTTPException):
            self._line.close()
            self._line = self._open()
            raise
        known = json.loads(data) if data.startswith(b"{") else None
        return answer.status, known, str(answer.headers["Location"])


@contextlib.contextmanager
def silent_receivers() -> Iterator[int]:
    with socket.create_server(("0.0.0.0", 0), backlog=1000) as listening:
        lines = []

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    lines.append(listening.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        yield int(listening.getsockname()[1])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="a device that floods programs' addresses on this machine")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--https", action="store_true")
    args = parser.parse_args(arguments)
    with silent_receivers() as port:
        scheme = "https" if args.https else "http"
        receivers = itertools.cycle([f"{scheme}://{host}:{port}/" for host in RECEIVERS])
        until = time.monotonic() + args.seconds
        devices = [Device(args.port, args.https, receivers, until) for _ in range(THREADS)]
        threads = [threading.Thread(target=device.run) for device in devices]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    connected = sum(len(device.connected) for device in devices)
    print(json.dumps({"connected": connected, "acted": sum(device.acted for device in devices)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
