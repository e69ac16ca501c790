"""Numbers, moments, commands and titles of games as people read them, for the templates.

The store has UTC, people have local time. Pages show a moment in this computer's time zone, and
`web/static/shared/moments.js` then in the phone's. Files have this computer's time with its offset from UTC. `number`
of `web/static/shared/text.js` writes numbers as `points` does. Names in titles keep their own language, so that a
screen reader says them rightly.
"""

import re
from datetime import datetime, timedelta, timezone
from typing import Any

from babel.dates import format_date, format_timedelta
from markupsafe import Markup, escape

from web.texts.languages import LANGUAGES, current, locale, say, translations
from web.texts.numbers import separators

LONG_NUMBER = re.compile(r"(?<![\w=.,])\d{4,}(?!\w)")
COMMAND = re.compile(r"--[a-z]+")
SOON_PAST = timedelta(days=7)
NAMES = {
    **dict.fromkeys(("Bunco", "Cheerio", "Chicago", "Crag", "Farkle", "Greed", "Hooligan", "Yacht", "Yahtzee"), "en"),
    **dict.fromkeys(("Zilch", "Zonk", "Pig", "Skunk"), "en"),
    **dict.fromkeys(("Knaster", "Kniffel", "Zehntausend"), "de"),
    "Generala": "es",
    "Kości": "pl",
    "Yam": "fr",
    "Yatzy": "sv",
}
ANY_NAME = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")


def points(value: int) -> str:
    """A number with its thousands separated in the language of the request: 10,000, 10.000 or 10 000."""
    return f"{value:,}".replace(",", separators(current())[0]).replace("-", "\u2212")


def mean(value: float) -> str:
    """A mean with one decimal in the language of the request: 1,234.5 or 1 234,5."""
    whole, _, decimal = f"{value:.1f}".replace("-", "\u2212").partition(".")
    return f"{group_thousands(whole)}{separators(current())[1]}{decimal}"


def group_thousands(text: str) -> str:
    """A sentence with the thousands of its long numbers separated."""
    return LONG_NUMBER.sub(lambda found: points(int(found.group())), text)


def commands(text: str) -> Markup:
    """A sentence with its `--options` marked as code, so that no line breaks inside one."""
    return Markup(COMMAND.sub(lambda found: f"<code>{found.group()}</code>", str(escape(text))))


def local(moment: str) -> datetime:
    """A stored moment (ISO 8601) by this computer's clock, with the offset from UTC that it had then."""
    return datetime.fromisoformat(moment.replace("Z", "+00:00")).astimezone()


def local_stamp(moment: str) -> str:
    """A stored moment in local time to the second, for files: 2026-11-23T20:30:00-05:00."""
    return local(moment).isoformat(timespec="seconds")


def local_date(moment: str) -> str:
    """The local day of a stored moment as ISO 8601, for titles and file names."""
    return local(moment).date().isoformat()


def day(moment: str) -> Markup:
    written = format_date(local(moment).date(), "medium", locale=locale(current()))
    return Markup('<time datetime="{}">{}</time>').format(moment, written)


def ago(moment: str) -> str:
    """How long ago a stored moment was, in the language of the request; after a week its day."""
    passed = datetime.now(timezone.utc) - local(moment)
    if passed > SOON_PAST:
        return day(moment)
    # After a clock was set back the page must not say "in 3 hours"; and seconds do not matter.
    return str(format_timedelta(-max(passed, timedelta(minutes=1)), add_direction=True, locale=locale(current())))


def game_title(title: str) -> Markup:
    """The title in the language of the request. A name of another language is marked as such."""
    return Markup(ANY_NAME.sub(_mark_language, str(Markup.escape(say(title)))))


# Names under which people look for a game and that are no title of it in any language.
OTHER_NAMES = {
    "farkle": "10000, Deset tisíc, Dziesięć tysięcy, Hot Dice, Kings Corners, Zilch",
    "zehntausend": "10000, Deset tisíc, Dziesięć tysięcy, Ten thousand, Macke",
    "five-thousand": "Pět tisíc, Pięć tysięcy, Fünftausend, Five thousand",
    "tysiac": "Tisíc, Tausend, 1000",
    "yahtzee": "Yatzee, Jahtzee, Kniffel, Kostky, Poker",
    "yatzy": "Jatzy, Yatzee, Jatsi",
    "kniffel": "Kniffeln, Pasch",
    "kosci-single": "Kostky, Poker, General",
    "pig": "Prase, Prasátko, Świnia, Schwein",
    "shut-the-box": "Zavři krabičku, Zamknij pudełko, Jackpot",
    "poker-dice": "Pokerové kostky, Poker w kości",
    "generala": "Generál",
    "mexico": "Mäxchen, Mia, Meyer",
}


def search_words(info: Any) -> str:
    """What a game is found by: its title in all languages, its other names and key, and its summary in the language of
    the request."""
    titles = dict.fromkeys(translations(language).gettext(info.title) for language in LANGUAGES)
    return " ".join((*titles, OTHER_NAMES.get(info.key, ""), info.key, say(info.summary)))


def _mark_language(found: re.Match[str]) -> str:
    name = found[0]
    return name if NAMES[name] == current() else f'<bdi lang="{NAMES[name]}">{name}</bdi>'


FILTERS: tuple[Any, ...] = (
    *(points, mean, group_thousands, commands),
    *(day, ago, local_date),
    *(game_title, search_words),
)
