"""The JSON requests of a table's page, all under the table's key.

`web.session.commands` declares the bodies of requests, `web.session.view` those of answers.
"""

import math
import re
from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, Response, request

from web.pages.access import before_asking, count, do, phone_origin, services
from web.pages.bodies import body, convert, decode
from web.pages.compression import compressed_response
from web.pages.devices import acting_label, asking_phone, known_device
from web.pages.errors import describe
from web.pages.static import later_scripts
from web.photos.frame_sources import MOST_FRAME_BYTES
from web.problems import Problem
from web.server.visitor_limits import FRAMES, PHOTOS, STEPS
from web.session import commands, proof, queries, requests
from web.session import preview as previews
from web.session.access_list import table_id, tag
from web.session.events import SETTINGS
from web.session.json_document import RefusalDocument
from web.session.photo_state import CAMERA
from web.session.view import ListedPhone, ListedProgram, NewToken, ThrowPreview
from web.store.server_tokens import new_token, token_hash
from web.texts.languages import LANGUAGES
from web.texts.script_texts import script_texts

NUMBER = re.compile(r"[0-9]{1,9}")
COUNTED = (commands.Change, commands.DisconnectWebhook, commands.RetryWebhook)
NAMED = (commands.Change, *SETTINGS)  # with the phone that did it

blueprint = Blueprint("api", __name__, url_prefix="/tables/<key>")


def _command_view(command: type[commands.Posted]) -> Callable[[str], Response]:
    def view(key: str) -> Response:
        with before_asking(key):
            if issubclass(command, COUNTED):
                count(STEPS)
            asked = body(command)
        # A phone without a name gets a number when it does something that names it to others.
        name = acting_label(key) if issubclass(command, NAMED) else ""
        return _json(do(key, asked, asking_phone(name)))

    return view


for name, (path, asked) in commands.POSTED.items():
    blueprint.add_url_rule(f"/{path}", name, _command_view(asked), methods=["POST"])


@blueprint.get("/state")
def state(key: str) -> Response:
    """The table's state; 204 if it still has the stamp in `?stamp=`."""
    shown = services().sessions.snapshot(key)
    return Response(status=204) if request.args.get("stamp") == shown.stamp else _json(shown.view)


@blueprint.get("/advice")
def advice(key: str) -> Response:
    """The odds and the cost of each choice, if the table advises. `?player=`: for which of the players who act."""
    return _json(services().advisor.advice_of(key, phone_origin(), request.args.get("player", type=int)))


@blueprint.get("/phones")
def phones(key: str) -> Response:
    """The phones that have been at this table, for its owner."""
    access = services().sessions.look(key).access
    access.check_owner(known_device())
    return _encode(
        [
            ListedPhone(phone=tag(key, device), name=seen.name, at=seen.at, out=seen.out, owner=device == access.owner)
            for device, seen in access.phones.items()
        ]
    )


@blueprint.get("/programs")
def programs(key: str) -> Response:
    """The programs that this table lets in, for its owner; at a table without an owner for any phone."""
    access = services().sessions.look(key).access
    access.check_host(known_device())
    return _encode(
        [
            ListedProgram(program=tag(key, each), name=found.name, may=found.may, at=found.at)
            for each, found in access.programs.items()
        ]
    )


@blueprint.post("/programs")
def connect_program(key: str) -> Response:
    """A token for a program, shown once: only its hash is kept."""
    with before_asking(key):
        wanted, token = body(requests.NewProgram), new_token()
        count(STEPS)
    do(key, commands.ConnectProgram(token_hash(token), wanted.name, wanted.may), asking_phone())
    return _json(msgspec.json.encode(NewToken(token=token, table=table_id(key))), 201)


@blueprint.get("/webhooks")
def webhooks(key: str) -> Response:
    """The addresses where programs are told what happens here, for whom `programs` tells."""
    services().sessions.look(key).access.check_host(known_device())
    return _encode(services().webhooks.list_of(key))


@blueprint.post("/webhooks")
def connect_webhook(key: str) -> Response:
    """Has a program told at its address; the secret is shown once."""
    with before_asking(key):
        wanted = body(requests.ConnectWebhook)
        count(STEPS)
    made = services().webhooks.connect(key, wanted, asking_phone(), phone_origin())
    return _json(msgspec.json.encode(made), 201)


@blueprint.get("/undo/preview")
def undo_preview(key: str) -> Response:
    """The steps that an undo would take back now."""
    return _encode(previews.undo(services().sessions.look(key)))


@blueprint.get("/history")
def history(key: str) -> Response:
    return _encode(previews.history(services().sessions.look(key)))


@blueprint.post("/corrections/preview")
def preview(key: str) -> Response:
    wanted, state = body(queries.PreviewCorrection), services().sessions.look(key)
    about = (wanted.step, dict(wanted.action), wanted.said or ())
    return _encode(previews.correction(state, *about, lambda refusal: RefusalDocument(**describe(refusal))))


@blueprint.post("/would")
def would(key: str) -> Response:
    """The choices on the sheet after a throw, for a photo under review."""
    wanted = body(queries.PreviewThrow)
    return _encode(
        ThrowPreview(would=previews.outcome_of_throw(services().sessions.look(key).table, wanted.dice, wanted.keep))
    )


@blueprint.post("/photos")
def photo(key: str) -> Response:
    """A form with the file `photo` and the fields of `SendPhoto`; `keep` as a JSON list."""
    upload = request.files.get("photo")
    if upload is None or not upload.stream.read(1):
        raise Problem("no-photo", 422)
    upload.stream.seek(0)
    count(PHOTOS)
    wanted = _photo_form()
    asker = asking_phone(acting_label(key))
    about = (wanted.version, asker, upload.stream, wanted.keep, phone_origin(), wanted.request or "")
    services().photo_reader.queue(key, *about, replaces=wanted.replaces)
    return _view(key, 202)


@blueprint.post("/look")
def look(key: str) -> Response:
    wanted = body(requests.TakePhoto)
    about = (wanted.version, asking_phone(acting_label(key)), None, wanted.keep, phone_origin())
    services().photo_reader.queue(key, *about, source=CAMERA)
    return _view(key, 202)


@blueprint.post("/watch")
def watch(key: str) -> Response:
    with before_asking(key):
        wanted = body(requests.SetWatching)
    if wanted.on and wanted.stand is not None:
        services().watched_tables.start_stand(key, wanted.stand, asking_phone(acting_label(key)))
    elif wanted.on:
        services().watched_tables.start(key, asking_phone(), wanted.by_itself, wanted.region)
    else:
        services().watched_tables.stop(key, asking_phone())
    return _view(key)


@blueprint.post("/frames")
def frames(key: str) -> Response:
    """A frame of the phone on a stand `?stand=`, a JPEG of `?at=` seconds of its clock; no body: nothing changed."""
    return _encode(services().watched_tables.take_frame(key, *_frame()))


@blueprint.post("/trial")
def trial(key: str) -> Response:
    """The same of a phone that is being set up: what it sees is told to nobody else, and changes nothing."""
    return _encode(services().stand_trials.take_frame(key, *_frame()))


def _frame() -> tuple[str, float, bytes]:
    """The id of the stand that sends a frame, the seconds of its clock, and the JPEG."""
    count(FRAMES)
    data = request.get_data()
    at = request.args.get("at", 0.0, type=float)
    if len(data) > MOST_FRAME_BYTES or not math.isfinite(at):
        raise Problem("bad-frame", 422)
    return request.args.get("stand", ""), at, data


@blueprint.post("/rest")
def rest(key: str) -> Response:
    """The full picture of the rest `?picture=` that the phone on the stand `?stand=` was asked for, a JPEG."""
    count(PHOTOS)
    about = request.args.get("stand", ""), request.args.get("picture", "")
    services().watched_tables.take_picture(key, *about, request.get_data())
    return Response(status=204)


@blueprint.post("/watch/again")
def watch_again(key: str) -> Response:
    """Makes the camera forget what it has seen, and look again."""
    return _json(do(key, commands.LookAgain(), asking_phone()))


@blueprint.post("/watch/hold")
def watch_hold(key: str) -> Response:
    with before_asking(key):
        wanted = body(commands.HoldProposal)
    return _json(do(key, wanted, asking_phone()))


@blueprint.post("/watch/choose")
def watch_choose(key: str) -> Response:
    with before_asking(key):
        wanted = body(commands.ChooseWay)
    return _json(do(key, wanted, asking_phone(acting_label(key))))


@blueprint.get("/watch.jpg")
def watched_picture(key: str) -> Response:
    """The newest small picture of the camera that watches this table; 204 if none is newer than `?after=`."""
    found = services().watched_tables.picture(key, request.args.get("after", -1, type=int))
    if found is None:
        return Response(status=204)
    number, picture = found
    return Response(picture, mimetype="image/jpeg", headers={"X-Picture": str(number), "Cache-Control": "no-store"})


@blueprint.delete("/readings/<reading>")
def discard(key: str, reading: str) -> Response:
    """Discards the photo under review. `?plays_for=`: the number of the player that the phone is bound to."""
    wanted = commands.Discard(reading, request.args.get("plays_for", type=int))
    return _json(do(key, wanted, asking_phone()))


@blueprint.delete("/lessons")
def forget_dice(key: str) -> Response:
    """Deletes the training samples of this table's dice."""
    return _json(do(key, commands.ForgetDice(), asking_phone(acting_label(key))))


@blueprint.get("/readings/<reading>.jpg")
def picture(key: str, reading: str) -> Response:
    """The photo under review, for this table's phones and only during the review."""
    shown = services().photo_reader.review.shown_picture(key, reading)
    if shown is None:
        raise Problem("no-reading", 404)
    return Response(shown, mimetype="image/jpeg")


@blueprint.get("/pictures/<line>.jpg")
def proof_picture(key: str, line: str) -> Response:
    """The small picture of the throw in this line of the log, if the table keeps them."""
    return answer_picture(key, line)


def answer_picture(key: str, line: str) -> Response:
    """The picture of a throw. No phone keeps it: it is deleted with the table."""
    state = services().sessions.look(key)
    seq = int(line) if NUMBER.fullmatch(line) else 0
    named = 1 <= seq <= state.version and proof.hash_in(state.entries[seq - 1].body) is not None
    found = services().store.picture(state.row.id, seq) if named else None
    if found is None:
        raise Problem("no-picture", 404)
    return Response(found, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})


texts_blueprint = Blueprint("texts", __name__)


@texts_blueprint.get("/texts/<code>-<tag>.json", defaults={"part": "first"})
@texts_blueprint.get("/texts/later/<code>-<tag>.json", defaults={"part": "later"})
def texts(code: str, tag: str, part: str) -> Response:
    """The texts of the scripts in one language: of those that a page loads first, or later."""
    if code not in LANGUAGES:
        raise Problem("not-found", 404)
    body, present = script_texts(code, later_scripts(), part)
    return compressed_response(body.encode(), "application/json", keep=tag == present)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status=status, mimetype="application/json")


def _view(key: str, status: int = 200) -> Response:
    return _json(services().sessions.snapshot(key).view, status)


def _encode(document: object) -> Response:
    return _json(msgspec.json.encode(document))


def _photo_form() -> requests.SendPhoto:
    """The text fields of a form with a photo."""
    form = request.form
    version, keep = form.get("version", ""), form.get("keep")
    told = {
        "version": int(version) if NUMBER.fullmatch(version) else version,
        "request": form.get("request") or None,
        "replaces": form.get("replaces"),
        "keep": None if keep is None else decode(keep.encode(), Any),
    }
    return convert(told, requests.SendPhoto)
