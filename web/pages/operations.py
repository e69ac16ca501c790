"""How the operations of `/api/v1` are declared, who may ask for each, and how requests are read and answered.

`web.pages.openapi` describes the operations. Phones come with the table's key and their cookie, programs with a token
or the key (`web.pages.access`).
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, request, url_for

from scorer.strict_json import parse
from vision.reasons import MAX_BYTES
from web.pages.access import admit, admitted_caller, server_caller, table_caller
from web.problems.problem import Problem

PREFIX = "/api/v1"
PHOTO_TYPES = ("image/jpeg", "image/png", "image/webp", "image/heic", "image/avif", "application/octet-stream")
MOST_OF_A_PAGE = 200  # items
JSON_LIMIT = 1 << 16  # bytes of one request; the largest, a corrected line of circles, has a few hundred
SEEN_LIMIT = 3_000_000  # bytes of what a phone saw in its photo: 300 crops have 6 kB each
RECORD_LIMIT = 2_000_000  # bytes of an imported record: twice what 20,000 usual actions take

# Who may ask for something.
ANYBODY, SERVER, READS, ACTS = "anybody", "server", "reads", "acts"
TOKEN = "token"  # as ACTS, but the table's key alone is not enough: who was there once may have it for ever
OPEN = "open"  # as ACTS, where no command asks the table

LIMIT = {"type": "integer", "minimum": 1, "maximum": MOST_OF_A_PAGE}
AFTER = {"type": "string", "pattern": "^[0-9]{1,15}$"}
PAGES = {"limit": LIMIT, "after": AFTER}


@dataclass(frozen=True)
class Operation:
    """One request. `takes`: the type of its JSON body, or `bytes` for a photo; `gives`: of the answer; `example`,
    `answers`: an example of each. `query`: its query parameters with their schemas. `listed`: for programs too; others
    are of the page (docs/interfaces.md)."""

    name: str
    method: str
    path: str
    summary: str
    who: str
    gives: Any
    takes: Any = None
    example: Any = None
    answers: Any = None
    status: int = 200
    query: Mapping[str, Any] = field(default_factory=dict)
    required: Sequence[str] = ()  # of these
    streams: bool = False  # also as server-sent events
    listed: bool = True


View = TypeVar("View", bound=Callable[..., Any])
Body = TypeVar("Body")
OPERATIONS: list[Operation] = []
blueprint = Blueprint("api", __name__, url_prefix=PREFIX)


def operation(method: str, path: str, gives: Any = None, who: str = READS, **more: Any) -> Callable[..., Any]:
    """Declares a function as the view of an operation, by default of its own name; its docstring is the operation's
    summary. It is called with the `Caller` first, unless anybody may ask, and without the parameter `table`."""

    def declare(view: View, name: str = "", summary: str = "") -> View:
        said = " ".join((summary or view.__doc__ or "").split())
        asked = Operation(name or view.__name__, method, path, said, who, gives, **more)
        OPERATIONS.append(asked)
        route = re.sub(r"\{(\w+)\}", r"<\1>", path)
        blueprint.add_url_rule(route, asked.name, functools.partial(_answer_to, asked, view), methods=[method])
        return view

    return declare


def _answer_to(asked: Operation, view: Callable[..., Response], table: str = "", **arguments: str) -> Response:
    """Lets a caller in. What it may do at a table, the table says: `web.table.deciding.decide`."""
    if asked.who == ANYBODY:
        return view(**arguments)
    if asked.who in (READS, OPEN):
        caller = admitted_caller(table, changes=asked.who == OPEN)
        if asked.who == OPEN:
            caller.look().access.check_acts(caller.asker.phone)
    else:
        caller = server_caller() if asked.who == SERVER else table_caller(table, phone_needed=asked.who == TOKEN)
    try:
        if asked.takes not in (None, bytes) and not request.is_json:
            raise Problem("no-such-type", 415, wanted="application/json")
        return view(caller, **arguments)
    except Exception:
        if asked.who in (ACTS, TOKEN):  # what is wrong with a request learns only who may come
            admit(caller.parts, caller.key, caller.asker)
        raise


# --- requests ---------------------------------------------------------------------------------------------------------


def body(kind: type[Body], most: int = JSON_LIMIT) -> Body:
    """The JSON object of this request. Raises `Problem("bad-request")`, which names the field that does not fit."""
    if request.content_length is None or request.content_length > most:
        raise Problem("bad-request", 413 if request.content_length else 400, detail="a small JSON object is wanted")
    if not request.is_json:
        raise Problem("bad-request", 400, detail="a JSON object is wanted")
    try:
        document = parse(request.get_data().decode())
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


def number(name: str, digits: int) -> int | None:
    """The number in a query parameter; None without it. Raises `Problem`."""
    text = request.args.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= digits):
        raise Problem("bad-request", 400, detail=f"{name} is a whole number")
    return int(text)


def page_asked() -> tuple[int, int]:
    """After which number a page begins, and how many items it has at most. Raises `Problem`."""
    count = number("limit", 4)
    if count is not None and not 1 <= count <= MOST_OF_A_PAGE:
        raise Problem("bad-request", 400, detail=f"limit is a number from 1 to {MOST_OF_A_PAGE}")
    return number("after", 15) or 0, count or MOST_OF_A_PAGE


def photo_body() -> Any:
    """The body of the request, a photo. Raises `Problem`."""
    if not request.content_length:
        raise Problem("no-photo")
    if request.mimetype not in PHOTO_TYPES:
        raise Problem("no-such-type", 415, wanted=", ".join(PHOTO_TYPES))
    if request.content_length > MAX_BYTES:
        raise Problem("upload-too-large", 413, limit=MAX_BYTES >> 20)
    return request.stream


# --- answers ----------------------------------------------------------------------------------------------------------


def answer(document: Any, status: int = 200) -> Response:
    """`document`: of one of the declared types, or its JSON."""
    body = document if isinstance(document, bytes) else msgspec.json.encode(document)
    return Response(body, status=status, mimetype="application/json")


def answer_page(page: Any) -> Response:
    """A page of a list, with the address of the next one in the header `Link`."""
    response = answer(page)
    if page.next is not None:
        assert request.endpoint is not None
        more: dict[str, Any] = {name: value for name, value in request.args.items() if name == "limit"}
        response.headers["Link"] = (
            f'<{url_for(request.endpoint, **(request.view_args or {}), **more, after=page.next)}>; rel="next"'
        )
    return response
