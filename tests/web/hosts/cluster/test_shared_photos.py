"""A photo that was taken at one server: any other shows it, any reader reads it, and it goes when it should."""

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import create_engine, select, text

import rollcall
import vision
from tests.web.apps import create_app
from tests.web.pages.test_owners import reason
from tests.web.phones import Phone, start
from tests.web.photos.test_photo_reader import PICTURES, THROW, read, upload
from tests.web.stands import StandPhone
from tests.web.waiting import wait_until
from web.photos.reading_queue import MOST_WAITING
from web.problems.problem import Problem
from web.services import services

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")

from web.hosts.cluster import photo_worker, shared_pictures, shared_schema
from web.hosts.cluster.jobs import MOST_TRIES, SharedQueue, SharedReadings
from web.hosts.cluster.photo_worker import PhotoWorker
from web.hosts.cluster.shared_store import SharedStore

PHOTO = (PICTURES / THROW["picture"]).read_bytes()
SOON_S = 0.2
NO_ROOM = """CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"""


class Counting:
    """Finds no dice, once it may; counts the photos."""

    def __init__(self) -> None:
        self.photos = 0
        self.may = threading.Event()

    def read(
        self,
        photo: vision.Photo,
        dice: int | None = None,
        aside: Sequence[int] = (),
        known: "vision.DiceMemory | None" = None,
    ) -> vision.Reading:
        self.photos += 1
        self.may.wait(30)
        return vision.Reading(photo.width, photo.height, ())


@pytest.fixture
def readers() -> tuple[Counting, Counting]:
    return Counting(), Counting()


@pytest.fixture
def servers(
    tmp_path: Path, shared: str, readers: tuple[Counting, Counting], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Flask, Flask]]:
    """Two servers; the second one reads photos itself."""
    monkeypatch.setattr("web.hosts.cluster.shared_server.POLL_S", SOON_S)
    monkeypatch.setattr("web.hosts.cluster.photo_worker.HEARTBEAT_S", SOON_S)
    made = [
        create_app(tmp_path / str(number), reader=each, database=shared, reads=number == 1)
        for number, each in reversed(list(enumerate(readers)))
    ][::-1]
    yield made[0], made[1]
    for reader in readers:
        reader.may.set()
    for each in made:
        services(each).close()


def stop_reading(server: Flask) -> None:
    services(server).programs[0].close()


def phones_of(servers: tuple[Flask, Flask]) -> tuple[Phone, Phone]:
    base = start(servers[0].test_client())
    return Phone(servers[0].test_client(), base), Phone(servers[1].test_client(), base)


def test_a_photo_is_seen_and_confirmed_at_another_server(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], tmp_path: Path
) -> None:
    one, two = phones_of(servers)
    assert upload(one, PHOTO).status_code == 202
    assert two.look()["pending"]["status"] == "waiting"
    readers[1].may.set()
    pending = read(two)
    assert (pending["status"], readers[0].photos, readers[1].photos) == ("read", 0, 1)
    assert two.client.get(f"/api/v1{two.base}/photos/{pending['id']}").mimetype == "image/jpeg"
    dice = [{"value": die["value"], "box": die["box"]} for die in THROW["dice"]]
    evidence = {"reading": pending["id"], "dice": dice}
    assert two.post("actions", action={"do": "throw", "dice": THROW["thrown"]}, evidence=evidence).status_code == 200
    assert one.look()["pending"] is None
    for phone in (one, two):
        assert phone.client.get(f"/api/v1{phone.base}/photos/{pending['id']}").status_code == 404
    parts = services(servers[0])
    assert parts.photos.files.original(pending["id"]) is None
    assert [path for each in "01" for path in (tmp_path / each / "photos").iterdir()] == []


def test_what_a_dead_reader_did_not_read_another_reads(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = phones_of(servers)
    upload(one, PHOTO)
    wait_until(lambda: readers[1].photos == 1)  # it holds this one, and takes no other
    monkeypatch.setattr("web.hosts.cluster.jobs.ALIVE_S", 1.0)
    other = Phone(servers[0].test_client(), start(servers[0].test_client()))
    with closing(SharedStore(shared)) as store:
        dead = SharedQueue(store)
        dead.send_heartbeat()
        upload(other, PHOTO)
        taken = dead.take()
        assert taken.key == other.key
        assert SharedQueue(store).take() is None, "both are held"
    readers[1].may.set()
    assert read(two)["status"] == read(other)["status"] == "read"
    assert readers[1].photos == 2


def test_a_photo_that_is_being_read_is_left_to_its_reader(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.hosts.cluster.jobs.ALIVE_S", 2.0)
    one, _ = phones_of(servers)
    upload(one, PHOTO)
    wait_until(lambda: readers[1].photos == 1)
    with closing(SharedStore(shared)) as store:
        queue = SharedQueue(store)
        for _ in range(20):
            assert queue.take() is None
            time.sleep(0.2)  # in all longer than it is held without a word
    readers[1].may.set()
    assert read(one)["status"] == "read"


def test_without_a_reader_the_page_says_so_and_the_game_goes_on(
    tmp_path: Path, shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.hosts.cluster.shared_server.POLL_S", SOON_S)
    app = create_app(tmp_path, database=shared)
    phone = Phone(app.test_client(), start(app.test_client()))
    assert (phone.state["reader"], phone.state["reader_problem"]["reason"]) == (False, "no-readers")
    refused = upload(phone, PHOTO)
    assert (refused.status_code, refused.get_json()["reason"]) == (503, "no-readers")
    assert phone.look()["pending"] is None
    with services(app).store.read() as store:
        assert store.execute(select(shared_schema.photos)).all() == []
    assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200
    with closing(SharedStore(shared)) as store:
        SharedQueue(store).send_heartbeat()
        wait_until(lambda: phone.look()["reader"] is True)
        assert phone.state["reader_problem"] is None
    monkeypatch.setattr("web.hosts.cluster.jobs.ALIVE_S", 0.5)
    wait_until(lambda: phone.look()["reader"] is False)
    services(app).close()


def test_servers_that_share_a_database_say_that_no_stand_can_watch(tmp_path: Path, shared: str) -> None:
    app = create_app(tmp_path, database=shared)
    client = app.test_client()
    assert reason(StandPhone(Phone(client, start(client))).start()) == (409, "stand-elsewhere")
    services(app).close()


def test_a_photo_that_ends_its_readers_is_given_up(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_reading(servers[1])
    one, two = phones_of(servers)
    with closing(SharedStore(shared)) as store:
        queue = SharedQueue(store)
        queue.send_heartbeat()
        upload(one, PHOTO)
        for _ in range(MOST_TRIES):
            taken = queue.take()
            queue.give_back(taken.reading)
        worker = PhotoWorker(queue, SharedReadings(store), services(servers[1]).photos.reader)
        pending = read(two)
        assert (pending["status"], pending["problem"]["reason"]) == ("failed", "reader-failed")
        worker.close()
    assert readers[1].photos == 0


def test_a_photo_that_its_server_did_not_queue_is_queued_by_another(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.hosts.cluster.shared_pictures.QUEUED_WITHIN_S", 0.5)
    one, two = phones_of(servers)
    monkeypatch.setattr(services(servers[0]).photos.reader, "_enqueue", lambda *_: 1)  # it dies before that
    upload(one, PHOTO)
    monkeypatch.undo()
    readers[1].may.set()
    assert read(two)["status"] == "read"


def test_a_photo_for_which_the_database_has_no_room_is_told(servers: tuple[Flask, Flask], shared: str) -> None:
    engine = create_engine(shared)
    with engine.begin() as connection:  # what PostgreSQL says when its disk is full
        connection.execute(text(NO_ROOM))
        connection.execute(text("CREATE TRIGGER no_room BEFORE INSERT ON photos EXECUTE FUNCTION no_room()"))
    engine.dispose()
    one, _ = phones_of(servers)
    refused = upload(one, PHOTO)
    assert (refused.status_code, refused.json["reason"]) == (503, "store-full")
    assert one.look()["pending"] is None


def test_photos_that_nobody_wants_are_gone(servers: tuple[Flask, Flask], readers: tuple[Counting, Counting]) -> None:
    readers[1].may.set()
    one, two = phones_of(servers)
    upload(one, PHOTO)
    reading = read(two)["id"]
    pictures = services(servers[0]).photos.files
    pictures.put_original("lost", b"photo")
    age_photos(servers[0], "LOST_S")
    pictures.sweep(())
    assert pictures.original("lost") is None
    assert pictures.original(reading) is not None, "it waits for somebody"
    age_photos(servers[0], "EXPIRES_S")
    pictures.sweep(())
    assert pictures.original(reading) is None


def age_photos(server: Flask, limit: str) -> None:
    """Makes all photos older than this."""
    with services(server).store.write() as store:
        store.execute(
            text("UPDATE photos SET put_at = now() - make_interval(secs => :age)"),
            {"age": getattr(shared_pictures, limit) + 60},
        )


def test_a_corrected_photo_is_kept_at_the_server_that_confirmed_it(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], tmp_path: Path
) -> None:
    client = servers[0].test_client()
    form = {"game": "ones-and-fives", "player": ["Ada"], "keep_corrections": "yes"}
    one = Phone(client, client.post("/tables", data=form).headers["Location"])
    two = Phone(servers[1].test_client(), one.base)
    upload(one, PHOTO)
    readers[1].may.set()
    pending = read(two)
    dice = [{"value": die["value"], "box": die["box"]} for die in THROW["dice"]]
    two.post(
        "actions", action={"do": "throw", "dice": THROW["thrown"]}, evidence={"reading": pending["id"], "dice": dice}
    )
    (label,) = (tmp_path / "1" / "corrections").glob("*.json")
    assert json.loads(label.read_text())["dice"] == dice
    assert label.with_suffix(".photo").exists()
    assert not (tmp_path / "0" / "corrections").exists()


def test_a_reader_whose_detector_is_missing_does_not_start_and_says_so(
    tmp_path: Path, shared: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(photo_worker.signal, "signal", lambda *_: None)  # what ends the tests is theirs
    there = vision.Reader
    monkeypatch.setattr(vision, "Reader", lambda: there(tmp_path / "no-models"))
    assert rollcall.main(["reader", "--database", shared]) == 2
    assert capsys.readouterr().err.startswith("photos cannot be read: ")
    with closing(SharedStore(shared)) as store:
        assert SharedQueue(store).readers() == 0


def test_a_photo_without_a_table_is_read_by_any_reader_and_told_by_any_server(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], shared: str
) -> None:
    asked, other = services(servers[0]).photos.reader.lone, services(servers[1]).photos.reader.lone
    sent = asked.put(PHOTO, 6, "one")
    wait_until(lambda: readers[1].photos == 1)
    assert other.get(sent.id).result is None
    readers[1].may.set()
    wait_until(lambda: other.get(sent.id).result)
    assert asked.get(sent.id) == other.get(sent.id)
    assert (readers[0].photos, asked.get(sent.id).size) == (0, vision.Photo.decode(PHOTO).pixels.shape[1::-1])
    with closing(SharedStore(shared)) as store, store.read() as connection:
        assert connection.execute(select(shared_schema.photos.c.original)).scalars().all() == [None]
    for unknown in ("unknown", "\0"):
        with pytest.raises(Problem, match="photo"):
            asked.get(unknown)


def test_photos_with_and_without_a_table_take_turns_by_their_addresses(
    servers: tuple[Flask, Flask], shared: str
) -> None:
    stop_reading(servers[1])
    with closing(SharedStore(shared)) as store:
        queue, lone = SharedQueue(store), SharedReadings(store)
        queue.send_heartbeat()
        phone = Phone(servers[0].test_client(), start(servers[0].test_client()))
        first, second = (lone.put(PHOTO, None, "a program").id for _ in range(2))
        upload(phone, PHOTO)
        pending = phone.look()["pending"]
        assert list(queue.places().values()) == [2]  # between the two photos of the program
        assert [taken.reading for _ in range(3) if (taken := queue.take())] == [first, pending["id"], second]
        assert queue.take() is None
        queue.give_back(second)
        taken = queue.take()
        assert (taken.key, taken.reading, taken.tries) == (None, second, 1)


def test_a_photo_without_a_table_that_ends_its_readers_is_given_up(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], shared: str
) -> None:
    stop_reading(servers[1])
    with closing(SharedStore(shared)) as store:
        queue, lone = SharedQueue(store), SharedReadings(store)
        queue.send_heartbeat()
        sent = lone.put(PHOTO, None, "one")
        for _ in range(MOST_TRIES):
            taken = queue.take()
            queue.give_back(taken.reading)
        worker = PhotoWorker(queue, lone, services(servers[1]).photos.reader)
        wait_until(lambda: lone.get(sent.id).problem)
        worker.close()
        found = lone.get(sent.id).problem
        assert (found.reason, readers[1].photos) == ("reader-failed", 0)


def test_photos_without_a_table_have_bounds_and_go(servers: tuple[Flask, Flask], shared: str) -> None:
    stop_reading(servers[1])
    with closing(SharedStore(shared)) as store:
        queue, lone = SharedQueue(store), SharedReadings(store)
        with pytest.raises(Problem, match="No computer reads photos"):
            lone.put(PHOTO, None, "one")
        queue.send_heartbeat()
        sent = [lone.put(PHOTO, None, str(number)) for number in range(MOST_WAITING)]
        with pytest.raises(Problem) as full:
            lone.put(PHOTO, None, "one more")
        assert (full.value.reason, full.value.status, bool(full.value.again_s)) == ("queue-full", 429, True)
        lone.give_up(sent[0].id)
        lone.put(PHOTO, None, "one more")
        pictures = services(servers[0]).photos.files
        pictures.sweep(())
        assert lone.get(sent[0].id).problem
        age_photos(servers[0], "LONE_EXPIRES_S")
        pictures.sweep(())
        with pytest.raises(Problem, match="photo"):
            lone.get(sent[0].id)
