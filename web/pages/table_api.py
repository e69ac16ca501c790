"""What phones and programs may ask of one table, all under `/api/v1/tables/{table}`: its key, or with a token its id.

`web.table.commands` declares the bodies of requests, `web.table.view` those of answers. Whoever comes by the key is
told the view that phones are shown; a program with a token gets the part of it without keys and letters (`TableState`).
"""

import functools
import math
import re
from collections.abc import Callable, Mapping
from typing import IO, Any

import msgspec
from flask import Response, g, request

from web.common.problems import Problem
from web.limits.visitor_limits import FRAMES, PHOTOS, STEPS
from web.pages import bearer, live, streams
from web.pages.access import phone_origin, services
from web.pages.api_documents import EventPage, FinishedGamePage, GameRecord, PendingPhoto, TableState, WebhookPage
from web.pages.bodies import body, convert, decode
from web.pages.errors import describe
from web.pages.keys import OPENED
from web.pages.operations import (
    ACTS,
    OPEN,
    PAGES,
    PREFIX,
    TOKEN,
    acting,
    admit_to_table,
    answer,
    answer_page,
    count,
    declare_operation,
    do,
    look,
    operation,
    page_asked,
    photo_body,
)
from web.pages.server_api import finished_games
from web.photos.frame_sources import MOST_FRAME_BYTES
from web.runner import Snapshot
from web.statistics import player_games
from web.store.server_tokens import new_token, token_hash
from web.table import commands, proof, requests
from web.table import showing as previews
from web.table.access_list import table_id, tag
from web.table.events import SETTINGS
from web.table.json_document import RefusalDocument
from web.table.photo_state import CAMERA, photo_fields
from web.table.showing import standing
from web.table.state import State
from web.table.view import (
    CorrectionPreview,
    GameHistory,
    ListedPhone,
    ListedProgram,
    NewToken,
    NewWebhook,
    StandAnswer,
    ThrowPreview,
    TrialAnswer,
    UndoPreview,
)

FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
KEPT = re.compile(r"[1-6]{0,6}", re.ASCII)
COUNTED = (commands.Change, commands.DisconnectWebhook, commands.RetryWebhook)
NAMED = (commands.Change, *SETTINGS)  # with the phone that did it

VERSION = {"type": "integer", "minimum": 0, "maximum": 999999999}
SENT = {
    "version": VERSION,
    "keep": {"type": "string", "pattern": "^[1-6]{0,6}$"},
    "request": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"},
    "replaces": {"type": "string"},
}


# --- the game ---------------------------------------------------------------------------------------------------------


@operation("GET", "/tables/{table}", TableState)
def show_table() -> Response:
    """The state of a table. `table`, here and below: its key, or with a token its id."""
    shown = services().sessions.snapshot(g.caller.key)
    return Response(status=204) if request.args.get("stamp") == shown.stamp else _tell(shown)


@streams.blueprint.get(f"{PREFIX}/tables/<table>/states")
def stream_states(table: str) -> Response:
    """The state of a table as server-sent events: first the present one, then each new one."""
    caller, sessions = admit_to_table(table), services().sessions
    if not caller.by_key:
        return answer_states(caller)

    def tell() -> bytes:
        return live.state_event(sessions.snapshot(caller.key, caller.asker).view)

    return streams.answer(live.Stream(caller.key, caller.asker.phone or "", tell))


def answer_states(caller: bearer.Caller) -> Response:
    """The answer to a program or an overlay that goes on with each state, as they are told it."""
    sessions = services().sessions

    def tell() -> bytes:
        shown = sessions.snapshot(caller.key, caller.asker)
        return live.state_event(msgspec.json.encode(table_state(shown.state, shown.stamp)))

    return streams.answer_new(caller, tell)


@operation("GET", "/tables/{table}/record", GameRecord)
def show_record() -> Response:
    """The game record, to replay or import."""
    return answer(previews.record(look()))


@operation("GET", "/tables/{table}/pictures/{line}", bytes)
def show_picture(line: str) -> Response:
    """The small picture, a JPEG, of the throw in this line of the log, if the table keeps them."""
    state = look()
    seq = int(line) if NUMBER.fullmatch(line) else 0
    named = 1 <= seq <= state.version and proof.hash_in(state.entries[seq - 1].body) is not None
    found = services().store.picture(state.row.id, seq) if named else None
    if found is None:
        raise Problem("no-picture", 404)
    # No phone keeps it: it is deleted with the table.
    return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@operation("GET", "/tables/{table}/history", GameHistory)
def show_history() -> Response:
    """All steps of the game, and all lines of its log."""
    return answer(previews.history(look()))


@operation("POST", "/tables/{table}/actions", TableState, ACTS, takes=commands.Act)
def act() -> Response:
    """Does one of the legal actions, or settles something by hand."""
    return _post(commands.Act)


@operation("POST", "/tables/{table}/undo", TableState, ACTS, takes=commands.Undo)
def undo() -> Response:
    """Takes back the last step."""
    return _post(commands.Undo)


@operation("GET", "/tables/{table}/undo/preview", UndoPreview)
def preview_undo() -> Response:
    """The steps that an undo would take back now."""
    return answer(previews.undo(look()))


@operation("POST", "/tables/{table}/corrections", TableState, ACTS, takes=commands.Correct)
def correct() -> Response:
    """Replaces a step."""
    return _post(commands.Correct)


@operation("POST", "/tables/{table}/corrections/preview", CorrectionPreview, takes=requests.PreviewCorrection)
def preview_correction() -> Response:
    """What a correction would change. It changes nothing."""
    wanted = body(requests.PreviewCorrection)
    about = (wanted.step, dict(wanted.action), wanted.said or ())
    return answer(previews.correction(look(), *about, lambda refusal: RefusalDocument(**describe(refusal))))


@operation("POST", "/tables/{table}/would", ThrowPreview, takes=requests.PreviewThrow, listed=False)
def preview_throw() -> Response:
    """The choices on the sheet after a throw, for a photo under review."""
    wanted = body(requests.PreviewThrow)
    return answer(ThrowPreview(would=previews.outcome_of_throw(look().table, wanted.dice, wanted.keep)))


@operation("GET", "/tables/{table}/advice", listed=False)
def show_advice() -> Response:
    """The odds and the cost of each choice, if the table advises. `?player=`: for which of the players who act."""
    return answer(services().advisor.advice_of(g.caller.key, phone_origin(), request.args.get("player", type=int)))


def _post(kind: type[commands.Command]) -> Response:
    """Asks the table by the command in the request's body."""
    if issubclass(kind, COUNTED):
        count(STEPS)
    wanted = body(kind)
    return _tell_state_after(wanted, named=issubclass(kind, NAMED))


# The other commands of one request each.
for _name, (_path, _kind) in commands.POSTED.items():
    if _name not in ("act", "undo", "correct", "disconnect_webhook"):
        _asks: dict[str, Any] = {"takes": _kind, "listed": False}
        declare_operation(
            _name, "POST", f"/tables/{{table}}/{_path}", functools.partial(_post, _kind), TableState, ACTS, **_asks
        )


def _tell_state_after(command: commands.Command, named: bool = False) -> Response:
    """The state after a command. `named`: others are told who did it."""
    view = do(command, acting() if named else None)
    return answer(view) if g.caller.by_key else _state()


def _state(status: int = 200) -> Response:
    """The state of a table that let this caller in."""
    request.environ[OPENED] = g.caller.key
    return _tell(services().sessions.snapshot(g.caller.key), status)


def _tell(shown: Snapshot, status: int = 200) -> Response:
    return answer(shown.view if g.caller.by_key else table_state(shown.state, shown.stamp), status)


def table_state(state: State, stamp: str) -> TableState:
    """What programs with a token are told of a table: no key, no short code, and no phones."""
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


# --- photos -----------------------------------------------------------------------------------------------------------


@operation(
    "POST", "/tables/{table}/photos", TableState, ACTS, takes=bytes, status=202, query=SENT, required=["version"]
)
def send_photo() -> Response:
    """Sends a photo of the throw that comes now. It is read in turn with all others, then a person confirms it.
    `keep`: the values of the dice that were kept for this throw, in games that ask for it. `request`: an id of your
    choice, so that a photo that is sent again counts once. `replaces`: the id of the photo under review that this one
    may replace; without it any."""
    is_form = request.mimetype in FORMS  # as phones send it: with the same fields, `keep` as a JSON list
    data = _photo_in_form() if is_form else photo_body()
    count(PHOTOS)
    wanted = _photo_fields(request.form, _listed_dice) if is_form else _photo_fields(request.args, _written_dice)
    about = (wanted.version, acting(), data, wanted.keep, phone_origin(), wanted.request or "")
    services().photo_reader.queue(g.caller.key, *about, replaces=wanted.replaces)
    return _state(202)


def _photo_in_form() -> IO[bytes]:
    upload = request.files.get("photo")
    if upload is None or not upload.stream.read(1):
        raise Problem("no-photo", 422)
    upload.stream.seek(0)
    return upload.stream


def _listed_dice(text: str) -> Any:
    return decode(text.encode(), Any)


def _written_dice(text: str) -> Any:
    if not KEPT.fullmatch(text):
        raise Problem("bad-request", 400, detail="keep has the values of up to six dice")
    return [int(value) for value in text]


def _photo_fields(told: Mapping[str, str], dice: Callable[[str], Any]) -> requests.SendPhoto:
    version, keep = told.get("version", ""), told.get("keep")
    fields = {
        "version": int(version) if NUMBER.fullmatch(version) else version,
        "request": told.get("request") or None,
        "replaces": told.get("replaces"),
        "keep": None if keep is None else dice(keep),
    }
    return convert(fields, requests.SendPhoto)


@operation("POST", "/tables/{table}/look", TableState, ACTS, takes=requests.TakePhoto, status=202, listed=False)
def take_photo() -> Response:
    """Takes such a photo with the server's camera."""
    wanted = body(requests.TakePhoto)
    about = (wanted.version, acting(), None, wanted.keep, phone_origin())
    services().photo_reader.queue(g.caller.key, *about, source=CAMERA)
    return _state(202)


@operation("GET", "/tables/{table}/photos/{photo}", bytes, listed=False)
def show_photo(photo: str) -> Response:
    """The photo under review, only during the review."""
    shown = services().photo_reader.review.shown_picture(g.caller.key, photo)
    if shown is None:
        raise Problem("no-reading", 404)
    return Response(shown, mimetype="image/jpeg")


@operation("DELETE", "/tables/{table}/photos/{photo}", TableState, ACTS, listed=False)
def discard_photo(photo: str) -> Response:
    """Discards the photo under review. `?plays_for=`: the number of the player that the phone is bound to."""
    return _tell_state_after(commands.Discard(photo, request.args.get("plays_for", type=int)))


@operation("DELETE", "/tables/{table}/samples", TableState, ACTS, listed=False)
def forget_dice() -> Response:
    """Deletes the training samples of this table's dice."""
    return _tell_state_after(commands.ForgetDice(), named=True)


# --- the camera that watches ------------------------------------------------------------------------------------------


@operation("POST", "/tables/{table}/watch", TableState, ACTS, takes=requests.SetWatching, listed=False)
def set_watching() -> Response:
    """Starts or stops watching, or sets how."""
    wanted, key = body(requests.SetWatching), g.caller.key
    if wanted.on and wanted.stand is not None:
        services().watched_tables.start_stand(key, wanted.stand, acting())
    elif wanted.on:
        services().watched_tables.start(key, g.caller.asker, wanted.by_itself, wanted.region)
    else:
        services().watched_tables.stop(key, g.caller.asker)
    return _state()


@operation("POST", "/tables/{table}/watch/again", TableState, ACTS, listed=False)
def watch_again() -> Response:
    """Makes the camera forget what it has seen, and look again."""
    return _tell_state_after(commands.LookAgain())


@operation("GET", "/tables/{table}/watch/picture", bytes, listed=False)
def show_watched() -> Response:
    """The newest small picture of the camera that watches this table; 204 if none is newer than `?after=`."""
    found = services().watched_tables.picture(g.caller.key, request.args.get("after", -1, type=int))
    if found is None:
        return Response(status=204)
    number, picture = found
    return Response(picture, mimetype="image/jpeg", headers={"X-Picture": str(number), "Cache-Control": "no-store"})


@operation("POST", "/tables/{table}/frames", StandAnswer, OPEN, takes=bytes, listed=False)
def take_frame() -> Response:
    """A frame of the phone on a stand `?stand=`, a JPEG of `?at=` seconds of its clock; no body: nothing changed."""
    return answer(services().watched_tables.take_frame(g.caller.key, *_frame()))


@operation("POST", "/tables/{table}/trial", TrialAnswer, OPEN, takes=bytes, listed=False)
def try_frame() -> Response:
    """The same of a phone that is being set up: what it sees is told to nobody else, and changes nothing."""
    return answer(services().stand_trials.take_frame(g.caller.key, *_frame()))


def _frame() -> tuple[str, float, bytes]:
    """The id of the stand that sends a frame, the seconds of its clock, and the JPEG."""
    count(FRAMES)
    data = request.get_data()
    at = request.args.get("at", 0.0, type=float)
    if len(data) > MOST_FRAME_BYTES or not math.isfinite(at):
        raise Problem("bad-frame", 422)
    return request.args.get("stand", ""), at, data


@operation("POST", "/tables/{table}/rest", None, OPEN, takes=bytes, status=204, listed=False)
def take_rest() -> Response:
    """The full picture of the rest `?picture=` that the phone on the stand `?stand=` was asked for, a JPEG."""
    count(PHOTOS)
    about = request.args.get("stand", ""), request.args.get("picture", "")
    services().watched_tables.take_picture(g.caller.key, *about, request.get_data())
    return Response(status=204)


# --- who comes, and who is told ---------------------------------------------------------------------------------------


@operation("GET", "/tables/{table}/phones", listed=False)
def list_phones() -> Response:
    """The phones that have been at this table, for its owner."""
    key, access = g.caller.key, look().access
    access.check_owner(g.caller.asker.phone)
    return answer(
        [
            ListedPhone(phone=tag(key, device), name=seen.name, at=seen.at, out=seen.out, owner=device == access.owner)
            for device, seen in access.phones.items()
        ]
    )


@operation("GET", "/tables/{table}/programs", listed=False)
def list_programs() -> Response:
    """The programs that this table lets in, for its owner; at a table without an owner for any phone."""
    key, access = g.caller.key, look().access
    access.check_host(g.caller.asker.phone)
    return answer(
        [
            ListedProgram(program=tag(key, each), name=found.name, may=found.may, at=found.at)
            for each, found in access.programs.items()
        ]
    )


@operation("POST", "/tables/{table}/programs", NewToken, ACTS, takes=requests.NewProgram, status=201, listed=False)
def connect_program() -> Response:
    """A token for a program, shown once: only its hash is kept."""
    wanted, token = body(requests.NewProgram), new_token()
    count(STEPS)
    do(commands.ConnectProgram(token_hash(token), wanted.name, wanted.may))
    return answer(NewToken(token=token, table=table_id(g.caller.key)), 201)


@operation("GET", "/tables/{table}/events", EventPage, query=PAGES, streams=True)
def list_events() -> Response:
    """The events of a table after number `after`. Accept text/event-stream keeps them coming, also after the number in
    Last-Event-ID."""
    if "Sec-WebSocket-Version" in request.headers:
        raise Problem("socket-gone", 410)
    if streams.wants_stream():
        return streams.program_events(g.caller)
    after, most = page_asked()
    found = services().event_feeds.events_after(services().sessions.look(g.caller.key), after)
    more = str(found[most - 1].number) if len(found) > most else None
    return answer_page(EventPage(items=found[:most], next=more))


@operation("GET", "/tables/{table}/webhooks", WebhookPage, TOKEN)
def list_webhooks() -> Response:
    """The addresses where programs are told what happens."""
    access = look().access
    (access.check_host if g.caller.by_key else access.check_acts)(g.caller.asker.phone)
    return _webhooks()


@operation("POST", "/tables/{table}/webhooks", NewWebhook, TOKEN, takes=requests.ConnectWebhook, status=201)
def connect_webhook() -> Response:
    """Has what happens posted to an address of the same network, signed with the secret, until the token is taken
    back."""
    wanted = body(requests.ConnectWebhook)
    count(STEPS)
    return answer(services().webhooks.connect(g.caller.key, wanted, g.caller.asker, phone_origin()), 201)


@operation("POST", "/tables/{table}/webhooks/removed", WebhookPage, TOKEN, takes=commands.DisconnectWebhook)
def disconnect_webhook() -> Response:
    """Posts nothing more to an address. Gives the others."""
    _post(commands.DisconnectWebhook)
    return _webhooks()


def _webhooks() -> Response:
    return answer(WebhookPage(items=services().webhooks.list_of(g.caller.key), next=None))


@operation("GET", "/tables/{table}/statistics", FinishedGamePage)
def show_finished_game() -> Response:
    """The result of this table's game: an empty page while it runs."""
    row = services().sessions.row(g.caller.key)
    found = player_games.read_rows(
        services().store, lambda connection: player_games.games_at_tables(connection, [row.id])
    )
    return answer(FinishedGamePage(items=finished_games(found), next=None))
