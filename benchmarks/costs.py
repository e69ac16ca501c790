"""What one action, one open stream and one photo cost: `python -m benchmarks.costs [--postgres] [--photo]`.

Starts a real server on a store of its own (with `--postgres` on a PostgreSQL of its own), acts at one table after the
other, then opens streams. Tells processor time, memory, bytes and, of PostgreSQL, what is written for an action, and
what a second server does that has a phone at the same table. On Linux. What it came to is in docs/scaling.md.
"""

import argparse
import contextlib
import json
import os
import socket
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.reliability.driving import Phone, Reader, database_variable
from tests.reliability.test_cluster import photograph, wait_for
from tests.web.postgres import Postgres, postgres
from tests.web.served import ROOT, UNPREPARED, Served, ask, new_table

PHOTO = ROOT / "tests" / "pictures" / "throw-113466.jpg"
TABLES = 20
PHOTOS = 20
LONGEST_STATE = 1 << 16
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=400)
    parser.add_argument("--streams", type=int, default=200)
    parser.add_argument("--postgres", action="store_true", help="the store in PostgreSQL, started for this")
    parser.add_argument("--photo", action="store_true", help="read a photo too, which loads the detector")
    args = parser.parse_args()
    with contextlib.ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory()))
        server = opened.enter_context(postgres(durable=True)) if args.postgres else None
        arguments = [] if server is None else ["--database", server.new()]
        served = opened.enter_context(Served(folder, arguments=arguments, program=UNPREPARED))
        told = {"action": of_an_action(served, args.actions, server)}
        told["stream"] = of_a_stream(served, args.streams)
        if server is not None:
            other = opened.enter_context(Served(folder / "other", arguments=arguments, program=UNPREPARED))
            told["look"] = of_a_look(served, other, args.actions)
            if args.photo:
                told["photo by a reader"] = of_a_photo_elsewhere(served, server, arguments[1])
    if args.photo:
        told["photo"] = of_a_photo()
    print(json.dumps(told, indent=1))


def of_an_action(served: Served, actions: int, server: Postgres | None) -> dict[str, float]:
    """Of one action, by a connection of its own as `ask` makes it: the server's processor time, in the mean."""
    tables = [new_table(served, "sequence", "Ada") for _ in range(TABLES)]
    before, stored, began = cpu_s(served), stored_by(server), time.perf_counter()
    for number in range(actions):
        answer = act(served, tables, number)
    cpu, wal = (late - early for late, early in zip(stored_by(server), stored, strict=True))
    return {
        "cpu_ms": round(1000 * (cpu_s(served) - before) / actions, 2),
        "wall_ms": round(1000 * (time.perf_counter() - began) / actions, 2),
        "postgres_cpu_ms": round(1000 * cpu / actions, 2),
        "wal_bytes": round(wal / actions),
        "answer_bytes": len(json.dumps(answer)),
    }


def act(served: Served, tables: Sequence[str], number: int) -> Any:
    """The action of this number, at one table after the other; what was answered."""
    action = {"do": "adjust", "what": "player-renamed", "player": 0, "name": f"Ada {number}"}
    body = {"version": number // len(tables), "request": f"request-{number:06}", "action": action}
    status, answer = ask(served, "POST", f"/api/v1{tables[number % len(tables)]}/actions", body)
    assert status == 200, answer
    return answer


def of_a_look(served: Served, other: Served, actions: int) -> dict[str, float]:
    """Of another server's look at a table after an action, and of telling its one phone there: the processor time."""
    tables = [new_table(served, "sequence", "Ada") for _ in range(TABLES)]
    opened = [listening(other, base) for base in tables]
    before = cpu_s(other)
    for number in range(actions):
        act(served, tables, number)
        heard = b""
        while b"event: state" not in heard:
            heard += opened[number % TABLES].recv(1 << 16)
    for connection in opened:
        connection.close()
    return {"cpu_ms": round(1000 * (cpu_s(other) - before) / actions, 2)}


def listening(served: Served, base: str) -> socket.socket:
    """A phone's live stream, after the first state."""
    connection = socket.create_connection(("127.0.0.1", served.port), timeout=30)
    connection.sendall(f"GET /api/v1{base}/states HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    while b"event: state" not in (data := connection.recv(1 << 16)):
        assert data
    return connection


def of_a_stream(served: Served, streams: int) -> dict[str, float]:
    """Of one open stream: the server's memory, and the processor time to open it and send it the first state."""
    base = new_table(served, "sequence", "Ada")
    bases = [base, *(new_table(served, "sequence", "Ada") for _ in range(streams // 4))]
    memory, before = resident(served), cpu_s(served)
    opened = [listening(served, bases[number % len(bases)]) for number in range(streams)]
    told = {
        "memory_bytes": round((resident(served) - memory) / streams),
        "open_cpu_ms": round(1000 * (cpu_s(served) - before) / streams, 2),
    }
    for connection in opened:
        connection.close()
    return told


def of_a_photo() -> dict[str, float]:
    """Of one photo: the processor time of all cores that read it, after the detector is loaded."""
    import vision

    reader, photo = vision.Reader(), vision.Photo.decode(PHOTO.read_bytes())
    reader.read(photo)
    before = time.process_time()
    reader.read(photo)
    return {"cpu_ms": round(1000 * (time.process_time() - before)), "bytes": PHOTO.stat().st_size}


def of_a_photo_elsewhere(served: Served, server: Postgres, address: str) -> dict[str, float]:
    """Of one photo on its way from a server to a reader and back: processor time of each, and what is written; and the
    reader's memory."""
    with closing(Reader(database_variable(address))) as reader:
        reader.start()
        reader.wait_until_ready()
        read_by(served, 3)  # which loads what is needed

        def used() -> list[float]:
            return [time.monotonic(), cpu_s(served), of_process(reader.process.pid)[1], *stored_by(server)]

        before = used()
        read_by(served, PHOTOS)
        after = used()
        time.sleep(after[0] - before[0])  # what all of them do besides, photo or not
        idle = used()
        spent = [(2 * then - early - late) / PHOTOS for early, then, late in zip(before, after, idle, strict=True)][1:]
        return {
            "server_cpu_ms": round(1000 * spent[0]),
            "reader_cpu_ms": round(1000 * spent[1]),
            "postgres_cpu_ms": round(1000 * spent[2]),
            "wal_bytes": round(spent[3]),
            "reader_memory_bytes": resident(reader),
        }


def read_by(served: Served, photos: int) -> None:
    """Has so many photos read, each at a table of its own with one phone, one after the other."""
    for _ in range(photos):
        base = new_table(served, "farkle", "Ada")
        with Phone(served.port, base) as phone, closing(listening(served, base)) as stream:
            if not phone.look()["reader"]:
                wait_for(phone, lambda state: bool(state["reader"]))
            status, _ = photograph(phone)
            assert status == 202
            heard = b""
            while b'"status":"read"' not in heard:
                heard = heard[-LONGEST_STATE:] + stream.recv(1 << 16)


def cpu_s(served: Served) -> float:
    return of_process(served.process.pid)[1]


def of_process(pid: int) -> tuple[int, float]:
    """Whose child a process is, and its processor time in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS


def resident(served: Served | Reader) -> int:
    return int(Path(f"/proc/{served.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def stored_by(server: Postgres | None) -> tuple[float, int]:
    """PostgreSQL's processor time in seconds, and how many bytes it has written to its log; 0 without one."""
    if server is None:
        return 0.0, 0
    import psycopg

    with psycopg.connect(server.address("postgres").replace("+psycopg", "")) as connection:
        found: Any = connection.execute("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn").fetchone()
        all_processes = [of_process(int(each.name)) for each in Path("/proc").iterdir() if each.name.isdigit()]
    return sum(cpu for parent, cpu in all_processes if parent == server.process.pid), int(found[0])


if __name__ == "__main__":
    main()
