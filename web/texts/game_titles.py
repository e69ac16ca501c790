"""Titles of games on pages: the names in them keep their own language, so that a screen reader says them rightly."""

import re
from typing import Any

from markupsafe import Markup

from web.texts.languages import LANGUAGES, current, say, translations

NAMES = {
    **dict.fromkeys(("Bunco", "Cheerio", "Chicago", "Crag", "Farkle", "Greed", "Hooligan", "Yacht", "Yahtzee"), "en"),
    **dict.fromkeys(("Zilch", "Zonk", "Pig"), "en"),
    **dict.fromkeys(("Knaster", "Kniffel", "Zehntausend"), "de"),
    "Generala": "es",
    "Kości": "pl",
    "Yam": "fr",
    "Yatzy": "sv",
}
ANY_NAME = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")


def game_title(title: str) -> Markup:
    """The title in the language of the request. A name of another language is marked as such."""
    return Markup(ANY_NAME.sub(_mark_language, str(Markup.escape(say(title)))))


def search_words(info: Any) -> str:
    """What a game is found by: its title in all languages, its key, and its summary in that of the request."""
    titles = dict.fromkeys(translations(language).gettext(info.title) for language in LANGUAGES)
    return " ".join((*titles, info.key, say(info.summary)))


def _mark_language(found: re.Match[str]) -> str:
    name = found[0]
    return name if NAMES[name] == current() else f'<bdi lang="{NAMES[name]}">{name}</bdi>'
