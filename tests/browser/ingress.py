"""Home Assistant as it shows an add-on's pages: below a path of its own, in a frame of its page.

As its `hassio/ingress.py` and its Supervisor's `api/ingress.py` do it: they hand on the Host header and the whole body
with its length, name the path and the caller, and hand on an answer while it comes. Nothing else is asked for here.
"""

import contextlib
import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType

ROOT = "/api/hassio_ingress/abcDEF_123-xyz"
FRAME = f'<!doctype html><title>Home</title><iframe name="addon" src="{ROOT}/" width="390" height="800"></iframe>'
NOT_SENT_ON = {"transfer-encoding", "content-length", "connection"}
PIECE = 1 << 14


class Ingress:
    """`with Ingress(port) as home:` shows at `home.base` a page with the frame; `astray`: what was asked beside it."""

    def __init__(self, port: int) -> None:
        self.astray: list[str] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(port, self.astray))
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> "Ingress":
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(port: int, astray: list[str]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith(f"{ROOT}/"):
                with contextlib.suppress(OSError):  # a page that is left ends its stream
                    self._hand_on()
                return
            if self.path not in ("/", "/favicon.ico"):
                astray.append(self.path)
            self.send_response(200 if self.path == "/" else 404)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(FRAME.encode() if self.path == "/" else b"")

        do_POST = do_DELETE = do_PUT = do_GET  # noqa: N815 - the names of the library

        def _hand_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            told = {name: value for name, value in self.headers.items() if name.lower() not in NOT_SENT_ON}
            told |= {"X-Ingress-Path": ROOT, "X-Forwarded-For": "192.168.1.50, 172.30.32.1"}
            told |= {"X-Forwarded-Proto": "http"}
            asked = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
            with contextlib.closing(asked):
                asked.request(self.command, self.path.removeprefix(ROOT), body or None, told)
                answer = asked.getresponse()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in NOT_SENT_ON:
                        self.send_header(name, value)
                self.end_headers()  # by HTTP/1.0 the end of the connection is that of the answer
                while piece := answer.read1(PIECE):
                    self.wfile.write(piece)

        def log_message(self, *_: object) -> None: ...

    return Handler
