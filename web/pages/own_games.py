"""Games that people made: keeping them on a phone, and the page by which they are shared."""

import re
import unicodedata

from flask import Blueprint, Response, jsonify, make_response, redirect, request, url_for
from msgspec import Struct
from werkzeug.wrappers import Response as BaseResponse

import scorer
from scorer.definitions.definition import MOST_BYTES, text_of_file
from web.limits.visitor_limits import TABLES
from web.pages.access import check_game, count, services
from web.pages.bodies import body
from web.pages.devices import device_id
from web.pages.qr_codes import qr_picture
from web.pages.views import base_url, rules_page
from web.store import kept_games
from web.store.kept_games import OwnGame
from web.texts.languages import current

NO_LETTERS = re.compile(r"[^a-z0-9]+")
MOST_NAME = 27  # characters of the name in the key of a stored table

blueprint = Blueprint("own_games", __name__)


class SavedGame(Struct, frozen=True):
    """A game to be kept on this phone. `name`: for people; `toml`: its file."""

    name: str
    toml: str


@blueprint.post("/own-games")
def save() -> Response:
    """Keeps a game on this phone. Tells its key and its page."""
    wanted = body(SavedGame)
    game = _keep(OwnGame(_name_of(wanted.name), wanted.toml))
    return jsonify(key=game.key, page=url_for("own_games.page", digest=game.digest))


@blueprint.post("/own-games/file")
def import_file() -> BaseResponse:
    """Keeps the game in a file that a person chose: the form's field `file`."""
    upload = request.files.get("file")
    data = upload.read(MOST_BYTES + 1) if upload is not None else b""
    name = _name_of(((upload.filename if upload else None) or "").rpartition(".")[0])
    game = _keep(OwnGame(name, text_of_file(data, f"{name}.toml")))
    return redirect(url_for("own_games.page", digest=game.digest), 303)


@blueprint.get("/g/<digest>")
def page(digest: str) -> str:
    """The rules of the game, and how others get it."""
    game = services().own_game(digest)
    kept = digest in {each.digest for each in kept_games.kept_by(services().store, device_id())}
    address = base_url().rstrip("/") + url_for("own_games.page", digest=digest)
    told = scorer.in_language(game.kind(), current())
    return rules_page(told, "own-game.html", own=game, kept=kept, address=address)


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
    return qr_picture(base_url().rstrip("/") + url_for("own_games.page", digest=digest))


@blueprint.post("/g/<digest>/keep")
def keep(digest: str) -> BaseResponse:
    """Keeps a game that somebody shared, and goes to the start page with it chosen."""
    game = _keep(services().own_game(digest))
    return redirect(url_for("pages.start", game=game.key), 303)


@blueprint.post("/g/<digest>/forget")
def forget(digest: str) -> BaseResponse:
    """Takes the game from this phone. Its tables stay."""
    kept_games.forget(services().store, device_id(), digest)
    return redirect(url_for("pages.start"), 303)


def _keep(game: OwnGame) -> OwnGame:
    """Keeps a game on this phone, once its file has been checked. Raises DefinitionError and `Problem`."""
    check_game(game.file, game.name)
    count(TABLES)
    kept_games.keep(services().store, device_id(), game)
    return game


def _name_of(text: str) -> str:
    """A name as files of games have it: small letters without accents, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("Ł", "L")).encode("ascii", "ignore").decode()
    return NO_LETTERS.sub("-", plain.lower()).strip("-")[:MOST_NAME].rstrip("-") or "game"
