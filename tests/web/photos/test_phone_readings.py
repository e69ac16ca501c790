"""Photos that phones look into: read as by the server, and read by the server where a phone does not do it."""

import asyncio
import gc
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web.hosts.phone.test_browser_eye import ComputersWorker
from tests.web.phones import Phone
from tests.web.photos.test_photo_reader import PICTURES, read, upload
from web.photos import phone_readings
from web.services import services

pytestmark = pytest.mark.whole

REQUEST = "photo-of-this-phone"
LONGEST_S = 1.0  # of this thread's time for one answer of a hostile phone, on a slow machine


def send(phone: Phone, name: str = "throw-113466.jpg") -> tuple[str, bytes]:
    """Sends a photo that the phone will look into. Returns its id."""
    data = (PICTURES / name).read_bytes()
    answer = upload(phone, data, request=REQUEST, by_phone="1")
    assert answer.status_code == 202
    assert answer.json["pending"]["status"] == "waiting"
    return answer.json["pending"]["id"], data


def tell(phone: Phone, photo: str, number: int, seen: str | None) -> Any:
    return phone.client.post(f"/api/v1{phone.base}/photos/{photo}/seen", json={"number": number, "seen": seen})


def look(phone: Phone, photo: str, data: bytes, told: Callable[[str, str], str] = lambda name, seen: seen) -> list[str]:
    """Looks into a photo as the page does, with the computer's eye. `told`: says otherwise what was seen. Returns the
    questions."""
    worker, asked, question = ComputersWorker(), [], tell(phone, photo, 0, None).json
    while question["name"]:
        asked.append(question["name"])
        file = data if question["name"] == "decode" else None
        refused, seen = asyncio.run(worker.ask(question["name"], question["given"], file))
        assert refused is None
        question = tell(phone, photo, question["number"], told(asked[-1], seen)).json
    return asked


def without_names(pending: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in pending.items() if name not in {"id", "request"}}


@pytest.fixture
def no_readings(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """This server reads no photo: only phones do."""

    def refuse(*given: Any) -> Any:
        raise AssertionError("the server reads a photo")

    monkeypatch.setattr(services(app).photos.reader, "look", refuse)


@pytest.mark.parametrize("name", ["throw-113466.jpg", "throw-12345.jpg", "throw-66666.jpg"])
def test_a_phone_reads_as_the_server_does(phone: Phone, name: str) -> None:
    photo, data = send(phone, name)
    asked = look(phone, photo, data)
    assert asked[:3] == ["load", "decode", "detect"]
    ours = read(phone)
    assert ours["id"] == photo
    assert upload(phone, data).status_code == 202
    theirs = read(phone)
    assert without_names(ours) == without_names(theirs)
    assert phone.client.get(f"/api/v1{phone.base}/photos/{theirs['id']}").mimetype == "image/jpeg"


@pytest.mark.usefixtures("no_readings")
def test_the_server_looks_into_no_photo_of_a_phone(phone: Phone) -> None:
    photo, data = send(phone)
    look(phone, photo, data)
    assert [die["value"] for die in read(phone)["dice"]]
    shown = phone.client.get(f"/api/v1{phone.base}/photos/{photo}")
    assert (shown.status_code, shown.mimetype) == (200, "image/jpeg")
    assert tell(phone, photo, 1, "[]").status_code == 404


def test_an_answer_that_comes_twice_counts_once(phone: Phone) -> None:
    photo, _ = send(phone)
    worker = ComputersWorker()
    first = tell(phone, photo, 0, None).json
    assert tell(phone, photo, 0, None).json == first
    _, seen = asyncio.run(worker.ask("load", first["given"], None))
    second = tell(phone, photo, 1, seen).json
    assert (second["number"], second["name"]) == (2, "decode")
    assert tell(phone, photo, 1, seen).json == second
    assert tell(phone, photo, 7, seen).status_code == 404
    assert tell(phone, photo, 2, None).json["name"] == ""  # it gives up
    assert read(phone)["dice"]


def test_a_photo_whose_phone_keeps_silent_is_read_here(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_readings, "ANSWER_S", 0.2)
    photo, _ = send(phone)
    assert read(phone)["dice"]
    assert tell(phone, photo, 0, None).status_code == 404


def test_too_many_photos_of_phones_are_read_here(phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phone_readings, "MOST", 0)
    send(phone)
    assert read(phone)["dice"]


def other_networks(name: str, seen: str) -> str:
    return json.dumps({**json.loads(seen), "mark": 1}) if name == "load" else seen


def no_number(name: str, seen: str) -> str:
    return seen.replace("0.", "NaN", 1) if name == "detect" else seen


def no_json(name: str, seen: str) -> str:
    return "[[[" if name == "classify" else seen


def too_many(name: str, seen: str) -> str:
    return json.dumps([[[0, 0, 1, 1]] * 301, [1] * 301]) if name == "detect" else seen


def too_few(name: str, seen: str) -> str:
    return json.dumps(json.loads(seen)[:-1]) if name == "classify" else seen


def too_large(name: str, seen: str) -> str:
    return "[0, 100000, 4]" if name == "decode" else seen


@pytest.mark.parametrize("told", [other_networks, no_number, no_json, too_many, too_few, too_large])
def test_a_photo_of_which_a_phone_tells_nonsense_is_read_here(phone: Phone, told: Callable[[str, str], str]) -> None:
    photo, data = send(phone)
    look(phone, photo, data, told)
    assert [die["value"] for die in read(phone)["dice"]]
    assert read(phone)["problem"] is None


def invented(name: str, given: Any, chance: random.Random) -> Any:
    """Something that passes as an answer of an eye: at the bounds, at random, many things at one place."""

    def number(least: float, most: float) -> float:
        return chance.choice([least, most, 0.0 if least <= 0 else least, chance.uniform(least, most)])

    def row(count: int) -> list[float]:
        return [number(-1e4, 1e4) for _ in range(count)]

    count = chance.choice([0, 1, 6, 60, 300])
    if name in {"decode", "cut", "shrink"}:
        return [chance.randrange(9), chance.choice([1, 1000, 1 << 16]), chance.choice([1, 1000, 1 << 16])]
    if name == "detect":
        near = chance.random() < 0.5
        edges = [0.1, 0.1, 0.2, 0.2] if near else None
        boxes = [edges or [number(-8, 8) for _ in range(4)] for _ in range(count)]
        return [boxes, sorted((number(0, 1) for _ in boxes), reverse=True)]
    if name == "classify":
        views = [4 if quarters else 2 for _, _, quarters in given[1]]
        return [
            [[row(7) for _ in range(each)], [row(12) for _ in range(each)], row(192), row(9), row(5)] for each in views
        ]
    if name == "border":
        return [[[number(-8, 8) for _ in range(4)] for _ in range(count)], row(count)]
    return [number(0, 255), number(0, 1e4)]


@pytest.fixture
def without_collections() -> Iterator[None]:
    """What other tests left is not looked through for garbage, which may take a second."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("without_collections")
def test_whatever_a_phone_tells_costs_little_and_ends_in_a_reading(phone: Phone) -> None:
    chance = random.Random(66)
    for _ in range(12):
        photo, _ = send(phone)
        worker, longest = ComputersWorker(), 0.0
        question = tell(phone, photo, 0, None).json
        while question["name"]:
            given = json.loads(question["given"])
            if question["name"] == "load":
                _, seen = asyncio.run(worker.ask("load", "[]", None))
            else:
                seen = json.dumps(invented(question["name"], given, chance))
            began = time.thread_time()
            answer = tell(phone, photo, question["number"], seen)
            longest = max(longest, time.thread_time() - began)
            assert answer.status_code == 200
            question = answer.json
        assert longest < LONGEST_S
        pending = read(phone)
        assert pending["status"] == "read"
        assert phone.client.delete(f"/api/v1{phone.base}/photos/{pending['id']}").status_code == 200


def test_only_who_plays_at_a_table_tells_what_is_seen_there(phone: Phone, tmp_path: Path) -> None:
    photo, _ = send(phone)
    stranger = phone.client.application.test_client()
    assert stranger.post(f"/api/v1/tables/no-such-table/photos/{photo}/seen", json={}).status_code == 404
    assert tell(phone, photo, -1, None).status_code == 400
    assert phone.client.post(f"/api/v1{phone.base}/photos/{photo}/seen", data=b"{}").status_code == 415
