"""A package brings a game by an entry point: found in every process, playable everywhere, refused with a reason."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.web.served import ROOT, Served, ask, new_table, throw

MODULE = Path(__file__).parent / "installed" / "odd_or_even.py"
ENTRY = "odd-or-even = odd_or_even:GAME"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Installs a package with these lines in the group `rollcall.games`."""

    def run(entries: str) -> None:
        about = tmp_path / "odd_or_even-1.0.dist-info"
        about.mkdir(exist_ok=True)
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-or-even\nVersion: 1.0\n")
        (about / "entry_points.txt").write_text(f"[rollcall.games]\n{entries}\n")
        shutil.copy(MODULE, tmp_path)
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(tmp_path), str(ROOT))))

    return run


def rollcall(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "rollcall.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_game_is_listed_scored_and_explained(install: Callable[[str], None]) -> None:
    install(ENTRY)
    assert "odd-or-even" in rollcall("games", "list").stdout
    assert "An even number counts" in rollcall("games", "odd-or-even").stdout
    found = json.loads(rollcall("score", "odd-or-even", "4", "--option", "rounds=3", "--json").stdout)
    assert (found["points"], found["options"]) == (4, {"rounds": 3})


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ("odd-or-even = odd_or_even:BROKEN", "it must be a GameType, not NoneType"),
        ("odd-or-even = odd_or_even:GONE", "AttributeError"),
        ("odd-or-even = not_there:GAME", "ModuleNotFoundError: No module named 'not_there'"),
        ("even = odd_or_even:GAME", "its key is odd-or-even, which its entry point must be called too"),
    ],
)
def test_what_is_no_game_is_left_out_with_a_reason(install: Callable[[str], None], entries: str, said: str) -> None:
    install(entries)
    listed = rollcall("games", "list")
    assert said in listed.stderr
    assert "odd-or-even " not in listed.stdout
    assert "farkle" in listed.stdout
    assert "there is no game" in rollcall("score", "odd-or-even", "4").stderr


def test_no_game_of_ours_is_replaced(install: Callable[[str], None], tmp_path: Path) -> None:
    install("pig = odd_or_even:GAME")
    module = tmp_path / "odd_or_even.py"
    module.write_text(module.read_text(encoding="utf-8").replace('key="odd-or-even"', 'key="pig"'), encoding="utf-8")
    assert "another game has this key" in rollcall("games", "list").stderr
    assert "bank" in rollcall("games", "pig").stdout


def test_a_table_plays_it_and_waits_for_its_package(install: Callable[[str], None], tmp_path: Path) -> None:
    install(ENTRY)
    data = tmp_path / "data"
    with Served(data) as served:
        offered = ask(served, "GET", "/api/v1/games")[1]
        assert '"odd-or-even"' in json.dumps(offered)
        table = new_table(served, "odd-or-even", "Ada", "Bob", rounds="2")
        for version, die in enumerate((4, 3, 6, 2)):
            throw(served, table, version, [die])
        standing = ask(served, "GET", f"/api/v1{table}")[1]["standing"]
        assert [each["score"] for each in standing["players"]] == [10, 2]
        assert standing["winners"] == [0]
    (tmp_path / "odd_or_even-1.0.dist-info" / "entry_points.txt").write_text("")
    with Served(data) as served:
        status, answer = ask(served, "GET", f"/api/v1{table}")
        assert (status, answer["reason"]) == (503, "game-not-installed")
        assert "The game odd-or-even is not installed here any more." in answer["detail"]
        for page in ("/", "/history"):
            assert ask(served, "GET", page)[0] == 200, page
    install(ENTRY)
    with Served(data) as served:
        assert ask(served, "GET", table)[0] == 200
