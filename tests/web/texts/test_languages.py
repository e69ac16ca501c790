"""The languages: complete, with the right plurals, and chosen by the phone."""

import json
import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer.reasons
import vision.reasons
import web
from scorer.refusals import IllegalAction
from tests.web import hard_coded
from tests.web.phones import start
from web.pages.errors import sentence
from web.pages.static import later_scripts, text_parts
from web.problems import reasons
from web.texts import catalogues
from web.texts.language_table import TABLE
from web.texts.languages import LANGUAGES, catalogue, say_count, translations
from web.texts.script_texts import script_texts, text_key

TRANSLATED = sorted(set(LANGUAGES) - {"en"})
WHOLE = [code for code in TRANSLATED if not TABLE[code].partly]
NAMES = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_text_is_missing(language: str) -> None:
    texts = {text for text, _ in catalogues.messages()}
    written = catalogues.read_catalogue(language)
    known = {message.id if isinstance(message.id, str) else message.id[0] for message in written}
    assert texts - known == set(), "run python -m web.texts.catalogues and translate what is new"
    assert known - texts - {""} == set(), "run python -m web.texts.catalogues: these are no longer used"
    assert language not in WHOLE or catalogues.untranslated_texts(written) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_figures_have_one_name(language: str) -> None:
    titles = [*scorer.Table(scorer.game("drapky"), ["Ada"]).standing()["titles"].values(), "Total"]
    assert len({translations(language).ugettext(title) for title in titles}) == len(titles) == 15


OF_GAMES = {
    "cs": ("Patnáct políček s dvojicemi, jak se hraje na severu.", "Věž"),
    "de": ("Fünfzehn Felder mit Paaren, wie man im Norden spielt.", "Turm"),
    "pl": ("Piętnaście pól z parami, jak gra się", "Wieża"),
}


@pytest.mark.parametrize("language", OF_GAMES)
def test_texts_of_games_from_files_are_shown_in_every_language(language: str) -> None:
    """On pages; and in scripts the titles of cells."""
    said, tower = OF_GAMES[language]
    summary = scorer.game("yatzy").info.summary
    assert translations(language).gettext(summary).replace("\u00a0", " ").startswith(said)
    texts = json.loads(script_texts(language)[0])["texts"]
    assert texts[text_key("Tower")] == tower
    assert text_key(summary) not in texts  # only the server shows it


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_two_texts_have_one_key(language: str) -> None:
    sent = (script_texts(language, part, text_parts())[0] for part in ("first", *dict(text_parts())))
    parts = [json.loads(each)["texts"] for each in sent]
    said = [text for text, _ in catalogues.messages()]
    assert len({text_key(text) for text in said}) == len(set(said)), "change a word of one of them"
    assert sum(map(len, parts)) == len({key for part in parts for key in part})
    assert all(parts) or TABLE[language].partly
    assert text_key("Tower") == "fa82b60"  # as in tests/scripts/text.test.mjs


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_fill_in_the_same_names(language: str) -> None:
    wrong = []
    for message in catalogue(language):
        if not message.id:
            continue
        plural = isinstance(message.id, tuple)
        wanted = set(NAMES.findall(message.id[1] if plural else message.id))
        for form in message.string if plural else (message.string,):
            if set(NAMES.findall(form)) != wanted:
                wrong.append((message.id, form))
    assert wrong == []


def test_no_reason_stands_for_two_sentences() -> None:
    tables = (scorer.reasons.REASONS, vision.reasons.REASONS, reasons.REASONS)
    assert len({key for table in tables for key in table}) == sum(len(table) for table in tables)


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", ["1 die", "2 dice", "5 dice", "12 dice", "22 dice", "25 dice"]),
        ("cs", ["1 kostka", "2 kostky", "5 kostek", "12 kostek", "22 kostek", "25 kostek"]),
        ("de", ["1 Würfel", "2 Würfel", "5 Würfel", "12 Würfel", "22 Würfel", "25 Würfel"]),
        ("pl", ["1 kość", "2 kości", "5 kości", "12 kości", "22 kości", "25 kości"]),
    ],
)
def test_plurals(app: Flask, language: str, forms: list[str]) -> None:
    with app.test_request_context(headers={"Cookie": f"language={language}"}):
        assert [say_count("{count} die", "{count} dice", count) for count in (1, 2, 5, 12, 22, 25)] == forms


def test_scripts_are_told_how_a_language_counts() -> None:
    """As tests/scripts/page.mjs has it."""
    told = {code: json.loads(script_texts(code)[0]) for code in ("cs", "de", "pl", "en")}
    assert {code: each["voice"] for code, each in told.items()} == {
        "cs": "cs-CZ",
        "de": "de-DE",
        "pl": "pl-PL",
        "en": "en-GB",
    }
    assert {code: each["numbers"] for code, each in told.items()} == {
        "cs": {"forms": {"one": 0, "few": 1, "other": 2}, "thousands": "\u202f"},
        "de": {"forms": {"one": 0, "other": 1}, "thousands": "."},
        "pl": {"forms": {"one": 0, "few": 1, "many": 2}, "thousands": "\u202f"},
        "en": {"forms": {"one": 0, "other": 1}, "thousands": ","},
    }


def test_the_phone_chooses_and_may_change(client: FlaskClient) -> None:
    assert "Nowy stół" in client.get("/", headers={"Accept-Language": "pl,en;q=0.5"}).get_data(as_text=True)
    assert "New table" in client.get("/", headers={"Accept-Language": "fr"}).get_data(as_text=True)
    changed = client.post("/settings", data={"language": "cs", "back": "/help"})
    assert changed.headers["Location"] == "/help"
    assert "Nový stůl" in client.get("/", headers={"Accept-Language": "pl"}).get_data(as_text=True)
    assert client.post("/settings", data={"back": "//evil.example"}).headers["Location"] == "/"


TOO_MANY_LEFT = {
    "en": {1: "1 die is left; at most 0", 3: "3 dice are left; at most 2", 5: "5 dice are left; at most 2"},
    "cs": {
        1: "Zbývá 1 kostka; zapsat smíte nejvýš se 0",
        3: "Zbývají 3 kostky; zapsat smíte nejvýš se 2",
        5: "Zbývá 5 kostek; zapsat smíte nejvýš se 2",
    },
    "de": {
        1: "1 Würfel ist übrig; zum Sichern höchstens 0",
        3: "3 Würfel sind übrig; zum Sichern höchstens 2",
    },
    "pl": {
        1: "Została 1 kość, zapisać można najwyżej przy 0",
        3: "Zostały 3 kości, zapisać można najwyżej przy 2",
        5: "Zostało 5 kości, zapisać można najwyżej przy 2",
    },
}


@pytest.mark.parametrize("language", sorted(TOO_MANY_LEFT))
def test_a_counted_refusal_takes_the_form_of_its_number(app: Flask, language: str) -> None:
    for left, words in TOO_MANY_LEFT[language].items():
        refusal = IllegalAction("too-many-dice-left", left=left, allowed=2 if left > 1 else 0)
        with app.test_request_context(headers={"Cookie": f"language={language}"}):
            assert sentence(refusal).startswith(words)
            told = json.loads(script_texts(language)[0])["reasons"]["too-many-dice-left"]
            assert (told["by"], len(told["forms"])) == ("left", 2 if language in ("de", "en") else 3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_opens_in_every_language(client: FlaskClient, language: str) -> None:
    base = start(client, "knaster", "Ada", "Bob")
    client.set_cookie("language", language)
    games = [f"/rules/{info.key}" for info in scorer.games()]
    of_table = [f"{base}/{page}" for page in ("board", "print", "rules", "statistics", "luck")]
    paths = ["/", "/join", "/history", "/help", base, *of_table, *games]
    for path in [*paths, "/manifest.webmanifest"]:
        answer = client.get(path)
        assert answer.status_code == 200, path
        if path != "/manifest.webmanifest":
            assert f'<html lang="{language}">' in answer.get_data(as_text=True) or path.endswith("part")


def test_the_scripts_texts_are_kept_by_their_hash(client: FlaskClient) -> None:
    for part in ("first", "later", "cells", "knaster", "points", "score-pad"):
        body, tag = script_texts("cs", part, text_parts())
        answer = client.get(f"/texts{'' if part == 'first' else f'/{part}'}/cs-{tag}.json")
        assert answer.get_data(as_text=True) == body
        assert "immutable" in answer.headers["Cache-Control"]
    assert "immutable" not in client.get("/texts/cs-old.json").headers["Cache-Control"]
    assert client.get("/texts/xx-old.json").status_code == 404
    assert client.get("/texts/none/cs-old.json").status_code == 404


def test_a_table_does_not_wait_for_the_texts_of_setting_a_phone_up_as_its_camera() -> None:
    assert {"web/static/pages/camera-setup.js", "web/static/camera/stand.js"} <= later_scripts()


PAGES = sorted(Path(web.__file__).parent.rglob("templates/*.html"))
SCRIPTS = sorted((Path(web.__file__).parent / "static").rglob("*.js"))


ENGLISH_ALONE = {"api.html"}  # for people who write programs


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in ENGLISH_ALONE], ids=lambda path: path.name)
def test_no_template_shows_text_in_one_language_only(page: Path) -> None:
    assert hard_coded.in_template(page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_script_shows_text_in_one_language_only(script: Path) -> None:
    assert hard_coded.in_script(script.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('<p class="a b">{{ t("Hello you") }} · {{ name | join(", ") }} 3×</p>', []),
        ("<p>Hello</p>", ["Hello"]),
        ('<img alt="Two dice" src="x">', ["Two dice"]),
        ("<script>const a = 'Not shown';</script>{# Nor this #}", []),
        ('<b>{{ "Hello you" if new else t("Welcome back") }}</b>', ["Hello you"]),
    ],
)
def test_text_in_a_template_is_noticed(source: str, texts: list[str]) -> None:
    assert hard_coded.in_template(source) == texts


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('show(html`<p class="a b">${t("Hello you")}</p>`);', []),
        ("show(html`<p>${name} wins</p>`);", ["{} wins"]),
        ('show(html`<ul>${all.map((one) => html`<li aria-label="A die">${one}</li>`)}</ul>`);', ["A die"]),
        ('toast("No connection.");', ["No connection."]),
        ('toast(tn("{count} die", "{count} dice", 2)); // No text here', []),
        ("toast(`Step ${number} is undone`);", ["Step {} is undone"]),
        ('const quote = /["\'`]/g, half = a / b; toast("Not so fast");', ["Not so fast"]),
        ('node.className = "button primary"; ask("Content-Type", "image/png"); pick(\'[name="player"]:checked\');', []),
        ("const a = { b: { c: `${d({ e: 1 })}` } }; say(`Well done, ${name}`);", ["Well done, {}"]),
    ],
)
def test_text_in_a_script_is_noticed(source: str, texts: list[str]) -> None:
    assert hard_coded.in_script(source) == texts
