"""The page on which people change a game from a file, and what their changes are worth. It stores nothing."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify, render_template, url_for
from msgspec import Meta, Struct

from scorer.definitions.changed_game import ThrowWorth
from scorer.definitions.definition import Definition, read_definition, read_tables
from scorer.definitions.form_fields import (
    FAMILY_LISTS,
    LISTS,
    PATTERN_KINDS,
    CommonItem,
    common_item,
    common_items,
    fields_of,
)
from scorer.definitions.game_file import FAMILIES, GameFile
from scorer.definitions.patterns import MOST_DICE, Pattern
from scorer.definitions.trial_turns import TurnWorth
from scorer.games import all_infos, from_file, keys, text_of
from scorer.texts import N_, Counter, Text
from web.checking.questions import LookedAt
from web.common.problems import Problem
from web.limits.visitor_limits import TRIES
from web.pages.access import count, payer, services
from web.pages.bodies import body
from web.pages.static import later_scripts
from web.table.names import check_shown, fold
from web.texts.languages import LANGUAGES, current, say, say_count, say_with, translations
from web.texts.script_texts import script_texts

LONGEST_TITLE = 40
OUR_WAY = N_("{game}, our way")
KEY = "ours"  # of a game that is looked at; saved ones have keys of their own
DIGEST = re.compile(r"[0-9a-f]{8,64}")

blueprint = Blueprint("game_editor", __name__)


class Trial(Struct, frozen=True):
    """A game in the tables of a file. `before`: the key or digest of the game that it was made from; `shown`: the place
    of the combination or cell that the first throw shall show; `throw`: dice that a person tapped.
    """

    definition: dict[str, Any]
    before: str = ""
    shown: Annotated[int, Meta(ge=-1, le=40)] = -1
    throw: Annotated[Sequence[Annotated[int, Meta(ge=1, le=6)]], Meta(max_length=MOST_DICE)] = ()


@blueprint.get("/games/<game>/edit")
def edit(game: str) -> str:
    return _edit_page(game)


@blueprint.get("/g/<digest>/edit")
def edit_own(digest: str) -> str:
    return _edit_page(digest)


@blueprint.post("/games/try")
def try_changes() -> Response:
    """What three throws are worth in a changed game, and its file; or a refusal that names the field."""
    count(TRIES)
    trial = body(Trial)
    text = _text_of(trial.before) if trial.before else None
    checker = services().game_checker
    tried = checker.look_at(trial.definition, text, KEY, payer(), trial.shown, trial.throw)
    for _, title in tried.titles:
        _refuse_known_title(title)
    own = None if tried.own is None else _as_worth(tried.own, say_with(tried.wordings))
    return jsonify({**_description(tried), "own": own})


def _edit_page(base: str) -> str:
    text = _text_of(base)
    if text is None:
        raise Problem("not-found", 404)
    definition = read_definition(text, KEY)
    language, tables = current(), dict(read_tables(text, base))
    title = _local(tables["title"])
    name = FAMILY_LISTS.get(definition.file.family, "")
    setup = {
        "base": base,
        "title": title,
        "names": _suggested_names(tables["title"], own=not from_file(base)),
        "tables": tables,
        "list": name,
        "fields": {
            "file": _as_fields(GameFile),
            "rules": [
                field
                for field in _as_fields(FAMILIES[definition.file.family])
                if field["name"] != "confirm" or "confirm" in tables["rules"]  # an older name of hot_dice
            ],
            "item": _as_fields(LISTS[name]) if name else [],
            "pattern": _as_fields(Pattern) if name else [],
        },
        "kinds": [{"value": value, "title": _say(title)} for value, title in PATTERN_KINDS.items()],
        "looks": [_as_item(each) for each in _items(definition, tables, name)],
        "common": [_as_item(each) for each in common_items(definition.file.family, MOST_DICE)],
        "tried": _description(services().game_checker.look_at(None, text, KEY, payer())),
        "language": language,
        "languages": LANGUAGES,
        "texts": [
            url_for("texts.texts", code=language, part=part, tag=script_texts(language, later_scripts(), part)[1])
            for part in ("first", "later")
        ],
    }
    return render_template("game-editor.html", setup=setup, title=title)


@blueprint.app_template_test("editable")
def is_editable(key: str) -> bool:
    """Whether a game comes along as a file, which the page can change."""
    return from_file(key)


@blueprint.app_template_global()
def editable_games() -> str:
    """The keys of the games that come along as files."""
    return " ".join(filter(is_editable, keys()))


def _text_of(base: str) -> str | None:
    """The file of a game that comes along, or that somebody made; None if there is none."""
    if from_file(base):
        return text_of(base)
    return services().own_game(base).file if DIGEST.fullmatch(base) else None


def _refuse_known_title(title: str) -> None:
    check_shown(title)
    known = {fold(each) for info in all_infos() for each in _titles(info.title)}
    if fold(title) in known:
        raise Problem("game-name-known", name=title, at=["title"])


def _titles(title: str) -> list[str]:
    return [title, *(translations(language).gettext(title) for language in LANGUAGES)]


def _suggested_names(title: Any, own: bool) -> dict[str, str]:
    """Names by language that are not too long: in that of the request, and where people wrote one of their own."""
    wanted = dict.fromkeys((current(), *(title if own and isinstance(title, dict) else ())))
    names = {
        language: translations(language).gettext(OUR_WAY).format(game=_local(title, language))
        for language in wanted
        if language in LANGUAGES
    }
    return {language: name.replace("\u00a0", " ") for language, name in names.items() if len(name) <= LONGEST_TITLE}


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


def _items(definition: Definition, tables: Mapping[str, Any], name: str) -> list[CommonItem]:
    dice = getattr(definition.rules_with({}), "dice", 0)
    return [common_item(definition.file.family, each, dice) for each in tables["rules"].get(name, [])] if name else []


def _as_item(item: CommonItem) -> dict[str, Any]:
    return {"tables": item.tables, **_as_look(item)}


def _as_look(item: CommonItem) -> dict[str, Any]:
    words, title = _say(item.words), item.tables.get("title")
    shown = _local(title) if title else _say(Text(item.cell_title)) or words
    usual = Text(item.cell_title) if item.cell_title else item.words
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


def _description(tried: LookedAt) -> dict[str, Any]:
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
