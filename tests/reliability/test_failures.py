"""When a part fails, the game goes on by hand, and the person is told in one sentence what happened."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.reliability.driving import (
    ROOT,
    Answer,
    Crowd,
    Phone,
    Served,
    ask,
    database_variable,
    new_table,
    refused_start,
)
from tests.web.phones import upload_form
from tests.web.postgres import both_engines
from tests.web.served import HASTY, UNPREPARED
from tests.web.waiting import wait_until
from web.hosts.threads import ThreadTask
from web.photos.reading_queue import PhotoJob, ReadingQueue
from web.store.maintenance.locking import LOCK
from web.store.sqlite import FILE_NAME
from web.store.sqlite_file import BUSY_TIMEOUT_MS

PICTURE = ROOT / "tests" / "pictures" / "throw-112455.jpg"
MODELS = ROOT / "models"
READ_WITHIN_S = 120  # the first photo loads the detector, on a machine that may be busy
WAITS_S = BUSY_TIMEOUT_MS / 1000  # for a store that another program has locked
THROW = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}

needs_models = pytest.mark.skipif(not (MODELS / "detector.onnx").exists(), reason="the detector is not there")

Json = dict[str, Any]


def sentence_of(phone: Phone, problem: Json) -> str:
    """What the phone's page shows for a refusal: its sentence in the language of the phone."""
    at_once, later = (phone.ask("GET", f"/texts/{part}{phone.language}-now.json")[1] for part in ("", "later/"))
    sentence: str = {**at_once["reasons"], **later["reasons"]}[problem["reason"]]
    return sentence.format(**problem["params"]).replace("\u00a0", " ")


def upload(phone: Phone) -> None:
    body, headers = upload_form(PICTURE.read_bytes(), phone.state["version"])
    status, answer = phone.ask("POST", f"/api/v1{phone.base}/photos", body, headers)
    assert status == 202, answer


def wait_until_read(phone: Phone) -> Json:
    """The photo under review, once it was looked at."""
    wait_until(lambda: (phone.look()["pending"] or {}).get("status", "waiting") != "waiting", READ_WITHIN_S)
    return phone.state["pending"]


def assert_by_hand(phone: Phone) -> None:
    """The game goes on without a photo."""
    version = phone.look()["version"]
    assert phone.act(**THROW).status == 200
    assert phone.state["version"] == version + 1
    assert phone.state["pending"] is None
    assert phone.send("undo").status == 200


# --- the detector -----------------------------------------------------------------------------------------------------


def copy_program(folder: Path) -> Path:
    """A copy of the program, whose models can then be spoilt."""
    for package in ("scorer", "vision", "web"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "rollcall.py", folder)
    shutil.copytree(MODELS, folder / "models")
    return folder


def program(folder: Path) -> tuple[str, str]:
    """What Python runs to be the `rollcall` of that folder."""
    return "-c", f"import sys; sys.path.insert(0, {str(folder)!r}); import rollcall; sys.exit(rollcall.main())"


SPOILT = {
    "missing": "Fotky tu nelze číst: chybí soubor detektoru detector.onnx. Zadejte kostky ručně.",
    "broken": "Fotky tu nelze číst: soubor detektoru detector.onnx je poškozený. Zadejte kostky ručně.",
    "of another shape": "Fotky tu nelze číst: soubor detektoru detector.onnx je poškozený. Zadejte kostky ručně.",
    "without its numbers": "Fotky tu nelze číst: soubor detektoru calibration.json je poškozený. Zadejte kostky ručně.",
}


@needs_models
@pytest.mark.parametrize("how", SPOILT)
def test_a_table_says_that_its_detector_cannot_be_used(tmp_path: Path, how: str) -> None:
    folder = copy_program(tmp_path / "program")
    detector = folder / "models" / "detector.onnx"
    if how == "missing":
        detector.unlink()
    elif how == "broken":
        detector.write_bytes(detector.read_bytes()[:5000])
    elif how == "of another shape":
        shutil.copy(folder / "models" / "crop-classifier.onnx", detector)
    else:
        spoil_calibration(folder, image_sizes=[])
    with Served(tmp_path / "data", program=program(folder)) as served:
        with Phone(served.port, new_table(served), language="cs") as phone:
            assert_unreadable(phone, SPOILT[how])
            for _ in range(2):
                upload(phone)  # as a page does that was loaded before
                pending = wait_until_read(phone)
                assert pending["status"] == "read", "the photo is shown, and its dice can be marked by hand"
                assert pending["dice"] == []
                assert sentence_of(phone, pending["problem"])
                assert_by_hand(phone)
        assert "Traceback" not in served.output()


def assert_unreadable(phone: Phone, sentence: str) -> None:
    """The table says within a while that photos cannot be read, and why."""
    wait_until(lambda: not phone.look()["reader"], READ_WITHIN_S)
    assert sentence_of(phone, phone.state["reader_problem"]) == sentence
    assert_by_hand(phone)


def spoil_calibration(folder: Path, **fields: Any) -> None:
    """Puts other numbers into the file that says how the two networks are weighed."""
    calibration = folder / "models" / "calibration.json"
    calibration.write_text(json.dumps({**json.loads(calibration.read_text()), **fields}))


@needs_models
@pytest.mark.parametrize("how", ["the crop classifier is of another shape", "the weighing throws"])
def test_inference_that_throws_is_told_with_the_photo(tmp_path: Path, how: str) -> None:
    """Neither is noticed before a photo has dice in it."""
    folder = copy_program(tmp_path / "program")
    if how == "the weighing throws":
        spoil_calibration(folder, bias=["a"])
        said = "Nie udało się odczytać tego zdjęcia. Zrób inne albo wpisz kości ręcznie."
    else:
        shutil.copy(folder / "models" / "detector.onnx", folder / "models" / "crop-classifier.onnx")
        said = "Zdjęć nie można tu odczytać: plik detektora crop-classifier.onnx jest uszkodzony. Wpisz kości ręcznie."
    with (
        Served(tmp_path / "data", program=program(folder)) as served,
        Phone(served.port, new_table(served), language="pl") as phone,
    ):
        for _ in range(2):  # the second time it must throw again, and not end the server
            phone.look()
            upload(phone)
            pending = wait_until_read(phone)
            assert pending["status"] == "read"
            assert pending["dice"] == []
            assert sentence_of(phone, pending["problem"]) == said
            assert_by_hand(phone)


def without(module: str, folder: Path) -> dict[str, str]:
    """The environment of a program that cannot import this module."""
    (folder / f"{module}.py").write_text("raise ImportError('libexample.so.1: cannot open shared object file')")
    return {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


@needs_models
@pytest.mark.parametrize("module", [None, "onnxruntime"])
def test_what_reads_photos_is_said_once_and_opencv_stands_in(tmp_path: Path, module: str | None) -> None:
    environment = {} if module is None else without(module, tmp_path)
    engine = "ONNX Runtime" if module is None else "OpenCV"
    with Served(tmp_path / "data", environment=environment) as served:
        with Phone(served.port, new_table(served)) as phone:
            phone.look()
            upload(phone)
            pending = wait_until_read(phone)
            assert sorted(die["value"] for die in pending["dice"]) == [1, 1, 2, 4, 5, 5]
        wait_until(lambda: "Photos are read" in served.output(), READ_WITHIN_S)
        said = re.findall(r"^Photos are read with ([\w ]+)[.,]", served.output(), re.MULTILINE)
        assert said == [engine]
        assert served.output().index("End with") < served.output().index("Photos are read")
        assert ask(served, "GET", "/health")[1]["engine"] == engine
        assert served.output().count("ONNX Runtime cannot be loaded") == (engine == "OpenCV")


def test_a_part_of_the_program_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    with Served(tmp_path / "data", environment=without("cv2", tmp_path)) as served:
        with Phone(served.port, new_table(served), language="pl") as phone:
            sentence = "Zdjęć nie można tu odczytać: brakuje części programu. Wpisz kości ręcznie."
            assert_unreadable(phone, sentence)
            upload(phone)
            assert sentence_of(phone, wait_until_read(phone)["problem"]) == sentence
            assert_by_hand(phone)
        assert "Traceback" not in served.output()


# --- the camera -------------------------------------------------------------------------------------------------------


class Webcam:
    """A network camera: a stream of pictures over HTTP, that can be unplugged and plugged in again."""

    def __init__(self) -> None:
        out = BytesIO()
        with Image.open(PICTURE) as image:
            image.convert("RGB").resize((640, 480)).save(out, "JPEG")
        self._jpeg = out.getvalue()
        self.plugged = threading.Event()
        self.plugged.set()
        webcam = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if not webcam.plugged.is_set():
                    self.send_error(503)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
                self.end_headers()
                head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(webcam._jpeg)}\r\n\r\n".encode()
                try:
                    while webcam.plugged.is_set():
                        self.wfile.write(head + webcam._jpeg + b"\r\n")
                        time.sleep(0.1)
                except OSError:
                    return

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/webcam.mjpeg"

    def __enter__(self) -> Webcam:
        return self

    def __exit__(self, *_: object) -> None:
        self.plugged.clear()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)


def look_by_camera(phone: Phone) -> Json:
    """Has the server's camera look."""
    phone.look()
    status, answer = phone.ask("POST", f"/api/v1{phone.base}/look", {"version": phone.state["version"]})
    assert status == 202, answer
    return wait_until_read(phone)


def test_a_camera_unplugged_in_the_middle_is_told_and_used_again_once_it_is_back(tmp_path: Path) -> None:
    with (
        Webcam() as webcam,
        Served(tmp_path, arguments=["--camera", webcam.address], program=HASTY) as served,
        Phone(served.port, new_table(served), language="cs") as phone,
    ):
        assert phone.look()["camera"] is True
        wait_until(lambda: look_by_camera(phone)["status"] == "read", READ_WITHIN_S)
        assert_by_hand(phone)
        webcam.plugged.clear()
        # What was on its way is still read.
        wait_until(lambda: look_by_camera(phone)["status"] == "failed", READ_WITHIN_S)
        said = sentence_of(phone, phone.state["pending"]["problem"])
        assert said == "Kamera nedává obraz. Zkontrolujte kabel, nebo zadejte kostky ručně."
        assert_by_hand(phone)
        webcam.plugged.set()  # nobody starts anything anew
        wait_until(lambda: look_by_camera(phone)["status"] == "read", READ_WITHIN_S)
        webcam.plugged.clear()
        served.process.send_signal(signal.SIGTERM)
        assert served.process.wait(60) == 0, "it ends cleanly all the same"


def test_a_camera_that_is_not_there_at_the_start_is_one_sentence(tmp_path: Path) -> None:
    said = refused_start(tmp_path, "--camera", str(tmp_path / "none.avi"))
    assert "no camera or video answers at" in said


# --- the clock --------------------------------------------------------------------------------------------------------

SHIFTED = """
import sys, time
from pathlib import Path
sys.path.insert(0, {root!r})
real = time.time
time.time = lambda: real() + float(Path({shift!r}).read_text())
from tests.web.unprepared import run
sys.exit(run())
"""
DAY_S = 24 * 3600
CODE = re.compile(r'(?:"|&#34;)code(?:"|&#34;): ?(?:"|&#34;)([A-Z]{6})')


@both_engines
def test_a_clock_that_is_set_back_and_forward_changes_no_order(tmp_path: Path, database: str | None) -> None:
    """As on a Raspberry Pi, which has no clock of its own: it wakes up in the past and jumps when it finds the time."""
    shift = tmp_path / "shift"

    def set_clock(days: float) -> None:
        whole = shift.with_suffix(".new")
        whole.write_text(str(days * DAY_S))
        os.replace(whole, shift)

    set_clock(0)
    run = SHIFTED.format(root=str(ROOT), shift=str(shift))
    with Served(tmp_path / "data", environment=database_variable(database), program=("-c", run)) as served:
        with Phone(served.port, new_table(served, "farkle", "Ada"), name="ada") as phone:
            stamps = [phone.look()["stamp"]]
            page_of(phone)
            versions = []
            for days in (0.0, -3.0, -400.0, 2.0, -1.0):
                set_clock(days)
                answer = phone.send("undo") if phone.state["steps"] else phone.throw(1, 1, 6, 6, 3, 4)
                assert answer.status == 200
                versions.append(phone.state["version"])
                stamps.append(phone.state["stamp"])
                # Phones that ask for what is new are told of each change, and of nothing else.
                assert phone.ask("GET", f"/api/v1{phone.base}?stamp={stamps[-2]}")[0] == 200
                assert phone.ask("GET", f"/api/v1{phone.base}?stamp={stamps[-1]}")[0] == 204
            assert versions == [1, 2, 3, 4, 5]
            days_of_log = [line["at"][:10] for line in phone.ask("GET", f"/api/v1{phone.base}/history")[1]["log"]]
            assert days_of_log[1] < days_of_log[0] < days_of_log[3], "the clock was shifted"
            # Phones join by the short code whatever the clock says; the newest table stands first.
            _, page = page_of(phone)
            code = CODE.findall(page)[0]
            set_clock(30)
            assert join(served, code) == phone.base, "a clock that jumps forward locks nobody out"
            set_clock(-30)
            assert join(served, code) == phone.base
            second = new_table_of(phone, "zilch")
            set_clock(-60)
            third = new_table_of(phone, "yatzy")
            listed = page_of(phone, "/history")[1]
            places = [listed.index(base) for base in (third, second, phone.base)]
            assert places == sorted(places), "the newest table stands first"
        served.kill()
        served.start()
        with Phone(served.port, phone.base, name="ada") as again:
            assert again.look()["version"] == 5
            listed = page_of(again, "/history")[1]
            places = [listed.index(base) for base in (third, second, phone.base)]
            assert places == sorted(places), "also after a restart"


def page_of(phone: Phone, path: str | None = None) -> tuple[int, str]:
    status, page = phone.ask("GET", path or phone.base, headers={"Accept": "text/html"})
    assert status == 200
    return status, page.decode()


def new_table_of(phone: Phone, game: str) -> str:
    """Starts another table with this phone."""
    form = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}
    connection = phone._connection
    connection.request("POST", "/tables", f"game={game}&player=Ada", {**phone._headers, **form})
    response = connection.getresponse()
    response.read()
    assert response.status == 303
    return str(response.headers["Location"])


def join(served: Served, code: str) -> str | None:
    """Where the short code leads."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    connection.request("GET", f"/j/{code}")
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.headers["Location"]


# --- the store, locked by another program -----------------------------------------------------------------------------


@contextmanager
def lock_store(data: Path) -> Iterator[None]:
    """Another program has the game file for itself."""
    with closing(sqlite3.connect(data / FILE_NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


def test_a_store_that_is_locked_for_a_moment_is_waited_for(tmp_path: Path) -> None:
    with Served(tmp_path, program=UNPREPARED) as served, Phone(served.port, new_table(served)) as phone:
        for _ in range(5):
            phone.look()
            crowd = Crowd()
            answers: list[Answer] = []
            began = time.monotonic()
            with lock_store(tmp_path):
                crowd.add(lambda told=answers: told.append(phone.act(**THROW)))
                time.sleep(1)
                assert answers == [], "it waits"
            held_s = time.monotonic() - began
            crowd.join(60)
            if answers[0].status == 200:
                break
            assert held_s > 4, "it waits for five seconds; only a machine that stood still may be refused"
        assert answers[0].status == 200
        assert phone.look()["version"] == 1


def test_one_waits_for_a_locked_store_and_the_others_are_told_at_once(tmp_path: Path) -> None:
    """Four phones of one table and two of others act at once. What is only shown waits for none of them.

    Nothing was done, and what they send again counts once.
    """
    with Served(tmp_path, program=UNPREPARED) as served:
        base, *others = [new_table(served) for _ in range(3)]
        languages = ("en", "cs", "pl", "en")
        phones = [Phone(served.port, base, seed, language, f"phone-{seed}") for seed, language in enumerate(languages)]
        phones += [Phone(served.port, other, seed, "cs", f"phone-{seed}") for seed, other in enumerate(others, 4)]
        for phone in phones:
            phone.look()
        assert phones[0].throw(1, 1, 6, 6, 3, 4).status == 200
        answers: dict[Phone, Answer] = {}
        shown: dict[str, float] = {}

        def act(phone: Phone) -> None:
            aside = {"do": "set-aside", "dice": [1, 1]}
            answers[phone] = phone.act(**(aside if phone.base == base else THROW))

        def show(name: str, path: str, accept: str) -> None:
            connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
            began = time.monotonic()
            cookie = "device-name=newcomer; device=newcomer-of-this-evening"
            connection.request("GET", path, headers={"Accept": accept, "Cookie": cookie})
            response = connection.getresponse()
            content = b""
            while not re.search(rb'"version": ?1,|</html>', content):
                content += response.readline()
                assert time.monotonic() < began + 60
            shown[name] = time.monotonic() - began
            assert response.status == 200
            connection.close()

        for phone in phones[1:]:
            phone.look()
        with lock_store(tmp_path):
            crowd = Crowd()
            for phone in phones:
                crowd.add(act, phone)
            time.sleep(0.3)
            crowd.add(show, "state", f"/api/v1{base}", "application/json")
            crowd.add(show, "page", base, "text/html")
            crowd.add(show, "board", f"{base}/board", "text/html")
            crowd.add(show, "history", f"/api/v1{base}/history", "application/json")
            crowd.add(show, "events", f"/api/v1{base}/states", "text/event-stream")
            crowd.add(show, "page of another table", others[0], "text/html")
            crowd.join(60)
        assert [answer.reason for answer in answers.values()] == ["store-busy"] * len(phones)
        said = answers[phones[-1]].body["detail"].replace("\u00a0", " ")
        assert said == "Soubor s hrou zamkl jiný program. Nic se neztratilo; zkuste to znovu."
        took = sorted(answer.told_at - answer.asked_at for answer in answers.values())
        assert took[-1] < 2 * WAITS_S, "it waits, though not for another one"
        assert took[-2] < WAITS_S - 1.5, f"only one waits: {took}"
        assert max(shown.values()) < WAITS_S - 1.5, shown
        for phone in phones[-2:]:
            assert phone.look()["version"] == 0
            for _ in range(2):
                again = phone.send("actions", version=0, request=answers[phone].request, action=THROW)
                assert again.status == 200
            assert phone.look()["version"] == 1
        assert phones[0].look()["version"] == 1
        assert phones[0].act(do="set-aside", dice=[1, 1]).status == 200
        for phone in phones:
            phone.close()


def test_a_server_does_not_start_on_a_locked_store(tmp_path: Path) -> None:
    with Served(tmp_path, program=UNPREPARED):
        pass
    with lock_store(tmp_path):
        said = refused_start(tmp_path, program=HASTY)
    assert said.endswith("another program has the games locked; end that program, then try again")


@pytest.mark.skipif(os.name == "nt", reason="Windows deletes no file that is open, and locks none of them so")
def test_a_second_server_on_the_same_store_does_not_start(tmp_path: Path) -> None:
    """Nor by another name of it."""
    data, other = tmp_path / "data", tmp_path / "other"
    other.mkdir()
    with Served(data, program=UNPREPARED) as served, Phone(served.port, new_table(served)) as phone:
        said = f"another Rollcall runs with the data folder {data}; end that one, or name another folder with --data"
        assert refused_start(data) == said
        os.link(data / FILE_NAME, other / FILE_NAME)
        said = f"another Rollcall runs with the same {FILE_NAME} as is in {other}"
        assert refused_start(other).startswith(said)
        assert {path.name for path in other.iterdir()} <= {FILE_NAME, LOCK}, "it was not opened"
        phone.look()
        assert phone.act(**THROW).status == 200
        served.kill()
        served.start()  # who was killed holds nothing any more


# --- the queue of photos ----------------------------------------------------------------------------------------------


def test_photos_are_read_on_whatever_fails_in_the_queue() -> None:
    """Its one thread must not end: no photo of any table would be read again."""
    gate, ran = threading.Event(), threading.Event()

    def fail_to_tell_places(table: int, place: int) -> None:
        raise RuntimeError("the places cannot be told")

    def failing() -> None:
        gate.wait(30)
        raise RuntimeError("this photo cannot be read")

    queue = ReadingQueue(fail_to_tell_places, ThreadTask)
    queue.put(PhotoJob(1, failing))
    queue.put(PhotoJob(2, failing))
    queue.put(PhotoJob(3, ran.set))
    gate.set()
    assert ran.wait(30)
    queue.close()
