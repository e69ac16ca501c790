"""Each bound is tried with honest phones, more than it has places for: nobody is ended for an equal, who finds no place
is told when to come again, and all play on.

The short form has lower bounds, which a handful of phones reach, and counts. It tries streams by https and bodies by
http. The long form (`make soak`) has the real bounds, by both: how long actions take at 130 % of a bound is compared
with how long they take at 90 %.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from benchmarks import load
from benchmarks.load import Club, Line, Measured, arguments, measure, percentile
from tests.reliability.driving import Reader, Served, database_variable
from tests.web.bounded import bounds
from tests.web.postgres import both_engines
from web.hosts.laptop.protocol import raise_file_limit
from web.limits.ledger import CONNECTIONS, MEMORY, STREAMS

BOUNDED = ("-m", "tests.web.bounded")
OVER_TLS = pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
HOST = "127.0.0.1"
BODY = 60_000  # bytes
PIECE = 6000  # bytes of it that are sent at once: less would be a small read
AGAIN_S, LONGEST_AGAIN_S = 0.4, 3.0  # as `insist` of the page's script
SHARES = (0.9, 1.3)  # of a bound
NOISE_MS = 25  # a 99th percentile below that is as good as any other

Json = dict[str, Any]


@contextmanager
def served_with(
    folder: Path, https: bool = False, database: str | None = None, reader: bool = False, **lower: Any
) -> Iterator[Served]:
    """A server with these bounds; `reader`: with a database, and one that reads photos beside it, as slowly."""
    with ExitStack() as opened:
        environment = {**database_variable(database), **bounds(**lower)}
        if reader:
            reading = Reader(environment, BOUNDED)
            reading.start()
            opened.callback(reading.close)
            reading.wait_until_ready()
        yield opened.enter_context(Served(folder / "data", https, environment=environment, program=BOUNDED))


# --- streams and connections -----------------------------------------------------------------------------------------


def play(served: Served, *given: str) -> Club:
    return measure((HOST, served.port), arguments([*given, *(["--https"] if served.https else [])]), served.process.pid)


def all_are_right(club: Club) -> None:
    """Every phone shows what was done at its table, whether a stream told it or it asked."""
    assert not club.measured.errors
    assert set(club.measured.answers) <= {"200", "409"}
    assert [phone.version for phone in club.phones] == [phone.table.done for phone in club.phones]


def test_no_stream_is_ended_for_that_of_an_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "SLOW_POLL_S", 0.5)
    with served_with(tmp_path, https=True, held={STREAMS: (2000, 20, 100, 4)}, quotas__FIRST_S=1) as served:
        club = play(served, "--tables", "10", "--phones", "4", "--every", "1", "--seconds", "4")
        streams = club.measured.streams
        all_are_right(club)
        assert streams["ended for others"] == 0
        assert streams["refused"] >= 20
        assert 0 <= streams["asked for"] - 20 - streams["refused"] <= 20, "the rest were asked for when it was over"
        # Each waits for 1, 2, 4 s and so on: within a minute it asks seven times at the most.
        assert streams["refused"] <= 20 * 7
        assert streams["polls"] > 0


def test_no_stream_is_ended_for_a_connection_that_rests(tmp_path: Path) -> None:
    with served_with(tmp_path, https=True, held={CONNECTIONS: (40, 40, 40, 4)}) as served:
        club = play(served, "--tables", "13", "--phones", "2", "--every", "1", "--seconds", "4")
        all_are_right(club)
        assert club.measured.streams["asked for"] == 26


# --- bodies ----------------------------------------------------------------------------------------------------------


@dataclass
class Sent:
    """What came of bodies or photos."""

    done: int = 0
    refused: list[int] = field(default_factory=list)  # for how many seconds to wait
    first_refused: set[int] = field(default_factory=set)  # which phones were, at their first try
    broken: int = 0


async def slow_body(club: Club, number: int, path: str, seconds: float, size: int, sent: Sent) -> None:
    """Sends a body piece by piece, again after a pause that grows, until it is taken."""
    dice = random.Random(number)
    text = json.dumps({"advice": "off"}).encode()
    body = text + b" " * (size - len(text))
    pause = seconds * PIECE / size
    for tries in range(100):
        reader, writer = await asyncio.open_connection(*club.at, ssl=club.tls)
        try:
            writer.write(
                f"POST /api/v1{path}/settings HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {size}\r\nConnection: close\r\n\r\n".encode()
            )
            answer = asyncio.ensure_future(reader.read())
            for start in range(0, size, PIECE):
                writer.write(body[start : start + PIECE])
                await asyncio.wait({answer}, timeout=pause)
                if answer.done():
                    break
            told = await asyncio.wait_for(answer, 60)
        except OSError:
            told = b""
        finally:
            writer.close()
        if told.startswith(b"HTTP/1.1 200"):
            sent.done += 1
            return
        if told.startswith(b"HTTP/1.1 503"):
            assert b'"busy"' in told, told
            wait = next(line for line in told.split(b"\r\n") if line.lower().startswith(b"retry-after: "))
            sent.refused.append(int(wait.split()[1]))
        else:
            assert not told, told
            sent.broken += 1
        if not tries:
            sent.first_refused.add(number)
        await asyncio.sleep(min(AGAIN_S * 1.5**tries, LONGEST_AGAIN_S) * dice.uniform(0.75, 1.25))
    raise AssertionError("a body was never taken")


async def send_bodies(club: Club, count: int, seconds: float) -> Sent:
    """`count` phones of tables of their own, of which each sends a body that takes so long."""
    sent = Sent()
    line = Line(*club.at, None, club.tls)
    tables = [load.Table(club, "ones-and-fives") for _ in range(count)]
    for table in tables:
        await table.start(line)
        await line.ask("GET", f"/api/v1{table.path}")  # whose answer makes its key known
    line.close()

    async def send_later(number: int, path: str) -> None:
        await asyncio.sleep(number * 0.01)
        await slow_body(club, number, path, seconds, BODY, sent)

    await asyncio.gather(*(send_later(number, table.path) for number, table in enumerate(tables)))
    return sent


def test_no_body_that_comes_is_ended_for_that_of_an_equal(tmp_path: Path) -> None:
    with served_with(tmp_path, held={MEMORY: (*[8 * BODY + PIECE] * 3, BODY)}) as served:
        club = Club((HOST, served.port), 0, 0, seed=1)
        sent = asyncio.run(send_bodies(club, 11, seconds=3))
    assert (sent.done, sent.broken) == (11, 0)
    assert len(sent.first_refused) == 3, "as many as there are too many"
    assert all(5 <= wait <= 15 for wait in sent.refused)
    assert len(sent.refused) <= 3 * 8


# --- photos ----------------------------------------------------------------------------------------------------------


async def photo_until_read(table: load.Table, number: int, sent: Sent) -> None:
    """Sends a photo, again when it is told to, until it is read."""
    line = Line(*table.club.at, None, table.club.tls)
    boundary = "photo-of-a-throw"
    body = (
        f'--{boundary}\r\nContent-Disposition: form-data; name="version"\r\n\r\n0\r\n'
        f'--{boundary}\r\nContent-Disposition: form-data; name="photo"; filename="photo"\r\n\r\n'
    ).encode() + load.PHOTO.read_bytes()
    body += f"\r\n--{boundary}--\r\n".encode()
    while True:
        kind = f"multipart/form-data; boundary={boundary}"
        status, headers, answer = await line.ask("POST", f"/api/v1{table.path}/photos", body, kind)
        if status == 202:
            break
        assert (status, json.loads(answer)["reason"]) == (503, "queue-full")
        sent.refused.append(int(headers["retry-after"]))
        await asyncio.sleep(sent.refused[-1])
    while True:
        _, _, state = await line.ask("GET", f"/api/v1{table.path}")
        pending = json.loads(state)["pending"]
        assert pending is not None, "a photo was forgotten"
        if pending["status"] != "waiting":
            break
        await asyncio.sleep(0.3)
    assert pending["status"] == "read", pending
    sent.done += 1
    line.close()


async def send_photos(club: Club, count: int) -> Sent:
    """As many tables, each of which has a photo read; all at once."""
    sent = Sent()
    line = Line(*club.at, None, club.tls)
    tables = [load.Table(club, "ones-and-fives") for _ in range(count)]
    for table in tables:
        await table.start(line)
    line.close()
    await asyncio.gather(*(photo_until_read(table, number, sent) for number, table in enumerate(tables)))
    return sent


@both_engines
def test_no_photo_gives_way_to_that_of_an_equal(tmp_path: Path, database: str | None) -> None:
    lower = {"jobs__LONGEST": 3} if database else {"reading_queue__LONGEST": 3}
    with served_with(
        tmp_path, database=database, reader=database is not None, quotas__FIRST_S=1, reading_s=0.5, **lower
    ) as served:
        club = Club((HOST, served.port), 0, 0, seed=1)
        sent = asyncio.run(asyncio.wait_for(send_photos(club, 8), 120))
    assert sent.done == 8
    assert 1 <= len(sent.refused) <= 8 * 6


# --- the real bounds -------------------------------------------------------------------------------------------------


@dataclass
class Figures:
    """Of one share of a bound: milliseconds that actions took, and what was refused."""

    share: float
    p50: float
    p99: float
    told: str

    @classmethod
    def from_measured(cls, share: float, measured: Measured, told: str) -> Figures:
        return cls(share, percentile(measured.actions, 0.5), percentile(measured.actions, 0.99), told)


def measure_beside(served: Served, work: Any, count: int) -> tuple[Measured, Sent]:
    """What five tables of four phones measure, each phone acting every second, while `work(club, count)` is done."""
    club = Club((HOST, served.port), 5, 4, seed=1, https=served.https)

    async def evening() -> Sent:
        await club.gather()
        begun: Coroutine[Any, Any, Sent] = work(club, count)
        working = asyncio.ensure_future(begun)
        playing = asyncio.ensure_future(club.play(1, time.perf_counter() + 3600, None))
        try:
            sent = await asyncio.wait_for(working, 300)
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            await club.leave()
        return sent

    raise_file_limit()
    sent = asyncio.run(evening())
    assert sent.done == count
    return club.measured, sent


def compare(bound: str, figures: list[Figures]) -> None:
    print()
    for each in figures:
        print(f"{bound}, {each.share:.0%}: p50 {each.p50:.1f} ms, p99 {each.p99:.1f} ms; {each.told}")
    fewer, more = figures
    assert more.p99 <= 2 * max(fewer.p99, NOISE_MS)


@pytest.mark.slow
@OVER_TLS
@pytest.mark.parametrize("bound", ["streams of an address", "connections"])
def test_the_figures_of_streams_and_connections(tmp_path: Path, https: bool, bound: str) -> None:
    tables, addresses = 250.0, ["--addresses", "200"] if bound == "connections" else []
    if addresses:  # four phones at each, each with its stream and one connection that rests
        tables = (2500 if https else 4000) / 8
    found = []
    for share in SHARES:
        with Served(tmp_path / f"{share}", https) as served:
            # As many actions a second whatever the share: a bound is tried here, and not the disk.
            pace = ("--every", f"{20 * share:g}", "--seconds", "30")
            club = play(served, "--tables", f"{tables * share:.0f}", *pace, *addresses)
            all_are_right(club)
            found.append(Figures.from_measured(share, club.measured, str(dict(club.measured.streams))))
            assert addresses or club.measured.streams["ended for others"] == 0
    compare(bound + " (https)" * https, found)


@pytest.mark.slow
@OVER_TLS
def test_the_figures_of_bodies(tmp_path: Path, https: bool) -> None:
    found = []
    for share in SHARES:
        with Served(tmp_path / f"{share}", https) as served:

            def work(club: Club, count: int) -> Coroutine[Any, Any, Sent]:
                return send_bodies(club, count, 20)

            measured, sent = measure_beside(served, work, round(400 * share))
            assert len(sent.first_refused) + sent.broken <= 400 * (SHARES[1] - 1) + 20
            found.append(Figures.from_measured(share, measured, f"refused {len(sent.refused)}, broken {sent.broken}"))
    compare("bodies" + " (https)" * https, found)


@pytest.mark.slow
@pytest.mark.parametrize("readers", [False, True], ids=["photos", "readers"])
def test_the_figures_of_photos(tmp_path: Path, readers: bool, request: pytest.FixtureRequest) -> None:
    database: str | None = request.getfixturevalue("shared") if readers else None
    found = []
    for share in SHARES:
        with served_with(tmp_path / f"{share}", database=database, reader=readers, reading_s=0.3) as served:
            measured, sent = measure_beside(served, send_photos, round(40 * share))
            found.append(Figures.from_measured(share, measured, f"refused {len(sent.refused)}"))
    compare("photos" + " (readers of their own)" * readers, found)
