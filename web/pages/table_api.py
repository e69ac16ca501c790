"""What phones and programs may ask of one table, all under `/api/v1/tables/{table}`: its key, or with a token its id.

`web.table.commands` declares the bodies of requests, `web.table.view` those of answers. Whoever comes by the key is
told the view that phones are shown; a program with a token gets the part of it without keys and letters (`TableState`).
"""

import functools
import math
import re
from collections.abc import Mapping, Sequence
from typing import IO, Any

import msgspec
from flask import Response, request
from msgspec import UNSET, UnsetType

from scorer.strict_json import parse
from web.limits.visitor_limits import FRAMES, PHOTOS, STEPS
from web.pages import live, streams
from web.pages.access import Caller, admitted_caller, phone_origin
from web.pages.errors import describe
from web.pages.keys import OPENED
from web.pages.operations import (
    ACTS,
    OPEN,
    PAGES,
    PREFIX,
    SEEN_LIMIT,
    answer,
    answer_page,
    body,
    convert,
    operation,
    page_asked,
    photo_body,
)
from web.pages.server_api import FinishedGamePage, finished_games
from web.photos.frame_sources import MOST_FRAME_BYTES
from web.photos.phone_readings import Question
from web.problems.problem import Problem
from web.runner.runner import Snapshot
from web.statistics import player_games
from web.store.server_tokens import new_token, token_hash
from web.table import commands, proof, requests
from web.table import showing as previews
from web.table.access_list import table_id, tag
from web.table.happenings import TableEvent, events_after
from web.table.history import history_page
from web.table.json_document import Document, RefusalDocument, document_of, first_page
from web.table.moments import ending_of
from web.table.photo_state import PendingPhoto, photo_fields
from web.table.view import (
    CorrectionPreview,
    Ending,
    GameHistory,
    ListedPhone,
    ListedProgram,
    Move,
    NewToken,
    StandAnswer,
    Standing,
    ThrowPreview,
    TrialAnswer,
    UndoPreview,
)

FORMS = ("multipart/form-data", "application/x-www-form-urlencoded")
NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
KEPT = re.compile(r"[1-6]{0,6}", re.ASCII)
COUNTED = (commands.Change, commands.DisconnectWebhook)
# Of `commands.POSTED`, for programs too: their summaries, and examples of their bodies.
THROW = {"do": "throw", "dice": [5, 1, 4, 5, 1, 2]}
MENDED = {"step": 1, "action": {**THROW, "dice": [5, 1, 4, 5, 1, 3]}}
LISTED: dict[str, tuple[str, dict[str, Any]]] = {
    "act": (
        "Does one of the legal actions, or settles something by hand.",
        {"version": 0, "request": "throw-0001", "action": THROW},
    ),
    "undo": ("Takes back the last step.", {"version": 1, "request": "undo-0001"}),
    "correct": ("Replaces a step.", {"version": 1, "request": "mend-0001", **MENDED}),
    "disconnect_webhook": ("Posts nothing more to an address.", {"webhook": "5f0c0e6f2b1d4a77"}),
}
SEEN = {"number": 100, "version": 1, "player": 0, "name": "Ada", "device": "lamp", "at": "2026-11-27T18:40:08Z"}
CONFIRMED = {**SEEN, "event": "throw-confirmed", "dice": THROW["dice"], "action": THROW}

VERSION = {"type": "integer", "minimum": 0, "maximum": 999999999}
SENT = {
    "version": VERSION,
    "keep": {"type": "string", "pattern": "^[1-6]{0,6}$"},
    "request": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"},
    "replaces": {"type": "string"},
}


class TableState(Document, frozen=True, kw_only=True):
    """A table: a part of what phones are shown. `stamp` changes with every change; `version`: the number of log lines,
    which a change names; `steps`: in the record. `pending`: the id and state of the photo under review. `next`: names
    the table that follows, by its key for whoever came by the key, else by its id."""

    id: str
    stamp: str
    version: int
    standing: Standing
    pending: PendingPhoto | None
    last_move: Move | None
    steps: int
    next: str | None
    closed: bool


class GameRecord(Document, frozen=True, kw_only=True):
    """A game record (docs/interfaces.md): what it takes to replay the game. `proof`: the log and its hashes, if the
    table kept pictures of its throws."""

    format: int
    game: str
    options: Mapping[str, Any]
    players: Sequence[str]
    actions: Sequence[Mapping[str, Any]]
    file: str = ""
    proof: Mapping[str, Any] | UnsetType = UNSET


class EventPage(Document, frozen=True, kw_only=True):
    """Events of a table, the oldest first. `next`: the number of the last one if more follow."""

    items: Sequence[TableEvent]
    next: str | None


# --- the game ---------------------------------------------------------------------------------------------------------


@operation("GET", "/tables/{table}", TableState)
def show_table(caller: Caller) -> Response:
    """The state of a table. `table`, here and below: its key, or with a token its id."""
    shown = caller.parts.runner.snapshot(caller.key)
    return Response(status=204) if request.args.get("stamp") == shown.stamp else tell_state(caller, shown)


@streams.blueprint.get(f"{PREFIX}/tables/<table>/states")
def stream_states(table: str) -> Response:
    """The state of a table as server-sent events: first the present one, then each new one."""
    caller = admitted_caller(table)
    runner = caller.parts.runner
    if not caller.by_key:
        return stream_new_states(caller)

    def tell() -> bytes:
        return live.state_event(runner.snapshot(caller.key, caller.asker).view)

    return streams.answer(live.Stream(caller.key, caller.asker.phone or "", tell))


def stream_new_states(caller: Caller) -> Response:
    """The answer to a program or an overlay that goes on with each state, as they are told it."""
    runner = caller.parts.runner

    def tell() -> bytes:
        shown = runner.snapshot(caller.key, caller.asker)
        return live.state_event(msgspec.json.encode(table_state(shown)))

    return streams.answer_new(caller, tell)


@operation("GET", "/tables/{table}/record", GameRecord)
def show_record(caller: Caller) -> Response:
    """The game record, to replay or import."""
    return answer(previews.record(caller.look()))


@operation("GET", "/tables/{table}/pictures/{line}", bytes)
def show_picture(caller: Caller, line: str) -> Response:
    """The small picture, a JPEG, of the throw in this line of the log, if the table keeps them."""
    state = caller.look()
    seq = int(line) if NUMBER.fullmatch(line) else 0
    named = 1 <= seq <= state.version and proof.hash_in(state.entries[seq - 1].body) is not None
    found = caller.parts.store.picture(state.row.id, seq) if named else None
    if found is None:
        raise Problem("no-picture", 404)
    # No phone keeps it: it is deleted with the table.
    return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


@operation("GET", "/tables/{table}/history", GameHistory, query=PAGES)
def show_history(caller: Caller) -> Response:
    """The steps of the game and the lines of its log, the newest page first: `after` names the page before."""
    after, most = page_asked()
    return answer_page(history_page(caller.look(), after, most))


@operation("GET", "/tables/{table}/ending", Ending, listed=False)
def show_ending(caller: Caller) -> Response:
    """The best throw of the game, and the turn that decided it."""
    state, store = caller.look(), caller.parts.store
    return answer(ending_of(state, lambda line: store.picture(state.row.id, line) is not None))


@operation("GET", "/tables/{table}/undo/preview", UndoPreview)
def preview_undo(caller: Caller) -> Response:
    """The steps that an undo would take back now."""
    return answer(previews.undo(caller.look()))


@operation(
    "POST", "/tables/{table}/corrections/preview", CorrectionPreview, takes=requests.PreviewCorrection, example=MENDED
)
def preview_correction(caller: Caller) -> Response:
    """What a correction would change. It changes nothing."""
    wanted = body(requests.PreviewCorrection)
    about = (wanted.step, dict(wanted.action), wanted.said or ())
    return answer(previews.correction(caller.look(), *about, lambda refusal: RefusalDocument(**describe(refusal))))


@operation("POST", "/tables/{table}/would", ThrowPreview, takes=requests.PreviewThrow, listed=False)
def preview_throw(caller: Caller) -> Response:
    """What a throw would allow, for a photo under review. It changes nothing."""
    wanted = body(requests.PreviewThrow)
    return answer(previews.preview_throw(caller.look().table, wanted.dice, wanted.keep))


@operation("GET", "/tables/{table}/advice", listed=False)
def show_advice(caller: Caller) -> Response:
    """The odds and the cost of each choice, if the table advises. `?player=`: for which of the players who act."""
    return answer(caller.parts.advisor.advice_of(caller.key, phone_origin(), request.args.get("player", type=int)))


def post_command(kind: type[commands.Command], caller: Caller) -> Response:
    """Asks the table by the command in the request's body. Answers the state after it."""
    if issubclass(kind, COUNTED):
        caller.count(STEPS)
    return tell_state(caller, caller.do(body(kind)))


for _name, (_path, _kind) in commands.POSTED.items():
    _summary, _example = LISTED.get(_name, ("", None))
    _more = {"takes": _kind, "listed": _name in LISTED, "example": _example}
    operation("POST", f"/tables/{{table}}/{_path}", TableState, ACTS, **_more)(
        functools.partial(post_command, _kind), _name, _summary
    )


def tell_state(caller: Caller, shown: Snapshot, status: int = 200) -> Response:
    request.environ[OPENED] = caller.key
    return answer(shown.view if caller.by_key else table_state(shown), status)


def table_state(shown: Snapshot) -> TableState:
    """What programs with a token are told of a table: no key, no short code, and no phones."""
    state, photo = shown.state, None
    if state.photo is not None:
        fields = photo_fields(state.photo)
        photo = PendingPhoto(**{name: fields[name] for name in PendingPhoto.__struct_fields__})
    return TableState(
        id=table_id(state.row.key),
        stamp=shown.stamp,
        version=state.version,
        standing=shown.standing,
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
def send_photo(caller: Caller) -> Response:
    """Sends a photo of the throw that comes now. It is read in turn with all others, then a person confirms it.
    `keep`: the values of the dice that were kept for this throw, in games that ask for it. `request`: an id of your
    choice, so that a photo that is sent again counts once. `replaces`: the id of the photo under review that this one
    may replace; without it any."""
    caller.count(PHOTOS)  # before the form is read
    is_form = request.mimetype in FORMS  # as phones send it: with the same fields, `keep` as a JSON list
    data, form = (_photo_in_form(), request.form) if is_form else (photo_body(), request.args)
    version, keep = form.get("version", ""), form.get("keep")
    fields = {
        "version": int(version) if NUMBER.fullmatch(version) else version,
        "request": form.get("request") or None,
        "replaces": form.get("replaces"),
        "keep": None if keep is None else _listed_dice(keep) if is_form else _written_dice(keep),
        "by_phone": is_form and "by_phone" in form,
    }
    wanted = convert(fields, requests.SendPhoto)
    shown = caller.parts.photos.reader.queue(caller.key, wanted, caller.acting_asker(), data, phone_origin())
    return tell_state(caller, shown, 202)


@operation("POST", "/tables/{table}/photos/{photo}/seen", Question, OPEN, takes=requests.EyeAnswer, listed=False)
def see_photo(caller: Caller, photo: str) -> Response:
    """Takes what a phone saw in its photo, and gives what it shall look for next."""
    caller.count(FRAMES)
    given = body(requests.EyeAnswer, SEEN_LIMIT)
    return answer(caller.parts.photos.reader.by_phones.answer(caller.key, photo, given.number, given.seen))


def _photo_in_form() -> IO[bytes]:
    upload = request.files.get("photo")
    if upload is None or not upload.stream.read(1):
        raise Problem("no-photo", 422)
    upload.stream.seek(0)
    return upload.stream


def _listed_dice(text: str) -> Any:
    try:
        return parse(text)
    except ValueError as error:
        raise Problem("bad-request", 400, detail="a JSON object is wanted") from error


def _written_dice(text: str) -> Any:
    if not KEPT.fullmatch(text):
        raise Problem("bad-request", 400, detail="keep has the values of up to six dice")
    return [int(value) for value in text]


@operation("POST", "/tables/{table}/look", TableState, ACTS, takes=requests.TakePhoto, status=202, listed=False)
def take_photo(caller: Caller) -> Response:
    """Takes such a photo with the server's camera."""
    asked = body(requests.TakePhoto)
    wanted = requests.SendPhoto(version=asked.version, keep=asked.keep)
    shown = caller.parts.photos.reader.queue(caller.key, wanted, caller.acting_asker(), None, phone_origin())
    return tell_state(caller, shown, 202)


@operation("GET", "/tables/{table}/photos/{photo}", bytes, listed=False)
def show_photo(caller: Caller, photo: str) -> Response:
    """The photo under review, only during the review."""
    shown = caller.parts.photos.reader.review.shown_picture(caller.key, photo)
    if shown is None:
        raise Problem("no-reading", 404)
    return Response(shown, mimetype="image/jpeg")


@operation("DELETE", "/tables/{table}/photos/{photo}", TableState, ACTS, listed=False)
def discard_photo(caller: Caller, photo: str) -> Response:
    """Discards the photo under review. `?plays_for=`: the number of the player that the phone is bound to."""
    return tell_state(caller, caller.do(commands.Discard(photo, request.args.get("plays_for", type=int))))


@operation("DELETE", "/tables/{table}/samples", TableState, ACTS, listed=False)
def forget_dice(caller: Caller) -> Response:
    """Deletes the training samples of this table's dice."""
    return tell_state(caller, caller.do(commands.ForgetDice()))


# --- the camera that watches ------------------------------------------------------------------------------------------


@operation("POST", "/tables/{table}/watch", TableState, ACTS, takes=requests.SetWatching, listed=False)
def set_watching(caller: Caller) -> Response:
    """Starts or stops watching, or sets how."""
    wanted, watched = body(requests.SetWatching), caller.parts.photos.watched
    if wanted.on and wanted.stand is not None:
        watched.start_stand(caller.key, wanted.stand, caller.acting_asker())
    elif wanted.on:
        watched.start(caller.key, caller.asker, wanted.by_itself, wanted.region)
    else:
        watched.stop(caller.key, caller.asker)
    return tell_state(caller, caller.parts.runner.snapshot(caller.key))


@operation("POST", "/tables/{table}/watch/again", TableState, ACTS, listed=False)
def watch_again(caller: Caller) -> Response:
    """Makes the camera forget what it has seen, and look again."""
    return tell_state(caller, caller.do(commands.LookAgain()))


@operation("GET", "/tables/{table}/watch/picture", bytes, listed=False)
def show_watched(caller: Caller) -> Response:
    """The newest small picture of the camera that watches this table; 204 if none is newer than `?after=`."""
    found = caller.parts.photos.watched.picture(caller.key, request.args.get("after", -1, type=int))
    if found is None:
        return Response(status=204)
    number, picture = found
    return Response(picture, mimetype="image/jpeg", headers={"X-Picture": str(number), "Cache-Control": "no-store"})


@operation("POST", "/tables/{table}/frames", StandAnswer, OPEN, takes=bytes, listed=False)
def take_frame(caller: Caller) -> Response:
    """A frame of the phone on a stand `?stand=`, a JPEG of `?at=` seconds of its clock; no body: nothing changed."""
    return answer(caller.parts.photos.watched.take_frame(caller.key, *_frame(caller)))


@operation("POST", "/tables/{table}/trial", TrialAnswer, OPEN, takes=bytes, listed=False)
def try_frame(caller: Caller) -> Response:
    """The same of a phone that is being set up: what it sees is told to nobody else, and changes nothing."""
    return answer(caller.parts.photos.trials.take_frame(caller.key, *_frame(caller)))


def _frame(caller: Caller) -> tuple[str, float, bytes]:
    """The id of the stand that sends a frame, the seconds of its clock, and the JPEG."""
    caller.count(FRAMES)
    data = request.get_data()
    at = request.args.get("at", 0.0, type=float)
    if len(data) > MOST_FRAME_BYTES or not math.isfinite(at):
        raise Problem("bad-frame", 422)
    return request.args.get("stand", ""), at, data


@operation("POST", "/tables/{table}/rest", None, OPEN, takes=bytes, status=204, listed=False)
def take_rest(caller: Caller) -> Response:
    """The full picture of the rest `?picture=` that the phone on the stand `?stand=` was asked for, a JPEG."""
    caller.count(PHOTOS)
    about = request.args.get("stand", ""), request.args.get("picture", "")
    caller.parts.photos.watched.take_picture(caller.key, *about, request.get_data())
    return Response(status=204)


# --- who comes, and who is told ---------------------------------------------------------------------------------------


@operation("GET", "/tables/{table}/phones", listed=False)
def list_phones(caller: Caller) -> Response:
    """The phones that have been at this table, for its owner."""
    access = caller.look().access
    access.check_owner(caller.asker.phone)
    found = [
        document_of(ListedPhone, seen, phone=tag(caller.key, device), owner=device == access.owner)
        for device, seen in access.phones.items()
    ]
    return answer(found)


@operation("GET", "/tables/{table}/programs", listed=False)
def list_programs(caller: Caller) -> Response:
    """The programs that this table lets in, for its owner; at a table without an owner for any phone."""
    access = caller.look().access
    access.check_host(caller.asker.phone)
    found = [document_of(ListedProgram, each, program=tag(caller.key, id_)) for id_, each in access.programs.items()]
    return answer(found)


@operation("POST", "/tables/{table}/programs", NewToken, ACTS, takes=requests.NewProgram, status=201, listed=False)
def connect_program(caller: Caller) -> Response:
    """A token for a program, shown once: only its hash is kept."""
    wanted, token = body(requests.NewProgram), new_token()
    caller.count(STEPS)
    caller.do(commands.ConnectProgram(token_hash(token), wanted.name, wanted.may))
    return answer(NewToken(token=token, table=table_id(caller.key)), 201)


@operation(
    "GET",
    "/tables/{table}/events",
    EventPage,
    query=PAGES,
    streams=True,
    answers={"items": [CONFIRMED], "next": None},
)
def list_events(caller: Caller) -> Response:
    """The events of a table after number `after`. Accept text/event-stream keeps them coming, also after the number in
    Last-Event-ID."""
    if "Sec-WebSocket-Version" in request.headers:
        raise Problem("socket-gone", 410)
    if streams.wants_stream():
        return streams.program_events(caller)
    after, most = page_asked()
    found, more = first_page(events_after(caller.parts.runner.look(caller.key), after), most)
    return answer_page(EventPage(items=found, next=str(found[-1].number) if more else None))


@operation("GET", "/tables/{table}/statistics", FinishedGamePage)
def show_finished_game(caller: Caller) -> Response:
    """The result of this table's game: an empty page while it runs."""
    row = caller.parts.runner.row(caller.key)
    with caller.parts.store.read() as connection:
        found = player_games.games_at_tables(connection, [row.id])
    return answer(FinishedGamePage(items=finished_games(found), next=None))
