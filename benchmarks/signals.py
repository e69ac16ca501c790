"""How servers may call to each other: what a call costs the actions, and how soon it is heard.

    python -m benchmarks.signals [--rate 500] [--seconds 10]

Starts a PostgreSQL of its own (and a Redis, where `redis-server` is installed), commits short transactions at a steady
rate by several threads, each as an action's is: a line of a log and its table's row. Prints, for each way of calling,
the transactions a second that were reached, how long a commit took, and the time until the other server heard of it.
"""

from __future__ import annotations

import argparse
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psycopg
from sqlalchemy.engine import make_url

from tests.web.postgres import postgres
from web.hosts.cluster.signals import BATCH_S, Signals

WRITERS = 16
TABLES = 300
INSIDE = "inside"

Tell = Callable[[str], None]


class RedisSignals:
    """Redis's pub/sub in the same batches as `Signals`, by its wire protocol: PUBLISH and SUBSCRIBE."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._outbox: set[str] = set()
        self._changed = threading.Condition()
        self._ended = False

    def start(self, heard: Callable[[Collection[str] | None], None]) -> None:
        listening = socket.create_connection(("127.0.0.1", self._port))
        listening.sendall(b"SUBSCRIBE rollcall\r\n")
        listening.recv(4096)
        threading.Thread(target=self._listen, args=(listening, heard), daemon=True).start()
        threading.Thread(target=self._send, daemon=True).start()

    def tell(self, key: str) -> None:
        with self._changed:
            self._outbox.add(key)
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _send(self) -> None:
        sending = socket.create_connection(("127.0.0.1", self._port))
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._outbox or self._ended)
                if self._ended:
                    return
                keys, self._outbox = self._outbox, set()
            sending.sendall(b'PUBLISH rollcall "%s"\r\n' % " ".join(keys).encode())
            sending.recv(64)
            time.sleep(BATCH_S)

    def _listen(self, listening: socket.socket, heard: Callable[[Collection[str] | None], None]) -> None:
        lines = listening.makefile("rb")
        for line in lines:
            if line[:1].isdigit():
                heard({key.decode() for key in line.split()})


class Ear:
    """Notes how long after its commit each table's change was heard."""

    def __init__(self) -> None:
        self.committed: dict[str, float] = {}
        self.delays: list[float] = []
        self._lock = threading.Lock()

    def commit(self, key: str) -> None:
        with self._lock:
            self.committed.setdefault(key, time.perf_counter())

    def heard(self, keys: Collection[str] | None) -> None:
        now = time.perf_counter()
        with self._lock:
            for key in keys or ():
                if (at := self.committed.pop(key, None)) is not None:
                    self.delays.append(now - at)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=500, help="transactions a second that are asked for")
    parser.add_argument("--seconds", type=float, default=10.0)
    arguments = parser.parse_args()
    with ExitStack() as opened:
        address = opened.enter_context(postgres(durable=True)).new()
        plain = make_url(address).set(drivername="postgresql").render_as_string()
        with psycopg.connect(plain, autocommit=True) as connection:
            connection.execute("CREATE TABLE log (id bigserial PRIMARY KEY, of int NOT NULL, body text NOT NULL)")
            connection.execute("CREATE TABLE tables (id int PRIMARY KEY, lines int NOT NULL)")
            connection.execute("INSERT INTO tables SELECT n, 0 FROM generate_series(1, %s) n", (TABLES,))
        redis = opened.enter_context(redis_server()) if shutil.which("redis-server") else None
        ways = ["nothing", INSIDE, "batches"] + (["redis"] if redis else [])
        print(f"{arguments.rate}/s asked for, {WRITERS} connections, {arguments.seconds:.0f} s each, twice in turn")
        for way in ways * 2:
            measure(way, plain, address, redis, arguments.rate, arguments.seconds)


def measure(way: str, plain: str, address: str, redis: int | None, rate: int, seconds: float) -> None:
    ear = Ear()
    hearing, telling = Signals(make_url(address)), Signals(make_url(address))
    tell: Tell = telling.tell
    if way == "redis" and redis is not None:
        calls = RedisSignals(redis)
        calls.start(ear.heard)
        tell = calls.tell
    else:
        hearing.start(ear.heard)
        telling.start(lambda keys: None)
    time.sleep(0.5)
    took = write(way, plain, rate, seconds, ear, tell)
    time.sleep(0.5)
    hearing.close()
    telling.close()
    delays = "" if way == "nothing" else f"; heard after {milliseconds(ear.delays)}"
    print(f"{way:8}: {len(took) / seconds:5.0f}/s; commit {milliseconds(took)}{delays}", flush=True)


def write(way: str, plain: str, rate: int, seconds: float, ear: Ear, tell: Tell) -> list[float]:
    """Commits for so long; how long each commit took, in seconds."""
    took: list[float] = []
    begin = time.perf_counter() + 0.2
    call = "SELECT pg_notify('rollcall', '{0}');" if way == INSIDE else ""
    statement = (
        "BEGIN; UPDATE tables SET lines = lines + 1 WHERE id = {0}; INSERT INTO log (of, body) VALUES ({0}, 'a throw');"
    )

    def writer(place: int) -> None:
        with psycopg.connect(plain, autocommit=True) as connection:
            for turn in range(place, int(rate * seconds), WRITERS):
                due = begin + turn / rate
                time.sleep(max(0.0, due - time.perf_counter()))
                if time.perf_counter() > begin + seconds:
                    return
                number = turn % TABLES + 1
                at = time.perf_counter()
                connection.execute((statement + call + " COMMIT").format(number).encode())
                took.append(time.perf_counter() - at)
                ear.commit(str(number))
                if way not in ("nothing", INSIDE):
                    tell(str(number))

    threads = [threading.Thread(target=writer, args=(place,)) for place in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return took


def milliseconds(seconds: list[float]) -> str:
    if not seconds:
        return "never"
    ordered = sorted(seconds)
    middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    return f"{middle * 1000:.1f} ms (p99 {late * 1000:.1f})"


@contextmanager
def redis_server() -> Iterator[int]:
    """A Redis that keeps nothing, on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(Path(folder))]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.05)
            yield port
        finally:
            process.terminate()
            process.wait(10)


if __name__ == "__main__":
    main()
