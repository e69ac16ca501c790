"""HTML pages: start, table, board, joining, history, rules, print."""

import functools
import io
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zipfile import ZIP_STORED, ZipFile

from flask import Blueprint, Response, current_app, make_response, redirect, render_template, request, url_for
from msgspec import UNSET, UnsetType, ValidationError, convert, structs, to_builtins
from msgspec.json import decode, encode
from werkzeug.wrappers import Response as BaseResponse

import scorer
from scorer.options import read_form
from web.clubs.nights import NIGHT_GAME
from web.limits.visitor_limits import STEPS, TABLES, TRIES
from web.own_games import kept_games, process
from web.pages import game_pictures, my_tables
from web.pages.access import (
    Caller,
    arrive,
    before_asking,
    count,
    game_of_table,
    key_of_code,
    payer,
    services,
    table_of,
)
from web.pages.devices import LONGEST_NAME, NAME_COOKIE, YEAR_S, acting_phone, arriving_phone, asking_phone, device_id
from web.pages.errors import answer, describe, wants_json
from web.pages.host_names import AUTHORITY, LOOPBACK, host_name
from web.pages.large_bodies import LARGER
from web.pages.operations import RECORD_LIMIT
from web.pages.responses import compressed_page, download, qr_picture
from web.pages.server_api import BGG_IDS
from web.pages.static import text_addresses
from web.problems.problem import Problem, Refused
from web.statistics.summaries import Series, series
from web.store import visits
from web.table import proof, showing
from web.table.access_list import table_id
from web.table.commands import ContinueDamaged, DeleteTable, Given, Start, StartNext
from web.table.events import TableStarted
from web.table.json_document import Document
from web.table.names import check_shown, distinct, find_alike, first_hidden
from web.table.new_tables import is_imported
from web.table.state import State
from web.table.stored_table import Json, TableRow
from web.table.view import TableSettings
from web.texts import formats, release
from web.texts.languages import COOKIE as LANGUAGE_COOKIE
from web.texts.languages import LANGUAGES, current, language_names, say, say_count

MOST_SEATS = 12
SHOWN_NAMES = 24
MOST_DIGITS = 3  # of a player's number in a form
# A path that a form may send a phone back to: of this server, in characters that no browser drops or changes.
OWN_PATH = re.compile(r"/([^/\\\s\x00-\x20\x7f][^\\\s\x00-\x20\x7f]*)?")


class PageSetup(Document, frozen=True, kw_only=True):
    """What a table's script needs besides the state. `address`: of the table. `short`, `server`: this server's address,
    to be typed and whole. `others`: its other addresses. `texts`: the addresses of the texts in this language, for what
    a page loads first and later. `sheets`: the script in web/static/sheets that draws this game. `play`: names this
    game in play logs; `bgg_id`: of the game at BoardGameGeek. `eye`: the script by which a phone looks into its photos
    itself, where the host offers it."""

    key: str
    base: str
    code: str
    address: str
    short: str
    server: str
    others: Sequence[str]
    game: str
    title: str
    sentences: Mapping[str, Any]
    series: Series
    keep_corrections: bool
    language: str
    languages: Mapping[str, str]
    texts: Sequence[str]
    sheets: str
    device: str
    owner: bool
    may_delete: bool
    play: str
    bgg_id: int | None
    secure: bool
    eye: str | UnsetType = UNSET


# In the configuration, by a host: the endpoint and the name of the script by which phones look into their photos.
EYE_OF_PHONES = "EYE_OF_PHONES"

blueprint = Blueprint("pages", __name__)
for _filter in formats.FILTERS:
    blueprint.add_app_template_filter(_filter)


@blueprint.post("/tables")
def new_table() -> Any:
    """Starts a table from the form of the start page."""
    form = request.form
    key = form.get("game", "")
    players = [name for name in (" ".join(name.split()) for name in form.getlist("player")) if name]
    if not players:
        return _answer_refusal(Problem("no-players"))
    if twins := find_alike(players):
        return _answer_refusal(Problem("names-alike", name=twins[0], other=twins[1]))
    if (hidden := first_hidden(players)) is not None:
        return _answer_refusal(Problem("name-hidden", name=hidden))
    try:
        options = options_in(form, key)
        return _start(Start(key, options, players, form.get("keep_corrections") == "yes", settings=_settings_in(form)))
    except scorer.Refusal as refusal:
        return _answer_refusal(refusal)


@blueprint.post("/import")
def import_record() -> Any:
    """Starts a table that continues an exported record."""
    count(TRIES)  # before anything of the form is read
    fits = (request.content_length or 0) <= LARGER["pages.import_record"]
    upload = request.files.get("record") if fits else None
    record = upload.read(RECORD_LIMIT + 1) if upload is not None else b""
    try:
        if not record or len(record) > RECORD_LIMIT:
            raise Problem("record-size", most=RECORD_LIMIT // 1_000_000)
        return _redirect_to_new(services().runner.begin(functools.partial(_begin_from, record)))
    except (scorer.Refusal, Problem) as refusal:
        return _answer_refusal(refusal if wants_json() else _about_file(refusal))


def _begin_from(record: bytes, given: Given) -> TableStarted:
    found = services().checker.ask(payer(), process.start, record, arriving_phone(), given)
    count(TABLES)
    return decode(found, type=TableStarted)


def _start(wanted: Start) -> BaseResponse:
    count(TABLES)
    return _redirect_to_new(services().runner.start(wanted, arriving_phone()))


def _about_file(refusal: Refused) -> Refused:
    """What is wrong with a file that cannot be imported, in words for people; programs get the refusal itself."""
    if isinstance(refusal, scorer.IllegalAction) and refusal.index is not None:
        return Problem("record-breaks-rules", step=refusal.index)
    if refusal.reason == process.TOO_COSTLY:
        return Problem("record-too-costly")
    return Problem("record-not-ours") if isinstance(refusal, scorer.Refusal) else refusal


@blueprint.get("/tables/<key>")
def table(key: str) -> BaseResponse:
    row = table_of(key)
    if row.game == NIGHT_GAME:
        return redirect(url_for("clubs.person", night=key))
    arrive(key)
    visits.visit(services().store, device_id(), row)
    return compressed_page(_page("table.html", row, night=services().runner.look(key).night))


@blueprint.post("/tables/<key>/again")
def again(key: str) -> BaseResponse:
    """Starts the next table with this one's game, house rules and players, once for all its phones. If that was played
    without this phone and is over, it is the one after it.

    Field `begins`: the number of the player who begins; the order of players stays.
    """
    with before_asking(key):
        begins = request.form.get("begins", "0")
        if not begins.isdecimal() or len(begins) > MOST_DIGITS:
            raise Problem("bad-request", 400, detail="begins must be a player's number")
        count(TABLES)
    runner = services().runner
    row = runner.go_on(key, StartNext(int(begins)), asking_phone())
    while (last := runner.look(row.key, asking_phone()).table).over:
        begins_next = my_tables.next_beginner(last.standing()["order"])
        row = runner.go_on(row.key, StartNext(begins_next), asking_phone())
    return _redirect_to_new(row)


@blueprint.post("/tables/<key>/continue")
def go_on(key: str) -> BaseResponse:
    """Starts a table from the last good state of a damaged one, once for all its phones."""
    with before_asking(key):
        count(TABLES)
    return _redirect_to_new(services().runner.go_on(key, ContinueDamaged(), asking_phone()))


@blueprint.get("/tables/<key>/board")
def board(key: str) -> str:
    """The big view for a tablet or television, without controls."""
    arrive(key)
    return _page("board.html", table_of(key))


@blueprint.get("/tables/<key>/camera")
def camera_setup(key: str) -> str:
    """Leads through the steps by which a phone on a stand becomes the table's camera."""
    arrive(key)
    lends_camera = request.is_secure or host_name(request.host) in LOOPBACK
    return _page("camera-setup.html", table_of(key), way="here" if lends_camera else "none")


@blueprint.get("/tables/<key>/qr.svg")
def qr(key: str) -> Response:
    """The QR code of the table's address. The page shows it with the short code, which this visit keeps alive."""
    row = table_of(key)
    guarded = services().runner.look(key).access.guarded
    visits.visit(services().store, device_id(), row)
    return qr_picture(base_url() + f"j/{row.code}" if guarded else _address(row))


@blueprint.get("/tables/<key>/rules")
def table_rules(key: str) -> str:
    """The short rules of this table's game with its house options. `?part` gives the text alone, for a dialog."""
    return _rules(game_of_table(table_of(key)))


@blueprint.get("/rules/<game>")
def rules(game: str) -> str:
    try:
        return _rules(scorer.in_language(scorer.game(game, **_file_of(game)), current()))
    except scorer.OptionError:
        raise Problem("not-found", 404) from None


@blueprint.get("/tables/<key>/record.json")
def record(key: str) -> Response:
    state = services().runner.look(key)
    return _file(state.row, encode(showing.record(state)), "json")


@blueprint.get("/tables/<key>/record.zip")
def record_with_pictures(key: str) -> Response:
    """The game record and the pictures of its throws in one file."""
    state, store = services().runner.look(key), services().store
    if state.hash_of_log is None:
        raise Problem("no-picture", 404)
    count(STEPS)
    file = io.BytesIO()  # bounded by `proof.MOST_OF_TABLE`
    with ZipFile(file, "w", ZIP_STORED) as archive:
        archive.writestr(proof.RECORD_NAME, encode(showing.record(state)))
        for entry in state.entries:
            named = proof.hash_in(entry.body)
            picture = None if named is None else store.picture(state.row.id, entry.seq)
            if picture is not None:
                archive.writestr(proof.picture_name(entry.seq), picture)
    return _file(state.row, file.getvalue(), "zip", **{"Cache-Control": "no-store"})  # it is deleted with the table


def _file(row: TableRow, body: bytes, kind: str, **headers: str) -> Response:
    return download(body, f"application/{kind}", f"{row.game}-{formats.local_date(row.created_at)}.{kind}", **headers)


@blueprint.get("/tables/<key>/print")
def print_sheet(key: str) -> str:
    """The sheet for paper. `?pictures` adds the pictures of its throws, if the table keeps them."""
    row = table_of(key)
    shown = "pictures" in request.args and services().runner.look(key).hash_of_log is not None
    return _page("print.html", row, pictures=_pictures_of(services().runner.look(key)) if shown else [])


def _pictures_of(state: State) -> list[Json]:
    """The throws that were to have a picture, for paper: in the order of the log, also those taken back."""
    moves = {move.seq: move for move in state.moves}
    throws = [entry for entry in state.entries if proof.PICTURE in entry.body]
    return [
        {
            "seq": entry.seq,
            "kept": proof.hash_in(entry.body) is not None and not is_imported(entry),
            "dice": entry.body["do"]["dice"],
            "player": "" if (move := moves.get(entry.seq)) is None else state.name(move.player or 0),
            "gone": move is None,
            "corrected": move is not None and move.corrected_by is not UNSET,
        }
        for entry in throws
    ]


@blueprint.route("/join", methods=["GET", "POST"])
def join() -> Any:
    """Leads to a table by its short code."""
    code = request.values.get("code", "")
    message = None
    if code.strip():
        try:
            return _redirect_invited(key_of_code(code))
        except Problem as problem:
            if wants_json():
                raise
            message = describe(problem)["message"]
            return make_response(render_template("join.html", message=message, code=code), problem.status)
    return render_template("join.html", message=message, code=code)


@blueprint.get("/j/<code>")
def short(code: str) -> BaseResponse:
    """Leads to a table by the short address that its page shows."""
    return _redirect_invited(key_of_code(code))


def _redirect_invited(key: str) -> BaseResponse:
    arrive(key, invited=True)
    return redirect(url_for("pages.table", key=key), 303)


@blueprint.get("/history")
def history() -> str:
    """The newest of this phone's running and finished tables, and its players' results.

    `?running=NUMBER`, `?finished=NUMBER` and `?removed=NUMBER` show older tables of one list, after that number.
    """
    return render_template("history.html", **my_tables.history_lists(device_id(), request.args))


@blueprint.get("/history/players")
def players() -> str:
    """Some of the players at this phone's tables. `?after=NAME`: those whose names come after this one."""
    return render_template("players.html", **my_tables.players(device_id(), request.args))


@blueprint.post("/history/forget/<key>")
def forget(key: str) -> BaseResponse:
    """Removes a table from this phone's list; the page then offers to restore it."""
    visits.hide(services().store, device_id(), table_of(key), True)
    return redirect(url_for("pages.history", taken=key), 303)


@blueprint.post("/history/restore/<key>")
def restore(key: str) -> BaseResponse:
    visits.hide(services().store, device_id(), table_of(key), False)
    return redirect(url_for("pages.history"), 303)


@blueprint.get("/history/delete/<key>")
def ask_delete(key: str) -> str:
    """Asks before a game is deleted. Raises `Problem` on a phone that may not delete it."""
    if not services().runner.look(key).access.may_delete(device_id()):
        raise Problem("owner-only", 403)
    return render_template("delete.html", row=table_of(key), title=game_of_table(table_of(key)).title)


@blueprint.post("/history/delete/<key>")
def delete_table(key: str) -> BaseResponse:
    """Deletes a game; the page then offers to undo it."""
    Caller(services(), key, asking_phone()).do(DeleteTable())
    return redirect(url_for("pages.history", deleted=key), 303)


@blueprint.post("/history/undelete/<key>")
def bring_back(key: str) -> BaseResponse:
    Caller(services(), key, asking_phone()).do(DeleteTable(deleted=False))
    return redirect(url_for("pages.table", key=key), 303)


@blueprint.get("/help")
def help_page() -> str:
    """Help if a phone cannot connect, photos are read badly, or https is wanted."""
    addresses = {"address": base_url(), "others": _other_urls()}
    trust, version = _authority().is_file(), release.full_version()
    return render_template("help.html", secure=request.is_secure, trust=trust, version=version, **addresses)


@blueprint.get("/rollcall.crt")
def authority() -> Response:
    """The authority of the server's own certificate, for phones that shall trust it."""
    try:
        body = _authority().read_bytes()
    except FileNotFoundError:
        raise Problem("not-found", 404) from None
    return Response(body, mimetype="application/x-x509-ca-cert")


@blueprint.route("/settings", methods=["POST"])
def settings() -> BaseResponse:
    """Sets the phone's language and name, and leads back. Raises `Problem` for a name with invisible characters."""
    name = request.form.get("name")
    if name is not None:
        name = " ".join(name.split())[:LONGEST_NAME]
        check_shown(*([name] if name else []))
    back = request.form.get("back", "/")
    root = request.root_path
    response = redirect(root + (back if OWN_PATH.fullmatch(back) else "/"), 303)
    kept: dict[str, Any] = {"max_age": YEAR_S, "samesite": "Lax", "secure": request.is_secure, "path": f"{root}/"}
    language = request.form.get("language")
    if language in LANGUAGES:
        response.set_cookie(LANGUAGE_COOKIE, language, httponly=True, **kept)
    if name is not None:
        response.set_cookie(NAME_COOKIE, quote(name), **kept)
    return response


@blueprint.get("/offline")
def offline() -> str:
    """The page that the installed app keeps, and shows while this server does not answer."""
    return render_template("offline.html")


@blueprint.get("/manifest.webmanifest")
def manifest() -> Response:
    return Response(render_template("manifest.json"), mimetype="application/manifest+json")


@blueprint.get("/service-worker.js")
def service_worker() -> Response:
    body = render_template("service-worker.js")
    return Response(body, mimetype="text/javascript", headers={"Cache-Control": "no-cache"})


def _redirect_to_new(row: TableRow) -> BaseResponse:
    """Leads to a table that this phone started."""
    visits.visit(services().store, device_id(), row)
    return redirect(url_for("pages.table", key=row.key), 303)


def _answer_refusal(refusal: Refused) -> Response:
    """The start page with the reason why its form was refused."""
    if wants_json():
        return answer(refusal)
    return make_response(start_page(describe(refusal)["message"]), getattr(refusal, "status", 422))


# What the first page fetches when it is asked for: the games of all families, and the house rules of one game.
PARTS_OF_START = {"games": "start-games-part.html", "options": "start-options-part.html"}


@blueprint.get("/", endpoint="start")
def start_page(message: str | None = None) -> str:
    mine = visits.tables_of(services().store, device_id())
    of_phone, of_house = kept_games.kept_by(services().store, device_id()), services().settings.games
    own = {info.key: info for info in my_tables.infos_of((*of_phone, *of_house))}
    kept, house = ([own[game.key] for game in games if game.key in own] for games in (of_phone, of_house))
    games = my_tables.games(mine, kept)
    first = my_tables.first_games(games)
    more_games = my_tables.more_games(first, house)
    infos = {info.key: info for info in (*first, *(info for group in more_games for info in group[-1]))}
    wanted = request.values.get("game") or (mine[0].game if mine else "")
    chosen = wanted if wanted in infos else first[0].key
    form = request.form
    shown = {
        "more_games": more_games,
        "own": own,
        "chosen": chosen,
        "chosen_info": infos[chosen],
        "picture_of": lambda key: game_pictures.picture(key, lambda: services().own_file(key)),
        "seats": MOST_SEATS,
        "form": form,
    }
    if (part := PARTS_OF_START.get(request.args.get("part", ""))) is not None:
        return render_template(part, **shown)
    return render_template(
        "start.html",
        **shown,
        first=first,
        every_game=infos.values(),
        # Without scripts, house rules of all games are sent.
        whole="all" in request.args or any("." in name and not name.startswith(f"{chosen}.") for name in form),
        running=my_tables.running(services().runner, mine),
        again=my_tables.again(services().runner, mine),
        goes_on=bool(mine) and mine[0].finished_at is None,
        faces=game_pictures.faces,
        names=distinct(name for row in mine for name in row.players)[:SHOWN_NAMES],  # each as it was written last
        message=message,
        notices=[describe(notice)["message"] for notice in services().store.notices],
        own_rules="keep_corrections" in form
        or _settings_in(form) != TableSettings()
        or any(each.startswith(f"{chosen}.") for each in form),
        titles=my_tables.titles(device_id()),
    )


def _settings_in(form: Mapping[str, str]) -> TableSettings:
    """The settings that a form names; the usual ones if a value is none of theirs."""
    given = {name: form[name] for name in structs.asdict(TableSettings()) if name in form}
    try:
        return convert(given, TableSettings, strict=False)
    except ValidationError:
        return TableSettings()


def options_in(form: Mapping[str, Any], game: str, prefix: str = "") -> Json:
    """The house options of a game from fields whose names begin so, and the file of a game that people made."""
    own, file = f"{prefix}{game}.", _file_of(game)
    texts = {name.removeprefix(own): value for name, value in form.items() if name.startswith(own)}
    return {**read_form(scorer.in_language(scorer.game(game, **file), current()).options, texts), **file}


def _file_of(key: str) -> dict[str, str]:
    """The option `file` of a game that people made, by its key; nothing for the others."""
    file = services().own_file(key)
    return {} if file is None else {"file": file}


def _setup(row: TableRow, sheets: str) -> PageSetup:
    language, game, access = current(), game_of_table(row), services().runner.look(row.key).access
    return PageSetup(
        key=row.key,
        base=url_for("pages.table", key=row.key),
        code=row.code,
        address=_address(row),
        # As people type it: browsers add http:// by themselves, or fall back to it, but never https://.
        short=base_url().removeprefix("http://").rstrip("/"),
        server=base_url(),
        others=_other_urls(),
        game=row.game,
        title=game.info.title,
        sentences=game.sentences(),
        series=series(services().store, row),
        keep_corrections=row.keep_corrections,
        language=language,
        languages=language_names(),
        texts=text_addresses(sheets),
        sheets=sheets,
        device=acting_phone(device_id()).with_name(access).name,
        owner=access.owner == device_id(),
        may_delete=access.may_delete(device_id()),
        play=table_id(row.key),
        bgg_id=BGG_IDS.get(row.game),
        secure=request.is_secure,
        eye=_eye_of_phones(),
    )


def _eye_of_phones() -> str | UnsetType:
    if (offered := current_app.config.get(EYE_OF_PHONES)) is None:
        return UNSET
    endpoint, name = offered
    return url_for(endpoint, name=name)


def _page(template: str, row: TableRow, **more: Any) -> str:
    """A page that a script draws, with the table's present state."""
    state = json.loads(services().runner.snapshot(row.key).view)
    setup = to_builtins(_setup(row, sheets_of(state["standing"])))
    return render_template(template, row=row, info=game_of_table(row).info, setup=setup, state=state, **more)


def sheets_of(standing: Json) -> str:
    """The script that draws a game with such a standing, as web/static/sheets/all.js tells them apart."""
    if standing.get("lines"):
        return "knaster"
    if standing.get("pad"):
        return "score-pad"
    if standing.get("tiles"):
        return "box"
    if standing.get("letters"):
        return "skunk"
    return "cells" if standing.get("sheet") or standing.get("figures_list") else "points"


def _authority() -> Path:
    return Path(current_app.config["DATA"]) / AUTHORITY


def base_url() -> str:
    """The address of this server for other phones."""
    is_own = host_name(request.host) in LOOPBACK or request.root_path  # an address that is of no use to them
    return (services().settings.base_url if is_own else None) or request.url_root


def address_of(page: str, **values: Any) -> str:
    """The address of a page for other phones."""
    return base_url() + url_for(page, **values).removeprefix(request.root_path)[1:]


def _other_urls() -> list[str]:
    """Addresses for a phone that cannot reach `base_url()`."""
    printed = [services().settings.base_url, *services().settings.other_urls]
    return [address for address in printed if address not in (None, base_url())]


def _address(row: TableRow) -> str:
    return address_of("pages.table", key=row.key)


def rules_page(game: Any, template: str, **more: Any) -> str:
    def render(text: Any) -> str:
        return formats.group_thousands(text.render(say, say_count))

    return render_template(template, game=game, sections=list(game.short_rules()), render=render, **more)


def _rules(game: Any) -> str:
    return rules_page(game, "rules-part.html" if "part" in request.args else "rules.html")
