"""One request to the whole application, live streams and all, without a server before it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from web.hosts.laptop.application import Application

PIECE = 1 << 16  # bytes of a body at once


@dataclass
class Answer:
    """`told`: what came, of a live stream what came first. `pieces`: of the body, that were asked for."""

    status: int
    told: str
    pieces: int


def ask_application(application: Application, method: str, path: str, device: str = "", body: bytes = b"") -> Answer:
    """What is answered to the phone with this id ("": one without)."""
    return asyncio.run(asyncio.wait_for(ask_in_loop(application, method, path, device, body), 60))


def scope_of(method: str, path: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    """Of a request from this machine."""
    about = {"type": "http", "http_version": "1.1", "scheme": "http", "method": method, "path": path, "state": {}}
    return {**about, "query_string": b"", "headers": [(b"host", b"localhost"), *headers], "client": ("127.0.0.1", 1)}


def listening() -> Callable[[], Awaitable[dict[str, Any]]]:
    """What a phone sends that stays: a request without a body, and nothing more."""
    sent = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive() -> dict[str, Any]:
        return next(sent, None) or await asyncio.Event().wait() or {}

    return receive


async def ask_in_loop(application: Application, method: str, path: str, device: str = "", body: bytes = b"") -> Answer:
    """The same, in an event loop that runs."""
    headers = [(b"accept", b"application/json"), (b"content-length", b"%d" % len(body))]
    if device:
        headers.append((b"cookie", b"device=" + device.encode()))
    scope = scope_of(method, path, *headers)
    answer = Answer(0, "", 0)
    enough = asyncio.Event()

    async def receive() -> dict[str, Any]:
        at = answer.pieces * PIECE
        if at and at >= len(body):
            await enough.wait()
            return {"type": "http.disconnect"}
        answer.pieces += 1
        return {"type": "http.request", "body": body[at : at + PIECE], "more_body": at + PIECE < len(body)}

    async def send(message: dict[str, Any]) -> None:
        answer.status = message.get("status", answer.status)
        answer.told += message.get("body", b"").decode("utf-8", "replace")
        if message["type"] == "http.response.body":
            enough.set()

    await application(scope, receive, send)  # type: ignore[arg-type]
    return answer
