"""How the operations of `/api/v1` are declared, and who may ask for each; `web.pages.openapi` describes them.

Phones come with the table's key and their cookie, programs with a token or the key (`web.pages.bearer`).
"""

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec
from flask import Blueprint, Response, g, request, url_for

from vision.reasons import MAX_BYTES
from web.common.problems import Problem
from web.limits.visitor_limits import Limit
from web.pages import access, bearer
from web.pages.access import admit, phone_address, services
from web.pages.api_documents import MOST_OF_A_PAGE
from web.pages.devices import acting_phone, known_device
from web.pages.keys import OPENED
from web.table.commands import Asker, Command
from web.table.state import State

PREFIX = "/api/v1"
PHOTO_TYPES = ("image/jpeg", "image/png", "image/webp", "image/heic", "image/avif", "application/octet-stream")

# Who may ask for something.
ANYBODY, SERVER, READS, ACTS = "anybody", "server", "reads", "acts"
TOKEN = "token"  # as ACTS, but the table's key alone is not enough: who was there once may have it for ever
OPEN = "open"  # as ACTS, where no command asks the table

LIMIT = {"type": "integer", "minimum": 1, "maximum": MOST_OF_A_PAGE}
AFTER = {"type": "string", "pattern": "^[0-9]{1,15}$"}
PAGES = {"limit": LIMIT, "after": AFTER}


@dataclass(frozen=True)
class Operation:
    """One request. `takes`: the type of its JSON body, or `bytes` for a photo; `gives`: of the answer. `query`: its
    query parameters with their schemas. `listed`: for programs too; others are of the page (docs/interfaces.md)."""

    name: str
    method: str
    path: str
    summary: str
    who: str
    gives: Any
    takes: Any = None
    status: int = 200
    query: Mapping[str, Any] = field(default_factory=dict)
    required: Sequence[str] = ()  # of these
    streams: bool = False  # also as server-sent events
    listed: bool = True


View = TypeVar("View", bound=Callable[..., Any])
OPERATIONS: list[Operation] = []
blueprint = Blueprint("api", __name__, url_prefix=PREFIX)


def operation(method: str, path: str, gives: Any = None, who: str = READS, **more: Any) -> Callable[[View], View]:
    """Declares a function as the view of an operation; its docstring is the operation's summary. It is called once the
    caller is known (`g.caller`), without the parameter `table`."""

    def declare(view: View) -> View:
        declare_operation(view.__name__, method, path, view, gives, who, **more)
        return view

    return declare


def declare_operation(
    name: str, method: str, path: str, view: Callable[..., Response], gives: Any, who: str, **more: Any
) -> None:
    asked = Operation(name, method, path, " ".join((view.__doc__ or "").split()), who, gives, **more)
    OPERATIONS.append(asked)
    route = re.sub(r"\{(\w+)\}", r"<\1>", path)
    blueprint.add_url_rule(route, name, functools.partial(_answer_to, asked, view), methods=[method])


def _answer_to(asked: Operation, view: Callable[..., Response], **arguments: str) -> Response:
    _identify(asked, arguments.pop("table", ""))
    try:
        if asked.takes not in (None, bytes) and not request.is_json:
            raise Problem("no-such-type", 415, wanted="application/json")
        return view(**arguments)
    except Exception:
        if asked.who in (ACTS, TOKEN):  # what is wrong with a request learns only who may come
            look()
        raise


def _identify(asked: Operation, table: str) -> None:
    """Lets a caller in. What it may do at a table, the table says: `web.table.deciding.decide`."""
    if asked.who == ANYBODY:
        return
    if asked.who == SERVER:
        g.caller = bearer.Caller("", Asker("", bearer.check_server_token(services(), credentials())))
        return
    known = credentials()
    if asked.who == TOKEN and not known.authorization and not known.phone:
        raise Problem("token-wanted", 401)
    if asked.who not in (READS, OPEN):
        g.caller = bearer.table_of_caller(services(), table, known)
        return
    g.caller = admit_to_table(table, changes=asked.who == OPEN)
    if asked.who == OPEN:
        look().access.check_acts(g.caller.asker.phone)


def admit_to_table(table: str, changes: bool = False) -> bearer.Caller:
    """Who comes to this table, which lets them in. `changes`: to one that is not closed. Raises `Problem`."""
    caller = bearer.table_of_caller(services(), table, credentials())
    admit(services(), caller.key, phone_address(), caller.asker, changes)
    request.environ[OPENED] = caller.key
    return caller


def credentials() -> bearer.Credentials:
    """Who sends the request, by what it says."""
    return bearer.Credentials(request.headers.get("Authorization", ""), phone_address(), known_device())


def acting() -> Asker:
    """Who asks, as others see it: a phone without a name of its own gets a number."""
    return acting_phone(g.caller.key) if g.caller.by_key else g.caller.asker


def count(limit: Limit) -> None:
    """Counts a request of this phone or program; those of one address without either count as one."""
    services().limits.count(limit, phone_address(), g.caller.asker.phone)


def look() -> State:
    """The state of the table, for whoever may come there. Raises `Problem`."""
    return services().sessions.look(g.caller.key, g.caller.asker)


def do(command: Command, asker: Asker | None = None) -> bytes:
    """Asks the table by a command; returns its view. Raises as `Sessions.do`."""
    return access.do(g.caller.key, command, asker or g.caller.asker)


# --- requests and answers -------------------------------------------------------------------------------------------


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


def answer(document: Any, status: int = 200) -> Response:
    """`document`: of one of the declared types, or its JSON."""
    body = document if isinstance(document, bytes) else msgspec.json.encode(document)
    return Response(body, status=status, mimetype="application/json")


def answer_page(page: Any) -> Response:
    """A page of a list, with the address of the next one in the header `Link`."""
    told = answer(page)
    if page.next is not None:
        assert request.endpoint is not None
        more: dict[str, Any] = {name: value for name, value in request.args.items() if name == "limit"}
        told.headers["Link"] = (
            f'<{url_for(request.endpoint, **(request.view_args or {}), **more, after=page.next)}>; rel="next"'
        )
    return told
