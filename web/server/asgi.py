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


EVENTS_OF = "api/v1/tables"
STREAMS = re.compile(rf"/({EVENTS_OF}|o)/([^/]{{1,200}})/events")


def stream_of(scope: Scope) -> tuple[str, str] | None:
    """Of a request for a stream of programs: EVENTS_OF or "o", and the table's key or id, or the link's token."""
    found = STREAMS.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
    return None if found is None else (found[1], found[2])


def table_of(scope: Scope, method: str, what: str) -> str | None:
    """The table's key of a request for `/tables/<key>/<what>`; None for any other request."""
    if scope["type"] != "http" or scope["method"] != method:
        return None
    parts = scope["path"].split("/")
    return parts[2] if len(parts) == 4 and parts[1] == "tables" and parts[3] == what else None
