"""A language that the table gets: partly translated, and unknown to Babel."""

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.phones import start
from web.texts import languages
from web.texts.language_table import TABLE, Language
from web.texts.languages import LANGUAGES

CODE = "xq"
BEGUN = """msgid ""
msgstr ""
"Language: xq\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=utf-8\\n"

#: web/templates/base.html
msgid "New table"
msgstr "Nuvu mesu"

#: web/templates/start.html web/static/review.js
msgid "{count} die"
msgid_plural "{count} dice"
msgstr[0] "{count} kubu"
msgstr[1] ""
"""


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for code in LANGUAGES:
        if (languages.FOLDER / code).exists():
            (tmp_path / code).symlink_to(languages.FOLDER / code)
    (tmp_path / CODE / "LC_MESSAGES").mkdir(parents=True)
    (tmp_path / CODE / "LC_MESSAGES" / "messages.po").write_text(BEGUN, encoding="utf-8")
    monkeypatch.setattr(languages, "FOLDER", tmp_path)
    monkeypatch.setitem(TABLE, CODE, Language(CODE, "XQ", "Xquish", partly=True))
    monkeypatch.setitem(LANGUAGES, CODE, "Xquish")


@pytest.mark.usefixtures("begun")
def test_every_page_opens_and_says_what_is_missing_in_english(client: FlaskClient) -> None:
    base = start(client, "ones-and-fives", "Ada", "Bob")
    client.set_cookie("language", CODE)
    of_table = [f"{base}{page}" for page in ("", "/board", "/print", "/rules", "/statistics", "/luck")]
    paths = ["/", "/join", "/history", "/help", "/games/yatzy/edit", "/rules/yatzy", "/history/files", *of_table]
    pages = {}
    for path in paths:
        answer = client.get(path, follow_redirects=True)
        assert answer.status_code == 200, path
        pages[path] = answer.get_data(as_text=True)
        assert f'<html lang="{CODE}">' in pages[path], path
    assert "Nuvu mesu" in pages["/"]
    assert "Which game?" in pages["/"]
    assert "Xquish (0%)" in pages["/"]
    assert "0% of the texts are translated into this language." in pages["/help"]
    with client.application.test_request_context(headers={"Cookie": f"language={CODE}"}):
        assert languages.say_count("{count} die", "{count} dice", 2) == "2 dice"
        assert languages.say_count("{count} die", "{count} dice", 1) == "1 die"
