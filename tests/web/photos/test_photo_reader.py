"""Photos on their way to a throw: read, told, confirmed, gone; and everything that can be wrong with them."""

import io
import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import vision
from tests.web import under_review
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, start
from tests.web.postgres import both_engines
from tests.web.waiting import wait_until
from vision.reader import MODELS
from web.hosts.threads import ThreadTask
from web.photos import review
from web.photos.reading_queue import LONGEST, PhotoJob, ReadingQueue
from web.problems.problem import Problem
from web.services import services
from web.table.photo_state import PhotoDetails, Waiting

PICTURES = Path(__file__).resolve().parents[2] / "pictures"
needs_models = pytest.mark.skipif(not (MODELS / "detector.onnx").exists(), reason="the detector is not there")
THROW = next(entry for entry in json.loads((PICTURES / "pictures.json").read_text()) if len(entry["dice"]) == 6)


def upload(phone: Phone, data: bytes, name: str = "photo.jpg", **fields: str) -> Any:
    form = {"version": str(phone.state["version"]), "photo": (io.BytesIO(data), name), **fields}
    return phone.client.post(f"/api/v1{phone.base}/photos", data=form, headers=JSON)


def read(phone: Phone) -> dict[str, Any]:
    """The photo under review, once it was looked at."""
    wait_until(lambda: (phone.look()["pending"] or {"status": "waiting"})["status"] != "waiting")
    return phone.state["pending"]


def photos(data: Path) -> list[Path]:
    return list((data / "photos").iterdir())


@pytest.fixture
def blind(tmp_path: Path) -> Iterator[Flask]:
    """An application whose detector is missing. With a database a reader without one does not start."""
    application = create_app(tmp_path / "data", reader=vision.Reader(tmp_path / "no-models"))
    yield application
    services(application).close()


@both_engines
@needs_models
def test_a_photo_that_is_sent_again_is_taken_once(phone: Phone, tmp_path: Path) -> None:
    data = (PICTURES / THROW["picture"]).read_bytes()
    assert upload(phone, data, request="photo-of-this-phone").status_code == 202
    first = read(phone)
    again = upload(phone, data + b"in another size", request="photo-of-this-phone")
    assert again.status_code == 202
    assert again.json["pending"]["id"] == first["id"]
    assert read(phone) == first
    assert {path.name.split(".")[0] for path in photos(tmp_path / "data")} <= {first["id"]}
    refused = upload(phone, data, request="a-photo-of-another", replaces="")
    assert (refused.status_code, refused.json["reason"]) == (409, "photo-waits")
    assert read(phone) == first
    chosen = upload(phone, data, request="a-photo-of-another", replaces=first["id"])
    assert chosen.json["pending"]["id"] != first["id"]
    other = upload(phone, data, request="another-photo-of-it")
    assert other.json["pending"]["id"] != first["id"]
    assert upload(phone, data, request="!").status_code == 400


@both_engines
@needs_models
def test_a_photo_is_read_confirmed_and_gone(phone: Phone, tmp_path: Path) -> None:
    assert upload(phone, (PICTURES / THROW["picture"]).read_bytes()).status_code == 202
    pending = read(phone)
    assert sorted(die["value"] for die in pending["dice"]) == sorted(THROW["values"])
    assert pending["expects"] == 6
    assert phone.state["version"] == 0, "nothing is scored before it is confirmed"
    picture = phone.client.get(f"/api/v1{phone.base}/photos/{pending['id']}")
    assert picture.mimetype == "image/jpeg"
    dice = [{"value": die["value"], "box": die["box"]} for die in pending["dice"]]
    evidence = {"reading": pending["id"], "dice": dice}
    assert phone.post("actions", action={"do": "throw", "dice": THROW["values"]}, evidence=evidence).status_code == 200
    assert phone.state["pending"] is None
    assert phone.client.get(f"/api/v1{phone.base}/photos/{pending['id']}").status_code == 404
    assert photos(tmp_path / "data") == []


@needs_models
def test_where_the_player_chooses_how_many_dice_he_throws_the_photo_tells_it(app: Flask) -> None:
    phone = Phone(app.test_client(), start(app.test_client(), "hog", "Ada"))
    assert phone.standing["turn"]["expects"] == 1, "no number was tapped"
    upload(phone, (PICTURES / THROW["picture"]).read_bytes())
    pending = read(phone)
    assert (pending["expects"], sorted(die["value"] for die in pending["dice"])) == (0, sorted(THROW["values"]))
    evidence = {"reading": pending["id"], "dice": []}
    assert phone.post("actions", action={"do": "throw", "dice": THROW["values"]}, evidence=evidence).status_code == 200


@needs_models
def test_a_photo_is_written_once_and_read_again_if_its_table_leaves_memory(
    app: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts, written = services(app), list[str]()
    append = parts.store.append

    def count(row: Any, head: Any, happened: Any, *more: Any) -> Any:
        written.extend(each.__struct_config__.tag for each in happened)
        return append(row, head, happened, *more)

    monkeypatch.setattr(parts.store, "append", count)
    upload(phone, (PICTURES / THROW["picture"]).read_bytes())
    pending = read(phone)
    assert written == ["photo-under-review"]
    wait_until(lambda: not parts.photos.reader.unread())
    parts.runner._cache.clear()
    assert phone.look()["pending"]["status"] == "waiting"
    assert read(phone) == pending
    assert written == ["photo-under-review"]


@needs_models
def test_a_sure_reading_tells_what_it_would_allow(app: Flask) -> None:
    phone = Phone(app.test_client(), start(app.test_client(), "yahtzee"))
    upload(phone, (PICTURES / "throw-12345.jpg").read_bytes())
    pending = read(phone)
    would = pending["would"]
    assert would["turn"]["dice"] == [1, 2, 3, 4, 5]
    phone.throw(*(die["value"] for die in pending["dice"]))
    standing = phone.state["standing"]
    assert would == {**{name: standing[name] for name in ("to_act", "turn", "legal", "events")}, "choices": []}


def test_corrected_photos_are_kept_only_if_the_table_agreed(blind: Flask, tmp_path: Path) -> None:
    client = blind.test_client()
    for agreed in (False, True):
        phone = agreeing_phone(blind) if agreed else Phone(client, start(client))
        original = (PICTURES / THROW["picture"]).read_bytes()
        upload(phone, original)
        pending = read(phone)
        dice = [{"value": die["value"], "box": die["box"]} for die in THROW["dice"]]
        evidence = {"reading": pending["id"], "dice": dice}
        phone.post("actions", action={"do": "throw", "dice": THROW["thrown"]}, evidence=evidence)
        kept = tmp_path / "data" / "corrections"
        assert kept.exists() is agreed
        wait_until(lambda: not photos(tmp_path / "data"))
    (label,) = kept.glob("*.json")
    told = json.loads(label.read_text())
    assert told["dice"] == dice
    assert told["not_thrown"] == 0
    assert phone.key not in label.read_text(), "who has the corrections cannot join the table"
    assert label.with_suffix(".photo").read_bytes() == original


def agreeing_phone(application: Flask) -> Phone:
    """A phone at a table that lets its corrections be kept."""
    client = application.test_client()
    form = {"game": "ones-and-fives", "player": ["Ada"], "keep_corrections": "yes"}
    return Phone(client, client.post("/tables", data=form).headers["Location"])


def values_and_boxes(dice: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"value": die["value"], "box": die["box"]} for die in dice]


@needs_models
def test_dice_that_lay_beside_the_throw_are_no_correction(app: Flask, tmp_path: Path) -> None:
    phone = agreeing_phone(app)
    kept = tmp_path / "data" / "corrections"
    for changed in (False, True):
        phone.throw(1, 1, 6, 6, 3, 4)
        phone.act(do="set-aside", dice=[1, 1])
        upload(phone, (PICTURES / THROW["picture"]).read_bytes())
        pending = read(phone)
        assert pending["beside"] == [1, 1]
        thrown, aside = values_and_boxes(pending["dice"]), values_and_boxes(pending["aside"])
        assert [die["value"] for die in aside] == [1, 1], "the picture shows the two ones that were set aside"
        if changed:
            thrown[0]["value"] = 5
        values = [die["value"] for die in thrown]
        evidence = {"reading": pending["id"], "dice": thrown, "aside": aside}
        assert phone.post("actions", action={"do": "throw", "dice": values}, evidence=evidence).status_code == 200
        assert kept.exists() is changed
        phone = agreeing_phone(app)
    (label,) = kept.glob("*.json")
    told = json.loads(label.read_text())
    assert (told["dice"], told["aside"], told["not_thrown"]) == (thrown, aside, 2)
    assert values_and_boxes(told["read"]) == values_and_boxes([*pending["dice"], *pending["aside"]])


@pytest.mark.parametrize("box", [[0, 0, float("nan"), 9], [0, 0, 1e999, 9], [0, 0, 9], "none"])
def test_a_box_that_is_none_changes_nothing(blind: Flask, box: Any, tmp_path: Path) -> None:
    phone = agreeing_phone(blind)
    upload(phone, (PICTURES / THROW["picture"]).read_bytes())
    pending = read(phone)
    dice = [{"value": value, "box": box} for value in THROW["thrown"]]
    for evidence in ({"dice": dice}, {"dice": [], "aside": dice}):
        told = {"reading": pending["id"], **evidence}
        answer = phone.post("actions", action={"do": "throw", "dice": THROW["thrown"]}, evidence=told)
        assert answer.get_json()["reason"] == "bad-request"
    assert phone.look()["pending"]["id"] == pending["id"]
    assert phone.state["version"] == 0
    assert not (tmp_path / "data" / "corrections").exists()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"GIF89a not a photo", "photo-format"),
        (b"\xff\xd8\xff\xe0 truncated", "photo-damaged"),
        (b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00", "photo-unreadable"),
        (b"II*\x00\x08\x00\x00\x00", "photo-unreadable"),
    ],
)
def test_what_is_no_photo_is_told_and_the_game_goes_on(phone: Phone, data: bytes, reason: str, tmp_path: Path) -> None:
    upload(phone, data)
    pending = read(phone)
    assert (pending["status"], pending["problem"]["reason"]) == ("failed", reason)
    assert phone.client.delete(f"/api/v1{phone.base}/photos/{pending['id']}").get_json()["pending"] is None
    assert photos(tmp_path / "data") == []
    assert phone.throw(1, 1, 6, 6, 3, 4).status_code == 200


def test_no_photo_and_no_camera_are_told(phone: Phone) -> None:
    empty = phone.client.post(f"/api/v1{phone.base}/photos", data={"version": "0"}, headers=JSON)
    assert empty.get_json()["reason"] == "no-photo"
    assert phone.post("look").get_json()["reason"] == "no-camera"


def test_a_photo_comes_only_when_a_throw_does(phone: Phone) -> None:
    phone.throw(1, 1, 6, 6, 3, 4)
    answer = upload(phone, b"any")
    assert (answer.status_code, answer.get_json()["reason"]) == (409, "no-throw-now")


def test_a_throw_told_by_hand_discards_the_photo(phone: Phone, tmp_path: Path) -> None:
    upload(phone, (PICTURES / THROW["picture"]).read_bytes())
    read(phone)
    phone.throw(1, 1, 6, 6, 3, 4)
    assert phone.state["pending"] is None
    wait_until(lambda: not photos(tmp_path / "data"))  # the picture for phones may just be made


def test_a_photo_of_a_throw_before_which_dice_are_kept_records_nothing(blind: Flask) -> None:
    phone = Phone(blind.test_client(), start(blind.test_client(), "kosci", "Ada"))
    phone.throw(3, 3, 5, 3, 1)
    photo = (PICTURES / THROW["picture"]).read_bytes()
    for wrong, status in (("[3, 3, 4]", 422), ("[3,", 400), ("3", 400)):
        assert upload(phone, photo, keep=wrong).status_code == status
    assert phone.look()["pending"] is None
    assert upload(phone, photo, keep="[3, 3, 3]").status_code == 202
    pending = read(phone)
    assert (pending["expects"], pending["keep"]) == (2, [3, 3, 3])
    phone.client.delete(f"/api/v1{phone.base}/photos/{pending['id']}")
    assert phone.look()["steps"] == 1
    assert phone.standing["turn"]["dice"] == [1, 3, 3, 3, 5], "the dice are still on the table"
    upload(phone, photo, keep="[3, 3, 3]")
    evidence = {"reading": read(phone)["id"], "dice": []}
    told = phone.post("actions", action={"do": "throw", "dice": [3, 6]}, keep=[3, 3, 3], evidence=evidence)
    assert told.status_code == 200
    assert phone.standing["turn"]["dice"] == [3, 3, 3, 3, 6]


def test_photos_left_by_an_ended_server_are_swept(tmp_path: Path) -> None:
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "forgotten.jpg").write_bytes(b"x")
    services(create_app(tmp_path)).close()
    assert photos(tmp_path) == []


def left_waiting(data: Path, tables: int) -> list[str]:
    """Tables at each of which an ended server has left a photo unread: their paths."""
    first = create_app(data)
    parts = services(first)
    parts.photos.reader.close()  # nobody reads any more
    paths = [start(first.test_client()) for _ in range(tables)]
    for path in paths:
        reading = f"waiting-photo-{path[-6:]}"
        waiting = Waiting(PhotoDetails(reading, "photo", "", version=0, expects=6))
        under_review.put(first, path.rsplit("/", 1)[1], waiting)
        parts.photos.files.put_original(reading, (PICTURES / THROW["picture"]).read_bytes())
    parts.close()
    return paths


def test_photos_left_unread_are_read_though_nobody_looks_and_the_queue_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = left_waiting(tmp_path, 3)
    monkeypatch.setattr("web.photos.reading_queue.LONGEST", 1)
    second = create_app(tmp_path, reader=vision.Reader(tmp_path / "no-models"))
    parts = services(second)
    keys = [path.rsplit("/", 1)[1] for path in paths]
    wait_until(lambda: not any(isinstance(parts.runner.look(key).photo, Waiting) for key in keys))
    parts.close()


def test_looking_at_a_table_changes_nothing_of_its_photo(app: Flask, phone: Phone) -> None:
    """Neither the state nor the page: even a photo whose file is gone, and that nobody reads, stays what it is."""
    play, key = services(app).runner, phone.key
    under_review.put(app, key, Waiting(PhotoDetails("nobody-reads-it", "photo", "", version=0, expects=6)))
    before = play.snapshot(key).view
    assert phone.client.get(phone.base).status_code == 200
    assert phone.client.get(f"/api/v1{phone.base}", headers=JSON).data == before
    assert play.snapshot(key).view == before


def test_a_photo_that_nobody_confirms_goes_after_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.photos.photo_reader.ABANDONED_CHECK_S", 0.01)
    application = create_app(tmp_path, reader=vision.Reader(tmp_path / "no-models"))
    phone = Phone(application.test_client(), start(application.test_client()))
    upload(phone, (PICTURES / THROW["picture"]).read_bytes())
    phone.client.get(f"/api/v1{phone.base}/photos/{read(phone)['id']}")
    assert len(photos(tmp_path)) == 2, "the original and the one that is shown"
    monkeypatch.setattr("web.photos.review.ABANDONED_AFTER_S", -1.0)  # the day is over
    wait_until(lambda: phone.look()["pending"] is None)
    services(application).close()
    assert photos(tmp_path) == []
    assert phone.state["version"] == 0


def test_a_photo_that_waited_longer_than_a_day_goes_at_the_start(tmp_path: Path) -> None:
    first = create_app(tmp_path)
    parts = services(first)
    phones = {}
    for name, hours in {"abandoned": 25, "waiting": 23}.items():
        phones[name] = Phone(first.test_client(), start(first.test_client()))
        pending = {"id": name, "status": "read", "device": "", "expects": 6, "version": 0, "dice": [], "problem": None}
        under_review.put(first, phones[name].base.rsplit("/", 1)[1], pending)
        parts.photos.files.put_original(name, b"x")
        parts.photos.files.put_shown(name, b"x")
        taken = time.time() - hours * 3600
        os.utime(tmp_path / "photos" / f"{name}.photo", (taken, taken))
    parts.close()
    second = create_app(tmp_path)
    found = {name: Phone(second.test_client(), phone.base).state["pending"] for name, phone in phones.items()}
    services(second).close()
    assert found["abandoned"] is None
    assert found["waiting"] is not None
    assert sorted(path.name for path in photos(tmp_path)) == ["waiting.jpg", "waiting.photo"]


def test_what_was_read_is_told_before_the_picture_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phone: Phone, app: Flask
) -> None:
    may = threading.Event()
    real = review.jpeg

    def slow(*told: Any, **more: Any) -> bytes:
        assert may.wait(20)
        return real(*told, **more)

    monkeypatch.setattr(review, "jpeg", slow)
    upload(phone, (PICTURES / THROW["picture"]).read_bytes())
    pending = read(phone)
    assert pending["status"] == "read"
    asked: list[Any] = []
    address = f"/api/v1{phone.base}/photos/{pending['id']}"
    asking = threading.Thread(target=lambda: asked.append(app.test_client().get(address)))
    asking.start()
    asking.join(0.2)
    assert asked == [], "whoever asks for the picture waits for it"
    may.set()
    asking.join(20)
    assert asked[0].mimetype == "image/jpeg"
    phone.throw(1, 1, 6, 6, 3, 4)
    assert photos(tmp_path / "data") == []


@needs_models
def test_a_photo_that_went_early_leaves_no_picture(app: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    phone, made = Phone(app.test_client(), start(app.test_client())), review.jpeg
    monkeypatch.setattr(review, "jpeg", lambda *asked: phone.throw(1, 1, 6, 6, 3, 4) and made(*asked))
    upload(phone, (PICTURES / THROW["picture"]).read_bytes())
    wait_until(lambda: not services(app).photos.reader.unread())
    assert (phone.state["version"], photos(tmp_path / "data")) == (1, [])


@both_engines
def test_a_picture_that_was_not_made_before_the_server_ended_is_made_when_it_is_wanted(
    phone: Phone, app: Flask
) -> None:
    original = (PICTURES / THROW["picture"]).read_bytes()
    upload(phone, original)
    reading = read(phone)["id"]
    address, pictures = f"/api/v1{phone.base}/photos/{reading}", services(app).photos.files
    first = phone.client.get(address).data
    pictures.delete(reading)
    pictures.put_original(reading, original)
    assert pictures.shown_picture(reading) is None
    assert phone.client.get(address).data == first == pictures.shown_picture(reading)


def busy_queue(told: Callable[[int, int], None] = lambda table, place: None) -> tuple[ReadingQueue, threading.Event]:
    """A queue whose first photo, of somebody greedy, is read until the event is set."""
    gate, started = threading.Event(), threading.Event()
    queue = ReadingQueue(told, ThreadTask)

    def first() -> None:
        started.set()
        gate.wait(10)

    queue.put(PhotoJob(0, first, "greedy"))
    assert started.wait(10)
    return queue, gate


def test_a_photo_that_left_its_table_takes_no_newer_ones_place() -> None:
    ran = list[str]()
    queue, gate = busy_queue()
    assert queue.put(PhotoJob(1, lambda: ran.append("newer"))) == 1
    assert queue.put(PhotoJob(1, lambda: ran.append("older"), is_wanted=lambda: False)) == 1
    assert queue.put(PhotoJob(2, lambda: ran.append("end"))) == 2
    gate.set()
    wait_until(lambda: "end" in ran)
    queue.close()
    assert ran == ["newer", "end"]


def test_the_queue_is_fair_and_bounded() -> None:
    ran, moved = list[str](), list[tuple[int, int]]()
    queue, gate = busy_queue(lambda table, place: moved.append((table, place)))
    assert queue.put(PhotoJob(1, lambda: ran.append("old"))) == 1
    assert queue.put(PhotoJob(2, lambda: ran.append("other"))) == 2
    assert queue.put(PhotoJob(1, lambda: ran.append("new"))) == 1, "a newer photo takes the older one's place"
    for table in range(3, LONGEST + 1):
        queue.put(PhotoJob(table, lambda: None))
    waits = []
    for _ in range(3):
        with pytest.raises(Problem, match="Many photos are waiting") as refused:
            queue.put(PhotoJob(LONGEST + 1, lambda: None))
        waits.append(refused.value.again_s)
    assert 0 < waits[0] < waits[1] < waits[2], "whoever tries again and again is told to wait longer"
    gate.set()
    wait_until(lambda: (2, 1) in moved)
    queue.close()
    assert ran[:1] == ["new"]


def test_addresses_take_turns_in_the_queue_and_no_newcomer_is_kept_out() -> None:
    dropped: list[int] = []
    queue, gate = busy_queue()
    for table in range(1, LONGEST + 1):
        job = PhotoJob(table, lambda: None, "greedy", dropped=lambda table=table: dropped.append(table))  # type: ignore[misc]
        assert queue.put(job) == table
    assert queue.put(PhotoJob(100, lambda: None, "honest")) == 2
    assert queue.put(PhotoJob(101, lambda: None, "other")) == 3
    assert queue.put(PhotoJob(102, lambda: None, "honest")) == 5, (
        "behind each address's first, and one of the greedy one's"
    )
    assert dropped == [LONGEST, LONGEST - 1, LONGEST - 2], "its last ones make room"
    with pytest.raises(Problem):
        queue.put(PhotoJob(103, lambda: None, "greedy"))
    gate.set()
    queue.close()


@both_engines
def test_photos_on_the_disk_are_bounded_for_each_address(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest of the address whose photos take too much is forgotten; its table goes on without it."""
    photo = (PICTURES / THROW["picture"]).read_bytes()
    monkeypatch.setattr(review, "MOST_HELD_OF_ADDRESS", int(2.5 * len(photo)))
    tables = [Phone(client, start(client)) for _ in range(3)]
    readings = [upload(phone, photo).get_json()["pending"]["id"] for phone in tables]
    assert [phone.look()["pending"] is None for phone in tables] == [True, False, False]
    assert [services(app).photos.files.original(reading) is None for reading in readings] == [True, False, False]
