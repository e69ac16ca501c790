"""A whole cluster that is killed piece by piece while people play: three servers, two readers, PostgreSQL, a proxy.

First nothing is killed, and every change is to be answered in time; then anything may be, at any moment. The sizes
differ in numbers alone: `pytest -m slow -s -k full tests/reliability/test_cluster_soak.py`.
"""

import asyncio
import http.client
import os
import random
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import pytest

from deploy.cluster import nginx
from tests.reliability.crowding import Club, CrowdReport
from tests.reliability.driving import Crowd, Phone, Reader, Served, new_table
from tests.reliability.test_cluster import WanderingPhone, check, photograph
from tests.reliability.test_kill import Played
from tests.web.postgres import Postgres, missing

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

SERVERS, READERS, PHONES = 3, 2, 4
GAMES = ("ones-and-fives", "knaster", "farkle", "kosci")
PATIENCE_S = 600  # until enough was killed and confirmed
PHOTO_WITHIN_S = 120
IN_TIME_S = 0.25  # 99 of 100 actions, while nothing is killed


@dataclass(frozen=True)
class Size:
    """How much is played: seconds between two actions of a phone, seconds without a kill; then at least so many actions
    and kills, `between` seconds apart. `timed`: whether the machine has to be quick enough."""

    tables: int
    every_s: float
    calm_s: float
    actions: int
    kills: int
    between_s: float
    timed: bool = False


SIZES = {
    "short": Size(4, 2, 10, 120, 8, 4),
    "long": Size(60, 20, 30, 1000, 30, 4),
    "full": Size(300, 40, 120, 1000, 30, 4, timed=True),
}


class Victim(Protocol):
    """What may be killed and started again."""

    def start(self) -> None: ...

    def kill(self) -> None: ...


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


def take_photos(ports: list[int], base: str, seed: int, played: Played, outcomes: Counter[str]) -> None:
    """One more phone, that photographs a throw again and again: each photo is read, or what is wrong is told."""
    with WanderingPhone(ports, base, seed) as phone:
        while not played.enough.is_set():
            try:
                status, answer = photograph(phone)
            except (OSError, http.client.HTTPException):
                outcomes["told: no answer"] += 1
                continue
            if status != 202:
                told = answer["reason"] if isinstance(answer, dict) else status
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


async def killed_at_random(victims: list[Victim], dice: random.Random, size: Size, playing: Callable[[], bool]) -> int:
    """Kills one after the other and starts it again, until there were enough of both; returns how many."""
    kills, until = 0, time.monotonic() + PATIENCE_S
    while kills < size.kills or playing():
        await asyncio.sleep(dice.uniform(0.2, 2 * size.between_s))
        if kills < size.kills:
            victim = dice.choice(victims)
            victim.kill()
            kills += 1
            await asyncio.to_thread(victim.start)
        assert time.monotonic() < until, "the phones are not getting on"
    return kills


async def evening(
    ports: list[int], bases: list[str], victims: list[Victim], size: Size, played: Played
) -> list[CrowdReport]:
    """What the phones were told while nothing was killed, and while anything was."""
    club = Club(ports, bases, PHONES, seed=1)
    await club.come()
    ended = asyncio.Event()
    asyncio.get_running_loop().call_later(size.calm_s, ended.set)
    calm = await club.play(size.every_s, ended)
    await club.agree()
    ended = asyncio.Event()
    playing = asyncio.create_task(club.play(size.every_s, ended))
    await asyncio.sleep(0)
    enough = partial(_too_few, club, size)
    played.kills = await killed_at_random(victims, random.Random(1), size, enough)
    ended.set()
    hard = await playing
    await club.agree()
    await club.leave()
    return [calm, hard]


def _too_few(club: Club, size: Size) -> bool:
    return club.guests[0].report.confirmed < size.actions


def play(folder: Path, server: Postgres, size: Size, seed: int) -> tuple[Played, list[CrowdReport], Counter[str]]:
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
        crowd.add(take_photos, ports, photographed, seed, played, outcomes)
        told = asyncio.run(evening(ports, bases, [server, *servers, *readers], size, played))
        played.enough.set()
        crowd.join(PATIENCE_S)
        shown = {served.port: [version_of(served.port, base) for base in bases] for served in servers}
        assert len({tuple(versions) for versions in shown.values()}) == 1, "servers show different states"
    played.asked = [asked for each in told for asked in each.asked]
    check(address, bases, played)
    return played, told, outcomes


def version_of(port: int, base: str) -> int:
    with Phone(port, base) as phone:
        return phone.look()["version"]


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_nothing_is_lost_though_anything_is_killed(size: Size, durable_server: Postgres, tmp_path: Path) -> None:
    began = time.monotonic()
    played, told, outcomes = play(tmp_path, durable_server, size, seed=1)
    calm, hard = told
    print(f"\n{size.tables} tables of {PHONES} phones, {time.monotonic() - began:.0f} s in all")
    for name, each in (("nothing killed", calm), (f"{played.kills} kills", hard)):
        print(
            f"{name}: {each.confirmed} changes confirmed ({each.retried} sent more than once), 0 lost, 0 doubled, 0 out"
            f" of order; {len(each.asked) - each.confirmed} refused, 0 of them done; answered within {quantiles(each)};"
            f" tries without an answer: {dict(each.failures) or 'none'}; streams lost: {each.lost}"
        )
    print(f"every phone showed its table's state in the end; photos: {dict(outcomes)}")
    assert hard.confirmed >= size.actions
    assert played.kills >= size.kills
    assert not calm.failures
    assert not calm.lost
    assert outcomes["neither read nor told"] == outcomes["read wrongly"] == 0
    if size.timed:
        assert calm.times()[int(len(calm.times()) * 0.99)] < IN_TIME_S


def quantiles(told: CrowdReport) -> str:
    times = told.times()
    at = (times[min(len(times) - 1, int(len(times) * share))] * 1000 for share in (0.5, 0.9, 0.99, 1))
    return "p50 {:.0f}, p90 {:.0f}, p99 {:.0f}, at most {:.0f} ms".format(*at)
