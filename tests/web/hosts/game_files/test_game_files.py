"""`rollcall games` and files: written by eight questions, checked, indexed, taken from elsewhere, watched."""

from __future__ import annotations

import functools
import hashlib
import http.server
import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorer.definitions.definition import read_definition, text_of_file
from scorer.definitions.file_schema import game_schema
from scorer.definitions.game_link import link_of
from scorer.games import from_file, game_of_file, keys, text_of
from tests.test_rollcall import assert_refused, run, run_json
from tests.web.hosts.phone.conftest import Quiet
from tests.web.phones import JSON
from web.common.release import own_program
from web.hosts.game_files.collection import what_is_wrong
from web.hosts.game_files.watched_file import short_game, worth_in_words
from web.hosts.laptop.serving import _games_of
from web.store.kept_games import OFFERED

ROOT = Path(__file__).resolve().parents[4]
FAULTS = next((each / "shared/faults/games" for each in ROOT.parents if (each / "shared/faults/games").is_dir()), None)
FIFTY, PIG = text_of("fifty"), text_of("pig")
BAD = PIG.replace("worth = ", "worth = 1")
COSTLY = (
    'family = "ten-thousand"\ntitle = "T"\nsummary = "S"\n[rules]\ndice = 10\n'
    + "".join(f"[[rules.combination]]\nalike = {count}\npoints = 1\n" for count in range(2, 6))
    + "".join(
        f"[[example]]\ndice = {[1 + (each * 7 + place * place) % 6 for place in range(10)]}\nworth = 0\n"
        for each in range(25)
    )
)


@pytest.fixture
def club(tmp_path: Path) -> Path:
    """A collection with an index."""
    folder = tmp_path / "club" / "games"
    folder.mkdir(parents=True)
    (folder / "fifty.toml").write_text(FIFTY, encoding="utf-8")
    (folder / "our-pig.toml").write_text(PIG, encoding="utf-8")
    return folder


@pytest.fixture
def serve() -> Iterator[Any]:
    servers: list[http.server.ThreadingHTTPServer] = []

    def start(folder: Path) -> str:
        servers.append(
            http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        )
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/"

    yield start
    for each in servers:
        each.shutdown()
        each.server_close()


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- checking and indexing a folder -----------------------------------------------------------------------------------


def test_a_folder_is_checked_and_indexed(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "games", "check", str(club))
    assert status == 0
    assert f"fine: fifty.toml  {sha256(club / 'fifty.toml')}" in out
    assert run(capsys, "games", "index", str(club))[0] == 0
    first = (club / "index.json").read_bytes()
    listed = json.loads(first)["games"]
    assert [each["file"] for each in listed] == ["fifty.toml", "our-pig.toml"]
    assert listed[0]["sha256"] == sha256(club / "fifty.toml")
    assert (listed[1]["title"], listed[1]["family"]) == ("Pig", "counter")
    assert run(capsys, "games", "index", str(club))[0] == 0
    assert (club / "index.json").read_bytes() == first
    assert run_json(capsys, "games", "check", str(club))["index"] == []


def test_a_folder_with_a_wrong_file_or_an_old_index_does_not_fit(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "games", "index", str(club))
    (club / "our-pig.toml").write_text(BAD, encoding="utf-8")
    (club / "new.toml").write_text(FIFTY, encoding="utf-8")
    (club / "fifty.toml").unlink()
    status, out, err = run(capsys, "games", "check", str(club))
    assert (status, err) == (1, "")
    for said in (
        "our-pig.toml, line ",
        "index.json: our-pig.toml has changed",
        "index.json: fifty.toml is not in the folder",
        "index.json: new.toml is not in the index",
    ):
        assert said in out
    assert_refused(run(capsys, "games", "index", str(club)), "our-pig.toml, line ")
    assert_refused(run(capsys, "games", "index", str(club / "none")), "No such file")
    (club / "empty").mkdir()
    assert run(capsys, "games", "check", str(club / "empty"))[0] == 1


def test_a_costly_file_is_refused_as_a_page_refuses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "costly.toml"
    path.write_text(COSTLY, encoding="utf-8")
    assert_refused(run(capsys, "games", "check", str(path)), "costly.toml")


def test_every_file_that_comes_along_is_fine_and_says_what_its_examples_are_worth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("scorer/games", "scorer/games/pack"):
        told = run_json(capsys, "games", "check", str(ROOT / folder))
        assert [each for each in told["games"] if "wrong" in each] == []
    status, out, _ = run(capsys, "games", "check", str(ROOT / "scorer/games/pack/score-pad.toml"))
    assert status == 0
    assert "12 0 -5 / 3 40 0: 15 40 -5" in out


@pytest.mark.skipif(FAULTS is None, reason="the files that failed once are not here")
def test_files_that_failed_once_have_their_answer_here_and_on_the_page(
    client: FlaskClient, capsys: pytest.CaptureFixture[str]
) -> None:
    assert FAULTS is not None
    for path in sorted(FAULTS.glob("*.toml")):
        outcome = run(capsys, "games", "check", str(path))
        with path.open("rb") as file:
            brought = client.post("/own-games/file", data={"file": (file, path.name)}, headers=JSON)
        link = link_of(text_of_file(path.read_bytes(), path.name), path.stem)
        looked = client.post("/game", json={"link": link})
        if path.name == "uptwice.toml":
            assert_refused(outcome, "uptwice.toml, line 5: rules.upper 1 stands twice")
            assert [brought.status_code, looked.status_code] == [422, 422]
            assert "line 5: rules.upper 1 stands twice" in brought.get_json()["detail"].replace("\u00a0", " ")
        else:
            assert (outcome[0], outcome[2]) == (0, ""), path.name
            assert [brought.status_code, looked.status_code] == [303, 200], path.name


# --- taking games -----------------------------------------------------------------------------------------------------


def test_games_come_from_a_file_a_folder_a_link_and_an_address(
    club: Path, tmp_path: Path, serve: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "games", "index", str(club))
    base = serve(club.parent)
    for number, source in enumerate(
        (
            str(club / "our-pig.toml"),
            f"http://10.0.0.1:8000/#{link_of(PIG, 'our-pig')}",
            f"{base}games/our-pig.toml",
            str(club),
            f"{base}games",
            f"{base}games/",
            f"{base}games/index.json",
        )
    ):
        data = tmp_path / str(number)
        told = run_json(capsys, "games", "add", source, "--data", str(data))
        expected = ["our-pig.toml"] if number < 3 else ["fifty.toml", "our-pig.toml"]
        assert names_in(data / OFFERED) == expected, source
        assert (data / OFFERED / "our-pig.toml").read_bytes() == (club / "our-pig.toml").read_bytes()
        assert told["games"][-1] == {"file": "our-pig.toml", "sha256": sha256(club / "our-pig.toml"), "added": True}
        assert not run_json(capsys, "games", "add", source, "--data", str(data))["games"][-1]["added"]
        assert [each.name for each in _games_of(None, data / OFFERED)] == [each[:-5] for each in expected]


def test_one_of_a_collection_is_taken(
    club: Path, tmp_path: Path, serve: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "games", "index", str(club))
    for source in (str(club), f"{serve(club)}"):
        folder = tmp_path / f"to-{len(source)}"
        run(capsys, "games", "add", source, "--only", "fifty", "--games", str(folder))
        assert names_in(folder) == ["fifty.toml"]
        assert_refused(run(capsys, "games", "add", source, "--only", "chess", "--games", str(folder)), "no chess")


def test_a_digest_says_that_it_is_the_same(
    club: Path, tmp_path: Path, serve: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "games", "index", str(club))
    base, to = serve(club), ("--games", str(tmp_path / "to"))
    file, index = sha256(club / "our-pig.toml"), sha256(club / "index.json")
    other = "0" * 64
    for source, right in ((f"{base}our-pig.toml", file), (base, index), (str(club), index)):
        assert_refused(run(capsys, "games", "add", source, "--sha256", other, *to), "SHA-256 is " + right)
        assert not (tmp_path / "to").exists()
    for source, right in ((f"{base}our-pig.toml", file.upper()), (base, index), (str(club), index)):
        assert run(capsys, "games", "add", source, "--sha256", right, *to)[0] == 0
    assert_refused(run(capsys, "games", "add", base, "--sha256", "abc", *to), "64 characters")
    (club / "our-pig.toml").write_text(PIG + "\n", encoding="utf-8")
    assert_refused(run(capsys, "games", "add", base, *to), "another file than the index says")
    assert_refused(run(capsys, "games", "add", str(club), *to), "our-pig.toml has changed")


def test_nothing_is_added_if_one_game_is_none(club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (club / "our-pig.toml").write_text(BAD, encoding="utf-8")
    assert_refused(run(capsys, "games", "add", str(club), "--games", str(tmp_path / "to")), "nothing was added")
    assert not (tmp_path / "to").exists()


def test_another_game_of_the_same_name_stays_unless_it_shall_go(
    club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "to"
    run(capsys, "games", "add", str(club), "--games", str(to))
    (club / "fifty.toml").write_text(FIFTY + "# newer\n", encoding="utf-8")
    (club / "another.toml").write_text(FIFTY, encoding="utf-8")
    assert_refused(run(capsys, "games", "add", str(club), "--games", str(to)), "another game has this name")
    assert names_in(to) == ["fifty.toml", "our-pig.toml"]
    assert run(capsys, "games", "add", str(club), "--games", str(to), "--replace")[0] == 0
    assert (to / "fifty.toml").read_text(encoding="utf-8").endswith("# newer\n")
    assert names_in(to) == ["another.toml", "fifty.toml", "our-pig.toml"]


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ("<!doctype html><html>", "this is a web page"),
        ("nonsense", "this is no index of games"),
        ('{"format": 1}', "this is no index of games"),
        ('{"format": 2, "games": []}', "format 1"),
        ('{"format": 1, "games": []}', "names 1 to 500 files"),
        ('{"format": 1, "games": [{"file": "../../x.toml", "sha256": "' + "0" * 64 + '"}]}', "names 1 to 500 files"),
        ('{"format": 1, "games": [{"file": "http://a/x.toml", "sha256": "' + "0" * 64 + '"}]}', "names 1 to 500"),
        ('{"format": 1, "games": [{"file": "x.toml", "sha256": "0"}]}', "names 1 to 500 files"),
        ('{"format": 1, "games": [' + ",".join(['{"file": "x.toml", "sha256": ""}'] * 2) + "]}", "names 1 to 500"),
        ("[" * 50_000, "this is no index of games"),
        ("x" * 600_000, "more than 524,288 bytes"),
    ],
)
def test_a_wrong_index_is_refused_in_one_sentence(
    tmp_path: Path, serve: Any, capsys: pytest.CaptureFixture[str], index: str, said: str
) -> None:
    (tmp_path / "index.json").write_text(index, encoding="utf-8")
    to = str(tmp_path / "to")
    assert_refused(run(capsys, "games", "add", serve(tmp_path), "--games", to), said)


def test_what_is_no_game_is_refused_in_one_sentence(
    tmp_path: Path, serve: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "page.toml").write_text("<!doctype html>", encoding="utf-8")
    (tmp_path / "big.toml").write_text("#" * 70_000, encoding="utf-8")
    (tmp_path / "Our Game.toml").write_text(FIFTY, encoding="utf-8")
    base, to = serve(tmp_path), ("--games", str(tmp_path / "to"))
    assert_refused(run(capsys, "games", "add", f"{base}page.toml", *to), "this is a web page")
    assert_refused(run(capsys, "games", "add", f"{base}big.toml", *to), "more than 65,536 bytes")
    assert_refused(run(capsys, "games", "add", str(tmp_path / "big.toml"), *to), "at most 65536 bytes")
    assert_refused(run(capsys, "games", "add", str(tmp_path / "Our Game.toml"), *to), "small letters")
    assert_refused(run(capsys, "games", "add", str(tmp_path / "none.toml"), *to), "No such file")
    assert_refused(run(capsys, "games", "add", "http://[a/b.toml", *to), "begins with http:// or https://")
    assert_refused(run(capsys, "games", "add", "http://a/#g=cut.abc", *to), "not whole")
    assert_refused(run(capsys, "games", "add"), "name a link, a file, a folder or an address")


# --- writing and watching ---------------------------------------------------------------------------------------------

ANSWERS = {
    "ten-thousand": ["1", "6", "5,000", "1 2 3 6", "3"],
    "sheet": ["2", "5", "3", "3 4 6 7", "0"],
    "counter": ["3", "1", "2", "1", "100"],
    "turns": ["3", "2", "1", "0", "10 turns"],
    "pad": ["4", "10", "0", "yes", "0"],
}


def write_new(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: list[str], *arguments: str
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return run(capsys, "games", "new", *arguments)


@pytest.mark.parametrize("which", ANSWERS)
def test_eight_answers_make_a_game(
    which: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, err = write_new(monkeypatch, capsys, ["Naše hra", "A game of ours.", "Grandma", *ANSWERS[which]])
    assert (status, err.count("8/8")) == (0, 1), err
    text = (tmp_path / "nase-hra.toml").read_text(encoding="utf-8")
    assert text.startswith("#:schema ./game.schema.json\n")
    assert (tmp_path / "game.schema.json").read_text(encoding="utf-8") == game_schema()
    assert "fine: nase-hra" in out
    file = read_definition(text, "nase-hra").file
    assert (file.title.english, file.source) == ("Naše hra", "Grandma")
    assert run(capsys, "games", "check", "nase-hra.toml")[0] == 0
    assert_refused(run(capsys, "games", "new", "nase-hra.toml"), "there already")


@pytest.mark.parametrize(
    ("answers", "again", "line"),
    [
        (
            ["x" * 81, "x" * 80, "x" * 401, "x" * 400, *ANSWERS["turns"]],
            ["1 to 80 letters", "1 to 400 letters"],
            "x" * 80,
        ),
        (["A game.", "", "3", "2", "1", "0", "1001 turns", "1000 turns"], ["from 1 to 1,000"], "rounds = 1000"),
        (["A game.", "", "3", "2", "1", "0", "1,000,001", "1,000,000"], ["from 1 to 1,000,000"], "target = 1000000"),
        (["A game.", "", "4", "201", "200", "0", "no", "0"], ["from 0 to 200"], "rounds = 200"),
    ],
)
def test_answers_may_be_what_files_may_say(
    answers: list[str],
    again: list[str],
    line: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "ours.toml"
    status, _, err = write_new(monkeypatch, capsys, ["Ours", *answers], str(path))
    told = [said for said in err.splitlines() if "  please write" in said]
    assert (status, len(told)) == (0, len(again)), err
    assert all(part in said for part, said in zip(again, told, strict=True)), told
    assert line in path.read_text(encoding="utf-8")


def test_usual_answers_make_a_game_of_each_family(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for family in "1234":
        lines = ["Ours", "A game.", "", family, *[""] * 4]
        assert write_new(monkeypatch, capsys, lines, str(tmp_path / f"ours-{family}.toml"))[0] == 0


def test_a_wrong_answer_is_asked_for_again_and_an_end_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = ["", "x" * 41, "Ours {0}", "Ours", "A game.", "", "5", "0", "1", "13", "six", "6", "0", "100", "99", "1 2"]
    status, _, err = write_new(monkeypatch, capsys, wrong)
    assert status == 2
    assert err.count("  please write") == 9
    assert "nothing was written: the answers have ended" in err
    assert list(tmp_path.iterdir()) == []
    assert_refused(write_new(monkeypatch, capsys, [], "ours.txt"), "ends in .toml")


def test_the_schema_is_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capsys, "games", "schema")[1]) == json.loads(game_schema())
    assert run(capsys, "games", "schema", str(tmp_path / "s.json"))[0] == 0
    assert (tmp_path / "s.json").read_text(encoding="utf-8") == game_schema()


@pytest.mark.parametrize("key", [key for key in keys() if from_file(key)])
def test_a_short_game_of_each_can_be_told(key: str) -> None:
    game = game_of_file(text_of(key), key)()
    lines = list(short_game(game))
    assert len(lines) >= 3
    assert lines == list(short_game(game))
    assert lines[-1].startswith(("So far: ", "The end: "))
    assert all(line.isprintable() for line in lines)


def test_a_typed_throw_says_what_it_brings() -> None:
    farkle = game_of_file(text_of("farkle"), "farkle")()
    assert worth_in_words(farkle, "1, 5, 2 3 3 4")[0] == "  set aside 1 5: 150 points, then 4 dice to throw"
    assert worth_in_words(farkle, "2 3 4 4 6 6") == ["  bust 2 3 4 4 6 6"]
    for wrong in ("1 5", "7 1 1 1 1 1", "one", "1 1 1 1 1 1 1", "²"):
        (said,) = worth_in_words(farkle, wrong)
        assert said.startswith("  ")


def test_a_watched_file_is_played_again_when_it_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(PIG, encoding="utf-8")
    command = [*own_program(), "games", "check", "--watch", str(path)]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None

        def read_until(wanted: str) -> str:
            assert child.stdout is not None
            seen = ""
            while wanted not in seen:
                line = child.stdout.readline()
                assert line, seen
                seen += line
            return seen

        assert "fine: ours" in read_until("Ctrl+C ends.")
        child.stdin.write("4\n")
        child.stdin.flush()
        read_until("scored 4: 4 points")
        path.write_text(BAD, encoding="utf-8")
        read_until("ours.toml, line ")
        path.unlink()
        path.write_text(FIFTY, encoding="utf-8")
        assert "Ada threw" in read_until("Ctrl+C ends.")
        child.stdin.close()
        assert child.wait(60) == 0


def test_a_file_that_is_watched_must_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(run(capsys, "games", "check", "--watch", str(tmp_path / "none.toml")), "No such file")


def test_what_is_wrong_names_the_file_once() -> None:
    from web.hosts.game_files.collection import GameOfFile, checks

    with checks() as by:
        assert what_is_wrong(GameOfFile("ours.toml", PIG.encode()), by) == ""
        assert what_is_wrong(GameOfFile("ours.toml", b"\xff"), by).startswith("ours.toml, line 1: ")
