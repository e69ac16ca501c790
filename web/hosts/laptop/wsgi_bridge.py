"""Hands whole requests from the event loop to the pages' threads, and takes whole answers back.

A phone on a weak network may need a minute for a photo, or vanish in the middle. Meanwhile it holds a connection but no
thread; otherwise sixteen lost phones would block the server.
"""

import asyncio
import contextlib
import errno
import io
import logging
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any, TypeVar

from web.common.problems import BODY_LOST, SPENT_S, Problem, as_body
from web.hosts.laptop.asgi import NOT_KEPT, PROBLEM, Message, Receive, Scope, Send, answer
from web.hosts.laptop.connections import LEAST_SPEED, SLOW_FOR_S, Connection
from web.hosts.laptop.live_hub import Hub
from web.limits.origins import origin_of
from web.limits.quotas import FairScheduler, Quota
from web.limits.visitor_limits import PROCESSOR
from web.pages.keys import OPENED
from web.pages.live import STREAM, Stream

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Environ = dict[str, Any]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]  # status, headers, body
Pages = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

IN_MEMORY = 1 << 16  # bytes of a body; longer ones wait in a temporary file
SILENCE_S = 20.0  # between two pieces of a body
BODY_WITHIN_S = 180.0  # all of it: 40 MB at 2 Mbit/s
ON_DISK = 512 << 20  # bytes of all bodies that wait in temporary files
PHONE = re.compile(rb"(?:^|;\s*)device=([A-Za-z0-9_-]{1,64})(?:;|$)")
EQUAL_BYTES = 40 << 20  # on the disk, a photo: tables of one address that differ by at most so much are equals
# Headers about the connection, not for the application (RFC 9110, section 7.6.1). Flask would refuse an upgrade.
OF_THE_CONNECTION = frozenset({"connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"})


class _ClientGone(Exception):  # noqa: N818 - no error of ours
    """The phone went or fell silent before its request was whole."""


class WsgiBridge:
    """Runs a WSGI application in `threads` threads behind ASGI; addresses take turns for the threads.

    A body may have `limit` bytes. For a longer one, `larger(environ)` runs in a thread and returns its limit or raises
    the `Problem` to tell. A body over its limit is not read: the application gets its length, no byte of it, and the
    reason (`BODY_LOST`). `opened(key)` is called in the event loop before a phone that a table let in is answered
    (`OPENED`). An answer that goes on (`STREAM`) holds no thread; `hub` sends it.
    """

    def __init__(
        self,
        pages: Pages,
        threads: int,
        limit: int,
        larger: Callable[[Environ], int],
        hub: Hub,
        opened: Callable[[str], None] = lambda key: None,
    ) -> None:
        self._pages = pages
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pages")
        self._scheduler = FairScheduler(threads, PROCESSOR)
        self._limit = limit
        self._larger = larger
        self._hub = hub
        self._opened = opened
        self._on_disk: Quota[RequestBody] = Quota()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with contextlib.closing(RequestBody(connection_of(scope), self._on_disk)) as body:
            try:
                await self._receive(scope, receive, body)
            except _ClientGone:
                # If the phone is still there, it sent less than it announced.
                whole: Answer = (408, [(b"connection", b"close"), (b"content-length", b"0")], b"")
                stream = None
            else:
                whole, stream = await self._ask(scope, body.file, body.length, body.lost)
        if stream is not None:
            try:
                with self._hub.listening(stream.table, connection_of(scope), stream.phone) as listener:
                    await self._hub.stream(listener, stream, whole[1], receive, send)
                return
            except Problem as problem:  # nothing was sent yet
                whole, _ = await self._ask(scope, io.BytesIO(), 0, problem)
        await answer(send, *whole)

    async def _ask(
        self, scope: Scope, body: IO[bytes], length: int, lost: Exception | None
    ) -> tuple[Answer, Stream | None]:
        """What the application answers, and the stream as which that goes on."""
        environ = {**_environ(scope, body, length), BODY_LOST: lost}
        whole = await self._run(scope, self._answer, environ)
        if OPENED in environ:
            self._opened(environ[OPENED])
        return whole, environ.get(STREAM) if scope["method"].upper() == "GET" and whole[0] == 200 else None

    async def _receive(self, scope: Scope, receive: Receive, body: "RequestBody") -> None:
        """Receives a body to its end, also if it is not kept: a phone that still sends would miss the answer."""
        announced = next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)
        if announced > self._limit:
            wrong: Exception | None
            try:
                limit = await self._run(scope, self._larger, _environ(scope, io.BytesIO(), announced))
                # The application says itself that what may be long is too long.
                wrong = None if limit > self._limit else Problem("too-much", 413)
            except (Problem, OSError) as error:
                limit, wrong = 0, error
            if announced > limit:
                body.length, body.lost = announced, wrong
                return
        while await body.take(receive):
            pass

    async def _run(self, scope: Scope, work: Callable[[Environ], Result], environ: Environ) -> Result:
        """Works in a thread, in its turn: that of the address, and there of the table, or else of the phone."""
        connection = connection_of(scope)
        async with self._scheduler.place(connection.address, connection.group or _phone_of(scope)) as spend:
            loop = asyncio.get_running_loop()
            result, spent = await loop.run_in_executor(self._threads, _run_timed, work, environ)
            spend(spent + environ.get(SPENT_S, 0.0))
            return result

    def _answer(self, environ: Environ) -> Answer:
        """Runs the application in one of the threads."""
        started: list[tuple[int, list[tuple[bytes, bytes]]]] = []

        def start_response(status: str, headers: Sequence[tuple[str, str]], error: object = None) -> None:
            plain = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            started[:] = [(int(status.split(" ", 1)[0]), plain)]

        try:
            pieces = self._pages(environ, start_response)
            try:
                body = b"".join(pieces)
            finally:
                close = getattr(pieces, "close", None)
                if close is not None:
                    close()
            status, headers = started[-1]
        except Exception:  # even the error page failed
            logger.exception("%s %s failed", environ["REQUEST_METHOD"], environ["PATH_INFO"])
            return 500, [PROBLEM, NOT_KEPT], as_body(Problem("internal", 500))
        return status, headers, body


class RequestBody:
    """The body of one request until it is answered."""

    def __init__(self, connection: Connection, on_disk: "Quota[RequestBody]") -> None:
        """`on_disk`: all bodies in files; if they are too many, one of the address that has most gives way."""
        self.connection = connection
        self.file: IO[bytes] = io.BytesIO()
        self.length = 0  # bytes that have come
        self.lost: Exception | None = None  # why it is not kept, or was not even read
        self._on_disk = on_disk
        self._began = time.monotonic()

    async def take(self, receive: Receive) -> bool:
        """Receives the next piece and returns whether more follow. Raises `_ClientGone`."""
        message = await _next(receive, self._deadline())
        piece: bytes = message.get("body", b"")
        self.length += len(piece)
        if self.lost is None:
            try:
                self._keep(piece)
            except OSError as error:
                self.lost = error
                self.close()
                self.file = io.BytesIO()
        more: bool = message.get("more_body", False)
        if not more:
            self.file.seek(0)
        return more

    def close(self) -> None:
        self._on_disk.take(self)
        self.file.close()

    def _deadline(self) -> float:
        """When it must be whole, by `time.monotonic()`: slow bodies have less time."""
        return self._began + min(BODY_WITHIN_S, SLOW_FOR_S + self.length / LEAST_SPEED)

    def _keep(self, piece: bytes) -> None:
        if self.length > IN_MEMORY:
            if isinstance(self.file, io.BytesIO):
                in_memory, self.file = self.file.getvalue(), _temporary()
                _write(self.file, in_memory)
            self._on_disk.put(self, self.length, self.connection.address, self.connection.group)
            while self._on_disk.size > ON_DISK:
                other = self._one_too_many()
                self._on_disk.take(other)
                other.connection.turn_away()
        _write(self.file, piece)

    def _one_too_many(self) -> "RequestBody":
        """The body that gives way: the newest of the address whose bodies take most, since least of it is lost; there
        of the largest table, if that takes far more than this body's own."""
        address = self._on_disk.biggest()
        bodies = self._on_disk.part_of(address)
        group = self.connection.group if address == self.connection.address else ""
        return (bodies.crowd_for(EQUAL_BYTES, group) or bodies).newest()


def _run_timed(work: Callable[[Environ], Result], environ: Environ) -> tuple[Result, float]:
    """The result, and the processor seconds that it took."""
    began = time.thread_time()
    return work(environ), time.thread_time() - began


def _phone_of(scope: Scope) -> str:
    """What a phone says that it is; who says something else each time is no better off than with one name."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    found = PHONE.search(cookies)
    return "" if found is None else found[1].decode("ascii")


def connection_of(scope: Scope) -> Connection:
    known = scope.get("state", {}).get("connection")
    return known if isinstance(known, Connection) else Connection(origin_of((scope.get("client") or ("?",))[0]))


async def _next(receive: Receive, until: float) -> Message:
    try:
        message = await asyncio.wait_for(receive(), min(SILENCE_S, max(until - time.monotonic(), 0)))
    except asyncio.TimeoutError:
        raise _ClientGone from None
    if message["type"] == "http.disconnect":
        raise _ClientGone
    return message


def _temporary() -> IO[bytes]:
    # Without a buffer, so that a full disk is noticed when writing, not when closing.
    try:
        return tempfile.TemporaryFile(prefix="rollcall-", buffering=0)
    except FileNotFoundError as error:  # no folder for temporary files takes even a few bytes
        raise OSError(errno.ENOSPC, str(error)) from error


def _write(file: IO[bytes], data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def _environ(scope: Scope, body: IO[bytes], length: int) -> Environ:
    """The request as PEP 3333 wants it."""
    server = scope.get("server") or ("localhost", 80)
    client = scope.get("client") or ("", 0)
    environ: Environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": scope.get("root_path", ""),
        "PATH_INFO": scope["path"].encode("utf-8").decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 0),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body,
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if "_" in name or name == "content-length" or name in OF_THE_CONNECTION:
            continue  # "content_length" would pass for the real one
        variable = "CONTENT_TYPE" if name == "content-type" else "HTTP_" + name.upper().replace("-", "_")
        known = environ.get(variable)
        environ[variable] = value if known is None else known + ("; " if name == "cookie" else ",") + value
    environ["CONTENT_LENGTH"] = str(length)
    return environ
