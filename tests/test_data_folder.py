"""Every command that opens a data folder says in one sentence why it cannot be used, however it was asked."""

import argparse
import ctypes
import html
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rollcall
from tests.test_rollcall import ROOT

OTHER = 65534  # a user who is not this one
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2

pytestmark = [
    pytest.mark.whole,
    pytest.mark.skipif(
        not sys.platform.startswith("linux") or os.geteuid() != 0, reason="only root can make files of another user"
    ),
]

# What a command gets for an argument that it must have, by its name in the help. A new name is added here.
SAMPLES = {"FOLDER": ["NEW"], "FROM": ["DATA"], "TO": ["NEW"], "RECORD": ["RECORD"], "GAME": ["farkle"], "DICE": ["1"]}
# Runs command lines one after the other, each with the folder of its user's data folder. A page that a window was asked
# for is fetched as a browser would.
RUN_ALL = """
import contextlib, io, json, os, queue, sys, urllib.request, webbrowser
import rollcall

opened, told = queue.Queue(), []
webbrowser.open = lambda url: opened.put(urllib.request.urlopen(url).read().decode()) or True
for home, arguments in json.load(sys.stdin):
    os.environ["XDG_DATA_HOME"] = home
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = rollcall.main(arguments)
    page = opened.get(timeout=60) if "--open" in arguments else None
    told.append((status, out.getvalue(), err.getvalue(), page))
json.dump(told, sys.stdout)
"""


def subcommands() -> dict[str, argparse.ArgumentParser]:
    (found,) = (action for action in rollcall.build_parser()._actions if isinstance(action, argparse._SubParsersAction))
    return found.choices


def opening_commands() -> Iterator[list[str]]:
    """Command lines of all commands whose help speaks of a data folder: with each choice, and each option that has no
    value."""
    for name, parser in subcommands().items():
        if "data folder" not in " ".join(parser.format_help().split()):
            continue
        given = [each for each in parser._actions if not each.option_strings]
        needed = [
            word for each in given if each.nargs in (None, "+") and not each.choices for word in SAMPLES[each.metavar]
        ]
        data = ["--data", "DATA"] if "--data" in parser._option_string_actions else []
        for choice in next((each.choices for each in given if each.choices), [""]):
            yield [name, *filter(None, [choice]), *needed, *data]
        for each in parser._actions:
            if isinstance(each, (argparse._StoreTrueAction, argparse._StoreFalseAction)):
                yield [name, *filter(None, [choice]), *needed, each.option_strings[0], *data]


def bound_by_permissions() -> None:
    for each in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        assert ctypes.CDLL(None, use_errno=True).prctl(PR_CAPBSET_DROP, each, 0, 0, 0) == 0


def of_other(path: Path) -> str:
    path.chmod(0o700)
    os.chown(path, OTHER, OTHER)
    return "belongs to"


def folder_of_other(data: Path) -> str:
    data.mkdir()
    return f"it {of_other(data)}"


def file_of_other(data: Path) -> str:
    data.mkdir()
    (data / "rollcall.db").touch()
    return f"rollcall.db in it {of_other(data / 'rollcall.db')}"


def below_folder_of_other(data: Path) -> str:
    data.parent.mkdir()
    return f"{data.parent} {of_other(data.parent)}"


def own_without_permission(data: Path) -> str:
    data.mkdir()
    data.chmod(0)
    return "you may not read or change it"


def plain_file(data: Path) -> str:
    data.touch()
    return "it is a file, not a folder"


STATES = folder_of_other, file_of_other, below_folder_of_other, own_without_permission, plain_file


def command_lines(data: Path, places: dict[str, str]) -> list[list[str]]:
    lines = [*opening_commands(), ["games", "add", "our.toml", "--data", "DATA"], ["move", "NEW", "DATA"]]
    unnamed = [
        ["tables"],
        ["check", "--repair"],
        ["backup", "NEW"],
        ["serve"],
        ["advise", "RECORD"],
        ["solve", "farkle"],
    ]
    return [[places.get(word, word) for word in line] for line in (*lines, *unnamed)]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[Any, Any]:
    """For each state of a data folder: its path, why it cannot be used, and what each command line brought."""
    top = tmp_path_factory.mktemp("folders")
    record = top / "game.json"
    record.write_text(json.dumps({"format": 1, "game": "farkle", "players": ["Ada"], "actions": []}))
    found, asked = {}, []
    for state in STATES:
        data = top / state.__name__ / "rollcall"
        if state is not below_folder_of_other:
            data.parent.mkdir()
        lines = command_lines(data, {"DATA": str(data), "NEW": str(top / "new"), "RECORD": str(record)})
        found[state] = (data, state(data), lines)
        asked += [(str(data.parent), line) for line in lines]
    done = subprocess.run(
        [sys.executable, "-c", RUN_ALL],
        cwd=ROOT,
        input=json.dumps(asked),
        text=True,
        capture_output=True,
        env={**os.environ, "ROLLCALL_METRICS_TOKEN": "m" * 40, "LANGUAGE": "en"},
        preexec_fn=bound_by_permissions,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert not (top / "new").exists(), "nothing was done"
    told = iter(json.loads(done.stdout))
    return {state: (data, why, [(line, next(told)) for line in lines]) for state, (data, why, lines) in found.items()}


@pytest.mark.parametrize("state", STATES)
def test_every_command_says_why_the_data_folder_cannot_be_used(state: Any, outcomes: dict[Any, Any]) -> None:
    data, why, told = outcomes[state]
    for line, (status, out, err, page) in told:
        if "--metrics" in line and "of the extra" in err:
            continue  # which is not installed here, and comes first
        assert (status, out) == (2, ""), (line, err)
        assert err.startswith(f"the data folder {data} cannot be used: {why}"), line
        assert (err.count("\n"), err.count("name another folder")) == (1, 1), line
        assert page is None or html.escape(err.strip()) in page, line


def test_commands_that_have_a_data_folder_are_found_by_their_help() -> None:
    found = {line[0] for line in opening_commands()}
    assert found >= {"serve", "backup", "check", "move", "tables", "token", "games", "advise", "analyse", "solve"}
    assert ["token", "revoke", "--data", "DATA"] in list(opening_commands())


# Asks as another user, whom the system knows.
ASK_AS_NOBODY = """
import os, pathlib, pwd, sys
from web.store.data_folder import UnusableFolderError, check_folder

os.setgroups([])
os.setgid(65534)
os.setuid(65534)
try:
    check_folder(pathlib.Path(sys.argv[1]), writes=True)
except UnusableFolderError as error:
    print(error)
"""


def told_to_nobody(folder: Path) -> str:
    command = [sys.executable, "-c", ASK_AS_NOBODY, str(folder)]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("/root", "it belongs to root"),
        ("/root/rollcall", "/root belongs to root"),
        ("/usr/our games", "/usr belongs to root"),
    ],
)
def test_another_user_is_told_whose_the_folder_is(place: str, why: str) -> None:
    expected = f"the data folder {place} cannot be used: {why}; name another folder with --data\n"
    assert told_to_nobody(Path(place)) == expected


def test_games_that_root_added_are_read_and_what_is_not_ours_is_left_alone() -> None:
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are root's alone
        data = Path(place)
        (data / "games").mkdir()
        (data / "lost+found").mkdir(0o700)
        (data / "rollcall.address").touch(0o600)
        of_other(data)
        assert told_to_nobody(data) == ""
        (data / "games").chmod(0o700)
        assert "games in it belongs to root;" in told_to_nobody(data)


def test_a_full_disk_is_told_where_a_data_folder_is_made(tmp_path: Path) -> None:
    """No file can get a byte, as on a full disk."""
    game = tmp_path / "our-zilch.toml"
    game.write_text((ROOT / "scorer" / "games" / "zilch.toml").read_text(encoding="utf-8"), encoding="utf-8")
    for line in (["token", "create"], ["games", "add", str(game)], ["solve", "pig"], ["serve"]):
        done = subprocess.run(
            [sys.executable, "-m", "rollcall", *line, "--data", str(tmp_path / "data")],
            cwd=ROOT,
            text=True,
            capture_output=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY)),
            timeout=120,
        )
        assert (done.returncode, done.stdout) == (2, ""), line
        assert done.stderr.count("\n") == 1, line
        assert str(tmp_path / "data") in done.stderr, line
        assert "the disk is full" in done.stderr, line
