"""The real server in a process of its own, for tests."""

import http.client
import itertools
import json
import os
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlencode

ROOT = Path(__file__).resolve().parents[2]
START_WITHIN_S = 90
UNPREPARED = ("-m", "tests.web.unprepared")  # for `program`: it loads the detector with the first photo
HASTY = ("-m", "tests.web.hasty")  # and waits less for what is locked, and for a camera
_requests = itertools.count(1)


def _without_checks() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


UNCHECKED = _without_checks()  # for servers of this machine, which no authority knows
# For clients that read in a second thread: OpenSSL wants one thread at a time, and in TLS 1.3 a server's first word (a
# ticket) comes while such a client still sends its request. 3 of 1,326 of them broke, with TLS 1.2 none of 6,319.
UNCHECKED_IN_THREADS = _without_checks()
UNCHECKED_IN_THREADS.maximum_version = ssl.TLSVersion.TLSv1_2


def connection_to(port: int, https: bool, timeout: float, source: str | None = None) -> http.client.HTTPConnection:
    """`source`: the address of this machine that it comes from."""
    where: dict[str, Any] = {"timeout": timeout, "source_address": None if source is None else (source, 0)}
    if https:
        return http.client.HTTPSConnection("127.0.0.1", port, context=UNCHECKED, **where)
    return http.client.HTTPConnection("127.0.0.1", port, **where)


class Served:
    """`with Served(data) as server:` runs `rollcall serve` on a free port of this machine."""

    def __init__(
        self,
        data: Path,
        https: bool = False,
        port: int | None = None,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
        program: Sequence[str] = ("-m", "rollcall"),
    ) -> None:
        """`arguments`: further ones of the command. `environment`: variables added to this process's own. `before`:
        called in the new process before it becomes the server. `program`: what Python runs as the command.
        """
        self.data = data
        self.https = https
        self.port = port or free_port()
        self.base = f"{'https' if https else 'http'}://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-X", "utf8", *program, "serve", "--data", str(data), "--host", "127.0.0.1"]
        self._command += ["--port", str(self.port), *(["--https"] if https else []), *arguments]
        self._environment = {**os.environ, **(environment or {})}
        self._before = before

    def __enter__(self) -> "Served":
        try:
            self.start()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(60)
        self._out.close()

    def connect(self, timeout: float = 60) -> http.client.HTTPConnection:
        """A connection for requests, by the server's own scheme."""
        return connection_to(self.port, self.https, timeout)

    def open(self, timeout: float = 60) -> socket.socket:
        """A connection for bytes, likewise."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout)
        return UNCHECKED.wrap_socket(plain) if self.https else plain

    def output(self) -> str:
        """What it has printed so far."""
        # Not by `seek` and `read`: the server writes where this file stands, which is one place for both processes.
        printed = os.pread(self._out.fileno(), os.fstat(self._out.fileno()).st_size, 0)
        return printed.decode(errors="replace")

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self.process.kill()
        self.process.wait(60)
        self._out.close()

    def start(self) -> None:
        """Starts it, also again after `kill`, on the same port."""
        # A file instead of a pipe: nobody has to read it for the server to go on.
        self._out = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the server
        self.process = subprocess.Popen(
            self._command,
            stdout=self._out,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env=self._environment,
            preexec_fn=self._before,
        )
        until = time.monotonic() + START_WITHIN_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                assert self.process.poll() is None, self.output()
                assert time.monotonic() < until, "the server did not start"
                time.sleep(0.05)
        while "End with" not in self.output() and time.monotonic() < until:
            time.sleep(0.02)


def ask(
    served: Served, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
) -> tuple[int, Any]:
    """One request with a connection of its own: the status, and the JSON that came back."""
    sent = {"Accept": "application/json", "Content-Type": "application/json", **(headers or {})}
    with closing(served.connect()) as connection:
        connection.request(method, path, None if body is None else json.dumps(body), sent)
        response = connection.getresponse()
        data = response.read()
    return response.status, json.loads(data) if data.startswith((b"{", b"[")) else None


def new_table(served: Served, game: str = "ones-and-fives", *players: str, **options: str) -> str:
    """Starts a table and returns its path."""
    rules = [(f"{game}.{name}", value) for name, value in options.items()]
    form = urlencode([("game", game), *(("player", name) for name in players or ("Ada", "Bob")), *rules])
    with closing(served.connect()) as connection:
        connection.request("POST", "/tables", form, {"Content-Type": "application/x-www-form-urlencoded"})
        response = connection.getresponse()
        response.read()
    assert response.status == 303, response.status
    return str(response.headers["Location"])


def throw(served: Served, base: str, version: int, dice: list[int]) -> None:
    body = {"version": version, "request": f"request-{next(_requests):06}", "action": {"do": "throw", "dice": dice}}
    status, answer = ask(served, "POST", f"/api/v1{base}/actions", body)
    assert status == 200, answer


def free_port() -> int:
    """A port that nobody listens at, and that no other worker of this run takes.

    The system may tell two workers the same one before either server listens; so each keeps to its own. Asked for any
    port, Linux gives odd ones.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port // 2 % workers == worker:
            return port
