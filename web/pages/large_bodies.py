"""How long bodies may be, and how forms are read: few routes take long bodies, and it is asked who may send them before
they are read."""

import logging
from collections.abc import Callable
from typing import IO, Any

from flask import Flask, Request, request
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException
from werkzeug.formparser import FormDataParser

from vision.reasons import MAX_BYTES
from web.limits.visitor_limits import TRIES
from web.pages.access import admitted_caller, count, server_caller
from web.pages.gate import make_sound
from web.pages.operations import JSON_LIMIT, RECORD_LIMIT, SEEN_LIMIT
from web.problems.problem import Problem

FORM_AROUND = 1 << 14
SMALL_LIMIT = JSON_LIMIT + FORM_AROUND  # of all other requests; such a form is read in 40 ms
BODY_LIMIT = MAX_BYTES + FORM_AROUND  # of a photo
LARGER = {
    "api.send_photo": BODY_LIMIT,
    "api.take_rest": BODY_LIMIT,
    "api.read_photo": BODY_LIMIT,
    "api.see_photo": SEEN_LIMIT,
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
            return SMALL_LIMIT
        if endpoint in of_host:
            most, admit = of_host[endpoint]
            admit()
            return int(most)
        if endpoint == "pages.import_record":
            count(TRIES)
        elif endpoint == "api.read_photo":
            server_caller()
        elif (table := (request.view_args or {}).get("table")) is not None:
            admitted_caller(table, changes=True)
        return LARGER[endpoint]


logger = logging.getLogger(__name__)

Parsed = tuple[IO[bytes], MultiDict[str, str], MultiDict[str, Any]]


class FormReader(FormDataParser):
    """Werkzeug's parser with failures as status 400. It leaves broken parts out, as Werkzeug does."""

    def parse(
        self, stream: IO[bytes], mimetype: str, content_length: int | None, options: dict[str, str] | None = None
    ) -> Parsed:
        """Raises `Problem`, and OSError if a file of the form could not be stored."""
        try:
            stream, form, files = super().parse(stream, mimetype, content_length, options)
        except (HTTPException, OSError):
            raise
        except Exception as error:
            logger.warning("a form could not be read: %s: %s", type(error).__name__, error)
            raise Problem("bad-request", 400, detail="the form cannot be read") from error
        if None in form or None in files:  # RFC 7578, section 4.2: each part has a name
            for _, file in files.items(multi=True):
                file.close()
            raise Problem("bad-request", 400, detail="a field of the form has no name")
        return stream, form, files


class FormRequest(Request):
    """A request whose form `FormReader` reads."""

    form_data_parser_class = FormReader
