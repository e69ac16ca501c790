"""The computer that serves: its own browser, which requests are its own, and what runs already.

Any program on the computer has the address 127.0.0.1, of other users too. So the browser that Rollcall opens brings a
token, which is used once: from then on that browser is known by a cookie, until Rollcall ends.
"""

import contextlib
import hashlib
import hmac
import os
import secrets
import signal
import time
import webbrowser
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO
from urllib.parse import urlencode, urlsplit

from werkzeug.http import parse_cookie

from web.hosts.threads import ThreadTask
from web.limits import addresses as known_addresses
from web.limits.origins import is_loopback
from web.pages.host_names import LOOPBACK, host_name
from web.store.maintenance import locking

ENDS_AFTER_S = 0.5  # the page that says so is sent by then
SECRET_BYTES = 32
NONCE_BYTES = 16
ADDRESS = "rollcall.address"  # in the data folder while it is served: its address here, and a secret
SERVICE = Path("/run/rollcall")  # of the packaged service: systemd makes it, and removes it when the service ends
# Whose program a connection comes from, where the system says so (Linux).
CONNECTIONS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
# The columns of these files: the addresses end with the port in hexadecimal digits.
LOCAL, REMOTE, USER = 1, 2, 7
SYSTEM = 0  # its administrator may do everything anyway, and sockets that are closing belong to nobody else


def opening_url(url: str, secret: str) -> str:
    """The address that opens the page at `url` in a browser, once. `secret`: of the server that runs there."""
    nonce = secrets.token_hex(NONCE_BYTES)
    return f"{url}/open?{urlencode({'token': f'{nonce}.{_signature(secret, nonce)}'})}"


def _signature(secret: str, nonce: str) -> str:
    return hmac.new(secret.encode(), nonce.encode(), hashlib.sha256).hexdigest()


@dataclass
class ThisMachine:
    """`url`: the address of the page. `secret`: makes tokens (`opening_url`).

    `taken_port`: the wanted one, if another program has it.
    """

    url: str
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(SECRET_BYTES))
    taken_port: int | None = None

    def __post_init__(self) -> None:
        self._browsers: dict[str, str] = {}  # the cookies of browsers that were let in, by the nonces of their tokens

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
        fresh = secrets.token_urlsafe(SECRET_BYTES)
        known = self._browsers.setdefault(nonce, fresh)  # of two that bring a token, one is the first
        if known is fresh:
            return fresh
        if known != parse_cookie(cookies).get(self.cookie):
            self._browsers[nonce] = ""
        return None

    def knows(self, cookies: str) -> bool:
        given = parse_cookie(cookies).get(self.cookie, "").encode()
        return any(known and hmac.compare_digest(known.encode(), given) for known in list(self._browsers.values()))

    def is_asked_here(self, address: str, host: str) -> bool:
        """Whether a request came from this computer, by any program. `host`: its Host header.

        A proxy on this computer has its address too, and asks for the name of a phone.
        """
        own, asked = host_name(urlsplit(self.url).netloc), host_name(host)
        if own in LOOPBACK:
            return is_loopback(address) and asked in LOOPBACK
        return address == own == asked

    def end_soon(self) -> None:
        """Ends the program as Ctrl+C would, once this request is answered."""
        ThreadTask("end", _end_after_the_answer).wake()


def _end_after_the_answer() -> None:
    time.sleep(ENDS_AFTER_S)
    signal.raise_signal(signal.SIGTERM)


def is_of_other_user(port: int, server: int) -> bool:
    """Whether a connection from this computer belongs to another user of it. False if the system does not say so.

    `port`: where the connection begins; `server`: the port that it leads to.
    """
    users = _users(port, server)
    return bool(users) and not users & {os.getuid(), SYSTEM}


def _users(port: int, server: int) -> set[int]:
    found = set()
    for path in CONNECTIONS:
        try:
            lines = path.read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[LOCAL].endswith(f":{port:04X}") and fields[REMOTE].endswith(f":{server:04X}"):
                found.add(int(fields[USER]))
    return found


def own_url(host: str, port: int, secure: bool) -> str:
    """The start page for this computer's browser, of a server that listens on `host`."""
    return known_addresses.url("localhost" if host in known_addresses.ALL else host, port, secure)


@contextlib.contextmanager
def keep_address(data: Path, url: str, secret: str = "") -> Iterator[None]:
    """Keeps the address in the data folder, which the caller has locked, for this user alone. `secret`: makes the
    tokens for its page, "" if it needs none. Raises OSError if the file cannot be written."""
    path = data / ADDRESS
    path.unlink(missing_ok=True)  # one of another user, or that others can read
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(f"{url}\n{secret}")
    if os.environ.get("RUNTIME_DIRECTORY") == str(SERVICE):
        (SERVICE / ADDRESS).write_text(url, encoding="ascii")
        (SERVICE / ADDRESS).chmod(0o644)  # every user of this computer may know it
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def running_address(data: Path) -> tuple[str, str] | None:
    """The address of the Rollcall that runs with this data folder, and what opens it in a browser; or None."""
    with locking.looked_at(data) as free:
        if free:  # what a killed server left says nothing
            return None
        with contextlib.suppress(OSError, ValueError):
            url, _, secret = (data / ADDRESS).read_text(encoding="ascii").partition("\n")
            return url, opening_url(url, secret) if secret else url
    return None


def service_address(port: int) -> str | None:
    """The address of this computer's service, if it runs and has this port."""
    with contextlib.suppress(OSError, ValueError):
        url = (SERVICE / ADDRESS).read_text(encoding="ascii")
        return url if urlsplit(url).port == port else None
    return None


def open_page(url: str, out: TextIO) -> None:
    """Opens the page in the browser, or prints its address. Some browsers return only when they are closed."""
    if not webbrowser.open(url):
        print(f"No browser was found. On this computer, open\n\n    {url}\n", file=out, flush=True)
