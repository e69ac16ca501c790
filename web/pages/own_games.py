"""Games that people make: the page on which they change a game from a file, keeping it on a phone, and sharing it."""

from collections.abc import Sequence
from typing import Annotated, Any

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from msgspec import Meta, Struct
from werkzeug.wrappers import Response as BaseResponse

import scorer
from scorer.definitions.definition import MOST_BYTES, text_of_file
from scorer.definitions.game_link import link_of
from scorer.definitions.patterns import MOST_DICE
from scorer.games import from_file, keys
from scorer.registry import key_of_title
from web.limits.visitor_limits import TABLES, TRIES
from web.own_games import kept_games, process
from web.own_games.form import KEY, check_titles, description, form_of, own_worth, text_of_base
from web.own_games.kept_games import OwnGame
from web.pages import game_pictures
from web.pages.access import check_game, count, payer, services
from web.pages.devices import device_id
from web.pages.operations import body
from web.pages.responses import download, qr_picture
from web.pages.static import text_addresses
from web.pages.views import address_of, base_url, rules_page
from web.problems.problem import Problem
from web.texts.languages import current

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
    count(TRIES)
    wanted = body(SavedGame)
    game = keep_game(OwnGame(key_of_title(wanted.name), wanted.toml))
    return jsonify(key=game.key, page=url_for("own_games.page", digest=game.digest))


@blueprint.post("/own-games/file")
def import_file() -> BaseResponse:
    """Keeps the game in a file that a person chose: the form's field `file`."""
    count(TRIES)  # before anything of the form is read
    upload = request.files.get("file")
    data = upload.read(MOST_BYTES + 1) if upload is not None else b""
    name = key_of_title(((upload.filename if upload else None) or "").rpartition(".")[0])
    game = keep_game(OwnGame(name, text_of_file(data, f"{name}.toml")))
    return redirect(url_for("own_games.page", digest=game.digest), 303)


@blueprint.get("/g/<digest>")
def page(digest: str) -> str:
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
    return {"picture": game_pictures.picture(game.key, lambda: game.file), "faces": game_pictures.faces()}


@blueprint.get("/g/<digest>.toml")
def file(digest: str) -> Response:
    game = services().own_game(digest)
    return download(game.file, "application/toml; charset=utf-8", f"{game.name}.toml")


@blueprint.get("/g/<digest>.svg")
def qr(digest: str) -> Response:
    services().own_game(digest)
    return qr_picture(address_of("own_games.page", digest=digest))


@blueprint.post("/g/<digest>/keep")
def keep(digest: str) -> BaseResponse:
    count(TRIES)
    game = keep_game(services().own_game(digest))
    return redirect(url_for("pages.start", game=game.key), 303)


@blueprint.post("/g/<digest>/forget")
def forget(digest: str) -> BaseResponse:
    """Takes the game from this phone. Its tables stay."""
    kept_games.forget(services().store, device_id(), digest)
    return redirect(url_for("pages.start"), 303)


def keep_game(game: OwnGame) -> OwnGame:
    """Keeps a game on this phone, once its file has been checked; who calls has counted it (`TRIES`). Raises
    DefinitionError and `Problem`."""
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
    text = text_of_base(trial.before, services().own_game) if trial.before else None
    about = trial.definition, text, KEY, trial.shown, trial.throw
    tried = services().checker.ask(payer(), process.look_at, *about)
    check_titles(tried)
    return jsonify({**description(tried), "own": own_worth(tried)})


@blueprint.get("/games/<game>/edit")
@blueprint.get("/g/<game>/edit", endpoint="edit_own")
def edit(game: str) -> str:
    """The form that changes the game of this key or digest."""
    text = text_of_base(game, services().own_game)
    if text is None:
        raise Problem("not-found", 404)
    tried = services().checker.ask(payer(), process.look_at, None, text, KEY)
    setup = form_of(game, text, tried)
    return render_template("game-editor.html", setup={**setup, "texts": text_addresses()}, title=setup["title"])


@blueprint.app_template_global()
def editable_games() -> str:
    return " ".join(filter(from_file, keys()))
