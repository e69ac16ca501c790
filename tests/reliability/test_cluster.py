"""Several servers on one PostgreSQL: whichever is asked or killed, what was confirmed is there, once, in order."""

import http.client
import os
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from tests.reliability.driving import Crowd, Phone, Reader, Served, ask, new_table
from tests.reliability.test_kill import Played, act, check_table, replayed_by_a_server
from tests.web.hosts.laptop.test_server import Stream
from tests.web.photos.test_photo_reader import PICTURES, THROW
from tests.web.postgres import Postgres, missing
from tests.web.waiting import wait_until

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL"),
    pytest.mark.skipif(missing() is not None, reason=str(missing())),
]

PHOTO = (PICTURES / THROW["picture"]).read_bytes()
GAMES = ("ones-and-fives", "knaster")
PHONES = 3  # at each table
PATIENCE_S = 240  # without any change confirmed
LIFE = 16  # changes between two kills, at most
SITE = "games.example.org"  # the name of a proxy before the servers
REFUSED_FOR_NOW = (502, 503, 504)


class WanderingPhone(Phone):
    """A phone whose every request goes to any of the servers, as by a proxy without sticky sessions.

    A server that says that it cannot reach the games has not answered: the same request is sent again, but a photo.
    """

    def __init__(self, ports: list[int], base: str, seed: int) -> None:
        super().__init__(ports[0], base, seed, name=f"phone-{seed}")
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


def kill_now_and_then(servers: list[Served], server: Postgres, seed: int, played: Played) -> None:
    """Kills a server, or PostgreSQL, after some changes, and starts it again."""
    dice = random.Random(seed)
    victims = [server, *servers]
    while not played.enough.is_set():
        enough = played.count_confirmed() + dice.randint(1, LIFE)
        while played.count_confirmed() < enough and not played.enough.is_set():
            time.sleep(0.002)
        victim = victims[played.kills % len(victims)]
        victim.kill()
        played.kills += 1
        victim.start()


def play(server: Postgres, folder: Path, count: int, seed: int, confirmations: int, kills: int) -> Played:
    """Plays at one table of each game, by `count` servers, until that many changes were confirmed and kills done."""
    address, played = server.new(), Played()
    with ExitStack() as opened:
        database = {"ROLLCALL_DATABASE": address}
        servers = [opened.enter_context(Served(folder / str(n), environment=database)) for n in range(count)]
        ports = [served.port for served in servers]
        bases = [new_table(servers[0], game, "Ada", "Bob", "Cyd") for game in GAMES]
        crowd = Crowd()
        crowd.add(kill_now_and_then, servers, server, seed, played)
        for number in range(PHONES * len(GAMES)):
            crowd.add(act, WanderingPhone(ports, bases[number % len(GAMES)], seed * 1000 + number), played)
        confirmed, until = 0, time.monotonic() + PATIENCE_S
        while (confirmed < confirmations or played.kills < kills) and crowd.busy:
            time.sleep(0.02)
            if played.count_confirmed() > confirmed:
                confirmed, until = played.count_confirmed(), time.monotonic() + PATIENCE_S
            assert time.monotonic() < until, "the phones are not getting on"
        played.enough.set()
        crowd.join(PATIENCE_S)
    check(address, bases, played)
    replayed_by_a_server(folder / "0", set(bases), {"ROLLCALL_DATABASE": address})
    return played


def check(address: str, bases: list[str], played: Played) -> None:
    """Holds the store against what the phones were told: nothing lost, doubled or out of order."""
    from web.hosts.cluster.shared_store import SharedStore
    from web.store.maintenance import health

    with closing(SharedStore(address)) as store:
        assert health.check_store(store).file == []
        for base in bases:
            row = store.find(base.rsplit("/", 1)[1])
            assert row is not None
            log = [(line.seq, line.request, line.body) for line in store.load(row).entries]
            check_table(base, log, [asked for asked in played.asked if asked.base == base])


def test_what_was_confirmed_is_there_whichever_is_killed(durable_server: Postgres, tmp_path: Path) -> None:
    played = play(durable_server, tmp_path, count=2, seed=1, confirmations=30, kills=2)
    assert played.count_confirmed() >= 30


def one_throw_twice(folder: Path, server: Postgres, times: int) -> list[list[int]]:
    """Two phones at two servers confirm the same throw at once, so many times; the answers to each."""
    address = server.new()
    together = threading.Barrier(2, timeout=60)
    with ExitStack() as opened:
        database = {"ROLLCALL_DATABASE": address}
        named = ["--name", SITE]
        servers = [opened.enter_context(Served(folder / str(n), False, None, named, database)) for n in range(2)]
        base = new_table(servers[0], "farkle", "Ada", "Bob")
        for served in servers:
            assert ask(served, "GET", f"/api/v1{base}", headers={"Host": SITE})[0] == 200
            assert ask(served, "GET", f"/api/v1{base}", headers={"Host": "other.example.org"})[0] == 421
        phones = [opened.enter_context(Phone(served.port, base, number)) for number, served in enumerate(servers)]

        def confirm(phone: Phone) -> int:
            phone.look()
            together.wait()
            return phone.throw(1, 1, 1, 5, 2, 4).status

        answers = []
        with ThreadPoolExecutor(2) as pool:
            for number in range(times):
                answers.append(sorted(pool.map(confirm, phones)))
                phones[0].look()
                assert phones[0].state["steps"] == 1, f"time {number}: counted {phones[0].state['steps']} times"
                assert phones[number % 2].look()["steps"] == 1
                assert phones[number % 2].send("undo").status == 200
    return answers


@pytest.mark.slow
def test_two_phones_at_two_servers_confirm_the_same_throw_1000_times(durable_server: Postgres, tmp_path: Path) -> None:
    assert one_throw_twice(tmp_path, durable_server, 1000) == [[200, 409]] * 1000


def photograph(phone: Phone) -> tuple[int, Any]:
    """Sends a photo of six dice for the throw that comes now."""
    parts = {"version": str(phone.look()["version"]).encode(), 'photo"; filename="photo.jpg': PHOTO}
    body = b"".join(
        b'--rollcall\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), value)
        for name, value in parts.items()
    )
    kind = {"Content-Type": "multipart/form-data; boundary=rollcall"}
    return phone.ask("POST", f"/api/v1{phone.base}/photos", body + b"--rollcall--\r\n", kind)


def wait_for(phone: Phone, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The table's state, once it is so."""
    wait_until(lambda: true(phone.look()), 120)
    return phone.state


def is_read(state: dict[str, Any]) -> bool:
    return bool(state["pending"] and state["pending"]["status"] == "read")


def test_a_photo_is_read_though_its_reader_is_killed(durable_server: Postgres, tmp_path: Path) -> None:
    database = {"ROLLCALL_DATABASE": durable_server.new()}
    with ExitStack() as opened:
        served = opened.enter_context(Served(tmp_path, environment=database))
        phone = opened.enter_context(Phone(served.port, new_table(served, "farkle", "Ada", "Bob"), name="phone"))
        assert phone.look()["reader"] is False
        assert photograph(phone)[0] == 503
        first, second = Reader(database), Reader(database)
        first.start()
        first.wait_until_ready()
        wait_for(phone, lambda state: bool(state["reader"]))
        os.kill(first.process.pid, signal.SIGSTOP)  # it is there, but reads nothing any more
        assert photograph(phone)[0] == 202
        second.start()
        first.kill()
        second.wait_until_ready()
        assert len(wait_for(phone, is_read)["pending"]["dice"]) == 6
        second.close()
        assert second.process.returncode == 0
        wait_for(phone, lambda state: not state["reader"])


def delays_at_another_server(folder: Path, server: Postgres, times: int) -> list[float]:
    """Seconds from sending a change at one server to its coming to a phone that hangs on another, in order of size."""
    address = server.new()
    with ExitStack() as opened:
        database = {"ROLLCALL_DATABASE": address}
        servers = [opened.enter_context(Served(folder / str(n), environment=database)) for n in range(2)]
        base = new_table(servers[0], "farkle", "Ada", "Bob")
        stream = opened.enter_context(closing(Stream(servers[1], base)))
        stream.wait_for(0)
        phone = opened.enter_context(Phone(servers[0].port, base, name="phone"))
        phone.look()
        delays = []
        for number in range(times):
            answer = phone.send("undo") if number % 2 else phone.throw(1, 1, 1, 5, 2, 4)
            assert answer.status == 200
            stream.wait_for(answer.body["version"])
            delays.append(time.monotonic() - answer.asked_at)
    return sorted(delays)


@pytest.mark.slow
def test_phones_at_another_server_see_a_change_within_300_ms(durable_server: Postgres, tmp_path: Path) -> None:
    delays = delays_at_another_server(tmp_path, durable_server, 300)
    middle, late = delays[len(delays) // 2], delays[int(len(delays) * 0.99)]
    print(f"\nsent at one server, seen at the other: p50 {middle * 1000:.0f} ms, p99 {late * 1000:.0f} ms")
    assert middle < 0.3
