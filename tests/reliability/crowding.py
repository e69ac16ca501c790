"""Hundreds of phones in one process, as cheap as they can be: each with a live stream open, acting now and then.

They are coroutines with plain connections. What they were told is compared with the store afterwards, as `test_kill`
does.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.load import Line
from tests.reliability.driving import Answer, any_legal, new_request
from tests.reliability.test_kill import Asked

HOST = "127.0.0.1"
REFUSED_FOR_NOW = (502, 503, 504)
REFUSED = (409, 422)  # somebody was quicker, or the rules do not allow it
PAUSE_S = 0.1  # between two tries
AGAIN_S = (0.1, 0.6)  # until a stream that was lost is asked for again
UNDONE = 0.08  # of all changes
VERSION = re.compile(rb'"version":(\d+)')

Json = dict[str, Any]


@dataclass
class CrowdReport:
    """What the phones asked for and were told, and what went wrong on the way."""

    asked: list[Asked] = field(default_factory=list)
    retried: int = 0  # changes that were sent more than once
    failures: Counter[str] = field(default_factory=Counter)  # tries without an answer
    lost: int = 0  # streams that ended
    confirmed: int = 0

    def times(self) -> list[float]:
        """Seconds from sending to being answered, of confirmed changes, in order of size."""
        done = (one.answer for one in self.asked if one.answer.status == 200)
        return sorted(answer.told_at - answer.asked_at for answer in done)


class Stream(asyncio.Protocol):
    """A phone's live stream. Asked for by HTTP/1.0, so that it comes without a frame around each event."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._data = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(f"GET /api/v1{self._guest.base}/states HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        *events, self._data = (self._data + data).split(b"\n\n")
        for event in events:
            _, sign, state = event.partition(b"event: state\ndata: ")
            if sign:
                self._guest.hear(state)

    def connection_lost(self, error: Exception | None) -> None:
        self._guest.stream_lost(self)


class Guest:
    """One phone at a table, whose every request goes to any of `ports`."""

    def __init__(self, ports: Sequence[int], base: str, dice: random.Random, report: CrowdReport) -> None:
        self.base = base
        self.state = b""
        self._ports = ports
        self._dice = dice
        self.report = report
        self._lines = [Line(HOST, port) for port in ports]
        self._stream: Stream | None = None
        self._listening: asyncio.Task[None] | None = None
        self._gone = False

    @property
    def version(self) -> int:
        found = VERSION.search(self.state, 0, 300)
        return -1 if found is None else int(found[1])

    def hear(self, state: bytes) -> None:
        self.state = state

    def listen(self) -> None:
        self._listening = asyncio.get_running_loop().create_task(self._listen())

    async def _listen(self) -> None:
        while not self._gone:
            try:
                loop = asyncio.get_running_loop()
                _, self._stream = await loop.create_connection(
                    lambda: Stream(self), HOST, self._dice.choice(self._ports)
                )
                return
            except OSError:
                await asyncio.sleep(self._dice.uniform(*AGAIN_S))

    def stream_lost(self, stream: Stream) -> None:
        if self._gone or stream is not self._stream:
            return
        self.report.lost += 1
        asyncio.get_running_loop().call_later(self._dice.uniform(*AGAIN_S), self.listen)

    async def play(self, every: float, ended: asyncio.Event) -> None:
        """Acts every `every` seconds, at moments of its own, until it is enough."""
        pause = self._dice.random() * every
        while True:
            try:
                await asyncio.wait_for(ended.wait(), pause)
                return
            except asyncio.TimeoutError:
                pass
            began = time.monotonic()
            if self.state:
                await self._change()
            pause = max(0.0, every - (time.monotonic() - began))

    async def _change(self) -> None:
        state = json.loads(self.state)
        request, asked_at = new_request(self._dice), time.monotonic()
        if state["standing"]["over"] or (self._dice.random() < UNDONE and state["steps"]):
            line: Json = {"undo": True}
            path, body = "undo", {}
        else:
            action = any_legal(state["standing"], self._dice)
            line, path, body = {"do": action}, "actions", {"action": action}
        sent = json.dumps({"version": state["version"], "request": request, **body}).encode()
        status, answer, tries = await self._until_answered(f"/api/v1{self.base}/{path}", sent)
        answered = Answer(status, answer, request, asked_at, time.monotonic(), tries)
        self.report.asked.append(Asked(self.base, line, answered))
        self.report.confirmed += status == 200
        self.report.retried += tries > 1
        assert status == 200 or status in REFUSED, (status, answer[:300])

    async def _until_answered(self, path: str, body: bytes) -> tuple[int, bytes, int]:
        for tries in itertools.count(1):
            line = self._dice.choice(self._lines)
            try:
                status, _, answer = await line.ask("POST", path, body, "application/json")
                if status not in REFUSED_FOR_NOW:
                    return status, answer if status != 200 else b"", tries
                self.report.failures[str(status)] += 1
            except (OSError, EOFError, asyncio.TimeoutError, ValueError, IndexError) as error:
                line.close()
                self.report.failures[type(error).__name__] += 1
            await asyncio.sleep(PAUSE_S)
        raise AssertionError

    def leave(self) -> None:
        self._gone = True
        for line in self._lines:
            line.close()
        if self._listening is not None:
            self._listening.cancel()
        if self._stream is not None:
            self._stream.transport.close()


class Club:
    """All phones of some tables. `ports`: where they ask; each request at any of them."""

    def __init__(self, ports: Sequence[int], bases: Sequence[str], phones: int, seed: int) -> None:
        dice = random.Random(seed)
        self._report = CrowdReport()
        self._ports = ports
        self.guests = [
            Guest(ports, base, random.Random(dice.random()), self._report) for base in bases for _ in range(phones)
        ]

    async def come(self) -> None:
        """All open their streams, and are told their table."""
        for guest in self.guests:
            guest.listen()
            await asyncio.sleep(0.01)
        await self._wait_until(lambda: all(guest.state for guest in self.guests), "streams that are open")

    async def play(self, every: float, ended: asyncio.Event) -> CrowdReport:
        """Each acts every `every` seconds until it is enough; what they were told."""
        self._report = CrowdReport()
        for guest in self.guests:
            guest.report = self._report
        await asyncio.gather(*(guest.play(every, ended) for guest in self.guests))
        return self._report

    async def agree(self) -> None:
        """Waits until every phone shows what its table's servers say."""
        line = Line(HOST, self._ports[0])
        for base in dict.fromkeys(guest.base for guest in self.guests):
            _, _, answer = await line.ask("GET", f"/api/v1{base}")
            wanted, here = _version_and_standing(answer), [guest for guest in self.guests if guest.base == base]
            await self._wait_until(
                lambda wanted=wanted, here=here: all(_version_and_standing(guest.state) == wanted for guest in here),  # type: ignore[misc]
                f"phones of {base} that show its state",
            )
        line.close()

    async def leave(self) -> None:
        for guest in self.guests:
            guest.leave()
        await asyncio.sleep(0.1)

    async def _wait_until(self, true: Any, what: str) -> None:
        until = time.monotonic() + 120
        while not true():
            assert time.monotonic() < until, f"there are no {what}"
            await asyncio.sleep(0.1)


def _version_and_standing(state: bytes) -> tuple[int, Json]:
    told = json.loads(state)
    return told["version"], told["standing"]
