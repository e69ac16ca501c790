"""Hands whole requests from the event loop to the pages' threads, and takes whole answers back.

A phone on a weak network may need a minute for a photo, or vanish in the middle. Meanwhile it holds a connection but no
thread; otherwise sixteen lost phones would block the server.
"""

import asyncio
import contextlib
import errno
import functools
import io
import itertools
import logging
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, TypeVar

from web.hosts.laptop.asgi import NOT_KEPT, PROBLEM, Headers, Receive, Scope, Send, answer
from web.hosts.laptop.connections import Connection, hold, nothing
from web.hosts.laptop.live_hub import Hub
from web.hosts.threads import FairScheduler, Workers
from web.limits.ledger import DISK, MEMORY, Ledger
from web.limits.origins import origin_of
from web.pages.keys import OPENED
from web.pages.live import STREAM, Stream
from web.problems.problem import BODY_LOST, GONE, SPENT_S, Problem, as_body, disk_problem

logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Environ = dict[str, Any]
Answer = tuple[int, Headers, "bytes | LargeBody"]  # status, headers, body
Pages = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

IN_MEMORY = 1 << 16  # bytes of a body; longer ones wait in a temporary file
SILENCE_S = 20.0  # between two pieces of a body
PHONE = re.compile(rb"(?:^|;\s*)device=([A-Za-z0-9_-]{1,64})(?:;|$)")
LARGE = 1 << 18  # bytes of an answer that is no file; a longer one waits in a temporary file
PIECE = 1 << 14  # bytes of a large answer that one connection has in memory
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
        self._threads = Workers("pages", threads)
        self._ledger = hub.ledger
        self._scheduler = FairScheduler(threads, self._ledger)
        self._limit = limit
        self._larger = larger
        self._hub = hub
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = connection_of(scope)
        with contextlib.closing(RequestBody(connection, self._ledger)) as body:
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
                    with self._hub.listening(stream.table, connection, stream.phone) as listener:
                        work = functools.partial(self._run, scope)
                        await self._hub.stream(listener, stream, whole[1], receive, send, work)
                    return
                except Problem as problem:  # nothing was sent yet
                    whole, _ = await self._ask(scope, io.BytesIO(), 0, problem)
            await self._send(scope, send, *whole)

    async def _ask(
        self, scope: Scope, body: IO[bytes], length: int, lost: Exception | None
    ) -> tuple[Answer, Stream | None]:
        """What the application answers, and the stream as which that goes on."""
        connection = connection_of(scope)
        environ = {**_environ(scope, body, length), BODY_LOST: lost, GONE: lambda: connection.lost}
        whole = await self._run(scope, functools.partial(self._answer, environ), environ)
        if OPENED in environ:
            self._opened(environ[OPENED])
        return whole, environ.get(STREAM) if scope["method"].upper() == "GET" and whole[0] == 200 else None

    async def _receive(self, scope: Scope, receive: Receive, body: "RequestBody") -> None:
        """Receives a body to its end, also if it is not kept: a phone that still sends would miss the answer."""
        announced = next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)
        if announced > self._limit:
            wrong: Exception | None
            try:
                environ = _environ(scope, io.BytesIO(), announced)
                limit = await self._run(scope, functools.partial(self._larger, environ))
                # The application says itself that what may be long is too long.
                wrong = None if limit > self._limit else Problem("too-much", 413)
            except (Problem, OSError) as error:
                limit, wrong = 0, error
            if announced > limit:
                body.length, body.lost = announced, wrong
                return
        while await body.take(receive):
            pass

    async def _run(self, scope: Scope, work: Callable[[], Result], environ: Environ | None = None) -> Result:
        """Works in a thread, in its turn: that of the address, and there of the table, or else of the phone."""
        connection = connection_of(scope)
        async with self._scheduler.place(connection.address, connection.group or _phone_of(scope)) as spend:
            try:
                return await self._threads.run(work, spend)
            finally:
                spend((environ or {}).get(SPENT_S, 0.0))

    async def _send(self, scope: Scope, send: Send, status: int, headers: Headers, body: "bytes | LargeBody") -> None:
        """Sends an answer. Until it is received, its connection holds what is left of it."""
        connection = connection_of(scope)
        with contextlib.closing(body) if isinstance(body, LargeBody) else contextlib.nullcontext():
            what, size = (DISK, body.size) if isinstance(body, LargeBody) else (MEMORY, len(body))
            if not hold(self._ledger, what, connection, size):
                connection.turn_away()
            elif isinstance(body, LargeBody):
                await send({"type": "http.response.start", "status": status, "headers": headers})
                while piece := await self._run(scope, body.read):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
                    await send({"type": "http.response.body", "more_body": True})  # waits until that has gone
                    if connection.lost:
                        break
                await send({"type": "http.response.body"})
            else:
                await answer(send, status, headers, body)

    def _answer(self, environ: Environ) -> Answer:
        """Runs the application in one of the threads."""
        started: list[tuple[int, list[tuple[bytes, bytes]]]] = []

        def start_response(status: str, headers: Sequence[tuple[str, str]], error: object = None) -> None:
            plain = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
            started[:] = [(int(status.split(" ", 1)[0]), plain)]

        try:
            given = self._pages(environ, start_response)
            close = getattr(given, "close", lambda: None)
            try:
                pieces = iter(given)
                first, second = next(pieces, b""), next(pieces, None)
                body: bytes | LargeBody = first
                if second is not None:
                    body, close = LargeBody(itertools.chain((first, second), pieces), close), nothing
                elif len(first) > LARGE:
                    body = LargeBody.on_disk(first)
            finally:
                close()
            status, headers = started[-1]
        except Exception as error:  # even the error page failed, or there is no room on the disk
            problem = disk_problem(error) if isinstance(error, OSError) else None
            if problem is None:
                logger.exception("%s %s failed", environ["REQUEST_METHOD"], environ["PATH_INFO"])
            problem = problem or Problem("internal", 500)
            return problem.status, [PROBLEM, NOT_KEPT], as_body(problem)
        return status, headers, body


class LargeBody:
    """The body of an answer that is read piece by piece while it is received: a file's, or a long one."""

    def __init__(self, pieces: Iterator[bytes], close: Callable[[], object], size: int = 0) -> None:
        """`size`: bytes of it in a temporary file."""
        self._pieces, self.close, self.size = pieces, close, size

    @classmethod
    def on_disk(cls, whole: bytes) -> "LargeBody":
        """Raises OSError."""
        file = _temporary()
        _write(file, whole)
        file.seek(0)
        return cls(iter(functools.partial(file.read, PIECE), b""), file.close, len(whole))

    def read(self) -> bytes:
        """About `PIECE` bytes; none at the end."""
        found, length = [], 0
        while length < PIECE and (piece := next(self._pieces, b"")):
            found.append(piece)
            length += len(piece)
        return b"".join(found)


class RequestBody:
    """The body of one request until it is answered."""

    def __init__(self, connection: Connection, ledger: Ledger) -> None:
        """`ledger`: in which its connection holds what has come of it."""
        self.connection = connection
        self.file: IO[bytes] = io.BytesIO()
        self.length = 0  # bytes that have come
        self.lost: Exception | None = None  # why it is not kept, or was not even read
        self._ledger = ledger

    async def take(self, receive: Receive) -> bool:
        """Receives the next piece and returns whether more follow. Raises `_ClientGone`."""
        try:
            message = await asyncio.wait_for(receive(), SILENCE_S)
        except asyncio.TimeoutError:
            raise _ClientGone from None
        if message["type"] == "http.disconnect":
            raise _ClientGone
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
        self._ledger.give_back(self.connection, MEMORY, DISK)
        self.file.close()

    def _keep(self, piece: bytes) -> None:
        if self.length > IN_MEMORY and isinstance(self.file, io.BytesIO):
            in_memory, self.file = self.file.getvalue(), _temporary()
            _write(self.file, in_memory)
            self._ledger.give_back(self.connection, MEMORY)
        if not hold(self._ledger, DISK if self.length > IN_MEMORY else MEMORY, self.connection, self.length):
            self.connection.turn_away()
            raise _ClientGone
        _write(self.file, piece)


def _phone_of(scope: Scope) -> str:
    """What a phone says that it is; who says something else each time is no better off than with one name."""
    cookies = b"; ".join(value for name, value in scope["headers"] if name == b"cookie")
    found = PHONE.search(cookies)
    return "" if found is None else found[1].decode("ascii")


def connection_of(scope: Scope) -> Connection:
    known = scope.get("state", {}).get("connection")
    return known if isinstance(known, Connection) else Connection(origin_of((scope.get("client") or ("?",))[0]))


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
