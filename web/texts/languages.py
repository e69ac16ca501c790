"""The language of a request, and texts in it.

The msgid of a text is its English form; `{names}` are filled in after translating. The catalogues are the `.po` files
in web/translations. They are read directly, so no compiled file can be older than its source. A text that a language
lacks is shown in English.
"""

import functools
import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import flask_babel
from babel import localedata
from babel.core import default_locale
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations
from flask import Flask, g, has_request_context, request

from web.texts.language_table import TABLE

LANGUAGES = {each.code: each.name for each in TABLE.values()}
DEFAULT = "en"
COOKIE = "language"
FOLDER = Path(__file__).parent.parent / "translations"
ONE_LETTER = re.compile(r"(?<![^\s(„])([aiouwzksvAIOUWZKSV]) ")


class _Domain(flask_babel.Domain):  # type: ignore[misc]
    """Flask-Babel's domain, with catalogues from the .po files."""

    def get_translations(self) -> Translations:
        return translations(current())


_domain = _Domain()


def say(text: str, /, **params: Any) -> str:
    """`text` in the language of the request, its `{names}` filled in."""
    said: str = _domain.gettext(text) if has_request_context() else text
    return said.format(**params) if params else said


def say_with(wordings: Mapping[str, Mapping[str, str]]) -> Callable[[str], str]:
    """`say` for texts of a game that people made, in their own words: by the English form, then by language."""

    def say_own(text: str) -> str:
        return wordings.get(text, {}).get(current()) or say(text)

    return say_own


def say_count(one: str, many: str, count: int, /, **params: Any) -> str:
    """The form of a text for `count` in the language of the request, its `{count}` and `{names}` filled in."""
    if has_request_context():
        said: str = _domain.get_translations().ungettext(one, many, count)
    else:
        said = one if count == 1 else many
    return said.format(count=count, **params)


def current() -> str:
    """The language of this request: the phone's choice, else the first of the browser's that we have, else English."""
    if not has_request_context():
        return DEFAULT
    if "language" not in g:
        chosen = request.cookies.get(COOKIE)
        if chosen not in LANGUAGES:
            chosen = request.accept_languages.best_match(list(LANGUAGES), default=DEFAULT)
        g.language = chosen
    language: str = g.language
    return language


def path_of(language: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / "messages.po"


def read_catalogue(language: str) -> Catalog:
    """The catalogue as written in the repository; for English one without texts."""
    if not path_of(language).exists():
        return Catalog(locale=language)
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language)


@functools.cache  # bounded: languages of this program
def catalogue(language: str) -> Catalog:
    """The catalogue ready to be shown: whole translations alone, short words bound to the next."""
    found = read_catalogue(language)
    for message in [each for each in found if each.id and not is_whole(each, found)]:
        found.delete(message.id)
    for message in found:
        message.string = _bind_short_words(message.string)
    return found


def is_whole(message: Message, its_catalogue: Catalog) -> bool:
    """Whether a text has all its forms, none of them marked as a guess."""
    forms = forms_of(message)
    wanted = its_catalogue.num_plurals if message.pluralizable else 1
    return not message.fuzzy and len(forms) == wanted and all(forms)


def forms_of(message: Message) -> tuple[str, ...]:
    """A translation's plural forms; of a text that is not counted, the one that it has."""
    said: Any = message.string
    return tuple(said) if message.pluralizable else (said or "",)


@functools.cache  # bounded: languages of this program
def translated_percent(language: str) -> int:
    """How many of the texts are translated, in per cent; 100 means all."""
    if not TABLE[language].partly:
        return 100
    return 100 * len(catalogue(language)) // max(len(catalogue(each)) for each in LANGUAGES)


def language_names() -> dict[str, str]:
    """The languages as a phone chooses among them: one that is partly translated says how far."""
    shares = {code: translated_percent(code) for code in LANGUAGES}
    return {code: name if shares[code] == 100 else f"{name} ({shares[code]}%)" for code, name in LANGUAGES.items()}


@functools.cache  # bounded: languages of this program
def locale(language: str) -> str:
    """The locale for numbers and days in a language: English where Babel does not know it."""
    return language if localedata.exists(language) else DEFAULT


def _bind_short_words(text: Any) -> Any:
    """Binds one-letter words to the next word: in many languages none may end a line."""
    if isinstance(text, str):
        return ONE_LETTER.sub("\\1\u00a0", text)
    return text if text is None else tuple(_bind_short_words(form) for form in text)


@functools.cache  # bounded: languages of this program
def translations(language: str) -> Translations:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(language))
    compiled.seek(0)
    return Translations(compiled)


def install(app: Flask) -> None:
    flask_babel.Babel(app, default_locale=DEFAULT, locale_selector=lambda: locale(current()))
    app.jinja_env.globals.update(t=say, tn=say_count, language=current, language_names=language_names)
    app.jinja_env.globals.update(translated_percent=translated_percent)


def system_language() -> str:
    """The language of whoever runs this process, by the usual variables such as LANG; English if we do not have it."""
    chosen = (default_locale(("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")) or DEFAULT).partition("_")[0]
    return chosen if chosen in LANGUAGES else DEFAULT
