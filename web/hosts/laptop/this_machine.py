"""The computer that serves, if its own browser was opened: which requests are its own, and which phones came.

Any program on the computer has the address 127.0.0.1, of other users too. So the browser that Rollcall opens brings a
token, which is used once: from then on that browser is known by a cookie, until Rollcall ends.
"""

import hashlib
import hmac
import ipaddress
import secrets
import signal
import threading
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from werkzeug.http import parse_cookie

from web.hosts.threads import ThreadTask
from web.pages.host_names import LOOPBACK, host_name

MOST_PHONES = 99  # addresses that are remembered
ENDS_AFTER_S = 0.5  # the page that says so is sent by then
SECRET_BYTES = 32
NONCE_BYTES = 16


def opening_url(url: str, secret: str) -> str:
    """The address that opens the page at `url` in a browser, once. `secret`: of the server that runs there."""
    nonce = secrets.token_hex(NONCE_BYTES)
    return f"{url}/open?{urlencode({'token': f'{nonce}.{_signature(secret, nonce)}'})}"


def _signature(secret: str, nonce: str) -> str:
    return hmac.new(secret.encode(), nonce.encode(), hashlib.sha256).hexdigest()


@dataclass
class ThisMachine:
    """`url`: the address of the page. `addresses`: all of this computer's. `secret`: makes tokens (`opening_url`).

    `taken_port`: the wanted one, if another program has it.
    """

    url: str
    addresses: Collection[str] = ()
    phones: set[str] = field(default_factory=set)  # addresses of others that opened a page
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(SECRET_BYTES))

    taken_port: int | None = None

    def __post_init__(self) -> None:
        self._browsers: dict[str, str] = {}  # the cookies of browsers that were let in, by the nonces of their tokens
        self._lock = threading.Lock()

    @property
    def cookie(self) -> str:
        """The name of the cookie: one browser may be at two servers of this computer, which share its cookies."""
        return f"welcome-{urlsplit(self.url).port}"

    def let_in(self, token: str, cookies: str) -> str | None:
        """The cookie for a browser that brings a token; None if the token is not ours or was used before.

        If another browser used it before, that one is kept out from now on: it may have been a stranger's.
        """
        nonce, _, signature = token.partition(".")
        if not hmac.compare_digest(signature.encode(), _signature(self.secret, nonce).encode()):
            return None
        with self._lock:
            if nonce not in self._browsers:
                self._browsers[nonce] = secrets.token_urlsafe(SECRET_BYTES)
                return self._browsers[nonce]
            if self._browsers[nonce] != parse_cookie(cookies).get(self.cookie):
                self._browsers[nonce] = ""
        return None

    def knows(self, cookies: str) -> bool:
        """Whether a Cookie header is that of a browser that was let in."""
        given = parse_cookie(cookies).get(self.cookie, "").encode()
        with self._lock:
            return any(known and hmac.compare_digest(known.encode(), given) for known in self._browsers.values())

    def is_asked_here(self, address: str, host: str) -> bool:
        """Whether a request came from this computer, by any program. `host`: its Host header.

        A proxy on this computer has its address too, and asks for the name of a phone.
        """
        own, asked = host_name(urlsplit(self.url).netloc), host_name(host)
        if own in LOOPBACK:
            return _is_loopback(address) and asked in LOOPBACK
        return address == own == asked

    def note(self, address: str) -> None:
        """Notes who opened a page, unless it was this computer."""
        if len(self.phones) < MOST_PHONES and not _is_loopback(address) and address not in self.addresses:
            self.phones.add(address)

    def end_soon(self) -> None:
        """Ends the program as Ctrl+C would, once this request is answered."""
        ThreadTask("end", _end_after_the_answer).wake()


def _end_after_the_answer() -> None:
    time.sleep(ENDS_AFTER_S)
    signal.raise_signal(signal.SIGTERM)


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
