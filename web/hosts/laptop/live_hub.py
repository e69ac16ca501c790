"""Live updates: one server-sent-events stream for each phone, in the event loop and without a thread of its own."""

import asyncio
import contextlib
import logging
import random
import threading
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any

from web.hosts.laptop.asgi import Headers, Receive, Send
from web.hosts.laptop.connections import Connection, Timer
from web.limits.ledger import STREAMS, Ledger
from web.limits.quotas import Backoff
from web.pages.live import HEARTBEAT, Reader, Stream, last_event, state_event
from web.problems.problem import Problem

if TYPE_CHECKING:
    from web.table.access_list import AccessList

logger = logging.getLogger(__name__)

Work = Callable[[Reader], Awaitable[bytes]]
RETRY_MS = 1000
# A server that ends tells each phone another time to wait, so that they do not all reconnect at once.
HANDED_OVER_MS = (100, 600)
PARTING_S = 2.0  # in which a phone must receive the last event of a stream that gives its place back


class Listener:
    """One phone's stream. It keeps one state, since only the newest matters."""

    def __init__(self, connection: Connection, table: str, phone: str) -> None:
        self.connection = connection
        # The connection may get another address before this stream ends.
        self.address, self.table, self.phone = self.who = connection.address, table, phone
        self.state: bytes | None = None
        self.fresh = asyncio.Event()
        self.ended = False
        self.parting: Problem | None = None  # why it ended, which it is told last
        self.last_words = Timer()

    def part(self, problem: Problem) -> None:
        """Tells its phone why, and ends: in any case soon, since a phone may receive nothing any more."""
        if self.ended:
            return
        self.ended, self.parting = True, problem
        self.state = None  # also what was announced and not sent yet
        self.fresh.set()
        self.last_words.start(PARTING_S, self.connection.end)


class Hub:
    """Which phones listen to which table. `announce`, `turn_out`, `end_table` and `listened_tables` may be
    called from any thread, everything else in the event loop."""

    def __init__(self, ledger: Ledger | None = None) -> None:
        self.ledger = ledger or Ledger()
        self._listeners: dict[str, set[Listener]] = {}
        self._backoff: Backoff[tuple[str, str, str]] = Backoff()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = threading.Event()

    @property
    def streams(self) -> int:
        return self.ledger.accounts[STREAMS].size

    def announce(self, key: str, state: bytes) -> None:
        self._in_loop(self._hand_out, key, state)

    def turn_out(self, key: str, access: "AccessList") -> None:
        """Ends the streams of phones that may no longer come to a table."""
        self._in_loop(self._turn_out, key, access.check)

    def end_table(self, key: str, problem: Problem) -> None:
        """Ends all streams of a table; their last event says why."""

        def refuse(phone: str) -> None:
            raise problem

        self._in_loop(self._turn_out, key, refuse)

    def listened_tables(self) -> list[str]:
        return list(self._listeners)

    def close(self) -> None:
        """Ends all streams and has their phones reconnect soon, to another server if there is one."""
        self._closing.set()
        self._in_loop(self._wake_all)

    @contextlib.contextmanager
    def listening(self, key: str, connection: Connection, phone: str = "") -> Iterator[Listener]:
        """Collects what is announced to a table until it is left. `phone`: the id in its cookie.

        Enter it before looking up the first state, or the phone misses what changes in between. It takes a place only
        in `stream`.
        """
        self._loop = asyncio.get_running_loop()
        listener = Listener(connection, key, phone)
        self._listeners.setdefault(key, set()).add(listener)
        connection.listens = True
        try:
            yield listener
        finally:
            listener.last_words.stop()  # its connection is left to the next request
            connection.listens = False
            self.ledger.give_back(listener, STREAMS)
            listeners = self._listeners[key]
            listeners.discard(listener)
            if not listeners:
                del self._listeners[key]

    def admit(self, listener: Listener) -> None:
        """Gives a stream its place, perhaps the place of a table or an address that has more.

        Raises Problem("streams-full"), which says how long to wait, if equals have all places.
        """
        for other in self.ledger.draw(STREAMS, listener, 1, listener.address, listener.table):
            problem = Problem("streams-full", 503, again_s=self._backoff.next_of(other.who))
            logger.warning("all live streams are taken; one was refused, or ended for who has fewer")
            if other is listener:
                raise problem
            other.part(problem)
        self._backoff.forget(listener.who)

    async def stream(
        self,
        listener: Listener,
        wanted: Stream,
        headers: Headers,
        receive: Receive,
        send: Send,
        work: Work = asyncio.to_thread,
    ) -> None:
        """Sends a stream until its phone goes or the hub closes. `work`: does in a thread, in turn, what takes long.

        Raises `Problem`, before anything is sent, if there is no place for it or its phone may not come.
        """
        self.admit(listener)
        first = await work(wanted.first)
        gone = asyncio.ensure_future(_until_gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await _body(send, b"retry: %d\n\n" % RETRY_MS + first)
            while not self._is_over(listener, gone):
                newest = await _news(listener, gone, wanted.heartbeat_s)
                if not self._is_over(listener, gone):
                    await _body(send, await _next_of(listener, newest, wanted.read, work) or HEARTBEAT)
            if not gone.done():
                await send({"type": "http.response.body", "body": self._last_words(listener), "more_body": False})
        except OSError:
            pass  # the phone went while we wrote
        finally:
            gone.cancel()

    def _is_over(self, listener: Listener, gone: "asyncio.Future[Any]") -> bool:
        return gone.done() or self._closing.is_set() or listener.ended

    def _last_words(self, listener: Listener) -> bytes:
        if self._closing.is_set():
            return b"retry: %d\n\n" % random.randint(*HANDED_OVER_MS)
        return b"" if listener.parting is None else last_event(listener.parting)

    def _in_loop(self, call: Callable[..., object], *arguments: object) -> None:
        """Calls it in the event loop, if a phone has ever listened."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(call, *arguments)

    def _hand_out(self, key: str, state: bytes) -> None:
        for listener in self._listeners.get(key, ()):
            if not listener.ended:
                listener.state = state
                listener.fresh.set()

    def _turn_out(self, key: str, check: Callable[[str], object]) -> None:
        for listener in list(self._listeners.get(key, ())):
            try:
                check(listener.phone)
            except Problem as problem:
                self.ledger.give_back(listener, STREAMS)
                listener.part(problem)

    def _wake_all(self) -> None:
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.fresh.set()


async def _next_of(listener: Listener, newest: bytes | None, read: Reader | None, work: Work) -> bytes:
    """What a listener is sent next, b"" for nothing. It ends a listener that may not read on."""
    if read is None:
        return b"" if newest is None else state_event(newest)
    try:
        return await work(read)  # also if nothing was announced: it may not read on any more
    except Problem as problem:
        listener.part(problem)
        return b""


async def _news(listener: Listener, gone: "asyncio.Future[Any]", within_s: float) -> bytes | None:
    """The newest state that is announced to a listener; None after a while without one, or once it is to end."""
    fresh = asyncio.ensure_future(listener.fresh.wait())
    await asyncio.wait({fresh, gone}, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
    fresh.cancel()
    newest, listener.state = listener.state, None
    listener.fresh.clear()
    return newest


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})
