"""The form on which people change a game: what it begins with, and what it shows of a changed game."""

import re
from collections.abc import Callable
from typing import Any

from scorer.categories import FACE_TITLES
from scorer.definitions.changed_game import ThrowWorth
from scorer.definitions.definition import DefinitionError, join_tables, read_definition, read_tables
from scorer.definitions.form_fields import (
    FAMILY_LISTS,
    LISTS,
    PATTERN_KINDS,
    CommonItem,
    common_items,
    fields_of,
)
from scorer.definitions.game_file import FAMILIES, GameFile
from scorer.definitions.patterns import MOST_DICE, Pattern
from scorer.definitions.rule_tables import SheetColumn
from scorer.definitions.toml_writer import toml_text
from scorer.definitions.trial_turns import TurnWorth
from scorer.games import all_infos, from_file, text_of
from scorer.texts import N_, Counter, Text
from web.own_games.kept_games import OwnGame
from web.own_games.process import LookedAt
from web.problems.problem import Problem
from web.table.names import check_shown, name_key
from web.texts.languages import LANGUAGES, current, say, say_count, say_with, translations

LONGEST_TITLE = 40
OUR_WAY = N_("{game}, our way")
KEY = "ours"  # of a game that is looked at; saved ones have keys of their own
SAID = ("title", "summary", "text", "says")  # keys of a file's texts
DIGEST = re.compile(r"[0-9a-f]{8,64}")


def form_of(game: str, text: str, tried: LookedAt) -> dict[str, Any]:
    """What the form that changes a game begins with. `game`: its key or digest; `text`: its file."""
    family = read_definition(text, KEY).file.family
    tables = dict(join_tables(read_tables(text, game)))
    title, name = _local(tables["title"]), FAMILY_LISTS.get(family, "")
    rules = FAMILIES[family]
    return {
        "base": game,
        "title": title,
        "names": _suggested_names(tables["title"], own=not from_file(game)),
        "tables": tables,
        "list": name,
        "fields": {
            "file": _as_fields(GameFile),
            "rules": _as_fields(rules),
            "item": _as_fields(LISTS[name]) if name else [],
            "column": _as_fields(SheetColumn) if family == "sheet" else [],
            "pattern": _as_fields(Pattern) if name else [],
        },
        "upper": [{"value": key, "title": _say(Text(title))} for key, title in FACE_TITLES],
        "kinds": [{"value": value, "title": _say(title)} for value, title in PATTERN_KINDS.items()],
        "looks": [{"tables": each.tables, **_as_look(each)} for each in tried.looks],
        "common": [{"tables": each.tables, **_as_look(each)} for each in common_items(family, MOST_DICE)],
        "tried": description(tried),
        "language": current(),
        "languages": LANGUAGES,
    }


def check_titles(tried: LookedAt) -> None:
    """Raises `Problem` for a name that a game which comes along has, or that cannot be shown."""
    titles = [each for info in all_infos() for each in _in_all_languages(Text(info.title)).values()]
    known = {name_key(each) for each in titles}
    for _, title in tried.titles:
        check_shown(title)
        if name_key(title) in known:
            raise Problem("game-name-known", name=title, at=["title"])


def own_worth(tried: LookedAt) -> dict[str, Any] | None:
    """What the throw that a person tapped is worth; None without one."""
    return None if tried.own is None else _as_worth(tried.own, say_with(tried.wordings))


def text_of_base(base: str, find: Callable[[str], OwnGame]) -> str | None:
    """The file of a game that comes along, or that somebody made; None if there is none. `find`: the game of a
    digest."""
    if from_file(base):
        text = toml_text(_in_own_language(read_tables(text_of(base), base)))
        try:
            read_definition(text, KEY)
        except DefinitionError:  # a translation is longer than a file's text may be
            return text_of(base)
        return text
    return find(base).file if DIGEST.fullmatch(base) else None


def _in_own_language(tables: Any, is_text: bool = False) -> Any:
    """Tables of a game that comes along, with its texts as this phone shows them beside the English ones."""
    if isinstance(tables, dict):
        return {
            name: _in_own_language(each, name in ("title", "summary", "text", "says")) for name, each in tables.items()
        }
    if isinstance(tables, list):
        return [_in_own_language(each, is_text) for each in tables]
    if not is_text or not tables or (said := say(tables).replace("\u00a0", " ")) == tables:
        return tables
    return {"en": tables, current(): said}


def _suggested_names(title: Any, own: bool) -> dict[str, str]:
    """Names by language that are not too long: in that of the request, and where people wrote one of their own."""
    wanted = {current(), *(title if own and isinstance(title, dict) else ())}
    names = {
        language: translations(language).gettext(OUR_WAY).format(game=_local(title, language)).replace("\u00a0", " ")
        for language in sorted(wanted & LANGUAGES.keys(), key=lambda each: each != current())
    }
    return {language: name for language, name in names.items() if len(name) <= LONGEST_TITLE}


def _local(text: Any, language: str = "") -> str:
    """A text of a file in a language, by default that of the request."""
    found: str = text if isinstance(text, str) else text.get(language or current(), text["en"])
    return found


def _say(text: Text | None, say_text: Callable[[str], str] = say) -> str:
    # Without this, the catalogue's own head would be said for an empty text.
    return "" if text is None or not text.template else text.render(say_text, say_count)


def _in_all_languages(text: Text) -> dict[str, str]:
    def count_in(language: str) -> Counter:
        def form(one: str, many: str, count: int, /, **params: Any) -> str:
            return translations(language).ungettext(one, many, count).format(count=count, **params)

        return form

    said = {language: text.render(translations(language).gettext, count_in(language)) for language in LANGUAGES}
    return {language: each.replace("\u00a0", " ") for language, each in said.items()}


def _as_look(item: CommonItem) -> dict[str, Any]:
    words, title = _say(item.words), item.tables.get("title")
    usual = Text(item.cell_title) if item.cell_title else item.words
    shown = _local(title) if title else _say(usual) or words
    titles = {} if usual is None else _in_all_languages(usual)
    return {"dice": item.dice, "words": words, "title": shown, "titles": titles}


def _as_fields(kind: type) -> list[dict[str, Any]]:
    return [
        {
            **field._asdict(),
            "title": _say(field.title),
            "texts": _in_all_languages(field.title) if field.kind == "choice" else {},
            "choices": [
                {"value": value, "title": _say(title), "texts": _in_all_languages(title)}
                for value, title in field.choices
            ],
        }
        for field in fields_of(kind)
    ]


def description(tried: LookedAt) -> dict[str, Any]:
    say_own = say_with(tried.wordings)
    return {
        "toml": tried.text,
        "worth": [_as_worth(throw, say_own) for throw in tried.throws],
        "left_out": [_say(each, say_own) for each in tried.left_out],
        "turns": [_as_turn(turn) for turn in tried.turns],
        "looks": [_as_look(each) for each in tried.looks],
    }


def _as_turn(turn: TurnWorth) -> dict[str, Any]:
    """A short turn; a refusal to bank is a sentence in place of its points."""
    worth, before = (_say(each) if isinstance(each, Text) else each for each in (turn.worth, turn.before))
    return {"title": _say(turn.title), "throws": turn.throws, "worth": worth, "before": before}


def _as_worth(throw: ThrowWorth, say_own: Callable[[str], str]) -> dict[str, Any]:
    parts = [{"dice": part.dice, "title": _say(part.title, say_own), "points": part.points} for part in throw.parts]
    return {"dice": throw.dice, "worth": throw.worth, "before": throw.before, "how": parts}
