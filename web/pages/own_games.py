"""Games that people make: the page on which they change a game from a file, keeping it on a phone, and sharing it."""

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify, make_response, redirect, render_template, request, url_for
from msgspec import Meta, Struct
from werkzeug.wrappers import Response as BaseResponse

import scorer
from scorer.definitions.changed_game import ThrowWorth
from scorer.definitions.definition import MOST_BYTES, read_definition, read_tables, text_of_file
from scorer.definitions.form_fields import (
    FAMILY_LISTS,
    LISTS,
    OLDER_NAMES,
    PATTERN_KINDS,
    CommonItem,
    common_items,
    fields_of,
)
from scorer.definitions.game_file import FAMILIES, GameFile
from scorer.definitions.game_link import link_of
from scorer.definitions.patterns import MOST_DICE, Pattern
from scorer.definitions.trial_turns import TurnWorth
from scorer.games import all_infos, from_file, keys, text_of
from scorer.registry import key_of_title
from scorer.texts import N_, Counter, Text
from web.checking.process import LookedAt
from web.common.problems import Problem
from web.limits.visitor_limits import TABLES, TRIES
from web.pages import game_pictures
from web.pages.access import check_game, count, payer, services
from web.pages.devices import device_id
from web.pages.operations import body
from web.pages.responses import qr_picture
from web.pages.static import text_addresses
from web.pages.views import address_of, base_url, rules_page
from web.store import kept_games
from web.store.kept_games import OwnGame
from web.table.names import check_shown, fold
from web.texts.languages import LANGUAGES, current, say, say_count, say_with, translations

LONGEST_TITLE = 40
OUR_WAY = N_("{game}, our way")
KEY = "ours"  # of a game that is looked at; saved ones have keys of their own
DIGEST = re.compile(r"[0-9a-f]{8,64}")

blueprint = Blueprint("own_games", __name__)
blueprint.add_app_template_test(from_file, "editable")  # the page can change it


class SavedGame(Struct, frozen=True):
    """A game to be kept on this phone. `name`: for people; `toml`: its file."""

    name: str
    toml: str


class Trial(Struct, frozen=True):
    """A game in the tables of a file. `before`: the key or digest of the game that it was made from; `shown`: the place
    of the combination or cell that the first throw shall show; `throw`: dice that a person tapped.
    """

    definition: dict[str, Any]
    before: str = ""
    shown: Annotated[int, Meta(ge=-1, le=40)] = -1
    throw: Annotated[Sequence[Annotated[int, Meta(ge=1, le=6)]], Meta(max_length=MOST_DICE)] = ()


# --- keeping and sharing ----------------------------------------------------------------------------------------------


@blueprint.post("/own-games")
def save() -> Response:
    """Keeps a game on this phone. Tells its key and its page."""
    wanted = body(SavedGame)
    game = keep_game(OwnGame(key_of_title(wanted.name), wanted.toml))
    return jsonify(key=game.key, page=url_for("own_games.page", digest=game.digest))


@blueprint.post("/own-games/file")
def import_file() -> BaseResponse:
    """Keeps the game in a file that a person chose: the form's field `file`."""
    upload = request.files.get("file")
    data = upload.read(MOST_BYTES + 1) if upload is not None else b""
    name = key_of_title(((upload.filename if upload else None) or "").rpartition(".")[0])
    game = keep_game(OwnGame(name, text_of_file(data, f"{name}.toml")))
    return redirect(url_for("own_games.page", digest=game.digest), 303)


@blueprint.get("/g/<digest>")
def page(digest: str) -> str:
    """The rules of the game, and how others get it."""
    game = services().own_game(digest)
    kept = digest in {each.digest for each in kept_games.kept_by(services().store, device_id())}
    address = address_of("own_games.page", digest=digest)
    kind = scorer.in_language(game.kind(), current())
    link, here = link_of(game.file, game.name), base_url() == request.url_root
    return rules_page(
        kind,
        "own-game.html",
        own=game,
        kept=kept,
        address=address,
        link=link,
        link_base="" if here else base_url().rstrip("/"),
        **picture_of(game),
    )


def picture_of(game: OwnGame) -> dict[str, str]:
    """The picture of a game for its page."""
    return {"picture": game_pictures.picture(game.key, lambda: game.file), "faces": game_pictures.faces()}


@blueprint.get("/g/<digest>.toml")
def file(digest: str) -> Response:
    game = services().own_game(digest)
    response = make_response(game.file)
    response.headers["Content-Type"] = "application/toml; charset=utf-8"
    response.headers["Content-Disposition"] = f"attachment; filename={game.name}.toml"
    return response


@blueprint.get("/g/<digest>.svg")
def qr(digest: str) -> Response:
    """The QR code of the game's page."""
    services().own_game(digest)
    return qr_picture(address_of("own_games.page", digest=digest))


@blueprint.post("/g/<digest>/keep")
def keep(digest: str) -> BaseResponse:
    """Keeps a game that somebody shared, and goes to the start page with it chosen."""
    game = keep_game(services().own_game(digest))
    return redirect(url_for("pages.start", game=game.key), 303)


@blueprint.post("/g/<digest>/forget")
def forget(digest: str) -> BaseResponse:
    """Takes the game from this phone. Its tables stay."""
    kept_games.forget(services().store, device_id(), digest)
    return redirect(url_for("pages.start"), 303)


def keep_game(game: OwnGame) -> OwnGame:
    """Keeps a game on this phone, once its file has been checked. Raises DefinitionError and `Problem`."""
    check_game(game.file, game.name)
    count(TABLES)
    kept_games.keep(services().store, device_id(), game)
    return game


# --- changing ---------------------------------------------------------------------------------------------------------


@blueprint.post("/games/try")
def try_changes() -> Response:
    """What three throws are worth in a changed game, and its file; or a refusal that names the field."""
    count(TRIES)
    trial = body(Trial)
    text = _text_of(trial.before) if trial.before else None
    checker = services().game_checker
    tried = checker.look_at(trial.definition, text, KEY, payer(), trial.shown, trial.throw)
    titles = [each for info in all_infos() for each in _in_all_languages(Text(info.title)).values()]
    known = {fold(each) for each in titles}
    for _, title in tried.titles:
        check_shown(title)
        if fold(title) in known:
            raise Problem("game-name-known", name=title, at=["title"])
    own = None if tried.own is None else _as_worth(tried.own, say_with(tried.wordings))
    return jsonify({**_description(tried), "own": own})


@blueprint.get("/games/<game>/edit")
@blueprint.get("/g/<game>/edit", endpoint="edit_own")
def edit(game: str) -> str:
    """The form that changes the game of this key or digest."""
    text = _text_of(game)
    if text is None:
        raise Problem("not-found", 404)
    family = read_definition(text, KEY).file.family
    tables = dict(read_tables(text, game))
    title, name = _local(tables["title"]), FAMILY_LISTS.get(family, "")
    rules = FAMILIES[family]
    older = OLDER_NAMES.get(rules)
    tried = services().game_checker.look_at(None, text, KEY, payer())
    setup = {
        "base": game,
        "title": title,
        "names": _suggested_names(tables["title"], own=not from_file(game)),
        "tables": tables,
        "list": name,
        "fields": {
            "file": _as_fields(GameFile),
            "rules": [field for field in _as_fields(rules) if field["name"] != older or older in tables["rules"]],
            "item": _as_fields(LISTS[name]) if name else [],
            "pattern": _as_fields(Pattern) if name else [],
        },
        "kinds": [{"value": value, "title": _say(title)} for value, title in PATTERN_KINDS.items()],
        "looks": [{"tables": each.tables, **_as_look(each)} for each in tried.looks],
        "common": [{"tables": each.tables, **_as_look(each)} for each in common_items(family, MOST_DICE)],
        "tried": _description(tried),
        "language": current(),
        "languages": LANGUAGES,
        "texts": text_addresses(),
    }
    return render_template("game-editor.html", setup=setup, title=title)


@blueprint.app_template_global()
def editable_games() -> str:
    """The keys of the games that come along as files."""
    return " ".join(filter(from_file, keys()))


def _text_of(base: str) -> str | None:
    """The file of a game that comes along, or that somebody made; None if there is none."""
    if from_file(base):
        return text_of(base)
    return services().own_game(base).file if DIGEST.fullmatch(base) else None


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
