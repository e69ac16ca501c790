"""Live updates: one server-sent-events stream per phone, in asyncio beside the pages' threads.

A stream costs no thread, so hundreds of phones may listen. Every event carries the whole state of the table, so a
phone that missed some is right again with the next one. A phone that cannot stream asks for the state now and then.
"""

import asyncio
import contextlib
import json
import random
import threading
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any

from web.errors import Problem, describe
from web.tables.doors import Door
from web.transport.callers import Caller, Shares
from web.transport.security import HEADERS

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# A line now and then keeps routers from forgetting the connection, and tells us of phones that are gone.
HEARTBEAT_S = 15.0
HEARTBEAT = b"event: here\ndata: 1\n\n"
RETRY_MS = 1000
# So long a phone waits that a server which ends sends to another: each another while, so that they do not come at once.
HANDED_OVER_MS = (100, 600)
MOST_STREAMS = 2000
MOST_OF_ADDRESS = 1000  # a club's phones may all come from one address, that of a router or a proxy
MOST_OF_ADDRESS_AT_TABLE = 100
_KEPT_TO_ITSELF = [
    *((name.lower().encode(), value.encode()) for name, value in HEADERS.items()),
    (b"cache-control", b"no-store"),
]


class Listener:
    """One phone's stream: only the newest state matters, so it has room for one."""

    def __init__(self, caller: Caller, table: str, phone: str) -> None:
        self.caller = caller
        self.phone = phone
        self.owner = caller.owner  # the connection may ask for another before this is forgotten
        self.table = table
        self.state: bytes | None = None
        self.fresh = asyncio.Event()
        self.ended = False

    def end(self) -> None:
        self.ended = True
        self.fresh.set()
        self.caller.end()  # it may be waiting for a phone that takes nothing any more


class Hub:
    """Who listens to which table. `announce`, `turn_out` and `heard` may be called from any thread, everything else in
    the event loop."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self._by_address: Shares[Listener] = Shares()
        self._by_place: Shares[Listener] = Shares()  # of each address at each table
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = threading.Event()

    @property
    def streams(self) -> int:
        return self._by_address.total

    def announce(self, key: str, state: bytes) -> None:
        """Sends a table's state to all its phones."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._hand_out, key, state)

    def turn_out(self, key: str, door: Door) -> None:
        """Ends the streams of a table's phones that may not come there any more; from any thread."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._turn_out, key, door)

    def heard(self) -> list[str]:
        """The keys of the tables that somebody listens to; may be asked from any thread."""
        return list(self._listeners)

    def close(self) -> None:
        """Ends all streams, and tells the phones to come again soon: to another server, if there is one."""
        self._closing.set()
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._wake_all)

    @contextlib.contextmanager
    def listening(self, key: str, caller: Caller, phone: str = "") -> Iterator[Listener]:
        """Keeps what is announced to a table from now on, until it is left. `phone`: the id in its cookie.

        To be entered before the state is looked up that the phone is sent first, or it would miss what changes between.
        Where there are too many, the oldest ends of who has most; a phone that still listens comes back by itself.
        """
        self._loop = asyncio.get_running_loop()
        listener = Listener(caller, key, phone)
        place = f"{caller.owner} {key}"
        self._listeners.setdefault(key, set()).add(listener)
        self._by_address.put(caller.owner, listener, 1)
        self._by_place.put(place, listener, 1)
        try:
            self._make_room(caller.owner, place)
            yield listener
        finally:
            self._leave(listener)
            listeners = self._listeners[key]
            listeners.discard(listener)
            if not listeners:
                del self._listeners[key]

    def _make_room(self, owner: str, place: str) -> None:
        if self._by_place.of(place) > MOST_OF_ADDRESS_AT_TABLE:
            self._end(self._by_place.oldest_of(place))
        if self._by_address.of(owner) > MOST_OF_ADDRESS:
            self._end(self._by_address.oldest_of(owner))
        if self.streams > MOST_STREAMS:
            self._end(self._by_address.oldest_of(self._by_address.biggest_owner()))

    def _end(self, listener: Listener) -> None:
        self._leave(listener)
        listener.end()

    def _leave(self, listener: Listener) -> None:
        self._by_address.take(listener.owner, listener)
        self._by_place.take(f"{listener.owner} {listener.table}", listener)

    async def stream(self, listener: Listener, state: bytes, receive: Receive, send: Send) -> None:
        """Answers one phone: `state` first, then each new one, until the phone goes or the hub closes."""
        gone = asyncio.ensure_future(_until_gone(receive))
        try:
            await send(
                {
                    "type": "http.response.start",
                    "status": 200,
                    "headers": [
                        (b"content-type", b"text/event-stream"),
                        (b"x-accel-buffering", b"no"),
                        *_KEPT_TO_ITSELF,
                    ],
                }
            )
            await _body(send, b"retry: %d\n\n" % RETRY_MS + _event(state))
            while not gone.done() and not self._closing.is_set() and not listener.ended:
                fresh = asyncio.ensure_future(listener.fresh.wait())
                await asyncio.wait({fresh, gone}, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED)
                fresh.cancel()
                newest, listener.state = listener.state, None
                listener.fresh.clear()
                await _body(send, HEARTBEAT if newest is None else _event(newest))
            if not gone.done():
                parting = b"retry: %d\n\n" % random.randint(*HANDED_OVER_MS) if self._closing.is_set() else b""
                await send({"type": "http.response.body", "body": parting, "more_body": False})
        except OSError:
            pass  # the phone went while we wrote
        finally:
            gone.cancel()

    def _hand_out(self, key: str, state: bytes) -> None:
        for listener in self._listeners.get(key, ()):
            if not listener.ended:
                listener.state = state
                listener.fresh.set()

    def _turn_out(self, key: str, door: Door) -> None:
        for listener in list(self._listeners.get(key, ())):
            if not door.lets_in(listener.phone):
                listener.state = None  # what was announced and not sent yet, too
                self._end(listener)

    def _wake_all(self) -> None:
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.fresh.set()


async def refuse(send: Send, problem: Problem) -> None:
    """Refuses a stream in the shape of every other error; an unknown table by 204: no browser asks again after it."""
    gone = problem.status == 404
    body = b"" if gone else json.dumps({"error": describe(problem)}, ensure_ascii=False).encode()
    headers = [*_KEPT_TO_ITSELF] if gone else [(b"content-type", b"application/json"), *_KEPT_TO_ITSELF]
    await send({"type": "http.response.start", "status": 204 if gone else problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _event(state: bytes) -> bytes:
    return b"event: state\ndata: " + state + b"\n\n"
