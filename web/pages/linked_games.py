"""Games that come by a link which carries their file (`scorer.definitions.game_link`): looked at, and kept."""

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from msgspec import Struct
from werkzeug.wrappers import Response as BaseResponse

import scorer
from scorer.definitions.game_link import file_in_link, link_in
from scorer.registry import key_of_title
from web.limits.visitor_limits import TRIES
from web.own_games.kept_games import OwnGame
from web.pages.access import check_game, count
from web.pages.operations import body
from web.pages.own_games import keep_game, picture_of
from web.pages.views import rules_page
from web.texts.languages import current

blueprint = Blueprint("linked_games", __name__)


class Link(Struct, frozen=True):
    """A link to a game, or the end of it that carries the file."""

    link: str


@blueprint.get("/game")
def page() -> str:
    """The page of a link: its script has the server look at what stands behind "#" in the address."""
    return render_template("linked-game.html")


@blueprint.post("/game")
def look() -> Response:
    """The game in a link, once it has been checked, as `part`: its title, its rules, and a button that keeps it."""
    count(TRIES)  # before anything is unpacked
    link = body(Link).link
    game = _game_in(link)
    check_game(game.file, game.name)
    kind = scorer.in_language(game.kind(), current())
    examples = len(game.kind.definition.file.example)
    return jsonify(
        part=rules_page(kind, "linked-game-part.html", link=link_in(link), examples=examples, **picture_of(game))
    )


@blueprint.post("/game/open")
def open_link() -> BaseResponse:
    """Leads to the page of a link that a person pasted: the form's field `link`."""
    link = link_in(request.form.get("link", ""))
    return redirect(f"{url_for('linked_games.page')}#{link}", 303)


@blueprint.post("/game/keep")
def keep() -> BaseResponse:
    """Keeps the game in a link, and goes to the start page with it chosen: the form's field `link`."""
    count(TRIES)
    game = keep_game(_game_in(request.form.get("link", "")))
    return redirect(url_for("pages.start", game=game.key), 303)


def _game_in(link: str) -> OwnGame:
    """Raises DefinitionError."""
    name, text = file_in_link(link)
    return OwnGame(key_of_title(name), text)
