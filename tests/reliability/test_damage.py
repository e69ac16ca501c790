"""A damaged store is noticed: no table is served with another score, and those that are whole go on. Whatever is
damaged, a start ends: it serves and tells what is lost, or says in one line why it does not.
"""

import json
import random
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reliability import damaging
from tests.reliability.damaged_stores import WITHIN_BYTES
from tests.reliability.damaging import KINDS
from tests.web import postgres
from tests.web.served import ROOT, UNPREPARED, Served, ask

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited and measured as Linux does it")


def judged(folder: Path, *arguments: str) -> dict[str, int]:
    """What `damaged_stores` counted, in a process that has nothing else in its memory."""
    command = [sys.executable, "-m", "tests.reliability.damaged_stores", str(folder), *arguments]
    with (folder / "out").open("w+b") as out:
        subprocess.run(command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, check=True)
        out.seek(0)
        said = out.read().decode()
    total: dict[str, int] = json.loads(said.splitlines()[-1])
    print(f"\n{total}")
    assert not total.get("wrong"), said[said.index("WRONG") :]
    assert total["stores"] == int(arguments[0])
    return total


@pytest.mark.parametrize("stores", [100, pytest.param(2000, marks=pytest.mark.slow)])
def test_damaged_stores_are_noticed_and_the_whole_tables_go_on(tmp_path: Path, stores: int) -> None:
    total = judged(tmp_path, str(stores), str(stores))
    assert min(total["whole"], total["damaged"], total["gone"], total["large, damaged"]) > 0


@pytest.mark.parametrize("stores", [8, pytest.param(300, marks=pytest.mark.slow)])
def test_damaged_rows_of_a_database_are_told(tmp_path: Path, stores: int) -> None:
    if reason := postgres.missing():
        pytest.skip(reason)
    judged(tmp_path, str(stores), "1", "database")


@pytest.mark.parametrize("starts", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_a_server_starts_on_a_damaged_store_or_says_why_not(tmp_path: Path, starts: int) -> None:
    made, another = damaging.make(tmp_path / "one", 1)[0], damaging.make(tmp_path / "two", 2)[0]
    kinds = ["zeroed rows of tables", "zeroed sectors", *KINDS]
    for number in range(starts):
        folder, dice = tmp_path / f"store-{number}", random.Random(number)
        shutil.copytree(made.folder, folder)
        KINDS[kinds[number % len(kinds)]](folder, dice, another.folder)
        server, refused = Served(folder, program=UNPREPARED, before=limit_memory), ""
        try:
            with server:
                assert ask(server, "GET", "/health")[1]["check"]["state"] == "whole"
        except AssertionError as error:
            refused = str(error)
        assert not refused or (server.process.returncode, refused.count("\n")) == (2, 1), refused


def limit_memory() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (WITHIN_BYTES, WITHIN_BYTES))
