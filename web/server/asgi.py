"""ASGI's types, a request's path to a table, and whole answers."""

import re
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]  # names in lower case

JSON = (b"content-type", b"application/json")
NOT_KEPT = (b"cache-control", b"no-store")


PIECE = 1 << 16  # bytes of an answer


async def answer(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    """Sends an answer in pieces. asyncio encrypts a piece as a whole and counts it as sent, so nobody would notice if a
    phone does not receive it."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for at in range(0, len(body) or 1, PIECE):
        message = {"type": "http.response.body", "body": body[at : at + PIECE], "more_body": at + PIECE < len(body)}
        await send(message)


SOCKETS = re.compile(r"/api/v1/tables/([^/]{1,200})/events")


def socket_of(scope: Scope) -> str | None:
    """The table's key or id of a request that may become a WebSocket."""
    found = SOCKETS.fullmatch(scope["path"])
    return None if found is None else found[1]
