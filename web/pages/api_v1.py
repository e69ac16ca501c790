"""`/api/v1`: what other programs may ask, in JSON. `OPERATIONS` lists all of it; `web.pages.openapi` describes it.

Programs are known by tokens or a table's key (`web.pages.bearer`), never by cookies.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, g, request, url_for
from sqlalchemy import Connection, select

import scorer
from vision.reasons import MAX_BYTES
from web.pages import bearer, my_tables, streams
from web.pages.access import admit, check_game, do, phone_address, phone_origin, services
from web.pages.api import answer_picture
from web.pages.api_documents import (
    BGG_IDS,
    MOST_OF_A_PAGE,
    EventPage,
    FinishedGame,
    FinishedGamePage,
    GameDefinition,
    GamePage,
    GameRecord,
    GameSummary,
    PendingPhoto,
    PhotoReading,
    StartedTable,
    StartTable,
    TableState,
    WebhookPage,
)
from web.pages.bodies import body
from web.pages.errors import describe
from web.pages.first_page import info_of
from web.photos.lone_readings import LoneReading
from web.problems import Problem
from web.server.keys import OPENED
from web.server.visitor_limits import PHOTOS, STEPS, TABLES, Limit
from web.session import commands, queries, requests
from web.session import preview as previews
from web.session.access_list import table_id
from web.session.json_document import RefusalDocument
from web.session.names import find_alike
from web.session.photo_state import photo_fields
from web.session.preview import standing
from web.session.state import State
from web.session.view import CorrectionPreview, GameHistory, NewWebhook, Score, UndoPreview
from web.statistics import player_games
from web.statistics.player_games import PlayerGame
from web.store import schema

PREFIX = "/api/v1"
PHOTO_TYPES = ("image/jpeg", "image/png", "image/webp", "image/heic", "image/avif")
KEPT = re.compile(r"[1-6]{0,6}", re.ASCII)

# Who may ask for something.
ANYBODY, SERVER, READS, ACTS = "anybody", "server", "reads", "acts"
TOKEN = "token"  # as ACTS, but the table's key is not enough: who was there once may have it for ever


@dataclass(frozen=True)
class Operation:
    """One request. `takes`: the type of its JSON body, or `bytes` for a photo; `gives`: of the answer. `query`: its
    query parameters with their schemas."""

    name: str
    method: str
    path: str
    summary: str
    who: str
    gives: Any
    takes: Any = None
    status: int = 200
    query: Mapping[str, Any] = field(default_factory=dict)
    required: Sequence[str] = ()  # of these
    streams: bool = False  # also as server-sent events


View = TypeVar("View", bound=Callable[..., Any])
OPERATIONS: list[Operation] = []
blueprint = Blueprint("api_v1", __name__, url_prefix=PREFIX)

LIMIT = {"type": "integer", "minimum": 1, "maximum": MOST_OF_A_PAGE}
AFTER = {"type": "string", "pattern": "^[0-9]{1,15}$"}
PAGES = {"limit": LIMIT, "after": AFTER}
VERSION = {"type": "integer", "minimum": 0, "maximum": 999999999}
DICE = {"type": "integer", "minimum": 1, "maximum": 6}
SENT = {"version": VERSION, "keep": {"type": "string", "pattern": "^[1-6]{0,6}$"}}


def operation(method: str, path: str, gives: Any, who: str = READS, **more: Any) -> Callable[[View], View]:
    """Declares a function as the view of an operation; its docstring is the operation's summary."""

    def declare(view: View) -> View:
        summary = " ".join((view.__doc__ or "").split())
        OPERATIONS.append(Operation(view.__name__, method, path, summary, who, gives, **more))
        route = re.sub(r"\{(\w+)\}", r"<\1>", path)
        blueprint.add_url_rule(route, view.__name__, view, methods=[method])
        return view

    return declare


@blueprint.before_request
def check_caller() -> None:
    """Lets a program in before its view is called. What it may do at a table, the table says (`deciding.decide`)."""
    if request.method == "OPTIONS":
        return  # Flask answers it, and no table
    asked = next(each for each in OPERATIONS if request.endpoint == f"api_v1.{each.name}")
    _identify(asked)
    if asked.takes not in (None, bytes) and not request.is_json:
        raise Problem("no-such-type", 415, wanted="application/json")


def _identify(asked: Operation) -> None:
    if asked.who == ANYBODY:
        return
    if asked.who == SERVER:
        g.caller = bearer.Caller("", commands.Asker("", bearer.check_server_token(services(), credentials())))
        return
    if asked.who == TOKEN and not credentials().authorization:
        raise Problem("token-wanted", 401)
    table = str((request.view_args or {})["table"])
    g.caller = bearer.table_of_caller(services(), table, credentials())
    if asked.who == READS:
        admit(services(), g.caller.key, phone_address(), g.caller.asker)
        request.environ[OPENED] = g.caller.key


def credentials() -> bearer.Credentials:
    """Who sends the request, by what it says."""
    return bearer.Credentials(request.headers.get("Authorization", ""), phone_address())


def _count(limit: Limit) -> None:
    """Counts a request of a program; those of one address without tokens count as one."""
    services().limits.count(limit, phone_address(), g.caller.asker.phone)


# --- games ----------------------------------------------------------------------------------------------------------


@operation("GET", "/games", GamePage, ANYBODY, query=PAGES)
def list_games() -> Response:
    """Lists the games that can be played here, those of the server's folder last."""
    games = _offered_games()
    first, count = _page_asked()
    found = [_summary_of(info) for info in games[first : first + count]]
    after = str(first + count) if first + count < len(games) else None
    return _answer_page(GamePage(items=found, next=after))


@operation("GET", "/games/{game}", GameDefinition, ANYBODY)
def show_game(game: str) -> Response:
    """A game with its house rules."""
    info = next((each for each in _offered_games() if each.key == game), None)
    if info is None:
        raise Problem("not-found", 404)
    options = [option.to_json() for option in info.options]
    return _answer(GameDefinition(**msgspec.structs.asdict(_summary_of(info)), options=options))


def _offered_games() -> list[scorer.Info]:
    house = (info_of(each) for each in services().house_games)
    return [*scorer.all_games(), *(info for info in house if info is not None)]


# --- tables ---------------------------------------------------------------------------------------------------------


@operation("POST", "/tables", StartedTable, SERVER, takes=StartTable, status=201)
def start_table() -> Response:
    """Starts a table. It has no owner: any phone may come to it and delete it. `game`: a key of the list, or of a game
    that a phone keeps."""
    wanted = body(StartTable)
    players = [" ".join(name.split()) for name in wanted.players]
    if not all(players):
        raise Problem("no-players")
    if twins := find_alike(players):
        raise Problem("names-alike", name=twins[0], other=twins[1])
    _count(TABLES)
    options = dict(wanted.options)
    if "file" in options:
        check_game(options["file"], wanted.game)
    elif (file := services().own_file(wanted.game)) is not None:
        options["file"] = file
    chosen = commands.Chosen(wanted.advice, keeps_pictures=wanted.keep_pictures)
    start = commands.Start(wanted.game, options, players, chosen=chosen)
    row = services().sessions.start(start, commands.SERVER)
    page = request.host_url.rstrip("/") + url_for("pages.table", key=row.key)
    told = _answer(StartedTable(key=row.key, id=table_id(row.key), code=row.code, address=page), 201)
    told.headers["Location"] = f"{PREFIX}/tables/{row.key}"
    return told


@operation("GET", "/tables/{table}", TableState)
def show_table(table: str) -> Response:
    """The state of a table. `table`, here and below: its key, or with a token its id."""
    return _state()


@operation("GET", "/tables/{table}/record", GameRecord)
def show_record(table: str) -> Response:
    """The game record, to replay or import."""
    return _answer(previews.record(services().sessions.look(g.caller.key)))


@operation("GET", "/tables/{table}/pictures/{line}", bytes)
def show_picture(table: str, line: str) -> Response:
    """The small picture, a JPEG, of the throw in this line of the log, if the table keeps them."""
    return answer_picture(g.caller.key, line)


@operation("GET", "/tables/{table}/history", GameHistory)
def show_history(table: str) -> Response:
    """All steps of the game, and all lines of its log."""
    return _answer(previews.history(services().sessions.look(g.caller.key)))


@operation("POST", "/tables/{table}/actions", TableState, ACTS, takes=commands.Act)
def act(table: str) -> Response:
    """Does one of the legal actions, or settles something by hand."""
    return _do(commands.Act)


@operation("POST", "/tables/{table}/undo", TableState, ACTS, takes=commands.Undo)
def undo(table: str) -> Response:
    """Takes back the last step."""
    return _do(commands.Undo)


@operation("GET", "/tables/{table}/undo/preview", UndoPreview)
def preview_undo(table: str) -> Response:
    """The steps that an undo would take back now."""
    return _answer(previews.undo(services().sessions.look(g.caller.key)))


@operation("POST", "/tables/{table}/corrections", TableState, ACTS, takes=commands.Correct)
def correct(table: str) -> Response:
    """Replaces a step."""
    return _do(commands.Correct)


@operation("POST", "/tables/{table}/corrections/preview", CorrectionPreview, takes=queries.PreviewCorrection)
def preview_correction(table: str) -> Response:
    """What a correction would change. It changes nothing."""
    wanted = body(queries.PreviewCorrection)
    about = (wanted.step, dict(wanted.action), wanted.said or ())
    state = services().sessions.look(g.caller.key)
    return _answer(previews.correction(state, *about, lambda refusal: RefusalDocument(**describe(refusal))))


@operation(
    "POST", "/tables/{table}/photos", TableState, ACTS, takes=bytes, status=202, query=SENT, required=["version"]
)
def send_photo(table: str) -> Response:
    """Sends a photo of the throw that comes now. It is read in turn with all others, then a person confirms it.
    `keep`: the values of the dice that were kept for this throw, in games that ask for it."""
    version = _number("version", 9)
    if version is None:
        raise Problem("bad-request", 400, detail="version is the number of log lines that the program has seen")
    data = _photo()
    _count(PHOTOS)
    services().photo_reader.queue(g.caller.key, version, g.caller.asker, data, _dice("keep"), phone_origin())
    return _state(202)


def _do(kind: type[commands.Act | commands.Undo | commands.Correct]) -> Response:
    wanted = body(kind)
    _count(STEPS)
    do(g.caller.key, wanted, g.caller.asker)
    return _state()


def _state(status: int = 200) -> Response:
    shown = services().sessions.snapshot(g.caller.key)
    return _answer(table_state(shown.state, shown.stamp), status)


def table_state(state: State, stamp: str) -> TableState:
    """What programs are told of a table: no key, no short code, and no phones."""
    photo = None
    if state.photo is not None:
        fields = photo_fields(state.photo)
        photo = PendingPhoto(**{name: fields[name] for name in PendingPhoto.__struct_fields__})
    return TableState(
        id=table_id(state.row.key),
        stamp=stamp,
        version=state.version,
        standing=standing(state.table),
        pending=photo,
        last_move=state.moves[-1] if state.moves else None,
        steps=len(state.moves),
        next=None if state.row.next_key is None else table_id(state.row.next_key),
        closed=state.access.closed,
    )


@operation("GET", "/tables/{table}/events", EventPage, query=PAGES, streams=True)
def list_events(table: str) -> Response:
    """The events of a table after number `after`. Accept text/event-stream keeps them coming, also after the number in
    Last-Event-ID."""
    if "Sec-WebSocket-Version" in request.headers:
        raise Problem("socket-gone", 410)
    if streams.wants_stream():
        return streams.program_events(g.caller)
    after, count = _page_asked()
    found = services().event_feeds.events_after(services().sessions.look(g.caller.key), after)
    more = str(found[count - 1].number) if len(found) > count else None
    return _answer_page(EventPage(items=found[:count], next=more))


@operation("GET", "/tables/{table}/webhooks", WebhookPage, TOKEN)
def list_webhooks(table: str) -> Response:
    """The addresses where programs are told what happens."""
    asker = g.caller.asker
    services().sessions.look(g.caller.key, asker).access.check_acts(asker.phone)
    return _answer(WebhookPage(items=services().webhooks.list_of(g.caller.key), next=None))


@operation("POST", "/tables/{table}/webhooks", NewWebhook, TOKEN, takes=requests.ConnectWebhook, status=201)
def connect_webhook(table: str) -> Response:
    """Has what happens posted to an address of the same network, signed with the secret, until the token is taken
    back."""
    wanted = body(requests.ConnectWebhook)
    _count(STEPS)
    return _answer(services().webhooks.connect(g.caller.key, wanted, g.caller.asker, phone_origin()), 201)


@operation("POST", "/tables/{table}/webhooks/removed", WebhookPage, TOKEN, takes=commands.DisconnectWebhook)
def disconnect_webhook(table: str) -> Response:
    """Posts nothing more to an address. Gives the others."""
    wanted = body(commands.DisconnectWebhook)
    _count(STEPS)
    do(g.caller.key, wanted, g.caller.asker)
    return _answer(WebhookPage(items=services().webhooks.list_of(g.caller.key), next=None))


# --- photos without a table -----------------------------------------------------------------------------------------


@operation("POST", "/readings", PhotoReading, SERVER, takes=bytes, status=202, query={"dice": DICE})
def read_photo() -> Response:
    """Reads a photo that belongs to no table. `dice`: how many were thrown. Ask for the reading until it is read."""
    dice = _number("dice", 1)
    if dice is not None and not 1 <= dice <= 6:
        raise Problem("bad-request", 400, detail="dice is a number from 1 to 6")
    data = _photo()
    _count(PHOTOS)
    reading = services().photo_reader.lone.put(data.read(), dice, phone_origin())
    told = _answer(_reading_document(reading), 202)
    told.headers["Location"] = f"{PREFIX}/readings/{reading.id}"
    return told


@operation("GET", "/readings/{reading}", PhotoReading, SERVER)
def show_reading(reading: str) -> Response:
    """What was read in such a photo. The newest 200 are kept, for a while."""
    return _answer(_reading_document(services().photo_reader.lone.get(reading)))


def _reading_document(reading: LoneReading) -> PhotoReading:
    if reading.problem is not None:
        return PhotoReading(id=reading.id, status="failed", problem=reading.problem)
    found = reading.result
    if found is None:
        return PhotoReading(id=reading.id, status="waiting")
    width, height = reading.size
    return PhotoReading(
        id=reading.id,
        status="read",
        dice=found.dice,
        aside=found.aside,
        asks=found.asks,
        sure=found.sure,
        width=width,
        height=height,
    )


# --- statistics -----------------------------------------------------------------------------------------------------


@operation("GET", "/statistics", FinishedGamePage, SERVER, query=PAGES)
def list_finished_games() -> Response:
    """All finished games of this server, the oldest first."""
    first, count = _page_asked()

    def ask(connection: Connection) -> tuple[list[PlayerGame], int | None]:
        return player_games.all_games_ended_after(connection, first, count)

    found, after = player_games.read_rows(services().store, ask)
    return _answer_page(FinishedGamePage(items=finished_games(found), next=None if after is None else str(after)))


@operation("GET", "/tables/{table}/statistics", FinishedGamePage)
def show_finished_game(table: str) -> Response:
    """The result of this table's game: an empty page while it runs."""
    row = services().sessions.row(g.caller.key)
    found = player_games.read_rows(
        services().store, lambda connection: player_games.games_at_tables(connection, [row.id])
    )
    return _answer(FinishedGamePage(items=finished_games(found), next=None))


def finished_games(rows: Sequence[PlayerGame]) -> list[FinishedGame]:
    """The games of these rows, which have one for each player."""
    titles = my_tables.titles()
    started = _starts([row.table.id for row in rows])
    games: dict[int, list[PlayerGame]] = {}
    for row in rows:
        games.setdefault(row.table.id, []).append(row)
    return [
        FinishedGame(
            number=seats[0].table.ended_no,
            table=table_id(seats[0].table.key),
            game=seats[0].table.game,
            title=titles[seats[0].table.game],
            bgg_id=BGG_IDS.get(seats[0].table.game),
            started_at=started[number],
            finished_at=seats[0].table.finished_at,
            early=seats[0].early,
            digest=seats[0].table.digest,
            players=[Score(name=seat.name, score=seat.score, place=seat.place) for seat in seats],
        )
        for number, seats in games.items()
    ]


def _starts(table_ids: Sequence[int]) -> dict[int, str]:
    query = select(schema.tables.c.id, schema.tables.c.created_at).where(schema.tables.c.id.in_(table_ids))
    with services().store.read() as connection:
        return {row.id: row.created_at for row in connection.execute(query)}


# --- requests and answers -------------------------------------------------------------------------------------------


def _summary_of(info: scorer.Info) -> GameSummary:
    return GameSummary(
        key=info.key,
        title=info.title,
        summary=info.summary,
        dice=info.dice,
        players=info.players,
        bgg_id=BGG_IDS.get(info.key),
    )


def _number(name: str, digits: int) -> int | None:
    """The number in a query parameter; None without it. Raises `Problem`."""
    text = request.args.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= digits):
        raise Problem("bad-request", 400, detail=f"{name} is a whole number")
    return int(text)


def _dice(name: str) -> list[int] | None:
    """The values of dice in a query parameter; None without it. Raises `Problem`."""
    text = request.args.get(name)
    if text is None:
        return None
    if not KEPT.fullmatch(text):
        raise Problem("bad-request", 400, detail=f"{name} has the values of up to six dice")
    return [int(value) for value in text]


def _page_asked() -> tuple[int, int]:
    """After which number a page begins, and how many items it has at most. Raises `Problem`."""
    count = _number("limit", 4)
    if count is not None and not 1 <= count <= MOST_OF_A_PAGE:
        raise Problem("bad-request", 400, detail=f"limit is a number from 1 to {MOST_OF_A_PAGE}")
    return _number("after", 15) or 0, count or MOST_OF_A_PAGE


def _photo() -> Any:
    """The body of the request, a photo. Raises `Problem`."""
    if request.mimetype not in PHOTO_TYPES:
        raise Problem("no-such-type", 415, wanted=", ".join(PHOTO_TYPES))
    if not request.content_length:
        raise Problem("no-photo")
    if request.content_length > MAX_BYTES:
        raise Problem("upload-too-large", 413, limit=MAX_BYTES >> 20)
    return request.stream


def _answer(document: Any, status: int = 200) -> Response:
    return Response(msgspec.json.encode(document), status=status, mimetype="application/json")


def _answer_page(page: Any) -> Response:
    """A page of a list, with the address of the next one in the header `Link`."""
    told = _answer(page)
    if page.next is not None:
        assert request.endpoint is not None
        more: dict[str, Any] = {name: value for name, value in request.args.items() if name == "limit"}
        told.headers["Link"] = (
            f'<{url_for(request.endpoint, **(request.view_args or {}), **more, after=page.next)}>; rel="next"'
        )
    return told
