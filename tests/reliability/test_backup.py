"""`rollcall backup` while phones act: the copy is one consistent moment, and everything confirmed before is in it."""

import json
import random
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import rollcall
import scorer
from scorer.games import text_of
from tests.reliability.driving import ROOT, Answer, Crowd, Phone, Served, any_legal, ask, new_table
from tests.web.served import UNPREPARED
from tests.web.stored import append, line, lines_in, log, table_started
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.store import photos_under_review
from web.table.events import PhotoUnderReview
from web.table.photo_state import PHOTO, PhotoDetails, Waiting

GAMES = ("kosci-triple", "drapky")
PHONES = 2  # at each table
PATIENCE_S = 120

resource = pytest.importorskip("resource", reason="Windows has no limits on the size of files")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "rollcall", "backup", *arguments]


def logs(folder: Path) -> dict[str, list[tuple[int, str, str]]]:
    """By the key of its table, each log's lines: number, request, body."""
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection:
        keys = dict(connection.execute("SELECT id, key FROM tables").fetchall())
    found: dict[str, list[tuple[int, str, str]]] = {key: [] for key in keys.values()}
    for number, logged in lines_in(folder / FILE_NAME):
        found[keys[number]].append((logged.seq, logged.request, json.dumps(logged.body)))
    return found


def back_up_under_load(folder: Path, copies: int, between_s: float) -> tuple[int, int]:
    """Copies while phones act, that often; holds every copy against what phones were told before it began.

    Returns how many confirmed actions had to be in the last copy, and how many were confirmed in all. Serves from it.
    """
    data, enough = folder / "data", threading.Event()
    told: list[tuple[str, Answer]] = []
    needed: list[tuple[Path, set[str]]] = []

    def act(served: Served, base: str, number: int) -> None:
        with Phone(served.port, base, copies * 100 + number, name=f"phone-{number}") as phone:
            phone.look()
            while not enough.is_set():
                over = phone.standing["over"]
                answer = phone.send("undo") if over else phone.act(**any_legal(phone.standing, phone.dice))
                if answer.status == 200:
                    told.append((base, answer))
                else:
                    phone.look()

    with Served(data, program=UNPREPARED) as served:
        bases = [new_table(served, game) for game in GAMES]
        crowd = Crowd()
        for number in range(PHONES * len(GAMES)):
            crowd.add(act, served, bases[number % len(GAMES)], number)
        try:
            for number in range(copies):
                before = len(told)
                while len(told) < before + 10:  # something has happened since
                    assert crowd.busy
                    time.sleep(0.01)
                time.sleep(between_s)
                copy = folder / f"copy-{number}"
                needed.append((copy, {answer.request for _, answer in list(told)}))
                done = subprocess.run(command(str(copy), "--data", str(data)), cwd=ROOT, capture_output=True, text=True)
                assert (done.returncode, done.stderr) == (0, ""), done
                assert "tables 2, actions " in done.stdout
                after, until = len(told), time.monotonic() + PATIENCE_S
                while {base for base, _ in told[after:]} < set(bases):  # each table gets further than its copy
                    assert time.monotonic() < until, "the phones are not getting on"
                    time.sleep(0.01)
        finally:
            enough.set()
            crowd.join(PATIENCE_S)
    final = logs(data)
    for copy, confirmed in needed:
        copied = logs(copy)
        for key, lines in copied.items():
            assert lines == final[key][: len(lines)], "the copy is no moment of the game"
            assert len(lines) < len(final[key]), "nothing happened after the copy: it was not made under load"
        assert confirmed <= {request for lines in copied.values() for _, request, _ in lines}
        assert [path.name for path in copy.iterdir()] == [FILE_NAME], "one file, whole by itself"
    last, confirmed = needed[-1]
    copied = logs(last)
    with Served(last, program=UNPREPARED) as restored:
        for base in bases:
            lines = copied[base.rsplit("/", 1)[1]]
            _, state = ask(restored, "GET", f"/api/v1{base}")
            _, record = ask(restored, "GET", f"{base}/record.json")
            assert state["version"] == len(lines)
            replayed = json.loads(json.dumps(scorer.Table.from_record(record).standing()))
            assert state["standing"]["players"] == replayed["players"]
            with Phone(restored.port, base) as phone:
                phone.look()
                assert phone.send("undo").status == 200, "the restored game goes on"
    return len(confirmed), len(told)


@pytest.mark.parametrize("copies", [1, pytest.param(20, marks=pytest.mark.slow)])
def test_copies_made_under_load_have_everything_confirmed_before_them(tmp_path: Path, copies: int) -> None:
    needed, told = back_up_under_load(tmp_path, copies, between_s=0.1 if copies == 1 else 0.5)
    print(f"\n{copies} backups while {told} actions were confirmed, {needed} of them before the last, all in it")
    assert 10 <= needed < told


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with one table."""
    store = SqliteStore(tmp_path / "data")
    row = store.create(table_started("farkle", {}, ["Ada"]))
    log(store, row, line(1))
    append(store, row, PhotoUnderReview(Waiting(PhotoDetails("under-review", PHOTO, "phone", version=1, expects=6))))
    store.close()
    return tmp_path / "data"


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = rollcall.main(["backup", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def assert_refused(outcome: tuple[int, str, str], *parts: str) -> None:
    status, out, err = outcome
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


def test_what_belongs_to_the_games_comes_along(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "photos").mkdir()
    (data / "photos" / "under-review.photo").write_bytes(b"x")
    (data / "corrections").mkdir()
    for name in ("one.json", "one.photo", "half-moved.json"):
        (data / "corrections" / name).write_bytes(name.encode())
    (data / "https-key.pem").write_bytes(b"secret")
    (data / "https-key.pem").chmod(0o600)
    copy = data.parent / "backups" / "today"
    status, out, err = run(capsys, str(copy), "--data", str(data), "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == {"folder": str(copy), "tables": 1, "actions": 1, "corrections": 1}
    assert sorted(path.name for path in copy.iterdir()) == ["corrections", "https-key.pem", FILE_NAME]
    assert sorted(path.name for path in (copy / "corrections").iterdir()) == ["one.json", "one.photo"]
    assert stat.S_IMODE((copy / "https-key.pem").stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.stat().st_mode) == 0o700
    store = SqliteStore(copy)
    assert photos_under_review(store) == {}, "photos under review are not kept"
    store.close()
    status, out, _ = run(capsys, str(data.parent / "again"), "--data", str(data))
    assert (status, out) == (0, f"{data.parent / 'again'}: tables 1, actions 1, corrected photos 1\n")


def test_games_that_were_added_come_along_and_are_offered_again(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = data.parent / "garage-farkle.toml"
    own.write_text(text_of("farkle").replace('title = "Farkle"', 'title = "Garage Farkle"'), encoding="utf-8")
    assert rollcall.main(["games", "add", str(own), "--data", str(data)]) == 0
    own.unlink()
    (data / "games" / "notes.txt").write_text("not a game")
    copy = data.parent / "copy"
    capsys.readouterr()
    assert run(capsys, str(copy), "--data", str(data))[0] == 0
    assert [path.name for path in (copy / "games").iterdir()] == [own.name]
    with Served(copy, program=UNPREPARED) as served, closing(served.connect()) as phone:
        phone.request("GET", "/")
        assert "Garage Farkle" in phone.getresponse().read().decode()


def test_a_backup_that_cannot_be_made_is_one_sentence(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = data.parent
    assert_refused(run(capsys, str(folder / "copy"), "--data", str(folder / "none")), "there are no games in", "--data")
    assert_refused(run(capsys, str(data), "--data", str(data)), "is there already")
    assert_refused(run(capsys, str(data / "copy"), "--data", str(data)), "lies in the data folder itself")
    (folder / "taken").write_text("")
    assert_refused(run(capsys, str(folder / "taken"), "--data", str(data)), "is there already")
    assert_refused(run(capsys, str(folder / "taken" / "copy"), "--data", str(data)), "cannot be copied to")
    (folder / "other").mkdir()
    (folder / "other" / FILE_NAME).write_bytes(b"a shopping list" * 100)
    assert_refused(run(capsys, str(folder / "copy"), "--data", str(folder / "other")), "is damaged or not Rollcall's")
    assert sorted(path.name for path in folder.iterdir()) == ["data", "other", "taken"], "nothing half-made stays"


def test_a_disk_that_has_no_room_for_the_copy_is_told(data: Path) -> None:
    done = subprocess.run(
        command(str(data.parent / "copy"), "--data", str(data)),
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)),
    )
    assert_refused((done.returncode, done.stdout, done.stderr), "cannot be copied to")
    assert [path.name for path in data.parent.iterdir()] == ["data"], "nothing half-made stays"


def test_a_backup_that_is_killed_leaves_nothing_in_its_place(data: Path) -> None:
    dice = random.Random(3)
    copies: list[Any] = []
    for number in range(3):
        copy = data.parent / f"copy-{number}"
        process = subprocess.Popen(command(str(copy), "--data", str(data)), cwd=ROOT, stdout=subprocess.DEVNULL)
        until = time.monotonic() + 60
        while not list(data.parent.glob(f".{copy.name}-*")) and process.poll() is None:
            assert time.monotonic() < until
        time.sleep(dice.uniform(0, 0.01))
        process.kill()
        process.wait(60)
        copies += [logs(copy)] if copy.exists() else []
    original = logs(data)
    assert all(copy == original for copy in copies)
