"""`rollcall tables`: lists the tables of either engine, and deletes some for good."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import rollcall
from tests.web.apps import create_app
from tests.web.phones import Phone, end, start
from tests.web.postgres import both_engines
from web.services import services
from web.store.codes import mark_of
from web.store.maintenance import health, locking


@pytest.fixture
def keys(tmp_path: Path, database: str | None) -> list[str]:
    """A game that runs, one that was played to its end, and one that people ended early; the latest first."""
    app = create_app(tmp_path / "data", database=database)
    client = app.test_client()
    bases = [start(client, "sequence", "Ada", "Bob", target=25) for _ in range(3)]
    end(client, bases[0])
    Phone(client, bases[1]).throw(1, 2, 3, 4, 5, 6)
    Phone(client, bases[2]).throw(1, 2, 3, 4, 6, 6)
    services(app).close()
    return [base.rpartition("/")[2] for base in reversed(bases)]


@pytest.fixture
def place(tmp_path: Path, database: str | None) -> list[str]:
    return ["--data", str(tmp_path / "data")] if database is None else ["--database", database]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = rollcall.main(["tables", *arguments])
    return (status, *capsys.readouterr())


def listed(capsys: pytest.CaptureFixture[str], place: list[str]) -> Any:
    status, out, err = run(capsys, *place, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


@both_engines
def test_tables_are_listed_with_their_states(keys: list[str], place: list[str], capsys: Any) -> None:
    found = listed(capsys, place)
    assert [(table["key"], table["state"]) for table in found] == list(
        zip(keys, ["running", "finished", "ended early"], strict=True)
    )
    assert found[0]["players"] == ["Ada", "Bob"]
    status, out, _ = run(capsys, *place)
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == keys
    assert "Ada, Bob" in out


@both_engines
def test_deleting_asks_and_then_nothing_is_left(
    keys: list[str], place: list[str], capsys: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "data" / "corrections"
    kept.mkdir(parents=True, exist_ok=True)
    (kept / "one.json").write_text(json.dumps({"table": mark_of(keys[1])}))
    monkeypatch.setattr(sys, "stdin", io.StringIO("no\n"))
    status, _, err = run(capsys, *place, "delete", f"/tables/{keys[1]}")
    assert status == 2
    assert keys[1] in err
    assert "nothing was deleted" in err
    assert len(listed(capsys, place)) == 3
    monkeypatch.setattr(sys, "stdin", io.StringIO("yes\n"))
    assert run(capsys, *place, "delete", f"/tables/{keys[1]}")[:2] == (0, "deleted: 1\n")
    assert [table["key"] for table in listed(capsys, place)] == [keys[0], keys[2]]
    status, out, _ = run(
        capsys, *place, "--yes", "--json", "delete", *(f"http://localhost/tables/{keys[n]}" for n in (0, 2))
    )
    assert (status, json.loads(out)) == (0, {"deleted": [keys[0], keys[2]]})
    assert listed(capsys, place) == []
    if "--data" in place:
        assert not (kept / "one.json").exists()
        assert health.check(tmp_path / "data").whole


@both_engines
def test_an_unknown_key_deletes_nothing(keys: list[str], place: list[str], capsys: Any) -> None:
    status, out, err = run(capsys, *place, "--yes", "delete", f"/tables/{keys[0]}", "no-such-key")
    assert (status, out) == (2, "")
    assert "no-such-key" in err
    assert run(capsys, "delete", *place)[0] == 2
    assert len(listed(capsys, place)) == 3


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_while_a_server_runs_tables_are_listed_and_none_is_deleted(
    keys: list[str], place: list[str], capsys: Any, tmp_path: Path
) -> None:
    with locking.alone(tmp_path / "data"):
        assert len(listed(capsys, place)) == 3
        status, _, err = run(capsys, *place, "--yes", "delete", f"/tables/{keys[0]}")
        assert status == 2
        assert "a server runs" in err
    assert len(listed(capsys, place)) == 3


def test_there_is_nothing_to_list_without_a_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "--data", str(tmp_path / "empty"))
    assert (status, out) == (2, "")
    assert "there are no games" in err
