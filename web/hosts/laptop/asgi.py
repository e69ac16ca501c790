"""ASGI's types, a request's path to a table, and whole answers."""

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

from web.problems.problem import DETAILS

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]  # names in lower case

JSON = (b"content-type", b"application/json")
PROBLEM = (b"content-type", DETAILS.encode())
NOT_KEPT = (b"cache-control", b"no-store")
PIECE = 1 << 16  # bytes of an answer


async def answer(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    """Sends an answer in pieces. asyncio encrypts a piece as a whole and counts it as sent, so nobody would notice if a
    phone does not receive it."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for at in range(0, len(body) or 1, PIECE):
        message = {"type": "http.response.body", "body": body[at : at + PIECE], "more_body": at + PIECE < len(body)}
        await send(message)
