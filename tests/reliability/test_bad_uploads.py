"""Uploads that are no photos, are damaged, far too large, or never end; and many photos at once."""

import asyncio
import io
import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from PIL import Image

import vision
from tests.reliability import watching
from tests.reliability.driving import Phone, Served, new_table, with_a_reader
from tests.reliability.fuzzing import multipart
from tests.reliability.test_failures import wait_until_read
from tests.web import phones
from tests.web.apps import create_app
from tests.web.hosts.laptop.small import Small
from tests.web.phones import JSON
from tests.web.postgres import both_engines
from tests.web.waiting import wait_until
from vision.photo import MAX_PIXELS
from vision.reasons import MAX_BYTES
from web.hosts.laptop import protocol, wsgi_bridge
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.wsgi_bridge import WsgiBridge
from web.services import services
from web.store.sqlite import SqliteStore

PICTURES = Path(__file__).resolve().parents[1] / "pictures"
THROW = next(entry for entry in json.loads((PICTURES / "pictures.json").read_text()) if len(entry["dice"]) == 6)
READ_WITHIN_S = 60
QUEUE = 12  # photos that may wait here; how the 40 of a real server are bounded is held by tests/web/photos
SCHEMES = pytest.mark.parametrize("https", [False, True], ids=["http", "https"])
# On both engines by http, and once by https: of what takes memory or connections.
SLOWLY = pytest.param("postgresql", marks=pytest.mark.slow)
BOTH_WAYS = pytest.mark.parametrize("served", ["sqlite", SLOWLY, "https"], indirect=True)
FORM = "multipart/form-data; boundary=x"
# MB of resident memory that reading the worst pictures may take above what the server has with its networks loaded.
READING_MB = 330


@pytest.fixture(scope="module")
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    way = getattr(request, "param", "sqlite")
    database = request.getfixturevalue("server").new() if way == "postgresql" else None
    with with_a_reader(tmp_path_factory.mktemp("server") / "data", database, way == "https") as server:
        yield server
        server.process.terminate()
        assert server.process.wait(60) == 0
        assert "Traceback" not in server.output(), server.output()[-4000:]


@pytest.fixture
def phone(served: Served) -> Iterator[Phone]:
    with Phone(served.port, new_table(served), https=served.https) as phone:
        phone.look()
        yield phone


def upload(phone: Phone, photo: bytes, **fields: str) -> tuple[int, Any]:
    body, kind = multipart({"version": str(phone.state["version"]), **fields}, {"photo": photo}, random.Random(1))
    return phone.ask("POST", f"/api/v1{phone.base}/photos", body, {"Content-Type": kind.decode()})


def encode(pixels: np.ndarray, form: str = "JPEG", **more: Any) -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(out, form, **more)
    return out.getvalue()


def nothing(width: int, height: int, form: str, **more: Any) -> bytes:
    """A picture of one colour: many pixels in few bytes."""
    return encode(np.full((height, width, 3), 40, np.uint8), form, **more)


def many_passes(count: int) -> bytes:
    """A progressive JPEG whose last scan comes so many times."""
    data = encode(np.zeros((64, 64, 3), np.uint8), progressive=True)
    scan = data.rindex(b"\xff\xda")
    return data[:scan] + data[scan:-2] * count + data[-2:]


def small_photo() -> bytes:
    return encode(np.asarray(Image.open(PICTURES / THROW["picture"]).convert("RGB").resize((320, 240))))


def test_a_jpeg_of_a_thousand_passes_is_refused_and_the_game_goes_on(phone: Phone) -> None:
    status, _ = upload(phone, many_passes(1000))
    assert status == 202
    pending = wait_until_read(phone)
    assert (pending["status"], pending["problem"]["reason"]) == ("failed", "photo-damaged")
    assert "\n" not in pending["problem"]["text"]
    assert phone.throw(1, 1, 6, 6, 3, 4).status == 200


@watching.on_linux
@pytest.mark.parametrize("served", ["sqlite", SLOWLY, pytest.param("https", marks=pytest.mark.slow)], indirect=True)
@pytest.mark.parametrize(
    ("form", "decoding"),
    [
        ("PNG", "PNG"),
        ("JPEG", "progressive JPEG"),
        *(pytest.param(form, form, marks=pytest.mark.slow) for form in ("WEBP", "AVIF")),
    ],
)
def test_the_largest_pictures_are_read_in_bounded_memory(
    served: Served, phone: Phone, form: str, decoding: str
) -> None:
    upload(phone, (PICTURES / THROW["picture"]).read_bytes())
    wait_until_read(phone)
    before = watching.use(served.process.pid)
    watching.forget_peak(served.process.pid)
    side = int(MAX_PIXELS[decoding] ** 0.5)
    more = {"JPEG": {"progressive": True}, "WEBP": {"lossless": True, "method": 0}}.get(form, {})
    status, _ = upload(phone, nothing(side, side, form, **more))
    assert status == 202
    pending = wait_until_read(phone)
    assert (pending["status"], pending["width"], pending["dice"]) == ("read", side, [])
    after = watching.use(served.process.pid)
    print(f"{form} of {side * side / 1e6:.0f} megapixels: {after.peak - before.rss:.0f} MB above {before.rss:.0f} MB")
    assert after.peak - before.rss < READING_MB, (before, after)


@watching.on_linux
@BOTH_WAYS
def test_forty_megabytes_are_taken(served: Served, phone: Phone) -> None:
    photo = (PICTURES / THROW["picture"]).read_bytes()
    upload(phone, photo)
    wait_until_read(phone)
    before = watching.use(served.process.pid)
    watching.forget_peak(served.process.pid)
    status, _ = upload(phone, photo + bytes(MAX_BYTES - len(photo)))
    assert status == 202
    assert len(wait_until_read(phone)["dice"]) == 6
    assert watching.use(served.process.pid).peak - before.rss < READING_MB / 2


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The photo is larger than 40 MB. Take a smaller one."),
        ("cs", "Fotka je větší než 40 MB. Vyfoťte menší."),
        ("pl", "Zdjęcie jest większe niż 40 MB. Zrób mniejsze."),
    ],
)
def test_more_is_refused_in_ones_own_language(served: Served, phone: Phone, language: str, sentence: str) -> None:
    """By what is announced: nobody has to send it all to be told."""
    with Phone(served.port, phone.base, language=language) as other:
        headers = {"Content-Type": FORM, "Content-Length": str(MAX_BYTES + (1 << 20))}
        status, answer = other.ask("POST", f"/api/v1{phone.base}/photos", b"", headers)
        assert (status, answer["reason"], answer["detail"]) == (413, "upload-too-large", sentence)
    with Phone(served.port, phone.base, language=language) as other:
        status, page = other.ask("POST", "/import", b"", {**headers, "Accept": "text/html"})
        assert status == 413
        assert f'<html lang="{language}">' in page.decode()
        assert sentence in page.decode()


def test_who_sends_it_all_is_told_too(phone: Phone) -> None:
    status, answer = upload(phone, bytes(MAX_BYTES + (1 << 20)))
    assert (status, answer["reason"]) == (413, "upload-too-large")
    assert phone.look()["pending"] is None


def test_an_empty_file_and_none_at_all_are_told(phone: Phone) -> None:
    for answer in (upload(phone, b""), phone.ask("POST", f"/api/v1{phone.base}/photos", b"")):
        assert (answer[0], answer[1]["reason"]) == (422, "no-photo")


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"no boundary"),
        (FORM, b""),
        (FORM, b"--x"),
        (FORM, b"--x\r\n\r\n--x--"),
        (FORM, b"--x\r\nContent-Disposition: form-data\r\n\r\n\r\n--x--\r\n"),
        (FORM, b'--x\r\nContent-Disposition: form-data; name="photo"; filename="\xff\r\n\r\n1'),
        (FORM, b"--x\r\n" + b"A: b\r\n" * 10_000 + b"\r\n--x--\r\n"),
        (FORM, b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' * 3000),
        ("multipart/form-data; boundary=" + "x" * 300, b"--" + b"x" * 300),
        (FORM, b'--x\r\nContent-Disposition: form-data; name="v"\r\n\r\n' + b"1" * 600_000),
        ("application/x-www-form-urlencoded", b"photo=" + b"1" * 600_000),
        ("image/jpeg", b"\xff\xd8\xff\xe0"),
    ],
)
def test_nonsense_for_a_form_is_refused(phone: Phone, kind: str, body: bytes) -> None:
    status, answer = phone.ask("POST", f"/api/v1{phone.base}/photos", body, {"Content-Type": kind})
    assert status in (400, 413, 422), answer
    assert answer["detail"]
    assert phone.look()["pending"] is None


@pytest.mark.parametrize("version", ["", "-1", "one", "1e3", "9" * 5000, "١", "0x0", " 0"])
def test_a_photo_for_no_version_is_refused(phone: Phone, version: str) -> None:
    status, answer = upload(phone, b"any", version=version)
    assert (status, answer["reason"]) == (400, "bad-request")


@BOTH_WAYS
def test_phones_that_vanish_in_the_middle_of_a_photo_keep_nobody_waiting(served: Served, phone: Phone) -> None:
    """Many more of them than the server has threads, and none of them ever says that it is gone."""
    head = f"POST /api/v1{phone.base}/photos HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    head += "Content-Type: multipart/form-data; boundary=x\r\n"
    vanished = []
    for _ in range(60):
        connection = served.open(10)
        connection.sendall(f"{head}Content-Length: 3000000\r\n\r\n--x\r\n".encode() + bytes(1000))
        vanished.append(connection)
    assert phone.throw(1, 1, 6, 6, 3, 4).status == 200
    for connection in vanished:
        connection.close()


@pytest.mark.parametrize("goes", [False, True])
def test_a_body_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch, goes: bool) -> None:
    monkeypatch.setattr(wsgi_bridge, "SILENCE_S", 0.05)
    pieces = iter([{"type": "http.request", "body": b"begun", "more_body": True}])
    sent: list[Any] = []

    async def receive() -> Any:
        for piece in pieces:
            return piece
        if goes:
            return {"type": "http.disconnect"}
        return await asyncio.Event().wait()

    async def send(message: Any) -> None:
        sent.append(message)

    def never(*_: Any) -> Any:
        raise AssertionError("half a request was handed over")

    scope = {"type": "http", "method": "POST", "path": "/", "headers": [(b"content-length", b"100")]}
    asyncio.run(WsgiBridge(never, threads=1, limit=1000, larger=never, hub=Hub())(scope, receive, send))
    assert sent[0]["status"] == 408


@SCHEMES
@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\n"])
def test_a_connection_on_which_nothing_is_asked_is_ended(
    monkeypatch: pytest.MonkeyPatch, begun: bytes, https: bool
) -> None:
    monkeypatch.setattr(protocol, "REQUEST_WITHIN_S", 0.1)
    with Small(https) as small, small.connect() as silent:
        silent.sendall(begun)
        assert silent.recv(100) == b""


@pytest.fixture
def short_queue(monkeypatch: pytest.MonkeyPatch, database: str | None) -> None:
    monkeypatch.setattr(
        "web.photos.reading_queue.LONGEST" if database is None else "web.hosts.cluster.jobs.LONGEST", QUEUE
    )


class Held:
    """The real reader, which begins its first photo only when it may."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may = threading.Event()
        self._reader = vision.Reader()

    def read(self, photo: vision.Photo, *told: Any) -> vision.Reading:
        self.begun.set()
        assert self.may.wait(READ_WITHIN_S)
        return self._reader.read(photo, *told)


def photos_of(application: Flask, data: Path) -> int:
    """How many photos are kept."""
    parts = services(application)
    if isinstance(parts.store, SqliteStore):
        return len(list((data / "photos").glob("*.photo")))
    with parts.store.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM photos").scalar_one())


@both_engines
def test_many_photos_at_once_are_read_in_turn_and_each_phone_sees_its_place(
    tmp_path: Path, database: str | None, short_queue: None
) -> None:
    reader = Held()
    application = create_app(tmp_path, reader=reader, database=database, reads=True)
    client = application.test_client()
    photo = small_photo()

    def send_photo(phone: phones.Phone) -> Any:
        form = {"version": str(phone.state["version"]), "photo": (io.BytesIO(photo), "photo.jpg")}
        return client.post(f"/api/v1{phone.base}/photos", data=form, headers=JSON)

    def place(phone: phones.Phone) -> tuple[str, int]:
        pending = phone.look()["pending"]
        return pending["status"], pending["place"]

    tables = [phones.Phone(client, phones.start(client)) for _ in range(QUEUE + 2)]
    first, waiting, late = tables[0], tables[1 : QUEUE + 1], tables[-1]
    reader.may.set()
    assert send_photo(late).status_code == 202
    wait_until(lambda: place(late)[0] == "read")
    before = late.state["pending"]
    reader.may.clear()
    reader.begun.clear()
    assert send_photo(first).status_code == 202
    assert reader.begun.wait(READ_WITHIN_S)
    for phone in waiting:
        assert send_photo(phone).status_code == 202
    assert [place(phone) for phone in waiting] == [("waiting", number) for number in range(1, QUEUE + 1)]

    refused = send_photo(late)
    assert (refused.status_code, refused.get_json()["reason"]) == (503, "queue-full")
    assert refused.get_json()["detail"].count("\n") == 0
    assert late.look()["pending"] == before, "the one before it stays"
    assert client.get(f"/api/v1{late.base}/photos/{before['id']}").status_code == 200

    for _ in range(10):
        assert send_photo(waiting[5]).status_code == 202
    assert [place(phone) for phone in waiting] == [("waiting", number) for number in range(1, QUEUE + 1)]
    assert photos_of(application, tmp_path) == QUEUE + 2, "each table's newest photo and no other"

    reader.may.set()
    left, until = [*waiting], time.monotonic() + READ_WITHIN_S
    while left:
        assert time.monotonic() < until, "none of them is read any more"
        time.sleep(0.1)
        seen = [place(phone) for phone in reversed(left)][::-1]  # the last first: places only fall while one looks
        still = [number for status, number in seen if status == "waiting"]
        assert still == sorted(still), "first come, first served"
        assert [status for status, _ in seen] == sorted((status for status, _ in seen), key=["read", "waiting"].index)
        if len(still) < len(left):
            until = time.monotonic() + READ_WITHIN_S
        left = [phone for phone, (status, _) in zip(left, seen, strict=True) if status == "waiting"]
    assert send_photo(late).status_code == 202
    services(application).close()
