"""WebSockets of programs: each hears one table, and says nothing.

uvicorn's protocol shakes hands, answers pings, and asks silent ones whether they are there. Here it is counted among
all connections. A listener costs what it costs as a stream: it may send hardly anything, and what it does not receive
is not held for it.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

import wsproto
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.wsproto_impl import WSProtocol

from web.problems import Problem
from web.server.asgi import Headers, Receive, Scope, Send
from web.server.connections import Connection, Connections, ConnectionState, nothing
from web.server.headers import header
from web.server.live import Hub, Listener
from web.server.timers import Timer

PING_EVERY_S = 20.0
PONG_WITHIN_S = 20.0
RECEIVED_WITHIN_S = 30.0  # one event; a slower listener is closed, and goes on from its last number
CLOSED_WITHIN_S = 10.0
LONGEST_MESSAGE = 1000  # bytes from a listener, which has nothing to say
FREE_BYTES, BYTES_A_SECOND = 4096, 100  # that a listener may send

GOING, NOT_READ, TOO_MUCH, TOO_SLOW = 1012, 1003, 1008, 1013  # RFC 6455, section 7.4, and its registry
PROBLEM = 4000  # and the status of the problem

Messages = Callable[[], Sequence[bytes]]  # what a listener is sent next


class WebSocketProtocol(WSProtocol):
    """The connection of one listener, after its handshake was received. See `uvicorn.Config(ws=...)`."""

    def __init__(
        self,
        *arguments: Any,
        connection: Connection,
        connections: Connections,
        prepare: Callable[[Scope], None],
        **named: Any,
    ) -> None:
        """`prepare`: completes the scope."""
        super().__init__(*arguments, **named)
        self._connection = connection
        self._connections = connections
        self._prepare = prepare
        self._ending = Timer()
        self._began, self._sent = time.monotonic(), 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._connection.end, self._connection.refuse = transport.abort, None
        self._connections.set_state(self._connection, ConnectionState.ANSWERING)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.remove(self._connection)
        self._connection.end = nothing
        self._ending.stop()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.transport.pause_reading()  # every ping is answered, also to one that takes no answer

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Reads on, unless it is more than a listener has to say: each small frame takes time."""
        if self.handshake_complete:
            self._sent += len(data)
            if self._sent > FREE_BYTES + BYTES_A_SECOND * (time.monotonic() - self._began):
                self._say_goodbye(TOO_MUCH, "too much was sent")
                return
        super().data_received(data)
        if self.transport.is_closing():
            self._end_soon()

    def handle_connect(self, event: wsproto.events.Request) -> None:
        super().handle_connect(event)
        self._prepare(cast(Scope, self.scope))

    async def send(self, message: Any) -> None:
        if message["type"] == "websocket.close" and self.handshake_complete:
            self._say_goodbye(message["code"], message["reason"])
            return
        await super().send(message)
        if self.transport.is_closing():
            self._end_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._end_soon()

    def shutdown(self) -> None:
        super().shutdown()
        self._end_soon()

    def _say_goodbye(self, code: int, reason: str) -> None:
        """Closes the socket, and the connection when the other side has answered. It waits for no earlier message."""
        if self.close_sent or self.disconnected or self.transport.is_closing():
            return
        self.close_sent = True
        self.stop_keepalive()
        with contextlib.suppress(wsproto.utilities.LocalProtocolError):  # the other side was quicker
            self.transport.write(self.conn.send(wsproto.events.CloseConnection(code=code, reason=reason)))
        self.transport.resume_reading()
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})
        self.close_timer = self.loop.call_later(CLOSED_WITHIN_S, self.transport.close)
        self._end_soon()

    def _end_soon(self) -> None:
        """Ends the connection, also if the other side is gone without a word."""
        if not self._ending.runs:
            self._ending.start(CLOSED_WITHIN_S, self.transport.abort)


async def tell_events(hub: Hub, listener: Listener, messages: Messages, receive: Receive, send: Send) -> None:
    """Accepts a listener, and sends it `messages()`, called in a thread, at first, after each change of the table, and
    now and then, until it goes or may not hear more.

    Raises `Problem`, before it is accepted, if there is no place for it.
    """
    hub.admit(listener)
    first = await asyncio.to_thread(messages)
    gone = asyncio.ensure_future(_first_word(receive))
    try:
        await send({"type": "websocket.accept"})
        end = await _tell_on(hub, listener, first, messages, gone, send)
        if end is not None:
            await send({"type": "websocket.close", "code": end[0], "reason": end[1]})
    except (OSError, ClientDisconnected):
        pass  # it went while we wrote
    finally:
        gone.cancel()


async def _tell_on(
    hub: Hub, listener: Listener, first: Sequence[bytes], messages: Messages, gone: "asyncio.Future[bool]", send: Send
) -> tuple[int, str] | None:
    """Returns the code and the reason to close the socket with; None if it is closed."""
    try:
        await _send_all(send, first)
        async for _ in hub.changes(listener, gone):
            await _send_all(send, await asyncio.to_thread(messages))
    except asyncio.TimeoutError:
        return TOO_SLOW, "too slow: go on after the last number"
    except Problem as problem:
        return PROBLEM + problem.status, problem.reason
    if gone.done():
        return (NOT_READ, "nothing is read here: act by POST") if gone.result() else None
    parting = listener.parting
    return (GOING, "the server ends") if parting is None else (PROBLEM + parting.status, parting.reason)


async def _send_all(send: Send, messages: Sequence[bytes]) -> None:
    for each in messages:
        await asyncio.wait_for(send({"type": "websocket.send", "text": each.decode()}), RECEIVED_WITHIN_S)


async def _first_word(receive: Receive) -> bool:
    """Waits until a listener goes, or says something. Returns whether it is still there."""
    while (message := await receive())["type"] == "websocket.connect":
        pass
    return bool(message["type"] == "websocket.receive")


async def refuse_socket(send: Send, status: int, headers: Headers, body: bytes) -> None:
    """Refuses a handshake as any other request is refused."""
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body, "more_body": False})


def is_from_another_site(scope: Scope) -> bool:
    """Whether a page of another site asks: browsers name its origin with every handshake, other programs need not."""
    if not any(name == b"origin" for name, _ in scope["headers"]):
        return False
    try:
        return urlsplit(header(scope, "origin")).netloc != header(scope, "host")
    except ValueError:
        return True
