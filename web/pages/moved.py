"""Where the JSON of tables was before it moved to `/api/v1`: each address tells where it went.

A page that was open while the server was updated has older scripts. Its changes are handed on, and count; its live
stream has it load again.
"""

import functools
from urllib.parse import quote

from flask import Blueprint, Response, request

from web.common.problems import Problem
from web.pages.live import EVENTS, last_event
from web.pages.operations import PREFIX

RENAMED = {
    "state": "",
    "readings/<photo>": "photos/{photo}",
    "readings/<photo>.jpg": "photos/{photo}",
    "pictures/<line>.jpg": "pictures/{line}",
    "lessons": "samples",
    "watch.jpg": "watch/picture",
}
METHODS = ["GET", "POST", "DELETE"]

blueprint = Blueprint("moved", __name__, url_prefix="/tables/<table>")
SAME = {  # below the table's address, as they are now
    *("actions", "undo", "undo/preview", "corrections", "corrections/preview", "would", "history", "advice", "dice"),
    *("phones", "closed", "deleted", "programs", "programs/removed"),
    *("webhooks", "webhooks/removed", "webhooks/again"),
    *("pictures", "photos", "look", "watch", "watch/hold", "watch/choose", "watch/again", "frames", "trial", "rest"),
}


def _redirect(to: str, table: str, **parts: str) -> Response:
    quoted = {name: quote(part, safe="") for name, part in parts.items()}
    address = f"{PREFIX}/tables/{quote(table, safe='')}/{to.format(**quoted)}".rstrip("/")
    asked = request.query_string.decode("latin-1")
    return Response(status=308, headers={"Location": f"{address}?{asked}" if asked else address})


for _path, _to in {**{each: each for each in SAME}, **RENAMED}.items():
    blueprint.add_url_rule(f"/{_path}", _path.replace(".", "-"), functools.partial(_redirect, _to), methods=METHODS)


@blueprint.get("/events")
def stream(table: str) -> Response:
    """Has a page with older scripts load again: `gone` is the last event of a stream."""
    problem = Problem("moved", 410, to=f"{PREFIX}/tables/{quote(table, safe='')}/states")
    return Response(last_event(problem), mimetype=EVENTS)
