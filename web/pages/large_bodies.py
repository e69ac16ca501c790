"""How long bodies may be: few routes take long ones, and it is asked who may send them before they are read."""

from collections.abc import Callable
from typing import Any

from flask import Flask, request

from vision.reasons import MAX_BYTES
from web.pages.access import services
from web.pages.bearer import check_server_token
from web.pages.bodies import RECORD_LIMIT
from web.pages.headers import make_sound
from web.pages.operations import admit_to_table, credentials

FORM_AROUND = 1 << 16
JSON_LIMIT = 1 << 18  # of all other requests
BODY_LIMIT = MAX_BYTES + FORM_AROUND  # of a photo
LARGER = {
    "api.send_photo": BODY_LIMIT,
    "api.take_rest": BODY_LIMIT,
    "api.read_photo": BODY_LIMIT,
    "moved.photos": BODY_LIMIT,
    "moved.rest": BODY_LIMIT,
    "pages.import_record": RECORD_LIMIT + FORM_AROUND,
}
OF_HOST = "rollcall.larger"  # the extension with a host's own routes


def allow_larger(app: Flask, endpoint: str, most: int, admit: Callable[[], object]) -> None:
    """Lets a host's own route take bodies of so many bytes. `admit` raises `Problem` for whoever may not send them."""
    app.extensions.setdefault(OF_HOST, {})[endpoint] = most, admit


def most_bytes(pages: Flask, environ: dict[str, Any]) -> int:
    """How many bytes the body of this request may have.

    Raises `Problem` for one that may be long, if its table is unknown, closed, or closed to this phone or program.
    """
    make_sound(environ)
    with pages.request_context(environ):
        endpoint = request.endpoint or ""
        of_host = pages.extensions.get(OF_HOST, {})
        if endpoint not in {*LARGER, *of_host} or pages.preprocess_request() is not None:
            return JSON_LIMIT
        if endpoint in of_host:
            most, admit = of_host[endpoint]
            admit()
            return int(most)
        if endpoint == "api.read_photo":
            check_server_token(services(), credentials())
        elif (table := (request.view_args or {}).get("table")) is not None:
            admit_to_table(table, changes=True)
        return LARGER[endpoint]
