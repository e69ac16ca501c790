"""The JSON that phones send, as the types that `web.session.commands` declares."""

from typing import Any, TypeVar

import msgspec
from flask import request

from web.pages.parsing import parse
from web.problems import Problem

JSON_LIMIT = 1 << 16  # bytes of one request; the largest, a corrected line of circles, has a few hundred

Body = TypeVar("Body")


def body(kind: type[Body]) -> Body:
    """The JSON object of this request. Raises `Problem("bad-request")`, which names the field that does not fit."""
    if request.content_length is None or request.content_length > JSON_LIMIT:
        raise Problem("bad-request", 413 if request.content_length else 400, detail="a small JSON object is wanted")
    if not request.is_json:
        raise Problem("bad-request", 400, detail="a JSON object is wanted")
    return decode(request.get_data(), kind)


def decode(data: bytes, kind: type[Body]) -> Body:
    """The document in `data`. Raises as `body` does."""
    try:
        document = parse(data)
    except ValueError as error:
        raise Problem("bad-request", 400, detail="a JSON object is wanted") from error
    return convert(document, kind)


def convert(document: Any, kind: type[Body]) -> Body:
    """A document as one of the declared types. Raises as `body` does."""
    try:
        return msgspec.convert(document, kind)
    except UnicodeEncodeError as error:
        raise Problem("bad-request", 400, detail="a text in it is none of Unicode") from error
    except msgspec.ValidationError as error:
        wrong, _, place = str(error).partition(" - at `$")
        raise Problem("bad-request", 400, detail=f"{place.strip('.`')}: {wrong}" if place else wrong) from error
