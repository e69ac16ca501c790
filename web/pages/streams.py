"""Live streams of pages and programs. The server sends them on (`web.pages.live`); here is what, and who may come."""

from collections.abc import Callable

import msgspec
from flask import Blueprint, Response, request

from web.pages import errors, live
from web.pages.access import Caller, check_host_token
from web.problems.problem import Problem
from web.runner.event_feeds import EventCursor
from web.table.commands import Asker
from web.table.happenings import TableEvent

MOST_DIGITS = 15  # of an event's number

blueprint = Blueprint("streams", __name__)


@blueprint.errorhandler(Problem)
def refuse(problem: Problem) -> Response:
    """Refuses a page's stream. An unknown table is refused by 204, after which no browser asks again.

    A page's script sees no status, so an event tells it to wait if there is no place.
    """
    if problem.status == 404:
        return Response(status=204)
    refused = errors.answer(problem)
    if problem.again_s and wants_stream():
        refused.set_data(live.wait_event(problem.again_s))
        refused.status_code, refused.content_type = 200, live.EVENTS
    return refused


def wants_stream() -> bool:
    return live.EVENTS in request.headers.get("Accept", "").lower()


def answer(stream: live.Stream) -> Response:
    request.environ[live.STREAM] = stream
    return Response(iter(()), content_type=live.EVENTS, headers={"X-Accel-Buffering": "no"})


def answer_new(caller: Caller, tell: Callable[[], bytes]) -> Response:
    """The answer to a program that goes on with what `tell` returns, whenever something is new."""
    parts, phone = caller.parts, caller.asker.phone or ""
    # A token that is no table's is the machine's owner's: `rollcall token` takes it back, in another process.
    authorization = "" if phone else request.headers.get("Authorization", "")

    def read() -> bytes:
        """Raises `Problem` for a listener that has lost the right to it."""
        if authorization:
            check_host_token(parts, authorization)
        return tell()

    return answer(live.Stream(caller.key, phone, read, read, live.RECHECKED_S if authorization else live.HEARTBEAT_S))


def program_events(caller: Caller) -> Response:
    cursor = EventCursor(caller.parts.runner, caller.key, _number(), Asker(caller.asker.phone or ""))
    return answer_new(caller, lambda: b"".join(map(_event, cursor.read())))


def _event(event: TableEvent) -> bytes:
    numbered = b"" if event.number is None else b"id: %d\n" % event.number
    return numbered + b"event: " + event.event.encode() + b"\ndata: " + msgspec.json.encode(event) + b"\n\n"


def _number() -> int | None:
    """The number after which a listener goes on: of the header, which browsers send, else of the address."""
    for text in (request.headers.get("Last-Event-ID", ""), request.args.get("after", "")):
        if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS:
            return int(text)
    return None
