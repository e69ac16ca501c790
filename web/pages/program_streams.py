"""What programs and overlays are sent by a live stream, as server-sent events."""

import functools
from collections.abc import Callable
from urllib.parse import parse_qs

import msgspec

from web.pages import bearer
from web.pages.access import admit
from web.pages.devices import device_of
from web.pages.table_api import table_state
from web.problems import WANTS_TOKEN, Problem, as_body
from web.server.asgi import EVENTS, OVERLAY, PROBLEM, Headers, Scope
from web.server.headers import header
from web.server.wsgi_bridge import connection_of
from web.services import Services
from web.session.commands import Asker
from web.session.happenings import TableEvent

MOST_DIGITS = 15  # of an event's number


def program(parts: Services, kind: str, name: str, scope: Scope) -> tuple[str, str]:
    """The key of the table that a listener may hear of, and who the listener is. Raises `Problem`."""
    address = connection_of(scope).owner
    if kind == OVERLAY:
        caller = bearer.table_of_link(parts, name, address)
    else:
        asked = bearer.Credentials(header(scope, "authorization"), address, device_of(header(scope, "cookie")))
        caller = bearer.table_of_caller(parts, name, asked)
        admit(parts, caller.key, address, caller.asker)
    return caller.key, caller.asker.phone or ""


def reader(parts: Services, kind: str, key: str, phone: str, scope: Scope) -> Callable[[], bytes]:
    """What is sent to a listener, whenever it is called: all that is new since. It raises `Problem` for a listener who
    may hear no more."""
    tell = functools.partial(_state, parts, key, phone) if kind != EVENTS else _new_events(parts, key, phone, scope)
    authorization = header(scope, "authorization")

    def read() -> bytes:
        if authorization and not phone:  # the table knows its own tokens alone
            bearer.check_still_owner(parts, authorization)
        return tell()

    return read


def refusal(problem: Problem) -> tuple[Headers, bytes]:
    """The headers and the body of a refusal, in English."""
    headers = [PROBLEM]
    if problem.status == 401:
        headers.append((b"www-authenticate", WANTS_TOKEN.encode()))
    if problem.again_s:
        headers.append((b"retry-after", b"%d" % problem.again_s))
    return headers, as_body(problem)


def _new_events(parts: Services, key: str, phone: str, scope: Scope) -> Callable[[], bytes]:
    cursor = parts.event_feeds.cursor(key, _number_of(scope), Asker(phone))
    return lambda: b"".join(map(_event, cursor.read()))


def _event(event: TableEvent) -> bytes:
    numbered = b"" if event.number is None else b"id: %d\n" % event.number
    return numbered + b"event: " + event.event.encode() + b"\ndata: " + msgspec.json.encode(event) + b"\n\n"


def _state(parts: Services, key: str, phone: str) -> bytes:
    """The state as programs see it."""
    shown = parts.sessions.snapshot(key, Asker(phone))
    return b"event: state\ndata: " + msgspec.json.encode(table_state(shown.state, shown.stamp)) + b"\n\n"


def _number_of(scope: Scope) -> int | None:
    """The number after which a listener goes on: of the header, which browsers send, else of the address."""
    asked = parse_qs(scope["query_string"].decode("latin-1")).get("after", [""])[0]
    for text in (header(scope, "last-event-id"), asked):
        if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS:
            return int(text)
    return None
