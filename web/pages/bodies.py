"""JSON from outside: the bodies of requests, as the types that `web.table.commands` declares, and records."""

from typing import Any, TypeVar

import msgspec
from flask import request

from scorer import MOST_ACTIONS
from scorer.strict_json import parse as parse_text
from web.common.problems import Problem

JSON_LIMIT = 1 << 16  # bytes of one request; the largest, a corrected line of circles, has a few hundred
WIDEST_ACTION = 600  # bytes: who sits where, of 24, or a name of 40 letters, also escaped (twelve bytes each)
RECORD_LIMIT = MOST_ACTIONS * WIDEST_ACTION  # bytes of an imported record: whatever can be exported

Body = TypeVar("Body")


def body(kind: type[Body]) -> Body:
    """The JSON object of this request. Raises `Problem("bad-request")`, which names the field that does not fit."""
    if request.content_length is None or request.content_length > JSON_LIMIT:
        raise Problem("bad-request", 413 if request.content_length else 400, detail="a small JSON object is wanted")
    if not request.is_json:
        raise Problem("bad-request", 400, detail="a JSON object is wanted")
    return decode(request.get_data(), kind)


def parse(data: bytes) -> Any:
    """The document in `data`. Raises ValueError unless it is JSON in UTF-8, else as `scorer.strict_json.parse`."""
    return parse_text(data.decode("utf-8"))


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
