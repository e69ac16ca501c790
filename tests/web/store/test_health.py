"""`rollcall check`: what of a data folder is whole."""

import json
from pathlib import Path

import pytest

import rollcall
from tests.web.stored import table_started, throw_and_undo
from web.store.sqlite import FILE_NAME, SqliteStore


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with two tables of some lines each."""
    folder = tmp_path / "data"
    store = SqliteStore(folder)
    for player in ("Ada", "Žofie"):
        row = store.create(table_started("farkle", {}, [player]))
        throw_and_undo(store, row, 1, 2, 3)
    store.close()
    return folder


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = rollcall.main(["check", *arguments])
    out, err = capsys.readouterr()
    return status, out, err


def spoil(path: Path, words: bytes) -> None:
    """Flips a bit of the last place where these bytes stand."""
    data = bytearray(path.read_bytes())
    data[data.rindex(words)] ^= 1
    path.write_bytes(data)


def test_a_whole_folder_is_whole(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in data.iterdir() if path.is_file()}
    status, out, err = run(capsys, "--data", str(data))
    assert (status, out, err) == (0, "game file: whole\ntables whole 2, damaged 0\n", "")
    assert {path: path.read_bytes() for path in data.iterdir() if path.is_file()} == before, "only looked at"
    status, out, _ = run(capsys, "--data", str(data), "--json")
    found = json.loads(out)
    assert (status, found["whole"], found["word"], found["tables"]) == (0, True, "whole", 2)


def test_a_damaged_store_is_told_and_repaired_once(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(data / FILE_NAME, b'"undo":true')
    damaged = (data / FILE_NAME).read_bytes()
    status, out, _ = run(capsys, "--data", str(data))
    assert status == 1
    assert "game file: damaged\ntable 1: its journal is damaged after event 2\n" in out
    assert (data / FILE_NAME).read_bytes() == damaged
    status, out, _ = run(capsys, "--data", str(data), "--repair")
    assert status == 1, "what is lost stays lost"
    assert "The damaged file is kept for a week as rollcall-damaged-" in out
    (aside,) = data.glob("rollcall-damaged-*.db")
    assert aside.read_bytes() == damaged
    status, out, _ = run(capsys, "--data", str(data), "--json")
    found = json.loads(out)
    assert (status, found["word"], found["tables"], found["damaged"]) == (1, "whole", 2, 1)


def test_what_is_no_data_folder_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--data", str(tmp_path / "none"))
    assert (status, out, err.count("\n")) == (2, "", 1)
    (tmp_path / FILE_NAME).write_bytes(b"a shopping list" * 100)
    status, out, err = run(capsys, "--data", str(tmp_path))
    assert (status, out, err.count("\n")) == (2, "", 1)
