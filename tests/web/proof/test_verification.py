"""`rollcall verify`: what it says of a record, its log and its pictures, as they are and as somebody changed them."""

import copy
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import rollcall
from scorer.games import text_of
from tests.web.apps import create_app
from tests.web.phones import Phone, start
from tests.web.proving import PHOTO, proving, show_photo, with_code
from web.services import services
from web.table import proof

Json = dict[str, Any]


@dataclass(frozen=True)
class Played:
    """A game with pictures: its record, the packed file, and the code that was noted at each version."""

    record: Json
    packed: bytes
    codes: list[str]

    def pictures(self) -> dict[str, bytes]:
        with ZipFile(io.BytesIO(self.packed)) as archive:
            return {name: archive.read(name) for name in archive.namelist() if name != proof.RECORD_NAME}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Two throws from photos, one that was taken back, one that was typed in, and one that was corrected."""
    app = create_app(tmp_path_factory.mktemp("played") / "data")
    phone = proving(app.test_client())
    codes = [phone.state["proof"]["code"]]
    photos = ((p.read_bytes()) for p in sorted(Path(__file__).parents[2].joinpath("pictures").glob("throw-*.jpg")))

    def confirm(*dice: int) -> None:
        reading = f"a-photo-{len(codes)}"
        show_photo(app, phone, reading, next(photos))
        evidence = {"reading": reading, "dice": []}
        assert phone.post("actions", action={"do": "throw", "dice": list(dice)}, evidence=evidence).status_code == 200
        codes.append(phone.state["proof"]["code"])

    def then(answer: Any) -> None:
        assert answer.status_code == 200
        codes.append(phone.state["proof"]["code"])

    confirm(1, 1, 2, 4, 5, 5)
    then(phone.act(do="set-aside", dice=[1, 1]))
    confirm(1, 5, 5, 6)
    then(phone.post("undo"))
    confirm(1, 5, 5, 5)
    then(phone.act(do="set-aside", dice=[1, 5, 5, 5]))
    then(phone.throw(1, 2, 3, 4, 6, 6))
    then(phone.post("corrections", step=1, action={"do": "throw", "dice": [1, 1, 2, 4, 5, 6]}))
    record = phone.record()
    packed = phone.client.get(f"{phone.base}/record.zip").data
    services(app).close()
    return Played(record, packed, codes)


@pytest.fixture
def verify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Json]]:
    """Runs the command on a record and pictures; gives its exit status and document."""

    def run(record: Json | bytes, pictures: dict[str, bytes] | None = None, *codes: str) -> tuple[int, Json]:
        path = tmp_path / "record"
        path.write_bytes(record if isinstance(record, bytes) else json.dumps(record).encode())
        arguments = ["verify", str(path), "--json"]
        if pictures is not None:
            folder = tmp_path / "pictures"
            for name, data in pictures.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(data)
            arguments += ["--pictures", str(folder)]
        for code in codes:
            arguments += ["--code", code]
        status = rollcall.main(arguments)
        told = capsys.readouterr()
        return status, json.loads(told.out) if told.out else {"error": told.err}

    return run


def test_what_fits_is_told_so(played: Played, verify: Callable[..., tuple[int, Json]]) -> None:
    status, told = verify(played.record, played.pictures(), played.codes[3].lower(), played.codes[-1])
    assert (status, told["holds"], told["wrong"]) == (0, True, [])
    assert told["code"] == played.codes[-1] == played.record["proof"]["code"]
    assert [each["state"] for each in told["pictures"]] == ["matches"] * 3
    said = " ".join(told["told"])
    assert "Throws: 3 with a picture; 1 typed in by hand." in said
    assert "Steps that people changed: 1 taken back; 1 corrected." in said
    assert f"The code {played.codes[3].lower()} is that of this log as of line 3" in said
    status, told = verify(played.packed)
    assert (status, [each["state"] for each in told["pictures"]]) == (0, ["matches"] * 3)


def test_a_record_without_a_log_is_checked_as_a_game(played: Played, verify: Callable[..., tuple[int, Json]]) -> None:
    plain = {name: value for name, value in played.record.items() if name != "proof"}
    assert verify(plain)[0] == 0
    status, told = verify(plain, played.pictures())
    assert status == 1
    assert {each["state"] for each in told["pictures"]} == {"not mentioned"}
    assert verify(plain, None, played.codes[-1])[0] == 1


def change(record: Json, number: int, **body: Any) -> Json:
    changed = copy.deepcopy(record)
    changed["proof"]["log"][number - 1]["body"].update(body)
    return changed


def without_line(record: Json, number: int) -> Json:
    changed = copy.deepcopy(record)
    del changed["proof"]["log"][number - 1]
    return changed


def swapped(record: Json) -> Json:
    changed = copy.deepcopy(record)
    log = changed["proof"]["log"]
    log[2], log[4] = log[4], log[2]
    return changed


def with_step(record: Json, **step: Any) -> Json:
    changed = copy.deepcopy(record)
    changed["actions"][0].update(step)
    return changed


CHANGED = "The code of the record is not that of its log"
TAMPERED: dict[str, tuple[Callable[[Json], Json], str]] = {
    "other dice in the log": (
        lambda record: change(record, 5, do={"do": "throw", "dice": [1, 1, 5, 5]}),
        CHANGED,
    ),
    "another picture in the log": (lambda record: change(record, 5, picture="0" * 64), CHANGED),
    "a throw that was typed in": (lambda record: change(record, 7, picture="0" * 64), CHANGED),
    "a dropped line": (lambda record: without_line(record, 4), "Line 4 of the log is missing"),
    "two lines exchanged": (swapped, "Line 3 of the log is missing"),
    "other dice in the record alone": (
        lambda record: with_step(record, dice=[1, 1, 2, 3, 5, 6]),
        "Step 1 of the record is not that of its log",
    ),
    "dice that cannot be": (
        lambda record: with_step(record, dice=[2, 2, 3, 3, 4, 6]),
        "of the record is against the rules",
    ),
    "a dropped step": (
        lambda record: {**record, "actions": record["actions"][:-1]},
        "The record has 4 steps, its log 5.",
    ),
    "other players": (
        lambda record: {**record, "players": ["Eva", "Bob"]},
        "The game, the house rules or the players of the record are not those of its log.",
    ),
    "another rule": (
        lambda record: {**record, "options": {**record["options"], "target": 3000}},
        "The game, the house rules or the players of the record are not those of its log.",
    ),
    "another code": (
        lambda record: {**record, "proof": {**record["proof"], "code": "0000-0000-0000"}},
        CHANGED,
    ),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_changed_is_told(what: str, played: Played, verify: Callable[..., tuple[int, Json]]) -> None:
    tamper, sentence = TAMPERED[what]
    status, told = verify(tamper(played.record), played.pictures())
    assert status == 1
    assert any(sentence in each for each in told["wrong"]), told["wrong"]


def test_whoever_makes_the_code_anew_is_found_by_a_noted_code(
    played: Played, verify: Callable[..., tuple[int, Json]]
) -> None:
    forged = change(played.record, 7, do={"do": "throw", "dice": [6, 6, 6, 6, 6, 6]})
    forged["actions"][-1]["dice"] = [6, 6, 6, 6, 6, 6]
    forged = with_code(forged)
    assert verify(forged, played.pictures())[0] == 0, "the file alone cannot tell: docs/interfaces.md says so"
    assert verify(forged, None, played.codes[6])[0] == 0, "noted before the changed line"
    status, told = verify(forged, None, played.codes[-1])
    assert status == 1
    assert "is of no line of this log" in " ".join(told["wrong"])
    shorter = with_code(without_line(played.record, len(played.record["proof"]["log"])))
    assert verify(shorter, None, played.codes[-1])[0] == 1


def test_each_picture_is_told(played: Played, verify: Callable[..., tuple[int, Json]]) -> None:
    pictures = played.pictures()
    first, second, third = sorted(pictures)
    changed = {first: pictures[first][:-1] + b"\x00", "holiday.jpg": PHOTO, "renamed.jpg": pictures[third]}
    status, told = verify(played.record, changed)
    assert status == 1
    states = {each["name"]: (each["state"], each["line"]) for each in told["pictures"]}
    assert states[first] == ("altered", 1)
    assert states[second] == ("missing", 3)
    assert states["renamed.jpg"] == ("matches", 5)
    assert states["holiday.jpg"] == ("not mentioned", None)


def test_the_same_picture_for_two_throws_is_told(played: Played, verify: Callable[..., tuple[int, Json]]) -> None:
    log = played.record["proof"]["log"]
    twice = with_code(change(played.record, 5, picture=log[0]["body"]["picture"]))
    status, told = verify(twice, played.pictures())
    assert status == 1
    assert "Lines 1, 5 have the very same picture." in told["wrong"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no record",
        b"[]",
        b'{"format": 1}',
        b"PK\x03\x04 no archive",
        b'{"format":1,"game":"farkle","options":{},"players":["A"],"actions":[],"proof":5}',
        b'{"format":1,"game":"farkle","options":{},"players":["A"],"actions":[],"proof":{"format":1,"setup":{},"log":[]}}',
        b'{"format":1,"game":"farkle","options":{},"players":["A"],"actions":[],"proof":{"format":1,"setup":'
        b'{"game":"farkle","options":{},"players":["A"],"at":""},"log":[{"line":1,"body":{},"device":"","at":7}]}}',
    ],
)
def test_what_is_no_record_is_one_line(content: bytes, verify: Callable[..., tuple[int, Json]]) -> None:
    status, told = verify(content)
    assert status == 2
    assert told["error"].count("\n") == 1


@pytest.mark.parametrize(
    "body", [{}, {"do": 5}, {"do": {}}, {"undo": True}, {"correct": 9}, {"correct": 1, "action": 5}]
)
def test_a_line_that_is_none_is_against_the_rules(
    body: Json, played: Played, verify: Callable[..., tuple[int, Json]]
) -> None:
    record = copy.deepcopy(played.record)
    record["proof"]["log"][0]["body"] = body
    status, told = verify(with_code(record))
    assert status == 1
    assert "Line 1 of the log is against the rules" in " ".join(told["wrong"])


def test_the_words_of_the_command(played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.zip").write_bytes(played.packed)
    assert rollcall.main(["verify", str(tmp_path / "game.zip")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "All of this fits together."
    (tmp_path / "other.json").write_text(json.dumps(swapped(played.record)))
    assert rollcall.main(["verify", str(tmp_path / "other.json")]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "This does NOT fit together."
    assert rollcall.main(["verify", str(tmp_path / "nothing.json")]) == 2


@pytest.mark.parametrize("game", ["yahtzee", "knaster", "kosci-triple", "drapky"])
def test_records_of_other_games_fit(game: str, tmp_path: Path, verify: Callable[..., tuple[int, Json]]) -> None:
    app = create_app(tmp_path / "data")
    phone = Phone(app.test_client(), start(app.test_client(), game))
    assert phone.post("settings", keeps_pictures=True).status_code == 200
    dice = phone.standing["turn"]["expects"]
    assert phone.throw(*range(1, dice + 1)).status_code == 200
    status, told = verify(phone.record())
    services(app).close()
    assert (status, told["wrong"]) == (0, [])


def test_the_record_of_a_game_that_people_made_fits(tmp_path: Path, verify: Callable[..., tuple[int, Json]]) -> None:
    app = create_app(tmp_path / "data")
    client = app.test_client()
    own = text_of("pig").replace('title = "Pig"', 'title = "Our Pig"')
    key = client.post("/own-games", json={"name": "Our Pig", "toml": own}).get_json()["key"]
    phone = Phone(client, start(client, key))
    assert phone.post("settings", keeps_pictures=True).status_code == 200
    assert phone.throw(5).status_code == 200
    record = phone.record()
    status, told = verify(record)
    assert (status, told["wrong"]) == (0, [])
    record["file"] = record["file"].replace("Our Pig", "Their Pig")
    assert verify(record)[0] != 0
    services(app).close()
