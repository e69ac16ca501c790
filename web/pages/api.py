"""What the table's page asks for and sends, as JSON; everything lies under the table's key."""

import json
import math
import re
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, request

from web.pages.access import count, note_reading, phone_origin, table_of
from web.pages.devices import acting_label, known_device
from web.pages.errors import describe
from web.pages.packing import packed
from web.pages.parsing import parse
from web.photos.lessons import taught
from web.problems import Problem
from web.server.limits import PHOTOS, STEPS
from web.session.access_list import tag
from web.session.playing import Asked
from web.store.store import ADVICE, Json
from web.texts.languages import LANGUAGES
from web.texts.script_texts import script_texts

JSON_LIMIT = 1 << 16  # bytes of one request; the largest, a corrected knaster line, has a few hundred
REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
BAD_REQUEST_ID = "request must be 8 to 64 letters and digits"
OF_AN_IMPORT = re.compile(r"import-[0-9]{1,9}")  # what the store calls the lines that came with a record
VERSION = re.compile(r"[0-9]{1,9}")
MOST_DICE_IN_EVIDENCE = 200
MOST_DICE_KEPT = 6
OTHERS = "others"  # in the place of one phone

blueprint = Blueprint("api", __name__, url_prefix="/tables/<key>")


@blueprint.get("/state")
def state(key: str) -> Response:
    """The table's state; 204 when it is still the one of the stamp that the phone names."""
    rooms, _ = table_of(key)
    if request.args.get("stamp") == rooms.playing.stamp(key):
        return Response(status=204)
    return _json(rooms.playing.state(key))


@blueprint.post("/actions")
def act(key: str) -> Response:
    """{"version", "request", "action", "keep"?, "set_aside"?, "forced"?, "plays_for"?, "evidence"?}

    `evidence`: {"reading", "dice": [{"value", "box"}], "aside"?} of a throw that was read from a photo. `keep`,
    `set_aside`: the dice that were kept or set aside for this throw; they are told and recorded with it. `forced`: true
    for a throw that is to be set aside at once where it allows a single set-aside.
    """
    rooms, row = table_of(key)
    count(STEPS)
    body = _body()
    evidence = _evidence(body.get("evidence"))
    action = _field(body, "action", dict)

    def lesson(settled: Json) -> bytes | None:
        return None if evidence is None else taught(settled, action, evidence)

    forced = body.get("forced") is True
    state, settled = rooms.playing.act(key, _asked(key, body), action, evidence, _before(body), lesson, forced)
    if settled is not None and evidence is not None:
        note_reading(settled, action["dice"])
    rooms.looking.review.settle(row, settled, evidence)
    return _json(state)


@blueprint.get("/advice")
def advice(key: str) -> Response:
    """The chances of each choice and what it costs, where the table advises. `?player=`: for whom of those who act."""
    rooms, _ = table_of(key)
    return _json(rooms.advising.of(key, phone_origin(), request.args.get("player", type=int)))


@blueprint.post("/advice")
def set_advice(key: str) -> Response:
    """{"advice"}: how much this table advises on all its phones from now on: "off", "odds" or "best"."""
    rooms, _ = table_of(key)
    wanted = _field(_body(), "advice", str)
    if wanted not in ADVICE:
        raise Problem("bad-request", 400, detail=f"advice must be one of {', '.join(ADVICE)}")
    return _json(rooms.playing.set_advice(key, wanted, acting_label(key)))


@blueprint.post("/dice")
def name_dice(key: str) -> Response:
    """{"name"}: what the people at this table call their dice; "" for no name."""
    rooms, _ = table_of(key)
    return _json(rooms.playing.set_dice_set(key, _field(_body(), "name", str)))


@blueprint.get("/phones")
def phones(key: str) -> Response:
    """The phones that have been at this table, for its owner: [{"phone", "name", "at", "out", "owner"}]."""
    rooms, _ = table_of(key)
    door = rooms.playing.door(key)
    door.check_owner(known_device())
    listed = [
        {"phone": tag(key, device), **asdict(seen), "owner": device == door.owner}
        for device, seen in door.phones.items()
    ]
    return _json(json.dumps(listed, ensure_ascii=False).encode())


@blueprint.post("/phones")
def turn_out(key: str) -> Response:
    """{"phone", "out"}: removes a phone from this table, or lets it in again; "phone": "others" for all but the
    owner's. Its owner may."""
    rooms, _ = table_of(key)
    body = _body()
    phone = _field(body, "phone", str)
    return _json(rooms.playing.turn_out(key, None if phone == OTHERS else phone, body.get("out") is not False))


@blueprint.post("/closed")
def close(key: str) -> Response:
    """{"closed"}: whether nothing more may be done at this table. Its owner may."""
    rooms, _ = table_of(key)
    closed = _body().get("closed") is not False
    state = rooms.playing.close_table(key, closed)
    pending = rooms.playing.pending(key) if closed else None
    if closed:
        rooms.watching.stop(key)
    if pending is not None:
        rooms.looking.review.discard(key, pending["id"])
        state = rooms.playing.state(key)
    return _json(state)


@blueprint.post("/undo")
def undo(key: str) -> Response:
    """{"version", "request"}"""
    rooms, row = table_of(key)
    count(STEPS)
    state, settled = rooms.playing.undo(key, _asked(key, _body()))
    rooms.looking.review.settle(row, settled, None)
    return _json(state)


@blueprint.get("/undo/preview")
def undo_preview(key: str) -> Response:
    """What an undo would take back now: {"version", "move", "before", "after", "turn"}."""
    rooms, _ = table_of(key)
    return _json(json.dumps(rooms.playing.preview_undo(key), ensure_ascii=False).encode())


@blueprint.get("/history")
def history(key: str) -> Response:
    rooms, _ = table_of(key)
    return _json(json.dumps(rooms.playing.history(key), ensure_ascii=False).encode())


@blueprint.post("/corrections/preview")
def preview(key: str) -> Response:
    """{"step", "action", "said"?}: what correcting that step would change."""
    rooms, _ = table_of(key)
    body = _body()
    step, action = _field(body, "step", int), _field(body, "action", dict)
    found = rooms.playing.preview_correction(key, step, action, _said(body) or ())
    for each in found["settled"]:
        each["because"] = None if each["because"] is None else describe(each["because"])
    return _json(json.dumps(found, ensure_ascii=False).encode())


@blueprint.post("/would")
def would(key: str) -> Response:
    """{"dice", "keep"?}: what that throw would leave to be chosen on the sheet, for a photo that was put right:
    {"would": {"to_act", "turn", "legal"} or null}."""
    rooms, _ = table_of(key)
    body = _body()
    dice = _kept(_field(body, "dice", list)) or []
    return _json(json.dumps({"would": rooms.playing.would(key, dice, _kept(body.get("keep")))}).encode())


@blueprint.post("/corrections")
def correct(key: str) -> Response:
    """{"version", "request", "step", "action", "said": [points or null]}; "drop_tail" may be in the place of "said"."""
    rooms, row = table_of(key)
    count(STEPS)
    body = _body()
    step, action = _field(body, "step", int), _field(body, "action", dict)
    state, settled = rooms.playing.correct(
        key, _asked(key, body), step, action, body.get("drop_tail") is True, _said(body)
    )
    rooms.looking.review.settle(row, settled, None)
    return _json(state)


@blueprint.post("/photos")
def photo(key: str) -> Response:
    """A form with the file `photo` and the field `version`; `keep`: the dice kept for this throw, as a JSON list.

    `request`: an id of this photo by which the phone may send it again, also in another size, and it is taken once.
    `stand`: "1" where nobody took it: the phone watches.
    """
    rooms, _ = table_of(key)
    upload = request.files.get("photo")
    if upload is None or not upload.stream.read(1):
        raise Problem("no-photo", 422)
    upload.stream.seek(0)
    count(PHOTOS)
    about = (_form_version(), acting_label(key), upload.stream, _form_kept(), phone_origin(), _form_request())
    rooms.looking.photo(key, *about, request.form.get("stand") == "1")
    return _json(rooms.playing.state(key), 202)


@blueprint.post("/look")
def look(key: str) -> Response:
    """{"version", "keep"?}: the same with a picture of the server's camera."""
    rooms, _ = table_of(key)
    body = _body()
    rooms.looking.look(key, _field(body, "version", int), acting_label(key), _kept(body.get("keep")), phone_origin())
    return _json(rooms.playing.state(key), 202)


@blueprint.post("/watch")
def watch(key: str) -> Response:
    """{"on", "by_itself"?, "region"?}: has the server's camera watch this table, or no longer.

    `by_itself`: what is sure is confirmed after some seconds. `region`: the four corners of what counts, [x, y, ...]
    as fractions of the picture; without, all of it.
    """
    rooms, _ = table_of(key)
    body = _body()
    if body.get("on") is True:
        rooms.watching.start(key, body.get("by_itself") is True, _corners(body.get("region")))
    else:
        rooms.watching.stop(key)
    return _json(rooms.playing.state(key))


@blueprint.post("/watch/again")
def watch_again(key: str) -> Response:
    """Has the camera look again, whatever was seen before."""
    rooms, _ = table_of(key)
    rooms.watching.again(key)
    return _json(rooms.playing.state(key))


@blueprint.post("/watch/hold")
def watch_hold(key: str) -> Response:
    """{"id"}: somebody touched a phone: this conclusion is not confirmed by itself."""
    rooms, _ = table_of(key)
    rooms.watching.hold(key, _field(_body(), "id", str))
    return _json(rooms.playing.state(key))


@blueprint.post("/watch/choose")
def watch_choose(key: str) -> Response:
    """{"version", "request", "id", "way", "plays_for"?}: does what the watching camera concluded, or its other way."""
    rooms, _ = table_of(key)
    body = _body()
    return _json(rooms.watching.choose(key, _asked(key, body), _field(body, "id", str), _field(body, "way", int)))


@blueprint.get("/watch.jpg")
def watched_picture(key: str) -> Response:
    """What the camera that watches this table sees now, small; 204 when there is nothing new since `?after=`."""
    rooms, _ = table_of(key)
    found = rooms.watching.picture(key, request.args.get("after", -1, type=int))
    if found is None:
        return Response(status=204)
    number, picture = found
    return Response(picture, mimetype="image/jpeg", headers={"X-Picture": str(number), "Cache-Control": "no-store"})


@blueprint.delete("/readings/<reading>")
def discard(key: str, reading: str) -> Response:
    """Forgets the photo under review. `?plays_for=` the player's number when the phone is bound to one."""
    rooms, _ = table_of(key)
    rooms.playing.check_discard(key, reading, request.args.get("plays_for", type=int))
    rooms.looking.review.discard(key, reading)
    return _json(rooms.playing.state(key))


@blueprint.delete("/lessons")
def forget_dice(key: str) -> Response:
    """Forgets how the dice of this table look."""
    rooms, _ = table_of(key)
    return _json(rooms.playing.forget_dice(key, acting_label(key)))


@blueprint.get("/readings/<reading>.jpg")
def picture(key: str, reading: str) -> Response:
    """The photo under review: for this table's phones only, and only while it is."""
    rooms, _ = table_of(key)
    shown = rooms.looking.review.shown(key, reading)
    if shown is None:
        raise Problem("no-reading", 404)
    return Response(shown, mimetype="image/jpeg")


texts_blueprint = Blueprint("texts", __name__)


@texts_blueprint.get("/texts/<code>-<tag>.json")
def texts(code: str, tag: str) -> Response:
    """All texts of the table's script in one language."""
    if code not in LANGUAGES:
        raise Problem("not-found", 404)
    body, present = script_texts(code)
    return packed(body.encode(), "application/json", keep=tag == present)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status=status, mimetype="application/json")


def _body() -> Json:
    if request.content_length is None or request.content_length > JSON_LIMIT:
        raise Problem("bad-request", 413 if request.content_length else 400, detail="a small JSON object is wanted")
    try:
        body = parse(request.get_data()) if request.is_json else None
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise Problem("bad-request", 400, detail="a JSON object is wanted")
    return body


def _field(body: Json, name: str, kind: type) -> Any:
    value = body.get(name)
    if not isinstance(value, kind) or isinstance(value, bool) or (isinstance(value, int) and value < 0):
        raise Problem("bad-request", 400, detail=f"{name} is missing or of the wrong kind")
    return value


def _asked(key: str, body: Json) -> Asked:
    wanted = _field(body, "request", str)
    if not REQUEST_ID.fullmatch(wanted):
        raise Problem("bad-request", 400, detail=BAD_REQUEST_ID)
    if OF_AN_IMPORT.fullmatch(wanted):
        wanted = f".{wanted}"  # which no phone can send: this one is not taken for the import's
    plays_for = body.get("plays_for")
    if plays_for is not None and type(plays_for) is not int:
        raise Problem("bad-request", 400, detail="plays_for must be a player's number")
    return Asked(_field(body, "version", int), wanted, acting_label(key), plays_for)


def _said(body: Json) -> list[int | None] | None:
    """The points that a person gives the turns that must be settled; None when none are told."""
    said = body.get("said")
    if said is None:
        return None
    if not isinstance(said, list) or not all(each is None or type(each) is int for each in said):
        raise Problem("bad-request", 400, detail="said must be a list of points")
    return said


def _form_version() -> int:
    version = request.form.get("version", "")
    if not VERSION.fullmatch(version):
        raise Problem("bad-request", 400, detail="version is missing")
    return int(version)


def _form_request() -> str:
    wanted = request.form.get("request", "")
    if wanted and not REQUEST_ID.fullmatch(wanted):
        raise Problem("bad-request", 400, detail=BAD_REQUEST_ID)
    return wanted


def _kept(given: Any) -> list[int] | None:
    """Dice kept for a throw; which ones may be is for the rules to say."""
    if given is None:
        return None
    if not isinstance(given, list) or len(given) > MOST_DICE_KEPT or any(type(value) is not int for value in given):
        raise Problem("bad-request", 400, detail="keep must be a list of dice")
    return given


def _corners(given: Any) -> list[float] | None:
    if given is None:
        return None
    if not isinstance(given, list) or len(given) != 8 or not all(type(each) in (int, float) for each in given):
        raise Problem("bad-request", 400, detail="region must be a list of eight numbers")
    return [float(each) for each in given]


def _before(body: Json) -> Json | None:
    """What was done with the dice before the throw that an action tells."""
    for name, verb in (("keep", "keep"), ("set_aside", "set-aside")):
        dice = _kept(body.get(name))
        if dice is not None:
            return {"do": verb, "dice": dice}
    return None


def _form_kept() -> list[int] | None:
    text = request.form.get("keep")
    try:
        return None if text is None else _kept(parse(text.encode()))
    except ValueError:
        raise Problem("bad-request", 400, detail="keep must be a list of dice") from None


def _evidence(given: Any) -> Json | None:
    """What the person says is in the photo, checked: it may become training data.

    `dice`: those thrown; `aside`: those that were read too, but lay beside the throw.
    """
    if given is None:
        return None
    try:
        reading = given["reading"]
        dice, aside = (_marked_dice(given.get(name, [])) for name in ("dice", "aside"))
        sound = isinstance(reading, str)
    except (TypeError, KeyError, ValueError, OverflowError, AttributeError):
        sound = False
    if not sound:
        raise Problem("bad-request", 400, detail="evidence is of the wrong shape")
    return {"reading": reading, "dice": dice, "aside": aside}


def _marked_dice(given: Any) -> list[Json]:
    dice = []
    for die in given[:MOST_DICE_IN_EVIDENCE]:
        value, box = die["value"], [float(side) for side in die["box"]]
        if type(value) is not int or not 1 <= value <= 6 or len(box) != 4 or not all(map(math.isfinite, box)):
            raise ValueError("a die has a value 1..6 and a box of four numbers")
        dice.append({"value": value, "box": box})
    return dice
