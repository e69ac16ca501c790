"""What keeps other sites, other names and guessing strangers out."""

import ipaddress
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Flask, Response, request

from web.errors import Problem

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "media-src 'self' blob:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # the address of a table is its key: other sites never learn it
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
}

GUESSES = 10  # wrong keys or codes from one address
GUESS_WINDOW_S = 60.0
REMEMBERED_ADDRESSES = 2000


class Hosts:
    """The names this server answers to. Any literal IP address is one: DNS rebinding needs a name."""

    def __init__(self, extra: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower()
        short = own.split(".")[0]
        self._names = {"localhost", own, short, f"{short}.local", f"{short}.lan", f"{short}.home"}
        self._names |= {name.lower() for name in extra if name}

    def allows(self, host: str) -> bool:
        """`host` as the Host header has it, with or without a port."""
        name = host_name(host)
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class Guesses:
    """Counts wrong keys and codes by the phone's address, for a while."""

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def check(self, address: str) -> None:
        """Raises `Problem("too-many-guesses")` when this address has guessed too often."""
        with self._lock:
            if len(self._recent(address)) >= GUESSES:
                raise Problem("too-many-guesses", 429)

    def wrong(self, address: str) -> None:
        with self._lock:
            recent = [*self._recent(address), time.monotonic()]
            self._wrong[address] = recent
            self._wrong.move_to_end(address)
            while len(self._wrong) > REMEMBERED_ADDRESSES:
                self._wrong.popitem(last=False)

    def _recent(self, address: str) -> list[float]:
        since = time.monotonic() - GUESS_WINDOW_S
        return [at for at in self._wrong.get(address, ()) if at > since]


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; "" when it is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def install(app: Flask, hosts: Hosts) -> None:
    """Makes `app` refuse foreign names and foreign sites, and send the headers that keep its pages to themselves."""

    @app.before_request
    def known_host() -> None:
        if not hosts.allows(request.host):
            raise Problem("host-unknown", 421, host=host_name(request.host)[:80])

    @app.before_request
    def same_origin() -> None:
        if request.method in SAFE_METHODS:
            return
        site = request.headers.get("Sec-Fetch-Site")
        origin = request.headers.get("Origin")
        # Browsers always send at least one of these with a changing request; other programs are no one's browser.
        if (site is not None and site not in ("same-origin", "none")) or (
            origin is not None and urlsplit(origin).netloc != request.host
        ):
            raise Problem("cross-site", 403)

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response
