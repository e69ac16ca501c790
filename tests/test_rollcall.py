"""The `rollcall` command as users script against it: documents, exit codes, one line for what is wrong."""

import contextlib
import importlib.metadata
import importlib.util
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

import rollcall
from web.hosts.laptop import start_problem
from web.texts import release

pytestmark = pytest.mark.whole

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PICTURES = Path(__file__).resolve().parent / "pictures"

RECORD = {
    "format": 1,
    "game": "ones-and-fives",
    "options": {"target": 5000},
    "players": ["Ada", "Bob"],
    "actions": [
        {"do": "throw", "dice": [1, 1, 6, 6, 3, 4]},
        {"do": "set-aside", "dice": [1, 1]},
        {"do": "throw", "dice": [2, 3, 4, 5]},
    ],
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of one command line."""
    try:
        status = rollcall.main(arguments)
    except SystemExit as stop:
        status = int(stop.code or 0)
    out, err = capsys.readouterr()
    return status, out, err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    status, out, err = run(capsys, *arguments, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def assert_refused(outcome: tuple[int, str, str], *parts: str) -> None:
    """Exit 2, nothing on standard output, and one line on standard error that holds all `parts`."""
    status, out, err = outcome
    assert status == 2
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    assert "Traceback" not in err
    for part in parts:
        assert part in err


def write_record(folder: Path, **changes: object) -> str:
    path = folder / "game.json"
    path.write_text(json.dumps({**RECORD, **changes}), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "command",
    [
        *(each.__name__ for each, *_ in rollcall.COMMANDS),
        "workshop",
        *(f"workshop {each}" for each in rollcall.WORKSHOP),
    ],
)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, *command.split(), "--help")
    assert (status, err) == (0, "")
    assert out.startswith(f"usage: rollcall {command}")


def test_a_wrong_argument_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(run(capsys, "sing"), "sing")
    assert_refused(run(capsys, "serve", "--port", "70000"), "0..65535", "70000")
    assert_refused(run(capsys, "score", "ones-and-fives", "six"), "six")


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["scor", "kosci"], "score"),
        (["Serve"], "serve"),
        (["workshop", "evalute"], "evaluate"),
        (["serve", "--log", "jsn"], "json"),
        (["score", "Farkle", "1"], "farkle"),
        (["odds", "farkel", "1"], "farkle"),
        (["solve", "kosc"], "kosci"),
        (["games", "KNASTER"], "knaster"),
    ],
)
def test_a_word_with_a_wrong_letter_is_told_the_right_one(
    arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert_refused(run(capsys, *arguments), f"did you mean {meant}?")


def test_the_workshop_is_listed_where_its_packages_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for there in (True, False):
        monkeypatch.setattr(importlib.util, "find_spec", lambda name, there=there: there or None)
        assert ("workshop" in run(capsys, "--help")[1]) is there
        assert (" workshop " in run(capsys, "completion", "bash")[1].replace("'", " ")) is there


COMPLETED = [
    (["rollcall", "sc"], ["score"]),
    (["rollcall", "score", "knas"], ["knaster"]),
    (["rollcall", "serve", "--mqtt"], ["--mqtt", "--mqtt-password"]),
    (["rollcall", "token", "re"], ["revoke"]),
    (["rollcall", "workshop", "ev"], ["evaluate"]),
]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize(("typed", "wanted"), COMPLETED)
def test_a_shell_completes_commands_options_and_games(
    shell: str, typed: list[str], wanted: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    status, script, err = run(capsys, "completion", shell)
    assert (status, err) == (0, "")
    if shell == "fish":
        asked = f"complete -C '{' '.join(typed)}'"
    else:
        words = f"COMP_WORDS=({' '.join(typed)}); COMP_CWORD={len(typed) - 1}"
        asked = f"{words}; _rollcall; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        if shell == "zsh":
            script = f"autoload -U +X compinit && compinit -D\n{script}\nemulate ksh"
    done = subprocess.run([shell, "-c", f"{script}\n{asked}"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    told = [line.partition("\t")[0] for line in done.stdout.splitlines()]
    # In zsh, what follows compares with what was typed.
    assert [each for each in told if shell != "zsh" or each.startswith(typed[-1])] == wanted


def test_replay_says_where_the_game_stands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    standing = run_json(capsys, "replay", write_record(tmp_path))
    assert standing["game"] == "ones-and-fives"
    assert standing["over"] is False
    assert standing["winners"] == []
    assert standing["to_act"] == [0]
    assert [player["name"] for player in standing["players"]] == ["Ada", "Bob"]
    assert [(player["score"], player["place"]) for player in standing["players"]] == [(0, 1), (0, 1)]
    assert standing["turn"]["points"] == 200
    assert standing["turn"]["dice_left"] == 4
    assert {"do": "set-aside", "dice": [5], "points": 50, "dice_left": 3} in standing["legal"]


def test_replay_reads_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(json.dumps(RECORD).encode())))
    assert run_json(capsys, "replay", "-")["turn"]["points"] == 200


def test_replay_refuses_names_that_are_twice_or_no_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.json"
    for text, part in [
        (
            '{"format": 1, "game": "yatzy", "players": ["Ada"], "players": ["Bob"], "actions": []}',
            "players stands twice",
        ),
        ('{"format": 1, "game": "yatzy", "players": ["Ada"], "options": {"self": 1}, "actions": []}', "option self"),
        ('{"format": 1, "game": "yatzy", "players": ["Ada"], "actions": [{"do": "\\u001b[2J"}]}', "action 1: "),
    ]:
        path.write_text(text, encoding="utf-8")
        status, out, err = run(capsys, "replay", str(path))
        assert (status, out) == (2, "")
        assert part in err
        assert err[:-1].isprintable()


def test_what_a_person_typed_is_told_back_as_a_terminal_may_get_it(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ("score", "yatzy", "1", "--option", "self=1"),
        ("score", "yatzy", "1", "--option", "\x1b]0;x\x07=1"),
        ("replay", "\x1b[2J" + "x" * 100_000),
        ("games", "--\x1b[2J"),
    ):
        status, out, err = run(capsys, *arguments)
        assert (status, out) == (2, "")
        assert err[:-1].isprintable()
        assert len(err) < 2500


def test_replay_tells_who_has_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = {"format": 1, "game": "yatzy", "players": ["Ada", "Bob"], "actions": []}
    left = {"do": "adjust", "what": "player-removed", "player": 0}
    path = tmp_path / "left.json"
    path.write_text(json.dumps({**record, "actions": [left]}))
    status, out, _ = run(capsys, "replay", str(path))
    assert (status, out.splitlines()[:3]) == (0, ["1. Bob: 0", "-. Ada: 0", "to act: Bob"])


def test_replay_for_people_names_the_players_and_what_they_may_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "replay", write_record(tmp_path))
    assert status == 0
    assert "1. Ada: 0" in out
    assert "to act: Ada" in out
    assert "  set aside 5: 50 points, then 3 dice to throw" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("score ones-and-fives 1 1 6 6 3 4", "set aside 1 1: 200 points, then 4 dice to throw"),
        ("score kosci 1 1 2 3 4", "write Ones: 2 points"),
        ("score kosci 1 1 2 3 4", "keep some or none of 1 1 2 3 4"),
        ("score knaster 1 2", "write in row 1, column 1"),
        ("score sequence 1 2 3 3 5 6", "scored 1 2 3 3 5 6: 10 points"),
        ("score farkle 2 3 4 6 2 3", "bust 2 3 4 6 2 3"),
        ("score forbidden-numbers 1 2 3 4 5 6", "if forbidden 1 2: 18 points, then 4 dice to throw"),
        ("odds farkle 1 1 5 3 2 6", "set aside 1 1 5  (bust 27.8 %, something scores 72.2 %, may be banked 24.2 %)"),
    ],
)
def test_what_a_throw_is_worth_is_told_as_people_say_it(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, *words.split())
    assert status == 0
    assert said in out.splitlines()


def test_an_illegal_action_is_named_by_its_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    actions = [*RECORD["actions"], {"do": "bank"}]
    outcome = run(capsys, "replay", write_record(tmp_path, actions=actions), "--json")
    assert_refused(outcome)
    assert outcome[2].startswith("action 4: ")


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("", "not a JSON document"),
        ("[" * 100_000, "not a JSON document"),
        ('{"format": 99, "game": "kosci", "players": ["Ada"], "actions": []}', "99"),
    ],
)
def test_what_is_no_record_is_refused(
    content: str, part: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    path.write_text(content, encoding="utf-8")
    assert_refused(run(capsys, "replay", str(path), "--json"), part)


def test_a_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(run(capsys, "replay", str(tmp_path / "none.json")), "none.json")
    assert_refused(run(capsys, "read", str(tmp_path / "none.jpg")), "none.jpg")


def test_a_folder_without_corrections_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run(capsys, "workshop", "dataset", "corrections", str(tmp_path / "out"), "--data", str(tmp_path))
    assert_refused(outcome, str(tmp_path / "corrections"), "agreed")
    assert not (tmp_path / "out").exists()
    assert_refused(run(capsys, "workshop", "dataset"), "KIND")


@pytest.mark.parametrize(
    ("told", "parts"),
    [
        (["--dice", "0"], ["number of dice must be 1..30", "got 0"]),
        (["--dice", "99"], ["number of dice must be 1..30", "got 99"]),
        (["--dice", "x"], ["--dice", "whole number", "'x'"]),
        (["--dice", "4", "--aside", "7"], ["dice must be 1..6", "got 7", "1 of 1 that lie aside"]),
        (["--dice", "4", "--aside", "1,a"], ["--aside", "values 1..6 with commas", "'1,a'"]),
        (["--aside", "1,1"], ["--aside needs --dice"]),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_number_or_values_that_no_throw_has_are_one_line(
    told: list[str], parts: list[str], form: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert_refused(run(capsys, "read", str(PICTURES / "throw-4.jpg"), *told, *form), "rollcall read: ", *parts)


@pytest.mark.parametrize(
    ("table", "parts"),
    [
        (None, ["cannot read", "values.csv", "No such file"]),
        (b"", ["values.csv: the columns file and values are wanted"]),
        (b"photo,dice\na.jpg,1 2\n", ["values.csv: the columns file and values are wanted"]),
        (b"file,values\n\xff\xfe,1 2\n", ["values.csv: a table with commas, in UTF-8, is wanted"]),
        (b"file,values\n" + b"x" * 200_000 + b",1 2\n", ["values.csv: a table with commas, in UTF-8, is wanted"]),
        (b"file,values\na.jpg,1 7\n", ["values.csv, line 2: values 1..6 are wanted, got '1 7'"]),
        (b'file,values\n"a.jpg,1 2\n', ["values.csv, line 2: values 1..6 are wanted, got ''"]),
        (b"file,values\n,1 2\n", ["values.csv, line 2: the name of a photo is wanted"]),
        (b"file,values\nnone.jpg,1 2\n", ["cannot read", "none.jpg", "No such file"]),
        (b"file,values\nvalues.csv,1 2\n", ["values.csv: ", "JPEG, PNG, WebP, HEIC, AVIF, TIFF or BMP"]),
    ],
)
def test_confirmed_throws_that_cannot_be_used_are_one_line(
    table: bytes | None, parts: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if table is not None:
        (tmp_path / "values.csv").write_bytes(table)
    outcome = run(capsys, "read", str(PICTURES / "throw-4.jpg"), "--known", str(tmp_path), "--json")
    assert_refused(outcome, "rollcall read: --known: ", *parts)
    assert "Errno" not in outcome[2]


def test_confirmed_throws_lie_in_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (tmp_path / "none", PICTURES / "throw-4.jpg"):
        outcome = run(capsys, "read", str(PICTURES / "throw-4.jpg"), "--known", str(wrong))
        assert_refused(outcome, f"{wrong}: a folder with photos and values.csv is wanted")


def test_read_is_told_how_many_dice_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    read = run_json(capsys, "read", str(PICTURES / "throw-113466.jpg"), "--dice", "6")
    assert (read["values"], read["sure"], read["aside"], read["asks"]) == ([1, 1, 3, 4, 6, 6], True, [], [])
    more = run_json(capsys, "read", str(PICTURES / "throw-113466.jpg"), "--dice", "5")
    assert more["sure"] is False
    assert more["asks"][0]["reason"] == "too-many"


def test_read_leaves_out_what_lies_aside(capsys: pytest.CaptureFixture[str]) -> None:
    told = ["read", str(PICTURES / "throw-113466.jpg"), "--dice", "4", "--aside", "1,1"]
    read = run_json(capsys, *told)
    assert read["values"] == [3, 4, 6, 6]
    assert [die["value"] for die in read["aside"]] == [1, 1]
    assert read["sure"] is True
    assert "(aside: 1 1)" in run(capsys, *told)[1]


def test_read_takes_confirmed_throws_of_the_same_dice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "one.jpg").write_bytes((PICTURES / "throw-2345.jpg").read_bytes())
    (tmp_path / "values.csv").write_text("file,values\none.jpg,2 3 4 5\n", encoding="utf-8")
    told = ["read", str(PICTURES / "throw-113466.jpg"), "--dice", "4", "--aside", "1,1", "--known", str(tmp_path)]
    read = run_json(capsys, *told)
    assert (read["values"], read["sure"], read["asks"]) == ([3, 4, 6, 6], True, [])
    assert [die["value"] for die in read["aside"]] == [1, 1]


def test_score_lists_every_choice_of_a_first_throw(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "score", "ones-and-fives", "1", "1", "6", "6", "3", "4")
    assert sorted((choice["dice"], choice["points"]) for choice in document["legal"]) == [([1], 100), ([1, 1], 200)]
    assert_refused(run(capsys, "score", "ones-and-fives", "1", "1", "7", "6", "3", "4"), "1..6", "7")
    assert_refused(run(capsys, "score", "ones-and-fives", "1", "1"), "6")
    assert_refused(run(capsys, "score", "chess", "1"), "chess")


def test_score_plays_by_the_house_rule_that_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    dice = ("2", "2", "3", "3", "2", "2")
    document = run_json(capsys, "score", "six-dice", *dice, "--option", "pairs_may_repeat=true")
    assert document["options"]["pairs_may_repeat"] is True
    refused = run(capsys, "score", "six-dice", *dice, "--option", "pairs_may_repeat=perhaps")
    assert_refused(refused, "pairs_may_repeat", "perhaps")
    assert_refused(run(capsys, "score", "six-dice", *dice, "--option", "pairs"), "NAME=VALUE")
    assert_refused(run(capsys, "score", "six-dice", *dice, "--option", "colour=red"), "colour")


def test_games_lists_what_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    listed = run_json(capsys, "games")
    assert [game["key"] for game in listed][:2] == ["ones-and-fives", "six-dice"]
    assert all({"key", "title", "dice", "players", "options"} <= set(game) for game in listed)
    keys = [game["key"] for game in listed]
    assert len(keys) == len(set(keys))
    assert {"farkle", "knaster", "kniffel", "pig"} <= set(keys), "also those that come along as files"
    status, out, _ = run(capsys, "games")
    assert (status, [line.split()[0] for line in out.splitlines()]) == (0, keys)


def test_games_prints_the_rules_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "games", "ones-and-fives")
    assert status == 0
    assert "3000" in out
    assert_refused(run(capsys, "games", "chess"), "chess")


def test_the_rules_load_nothing_else() -> None:
    """`rollcall score` answers quickly because it imports neither the web nor the vision packages."""
    code = (
        "import sys, rollcall; rollcall.main(['score', 'kosci', '1', '2', '3', '4', '5']); print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = done.stdout.splitlines()[-1]
    assert not any(f"'{name}'" in modules for name in ("numpy", "cv2", "flask", "sqlalchemy", "onnxruntime", "PIL"))


@pytest.mark.parametrize("arguments", [["read", "PHOTO"], ["workshop", "evaluate", "--help"]])
def test_a_missing_system_library_is_one_sentence(arguments: list[str], tmp_path: Path) -> None:
    """On a Linux without a desktop, OpenCV's import fails like this."""
    (tmp_path / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file', name='cv2')")
    photo = tmp_path / "throw.jpg"
    photo.write_bytes(b"")
    arguments = [str(photo) if each == "PHOTO" else each for each in arguments]
    done = subprocess.run(
        [sys.executable, "-c", "import rollcall, sys; sys.exit(rollcall.main(sys.argv[1:]))", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(rollcall.__file__).parent)])},
    )
    assert_refused((done.returncode, done.stdout, done.stderr), "libGL.so.1", "sudo apt install libgl1")


@pytest.fixture(scope="module")
def one_die(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A video of half a second in which a die lies."""

    from tests.vision.scenes import Film

    path = tmp_path_factory.mktemp("film") / "throw.mp4"
    Film().throw(0).last(0.5).save(path)
    return path


def test_watch_tells_one_line_an_event(one_die: Path, capsys: pytest.CaptureFixture[str]) -> None:
    video = str(one_die)
    status, out, err = run(capsys, "watch", video, "--dice", "6", "--json")
    assert (status, err) == (0, "")
    (line,) = out.splitlines()
    event = json.loads(line)
    assert (event["event"], event["values"], event["sure"]) == ("settled", [1], True)
    assert event["dice"][0]["stayed"] is False
    assert 0 <= event["at"] <= 0.5
    x0, y0, x1, y1 = event["dice"][0]["box"]
    outside = run(capsys, "watch", video, "--region", f"{x1 + 5},0,640,0,640,480,{x1 + 5},480")
    assert outside == (0, "", "")
    assert run(capsys, "watch", video)[1].strip().endswith("s  settled: 1")
    assert 0 < x0 < x1 < 640
    assert 0 < y0 < y1 < 480


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("no-such-file.mp4",), "no camera or video answers at no-such-file.mp4"),
        (("999",), "no camera or video answers at 999"),
        (("{no_video}",), "no camera or video answers at"),
        (("{video}", "--dice", "0"), "1..30"),
        (("{video}", "--dice", "six"), "whole number"),
        (("{video}", "--region", "0,0,1,0"), "8 numbers, got 4"),
        (("{video}", "--region", "a,b"), "numbers with commas"),
        (("{video}", "--region", "0,0,1,1,1,0.5,0.9,0.6"), "without a dent"),
        (("{video}", "--region", "0,0,9999,0,9999,20,0,20"), "640x480"),
    ],
)
def test_watch_says_what_is_wrong_in_one_line(
    arguments: tuple[str, ...], part: str, one_die: Path, tmp_path: Path
) -> None:
    """In a process of its own: OpenCV writes past Python's standard error."""
    no_video = tmp_path / "no-video.mp4"
    no_video.write_bytes(b"no video")
    made = [each.format(video=one_die, no_video=no_video) for each in arguments]
    command = [sys.executable, "-m", "rollcall", "watch", *made, "--json"]
    done = subprocess.run(command, cwd=Path(rollcall.__file__).parent, capture_output=True, text=True, check=False)
    assert_refused((done.returncode, done.stdout, done.stderr), part)


def test_games_check_says_what_is_wrong_with_a_file_or_that_it_is_fine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (rollcall.HERE / "scorer" / "games" / "zilch.toml").read_text(encoding="utf-8")
    path = tmp_path / "our-zilch.toml"
    path.write_text(text, encoding="utf-8")
    status, out, _ = run(capsys, "games", "check", str(path))
    assert status == 0
    assert out.splitlines()[0].startswith("fine: our-zilch")
    assert "  1 1 1 1 2 3: 2000" in out.splitlines()
    assert run_json(capsys, "games", "check", str(path))["examples"][0]["worth"] == 2000
    path.write_text(text.replace("minimum = 300", "minimum = -300"), encoding="utf-8")
    assert_refused(run(capsys, "games", "check", str(path)), "our-zilch.toml, line 10: rules.minimum must be")
    path.write_bytes(b"\xff\xfe")
    assert_refused(run(capsys, "games", "check", str(path)), "our-zilch.toml, line 1")
    assert_refused(run(capsys, "games", "check", str(tmp_path / "none.toml")), "No such file")


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == (0, f"rollcall {release.full_version()}\n", "")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied", "/srv/x"), "rollcall: /srv/x: Permission denied"),
        (RuntimeError("no idea"), "Rollcall ended by an error of its own: RuntimeError: no idea"),
    ],
)
def test_who_clicked_the_icon_sees_whatever_keeps_it_from_starting(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(args: object) -> int:
        raise error

    shown: list[str] = []
    monkeypatch.setattr(rollcall, "run_server", fail)
    monkeypatch.setattr(start_problem, "show", shown.append)
    with contextlib.suppress(RuntimeError):
        assert rollcall.main(["serve", "--open"]) == 2
    assert shown == [said]


def in_process(*command: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *command], cwd=ROOT, text=True, stderr=subprocess.PIPE, timeout=120, **more)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["games"],
        ["games", "--json"],
        ["games", "yatzy"],
        ["--help"],
        ["--version"],
        ["serve", "--help"],
        ["odds", "farkle", "1", "1", "6", "6", "3", "4"],
        ["replay", "RECORD"],
        ["token", "create", "--data", "DATA"],
    ],
    ids=" ".join,
)
def test_output_that_cannot_be_written_is_one_line(arguments: list[str], tmp_path: Path) -> None:
    """On a full disk; and who closes the pipe is told nothing."""
    files = {"RECORD": write_record(tmp_path), "DATA": str(tmp_path)}
    command = ["-m", "rollcall", *(files.get(each, each) for each in arguments)]
    for unbuffered in ("", "1"):
        with open("/dev/full", "w") as full:
            done = in_process(*command, stdout=full, env={**os.environ, "PYTHONUNBUFFERED": unbuffered})
        told = "rollcall: the output cannot be written: No space left on device\n"
        assert (done.returncode, done.stderr) == (1, told)
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w") as nobody_reads:
        done = in_process(*command, stdout=nobody_reads)
    assert (done.returncode, done.stderr) == (0, "")


# Sends itself a Ctrl+C when a module is looked for, and then is the command. What a script starts in its background
# ignores it at first.
INTERRUPTED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
wanted = sys.argv[1]
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == wanted:
            print("interrupted", flush=True)
            os.kill(os.getpid(), 2)
sys.meta_path.insert(0, Finder)
sys.modules.pop(wanted, None)
sys.argv = ["rollcall", *sys.argv[2:]]
from rollcall import main
sys.exit(main())
"""


@pytest.mark.skipif(os.name == "nt", reason="Ctrl+C comes in another way")
@pytest.mark.parametrize(
    ("module", "arguments"),
    [
        ("signal", ["games"]),
        ("argparse", ["games"]),
        ("pathlib", ["games"]),
        ("web.texts.release", ["games"]),
        ("scorer", ["games"]),
        ("scorer.advice", ["odds", "yahtzee", "1", "1", "6", "6", "3"]),
        ("numpy", ["odds", "yahtzee", "1", "1", "6", "6", "3"]),
        ("web.hosts.laptop.serving", ["serve", "--port", "0", "--data", "DATA"]),
        ("flask", ["serve", "--port", "0", "--data", "DATA"]),
        ("web.store.maintenance.health", ["check", "--data", "DATA"]),
        ("web.store.server_tokens", ["token", "list", "--data", "DATA"]),
        ("vision", ["read", str(PICTURES / "throw-234.jpg")]),
        ("cv2", ["read", str(PICTURES / "throw-234.jpg")]),
    ],
)
def test_ctrl_c_during_an_import_ends_without_a_traceback(module: str, arguments: list[str], tmp_path: Path) -> None:
    named = [str(tmp_path) if each == "DATA" else each for each in arguments]
    ignored = partial(signal.signal, signal.SIGINT, signal.SIG_IGN)
    done = in_process("-c", INTERRUPTED, module, *named, stdout=subprocess.PIPE, preexec_fn=ignored)
    assert done.stdout == "interrupted\n"
    assert done.returncode in (130, -2), done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("name", "extra"), [("paho", "home"), ("psycopg", "cluster"), ("prometheus_client", "cluster"), ("numba", "train")]
)
@pytest.mark.parametrize("has_pip", [True, False], ids=["pip", "uv"])
def test_the_advice_for_a_missing_package_is_right_for_this_environment(
    name: str, extra: str, has_pip: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Environments of uv have no pip; the command names this one, so that it is right from any folder."""
    found = [importlib.metadata.distribution("pytest")] if has_pip else []
    monkeypatch.setattr(importlib.metadata, "distributions", lambda name: found)
    said = rollcall.explain_missing(ImportError(name=name))
    installer = [sys.executable, "-m", "pip", "install"] if has_pip else ["uv", "pip", "install", "--python"]
    assert f"of the extra `{extra}`; install it with: {shlex.join(installer)}" in said
    words = shlex.split(said.partition("install it with: ")[2])
    assert {sys.executable, str(ROOT / "constraints.txt")} <= {*words}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"][extra]
    assert words[-len(declared) :] == declared
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert "the packed program has no place for it" in rollcall.explain_missing(ImportError(name=name))


def test_a_missing_runtime_of_windows_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollcall.os, "name", "nt")
    error = ImportError("DLL load failed while importing cv2", name="onnxruntime.capi")
    assert rollcall.explain_missing(error).startswith("Microsoft's C++ runtime is missing; install it from https://")
