"""What programs may ask of the server: games, new tables, photos that belong to no table, all results."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from flask import Response, request, url_for
from msgspec import Meta

import scorer
from web.limits.visitor_limits import PHOTOS, TABLES, TRIES
from web.pages import my_tables
from web.pages.access import Caller, check_game, phone_origin, services
from web.pages.my_tables import info_of
from web.pages.operations import (
    ANYBODY,
    PAGES,
    PREFIX,
    SERVER,
    answer,
    answer_page,
    body,
    number,
    operation,
    page_asked,
    photo_body,
)
from web.photos.reading_queue import LoneReading
from web.problems.problem import Problem
from web.statistics import player_games
from web.statistics.player_games import PlayerGame
from web.table import commands
from web.table.access_list import table_id
from web.table.json_document import Document, RefusalDocument, document_of
from web.table.names import find_alike
from web.table.photo_state import FoundDie
from web.table.view import Score, TableSettings

# Of games that are sold, and so listed at BoardGameGeek.
BGG_IDS = {"yahtzee": 2243, "farkle": 3181}
DICE = {"type": "integer", "minimum": 1, "maximum": 6}


class GameSummary(Document, frozen=True, kw_only=True):
    """A game. `players`: fewest and most; `dice`: in a turn's first throw; `bgg_id`: of the game at BoardGameGeek, null
    if it has none there."""

    key: str
    title: str
    summary: str
    dice: int
    players: tuple[int, int]
    bgg_id: int | None


class GameDefinition(GameSummary, frozen=True, kw_only=True):
    """A game with its house rules: `name`, `title`, `default`, `allowed` and `kind` of each. `actions`: what may be
    done in it, but for what people settle by hand, each with its keys besides `do`."""

    options: Sequence[Mapping[str, Any]]
    actions: Mapping[str, Sequence[str]]


class GamePage(Document, frozen=True, kw_only=True):
    items: Sequence[GameSummary]
    next: str | None


Name = Annotated[str, Meta(min_length=1, max_length=40)]


class StartTable(TableSettings, frozen=True, kw_only=True, forbid_unknown_fields=False):
    """Starts a table with its settings. `options`: house rules that are not the usual ones."""

    game: str
    players: Annotated[Sequence[Name], Meta(min_length=1, max_length=24)]
    options: Mapping[str, Any] = {}


class StartedTable(Document, frozen=True, kw_only=True):
    """A table that was started. `key`: the secret in its address; `id`: names it without being a right to it; `code`:
    the six letters by which phones join; `address`: of its page."""

    key: str
    id: str
    code: str
    address: str


class PhotoReading(Document, frozen=True, kw_only=True):
    """What was read in a photo that belongs to no table. `status`: "waiting", "read" or "failed", then with a
    `problem`. `width`, `height`: of the upright photo in pixels."""

    id: str
    status: str
    dice: Sequence[FoundDie] = ()
    aside: Sequence[FoundDie] = ()
    asks: Sequence[RefusalDocument] = ()
    sure: bool = False
    width: int = 0
    height: int = 0
    problem: RefusalDocument | None = None


class FinishedGame(Document, frozen=True, kw_only=True):
    """A finished game. `number`: grows with every game that ends; `early`: people ended it before the rules did;
    `digest`: of the record."""

    number: int
    table: str
    game: str
    title: str
    bgg_id: int | None
    started_at: str
    finished_at: str
    early: bool
    digest: str | None
    players: Sequence[Score]


class FinishedGamePage(Document, frozen=True, kw_only=True):
    items: Sequence[FinishedGame]
    next: str | None


# --- games ----------------------------------------------------------------------------------------------------------


@operation("GET", "/games", GamePage, ANYBODY, query=PAGES)
def list_games() -> Response:
    """Lists the games that can be played here, those of the server's folder last."""
    games = _offered_games()
    first, most = page_asked()
    found = [document_of(GameSummary, info, bgg_id=BGG_IDS.get(info.key)) for info in games[first : first + most]]
    after = str(first + most) if first + most < len(games) else None
    return answer_page(GamePage(items=found, next=after))


@operation("GET", "/games/{game}", GameDefinition, ANYBODY)
def show_game(game: str) -> Response:
    """A game with its house rules."""
    info = next((each for each in _offered_games() if each.key == game), None)
    if info is None:
        raise Problem("not-found", 404)
    options = [option.to_json() for option in info.options]
    house = next((each for each in services().settings.games if each.key == game), None)
    rules = scorer.game(game, file=None if house is None else house.file)
    actions = {verb: each.fields for verb, each in rules.actions.items()}
    about = {"bgg_id": BGG_IDS.get(game), "options": options, "actions": actions}
    return answer(document_of(GameDefinition, info, **about))


def _offered_games() -> list[scorer.Info]:
    house = (info_of(each) for each in services().settings.games)
    return [*scorer.all_games(), *(info for info in house if info is not None)]


# --- tables ---------------------------------------------------------------------------------------------------------


@operation(
    "POST",
    "/tables",
    StartedTable,
    SERVER,
    takes=StartTable,
    status=201,
    example={"game": "farkle", "players": ["Ada", "Bob"]},
    answers={
        "key": "oQJPYe1BZesqZL4Eo0dwctbd",
        "id": "ca4572d9bc45c7ec",
        "code": "XHBSYM",
        "address": "http://192.168.1.20:8000/tables/oQJPYe1BZesqZL4Eo0dwctbd",
    },
)
def start_table(caller: Caller) -> Response:
    """Starts a table. It has no owner: any phone may come to it and delete it. `game`: a key of the list, or of a game
    that a phone keeps."""
    wanted = body(StartTable)
    players = [" ".join(name.split()) for name in wanted.players]
    if not all(players):
        raise Problem("no-players")
    if twins := find_alike(players):
        raise Problem("names-alike", name=twins[0], other=twins[1])
    caller.count(TABLES)
    options = dict(wanted.options)
    if "file" in options:
        caller.count(TRIES)
        check_game(options["file"], wanted.game)
    elif (file := services().own_file(wanted.game)) is not None:
        options["file"] = file
    settings = document_of(TableSettings, wanted)
    start = commands.Start(wanted.game, options, players, settings=settings)
    row = services().runner.start(start, commands.SERVER)
    page = request.host_url.rstrip("/") + url_for("pages.table", key=row.key)
    response = answer(StartedTable(key=row.key, id=table_id(row.key), code=row.code, address=page), 201)
    response.headers["Location"] = f"{PREFIX}/tables/{row.key}"
    return response


# --- photos without a table -----------------------------------------------------------------------------------------


@operation("POST", "/readings", PhotoReading, SERVER, takes=bytes, status=202, query={"dice": DICE})
def read_photo(caller: Caller) -> Response:
    """Reads a photo that belongs to no table. `dice`: how many were thrown. Ask for the reading until it is read."""
    dice = number("dice", 1)
    if dice is not None and not 1 <= dice <= 6:
        raise Problem("bad-request", 400, detail="dice is a number from 1 to 6")
    data = photo_body()
    caller.count(PHOTOS)
    reading = services().photos.reader.lone.put(data.read(), dice, phone_origin())
    response = answer(_reading_document(reading), 202)
    response.headers["Location"] = f"{PREFIX}/readings/{reading.id}"
    return response


@operation("GET", "/readings/{reading}", PhotoReading, SERVER)
def show_reading(caller: Caller, reading: str) -> Response:
    """What was read in such a photo. The newest 200 are kept, for a while."""
    return answer(_reading_document(services().photos.reader.lone.get(reading)))


def _reading_document(reading: LoneReading) -> PhotoReading:
    if reading.problem is not None:
        return PhotoReading(id=reading.id, status="failed", problem=reading.problem)
    if reading.result is None:
        return PhotoReading(id=reading.id, status="waiting")
    width, height = reading.size
    size = {"width": width, "height": height}
    return document_of(PhotoReading, reading.result, id=reading.id, status="read", **size, problem=None)


# --- statistics -----------------------------------------------------------------------------------------------------


@operation("GET", "/statistics", FinishedGamePage, SERVER, query=PAGES)
def list_finished_games(caller: Caller) -> Response:
    """All finished games of this server, the oldest first."""
    first, most = page_asked()
    with services().store.read() as connection:
        found, after = player_games.games_ended_after(connection, None, first, most)
    return answer_page(FinishedGamePage(items=finished_games(found), next=None if after is None else str(after)))


def finished_games(rows: Sequence[PlayerGame]) -> list[FinishedGame]:
    titles = my_tables.titles()
    games: dict[int, list[PlayerGame]] = {}
    for row in rows:
        games.setdefault(row.table.id, []).append(row)
    return [
        FinishedGame(
            number=table.ended_no,
            table=table_id(table.key),
            game=table.game,
            title=titles[table.game],
            bgg_id=BGG_IDS.get(table.game),
            started_at=table.started_at,
            finished_at=table.finished_at,
            early=seats[0].early,
            digest=table.digest,
            players=[document_of(Score, seat) for seat in seats],
        )
        for seats in games.values()
        for table in [seats[0].table]
    ]
