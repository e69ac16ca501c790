"""ASGI's types, a request's path to a table, and whole answers."""

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]  # names in lower case

JSON = (b"content-type", b"application/json")
NOT_KEPT = (b"cache-control", b"no-store")


async def answer(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    """Sends a whole answer."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def table_of(scope: Scope, method: str, what: str) -> str | None:
    """The table's key of a request for `/tables/<key>/<what>`; None for any other request."""
    if scope["type"] != "http" or scope["method"] != method:
        return None
    parts = scope["path"].split("/")
    return parts[2] if len(parts) == 4 and parts[1] == "tables" and parts[3] == what else None
