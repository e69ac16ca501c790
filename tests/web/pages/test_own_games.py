"""Games that people made: kept on a phone, shared, played, taken away."""

from __future__ import annotations

import io
import json
import random
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import rollcall
import scorer
from scorer.counter import CounterGame
from scorer.definitions.definition import MOST_BYTES
from scorer.definitions.toml_writer import toml_text
from scorer.games import text_of
from tests.scorer.definitions.test_option_names import RULES, tables_of, values_of
from tests.web.apps import create_app
from tests.web.phones import Phone, any_legal, bring, send_record, start
from tests.web.postgres import both_engines
from web.hosts.laptop.serving import _games_of
from web.own_games import kept_games
from web.own_games.checker import AnswersHere
from web.own_games.kept_games import read_folder
from web.services import services
from web.store.data_folder import OFFERED

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

OURS = text_of("farkle").replace('title = "Farkle"', 'title = "Our Farkle"').replace("10_000", "1_000")
SHEET = text_of("yatzy").replace('title = "Yatzy"', 'title = "Grandma\'s sheet"', 1)
BAD = OURS.replace('family = "ten-thousand"', 'family = "<script>alert(1)</script>"')


def save(client: FlaskClient, file: str = OURS, name: str = "Our Farkle") -> Any:
    return client.post("/own-games", json={"name": name, "toml": file})


def page_of(client: FlaskClient, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return str(answer.get_data(as_text=True))


def whole_game(phone: Phone, seed: int) -> None:
    dice = random.Random(seed)
    while not phone.standing["over"]:
        assert phone.act(**any_legal(phone.standing, dice)).status_code == 200


@pytest.mark.parametrize("file", [OURS, SHEET], ids=["race", "sheet"])
def test_a_whole_game_is_played_and_counted_and_replayed_elsewhere(
    app: Flask, client: FlaskClient, file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = save(client, file).get_json()
    base = start(client, made["key"])
    phone = Phone(client, base)
    title = scorer.game_of_file(file, "ours").title.replace("'", "&#39;")
    assert phone.standing["game"] == "our-farkle"
    whole_game(phone, 3)
    assert phone.post("undo").status_code == 200
    whole_game(phone, 4)
    moves = phone.get("history")["moves"]
    step, move = next((at, move) for at, move in enumerate(moves, start=1) if move["action"]["do"] == "throw")
    wanted = {"step": step, "action": {**move["action"], "dice": [1] * len(move["action"]["dice"])}}
    assert phone.post("corrections/preview", **wanted).status_code == 200
    for address in (base, f"{base}/board", f"{base}/rules", f"{base}/statistics", f"{base}/luck", f"{base}/print"):
        assert title in page_of(client, address), address
    for address in ("/", "/history", "/history.csv"):
        assert title in page_of(client, address) or title.replace("&#39;", "'") in page_of(client, address), address
    assert title in page_of(client, f"/history/player?name=Ada&game={made['key']}")
    record = phone.record()
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert rollcall.main(["replay", str(path), "--json"]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert replayed["players"] == phone.standing["players"]
    again = bring(client, record)
    assert again.standing["players"] == replayed["players"]
    assert services(app).runner.row(again.key).game == made["key"]
    following = client.post(f"{base}/again", data={"begins": "0"}).headers["Location"]
    assert Phone(client, following).standing["game"] == "our-farkle"


# Names of rules, of what games have, and of fields of the form.
NAMES = ("target", "hot_dice", "columns", "turn", "rules", "player", "game")


@pytest.mark.parametrize("family", list(RULES))
def test_house_rules_may_have_any_name(
    client: FlaskClient, family: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, as_it_is = values_of(family)
    changed = {name: value for name, value in other["rules"].items() if name != "dice"}
    first = {"name": NAMES[0], "title": "which game", "value": [{**other, "rules": changed}, as_it_is]}
    for name in NAMES[1:]:
        flag = {"name": name, "title": f"whether {name}", "rules": {"dice": 3}}
        file = toml_text(tables_of(family, RULES[family], option=[first, flag]))
        key = save(client, file, f"ours {name}").get_json()["key"]
        options = {"target": "as-it-is" if name == "turn" else "other"}
        options |= {} if name == "game" else {name: True}  # which is what is played
        base = start(client, key, **options)
        phone = Phone(client, base)
        whole_game(phone, 5)
        for address in (base, f"{base}/board", f"{base}/rules", f"{base}/print"):
            assert page_of(client, address)
        record = phone.record()
        assert record["options"] == {name: False, **options}
        if name in options and family != "pad":  # there a throw is one way to write
            assert len(record["actions"][0]["dice"]) == 3
        path = tmp_path / "game.json"
        path.write_text(json.dumps(record), encoding="utf-8")
        assert rollcall.main(["replay", str(path), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["players"] == phone.standing["players"]
        following = client.post(f"{base}/again", data={"begins": "0"}).headers["Location"]
        assert Phone(client, following).standing["options"] == record["options"]


def test_a_table_plays_on_when_no_phone_keeps_its_game(app: Flask, client: FlaskClient, database: str | None) -> None:
    made = save(client).get_json()
    base = start(client, made["key"])
    digest = made["page"].rpartition("/")[2]
    assert client.post(f"/g/{digest}/forget").status_code == 303
    assert client.get(made["page"]).status_code == 404
    assert made["key"] not in page_of(client, "/").replace(base, "")
    phone = Phone(client, base)
    whole_game(phone, 1)
    assert "Our farkle" in page_of(client, "/history")


def test_another_phone_gets_a_game_by_its_page(app: Flask, client: FlaskClient) -> None:
    made = save(client).get_json()
    digest = made["page"].rpartition("/")[2]
    other = app.test_client()
    assert made["key"] not in page_of(other, "/")
    shown = page_of(other, made["page"])
    assert "Our Farkle" in shown
    assert "Push your luck: bank your points before a bust." in shown
    assert f"/g/{digest}/edit" in shown
    assert page_of(other, f"/g/{digest}/edit")
    assert "<svg" in page_of(other, f"/g/{digest}.svg")
    assert page_of(other, f"/g/{digest}.toml") == OURS
    kept = other.post(f"/g/{digest}/keep")
    assert kept.headers["Location"] == f"/?game={made['key']}"
    assert f'value="{made["key"]}" checked' in page_of(other, kept.headers["Location"])
    assert page_of(other, f"/rules/{made['key']}?part")
    client.post(f"/g/{digest}/forget")
    assert page_of(other, made["page"])


@both_engines
def test_saving_twice_keeps_one_and_a_changed_game_is_another_one(client: FlaskClient) -> None:
    first, again = save(client).get_json(), save(client).get_json()
    assert first == again
    changed = save(client, OURS.replace("1_000", "2_000")).get_json()
    assert changed["key"] != first["key"]
    assert page_of(client, "/").count("/g/") == 2


def test_a_phone_keeps_so_many(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_games, "MOST_KEPT", 3)
    for number in range(3):
        assert save(client, f"{OURS}\n# {number}").status_code == 200
    refused = save(client)
    assert refused.status_code == 429
    assert refused.get_json()["params"] == {"most": 3}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (BAD, "line 3"),
        ("", "family"),
        (OURS + "\n#" * 40_000, "65,53"),
        ("a = " + "[" * 1900, "deep"),
        ("\u0000", "a line is a name"),
        (OURS + '\n[[option]]\nname = "file"\ntitle = "x"\nrules = { target = 1 }', "another name"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line_and_nothing_is_kept(client: FlaskClient, file: str, said: str) -> None:
    refused = save(client, file) if len(file) < 60_000 else None
    upload = client.post("/own-games/file", data={"file": (io.BytesIO(file.encode()), "ours.toml")})
    assert upload.status_code == 422
    shown = upload.get_data(as_text=True)
    assert said in shown
    assert "<script>alert" not in shown
    if refused is not None:
        assert refused.status_code == 422
        assert said in refused.get_json()["detail"]
    assert "/g/" not in page_of(client, "/")


def test_texts_of_a_file_are_never_markup(client: FlaskClient) -> None:
    evil = OURS.replace("Our Farkle", "<script>alert(1)</script>").replace(
        "Push your luck", "<img src=x onerror=alert(2)>"
    )
    made = save(client, evil).get_json()
    base = start(client, made["key"])
    for address in ("/", made["page"], base, f"{base}/rules", f"{base}/board", "/history"):
        shown = page_of(client, address)
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown


def test_no_file_and_no_text(client: FlaskClient) -> None:
    assert client.post("/own-games/file").status_code == 422
    binary = client.post("/own-games/file", data={"file": (io.BytesIO(b"\xff\xfe"), "ours.toml")})
    assert binary.status_code == 422
    assert "ends in .toml" in binary.get_data(as_text=True)
    for address in ("/g/00", "/g/..", "/g/00.toml", "/g/00/edit", "/rules/ours.00"):
        assert client.get(address).status_code == 404
    assert client.post("/tables", data={"game": "ours.00", "player": ["Ada"]}).status_code == 404


def test_a_file_that_is_no_text_is_refused(client: FlaskClient) -> None:
    for file in (5, ["a"], {}, True):
        with pytest.raises(scorer.OptionError):
            scorer.game("farkle", file=file)  # type: ignore[arg-type]
    for file in (OURS + "# \ud800", "\udfff"):
        body = json.dumps({"name": "Ours", "toml": file})
        assert client.post("/own-games", data=body, content_type="application/json").status_code == 422
        record = {"format": 1, "game": "ours", "file": file, "options": {}, "players": ["Ada"], "actions": []}
        assert send_record(client, record).status_code == 422


COUNTER = text_of("pig").partition("[[example]]")[0].replace('title = "Pig"', 'title = "Our Pig"')
TWICE = 'family = "sheet"\ntitle = "T"\nsummary = "s"\n[rules]\nupper = [1, 1]\n'


def check_here(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are checked in this process, where code can be replaced."""
    monkeypatch.setattr(services(app).checker, "_answers", AnswersHere())


def stop_counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brings a fault that no check foresees: the steps of counters that people made end in an error."""
    throw = CounterGame.do_throw

    def fail(game: CounterGame, state: Any, action: Any) -> Any:
        return throw(game, state, action) if game.own_file is None else 1 // 0

    monkeypatch.setattr(CounterGame, "do_throw", fail)


def test_a_file_that_stops_a_program_is_refused_in_one_line_wherever_it_comes_in(
    app: Flask,
    client: FlaskClient,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stop_counters(monkeypatch)
    check_here(app, monkeypatch)
    for file, name, said in (
        (TWICE, "t", "line 5"),
        (COUNTER, "our-pig", "short game with its usual rules fails at the step “throw 1 die”"),
    ):
        upload = client.post("/own-games/file", data={"file": (io.BytesIO(file.encode()), f"{name}.toml")})
        for answer in (save(client, file, name), upload):
            assert answer.status_code == 422
            assert said in answer.get_data(as_text=True)
            assert "ZeroDivisionError" not in answer.get_data(as_text=True)
        (tmp_path / f"{name}.toml").write_text(file, encoding="utf-8")
        assert rollcall.main(["games", "check", str(tmp_path / f"{name}.toml")]) == 2
        told = capsys.readouterr().err
        assert told.count("\n") == 1
        assert said in told
    assert client.post("/games/try", json={"definition": tomllib.loads(TWICE)}).status_code == 422
    assert "ZeroDivisionError" in caplog.text, "who runs the server can tell what happened"


def test_bad_files_in_a_folder_are_told_and_the_others_are_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stop_counters(monkeypatch)
    files = {
        "our-farkle": OURS.encode(),
        "with-mark": b"\xef\xbb\xbf" + OURS.encode(),
        "twice": TWICE.encode(),
        "faulty": COUNTER.encode(),
        "other-text": OURS.encode("utf-16"),
        "too-big": OURS.encode() + b"#" * MOST_BYTES,
    }
    for name, data in files.items():
        (tmp_path / f"{name}.toml").write_bytes(data)
    assert [game.name for game in _games_of(tmp_path, tmp_path / OFFERED)] == ["our-farkle", "with-mark"]
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 4
    for line, name in zip(told, ("faulty", "other-text", "too-big", "twice"), strict=True):
        assert line.startswith(f"rollcall: not offered: {name}.toml"), line


def test_games_of_a_folder_are_offered_to_everybody(
    tmp_path: Path, empty: Path, open_store: Callable[..., Any]
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "our-farkle.toml").write_text(OURS, encoding="utf-8")
    (folder / "broken.toml").write_text(BAD, encoding="utf-8")
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    found, wrong = read_folder(folder)
    assert [game.name for game in found] == ["our-farkle"]
    assert len(wrong) == 1
    assert "broken.toml, line 3" in wrong[0]
    app = create_app(tmp_path / "here", games=found)
    client = app.test_client()
    shown = page_of(client, "/")
    assert "Games of this house" in shown
    base = start(client, found[0].key)
    services(app).close()
    later = create_app(tmp_path / "here")  # the folder is gone
    phone = Phone(later.test_client(), base)
    whole_game(phone, 2)
    services(later).close()


def test_the_solver_is_given_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from web.advising.solver import command_for

    game = scorer.game("our-farkle", file=OURS, target=1000)
    command = command_for(game, 1, tmp_path)
    place = command[command.index("solve") + 1]
    assert Path(place).read_text(encoding="utf-8") == OURS
    assert rollcall.main(["score", place, "1", "5", "2", "3", "3", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


IN_LANGUAGES = """family = "sheet"
title = { en = "Our sheet", cs = "Náš list" }
summary = { en = "Two cells.", cs = "Dvě políčka.", pl = "Dwa pola." }
text = [{ en = "Play slowly.", cs = "Hrajte pomalu." }, "Only here."]
[rules]
upper = []
[[rules.cell]]
key = "chance"
title = { en = "Chance", cs = "Naše šance", pl = "Nasza szansa" }
[[rules.cell]]
key = "undo"
title = { en = "Undo", cs = "Smazat vše", pl = "Cofka" }
alike = 3
[[option]]
name = "quick"
title = { en = "quick", cs = "rychle" }
rules = { throws = 2 }
"""


@pytest.mark.parametrize(
    ("language", "title", "cells", "paragraph", "rule"),
    [
        ("cs", "Náš list", ["Naše šance", "Smazat vše"], "Hrajte pomalu.", "Rychle"),
        ("pl", "Our sheet", ["Nasza szansa", "Cofka"], "Play slowly.", "Quick"),
        ("en", "Our sheet", ["Chance", "Undo"], "Play slowly.", "Quick"),
    ],
)
def test_each_phone_is_shown_the_texts_in_its_language(
    app: Flask, client: FlaskClient, language: str, title: str, cells: list[str], paragraph: str, rule: str
) -> None:
    """English stands in for a language without a text; a cell that is called like a button leaves the button alone."""
    made = save(client, IN_LANGUAGES, "Our sheet").get_json()
    client.set_cookie("language", language)
    base = start(client, made["key"])
    pages = [page_of(client, each) for each in (made["page"], base, f"{base}/print", f"{base}/board", "/history", "/")]
    for shown in pages:
        assert title in shown.replace("\u00a0", " ")
    for address in (made["page"], f"{base}/rules?part", f"/rules/{made['key']}"):
        shown = page_of(client, address).replace("\u00a0", " ")
        for text in (*cells, paragraph, "Only here."):
            assert text in shown, (address, text)
    assert rule.casefold() in page_of(client, "/?all=1").casefold()
    found = re.search(r'<script type="application/json" id="setup">(.*?)</script>', pages[1], re.DOTALL)
    told = json.loads(found[1])["sentences"]["titles"]["category"]
    assert [each["text"] for each in told.values()] == cells
    texts = client.get(json.loads(found[1])["texts"][0]).get_json()["texts"]
    assert "Smazat vše" not in texts.values()


def test_games_of_one_name_differ_in_lists_by_their_rules(client: FlaskClient) -> None:
    """Among three, each says what tells it from both others; a game whose name is its own says no more."""
    ours = OURS.replace("Our Farkle", "Ours")
    higher = ours.replace("1_000", "5_000")
    keys = [save(client, file).get_json()["key"] for file in (ours, higher, higher.replace("2500", "2600"), SHEET)]
    table = start(client, keys[0])
    whole_game(Phone(client, table), 3)
    client.set_cookie("language", "cs")
    page = page_of(client, f"/?game={keys[1]}")
    shown = dict(re.findall(r'value="([a-z-]+\.\w+)"(?: checked)?>.*?<strong>(.*?)</strong>', page, re.DOTALL))
    words = [shown[key] for key in keys]
    assert words[3] == "Grandma&#39;s sheet"
    assert all(word.startswith("Ours · ") for word in words[:3])
    assert "(1 1 1 2 2 2): 2\u202f500 · " in words[0]
    assert words[0].endswith(": 1\u202f000")
    assert words[1].endswith(": 5\u202f000")
    assert "2\u202f600" in words[2]
    assert len({*words}) == 4
    for address in ("/history", "/history.csv", f"/history/player?name=Ada&game={keys[0]}"):
        assert words[0] in page_of(client, address), address
    for key in keys[1:3]:
        client.post(f"/g/{key.partition('.')[2]}/forget")
    assert words[0] not in page_of(client, "/")
    assert "<strong>Ours</strong>" in page_of(client, "/")
