"""A photo that was taken at one server: any other shows it, and reads it when the first one is gone."""

import json
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from flask import Flask

import vision
from tests.web.phones import Phone, start
from tests.web.photos.test_looking import PICTURES, THROW, read, upload
from web import create_app
from web.rooms import rooms

PHOTO = (PICTURES / THROW["picture"]).read_bytes()
SOON_S = 0.2


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
        known: "vision.Memory | None" = None,
    ) -> vision.Reading:
        self.photos += 1
        self.may.wait(30)
        return vision.Reading((), photo.width, photo.height)

    def prepare(self, width: int, height: int) -> None: ...


@pytest.fixture
def readers() -> tuple[Counting, Counting]:
    return Counting(), Counting()


@pytest.fixture
def servers(
    tmp_path: Path, shared: str, readers: tuple[Counting, Counting], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Flask, Flask]]:
    monkeypatch.setattr("web.cluster.following.LOOKS_AFTER_S", SOON_S)
    made = [create_app(tmp_path / str(number), reader=each, database=shared) for number, each in enumerate(readers)]
    yield made[0], made[1]
    for reader in readers:
        reader.may.set()
    for each in made:
        rooms(each).close()


def phones_of(servers: tuple[Flask, Flask]) -> tuple[Phone, Phone]:
    base = start(servers[0].test_client())
    return Phone(servers[0].test_client(), base), Phone(servers[1].test_client(), base)


def test_a_photo_is_seen_and_confirmed_at_another_server(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], tmp_path: Path
) -> None:
    one, two = phones_of(servers)
    assert upload(one, PHOTO).status_code == 202
    assert two.look()["pending"]["status"] == "waiting"
    readers[0].may.set()
    pending = read(two)
    assert (pending["status"], readers[0].photos, readers[1].photos) == ("read", 1, 0)
    assert two.client.get(f"{two.base}/readings/{pending['id']}.jpg").mimetype == "image/jpeg"
    dice = [{"value": die["value"], "box": die["box"]} for die in THROW["dice"]]
    evidence = {"reading": pending["id"], "dice": dice}
    assert two.post("actions", action={"do": "throw", "dice": THROW["thrown"]}, evidence=evidence).status_code == 200
    assert one.look()["pending"] is None
    for phone in (one, two):
        assert phone.client.get(f"{phone.base}/readings/{pending['id']}.jpg").status_code == 404
    parts = rooms(servers[0])
    assert parts.pictures.original(pending["id"]) is None
    assert [path for each in "01" for path in (tmp_path / each / "photos").iterdir()] == []


def test_what_a_dead_server_did_not_read_another_reads(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.cluster.pictures.HELD_S", 1.0)
    one, two = phones_of(servers)
    rooms(servers[0]).looking.at_work = list  # type: ignore[method-assign] - it no longer says that it holds it
    assert upload(one, PHOTO).status_code == 202
    readers[1].may.set()
    assert read(two)["status"] == "read"
    assert readers[1].photos == 1


def test_a_photo_that_is_held_is_left_to_who_holds_it(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.cluster.pictures.HELD_S", 2.0)
    one, two = phones_of(servers)
    upload(one, PHOTO)
    waited = threading.Event()
    for _ in range(20):
        waited.wait(0.2)  # longer than it is held without being held on to
        two.look()
    assert readers[1].photos == 0
    readers[0].may.set()
    assert read(two)["status"] == "read"


def test_a_corrected_photo_is_kept_at_the_server_that_confirmed_it(
    servers: tuple[Flask, Flask], readers: tuple[Counting, Counting], tmp_path: Path
) -> None:
    client = servers[0].test_client()
    form = {"game": "ones-and-fives", "player": ["Ada"], "keep_corrections": "yes"}
    one = Phone(client, client.post("/tables", data=form).headers["Location"])
    two = Phone(servers[1].test_client(), one.base)
    upload(one, PHOTO)
    readers[0].may.set()
    pending = read(two)
    dice = [{"value": die["value"], "box": die["box"]} for die in THROW["dice"]]
    two.post(
        "actions", action={"do": "throw", "dice": THROW["thrown"]}, evidence={"reading": pending["id"], "dice": dice}
    )
    (label,) = (tmp_path / "1" / "corrections").glob("*.json")
    assert json.loads(label.read_text())["dice"] == dice
    assert label.with_suffix(".photo").exists()
    assert not (tmp_path / "0" / "corrections").exists()
