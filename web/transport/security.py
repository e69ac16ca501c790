"""What keeps other sites, other names and guessing strangers out."""

import ipaddress
import re
import socket
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterable
from typing import Any
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

MINUTE_S, HOUR_S = 60.0, 3600.0
# Wrong guesses that one address has in a minute and in an hour, and all addresses together have in a minute. A code
# is one of 23^6 and lives for hours: with a hundred tables running, all together need a day on average to hit one.
GUESSES_A_MINUTE = 10
GUESSES_AN_HOUR = 100
GUESSES_OF_ALL = 600
REMEMBERED_ADDRESSES = 2000
NETWORK_BITS = 64  # what one IPv6 host may choose its addresses from


# A Host header as RFC 3986 and the libraries below us have it; whatever else is sent becomes a name that nobody has.
SOUND_HOST = re.compile(r"([a-z0-9.-]{1,253}|\[[a-f0-9]*:[a-f0-9.:]{1,45}\])(?::([1-9][0-9]{0,4}))?", re.ASCII | re.I)
NO_HOST = "no-name.invalid"


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
    """Counts wrong guesses by the phone's address, for an hour; keys and codes apart.

    A `kind` is "key" or "code". Somebody with an old table's page open guesses its key wrong again and again, and may
    type in a code all the same.
    """

    def __init__(self) -> None:
        self._wrong: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self._all: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def check(self, kind: str, address: str) -> None:
        """Raises `Problem("too-many-guesses")` when this address has guessed too often."""
        now = time.monotonic()
        with self._lock:
            own = self._wrong.get((kind, origin_of(address)), ())
            if (
                _since(own, now - MINUTE_S) >= GUESSES_A_MINUTE
                or _since(own, now - HOUR_S) >= GUESSES_AN_HOUR
                or _since(self._all.get(kind, ()), now - MINUTE_S) >= GUESSES_OF_ALL
            ):
                raise Problem("too-many-guesses", 429)

    def wrong(self, kind: str, address: str) -> None:
        """Notes a wrong guess."""
        now = time.monotonic()
        with self._lock:
            own = (kind, origin_of(address))
            self._wrong.setdefault(own, deque(maxlen=GUESSES_AN_HOUR)).append(now)
            self._wrong.move_to_end(own)
            self._all.setdefault(kind, deque(maxlen=GUESSES_OF_ALL)).append(now)
            while len(self._wrong) > REMEMBERED_ADDRESSES:
                self._wrong.popitem(last=False)


def origin_of(address: str) -> str:
    """What counts as one phone: an address, but of IPv6 the network that a host may choose its addresses from."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if known.version == 4:
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    if known.is_link_local:  # one network for everybody
        return str(known)
    return str(ipaddress.ip_network((int(known), NETWORK_BITS), strict=False).network_address)


def _since(times: Iterable[float], moment: float) -> int:
    return sum(at > moment for at in times)


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; "" when it is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def check_host(hosts: Hosts, host: str) -> None:
    """Raises `Problem("host-unknown")` unless the server goes by the name in this Host header."""
    if not hosts.allows(host):
        raise Problem("host-unknown", 421, host=host_name(host)[:80])


def _is_own(origin: str) -> bool:
    """Whether an Origin header names this server as the request did."""
    try:
        return urlsplit(origin).netloc == request.host != ""
    except ValueError:
        return False


def install(app: Flask, hosts: Hosts) -> None:
    """Makes `app` refuse foreign names and foreign sites, and send the headers that keep its pages to themselves."""
    answer = app.wsgi_app

    def with_a_sound_host(environ: dict[str, Any], start_response: Any) -> Any:
        # Flask has no addresses, and so no page to say what is wrong, for a request whose host is no host.
        sound = SOUND_HOST.fullmatch(environ.get("HTTP_HOST", "localhost"))
        if sound is None or int(sound[2] or 0) > 65535:
            environ["HTTP_HOST"] = NO_HOST
        return answer(environ, start_response)

    app.wsgi_app = with_a_sound_host  # type: ignore[method-assign]

    @app.before_request
    def known_host() -> None:
        check_host(hosts, request.host)

    @app.before_request
    def same_origin() -> None:
        if request.method in SAFE_METHODS:
            return
        site = request.headers.get("Sec-Fetch-Site")
        origin = request.headers.get("Origin")
        # Browsers always send at least one of these with a changing request; other programs are no one's browser.
        if (site is not None and site not in ("same-origin", "none")) or (origin is not None and not _is_own(origin)):
            raise Problem("cross-site", 403)

    @app.after_request
    def headers(response: Response) -> Response:
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return response
