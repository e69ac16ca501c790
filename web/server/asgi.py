"""ASGI's types, a request's path to a table, and whole answers."""

import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from web.problems import DETAILS

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]  # names in lower case

JSON = (b"content-type", b"application/json")
PROBLEM = (b"content-type", DETAILS.encode())
NOT_KEPT = (b"cache-control", b"no-store")


async def answer(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


EVENTS, STATES, OVERLAY = "events", "states", "o"
STREAMS = re.compile(rf"/api/v1/tables/([^/]{{1,200}})/({EVENTS}|{STATES})|/({OVERLAY})/([^/]{{1,200}})/events")


def stream_of(scope: Scope) -> tuple[str, str] | None:
    """Of a request at the address of a stream: EVENTS, STATES or OVERLAY, and the table's key or id, or the link's
    token."""
    found = STREAMS.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
    if found is None:
        return None
    table, kind, overlay, token = found.groups()
    return (overlay, token) if table is None else (kind, table)
