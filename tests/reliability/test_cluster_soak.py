"""A whole cluster that is killed piece by piece while people play: three servers, two readers, PostgreSQL, a proxy.

Short and long are the same with other numbers: `pytest -m slow -s -k short tests/reliability/test_cluster_soak.py`.
"""

from __future__ import annotations

import http.client
import os
import random
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from deploy.cluster import nginx
from tests.reliability.driving import Crowd, Phone, Served, new_table
from tests.reliability.test_cluster import REFUSED_FOR_NOW, Reader, photograph
from tests.reliability.test_kill import Asked, Played, check_table, one_change
from tests.web.postgres import Postgres, missing, postgres

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

SERVERS, READERS, PHONES = 3, 2, 4
GAMES = ("ones-and-fives", "knaster", "farkle", "kosci")
PATIENCE_S = 300  # without any change confirmed
LIFE = 12  # changes between two kills, at most
PHOTO_WITHIN_S = 120


@dataclass(frozen=True)
class Size:
    """How much is played, at least."""

    tables: int
    actions: int
    kills: int


SIZES = {"short": Size(4, 120, 8), "long": Size(24, 1000, 30)}


class Victim(Protocol):
    """What may be killed and started again."""

    def start(self) -> None: ...

    def kill(self) -> None: ...


class Guest(Phone):
    """A phone that comes by the proxy, or by any server where there is none. What is refused for now is sent again."""

    def __init__(self, ports: list[int], base: str, seed: int) -> None:
        super().__init__(ports[0], base, seed, name=f"phone-{seed}", timeout=30)
        self._all = [http.client.HTTPConnection("127.0.0.1", port, timeout=30) for port in ports]

    def ask(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> tuple[int, Any]:
        self._connection = self.dice.choice(self._all)
        status, answer = super().ask(method, path, body, headers)
        if status in REFUSED_FOR_NOW and not path.endswith("/photos"):
            raise OSError(f"answered {status}")
        return status, answer

    def close(self) -> None:
        for connection in self._all:
            connection.close()


@contextmanager
def proxy(folder: Path, ports: list[int]) -> Iterator[list[int]]:
    """The ports that phones come by: nginx's, or the servers' own where it is not installed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = nginx(folder, port, ports)
    if command is None:
        yield ports
        return
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield [port]
        finally:
            process.terminate()


def act(ports: list[int], base: str, seed: int, played: Played) -> None:
    """One phone: acts until enough was done, and is shown its table's state at the end."""
    with Guest(ports, base, seed) as phone:
        phone.look()
        while not played.enough.is_set():
            body, answer = one_change(phone)
            played.asked.append(Asked(base, body, answer))
            played.retried += answer.tries > 1
            if answer.status != 200:
                assert answer.status in (409, 422), answer
                phone.look()


def take_photos(ports: list[int], base: str, seed: int, played: Played, outcomes: Counter[str]) -> None:
    """One more phone, that photographs a throw again and again: each photo is read, or what is wrong is told."""
    with Guest(ports, base, seed) as phone:
        while not played.enough.is_set():
            try:
                status, answer = photograph(phone)
            except (OSError, http.client.HTTPException):
                outcomes["told: no answer"] += 1
                continue
            if status != 202:
                told = answer["error"]["reason"] if isinstance(answer, dict) else status
                outcomes[f"told: {told}"] += 1
                time.sleep(0.5)
                continue
            outcomes[outcome(phone, answer["pending"]["id"])] += 1


def outcome(phone: Phone, reading: str) -> str:
    until = time.monotonic() + PHOTO_WITHIN_S
    while time.monotonic() < until:
        pending = phone.look()["pending"]
        if pending is None or pending["id"] != reading:
            return "gone"
        if pending["status"] == "read":
            return "read" if len(pending["dice"]) == 6 else "read wrongly"
        if pending["status"] == "failed":
            return f"told: {pending['problem']['reason']}"
        time.sleep(0.2)
    return "neither read nor told"


def kill_at_random(victims: list[Victim], seed: int, played: Played, size: Size) -> None:
    dice = random.Random(seed)
    while not played.enough.is_set() and played.kills < size.kills:
        enough = played.confirmed() + dice.randint(1, LIFE)
        while played.confirmed() < enough and not played.enough.is_set():
            time.sleep(0.01)
        victim = dice.choice(victims)
        victim.kill()
        played.kills += 1
        victim.start()


def wait_until_enough(size: Size, played: Played, crowd: Crowd, photos: Callable[[], int]) -> None:
    confirmed, until = 0, time.monotonic() + PATIENCE_S
    while played.confirmed() < size.actions or played.kills < size.kills or not photos():
        time.sleep(0.05)
        assert crowd.busy
        if played.confirmed() > confirmed:
            confirmed, until = played.confirmed(), time.monotonic() + PATIENCE_S
        assert time.monotonic() < until, "the phones are not getting on"


def check(address: str, bases: list[str], played: Played) -> None:
    """Holds the store against what the phones were told: nothing lost, doubled or out of order."""
    from web.cluster.moving import check as check_chains
    from web.cluster.store import SharedStore

    with closing(SharedStore(address)) as store:
        with store.seen_whole() as connection:
            check_chains(connection)
        for base in bases:
            row = store.find(base.rsplit("/", 1)[1])
            assert row is not None
            log = [(line.seq, line.request, line.body) for line in store.entries(row.id)]
            check_table(base, log, [asked for asked in played.asked if asked.base == base])


def play(folder: Path, server: Postgres, size: Size, seed: int) -> tuple[Played, Counter[str]]:
    address, played = server.new(), Played()
    outcomes: Counter[str] = Counter()
    with ExitStack() as opened:
        known = {"ROLLCALL_DATABASE": address}
        behind = ["--behind", "127.0.0.1"]
        servers = [opened.enter_context(Served(folder / str(n), False, None, behind, known)) for n in range(SERVERS)]
        readers = [Reader(known) for _ in range(READERS)]
        for reader in readers:
            reader.start()
            opened.callback(reader.close)
        for reader in readers:
            reader.wait_until_ready()
        ports = opened.enter_context(proxy(folder, [served.port for served in servers]))
        bases = [new_table(servers[0], GAMES[n % len(GAMES)], "Ada", "Bob", "Cyd", "Dan") for n in range(size.tables)]
        photographed = new_table(servers[0], "farkle", "Ada")
        crowd = Crowd()
        for number in range(PHONES * size.tables):
            crowd.add(act, ports, bases[number % size.tables], seed * 1000 + number, played)
        crowd.add(take_photos, ports, photographed, seed, played, outcomes)
        crowd.add(kill_at_random, [server, *servers, *readers], seed, played, size)
        wait_until_enough(size, played, crowd, lambda: outcomes["read"])
        played.enough.set()
        crowd.join(PATIENCE_S)
        shown = {served.port: [look(served.port, base) for base in bases] for served in servers}
        assert len({tuple(versions) for versions in shown.values()}) == 1, "servers show different states"
    check(address, bases, played)
    return played, outcomes


def look(port: int, base: str) -> int:
    with Phone(port, base) as phone:
        version: int = phone.look()["version"]
        return version


@pytest.fixture
def server() -> Iterator[Postgres]:
    """A PostgreSQL that waits for the disk, and may be killed."""
    with postgres(durable=True) as made:
        yield made


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_nothing_is_lost_though_anything_is_killed(size: Size, server: Postgres, tmp_path: Path) -> None:
    began = time.monotonic()
    played, outcomes = play(tmp_path, server, size, seed=1)
    times = sorted(asked.answer.told_at - asked.answer.asked_at for asked in played.asked)
    print(
        f"\n{size.tables} tables of {PHONES} phones, {time.monotonic() - began:.0f} s, {played.kills} kills:"
        f" {played.confirmed()} changes confirmed ({played.retried} sent more than once),"
        f" 0 lost, 0 doubled, 0 out of order; {len(played.asked) - played.confirmed()} refused, 0 of them done;"
        f" answered within {times[len(times) // 2] * 1000:.0f} ms (p50); photos: {dict(outcomes)}"
    )
    assert played.confirmed() >= size.actions
    assert played.kills >= size.kills
    assert outcomes["neither read nor told"] == outcomes["read wrongly"] == 0
    assert outcomes["read"]
