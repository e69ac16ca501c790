"""Long evenings, time compressed: groups that play one game after another with phones as phones are.

They sleep, are woken, are carried out of the Wi-Fi and back, reload their page and send things twice. In the end every
phone must show the same, every table must be what its record says, and the server must be as small as it was.
"""

import contextlib
import io
import json
import random
import re
import socket
import ssl
import struct
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import scorer
from tests.reliability import watching
from tests.reliability.driving import Crowd, Phone, Served, any_legal, new_request, new_table, with_a_reader
from tests.reliability.test_kill import whole_log
from tests.web.phones import upload_form
from tests.web.waiting import wait_until
from web.hosts.laptop.serving import THREADS

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
NAMES = ("Ada", "Bob", "Cid", "Dan")
PHONES = 4
SECONDS_AN_ACTION = 15  # at one table, in a real evening
SETTLED_WITHIN_S = 60
CONNECTIONS = 8  # of one server to its database (`web.hosts.cluster.shared_store`)
SQLITE_FILES = 2 * 5  # the store and its log, for each connection that the pool keeps

# Flat: in the second half of the evening, the server has no more threads at any moment than in the first; its memory,
# the least of the last quarter against that of the one before, has grown by at most so much (reading a photo takes
# some for a while); and when all have left, no more files are open than before they came.
GROWTH_MB = 8

# Photos: after the first ones, when the networks have taken what memory they need.
RESIDENT_MB = 400  # 290 to 315 MB measured without AMX; with it the networks take 55 to 75 MB more, and half the time
PHOTO_GROWTH_MB = 15


@watching.on_linux
@pytest.mark.parametrize(
    ("database", "https", "groups", "hours"),
    [
        ("sqlite", False, 3, 1 / 4),
        ("sqlite", True, 2, 1 / 8),
        pytest.param("postgresql", False, 3, 1 / 4, marks=pytest.mark.slow),
        pytest.param("sqlite", False, 6, 8, marks=pytest.mark.slow),
        pytest.param("postgresql", False, 6, 8, marks=pytest.mark.slow),
        pytest.param("sqlite", True, 6, 8, marks=pytest.mark.slow),
    ],
    indirect=["database"],
)
def test_an_evening(tmp_path: Path, database: str | None, https: bool, groups: int, hours: float) -> None:
    steps = round(hours * 3600 / SECONDS_AN_ACTION)
    games = [info.key for info in scorer.games()]
    done: Counter[str] = Counter()
    uses: list[watching.Use] = []
    with with_a_reader(tmp_path / "data", database, https) as served:
        warm_up(served)
        before = wait_until_settled(served)
        playing = [Group(served, games[number::groups] or games, number, done) for number in range(groups)]
        crowd = Crowd()
        for group in playing:
            crowd.add(group.play, steps)
        every = max(steps // 40, 1)
        while crowd.busy:
            if min(group.step for group in playing) >= len(uses) * every:
                uses.append(watching.use(served.process.pid))
            time.sleep(0.05)
        crowd.join(1)
        for group in playing:
            group.settle()
        for group in playing:
            group.leave()
        uses.append(wait_until_settled(served))
        print(f"\n{hours:.2g} hours of {groups} tables with {PHONES} phones each: {dict(sorted(done.items()))}")
        print("\n".join(str(use) for use in uses[:: max(len(uses) // 8, 1)]))
        assert_flat(uses, before, 0 if database is None else CONNECTIONS)
        served.process.terminate()
        assert served.process.wait(60) == 0
        assert "Traceback" not in served.output(), served.output()[-4000:]


def warm_up(served: Served) -> None:
    """Lets the server start all its threads and load its networks, as the first minutes of any evening do."""
    with Phone(served.port, new_table(served), https=served.https) as phone:
        phone.look()
        for picture in sorted(PICTURES.glob("*.jpg")):
            read_photo(phone, picture.read_bytes())
        start_threads(served, phone.base)


def start_threads(served: Served, base: str) -> None:
    """Lets the server start all its threads, which it does when more is asked than they have answered."""
    crowd = Crowd()
    for number in range(48):
        crowd.add(lambda path=(base, f"/api/v1{base}/states")[number % 2]: _first_line(served, path))
    crowd.join(SETTLED_WITHIN_S)


def _first_line(served: Served, path: str) -> None:
    for _ in range(5):
        with served.open(20) as connection:
            connection.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
            assert b" 200 " in connection.recv(100)


def read_photo(phone: Phone, photo: bytes) -> None:
    """Sends a photo and waits until it is read."""
    body, kind = upload_form(photo, phone.state["version"])
    status, _ = phone.ask("POST", f"/api/v1{phone.base}/photos", body, kind)
    assert status == 202
    wait_until(lambda: phone.look()["pending"]["status"] != "waiting")
    assert phone.state["pending"]["problem"] is None


def assert_flat(uses: list[watching.Use], before: watching.Use, kept: int) -> None:
    """`kept`: connections to PostgreSQL that a server opens as it needs them, and keeps.

    It also starts the pages' threads as it needs them, and keeps connections to SQLite.
    """
    half, last = len(uses) // 2, len(uses) * 3 // 4
    # The least of each: a photo that is being read takes some MB for as long as that lasts.
    third, fourth = (min(use.rss for use in part) for part in (uses[half:last], uses[last:]))
    assert fourth - third < GROWTH_MB
    assert max(use.threads for use in uses[half:]) <= max(use.threads for use in uses[: half + 1]) + THREADS
    assert uses[-1].sockets <= before.sockets + kept, "connections of phones that left"
    assert uses[-1].files <= before.files + kept + SQLITE_FILES


def wait_until_settled(served: Served) -> watching.Use:
    """What the server uses once it has noticed all phones that have left: its open files stay the same for a second."""
    until = time.monotonic() + SETTLED_WITHIN_S
    uses: list[watching.Use] = []
    while len(uses) < 10 or len({use.files for use in uses[-10:]}) > 1:
        assert time.monotonic() < until, uses[-10:]
        uses.append(watching.use(served.process.pid))
        time.sleep(0.1)
    return uses[-1]  # a file may be written in the next moment


class Stream:
    """A phone's live updates. Nobody reads them while the phone sleeps."""

    def __init__(self, served: Served, base: str) -> None:
        self._socket = served.open(20)
        self._socket.sendall(f"GET /api/v1{base}/states HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())
        self._data = b""
        self.lost = False

    def newest(self) -> Any:
        """The newest state that has arrived since the last look, or None."""
        self._socket.setblocking(False)
        with contextlib.suppress(BlockingIOError, ssl.SSLWantReadError):
            while True:
                piece = self._socket.recv(1 << 16)
                if not piece:
                    self.lost = True
                    break
                self._data += piece
        *events, self._data = self._data.split(b"\n\n")
        states = [event for event in events if b"event: state\ndata: " in event]
        return json.loads(states[-1].split(b"event: state\ndata: ")[1]) if states else None

    def wait_for(self, stamp: str) -> Any:
        """The state of this stamp, once it has arrived."""
        until = time.monotonic() + SETTLED_WITHIN_S
        state = None
        while time.monotonic() < until and not self.lost:
            state = self.newest() or state
            if state is not None and state["stamp"] == stamp:
                return state
            time.sleep(0.01)
        raise AssertionError(f"the stream never told of {stamp}, but of {state and state['stamp']}")

    def close(self, suddenly: bool = False) -> None:
        if suddenly:  # as a phone that comes back with another address
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._socket.close()


class Handset(Phone):
    """A phone with its page: a state that it shows, a stream that it reads while it is awake."""

    def __init__(self, served: Served, base: str, seed: int) -> None:
        super().__init__(served.port, base, seed, name=f"phone{seed}", https=served.https)
        self._served = served
        self.awake = True
        self.stream: Stream | None = None
        self.unanswered: dict[str, Any] | None = None  # what it sent before it was carried out of the Wi-Fi
        self.reload()

    def reload(self) -> None:
        status, page, _ = self.until_answered("GET", self.base)
        assert status == 200
        found = re.search(rb'<script type="application/json" id="state">(.*?)</script>', page, re.DOTALL)
        self.state = json.loads(found[1])
        self.listen()

    def listen(self, suddenly: bool = False) -> None:
        if self.stream is not None:
            self.stream.close(suddenly)
        self.stream = Stream(self._served, self.base)

    def wake(self) -> None:
        """As the page does: asks at once, with the stamp that it has, and listens anew."""
        self.awake = True
        status, state, _ = self.until_answered("GET", f"/api/v1{self.base}?stamp={self.state['stamp']}")
        assert status in (200, 204), status
        if status == 200:
            self.state = state
        self.listen()

    def hear(self) -> None:
        state = self.stream.newest()
        if state is not None:
            self.state = state
        elif self.stream.lost:
            self.listen()

    def send_and_vanish(self, action: Any) -> None:
        """Sends an action and loses the Wi-Fi before the answer."""
        body = {"version": self.state["version"], "request": new_request(self.dice), "action": action}
        data = json.dumps(body).encode()
        head = f"POST /api/v1{self.base}/actions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        sent = f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data
        with self._served.open(20) as connection:
            connection.sendall(sent if self.dice.random() < 0.7 else sent[: self.dice.randrange(len(sent))])
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.unanswered = body
        self.awake = False

    def close(self) -> None:
        if self.stream is not None:
            self.stream.close()
        super().close()


class Group:
    """People at one table, game after game."""

    def __init__(self, served: Served, games: list[str], seed: int, done: Counter[str]) -> None:
        self.step = 0
        self._served = served
        self._games = games
        self._dice = random.Random(seed)
        self._done = done
        self._lock = threading.Lock()
        self._played: list[tuple[str, int]] = []  # tables that are over, and their versions
        self._start()

    def _start(self) -> None:
        game = self._games[len(self._played) % len(self._games)]
        most = next(info.players[1] for info in scorer.games() if info.key == game)
        self.base = new_table(self._served, game, *NAMES[: min(most, PHONES)])
        self._told: set[str] = set()  # the requests that a phone was told are done
        self.phones = [Handset(self._served, self.base, self._dice.getrandbits(30)) for _ in range(PHONES)]

    def play(self, steps: int) -> None:
        for self.step in range(1, steps + 1):
            self._one()

    def _one(self) -> None:
        for phone in self.phones:
            if phone.awake:
                phone.hear()
        phone = self._dice.choice(self.phones)
        if not phone.awake:
            self._count("woken")
            phone.wake()
            self._send_again(phone)
        if phone.standing["over"]:
            self._next_game()
            return
        chance = self._dice.random()
        if chance < 0.03:
            self._count("reloads")
            phone.reload()
        elif chance < 0.09:
            self._count("fell asleep")
            phone.awake = False  # its stream stays open, and nobody reads it
            if self._dice.random() < 0.5:
                phone.stream.close(suddenly=self._dice.random() < 0.5)
                phone.stream = None
        elif chance < 0.12:
            self._count("vanished in the middle")
            phone.send_and_vanish(any_legal(phone.standing, self._dice))
        elif chance < 0.14 and phone.state["steps"]:
            self._count("undone")
            self._told_of(phone.send("undo"))
        elif chance < 0.15 and phone.state["steps"]:
            self._count("corrected")
            self._correct(phone)
        elif chance < 0.16 and (phone.standing["turn"] or {}).get("expects"):
            self._count("photographed")
            photo, kind = upload_form(self._photo(), phone.state["version"])
            status, _ = phone.ask("POST", f"/api/v1{self.base}/photos", photo, kind)
            assert status in (202, 409), status
        else:
            self._count("actions")
            request = new_request(self._dice)
            body = {
                "version": phone.state["version"],
                "request": request,
                "action": any_legal(phone.standing, self._dice),
            }
            self._told_of(phone.send("actions", **body))
            if self._dice.random() < 0.05 and request in self._told:
                self._count("sent twice")
                again = phone.send("actions", **body)
                assert again.status == 200, again

    def _send_again(self, phone: Handset) -> None:
        """What a phone had sent before it was lost is sent again, as its page does, under the same id."""
        if phone.unanswered is not None:
            body, phone.unanswered = phone.unanswered, None
            self._told_of(phone.send("actions", **body))

    def _correct(self, phone: Handset) -> None:
        _, history = phone.ask("GET", f"/api/v1{self.base}/history")
        steps = zip(history["places"], history["moves"], strict=True)
        throws = [(place["number"], move["action"]) for place, move in steps if move["action"]["do"] == "throw"]
        if throws:
            step, thrown = self._dice.choice(throws[-5:])
            action = {"do": "throw", "dice": [self._dice.randint(1, 6) for _ in thrown["dice"]]}
            self._told_of(phone.send("corrections", step=step, action=action, drop_tail=True))

    def _told_of(self, answer: Any) -> None:
        if answer.status == 200:
            self._told.add(answer.request)
        else:
            assert answer.status in (409, 422), answer  # another phone was quicker; the corrected throw is the same
            self._count(f"refused: {answer.reason}")

    def _photo(self) -> bytes:
        return (PICTURES / "throw-15.jpg").read_bytes()

    def _count(self, what: str) -> None:
        with self._lock:
            self._done[what] += 1

    def _next_game(self) -> None:
        self._count("games over")
        self.settle()
        for phone in self.phones:
            phone.close()
        self._played.append((self.base, self.phones[0].state["version"]))
        self._start()

    def settle(self) -> None:
        """Everybody looks: all phones show the same, the log holds what was told and no more, the record replays."""
        for phone in self.phones:
            if not phone.awake:
                phone.wake()
                self._send_again(phone)
        stamp = self.phones[0].look()["stamp"]
        until = time.monotonic() + SETTLED_WITHIN_S
        while (self.phones[0].state["pending"] or {}).get("status") == "waiting" and time.monotonic() < until:
            time.sleep(0.05)
            stamp = self.phones[0].look()["stamp"]
        states = []
        for phone in self.phones:
            if phone.state["stamp"] != stamp:
                phone.listen()
                phone.state = phone.stream.wait_for(stamp)
            states.append(phone.state)
        assert all(state == states[0] for state in states)
        log = whole_log(self._served, self.base)
        assert len(log) == len(self._told) == states[0]["version"]
        _, record = self.phones[0].ask("GET", f"{self.base}/record.json")
        replayed = json.loads(json.dumps(scorer.Table.from_record(record).standing()))
        for told in states[0]["standing"]["legal"]:
            for added in ("may_bank", "bank_refusal"):  # what the page is told besides
                told.pop(added, None)
        assert states[0]["standing"] == replayed

    def leave(self) -> None:
        """The games that are over are still as they were; then everybody goes home."""
        for base, version in self._played:
            status, state = self.phones[0].ask("GET", f"/api/v1{base}")
            assert (status, state["version"], state["standing"]["over"]) == (200, version, True)
        for phone in self.phones:
            phone.close()


def resize(photo: bytes, dice: random.Random) -> bytes:
    """The photo in another size and shape: what is prepared for one serves no other."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(photo)) as image:
        image.resize((dice.randint(300, 2000), dice.randint(300, 2000))).save(out, "JPEG")
    return out.getvalue()


@watching.on_linux
@pytest.mark.parametrize(
    ("count", "https"), [(40, False), *(pytest.param(100, https, marks=pytest.mark.slow) for https in (False, True))]
)
def test_photos_are_read_without_growing(tmp_path: Path, count: int, https: bool) -> None:
    dice, settle = random.Random(1), 30
    pictures = [path.read_bytes() for path in sorted(PICTURES.glob("*.jpg"))]
    with Served(tmp_path / "data", https=https) as served, Phone(served.port, new_table(served), https=https) as phone:
        phone.look()
        start_threads(served, phone.base)
        early = watching.use(served.process.pid)
        for number in range(count):
            picture = pictures[number % len(pictures)]
            read_photo(phone, picture if number % 2 else resize(picture, dice))
            status, _ = phone.ask("GET", f"/api/v1{phone.base}/photos/{phone.state['pending']['id']}")
            assert status == 200
            if number == settle:
                early = watching.use(served.process.pid)
        # The reader gives memory back after the photo is told.
        wait_until(lambda: watching.use(served.process.pid).rss - early.rss < PHOTO_GROWTH_MB)
        late = watching.use(served.process.pid)
        print(f"\nafter {settle} photos: {early}\nafter {count}: {late}")
        assert late.rss < RESIDENT_MB
        assert late.threads == early.threads
        assert len(list((tmp_path / "data" / "photos").iterdir())) <= 2, "only the photo under review is kept"
