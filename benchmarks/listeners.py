"""What programs that listen cost actions: `python -m benchmarks.listeners --tables 50 --listeners 200 --turns 4`.

Starts a real server. In turns without and with listeners, each table gets a legal action every so often. Tells how long
actions took, and checks that every listener heard every event. What it came to is in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import random
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.load import Json
from tests.web.phones import any_legal
from tests.web.served import UNPREPARED, Served
from web.store.server_tokens import create_token

ENDS_WITHIN_S = 60
_numbers = itertools.count(1)


class Line:
    """A connection that is kept, from an address of its own."""

    def __init__(self, port: int, address: str, token: str = "") -> None:
        self._port, self._about = port, f"Host: 127.0.0.1\r\nX-Forwarded-For: {address}\r\n"
        self._about += f"Authorization: Bearer {token}\r\n" if token else ""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        sent = b"" if body is None else json.dumps(body).encode()
        kind = f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n" if body is not None else ""
        writer.write(f"{method} {path} HTTP/1.1\r\n{self._about}{kind}\r\n".encode() + sent)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        told = json.loads(await reader.readexactly(int(head.partition("content-length: ")[2].split("\r\n")[0])))
        assert head.split()[1] in ("200", "201"), told
        return told


async def hear(port: int, key: str, heard: list[int], ready: asyncio.Event) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    asked = f"GET /api/v1/tables/{key}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
    writer.write(asked.encode())
    await reader.readuntil(b"retry: ")
    ready.set()
    while line := await reader.readline():
        if line.startswith(b"id: "):
            heard.append(int(line[4:]))


async def _listen(port: int, keys: list[str], count: int, line: Connection) -> None:
    heard: list[list[int]] = [[] for _ in range(count)]
    ready = [asyncio.Event() for _ in range(count)]
    tasks = []
    for number in range(count):
        tasks.append(asyncio.create_task(hear(port, keys[number // 2 % len(keys)], heard[number], ready[number])))
    await asyncio.gather(*(each.wait() for each in ready))
    line.send("ready")
    last = await asyncio.to_thread(line.recv)  # by its key, the last number of each table
    until = time.monotonic() + ENDS_WITHIN_S
    wanted = [last[keys[number // 2 % len(keys)]] for number in range(count)]
    while time.monotonic() < until and any(w and (not h or h[-1] < w) for h, w in zip(heard, wanted, strict=True)):
        await asyncio.sleep(0.05)
    late = sum(bool(w and (not h or h[-1] < w)) for h, w in zip(heard, wanted, strict=True))
    line.send((sum(map(len, heard)), late, sum(each != sorted(set(each)) for each in heard)))
    for task in tasks:
        task.cancel()


def listen(port: int, keys: list[str], count: int, line: Connection) -> None:
    asyncio.run(_listen(port, keys, count, line))


async def play(port: int, key: str, number: int, args: argparse.Namespace) -> list[float]:
    """Acts at a table every so often. Returns how many milliseconds each action took."""
    dice, line, took = random.Random(number), Line(port, f"10.0.{number // 250}.{number % 250 + 1}"), []
    state: Json = await line.ask("GET", f"/api/v1/tables/{key}")
    await asyncio.sleep(args.every * dice.random())
    until = time.monotonic() + args.seconds
    while time.monotonic() < until and not state["standing"]["over"]:
        action = any_legal(state["standing"], dice)
        body = {"version": state["version"], "request": f"request-{next(_numbers):06}", "action": action}
        began = time.monotonic()
        state = await line.ask("POST", f"/api/v1/tables/{key}/actions", body)
        took.append((time.monotonic() - began) * 1000)
        await asyncio.sleep(max(0.0, args.every - (time.monotonic() - began)))
    return took


async def turn(served: Served, token: str, args: argparse.Namespace, listeners: int) -> None:
    port, owner = served.port, Line(served.port, "10.1.0.1", token)
    table = {"game": "zilch", "players": ["Ada", "Bob"]}
    keys = []
    for _ in range(args.tables):  # one address may start so many tables in an hour, and no more
        somebody = Line(port, f"10.2.0.{next(_numbers) % 250}", token)
        keys.append((await somebody.ask("POST", "/api/v1/tables", table))["key"])
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=listen, args=(port, keys, listeners, there))
    if listeners:
        child.start()
        assert await asyncio.to_thread(here.recv) == "ready"
    took = sorted(itertools.chain(*await asyncio.gather(*(play(port, key, n, args) for n, key in enumerate(keys)))))
    said = ""
    if listeners:
        last = {}
        for key in keys:
            page = await owner.ask("GET", f"/api/v1/tables/{key}/events?limit=200")
            last[key] = page["items"][-1]["number"] if page["items"] else 0
        here.send(last)
        heard, late, disordered = await asyncio.to_thread(here.recv)
        said = f"; {heard} events heard, {late} listeners without the last, {disordered} out of order"
        child.join()
    p50, p99 = took[len(took) // 2], took[int(len(took) * 0.99)]
    load = os.getloadavg()[0]
    print(f"{listeners:3} listeners: {len(took)} actions, p50 {p50:.0f} ms, p99 {p99:.0f} ms, load {load:.0f}{said}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--listeners", type=int, default=200)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two actions of a table")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each turn")
    parser.add_argument("--turns", type=int, default=4)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        token = create_token(Path(folder), "benchmark")
        with Served(Path(folder), program=UNPREPARED, arguments=["--behind", "127.0.0.1"]) as served:
            for number in range(args.turns):
                asyncio.run(turn(served, token, args, args.listeners if number % 2 else 0))


if __name__ == "__main__":
    main()
