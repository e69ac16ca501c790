"""`rollcall games` and files: checked, indexed, taken from elsewhere."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorer.definitions.definition import text_of_file
from scorer.definitions.file_schema import game_schema
from scorer.definitions.game_link import link_of
from scorer.games import text_of
from tests.test_rollcall import assert_refused, run, run_json
from tests.web.phones import JSON
from web.hosts.game_files.collection import what_is_wrong
from web.hosts.laptop.serving import _games_of
from web.store.data_folder import OFFERED

ROOT = Path(__file__).resolve().parents[4]
FAULTS = next((each / "shared/faults/games" for each in ROOT.parents if (each / "shared/faults/games").is_dir()), None)
UNFAIR = FAULTS.with_name("games-not-fair") if FAULTS and FAULTS.with_name("games-not-fair").is_dir() else None
# Where those files say it in words that the language had before.
IN_TODAYS_WORDS = {
    "upper_bonus = 35\n": "upper_bonus = [[63, 35]]\n",
    "pattern = { alike = 2 }\n": "alike = 2\n",
    'each_further = "doubles"\n': "",
    "columns = 3": "column = [{ factor = 1 }, { factor = 2 }, { factor = 3 }]",
    "busts_to_penalty = 3, penalty = 1000": "penalty = [3, 1000]",
    "lose_turn = 1\n": "worth = [{ dice = [1], points = 'bust' }, {}]\n",
    'counts = "wanted-sum"\n': "worth = [{ points = 'sum * (sum = wanted)', says = 'W' }]\n",
}
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


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def in_todays_words(folder: Path, to: Path) -> list[Path]:
    """The game files of a folder, written anew."""
    for path in folder.glob("*.toml"):
        data = path.read_bytes()
        for before, today in IN_TODAYS_WORDS.items():
            data = data.replace(before.encode(), today.encode())
        (to / path.name).write_bytes(data)
    return sorted(to / path.name for path in folder.glob("*.toml"))


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


@pytest.mark.whole
def test_every_file_that_comes_along_is_fine_and_says_what_its_examples_are_worth(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for folder in ("scorer/games", "scorer/games/pack"):
        told = run_json(capsys, "games", "check", str(ROOT / folder))
        assert [each for each in told["games"] if "wrong" in each] == []
    status, out, _ = run(capsys, "games", "check", str(ROOT / "scorer/games/pack/score-pad.toml"))
    assert "warning" not in out
    assert status == 0
    assert "12 0 -5 / 3 40 0: 15 40 -5" in out


def test_a_game_that_random_play_does_not_end_is_fine_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "far.toml"
    path.write_text(PIG.replace("target = 100", "target = 1000000"), encoding="utf-8")
    status, out, _ = run(capsys, "games", "check", str(path))
    assert status == 0
    assert "fine: far" in out
    assert "warning: 10,000 steps at random do not end a game; is its end too far away?" in out
    assert run_json(capsys, "games", "check", str(path))["ends_by_chance"] is False


@pytest.mark.parametrize(
    ("family", "rules", "warning"),
    [
        ("counter", "worth = [{}, { alike = 2, points = 9 }]", "line 2 of worth holds for no dice"),
        ("counter", 'worth = [{ points = "5 - sum", says = "s" }]', "the points of worth 1 are below 0 for some dice"),
        ("sheet", 'cell = [{ key = "low", title = "L", points = "9 - sum", says = "s" }]', "the points of cell 1 are"),
    ],
)
def test_lines_that_say_less_than_they_seem_to_are_fine_with_a_warning(
    family: str, rules: str, warning: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, rounds = tmp_path / "ours.toml", "\nrounds = 2" * (family == "counter")
    path.write_text(f'family = "{family}"\ntitle = "Ours"\nsummary = "s"\n[rules]\ndice = 2{rounds}\n{rules}\n')
    assert f"  warning: {warning}" in run(capsys, "games", "check", str(path))[1]
    assert "Ours" in run(capsys, "games", str(path))[1]


@pytest.mark.skipif(FAULTS is None, reason="the files that failed once are not here")
def test_files_that_failed_once_have_their_answer_here_and_on_the_page(
    client: FlaskClient, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert FAULTS is not None
    for path in in_todays_words(FAULTS, tmp_path):
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


@pytest.mark.skipif(UNFAIR is None, reason="the files that are not fair are not here")
def test_files_that_were_fine_and_are_not_fair_say_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert UNFAIR is not None
    wrong = {
        "dead-option": "dead-option.toml, line 13: the house rules short and long both set target",
        "nobody-wins": "nobody-wins.toml, line 5: with its usual rules, no throw can bring points",
    }
    for path in in_todays_words(UNFAIR, tmp_path):
        outcome = run(capsys, "games", "check", str(path))
        if path.stem in wrong:
            assert_refused(outcome, wrong[path.stem])
        else:
            assert outcome[0] == 0, path.name


# --- taking games -----------------------------------------------------------------------------------------------------


def test_games_come_from_a_file_a_link_and_a_folder(
    club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "games", "index", str(club))
    link = f"http://10.0.0.1:8000/#{link_of(PIG, 'our-pig')}"
    for number, source in enumerate((str(club / "our-pig.toml"), link, str(club))):
        data = tmp_path / str(number)
        told = run_json(capsys, "games", "add", source, "--data", str(data))
        expected = ["our-pig.toml"] if number < 2 else ["fifty.toml", "our-pig.toml"]
        assert names_in(data / OFFERED) == expected, source
        assert (data / OFFERED / "our-pig.toml").read_bytes() == (club / "our-pig.toml").read_bytes()
        assert told["games"][-1] == {"file": "our-pig.toml", "sha256": sha256(club / "our-pig.toml"), "added": True}
        assert not run_json(capsys, "games", "add", source, "--data", str(data))["games"][-1]["added"]
        assert [each.name for each in _games_of(None, data / OFFERED)] == [each[:-5] for each in expected]


def test_one_of_a_collection_is_taken(club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "games", "index", str(club))
    folder = tmp_path / "to"
    run(capsys, "games", "add", str(club), "--only", "fifty", "--games", str(folder))
    assert names_in(folder) == ["fifty.toml"]
    assert_refused(run(capsys, "games", "add", str(club), "--only", "chess", "--games", str(folder)), "no chess")


def test_a_digest_says_that_it_is_the_same(club: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "games", "index", str(club))
    to, other = ("--games", str(tmp_path / "to")), "0" * 64
    digests = {str(club / "our-pig.toml"): sha256(club / "our-pig.toml"), str(club): sha256(club / "index.json")}
    for source, right in digests.items():
        assert_refused(run(capsys, "games", "add", source, "--sha256", other, *to), "SHA-256 is " + right)
        assert not (tmp_path / "to").exists()
    for source, right in digests.items():
        assert run(capsys, "games", "add", source, "--sha256", right.upper(), *to)[0] == 0
    assert_refused(run(capsys, "games", "add", str(club), "--sha256", "abc", *to), "64 characters")
    (club / "our-pig.toml").write_text(PIG + "\n", encoding="utf-8")
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
        ("nonsense", "this is no index of games"),
        ('{"format": 1}', "this is no index of games"),
        ('{"format": 2, "games": []}', "format 1"),
        ('{"format": 1, "games": []}', "names 1 to 500 files"),
        ('{"format": 1, "games": [{"file": "../../x.toml", "sha256": "' + "0" * 64 + '"}]}', "names 1 to 500 files"),
        ('{"format": 1, "games": [{"file": "http://a/x.toml", "sha256": "' + "0" * 64 + '"}]}', "names 1 to 500"),
        ('{"format": 1, "games": [{"file": "x.toml", "sha256": "0"}]}', "names 1 to 500 files"),
        ('{"format": 1, "games": [' + ",".join(['{"file": "x.toml", "sha256": ""}'] * 2) + "]}", "names 1 to 500"),
        ("[" * 50_000, "this is no index of games"),
        ("x" * 600_000, "at most 524,288 bytes"),
    ],
)
def test_a_wrong_index_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], index: str, said: str
) -> None:
    (tmp_path / "index.json").write_text(index, encoding="utf-8")
    assert_refused(run(capsys, "games", "add", str(tmp_path), "--games", str(tmp_path / "to")), said)


def test_what_is_no_game_is_refused_in_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "big.toml").write_text("#" * 70_000, encoding="utf-8")
    (tmp_path / "Our Game.toml").write_text(FIFTY, encoding="utf-8")
    to = ("--games", str(tmp_path / "to"))
    assert_refused(run(capsys, "games", "add", str(tmp_path / "big.toml"), *to), "at most 65536 bytes")
    assert_refused(run(capsys, "games", "add", str(tmp_path / "Our Game.toml"), *to), "small letters")
    assert_refused(run(capsys, "games", "add", str(tmp_path / "none.toml"), *to), "No such file")
    assert_refused(run(capsys, "games", "add", "https://a.example/b.toml", *to), "download the file, and name it here")
    assert_refused(run(capsys, "games", "add", "http://a/#g=cut.abc", *to), "not whole")
    assert_refused(run(capsys, "games", "add"), "name a link, a file or a folder")


def test_the_schema_is_printed_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(run(capsys, "games", "schema")[1]) == json.loads(game_schema())
    assert run(capsys, "games", "schema", str(tmp_path / "s.json"))[0] == 0
    assert (tmp_path / "s.json").read_text(encoding="utf-8") == game_schema()


def test_what_is_wrong_names_the_file_once() -> None:
    from web.hosts.game_files.collection import GameOfFile, checks

    with checks() as by:
        assert what_is_wrong(GameOfFile("ours.toml", PIG.encode()), by) == ""
        assert what_is_wrong(GameOfFile("ours.toml", b"\xff"), by).startswith("ours.toml, line 1: ")
