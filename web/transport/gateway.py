"""From the event loop to the pages' threads: a request is handed over whole, and its answer taken whole.

A phone on a weak network may need a minute for a photo, or vanish in the middle of it. While it does, it holds a
connection and no thread: sixteen lost phones would otherwise be a server that answers nobody.
"""

import asyncio
import contextlib
import errno
import io
import json
import logging
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from web.errors import BODY_LOST
from web.transport.live import Message, Receive, Scope, Send

logger = logging.getLogger(__name__)

Environ = dict[str, Any]
Answer = tuple[int, list[tuple[bytes, bytes]], bytes]  # status, headers, body
Pages = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

IN_MEMORY = 1 << 18  # bytes of a body; longer ones wait in a temporary file
SILENCE_S = 20.0  # between two pieces of a body
BODY_WITHIN_S = 180.0  # all of it: 40 MB at 2 Mbit/s
FORM = b"multipart/form-data"
# Headers that are about the connection and not for the application (RFC 9110, section 7.6.1). Flask's routes, for one,
# would refuse what asks for an upgrade.
OF_THE_CONNECTION = frozenset({"connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade"})
BUG = {"error": {"reason": "internal", "params": {}, "message": "Something went wrong in Rollcall."}}


class _Gone(Exception):  # noqa: N818 - no error of ours
    """The phone went, or fell silent, before its request was whole."""


class Gateway:
    """The ASGI face of a WSGI application, which runs in `threads` threads.

    Bodies of forms with files may have `form_limit` bytes, all others `limit`. What is longer is not read at all: the
    application is told its length and no byte of it, so that it can say what the limit is.
    """

    def __init__(self, pages: Pages, threads: int, limit: int, form_limit: int) -> None:
        self._pages = pages
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pages")
        self._limit = limit
        self._form_limit = form_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with contextlib.ExitStack() as kept:
            try:
                body, length, lost = await self._body(scope, receive, kept)
            except _Gone:
                # Nobody may be there to read it; whoever is has sent less than was announced.
                status, headers, answer = 408, [(b"connection", b"close"), (b"content-length", b"0")], b""
            else:
                work = {**_environ(scope, body, length), BODY_LOST: lost}
                loop = asyncio.get_running_loop()
                status, headers, answer = await loop.run_in_executor(self._threads, self._answer, work)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": answer, "more_body": False})

    async def _body(
        self, scope: Scope, receive: Receive, kept: contextlib.ExitStack
    ) -> tuple[IO[bytes], int, OSError | None]:
        """The whole body and its length; an empty one and a length over the limit when it is too long.

        Third: why it could not be kept, since the disk is full. It is received to its end all the same: a phone that is
        still sending would not hear the answer.
        """
        headers = {name: value for name, value in scope["headers"] if name in (b"content-length", b"content-type")}
        limit = self._form_limit if headers.get(b"content-type", b"").lower().startswith(FORM) else self._limit
        announced = int(headers.get(b"content-length", b"0"))  # digits only: the protocol has seen to it
        if announced > limit:
            return io.BytesIO(), announced, None
        lost: OSError | None = None
        body: IO[bytes] = io.BytesIO()
        length = 0
        until = asyncio.get_running_loop().time() + BODY_WITHIN_S
        while True:
            message = await _next(receive, until)
            piece: bytes = message.get("body", b"")
            length += len(piece)
            if length > limit:
                return io.BytesIO(), length, None
            try:
                if length > IN_MEMORY and isinstance(body, io.BytesIO) and lost is None:
                    in_memory = body.getvalue()
                    body = kept.enter_context(_temporary())
                    _write(body, in_memory)
                if lost is None:
                    _write(body, piece)
            except OSError as error:
                lost, body = error, io.BytesIO()
            if not message.get("more_body", False):
                body.seek(0)
                return body, length, lost

    def _answer(self, environ: Environ) -> Answer:
        """Runs the application, in one of the threads."""
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
        except Exception:  # even the page that tells of errors failed
            logger.exception("%s %s failed", environ["REQUEST_METHOD"], environ["PATH_INFO"])
            return (
                500,
                [(b"content-type", b"application/json"), (b"cache-control", b"no-store")],
                json.dumps(BUG).encode(),
            )
        return status, headers, body


async def _next(receive: Receive, until: float) -> Message:
    left = until - asyncio.get_running_loop().time()
    try:
        message = await asyncio.wait_for(receive(), min(SILENCE_S, max(left, 0)))
    except asyncio.TimeoutError:
        raise _Gone from None
    if message["type"] == "http.disconnect":
        raise _Gone
    return message


def _temporary() -> IO[bytes]:
    # Without a buffer: what a full disk does not take is noticed when it is written, not when the file is closed.
    try:
        return tempfile.TemporaryFile(prefix="rollcall-", buffering=0)
    except FileNotFoundError as error:  # no folder for temporary files takes even the few bytes of a trial
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
        "SCRIPT_NAME": "",
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
            continue  # "content_length" would be taken for the real one
        variable = "CONTENT_TYPE" if name == "content-type" else "HTTP_" + name.upper().replace("-", "_")
        known = environ.get(variable)
        environ[variable] = value if known is None else known + ("; " if name == "cookie" else ",") + value
    environ["CONTENT_LENGTH"] = str(length)
    return environ
