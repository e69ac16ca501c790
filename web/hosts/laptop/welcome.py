"""The page of the first start, for this computer's own browser: QR code, copies, and the end."""

import datetime
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Flask,
    Response,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from web.hosts.laptop.this_machine import ThisMachine, is_of_other_user
from web.hosts.merging import Merged, bring_games
from web.pages.access import phone_address, services
from web.pages.errors import wants_json
from web.pages.host_names import LOOPBACK, host_name
from web.pages.large_bodies import FORM_AROUND, allow_larger
from web.pages.my_tables import parse_number
from web.pages.responses import download, qr_picture
from web.problems.problem import Problem
from web.store.maintenance.copies import copy_games
from web.store.sqlite import FILE_NAME, SqliteStore
from web.texts import release

COPY_LIMIT = 128 << 20  # bytes: a copy with several thousand games; it is in memory while it is sent
EXTENSION = "rollcall.this-machine"
FORWARDED = ("X-Forwarded-For", "X-Real-Ip", "Forwarded", "Via")

blueprint = Blueprint("welcome", __name__, url_prefix="/welcome")


def install(app: Flask, machine: ThisMachine | None) -> None:
    """Adds the page to an application that has not answered yet. `machine`: None if its own browser was not opened."""
    app.extensions[EXTENSION] = machine
    allow_larger(app, "welcome.bring", COPY_LIMIT + FORM_AROUND, only_here)
    app.register_blueprint(blueprint)


def _machine_here() -> ThisMachine | None:
    """This computer, if one of its own user's programs asks, and not by a proxy."""
    machine: ThisMachine | None = current_app.extensions[EXTENSION]
    if machine is None or any(name in request.headers for name in FORWARDED):
        return None
    if not machine.is_asked_here(phone_address(), request.host):
        return None
    port = int(request.environ.get("REMOTE_PORT") or 0)
    return None if is_of_other_user(port, urlsplit(machine.url).port or 0) else machine


def only_here() -> ThisMachine:
    """This computer, if the browser asks that Rollcall opened. Raises `Problem`."""
    machine = _machine_here()
    if machine is None or not machine.knows(request.headers.get("Cookie", "")):
        raise Problem("only-here" if machine is None else "not-opened", 403)
    return machine


@blueprint.get("/open")
def enter() -> BaseResponse:
    """Lets in the browser that brings a token, and leads it on at once: the token stays in no history."""
    machine = _machine_here()
    if machine is None:
        return redirect("/")
    known = machine.let_in(request.args.get("token", ""), request.headers.get("Cookie", ""))
    if known is None:
        only_here()
    answer = redirect(url_for("welcome.page"), 303)
    if known is not None:
        settings: dict[str, Any] = {"httponly": True, "samesite": "Strict", "secure": request.is_secure}
        answer.set_cookie(machine.cookie, known, path=blueprint.url_prefix, **settings)
    return answer


@blueprint.get("")
def page() -> Any:
    """`?address=NUMBER` shows the QR code of another address."""
    if _machine_here() is None:
        return redirect("/")
    machine = only_here()
    numbers = {name: parse_number(request.args.get(name)) for name in ("came", "here", "deleted", "games")}
    merged = None if numbers["came"] is None else Merged(**{name: number or 0 for name, number in numbers.items()})
    made_from = release.commit()
    return render_template(
        "welcome.html",
        taken_port=machine.taken_port,
        merged=merged,
        address=_address(),
        others=[(number, each) for number, each in enumerate(_addresses()) if each != _address()],
        number=_number(),
        reachable=host_name(urlsplit(_address()).netloc) not in LOOPBACK,
        camera=services().runner.abilities.get("camera", False),
        copies=isinstance(services().store, SqliteStore),
        data=_data().absolute(),
        version=release.full_version(),
        day=None if made_from is None else f"{made_from.day}T12:00:00+00:00",
    )


@blueprint.get("/qr.svg")
def qr() -> Response:
    only_here()
    return qr_picture(_address())


@blueprint.post("/copy")
def copy() -> Response:
    """All games as one file. Raises `Problem`, and OSError of the folder for temporary files, as `bring` does."""
    only_here()
    _store()
    with tempfile.TemporaryDirectory(prefix="rollcall-") as folder:
        path = Path(folder) / "copy.db"
        copy_games(_data() / FILE_NAME, path)
        if path.stat().st_size > COPY_LIMIT:
            raise Problem("copy-too-long", limit=COPY_LIMIT >> 20)
        content = path.read_bytes()
    return download(content, "application/vnd.sqlite3", f"rollcall-{datetime.date.today().isoformat()}.db")


@blueprint.post("/games")
def bring() -> Any:
    """Brings the games of a copy."""
    only_here()
    store = _store()
    if (request.content_length or 0) > COPY_LIMIT + FORM_AROUND:
        raise Problem("copy-too-large", 413, limit=COPY_LIMIT >> 20)
    request.max_content_length = COPY_LIMIT + FORM_AROUND
    upload = request.files.get("copy")
    if upload is None:
        raise Problem("copy-not-ours")
    with tempfile.TemporaryDirectory(prefix="rollcall-") as folder:
        path = Path(folder) / "copy.db"
        upload.save(path)
        merged = bring_games(store, path)
    if wants_json():
        return jsonify(vars(merged))
    return redirect(url_for("welcome.page", **vars(merged), _anchor="copies"), 303)


@blueprint.post("/end")
def end() -> str:
    only_here().end_soon()
    return render_template("ended.html")


def _store() -> SqliteStore:
    """The store. Raises `Problem` if the games are in a database."""
    store = services().store
    if not isinstance(store, SqliteStore):
        raise Problem("copy-away")
    return store


def _data() -> Path:
    return Path(current_app.config["DATA"])


def _addresses() -> list[str]:
    """This computer's addresses for phones, the likeliest first."""
    settings = services().settings
    return [settings.base_url or request.host_url, *settings.other_urls]


def _number() -> int:
    wanted = parse_number(request.args.get("address")) or 0
    return wanted if wanted < len(_addresses()) else 0


def _address() -> str:
    return _addresses()[_number()]
