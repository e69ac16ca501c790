"""A server that is asked to end hands its phones over: they go on at another one, and miss nothing."""

import itertools
import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.web.served import UNPREPARED, Served, ask, new_table, throw
from tests.web.waiting import wait_until
from web.hosts.laptop.live_hub import HANDED_OVER_MS

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

import psycopg

pytestmark = pytest.mark.alone

PHONES = 20
WITHIN_S = 30  # on a machine that does much else; how long phones wait is what they are told


class Phone(threading.Thread):
    """A stream as a browser reads it: when it ends, it waits as it was told and asks the next server."""

    def __init__(self, servers: list[Served], base: str) -> None:
        super().__init__(daemon=True)
        self._servers = itertools.cycle(servers)
        self._base = base
        self.versions: list[int] = []
        self.waits_ms: list[int] = []
        self.gaps_s: list[float] = []  # from the end of a stream to the first state of the next one
        self.ended = threading.Event()
        self.start()

    def run(self) -> None:
        wait_ms, parted_at = 0, 0.0
        while not self.ended.is_set():
            time.sleep(wait_ms / 1000)
            try:
                for name, value in self._lines(next(self._servers)):
                    if name == "retry":
                        wait_ms = int(value)
                    elif value.startswith("{"):
                        self.versions.append(json.loads(value)["version"])
                        if parted_at:
                            self.gaps_s.append(time.monotonic() - parted_at)
                        parted_at = 0.0
            except OSError:
                pass
            parted_at = parted_at or time.monotonic()
            self.waits_ms.append(wait_ms)

    def _lines(self, served: Served) -> Iterator[tuple[str, str]]:
        with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
            connection.sendall(f"GET /api/v1{self._base}/states HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            for line in connection.makefile("r", encoding="utf-8"):
                name, _, value = line.strip().partition(": ")
                yield name, value


@pytest.fixture
def servers(tmp_path: Path, shared: str) -> Iterator[list[Served]]:
    with ExitStack() as stack:
        yield [
            stack.enter_context(Served(tmp_path / name, arguments=["--database", shared], program=UNPREPARED))
            for name in ("one", "two")
        ]


def handed_over(servers: list[Served]) -> list[float]:
    """Seconds without a stream of phones whose server ended, in order of size; what they heard is checked."""
    base = new_table(servers[0])
    phones = [Phone(servers, base) for _ in range(PHONES)]
    wait_until(lambda: all(phone.versions[-1:] == [0] for phone in phones))
    servers[0].process.send_signal(signal.SIGTERM)
    throw(servers[1], base, 0, [1, 1, 6, 6, 3, 4])
    wait_until(lambda: all(phone.versions[-1:] == [1] for phone in phones))
    assert servers[0].process.wait(30) == 0
    for phone in phones:
        phone.ended.set()
    waits = [phone.waits_ms[0] for phone in phones]
    assert all(HANDED_OVER_MS[0] <= wait <= HANDED_OVER_MS[1] for wait in waits), waits
    assert len(set(waits)) > PHONES // 2, "they do not come all at once"
    assert [sorted(phone.versions) for phone in phones] == [phone.versions for phone in phones]
    return sorted(phone.gaps_s[0] for phone in phones)


def test_phones_go_on_at_another_server_and_miss_nothing(servers: list[Served]) -> None:
    assert len(handed_over(servers)) == PHONES


@pytest.mark.slow
def test_phones_are_without_a_stream_for_less_than_a_second(servers: list[Served]) -> None:
    """On a machine with nothing else to do."""
    gaps = handed_over(servers)
    print(f"\nwithout a stream for {gaps[0]:.2f} to {gaps[-1]:.2f} s")
    assert gaps[-1] < 1


# How many wait for what somebody else has locked.
WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"


def test_an_action_that_runs_is_finished_and_answered(servers: list[Served], shared: str) -> None:
    base = new_table(servers[0])
    answers: list[Any] = []

    def act() -> None:
        body = {"version": 0, "request": "the-last-one", "action": {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}}
        answers.append(ask(servers[0], "POST", f"/api/v1{base}/actions", body))

    address = shared.replace("+psycopg", "")
    with psycopg.connect(address, autocommit=True) as looks, psycopg.connect(address) as other:
        other.execute("SELECT 1 FROM tables FOR UPDATE")
        phone = threading.Thread(target=act)
        phone.start()
        wait_until(lambda: looks.execute(WAITING).fetchone() == (1,))
        servers[0].process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        assert not answers
    phone.join(30)
    assert servers[0].process.wait(30) == 0
    assert [status for status, _ in answers] == [200]
    assert ask(servers[1], "GET", f"/api/v1{base}")[1]["version"] == 1


def test_a_proxy_hears_of_the_end_before_phones_do(tmp_path: Path) -> None:
    with Served(tmp_path, arguments=["--drain", "600"], program=UNPREPARED) as served:
        base = new_table(served)
        assert ask(served, "GET", "/ready") == (200, {"ready": True, "reason": None})
        phone = Phone([served], base)
        wait_until(lambda: phone.versions[-1:] == [0])
        served.process.send_signal(signal.SIGTERM)
        wait_until(lambda: ask(served, "GET", "/ready")[0] == 503)
        throw(served, base, 0, [1, 1, 6, 6, 3, 4])
        wait_until(lambda: phone.versions[-1:] == [1])
        assert ask(served, "GET", "/health")[0] == 200
        phone.ended.set()
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(30) == 0
