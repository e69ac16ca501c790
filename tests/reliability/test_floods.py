"""While one device floods the server, an honest phone plays on: nothing of its own fails, and nothing grows.

The short form looks at no times; the long form (`make soak`) tells the slowest request, memory and the log, and holds
them to the figures of docs/reliability.md. Flood, phone and server share this machine's processors, perhaps with more:
what is held to a figure is the time without that in which the server's event loop was ready and had none.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.reliability import watching
from tests.reliability.driving import Phone, Served, new_request
from tests.web.served import ROOT, UNPREPARED, new_table
from web.hosts.laptop.protocol import raise_file_limit

pytestmark = pytest.mark.alone

SLOWEST_S = 1.0
MOST_MB = 600
LOG_BYTES = 1_000_000
LEFT_MB = 30
SETTLES_WITHIN_S = 60
FLOOD_S = 90  # of the long form: longer than all that the server has a connection wait for

# Kind, and addresses that the flood comes from (0: the honest phone's own); in the long form over http and over https.
FLOODS = [
    ("silent", 2),
    ("silent", 0),
    ("bodies", 2),
    ("bodies", 0),
    ("chunks", 0),
    ("small-pieces", 0),
    ("asking", 1),
    ("asking", 0),
    ("leaving", 1),
    ("leaving", 0),
]
SHORT_FLOODS = [(*flood, number % 2 == 1) for number, flood in enumerate(FLOODS)]  # each once: the next one over https
FEW = {"asking": 200, "leaving": 20}  # connections at once of floods that are many by what they do


class Honest(Phone):
    """A phone that keeps one connection, opens others besides, and acts."""

    def __init__(self, served: Served, base: str) -> None:
        super().__init__(served.port, base, timeout=60, https=served.https)
        self._served = served
        self.took: list[float] = []
        self.server: int | None = None  # its process, to tell how long other processes kept it waiting
        self.own: list[float] = []  # what each took without that

    def play(self) -> None:
        """A throw and its undo by the kept connection, and the page by a new one. Raises when any is refused."""
        self._measure(self.ask, "GET", f"/api/v1{self.base}")
        for path, more in (("actions", {"action": {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}}), ("undo", {})):
            body = {"version": self.state["version"], "request": new_request(self.dice), **more}
            self._measure(self.ask, "POST", f"/api/v1{self.base}/{path}", body)
        kept = self._connection
        self._connection = self._served.connect()
        try:
            self._measure(self.ask, "GET", self.base)
        finally:
            self._connection.close()
            self._connection = kept

    def _kept_waiting(self) -> float:
        return watching.kept_waiting(self.server) if self.server is not None and watching.HERE else 0.0

    def _measure(self, ask: Any, *request: Any) -> None:
        began, waited = time.monotonic(), self._kept_waiting()
        status, answer = ask(*request)
        self.took.append(time.monotonic() - began)
        self.own.append(self.took[-1] - (self._kept_waiting() - waited))
        assert status == 200, answer
        if isinstance(answer, dict):
            self.state = answer


def _stand_back() -> None:
    """A hostile device has a processor of its own; here it takes what server and phone leave."""
    os.nice(10)
    raise_file_limit()  # here, so that the flood need not load all of the program for it


@dataclass
class Outcome:
    usual: float = 0.0  # seconds of the slowest request before the attack
    slowest: float = 0.0  # and of the slowest while it ran
    own: float = 0.0  # the same without the time in which other processes had the processors
    requests: int = 0
    before: float = 0.0  # MB of the server and its children
    peak: float = 0.0
    after: float = 0.0
    log: int = 0  # bytes
    told: dict[str, int] = field(default_factory=dict)  # by the device, at its end


def attack(served: Served, phone: Honest, play: Callable[[], None], *device: str) -> Outcome:
    """Has a device attack the server while `play` is done again and again by the phone.

    `device`: its module in this folder, and its arguments.
    """
    found = Outcome()
    for _ in range(5):
        phone.play()
    found.usual, found.before, printed = max(phone.took), memory_of(served), len(served.output())
    phone.took.clear()
    phone.own.clear()
    phone.server = served.process.pid
    command = [sys.executable, "-m", f"tests.reliability.{device[0]}", *device[1:], "--port", str(served.port)]
    command += ["--https"] if served.https else []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, preexec_fn=_stand_back) as attacker:
        try:
            while attacker.poll() is None:
                play()
                found.peak = max(found.peak, memory_of(served))
            found.told = json.loads(attacker.stdout.read())
        finally:
            attacker.kill()
    found.slowest, found.own, found.requests = max(phone.took), max(phone.own), len(phone.took)
    for _ in range(5):
        phone.play()
    found.log = len(served.output()) - printed
    assert "Traceback" not in served.output(), served.output()[-4000:]
    return found


def memory_of(served: Served) -> float:
    """MB of the server and of the processes that it started; 0.0 where nobody can tell."""
    used = 0.0
    for each in [served.process.pid, *children_of(served)] if watching.HERE else ():
        with contextlib.suppress(OSError, KeyError):  # it has just ended
            used += watching.use(each).rss
    return used


def children_of(served: Served) -> list[int]:
    """The processes that any of its threads started."""
    found: list[int] = []
    for children in Path(f"/proc/{served.process.pid}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has just ended
            found += map(int, children.read_text(encoding="utf-8").split())
    return found


def settled_mb(served: Served, before: float) -> float:
    """Memory when the crowd and the server's children have gone."""
    until = time.monotonic() + SETTLES_WITHIN_S
    while (now := memory_of(served)) > before + LEFT_MB or children_of(served):
        if time.monotonic() > until:
            break
        time.sleep(1)
    return now


def flood(served: Served, kind: str, sources: int, connections: int, seconds: float) -> Outcome:
    """Floods a server while an honest phone plays; in the long form, how much memory is left of it too."""
    asked = ["--connections", str(connections), "--sources", str(sources), "--seconds", str(seconds)]
    with Honest(served, new_table(served)) as phone:
        if seconds > 10:
            _warm(served)
        found = attack(served, phone, phone.play, "floods", kind, *asked)
        if seconds > 10:
            found.after = settled_mb(served, found.before)
    return found


def _warm(served: Served) -> None:
    """Waits until the detector is loaded, which takes memory too."""
    until, last = time.monotonic() + 60, 0.0
    while watching.HERE and time.monotonic() < until and (now := watching.use(served.process.pid).cpu) != last:
        last = now
        time.sleep(1)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("plain") / "data", program=UNPREPARED) as served:
        yield served


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("secure") / "data", https=True, program=UNPREPARED) as served:
        yield served


@pytest.mark.parametrize(("kind", "sources", "https"), SHORT_FLOODS)
def test_an_honest_phone_plays_on_while_the_server_is_flooded(
    request: pytest.FixtureRequest, kind: str, sources: int, https: bool
) -> None:
    served = request.getfixturevalue("secure" if https else "plain")
    found = flood(served, kind, sources, connections=FEW.get(kind, 2000) // 4, seconds=2)
    assert found.requests > 4
    assert found.told["opened"] > 40
    assert found.log < LOG_BYTES
    assert found.peak < MOST_MB


@pytest.mark.slow
@pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
@pytest.mark.parametrize(("kind", "sources"), FLOODS)
def test_the_figures_of_a_flood(tmp_path: Path, kind: str, sources: int, https: bool) -> None:
    with Served(tmp_path / "data", https=https) as served:
        found = flood(served, kind, sources, connections=FEW.get(kind, 4300), seconds=FLOOD_S)
    print(f"\n{kind}{' https' if https else ''}, {sources or 'own'} addresses: {found}")
    assert found.own < SLOWEST_S
    assert found.peak < MOST_MB
    assert found.log < LOG_BYTES
    assert found.after < found.before + LEFT_MB
