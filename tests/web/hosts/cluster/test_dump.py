"""A backup by PostgreSQL's own means, as docs/hosting.md tells it: all of it comes back, and checked."""

import subprocess
from pathlib import Path

import pytest

import rollcall
from tests.web.apps import create_app
from tests.web.phones import Phone, start
from tests.web.postgres import Postgres
from web.services import services


def test_a_dump_is_restored_and_checked_and_the_game_goes_on(
    server: Postgres, shared: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (server.programs / "pg_dump").exists():
        pytest.skip("pg_dump is not installed")
    app = create_app(tmp_path / "data", database=shared)
    phone = Phone(app.test_client(), start(app.test_client()))
    phone.throw(1, 1, 6, 6, 3, 4)
    dump, restored = tmp_path / "rollcall.dump", server.new()
    plain = [address.replace("+psycopg", "") for address in (shared, restored)]
    run = [server.programs / "pg_dump", "--format=custom", f"--file={dump}", plain[0]]
    subprocess.run(run, check=True, timeout=120)
    phone.act(do="set-aside", dice=[1, 1])  # later than the backup
    run = [server.programs / "pg_restore", "--exit-on-error", f"--dbname={plain[1]}", dump]
    subprocess.run(run, check=True, timeout=120)
    assert rollcall.main(["check", "--database", restored]) == 0
    assert capsys.readouterr().out == "game file: whole\ntables whole 1, damaged 0\n"
    assert rollcall.main(["move", restored, str(tmp_path / "checked")]) == 0
    assert "tables 1, actions 1: all there and whole" in capsys.readouterr().out
    again = create_app(tmp_path / "again", database=restored)
    late = Phone(again.test_client(), phone.base)
    assert late.state["version"] == 1
    assert late.act(do="set-aside", dice=[1, 1]).status_code == 200
    for each in (app, again):
        services(each).close()
    server.drop(restored)
