"""A disk that takes nothing more: one sentence, nothing lost, and the game goes on once there is room again."""

import ctypes
import http.client
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.reliability.driving import Answer, Phone, Served, new_table, refused_start
from tests.web.phones import upload_form
from tests.web.served import UNPREPARED
from tests.web.stored import lines_in
from web.store.sqlite import FILE_NAME

resource = pytest.importorskip("resource", reason="Windows has no limits on the size of files")

PICTURE = Path(__file__).resolve().parents[1] / "pictures" / "throw-112455.jpg"
FULL = {
    "en": "This was not saved: the device with the games has no room left. What was saved is safe.",
    "cs": "Tohle se neuložilo: na zařízení s hrami už není místo. Co už bylo uloženo, je v bezpečí.",
    "pl": "Tego nie zapisano: na urządzeniu z grami brakuje miejsca. To, co już zapisano, jest bezpieczne.",
}
UNWRITABLE = {
    "en": "This was not saved: the device with the games cannot write to its disk. What was saved is safe.",
    "cs": "Tohle se neuložilo: zařízení s hrami nemůže zapisovat na svůj disk. Co už bylo uloženo, je v bezpečí.",
    "pl": "Tego nie zapisano: urządzenie z grami nie może zapisywać na swoim dysku. "
    "To, co już zapisano, jest bezpieczne.",
}
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
THROW, ASIDE = {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]}, {"do": "set-aside", "dice": [1, 1]}


def bound_by_permissions() -> None:
    """Makes a process that root starts one that the permissions of files bind, as they bind everybody else."""
    if os.geteuid() == 0:
        assert ctypes.CDLL(None, use_errno=True).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0


@contextmanager
def no_byte_more(served: Served) -> Iterator[None]:
    """The running server can make no file longer, as on a full disk."""
    _, hard = resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (hard, hard))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of its own with 2 MB, where this process may make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting a file system is not permitted here; the limit on files stands in for it above")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """Fills the disk to the last byte."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return filler


def log_of(data: Path) -> list[tuple[int, str, Any]]:
    return [(line.seq, line.request, line.body) for _, line in lines_in(data / FILE_NAME)]


def assert_refused(answer: Answer, reason: str, sentence: str) -> None:
    assert answer.status == 503
    error = answer.body
    assert (error["reason"], error["params"], plain(error["detail"])) == (reason, {}, sentence)


def plain(text: str) -> str:
    """A text with all its spaces as ordinary ones."""
    return text.replace("\u00a0", " ")


def page(served: Served, method: str, path: str, form: str | None = None, language: str = "en") -> tuple[int, str]:
    """A page, as a browser asks for it."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    headers = {"Accept": "text/html", "Accept-Language": language}
    if form is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request(method, path, form, headers)
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text


def test_what_cannot_be_written_is_told_in_everybodys_language_and_the_game_goes_on(tmp_path: Path) -> None:
    with Served(tmp_path, program=UNPREPARED) as served:
        base = new_table(served)
        phones = [Phone(served.port, base, seed, language) for seed, language in enumerate(("en", "cs", "pl"))]
        for phone in phones:
            phone.look()
        before = phones[0].act(**THROW)
        assert before.status == 200
        with no_byte_more(served):
            for phone in phones:
                phone.look()
                language = phone.language
                refused = phone.act(**ASIDE)
                assert_refused(refused, "store-failed", UNWRITABLE[language])
                assert_refused(phone.send("undo"), "store-failed", UNWRITABLE[language])
                again = {"do": "throw", "dice": [5, 5, 5, 2, 3, 4]}
                corrected = phone.send("corrections", step=1, action=again, drop_tail=True)
                assert_refused(corrected, "store-failed", UNWRITABLE[language])
                # The table is shown as it was, by every way there is.
                assert phone.look()["version"] == 1
                assert phone.standing["turn"]["throw"] == [1, 1, 6, 6, 3, 4]
                assert page(served, "GET", base, language=language)[0] == 200
                assert page(served, "GET", f"{base}/board", language=language)[0] == 200
                form = urlencode([("game", "farkle"), ("player", "Ada")])
                status, text = page(served, "POST", "/tables", form, language)
                assert status == 503
                assert UNWRITABLE[language] in plain(text)
        for _ in range(2):  # what was refused is done once, however often it is sent again
            again = phones[0].send("actions", version=1, request=refused.request, action=ASIDE)
            assert again.status == 200, "no restart is needed"
        for phone in phones:
            assert phone.look()["version"] == 2
            phone.close()
    assert [body["do"] for _, _, body in log_of(tmp_path)] == [THROW, ASIDE]


@pytest.mark.parametrize("size", [None, 600_000])
def test_a_photo_that_cannot_be_written_is_told_and_the_next_one_is_taken(tmp_path: Path, size: int | None) -> None:
    """A small photo, and one so large that it waits in a temporary file first."""
    photo = PICTURE.read_bytes()
    photo += b"\0" * ((size or 0) - len(photo))
    with Served(tmp_path, program=UNPREPARED) as served, Phone(served.port, new_table(served), language="cs") as phone:
        phone.look()
        body, headers = upload_form(photo, 0)
        with no_byte_more(served):
            status, answer = phone.ask("POST", f"/api/v1{phone.base}/photos", body, headers)
            assert (status, answer["reason"]) == (503, "store-full")
            assert plain(answer["detail"]) == FULL["cs"]
            assert phone.look()["pending"] is None
            assert list((tmp_path / "photos").iterdir()) == []
        status, answer = phone.ask("POST", f"/api/v1{phone.base}/photos", body, headers)
        assert status == 202
        assert phone.throw(1, 1, 6, 6, 3, 4).status == 200


def test_a_folder_that_becomes_read_only_refuses_photos_and_the_game_goes_on(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with (
        Served(data, before=bound_by_permissions, program=UNPREPARED) as served,
        Phone(served.port, new_table(served)) as phone,
    ):
        phone.look()
        body, headers = upload_form(PICTURE.read_bytes(), 0)
        (data / "photos").chmod(0o500)
        data.chmod(0o500)
        try:
            status, answer = phone.ask("POST", f"/api/v1{phone.base}/photos", body, headers)
            assert (status, answer["detail"]) == (503, UNWRITABLE["en"])
            assert phone.throw(1, 1, 6, 6, 3, 4).status == 200, "the game's own file is open already"
            assert page(served, "GET", phone.base)[0] == 200
        finally:
            data.chmod(0o700)
            (data / "photos").chmod(0o700)
    assert len(log_of(data)) == 1


def test_a_server_does_not_start_on_a_read_only_folder_or_where_no_byte_can_be_written(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with Served(data, program=UNPREPARED) as served, Phone(served.port, new_table(served)) as phone:
        phone.look()
        phone.throw(1, 1, 6, 6, 3, 4)
    said = refused_start(data, before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)))
    assert said.startswith(f"the data folder {data} cannot be used: ")
    data.chmod(0o500)
    try:
        said = refused_start(data, before=bound_by_permissions)
        assert said.startswith(f"the data folder {data} cannot be used: you may not read or change it;")
        assert refused_start(data / "new", before=bound_by_permissions).startswith(f"the data folder {data / 'new'}")
    finally:
        data.chmod(0o700)
    assert len(log_of(data)) == 1


def test_a_full_file_system_from_the_first_refusal_to_the_restart(small_disk: Path) -> None:
    """The real thing, where it is permitted: told, killed, refused at the start, room made, everything there."""
    data = small_disk / "data"
    confirmed: list[str] = []
    with Served(data, program=UNPREPARED) as served, Phone(served.port, new_table(served), language="pl") as phone:
        phone.look()
        confirmed.append(phone.act(**THROW).request)
        filler = fill(small_disk)
        for _ in range(200):
            answer = phone.send("undo") if phone.state["steps"] else phone.act(**THROW)
            if answer.status != 200:
                break
            confirmed.append(answer.request)
        assert_refused(answer, "store-full", FULL["pl"])
        filler.unlink()
        answer = phone.send("undo") if phone.state["steps"] else phone.act(**THROW)
        assert answer.status == 200, "no restart is needed"
        confirmed.append(answer.request)
        filler = fill(small_disk)
        refused = phone.send("undo") if phone.state["steps"] else phone.act(**THROW)
        served.kill()
        said = refused_start(data)
        assert said == f"the data folder {data} cannot be used: the disk is full; make room, then try again"
        filler.unlink()
        served.start()
        assert phone.look()["version"] == len(confirmed) + (refused.status == 200)
    assert [request for _, request, _ in log_of(data)][: len(confirmed)] == confirmed
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    said = refused_start(data)
    assert said.endswith("cannot be used: it is on a disk that can only be read; name another folder with --data")
