"""The pages of a club's night: the desk, a person's phone, the board of the hall, results on paper and in files.

Their script (web/static/pages/night.js) reads them again whenever the night changes: `?part` gives the part of a page
that changes.
"""

import time
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import segno
from flask import Blueprint, Response, g, redirect, render_template, request, url_for
from markupsafe import Markup
from msgspec import DecodeError, ValidationError, convert, json
from werkzeug.wrappers import Response as BaseResponse

import scorer
from scorer.texts import N_
from web.clubs import night_commands, night_events
from web.clubs.night import Night
from web.clubs.night_commands import Asked
from web.clubs.night_decisions import check_desk
from web.clubs.night_document import NightDocument, document
from web.clubs.night_events import Plan, RoundPlan
from web.clubs.nights import NIGHT_GAME
from web.limits.visitor_limits import NEWCOMERS, NIGHT_TABLES, STEPS, TABLES
from web.own_games import kept_games
from web.pages import game_pictures, live, my_tables, streams
from web.pages.access import admit, arrive, check_owner, count, services
from web.pages.devices import arriving_phone, asking_phone, device_id
from web.pages.errors import answer, describe, wants_json
from web.pages.keys import OPENED
from web.pages.operations import answer as json_answer
from web.pages.responses import as_csv, qr_picture
from web.pages.views import address_of, options_in
from web.problems.problem import Problem, Refused
from web.store import visits
from web.table.names import name_key

MOST_NAMES = 20_000  # letters of all names that are added at once
MOST_PLANNED = 12
MOST_WRITTEN = 2000  # letters of what a person does with a throw
MOST_OWN_ROUNDS = 6  # that may have games of their own

blueprint = Blueprint("clubs", __name__, url_prefix="/clubs")


# --- starting ---------------------------------------------------------------------------------------------------------


@blueprint.get("")
def nights() -> str:
    """The nights of this phone, and the form of a new one, which the address may fill in."""
    return _new_page()


@blueprint.post("")
def start() -> Any:
    count(TABLES)
    try:
        if services().settings.nights_need_token:
            check_owner(request.form.get("token", ""))
        row = services().nights.start(_plan(request.form), arriving_phone())
    except (Problem, scorer.Refusal) as refusal:
        if wants_json():
            return answer(refusal)
        return _new_page(refusal), 422
    visits.visit(services().store, device_id(), row)
    return redirect(url_for("clubs.desk", night=row.key), 303)


# What the form of a new night is filled with at one tap.
READY_MADE: Mapping[str, Mapping[str, Any]] = {
    N_("Kniffel evening"): {"game": "kniffel", "rounds": 3, "seats": 4, "minutes": 40, "finalists": 6},
    N_("Farkle league"): {"game": "farkle", "rounds": 4, "seats": 4, "adds": "places", "draw": "places"},
    N_("Kości, three rounds"): {"game": "kosci-single", "rounds": 3, "seats": 4, "game2": "kosci-fixed"},
    # Points of throws can be added to those of a partner; rounds won at a table cannot.
    N_("Bunco, twelve people"): {"game": "bunco", "rounds": 6, "seats": 4, "adds": "wins", "draw": "rotation"}
    | {"rules": "yes", "r1.bunco.one_turn_each": "true"},
    N_("Last table standing"): {"game": "pig", "rounds": 1, "seats": 4, "draw": "last-table"},
    N_("One throw for all"): {"game": "yahtzee", "rounds": 1, "hall": "yes", "seconds": 60},
}


def _new_page(refusal: Refused | None = None) -> str:
    """The form of a new night, filled in by a refused form or by the address. `?rules` shows the games' house rules."""
    form = request.values
    infos = {info.key: info for info in _games()}
    first = form.get("game") if form.get("game") in infos else "yahtzee"
    mine = visits.tables_of(services().store, device_id(), game=NIGHT_GAME, limit=5)
    last = next((each.plan for each in services().nights.nights_of(device_id()).values()), None)
    wanted = {1: first, **{number: form.get(f"game{number}") for number in range(2, MOST_OWN_ROUNDS + 1)}}
    return render_template(
        "club-new.html",
        games=infos.values(),
        rules={number: infos[key] for number, key in wanted.items() if key in infos} if "rules" in form else {},
        own_rounds=range(2, MOST_OWN_ROUNDS + 1),
        mine=mine,
        form={"game": first, **({} if last is None else {"season": last.season, "left_out": last.left_out}), **form},
        ready_made=READY_MADE,
        needs_token=services().settings.nights_need_token,
        message=None if refusal is None else describe(refusal)["message"],
    )


def _games() -> list[scorer.Info]:
    kept = kept_games.kept_by(services().store, device_id())
    return [*scorer.all_games(), *(info for each in kept if (info := my_tables.info_of(each)))]


def _plan(form: Mapping[str, Any]) -> Plan:
    """The plan in the form. Raises `Problem`, and what `scorer` raises."""
    hall = form.get("hall") == "yes"
    game = form.get("game", "")
    rounds = [RoundPlan(game, options_in(form, game, "r1."), hall)]
    for number in range(2, max(1, min(_number(form, "rounds"), MOST_PLANNED)) + 1):
        own = form.get(f"game{number}", "")
        rounds.append(RoundPlan(own, options_in(form, own, f"r{number}."), hall) if own else rounds[0])
    fields: dict[str, Any] = {name: " ".join(form.get(name, "").split()) for name in ("name", "season")}
    fields |= {name: _number(form, name) for name in ("seats", "finalists", "minutes", "seconds", "left_out")}
    fields |= {name: form.get(name) == "yes" for name in ("exactly", "pictures")}
    fields |= {"adds": form.get("adds", "points"), "draw": form.get("draw", "new-people")}
    try:
        return convert({**fields, "rounds": rounds}, Plan)
    except ValidationError as error:
        raise Problem("bad-request", 400, detail=str(error)) from error


def _number(form: Mapping[str, Any], name: str) -> int:
    """A whole number of a form, 0 for an empty field. Raises `Problem`."""
    text = form.get(name, "").strip().replace("\u2212", "-")
    if text and not (text.removeprefix("-").isascii() and text.removeprefix("-").isdecimal() and len(text) <= 8):
        raise Problem("bad-request", 400, detail=f"{name} is a whole number")
    return int(text or 0)


# --- a night ----------------------------------------------------------------------------------------------------------


@blueprint.before_request
def let_in() -> None:
    """Lets a phone come to a night, and counts what it changes. Raises `Problem` for an unknown night, and for who may
    not come there. `g.night`: the table that has the night's journal."""
    if (night := (request.view_args or {}).get("night")) is not None:
        g.night = admit(services(), night, asking_phone())
        request.environ[OPENED] = night
        if request.method == "POST":
            count(STEPS)


def _show(night: str, template: str, found: Night, **more: Any) -> str:
    """A page of a night, or with `?part` what changes in it."""
    name = f"{template}-part.html" if "part" in request.args else f"{template}.html"
    code = services().runner.row(night).code
    return render_template(name, key=night, code=code, night=found, shown=_document(found), **more)


def _document(found: Night) -> NightDocument:
    return document(found, services().nights.game_of, time.time())


@blueprint.get("/<night>")
def person(night: str) -> str:
    """A person's phone: who it belongs to, where the person sits, and how the night stands."""
    found = services().nights.look(night, asking_phone())
    visits.visit(services().store, device_id(), g.night)
    me = found.person_of(device_id())
    table = None if me is None else found.table_of(me.number)
    across = None if me is None or table is None else table.partner_of(me.number)
    name = found.people[across].name if across else ""
    hall, is_desk = None if table is None else services().nights.hall_of(found), device_id() in found.devices
    return _show(night, "club-person", found, me=me, table=table, across=name, is_desk=is_desk, hall=hall)


@blueprint.post("/<night>/me")
def come(night: str) -> BaseResponse:
    """This phone belongs to somebody: a person of the list (field `person`), or somebody new (`name`)."""
    command = night_commands.ComeAs(_number(request.form, "person"), request.form.get("name", ""))
    if not command.person:
        count(NEWCOMERS)
    services().nights.do(night, command, arriving_phone())
    return redirect(url_for("clubs.person", night=night), 303)


@blueprint.get("/<night>/seat")
def seat(night: str) -> BaseResponse:
    """Leads a person's phone to the table where the person sits now."""
    found = services().nights.look(night, asking_phone())
    me = found.person_of(device_id())
    table = None if me is None else found.table_of(me.number)
    if table is None or not table.key or found.rounds[-1].plan.hall:
        return redirect(url_for("clubs.person", night=night), 303)
    arrive(table.key, invited=True)
    return redirect(url_for("pages.table", key=table.key), 303)


@blueprint.get("/<night>/board")
def board(night: str) -> str:
    return _show(night, "club-board", services().nights.settle(night), faces=game_pictures.faces)


@blueprint.get("/<night>/qr.svg")
def qr(night: str) -> Response:
    return qr_picture(address_of("clubs.person", night=night))


@blueprint.get("/<night>/throw.jpg")
def throw_picture(night: str) -> Response:
    """The picture of the throw of the night; of no other throw."""
    found = services().nights.look(night)
    throw = _document(found).throw
    table = None if throw is None else found.rounds[throw.round - 1].tables[throw.table - 1]
    state = None if table is None else services().nights.game_of(table.key)
    picture = services().store.picture(state.row.id, throw.line) if throw is not None and state is not None else None
    if picture is None:
        raise Problem("no-picture", 404)
    return Response(picture, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


# --- one throw for all ------------------------------------------------------------------------------------------------


@blueprint.get("/<night>/hall/states")
def hall_states(night: str) -> Response:
    """What the phone of a person in a round of the hall shows, as server-sent events."""
    nights, asker = services().nights, asking_phone()

    def tell() -> bytes:
        """Raises `Problem` for a phone that may not come any more."""
        return b"event: hall\ndata: " + json.encode(nights.sheet(night, asker)) + b"\n\n"

    return streams.answer(live.Stream(night, asker.phone or "", tell, tell))


@blueprint.post("/<night>/write")
def write(night: str) -> Response:
    """The person of this phone does these `actions` with the `throw` of this id: the own sheet alone can be changed."""
    try:
        chosen = json.decode(request.form.get("actions", "")[:MOST_WRITTEN], type=list[dict[str, Any]])
    except DecodeError as error:
        raise Problem("bad-request", 400, detail=str(error)) from error
    nights, asker = services().nights, asking_phone()
    nights.write(night, _number(request.form, "throw"), chosen, asker)
    return json_answer(nights.sheet(night, asker))


# --- the desk ---------------------------------------------------------------------------------------------------------


@blueprint.get("/<night>/desk")
def desk(night: str) -> str:
    check_desk(services().nights.look(night), asking_phone())
    visits.visit(services().store, device_id(), g.night)
    found = services().nights.settle(night)
    return _show(night, "club-desk", found, earlier=_earlier_people(night, found) if not found.rounds else [])


def _earlier_people(night: str, found: Night) -> list[str]:
    """Who was at the latest other night whose desk this phone was, and is not at this one."""
    here = {name_key(each.name) for each in found.people.values()}
    others = (other for key, other in services().nights.nights_of(device_id()).items() if key != night)
    return [
        each.name for other in islice(others, 1) for each in other.people.values() if name_key(each.name) not in here
    ]


@blueprint.post("/<night>/desk/offer")
def offer_desk(night: str) -> str:
    """Shows the code by which one further device joins the desk. Its secret follows the #, which no log has."""
    token = services().nights.offer_desk(night, asking_phone())
    address = f"{address_of('clubs.join_desk', night=night)}#{token}"
    picture = segno.make(address, error="m").svg_inline(border=2, omitsize=True, dark="#000", light="#fff")
    return render_template("club-offer.html", key=night, address=address, picture=Markup(picture))


@blueprint.route("/<night>/desk/join", methods=["GET", "POST"])
def join_desk(night: str) -> Any:
    if request.method == "GET":
        return render_template("club-join.html", key=night)
    services().nights.do(night, night_commands.JoinDesk(request.form.get("token", "")), arriving_phone())
    return redirect(url_for("clubs.desk", night=night), 303)


@blueprint.post("/<night>/bell")
def ring(night: str) -> BaseResponse:
    services().nights.ring(night, arriving_phone(), lambda: count(NIGHT_TABLES))
    return redirect(url_for("clubs.desk", night=night), 303)


def _write_totals(form: Any) -> Asked:
    table, given = _number(form, "table"), form.getlist("points")
    if not all(text.strip() for text in given):
        raise Problem("night-totals", table=table)
    return night_commands.WriteTotals(
        _number(form, "round"), table, [_number({"points": each}, "points") for each in given]
    )


def _add_people(form: Any) -> Asked:
    text = form.get("names", "")[:MOST_NAMES]
    return night_events.PeopleCame([name for line in text.splitlines() for name in line.split(",") if name.strip()])


# What the desk does, by the last part of the address: the command in the form.
DONE_AT_DESK: Mapping[str, Callable[[Any], Asked]] = {
    "people": _add_people,
    "rename": lambda form: night_events.PersonRenamed(_number(form, "person"), form.get("name", "")),
    "leave": lambda form: night_events.PersonLeft(_number(form, "person"), form.get("here") == "yes"),
    "free": lambda form: night_events.PhoneTaken(_number(form, "person")),
    "draw": lambda form: night_commands.DrawRound(form.get("final") == "yes"),
    "seats": lambda form: night_events.SeatChanged(
        _number(form, "person"), _number(form, "table"), _number(form, "instead")
    ),
    "time": lambda form: night_events.TimeAdded(_number(form, "minutes")),
    "totals": _write_totals,
    "end-round": lambda form: night_events.RoundEnded(),
    "teams": lambda form: night_events.TeamsMade(
        [(_number(form, "person"), _number(form, "partner"))] if "person" in form else []
    ),
    "end": lambda form: night_events.NightEnded(form.get("ended", "yes") == "yes"),
    "close-throw": lambda form: night_commands.CloseThrow(_number(form, "throw")),
    "throw-time": lambda form: night_events.HallTimed(_number(form, "seconds")),
}


@blueprint.post("/<night>/forget")
def forget(night: str) -> BaseResponse:
    """Takes a person's name out of all nights of this desk, and their tables: field `person`."""
    services().nights.erase_name(night, _number(request.form, "person"), asking_phone())
    return redirect(url_for("clubs.desk", night=night, _anchor="people"), 303)


@blueprint.post("/<night>/do/<what>")
def do(night: str, what: str) -> BaseResponse:
    if what not in DONE_AT_DESK:
        raise Problem("not-found", 404)
    nights, asker = services().nights, asking_phone()
    check_desk(nights.look(night), asker)
    nights.do(night, DONE_AT_DESK[what](request.form), asker)
    shown = f"table{_number(request.form, 'table')}" if what == "totals" else None  # there the next ones are written
    return redirect(url_for("clubs.desk", night=night, _anchor=shown), 303)


# --- the results ------------------------------------------------------------------------------------------------------


@blueprint.get("/<night>/print")
def print_results(night: str) -> str:
    return _show(night, "club-print", services().nights.settle(night))


@blueprint.get("/<night>/night.json")
def as_json(night: str) -> Response:
    return json_answer(_document(services().nights.settle(night)))


@blueprint.get("/<night>/night.csv")
def as_file(night: str) -> Response:
    found = _document(services().nights.settle(night))
    heads = ["place", "name", "total", "points", "wins", *(f"round {each}" for each in range(1, found.rounds + 1))]
    lines = [[each.place, each.name, each.total, each.points, each.wins, *each.by_round] for each in found.standings]
    return as_csv("night", heads, lines)
