"""The page that changes a game, and what it asks: a file and what throws are worth, or one refusal that says where."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from scorer.definitions.definition import join_tables
from scorer.games import from_file, game_of_file, keys, text_of
from tests.web.apps import create_app
from web.limits.visitor_limits import Limit
from web.own_games import form
from web.pages import own_games
from web.pages.operations import JSON_LIMIT
from web.services import services
from web.texts.languages import LANGUAGES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FROM_FILES = [key for key in keys() if from_file(key)]
OTHERS = [key for key in keys() if not from_file(key)]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One for all tests here: nothing is stored."""
    made = create_app(tmp_path_factory.mktemp("editor"))
    yield made
    services(made).close()


def farkle(**rules: Any) -> dict[str, Any]:
    tables = tomllib.loads(text_of("farkle"))
    tables["title"] = "Our Farkle"
    tables["rules"].update(rules)
    return tables


def ask(client: FlaskClient, definition: Any, language: str = "en", **more: Any) -> Any:
    body = json.dumps({"definition": definition, **more})  # which escapes what no UTF-8 can hold
    headers = {"Accept-Language": language}
    return client.post("/games/try", data=body, content_type="application/json", headers=headers)


def message(answer: Any) -> str:
    assert answer.status_code == 422, answer.text
    return answer.json["detail"]


def setup_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="setup">(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


@pytest.mark.parametrize("key", FROM_FILES)
def test_every_game_from_a_file_has_a_form_with_its_tables(client: FlaskClient, key: str) -> None:
    answer = client.get(f"/games/{key}/edit")
    assert answer.status_code == 200
    setup = setup_of(answer.get_data(as_text=True))
    assert setup["tables"] == join_tables(tomllib.loads(text_of(key)))
    assert len(setup["looks"]) == len(setup["tables"]["rules"].get(setup["list"], []))
    assert len(setup["tried"]["worth"]) >= 1 or not game_of_file(text_of(key), key)().dice
    named = {**setup["tables"], "title": setup["names"].get("en", "Ours")}
    assert ask(client, named, before=key).status_code == 200


@pytest.mark.parametrize("key", OTHERS)
def test_other_games_have_no_form_and_no_link(client: FlaskClient, key: str) -> None:
    assert client.get(f"/games/{key}/edit").status_code == 404
    assert "/edit" not in client.get(f"/rules/{key}").get_data(as_text=True)
    games = re.search(r'data-games="([^"]*)"', client.get("/").get_data(as_text=True))
    assert key not in games[1].split()
    assert games[1].split() == FROM_FILES


@pytest.mark.parametrize(
    "path", ["/games/no-such/edit", "/games/..%2Ffarkle/edit", "/g/0123456789abcdef/edit", "/g/x/edit"]
)
def test_what_is_not_there_has_no_form(client: FlaskClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    ("language", "penalty", "tower"),
    [
        ("en", "turns in a row without points, and the points that they cost, such as 3, 500", "Tower"),
        (
            "de",
            "Züge ohne Punkte nacheinander und die Punkte, die sie kosten, etwa 3, 500",
            {"en": "Tower", "de": "Turm"},
        ),
    ],
)
def test_the_form_speaks_the_phones_language(client: FlaskClient, language: str, penalty: str, tower: Any) -> None:
    client.set_cookie("language", language)
    setup = setup_of(client.get("/games/farkle/edit").get_data(as_text=True))
    titles = {field["name"]: field["title"] for field in setup["fields"]["rules"]}
    assert titles["penalty"] == penalty
    cells = setup_of(client.get("/games/maxi-yatzy/edit").get_data(as_text=True))["tables"]["rules"]["cell"]
    assert tower in [cell.get("title") for cell in cells]


@pytest.mark.parametrize("language", sorted(LANGUAGES.keys() - {"en"}))
def test_translations_of_games_are_short_enough_for_their_files(app: Flask, language: str) -> None:
    with app.test_request_context(headers={"Cookie": f"language={language}"}):
        texts = {key: form.text_of_base(key, services(app).own_game) for key in FROM_FILES}
    assert [key for key, text in texts.items() if text is None or f"{language} = " not in text] == []


def test_a_game_with_too_long_a_translation_is_changed_in_english(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(form, "say", lambda text, **_: text * 40)
    assert setup_of(client.get("/games/pig/edit").get_data(as_text=True))["tables"]["title"] == "Pig"


def test_so_many_alike_are_said_in_their_plural(client: FlaskClient) -> None:
    client.set_cookie("language", "cs")
    looks = setup_of(client.get("/games/farkle/edit").get_data(as_text=True))["looks"]
    assert [look["words"] for look in looks[2:6]] == ["3 stejné", "4 stejné", "5 stejných", "6 stejných"]
    tables = farkle()
    tables["rules"]["combination"].append({"run": 5, "points": 900})
    title = ask(client, tables, shown=9).json["worth"][0]["how"][0]["title"]
    assert title.replace("\u00a0", " ") == "postupka o 5 kostkách"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_is_not_there_is_not_said(client: FlaskClient, language: str) -> None:
    client.set_cookie("language", language)
    page = client.get("/games/farkle/edit").get_data(as_text=True)
    assert "Project-Id" not in page
    answer = ask(client, farkle(), language, throw=[1])
    assert [part["title"] for part in answer.json["own"]["how"]] == [""]


def test_a_change_is_answered_with_a_file_and_what_throws_are_worth(client: FlaskClient) -> None:
    tables = farkle(target=5000, penalty=[3, 1000])
    tables["rules"]["combination"].append({"groups": [3, 2], "points": 1500})
    answer = ask(client, tables, before="farkle", shown=9, throw=[5, 1, 1, 1])
    assert answer.status_code == 200
    assert answer.json["worth"][0] == {
        "dice": [1, 1, 4, 4, 4],
        "worth": 1500,
        "before": 600,
        "how": [{"dice": [1, 1, 4, 4, 4], "title": "three of one and two of another", "points": 1500}],
    }
    assert [part["points"] for part in answer.json["own"]["how"]] == [300, 50]
    assert tomllib.loads(answer.json["toml"])["rules"] == tables["rules"]
    assert answer.json["left_out"] == ["three busts in a row"], "its values would undo the penalty"


def test_without_the_game_before_throws_have_their_worth_alone(client: FlaskClient) -> None:
    answer = ask(client, farkle())
    assert [throw["before"] for throw in answer.json["worth"]] == [None] * 3
    assert answer.json["own"] is None


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "points that win the game"), ("cs", "body potřebné k vítězství"), ("pl", "punkty potrzebne do wygranej")],
)
def test_a_refusal_says_in_the_readers_language_which_field(client: FlaskClient, language: str, said: str) -> None:
    answer = ask(client, farkle(target="abc"), language)
    assert said in message(answer).replace("\u00a0", " ")
    assert "rules" not in message(answer)
    assert answer.json["params"]["at"] == ["rules", "target"]


@pytest.mark.parametrize(
    "title", ["Farkle", "FARKLE", "Farkle, vaše tabulka", "a\u202eb", "a\u200bb", "", "x" * 41, "<{x}>"]
)
def test_a_name_must_be_ones_own_and_be_seen(client: FlaskClient, title: str) -> None:
    assert ask(client, {**farkle(), "title": title}, before="farkle").status_code == 422


DEEP: Any = []
for _ in range(25):
    DEEP = [DEEP]


HOSTILE: list[Any] = [
    {},
    {"family": "no-such"},
    {"family": ["sheet"]},
    farkle(dice=13),
    farkle(dice=1 << 70),
    farkle(dice=True),
    farkle(dice=6.0),
    farkle(combination=[]),
    farkle(combination=[{"dice": [1], "points": 1}] * 41),
    farkle(combination=7),
    farkle(combination=[DEEP]),
    farkle(no_such=1),
    {**farkle(), "rules": None},
    {**farkle(), "rules": DEEP},
    {**farkle(), "option": DEEP},
    {**farkle(), "option": [{"name": "target", "rules": DEEP}]},
    {**farkle(), "example": [{"worth": 1, "dice": [1], "options": {"target": DEEP}}] * 61},
    {**farkle(), "title": {"cs": "Jen česky"}},
    {**farkle(), "text": ["x"] * 13},
    {**farkle(), "\ud800": 1},
    farkle(**{"a\nb": 1}),
    {**farkle(), "title": "\ud800"},
]


def test_hostile_definitions_are_refused_in_one_sentence(client: FlaskClient) -> None:
    for definition in HOSTILE:
        answer = ask(client, definition, before="farkle")
        assert answer.status_code in (400, 422), (definition, answer.text)
        assert 5 < len(answer.json["detail"]) < 400, definition


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{",
        b'{"definition": []}',
        b'{"definition": {"a": NaN}}',
        b'{"definition": ' + b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"}",
        b'{"definition": {}, "throw": [7]}',
        b'{"definition": {}, "throw": [1,1,1,1,1,1,1,1,1,1,1,1,1]}',
        b'{"definition": {}, "shown": 99999999999999999999}',
        b'{"definition": {}, "before": 7}',
    ],
)
def test_what_is_no_question_is_refused(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/games/try", data=body, content_type="application/json")
    assert answer.status_code == 400


def test_a_body_that_is_too_large_is_refused(client: FlaskClient) -> None:
    answer = ask(client, {"title": "x" * JSON_LIMIT})
    assert answer.status_code == 413


def test_nothing_is_stored_and_no_phone_asks_without_end(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_games, "TRIES", Limit("try", 3, 30, 3600, "too-many-steps"))
    from_afar = {"REMOTE_ADDR": "203.0.113.7"}
    answers = [client.post("/games/try", json={"definition": {}}, environ_base=from_afar).status_code for _ in range(4)]
    assert set(answers[:-1]) == {422}
    assert answers[-1] == 429
