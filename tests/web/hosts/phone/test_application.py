"""The application of a phone alone, asked as the shell's worker asks it, by any Python."""

import asyncio
import json
import random
import secrets
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from scorer.games import text_of
from tests.web.hosts.phone.test_browser_eye import PICTURES, ComputersWorker
from web.hosts.phone.cooperative_tasks import CooperativeTasks
from web.hosts.phone.phone_application import PhoneApplication, prepare, start
from web.hosts.phone.phones import HERE, MOST_PHONES, CookieJar
from web.problems.problem import Problem
from web.services import services
from web.store.sqlite import FILE_NAME

FORM = [("content-type", "application/x-www-form-urlencoded")]
JSON = [("content-type", "application/json")]
HOST = "games.example"
PLAYED = ({"do": "throw", "dice": [1, 1, 1, 5, 2, 3]}, {"do": "set-aside", "dice": [1, 1, 1, 5]}, {"do": "bank"})


async def no_eye(name: str, given: str, file: bytes | None) -> Any:
    raise AssertionError(name)


class Tab:
    """The pages of one browser. `phone`: whose it is."""

    def __init__(self, application: PhoneApplication, phone: str = HERE) -> None:
        self.application = application
        self._phone, self._asked = phone, 0

    def ask(self, method: str, path: str, body: bytes | None = None, headers: Any = (), host: str = HOST) -> Any:
        self._asked += 1
        id = f"{self._phone} {self._asked}"
        return self.application.answer(id, method, path, headers, body, host, True, self._phone)

    def start(self, *players: str) -> str:
        body = "&".join(["game=ones-and-fives", *(f"player={name}" for name in players)]).encode()
        status, headers, _, _ = self.ask("POST", "/tables", body, FORM)
        assert status == 303
        return str(dict(headers)["Location"])

    def act(self, base: str, version: int, action: Any) -> Any:
        body = json.dumps({"version": version, "request": f"request-{version:04}", "action": action}).encode()
        status, _, content, _ = self.ask("POST", f"/api/v1{base}/actions", body, JSON)
        assert status == 200, content
        return json.loads(content)

    def state(self, base: str) -> Any:
        return json.loads(self.ask("GET", f"/api/v1{base}")[2])

    def send(self, base: str, photo: bytes, **about: str) -> Any:
        """Sends a photo of the first throw. Returns the state."""
        query = urlencode({"version": 0, "request": secrets.token_hex(12), **about})
        status, _, content, _ = self.ask(
            "POST", f"/api/v1{base}/photos?{query}", photo, [("content-type", "image/jpeg")]
        )
        assert status == 202, content
        return json.loads(content)

    def read(self) -> None:
        """Has the photos that wait read."""
        while self.application.has_photo():
            asyncio.run(self.application.read_photo())

    def listen(self, base: str) -> bytes:
        status, _, first, is_stream = self.ask(
            "GET", f"/api/v1{base}/states", headers=[("accept", "text/event-stream")]
        )
        assert (status, is_stream) == (200, True)
        return bytes(first)


@pytest.fixture
def tab(tmp_path: Path) -> Any:
    application = start(str(tmp_path), HOST, no_eye)
    yield Tab(application)
    application.close()


def test_chances_do_not_come_from_a_memory_that_was_kept(tmp_path: Path) -> None:
    prepare()
    drawn = set()
    for _ in range(2):
        random.seed(1)
        start(str(tmp_path), HOST, no_eye).close()
        drawn.add(random.random())
    assert len(drawn) == 2


def test_a_game_is_played_and_its_streams_are_told(tab: Tab) -> None:
    base = tab.start("Ada", "Bob")
    assert b"event: state" in tab.listen(base)
    for version, action in enumerate(PLAYED):
        state = tab.act(base, version, action)
        ((id, events, is_last),) = tab.application.take_events()
        assert (json.loads(events.split(b"data: ")[1]), is_last) == (state, False)
    assert state["standing"]["players"][0]["score"] == 1050
    tab.application.close_stream(id)
    tab.act(base, 3, PLAYED[0])
    assert tab.application.take_events() == []


def test_streams_are_told_now_and_then_that_the_application_is_there(tab: Tab) -> None:
    tab.listen(tab.start("Ada", "Bob"))
    tab.application.beat()
    ((_, events, is_last),) = tab.application.take_events()
    assert events.startswith(b"event: here")
    assert not is_last


def test_a_deleted_table_ends_its_streams(tab: Tab) -> None:
    base = tab.start("Ada", "Bob")
    tab.listen(base)
    assert tab.ask("POST", f"/api/v1{base}/deleted", b'{"deleted": true}', JSON)[0] == 200
    ((_, events, _),) = [each for each in tab.application.take_events() if each[2]]
    assert events.startswith(b"event: gone")
    tab.application.beat()
    assert tab.application.take_events() == []


def test_the_store_is_there_at_the_next_start_and_one_that_a_laptop_opens(tmp_path: Path) -> None:
    from web.store.sqlite import SqliteStore

    tab = Tab(start(str(tmp_path), HOST, no_eye))
    base = tab.start("Ada", "Bob")
    for version, action in enumerate(PLAYED):
        tab.act(base, version, action)
    # Not closed: a tab ends without a word.
    again = Tab(start(str(tmp_path), HOST, no_eye))
    assert json.loads(again.ask("GET", f"/api/v1{base}")[2])["version"] == 3
    again.application.close()
    tab.application.close()
    laptop = SqliteStore(tmp_path)
    found = laptop.find(base.rpartition("/")[2])
    assert found is not None
    assert laptop.open(found)[0].version == 3
    laptop.close()
    assert (tmp_path / FILE_NAME).is_file()


def test_the_phone_is_known_by_what_it_was_told_to_keep(tmp_path: Path) -> None:
    """Service workers see no cookies: the application keeps them, also over its end."""
    tab = Tab(start(str(tmp_path), HOST, no_eye))
    tab.start("Ada", "Bob")
    assert tab.ask("POST", "/settings", b"language=cs&name=Jana", FORM)[0] == 303
    tab.application.close()
    again = Tab(start(str(tmp_path), HOST, no_eye))
    page = again.ask("GET", "/")[2].decode()
    again.application.close()
    assert '<html lang="cs">' in page
    assert "Ada" in page


def test_a_guest_is_a_phone_of_its_own(tab: Tab) -> None:
    """It has its own cookies and language, and limits that this phone has not."""
    guest = Tab(tab.application, "secret-of-a-guest-phone")
    base = tab.start("Ada", "Bob")
    assert tab.ask("POST", "/settings", b"language=cs&name=Jana", FORM)[0] == 303
    assert guest.ask("GET", base, headers=[("accept-language", "pl")])[2].startswith(
        b'<!doctype html>\n<html lang="pl">'
    )
    guest.listen(base)
    guest.act(base, 0, PLAYED[0])
    assert [id for id, _, _ in tab.application.take_events()] == ["secret-of-a-guest-phone 2"]
    assert b"Ada" not in Tab(tab.application, "secret-of-another-phone").ask("GET", "/")[2]
    statuses = [guest.ask("POST", "/tables", b"game=ones-and-fives&player=Eve", FORM)[0] for _ in range(41)]
    assert (statuses[0], statuses[-1]) == (303, 429)
    assert tab.start("Ada", "Bob")


def test_another_host_name_is_refused(tab: Tab) -> None:
    assert tab.ask("GET", "/", host="other.example")[0] == 421


def test_a_game_is_changed_and_kept(tab: Tab) -> None:
    """Without the process that checks games on a computer."""
    assert tab.ask("GET", "/games/farkle/edit")[0] == 200
    body = json.dumps({"name": "Ours", "toml": text_of("farkle")}).encode()
    status, _, content, _ = tab.ask("POST", "/own-games", body, JSON)
    assert status == 200, content


def test_a_photo_is_read_and_counts_when_a_person_confirms_it(tmp_path: Path) -> None:
    tab = Tab(start(str(tmp_path), HOST, ComputersWorker().ask))
    base = tab.start("Ada", "Bob")
    assert tab.send(base, (PICTURES / "throw-113466.jpg").read_bytes())["pending"]["status"] == "waiting"
    tab.read()
    shown = tab.state(base)
    pending = shown["pending"]
    assert (pending["status"], pending["sure"]) == ("read", True)
    dice = pending["dice"]
    assert sorted(die["value"] for die in dice) == [1, 1, 3, 4, 6, 6]
    assert tab.ask("GET", f"/api/v1{base}/photos/{pending['id']}")[2] == b"shown"
    evidence = {"reading": pending["id"], "dice": [{"value": die["value"], "box": die["box"]} for die in dice]}
    action = {"do": "throw", "dice": [die["value"] for die in dice]}
    body = {"version": 0, "request": "request-0000", "action": action, "evidence": evidence}
    status, _, content, _ = tab.ask("POST", f"/api/v1{base}/actions", json.dumps(body).encode(), JSON)
    assert status == 200, content
    assert (json.loads(content)["pending"], json.loads(content)["version"]) == (None, 1)
    assert list((tmp_path / "photos").iterdir()) == []
    tab.application.close()


def test_a_photo_that_cannot_be_read_is_said_to_be_so(tmp_path: Path) -> None:
    worker = ComputersWorker()
    worker.refuses = "reader-not-loaded"
    tab = Tab(start(str(tmp_path), HOST, worker.ask))
    base = tab.start("Ada", "Bob")
    tab.send(base, (PICTURES / "throw-113466.jpg").read_bytes())
    tab.read()
    pending = tab.state(base)["pending"]
    assert (pending["status"], pending["problem"]["reason"]) == ("read", "reader-not-loaded")  # marked by hand
    tab.send(base, b"no photo", replaces=pending["id"])
    tab.read()
    pending = tab.state(base)["pending"]
    assert (pending["status"], pending["problem"]["reason"]) == ("failed", "photo-format")
    tab.application.close()


def test_a_photo_that_was_discarded_is_not_read(tmp_path: Path) -> None:
    worker = ComputersWorker()
    tab = Tab(start(str(tmp_path), HOST, worker.ask))
    base = tab.start("Ada", "Bob")
    pending = tab.send(base, (PICTURES / "throw-113466.jpg").read_bytes())["pending"]
    assert tab.ask("DELETE", f"/api/v1{base}/photos/{pending['id']}")[0] == 200
    tab.read()
    assert worker.asked == []
    tab.application.close()


def test_a_photo_outlives_its_tab(tmp_path: Path) -> None:
    """The last one, read or not; an earlier one of another table is told to be gone."""
    tab = Tab(start(str(tmp_path), HOST, ComputersWorker().ask))
    first, base = tab.start("Ada", "Bob"), tab.start("Cyd", "Dan")
    for each in (first, base):
        tab.send(each, (PICTURES / "throw-113466.jpg").read_bytes())
    tab.read()
    before = tab.state(base)["pending"]
    shutil.rmtree(tmp_path / "photos")  # which is memory
    again = Tab(start(str(tmp_path), HOST, no_eye))
    assert again.state(base)["pending"] == before
    assert again.ask("GET", f"/api/v1{base}/photos/{before['id']}")[2] == b"shown"
    assert again.state(first)["pending"]["problem"]["reason"] == "photo-ended"
    assert again.ask("DELETE", f"/api/v1{base}/photos/{before['id']}")[0] == 200
    assert (tmp_path / "photo.photo").read_bytes() == b""
    for each in (tab, again):
        each.application.close()


def test_a_photo_at_which_the_browser_ended_is_read_smaller_then_told(tmp_path: Path) -> None:
    class Killed(BaseException):
        pass

    class Ends(ComputersWorker):
        async def ask(self, name: str, given: str, file: bytes | None) -> Any:
            if name == "decode":
                raise Killed
            return await super().ask(name, given, file)

    tab = Tab(start(str(tmp_path), HOST, Ends().ask))
    base = tab.start("Ada", "Bob")
    tab.send(base, (PICTURES / "throw-113466.jpg").read_bytes())
    note = (tmp_path / "photo.json").read_bytes()
    with pytest.raises(Killed):
        tab.read()
    for tries, worker, status in ((1, ComputersWorker(), "read"), (2, Ends(), "failed")):
        (tmp_path / "photo.json").write_bytes(note.replace(b'"tries": 0', f'"tries": {tries}'.encode()))
        shutil.rmtree(tmp_path / "photos")
        if status == "failed":
            tab.application.close()
            tab = Tab(start(str(tmp_path), HOST, worker.ask))
            pending = tab.state(base)["pending"]
            tab.send(base, (PICTURES / "throw-113466.jpg").read_bytes(), replaces=pending["id"])
            name = json.loads((tmp_path / "photo.json").read_bytes())["id"]
            (tmp_path / "photo.json").write_text(json.dumps({"id": name, "tries": tries}))
        tab.application.close()
        tab = Tab(start(str(tmp_path), HOST, worker.ask))
        tab.application.work()
        tab.read()
        assert tab.state(base)["pending"]["status"] == status
        assert worker.smaller == (status == "read")
    tab.application.close()


def test_programs_are_told_that_no_photo_without_a_table_is_read_here(tab: Tab) -> None:
    lone = services(tab.application.app).photos.reader.lone
    with pytest.raises(Problem) as told:
        lone.put(b"photo", 5, "")
    assert told.value.reason == "no-readers"


def test_no_phone_on_a_stand_is_watched_here(tab: Tab) -> None:
    with pytest.raises(Problem) as told:
        services(tab.application.app).photos.watched.check_room()
    assert told.value.reason == "stand-elsewhere"


def test_each_phone_has_cookies_of_its_own(tmp_path: Path) -> None:
    jar = CookieJar(tmp_path / "phones.json")
    jar.take(HERE, ["device=abc; Path=/; HttpOnly", "language=cs; Path=/"])
    jar.take("guest", ["device=other; Path=/"])
    jar.take(HERE, ["device-name=; Path=/", "language=; Path=/"])
    for again in (jar, CookieJar(tmp_path / "phones.json")):
        assert again.header(HERE) == "device=abc"
        assert again.header("guest") == "device=other"
    for number in range(MOST_PHONES):
        jar.take(f"guest {number}", ["device=other; Path=/"])
    assert [jar.header(phone) != "" for phone in (HERE, "guest", f"guest {MOST_PHONES - 1}")] == [
        True,
        False,
        True,
    ]
    (tmp_path / "phones.json").write_text('{"": {"dev')  # torn off by a flat battery
    assert CookieJar(tmp_path / "phones.json").header(HERE) == ""


def test_work_beside_requests_is_done_when_it_is_due() -> None:
    turns, done = CooperativeTasks(), []

    def fails() -> float | None:
        raise ValueError

    first = turns.later("first", lambda: done.append("first"))  # type: ignore[func-returns-value]
    last = turns.later("last", lambda: done.append("last") or 60.0)  # type: ignore[func-returns-value]
    failing = turns.later("failing", fails)
    assert turns.work() is None
    for each in (failing, first, last):
        each.wake()
    wait_s = turns.work()
    assert done == ["first", "last"]
    assert wait_s is not None
    assert 0 < wait_s <= 10
    failing.end()
    last.wake()
    last.end()
    assert turns.work() is None
    assert done == ["first", "last"]


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    from web.store import schema

    tab = Tab(start(str(tmp_path), HOST, no_eye))
    with services(tab.application.app).store.write() as connection:
        connection.exec_driver_sql("UPDATE schema_version SET version = version + 1, readable_by = version + 1")
        connection.exec_driver_sql(f"PRAGMA user_version = {schema.VERSION + 1}")
    tab.application.close()
    with pytest.raises(schema.SchemaError):
        start(str(tmp_path), HOST, no_eye)
