"""A club's evening as load: `python -m benchmarks.load --tables 100 --phones 4 --every 10 --seconds 60`.

Starts a real server (or goes to one with `--url`) and acts as phones: each holds its live stream open, as the page
does, and does a legal action of its table's game every so often. Tells how long actions took, how long the other
phones waited to see them, and what the server used. What it came to is in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import itertools
import json
import random
import re
import ssl
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import scorer
from tests.reliability import syncs, watching
from tests.web.phones import any_legal
from tests.web.served import ROOT, UNCHECKED, Served
from web.hosts.laptop.protocol import raise_file_limit

Json = dict[str, Any]

PHOTO = ROOT / "tests" / "pictures" / "throw-113466.jpg"
VERSION = re.compile(rb'"version":(\d+)')
STAMP = re.compile(rb'"stamp":"([^"]+)"')
STATUS = re.compile(rb'"pending":\{.*?"status":"(\w+)"')
TIMEOUT_S = 30
PLAYERS = ("Ada", "Bob", "Cid", "Dan")
TARGET_MS = 150
WATCHES_WITHIN_S = 120  # of being asked to, on a machine that must load the networks first
PICTURE_EVERY_S = 0.2  # as a page asks for the small picture of the camera
# As a page asks for the state while the server has no place for its stream, and again for a stream that broke off.
SLOW_POLL_S, SLOWEST_POLL_S = 5.0, 15.0
POLL_WITHIN_S = 4.0
AGAIN_S = 1.0


@dataclass
class Measured:
    """Everything in milliseconds."""

    actions: list[float] = field(default_factory=list)
    by_kind: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    heard: list[float] = field(default_factory=list)
    polled: list[float] = field(default_factory=list)  # what is heard by asking, since there is no place for a stream
    photos: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    streams: Counter[str] = field(default_factory=Counter)  # asked for, refused, ended for others; polls meanwhile


class Line:
    """One kept connection for requests, one at a time."""

    def __init__(
        self, host: str, port: int, own: tuple[str, int] | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        """`own`: the address that it comes from, as `socket.bind` takes it; None: any."""
        self._at = host, port
        self._own = own
        self._tls = tls
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> tuple[int, dict[str, str], bytes]:
        return await asyncio.wait_for(self._ask(method, path, body, kind), TIMEOUT_S)

    async def _ask(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, dict[str, str], bytes]:
        for fresh in (self._streams is None, True):  # a kept connection may have been ended by the server meanwhile
            if self._streams is None:
                self._streams = await asyncio.open_connection(
                    *self._at, limit=1 << 20, local_addr=self._own, ssl=self._tls
                )
            reader, writer = self._streams
            try:
                writer.write(head(method, path, self._at, body, kind) + body)
                start = await reader.readuntil(b"\r\n\r\n")
                break
            except (OSError, asyncio.IncompleteReadError):
                self.close()
                if fresh:
                    raise
        first, *lines = start.decode("latin-1").split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in lines if ": " in line)
        places = dict(line.split(": ", 1) for line in lines if ": " in line)
        headers.update({name.lower(): value for name, value in places.items()})
        answer = await reader.readexactly(int(headers.get("content-length", "0")))
        return int(first.split()[1]), headers, answer

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def head(method: str, path: str, at: tuple[str, int], body: bytes = b"", kind: str = "") -> bytes:
    about = f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n" if method == "POST" else ""
    return f"{method} {path} HTTP/1.1\r\nHost: {at[0]}:{at[1]}\r\nAccept: application/json\r\n{about}\r\n".encode()


class Stream(asyncio.Protocol):
    """A phone's live updates. Asked for by HTTP/1.0, so that they come without a frame around each."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._data = b""
        self._over = False  # whether this side ended it, or was told that there is no place
        self._heard = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        host, port = self._phone.table.club.at
        request = f"GET /api/v1{self._phone.table.path}/states HTTP/1.0\r\nHost: {host}:{port}\r\n"
        more = f"Accept: text/event-stream\r\nCookie: device={self._phone.device}\r\n\r\n"
        transport.write((request + more).encode())  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        now = time.perf_counter()
        *events, self._data = (self._data + data).split(b"\n\n")
        for event in events:
            _, sign, state = event.partition(b"event: state\ndata: ")
            if sign:
                self._heard = True
                self._phone.hear(state, now)
            _, sign, seconds = event.partition(b"event: wait\ndata: ")
            if sign and not self._over:
                self.close()
                self._phone.wait(int(seconds), "ended for others" if self._heard else "refused")

    def connection_lost(self, error: Exception | None) -> None:
        if not self._over:
            self._phone.lost()

    def close(self) -> None:
        self._over = True
        self.transport.close()


class Table:
    def __init__(self, club: Club, game: str) -> None:
        self.club = club
        self.game = game
        self.path = ""
        self.done = 0  # actions that were confirmed
        self.sent_at: dict[int, float] = {}  # by the version that the action made
        self.photo_at: float | None = None

    async def start(self, line: Line) -> None:
        form = urlencode([("game", self.game), *(("player", name) for name in PLAYERS)]).encode()
        status, headers, answer = await line.ask("POST", "/tables", form, "application/x-www-form-urlencoded")
        if status != 303:
            raise RuntimeError(f"no table of {self.game}: {status} {answer[:200]!r}")
        self.path, self.done, self.sent_at, self.photo_at = headers["location"], 0, {}, None


class Phone:
    def __init__(self, table: Table, dice: random.Random, own: tuple[str, int] | None) -> None:
        self.table = table
        self._own = own
        self.line = Line(*table.club.at, own, table.club.tls)
        self._dice = dice
        self.device = f"{dice.getrandbits(128):032x}"  # the id in its cookie
        self._polls = Line(*table.club.at, own, table.club.tls)
        self._polling: asyncio.Task[None] | None = None
        self._again: asyncio.TimerHandle | None = None
        self._opening: asyncio.Task[None] | None = None
        self._state = b""
        self._path = ""
        self.version = 0  # the newest that it was told of
        self._stream: Stream | None = None

    async def listen(self) -> None:
        if self._stream is not None:
            self._stream.close()
        self._path, self._state, self.version = self.table.path, b"", 0
        await self._open()
        async with asyncio.timeout(TIMEOUT_S) if sys.version_info >= (3, 11) else contextlib.nullcontext():
            while not self._state:
                await asyncio.sleep(0.01)

    async def _open(self) -> None:
        if self._again is not None:
            self._again.cancel()
        self.table.club.measured.streams["asked for"] += 1
        _, self._stream = await asyncio.get_running_loop().create_connection(
            lambda: Stream(self), *self.table.club.at, local_addr=self._own, ssl=self.table.club.tls
        )

    def _open_after(self, seconds: float) -> None:
        async def again() -> None:
            try:
                await self._open()
            except OSError:
                self.lost()

        def begin() -> None:
            self._opening = loop.create_task(again())

        loop = asyncio.get_running_loop()
        if self._again is not None:
            self._again.cancel()
        self._again = loop.call_later(seconds, begin)

    def wait(self, seconds: int, why: str) -> None:
        """There is no place for the stream: as the page does, it asks for the state now and then."""
        self.table.club.measured.streams[why] += 1
        self._open_after(seconds)
        if self._polling is None:
            self._polling = asyncio.get_running_loop().create_task(self._poll())

    def lost(self) -> None:
        self.table.club.measured.errors["stream lost"] += 1
        self._open_after(AGAIN_S * self._dice.uniform(0.75, 1.25))

    async def _poll(self) -> None:
        """Asks for the state until a stream tells it."""
        in_vain = 0
        try:
            while True:
                found = STAMP.search(self._state)
                path = f"/api/v1{self._path}?stamp={'' if found is None else found[1].decode()}"
                try:
                    status, _, state = await asyncio.wait_for(self._polls.ask("GET", path), POLL_WITHIN_S)
                    self.table.club.measured.streams["polls"] += 1
                except (OSError, asyncio.TimeoutError, EOFError, ValueError) as error:
                    self.table.club.measured.streams[f"polls without an answer: {type(error).__name__}"] += 1
                    self._polls.close()
                    status = 0
                in_vain = 0 if status == 200 else in_vain + 1
                if status == 200 and path.startswith(f"/api/v1{self.table.path}?"):
                    self.hear(state, time.perf_counter(), polled=True)
                await asyncio.sleep(min(SLOW_POLL_S * 1.5**in_vain, SLOWEST_POLL_S) * self._dice.uniform(0.75, 1.25))
        finally:
            self._polls.close()

    def hear(self, state: bytes, now: float, polled: bool = False) -> None:
        table = self.table
        found = VERSION.search(state, 0, 200)
        version = int(found[1]) if found is not None else 0
        if polled and version < self.version:
            return  # an answer that was overtaken
        self._state = state
        if not polled and self._polling is not None:
            self._polling.cancel()
            self._polling = None
        if version > self.version and version in table.sent_at:  # a waiting photo tells the same version again
            heard = table.club.measured.polled if polled else table.club.measured.heard
            heard.append((now - table.sent_at[version]) * 1000)
        self.version = version
        if table.photo_at is not None:
            status = STATUS.search(state)
            if status is None:  # an action was quicker than the reading
                table.photo_at = None
            elif status[1] != b"waiting":
                table.club.measured.photos.append((now - table.photo_at) * 1000)
                table.photo_at = None

    async def play(self, every: float, until: float) -> None:
        """Acts every `every` seconds, at a moment of its own."""
        next_at = time.perf_counter() + self._dice.random() * every
        while next_at < until:
            await asyncio.sleep(max(0.0, next_at - time.perf_counter()))
            try:
                await self._act()
            except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError) as error:
                self.table.club.measured.errors[type(error).__name__] += 1
                self.line.close()
            next_at += every

    async def _act(self) -> None:
        measured, table = self.table.club.measured, self.table
        if self._path != table.path:
            await self.listen()
        state = json.loads(self._state)
        if state["standing"]["over"]:
            await table.start(self.line)
            await self.listen()
            state = json.loads(self._state)
        action = any_legal(state["standing"], self._dice)
        version = state["version"]
        body = {"version": version, "request": f"{self._dice.getrandbits(96):024x}", "action": action}
        data = json.dumps(body).encode()
        sent = time.perf_counter()
        earlier = table.sent_at.setdefault(version + 1, sent)
        status, _, answer = await self.line.ask("POST", f"/api/v1{table.path}/actions", data, "application/json")
        took = (time.perf_counter() - sent) * 1000
        measured.answers[str(status)] += 1
        if status == 200:
            table.sent_at[version + 1] = min(earlier, sent)
            table.done += 1
            measured.actions.append(took)
            measured.by_kind[table.game].append(took)
            if self._polling is not None:
                self.hear(answer, time.perf_counter(), polled=True)
        elif status != 409:  # 409: another phone of the table was quicker
            measured.errors[f"{status} {answer[:120]!r}"] += 1

    def leave(self) -> None:
        self.line.close()
        for waiting in (self._again, self._polling, self._opening):
            if waiting is not None:
                waiting.cancel()
        if self._stream is not None:
            self._stream.close()

    async def photograph(self) -> None:
        """Sends a photo, if a throw may come now and none is being looked at."""
        state = json.loads(self._state)
        turn = state["standing"]["turn"]
        if self._path != self.table.path or not turn or not turn["expects"] or self.table.photo_at is not None:
            return
        boundary = "photo-of-a-throw"
        body = (
            f'--{boundary}\r\nContent-Disposition: form-data; name="version"\r\n\r\n{state["version"]}\r\n'
            f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="photo"\r\n\r\n'
        ).encode() + PHOTO.read_bytes()
        body += f"\r\n--{boundary}--\r\n".encode()
        sent = time.perf_counter()
        line = Line(*self.table.club.at, self._own, self.table.club.tls)
        kind = f"multipart/form-data; boundary={boundary}"
        status, _, _ = await line.ask("POST", f"/api/v1{self.table.path}/photos", body, kind)
        line.close()
        self.table.club.measured.answers[f"photo {status}"] += 1
        if status == 202:
            self.table.photo_at = sent


class Club:
    """All tables and phones."""

    def __init__(
        self, at: tuple[str, int], tables: int, phones: int, seed: int, addresses: int = 0, https: bool = False
    ) -> None:
        dice = random.Random(seed)
        games = [info.key for info in scorer.games()]
        self.at = at
        self.tls = UNCHECKED if https else None
        self.measured = Measured()
        self.tables = [Table(self, games[number % len(games)]) for number in range(tables)]
        own = itertools.cycle([(f"127.0.{n // 250}.{n % 250 + 2}", 0) for n in range(addresses)] or [None])
        self.phones = [
            Phone(table, random.Random(dice.random()), next(own)) for table in self.tables for _ in range(phones)
        ]
        self._dice = dice

    async def gather(self) -> None:
        """Starts the tables and opens every phone's page and stream, as people coming in one after the other."""
        line = Line(*self.at, None, self.tls)
        for table in self.tables:
            await table.start(line)
        line.close()
        for phone in self.phones:
            await phone.line.ask("GET", phone.table.path)
            await phone.listen()

    async def play(self, every: float, seconds: float, photo_every: float | None) -> None:
        until = time.perf_counter() + seconds
        playing = [asyncio.create_task(phone.play(every, until)) for phone in self.phones]
        if photo_every is not None:
            playing.append(asyncio.create_task(self._photograph(photo_every, until)))
        await asyncio.gather(*playing)
        heard_until = time.perf_counter() + TIMEOUT_S
        while any(p.version < p.table.done for p in self.phones) and time.perf_counter() < heard_until:
            await asyncio.sleep(0.1)

    async def watch(self, line: Line) -> Table:
        """Has the server's camera watch one table more, and waits until it does."""
        table = Table(self, "sequence")
        await table.start(line)
        body = json.dumps({"on": True, "by_itself": True}).encode()
        status, _, answer = await line.ask("POST", f"/api/v1{table.path}/watch", body, "application/json")
        if status != 200:
            raise RuntimeError(f"the camera watches no table: {status} {answer[:200]!r}")
        end = time.perf_counter() + WATCHES_WITHIN_S
        while await self._small_picture(line, table) != 200:
            if time.perf_counter() > end:
                raise RuntimeError("the camera that watches shows no picture")
            await asyncio.sleep(PICTURE_EVERY_S)
        return table

    async def look(self, line: Line, table: Table) -> None:
        """One phone is shown the small picture all the time."""
        while True:
            self.measured.answers[f"small picture {await self._small_picture(line, table)}"] += 1
            await asyncio.sleep(PICTURE_EVERY_S)

    async def _small_picture(self, line: Line, table: Table) -> int:
        status, _, _ = await line.ask("GET", f"/api/v1{table.path}/watch/picture?after=-1")
        return status

    async def leave(self) -> None:
        for phone in self.phones:
            phone.leave()
        await asyncio.sleep(0.1)  # until the loop has closed what was let go

    async def _photograph(self, every: float, until: float) -> None:
        while time.perf_counter() + every < until:
            await asyncio.sleep(every)
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                await self._dice.choice(self.phones).photograph()


def quantiles(values: Sequence[float]) -> str:
    ordered = sorted(values)
    if not ordered:
        return "none"
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.9, 0.99)]
    return f"{at[0]:.0f} / {at[1]:.0f} / {at[2]:.0f} / {ordered[-1]:.0f} ms ({len(ordered)})"


def percentile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def measure(at: tuple[str, int], args: argparse.Namespace, pid: int | None) -> Club:
    """Gathers a club, lets it play and prints what was measured."""
    raise_file_limit()
    club = Club(at, args.tables, args.phones, args.seed, args.addresses, args.https)

    async def evening() -> float:
        await club.gather()
        line = Line(*at, None, club.tls)
        looking = asyncio.create_task(club.look(line, await club.watch(line))) if args.watch else None
        before = time.perf_counter(), watching.use(pid).cpu if pid is not None else 0.0
        await club.play(args.every, args.seconds, args.photos)
        busy = 0.0 if pid is None else (watching.use(pid).cpu - before[1]) / (time.perf_counter() - before[0])
        used.append("" if pid is None else str(watching.use(pid)))
        if looking is not None:
            looking.cancel()
            (ended,) = await asyncio.gather(looking, return_exceptions=True)
            if not isinstance(ended, asyncio.CancelledError):
                club.measured.errors[f"small picture: {ended!r}"] += 1
        line.close()
        await club.leave()
        return busy

    used: list[str] = []
    own = time.process_time()
    busy = asyncio.run(evening())
    measured = club.measured
    print(f"{args.tables} tables of {args.phones} phones, each acting every {args.every:g} s, for {args.seconds:g} s")
    print(f"an action, sent to answered    p50 / p90 / p99 / max: {quantiles(measured.actions)}")
    print(f"... sent to seen by each phone p50 / p90 / p99 / max: {quantiles(measured.heard)}")
    if measured.streams["refused"] or measured.streams["ended for others"]:
        print(f"... by asking, without a stream p50 / p90 / p99 / max: {quantiles(measured.polled)}")
    if args.photos is not None:
        print(f"a photo, sent to read          p50 / p90 / p99 / max: {quantiles(measured.photos)}")
    if args.kinds:
        for kind, values in sorted(measured.by_kind.items()):
            print(f"    {kind:24} {quantiles(values)}")
    print(f"streams: {dict(sorted(measured.streams.items()))}")
    print(f"answers: {dict(sorted(measured.answers.items()))}; errors: {dict(measured.errors) or 'none'}")
    if pid is not None:
        print(f"the server: {busy * 100:.0f} % of one core, {used[0]}")
    print(f"this load: {time.process_time() - own:.1f} s of processor time")
    return club


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.load", description=__doc__.split("\n")[0])
    parser.add_argument("--tables", type=int, default=100, help="tables (default: 100)")
    parser.add_argument("--phones", type=int, default=4, help="phones at each table (default: 4)")
    parser.add_argument("--every", type=float, default=10, help="seconds between two actions of a phone (default: 10)")
    parser.add_argument("--seconds", type=float, default=60, help="how long to play (default: 60)")
    parser.add_argument("--photos", type=float, metavar="SECONDS", help="also read a photo every so many seconds")
    parser.add_argument("--watch", metavar="FILM", help="also watch one more table by a camera that shows this video")
    parser.add_argument("--url", help="a running server (default: starts one of its own)")
    parser.add_argument("--addresses", type=int, default=0, metavar="N", help="the phones come from N addresses")
    parser.add_argument("--sync-ms", type=int, default=0, metavar="MS", help="a disk that takes so long for each sync")
    parser.add_argument("--https", action="store_true", help="by https")
    parser.add_argument("--kinds", action="store_true", help="also show each game")
    parser.add_argument("--seed", type=int, default=1, help="of the dice (default: 1)")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """0 if the 99th percentile of an action is within the target and nothing failed, else 1."""
    args = arguments(given)
    gc.disable()  # what it takes among the phones here would count as the server's delay
    if args.url:
        if args.watch or args.sync_ms:
            raise SystemExit("--watch and --sync-ms are for a server that is started here, without --url")
        url = urlsplit(args.url)
        args.https = args.https or url.scheme == "https"
        port = url.port or (443 if args.https else 80)
        measured = measure((url.hostname or "127.0.0.1", port), args, None).measured
    else:
        camera = ["--camera", args.watch] if args.watch else []
        with tempfile.TemporaryDirectory() as folder:
            disk = syncs.disk(Path(folder), ms=args.sync_ms) if args.sync_ms else {}
            with Served(Path(folder) / "data", args.https, arguments=camera, environment=disk) as served:
                pid = served.process.pid if watching.HERE else None
                measured = measure(("127.0.0.1", served.port), args, pid).measured
    return int(bool(measured.errors) or percentile(measured.actions, 0.99) > TARGET_MS)


if __name__ == "__main__":
    sys.exit(main())
