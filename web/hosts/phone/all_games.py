"""All games of this phone as one file, and back: the file that a computer's first page makes and takes too."""

import contextlib
import sqlite3
import tempfile
from pathlib import Path

from flask import Blueprint, Flask, Response, jsonify, request
from sqlalchemy import func, insert, literal, select

from web.hosts.merging import bring_games
from web.own_games import kept_games
from web.pages.access import services
from web.pages.devices import COOKIE, DEVICE_ID, YEAR_S, known_device
from web.pages.my_tables import parse_number
from web.problems.problem import Problem
from web.store import schema
from web.store.maintenance.copies import copy_games
from web.store.sqlite import SqliteStore
from web.store.visits import tables_of

LIMIT = 128 << 20  # bytes, as on a computer
HERE = "127.0.0.1"  # the address of this phone's own pages, and of no guest's

blueprint = Blueprint("all_games", __name__, url_prefix="/all-games")
tables, visits = schema.tables, schema.visits


def install(app: Flask) -> None:
    app.register_blueprint(blueprint)


@blueprint.before_request
def only_here() -> None:
    """Raises `Problem` for guests."""
    if request.remote_addr != HERE:
        raise Problem("only-here", 403)


@blueprint.get("/news")
def news() -> Response:
    """`newest`: the number of the last change; `over`: how many games have ended since the change `?since=`."""
    since = parse_number(request.args.get("since")) or 0
    ended = (tables.c.finished_at.is_not(None)) & (tables.c.active_no > since)
    with _store().read() as connection:
        over = connection.scalar(select(func.count()).where(ended, tables.c.deleted_at.is_(None)))
        newest = connection.scalar(select(func.coalesce(func.max(tables.c.active_no), 0)))
    return jsonify(newest=newest, over=over)


@blueprint.get("")
def save() -> Response:
    """All games as one file, with the name by which tables know this phone: a new phone goes on under it."""
    with tempfile.TemporaryDirectory(prefix="rollcall-") as folder:
        path = Path(folder) / "copy.db"
        copy_games(_store().path, path)
        with contextlib.closing(sqlite3.connect(path)) as copy, copy:
            copy.execute("CREATE TABLE phone (device TEXT)")
            copy.execute("INSERT INTO phone VALUES (?)", (known_device(),))
        content = path.read_bytes()
    return Response(content, mimetype="application/vnd.sqlite3")


@blueprint.post("")
def bring() -> Response:
    """Brings the games of such a file, and lists them here. A phone without games becomes the one that made it."""
    store, device = _store(), known_device()
    request.max_content_length = LIMIT
    is_new = bool(device) and not tables_of(store, device, limit=1) and not kept_games.kept_by(store, device)
    with tempfile.TemporaryDirectory(prefix="rollcall-") as folder:
        path = Path(folder) / "copy.db"
        path.write_bytes(request.get_data())
        with store.read() as connection:
            last = connection.scalar(select(func.coalesce(func.max(tables.c.id), 0)))
        merged = bring_games(store, path)
        before = _phone_of(path) if is_new else ""
    response = jsonify(vars(merged))
    if before:
        response.set_cookie(COOKIE, before, path="/", max_age=YEAR_S, httponly=True, secure=request.is_secure)
    with store.write() as connection:
        mine = before or device
        there = select(visits.c.table_id).where(visits.c.device == mine)
        came = select(literal(mine), tables.c.id, tables.c.active_at).where(
            tables.c.id > last, tables.c.id.not_in(there)
        )
        connection.execute(insert(visits).from_select(["device", "table_id", "at"], came))
    return response


def _phone_of(path: Path) -> str:
    """The name of the phone that made this copy; "" if a computer did."""
    with contextlib.suppress(sqlite3.Error, TypeError), contextlib.closing(sqlite3.connect(path)) as copy:
        (found,) = copy.execute("SELECT device FROM phone").fetchone()
        return found if DEVICE_ID.fullmatch(found) else ""
    return ""


def _store() -> SqliteStore:
    store = services().store
    assert isinstance(store, SqliteStore)
    return store
