"""Titles of games on pages: the names in them keep their own language, so that a screen reader says them rightly."""

import re

from markupsafe import Markup

from web.texts.languages import current, say

NAMES = {"Kości": "pl", "Farkle": "en", "Zilch": "en", "Yahtzee": "en", "Yatzy": "sv", "Knaster": "de"}
ANY_NAME = re.compile("|".join(NAMES))


def game_title(title: str) -> Markup:
    """The title in the language of the request. A name of another language is marked as such."""
    return Markup(ANY_NAME.sub(_mark_language, str(Markup.escape(say(title)))))


def _mark_language(found: re.Match[str]) -> str:
    name = found[0]
    return name if NAMES[name] == current() else f'<bdi lang="{NAMES[name]}">{name}</bdi>'
