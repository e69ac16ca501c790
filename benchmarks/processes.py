"""Actions a second by the number of processes that serve one PostgreSQL, beside one with a file, in one run.

    python -m benchmarks.processes [--tables 24] [--seconds 8] [--rounds 3]

All servers run from the beginning, and each way has its turn in each round, so that other work hits all of them alike.
At each table one phone throws as fast as it is answered, each time at any of the way's servers.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.load import Line
from tests.web.postgres import missing, postgres
from tests.web.served import Served

HOST = "127.0.0.1"
PROCESSES = (1, 2, 3)
THROW = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}
GAME = {"game": "sequence", "sequence.target": "1000000", "player": "Ada"}  # each throw is a turn, and no game ends


async def new_table(port: int) -> str:
    line = Line(HOST, port)
    form = urlencode(GAME).encode()
    status, headers, _ = await line.ask("POST", "/tables", form, "application/x-www-form-urlencoded")
    line.close()
    assert status == 303, status
    return headers["location"]


class Player:
    """A phone at a table of its own."""

    def __init__(self, base: str, ports: Sequence[int], dice: random.Random) -> None:
        self._base = base
        self._dice = dice
        self._lines = {port: Line(HOST, port) for port in ports}
        self._version = 0

    async def play(self, ports: Sequence[int], until: float) -> int:
        """Acts at any of these servers until then; how often."""
        for done in itertools.count():
            if time.perf_counter() >= until:
                return done
            request = f"{self._dice.getrandbits(96):024x}"
            sent = json.dumps({"version": self._version, "request": request, "action": THROW}).encode()
            line = self._lines[self._dice.choice(ports)]
            status, _, answer = await line.ask("POST", f"/api/v1{self._base}/actions", sent, "application/json")
            assert status == 200, (status, answer[:200])
            self._version += 1
        raise AssertionError

    def leave(self) -> None:
        for line in self._lines.values():
            line.close()


async def rate(players: Sequence[Player], ports: Sequence[int], seconds: float) -> float:
    """Actions a second of all players together."""
    began = time.perf_counter()
    done = await asyncio.gather(*(player.play(ports, began + seconds) for player in players))
    return sum(done) / (time.perf_counter() - began)


async def measure(ways: dict[str, list[int]], args: argparse.Namespace) -> None:
    """Prints how many actions a second each way does, and its ratio to the first."""
    dice = random.Random(1)
    first = {way_kind(way): ports[0] for way, ports in ways.items()}
    bases = {kind: [await new_table(port) for _ in range(args.tables)] for kind, port in first.items()}
    every = {
        kind: sorted({port for way, ports in ways.items() if way_kind(way) == kind for port in ports}) for kind in bases
    }
    players = {kind: [Player(base, every[kind], dice) for base in bases[kind]] for kind in bases}
    rates: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(args.rounds + 1):  # the first warms up
        for way, ports in ways.items():
            found = await rate(players[way_kind(way)], ports, args.seconds)
            if number:
                rates[way].append(found)
    for each in players.values():
        for player in each:
            player.leave()
    beside = rates[next(iter(ways))]
    for way, counted in rates.items():
        ratio = statistics.median(one / other for one, other in zip(counted, beside, strict=True))
        shown = ", ".join(f"{one:.0f}" for one in counted)
        print(f"{way:24} {statistics.median(counted):6.0f} actions/s ({shown}); {ratio:.2f} times a file's")


def way_kind(way: str) -> str:
    return "file" if way == "a file" else "database"


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.processes", description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=24, help="tables, each with one phone (default: 24)")
    parser.add_argument("--seconds", type=float, default=8, help="of each turn (default: 8)")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each way (default: 3)")
    args = parser.parse_args(given)
    if reason := missing():
        print(reason, file=sys.stderr)
        return 2
    with ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        database = {"ROLLCALL_DATABASE": opened.enter_context(postgres(durable=True)).new()}
        alone = opened.enter_context(Served(folder / "file"))
        servers = [opened.enter_context(Served(folder / str(n), environment=database)) for n in range(max(PROCESSES))]
        ways = {"a file": [alone.port]}
        ways |= {f"PostgreSQL, {n} process{'es' * (n > 1)}": [each.port for each in servers[:n]] for n in PROCESSES}
        print(f"{args.tables} tables, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
        asyncio.run(measure(ways, args))
        print(f"load {os.getloadavg()[0]:.1f} after")
    return 0


if __name__ == "__main__":
    sys.exit(main())
