"""Driving a real `rollcall serve` from outside: starting it, killing it, and phones that act by HTTP.

`Served` (from `tests.web.served`) is the server: `start()`, `kill()` and `start()` again keep its port and its data
folder. `Phone` is one phone with a connection of its own; it sends a change until it is answered, under one request id,
as the page's script does.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.web.phones import any_legal
from tests.web.served import ROOT, Served, ask, connection_to, new_table

__all__ = [
    "Answer",
    "Crowd",
    "Phone",
    "Reader",
    "Served",
    "any_legal",
    "ask",
    "database_variable",
    "new_request",
    "new_table",
    "refused_start",
    "with_a_reader",
]

GIVE_UP_S = 180  # seconds that a phone keeps asking a server that does not answer
PAUSE_S = 0.05  # between two tries

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What a phone was told at last, and when it asked for it first (`time.monotonic()`)."""

    status: int
    body: Any
    request: str
    asked_at: float
    told_at: float
    tries: int

    @property
    def reason(self) -> str | None:
        """The key of the refusal, or None."""
        return self.body.get("reason") if isinstance(self.body, dict) else None


def database_variable(database: str | None) -> dict[str, str]:
    """The environment of a server with its games there; None: in its data folder."""
    return {} if database is None else {"ROLLCALL_DATABASE": database}


@contextmanager
def with_a_reader(
    data: Path,
    database: str | None,
    https: bool = False,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Iterator[Served]:
    """A server, and for one with a database a reader beside it. `arguments`, `environment`: further ones of it."""
    reader = None if database is None else Reader(database_variable(database))
    try:
        if reader is not None:
            reader.start()
            reader.wait_until_ready()
        more = {**database_variable(database), **(environment or {})}
        with Served(data, https=https, arguments=arguments, environment=more) as served:
            yield served
    finally:
        if reader is not None:
            reader.close()


class Reader:
    """`rollcall reader` in a process of its own: `start()`, `kill()` and `start()` again."""

    def __init__(self, environment: Mapping[str, str], program: Sequence[str] = ("-m", "rollcall")) -> None:
        self._environment = {**os.environ, **environment}
        self._program = program

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *self._program, "reader"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=self._environment,
        )

    def wait_until_ready(self) -> None:
        assert self.process.stdout.readline() == b"Photos are read.\n"

    def kill(self) -> None:
        self.process.kill()
        self._end()

    def close(self) -> None:
        self.process.terminate()
        self._end()

    def _end(self) -> None:
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()


def new_request(dice: random.Random) -> str:
    """A request id as the page's script makes one."""
    return f"{dice.getrandbits(96):024x}"


class Phone:
    """A phone at a table, by HTTP. For one thread at a time."""

    def __init__(
        self,
        port: int,
        base: str,
        seed: int = 0,
        language: str = "en",
        name: str = "phone",
        timeout: float = 20,
        https: bool = False,
    ) -> None:
        """`base`: the table's path, as `new_table` returns it. `timeout`: seconds to wait for one answer."""
        self.base = base
        self.language = language
        self.state: Json = {}
        self.dice = random.Random(seed)
        self._connection = connection_to(port, https, timeout)
        self._headers = {
            "Accept": "application/json",
            "Accept-Language": language,
            "Cookie": f"device-name={name}; device={name:x<24}",
        }

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Phone:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def standing(self) -> Json:
        return self.state["standing"]

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        """One request, tried once: the status, and its JSON, or the bytes of what is none.

        `body`: bytes as they are, anything else as JSON. Raises OSError or `http.client.HTTPException` when the
        server is gone.
        """
        sent = {
            **self._headers,
            **({"Content-Type": "application/json"} if body is not None else {}),
            **(headers or {}),
        }
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            self._connection.request(method, path, data, sent)
            response = self._connection.getresponse()
            answer = response.read()
        except BaseException:
            self._connection.close()
            raise
        if response.headers.get_content_type() in ("application/json", "application/problem+json"):
            return response.status, json.loads(answer)
        return response.status, answer

    def until_answered(self, method: str, path: str, body: Any = None) -> tuple[int, Any, int]:
        """The same until there is an answer: the status, its JSON or bytes, and the tries that it took."""
        until = time.monotonic() + GIVE_UP_S
        tries = 1
        while True:
            try:
                return (*self.ask(method, path, body), tries)
            except (OSError, http.client.HTTPException):
                if time.monotonic() > until:
                    raise
                time.sleep(PAUSE_S)
                tries += 1

    def look(self) -> Json:
        """The table's state now."""
        status, state, _ = self.until_answered("GET", f"/api/v1{self.base}")
        assert status == 200, state
        self.state = state
        return self.state

    def send(self, path: str, **body: Any) -> Answer:
        """Sends a change (`actions`, `undo`, `corrections`) until it is answered, always with the same request id.

        What is not in `body` is the state's `version` and a new `request`. A refusal is an answer, too.
        """
        body.setdefault("version", self.state["version"])
        body.setdefault("request", new_request(self.dice))
        asked_at = time.monotonic()
        status, answer, tries = self.until_answered("POST", f"/api/v1{self.base}/{path}", body)
        if status == 200 and "standing" in answer:
            self.state = answer
        return Answer(status, answer, body["request"], asked_at, time.monotonic(), tries)

    def act(self, **action: Any) -> Answer:
        return self.send("actions", action=action)

    def throw(self, *dice: int) -> Answer:
        return self.act(do="throw", dice=list(dice))


class Crowd:
    """Threads that are ended together; what one raised is raised again at the end."""

    def __init__(self) -> None:
        self._threads: list[threading.Thread] = []
        self._raised: list[BaseException] = []

    def add(self, work: Any, *arguments: Any) -> None:
        def run() -> None:
            try:
                work(*arguments)
            except BaseException as error:
                self._raised.append(error)

        self._threads.append(threading.Thread(target=run, daemon=True))
        self._threads[-1].start()

    @property
    def busy(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def raise_what_was_raised(self) -> None:
        """At once, while the others still run: without the one that failed they may wait for ever."""
        if self._raised:
            raise self._raised[0]

    def join(self, timeout: float) -> None:
        """Waits for all of them, together at most `timeout` seconds."""
        until = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        self.raise_what_was_raised()
        assert not self.busy, "some phones did not end"


def refused_start(
    data: Path, *arguments: str, before: Callable[[], None] | None = None, program: Sequence[str] = ("-m", "rollcall")
) -> str:
    """Starts a server that must not start: exit 2, nothing printed but the one line that is returned."""
    done = subprocess.run(
        [sys.executable, *program, "serve", "--data", str(data), "--host", "127.0.0.1", "--port", "0", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=before,
    )
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.endswith("\n"), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr.rstrip("\n")
