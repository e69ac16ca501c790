"""One throw for all: `python -m benchmarks.bench_hall --phones 200 --throws 13 --every 15`.

Starts a real server and a night whose hall writes Yahtzee: so many phones hold their streams open; at the front table a
throw is confirmed every so often; each phone answers at a moment of its own in between. Prints how long it took from
the confirmation to the last phone and to each, how long an answer took, and what of a processor the server used.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from msgspec import json

from tests.web.served import UNPREPARED, Served

TICKS = os.sysconf("SC_CLK_TCK")
CALM_S = 10.0  # before the first throw: the phones' pages and streams are open by then
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


class Phone:
    """A phone with an address of its own, a kept connection, and the stream of its sheet."""

    def __init__(self, port: int, number: int) -> None:
        self._port, self._own = port, (f"127.0.{number // 250}.{number % 250 + 1}", 0)
        self._cookie = f"device=phone-of-the-benchmark-{number:04}"
        self._streams: Any = None
        self.sheet: Any = None
        self.heard: dict[int, float] = {}  # when it was told of each throw, by its id
        self.answers: list[float] = []

    def _head(self, method: str, path: str, more: str = "") -> bytes:
        about = f"Host: 127.0.0.1:{self._port}\r\nCookie: {self._cookie}\r\n{more}"
        return f"{method} {path} HTTP/1.1\r\n{about}\r\n".encode()

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = FORM) -> tuple[str, bytes]:
        """The head of the answer and its body."""
        about = f"Accept: {JSON}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        for fresh in (self._streams is None, True):  # the server may have ended a kept connection meanwhile
            if self._streams is None:
                self._streams = await asyncio.open_connection(
                    "127.0.0.1", self._port, limit=1 << 20, local_addr=self._own
                )
            reader, writer = self._streams
            try:
                writer.write(self._head(method, path, about) + body)
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                break
            except (OSError, asyncio.IncompleteReadError):
                self._streams = None
                if fresh:
                    raise
        length = int(head.lower().partition("content-length: ")[2].split("\r\n")[0])
        found = head, await reader.readexactly(length)
        assert head.split()[1] in ("200", "201", "303"), found
        return found

    async def form(self, path: str, **fields: Any) -> str:
        head, _ = await self.ask("POST", path, urlencode(fields).encode())
        return head.partition("ocation: ")[2].split("\r\n")[0]

    async def listen(self, night: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20, local_addr=self._own)
        writer.write(self._head("GET", f"{night}/hall/states", "Accept: text/event-stream\r\n"))
        while line := await reader.readline():
            if line.startswith(b"data: {"):
                now = time.perf_counter()
                self.sheet = json.decode(line[6:])
                self.heard.setdefault(self.sheet["hall"]["id"], now)

    async def answer(self, night: str, within: float, rng: random.Random) -> None:
        await asyncio.sleep(within * rng.random())
        action = json.encode([rng.choice(self.sheet["choices"])["action"]]).decode()
        began = time.perf_counter()
        await self.form(f"{night}/write", throw=self.sheet["hall"]["id"], actions=action)
        self.answers.append(1000 * (time.perf_counter() - began))


async def play(served: Served, args: argparse.Namespace) -> None:
    desk, rng = Phone(served.port, 0), random.Random(67)
    phones = [Phone(served.port, number) for number in range(1, args.phones + 1)]
    plan = {"name": "Hall", "game": "yahtzee", "rounds": 1, "seats": 4, "hall": "yes"}
    night = (await desk.form("/clubs", **plan)).removesuffix("/desk")
    await desk.form(f"{night}/do/people", names="\n".join(f"Person {number}" for number in range(args.phones)))
    for number, phone in enumerate(phones, 1):
        await phone.form(f"{night}/me", person=number)
    await desk.form(f"{night}/do/draw")
    await desk.form(f"{night}/bell")
    front = (await desk.ask("GET", f"{night}/desk"))[1].decode().partition('href="/tables/')[2].split('"')[0]
    listening = [asyncio.create_task(phone.listen(night)) for phone in phones]
    while any(phone.sheet is None for phone in phones):
        await asyncio.sleep(0.1)
    await asyncio.sleep(CALM_S)
    began, used = time.perf_counter(), processor_s(served)
    each, last, costs = list[float](), list[float](), list[float]()
    for number in range(1, args.throws + 1):
        action = {"do": "throw", "dice": [rng.randint(1, 6) for _ in range(5)]}
        body = {"version": number - 1, "request": f"request-{number:06}", "action": action}
        confirmed, before = time.perf_counter(), processor_s(served)
        await desk.ask("POST", f"/api/v1/tables/{front}/actions", json.encode(body), JSON)
        while any(number not in phone.heard for phone in phones):
            await asyncio.sleep(0.01)
        took = [1000 * (phone.heard[number] - confirmed) for phone in phones]
        each, last = each + took, [*last, max(took)]
        costs.append(1000 * (processor_s(served) - before))
        await asyncio.gather(*(phone.answer(night, 0.8 * args.every, rng) for phone in phones))
        await asyncio.sleep(max(0.0, confirmed + args.every - time.perf_counter()))
    share = (processor_s(served) - used) / (time.perf_counter() - began)
    answers = sorted(took for phone in phones for took in phone.answers)
    print(f"{args.phones} phones, {args.throws} throws, one every {args.every:g} s, {len(answers)} answers")
    print(f"confirmed to a phone: p50 {statistics.median(each):.0f} ms, p99 {percentile(each):.0f} ms")
    print(f"confirmed to the last phone: median {statistics.median(last):.0f} ms, worst {max(last):.0f} ms")
    print(f"the server computes for a throw: {statistics.median(costs):.0f} ms")
    print(f"an answer: p50 {statistics.median(answers):.0f} ms, p99 {percentile(answers):.0f} ms")
    print(f"the server's share of a processor: {100 * share:.0f} %; load {os.getloadavg()[0]:.1f}")
    for task in listening:
        task.cancel()


def percentile(found: list[float]) -> float:
    return sorted(found)[int(0.99 * len(found))]


def processor_s(served: Served) -> float:
    fields = Path(f"/proc/{served.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--throws", type=int, default=13)
    parser.add_argument("--every", type=float, default=15.0, help="seconds between two throws")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Served(Path(folder), program=UNPREPARED) as served:
        asyncio.run(play(served, args))


if __name__ == "__main__":
    main()
