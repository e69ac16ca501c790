"""The pages of a club's season: the nights of a desk added up, and a person's way through them."""

from collections.abc import Sequence
from contextlib import suppress

from flask import Blueprint, Response, render_template, request
from markupsafe import Markup

from web.clubs.night import Night
from web.clubs.seasons import SeasonDocument
from web.pages import charts
from web.pages.access import services
from web.pages.clubs import let_in
from web.pages.operations import answer
from web.pages.responses import as_csv
from web.pages.statistics_pages import ANALYSED, luck_of, reloading_page
from web.problems.problem import Problem
from web.statistics import player_games
from web.statistics.player_games import PlayerGame
from web.table.names import name_key
from web.texts.formats import local_date
from web.texts.languages import say

blueprint = Blueprint("seasons", __name__, url_prefix="/clubs")
blueprint.before_request(let_in)


def _season(night: str) -> tuple[list[Night], SeasonDocument]:
    return services().nights.season_of(night)


@blueprint.get("/<night>/season")
def standings(night: str) -> str:
    return render_template("club-season.html", key=night, season=_season(night)[1])


@blueprint.get("/<night>/season/<int:line>")
def person(night: str, line: int) -> Response:
    """A person's nights, by the number in the season; with `?luck` what dice brought. While that is worked out, the
    page reloads by itself."""
    nights, found = _season(night)
    own = next((each for each in found.standings if each.number == line), None)
    if own is None:
        raise Problem("not-found", 404)
    luck = luck_of(_games_of(nights, own.name)) if "luck" in request.args else None
    curves = ((say("What the nights brought"), own.by_night), (say("Skill after each night"), own.ratings))
    pictures = [(title, _curve(f"c{n}", title, values)) for n, (title, values) in enumerate(curves) if any(values)]
    shown = {"key": night, "season": found, "line": own, "pictures": pictures, "luck": luck}
    return reloading_page("club-season-person.html", luck is not None and luck["waiting"], **shown)


def _curve(name: str, title: str, values: Sequence[int | None]) -> Markup:
    known = [value for value in values if value is not None]
    line = charts.Curve(title, known)
    return charts.curves(name, title, ", ".join(map(str, known)), [line], first=1, dots=True, zero=False)


def _games_of(nights: Sequence[Night], name: str) -> list[PlayerGame]:
    """A person's latest finished games of the season at tables that were played here."""
    seats: dict[int, int] = {}
    for night in nights:
        person = next((each.number for each in night.people.values() if name_key(each.name) == name_key(name)), 0)
        for table in (table for played in night.played for table in played.tables if person in table.people):
            with suppress(Problem):  # it was deleted meanwhile
                seats[services().runner.row(table.key).id] = table.people.index(person)
    with services().store.read() as connection:
        games = player_games.games_at_tables(connection, list(seats)[-ANALYSED:])
    return [game for game in games if game.player == seats[game.table.id]]


@blueprint.get("/<night>/season.json")
def as_json(night: str) -> Response:
    return answer(_season(night)[1])


@blueprint.get("/<night>/season.csv")
def as_file(night: str) -> Response:
    found = _season(night)[1]
    known = ("place", "name", "total", "played", "wins")
    heads = [*known, "skill", *(f"night {local_date(each.at)}" for each in found.nights)]
    lines = [
        [*(getattr(each, name) for name in known), *(each.ratings[-1:] or [None]), *each.by_night]
        for each in found.standings
    ]
    return as_csv("season", heads, lines)
