"""Keeps out foreign host names and guessing strangers; the security headers of all pages."""

import functools
import ipaddress
import socket
import threading
import time
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from web.problems import Problem
from web.quotas import SlidingWindow

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self' blob:; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # the address of a table is its key: other sites never learn it
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(self)",
}

AUTHORITY = "https-authority.crt"  # in the data folder: the authority that signed our own certificate

MINUTE_S, HOUR_S = 60.0, 3600.0
# Wrong guesses that one phone has in a minute and in an hour. A code is one of 23^6 and lives for hours: with a hundred
# tables running, GUESSES_OF_ALL a minute need a day on average to hit one.
GUESSES_A_MINUTE = 10
GUESSES_AN_HOUR = 100
# Of all phones behind one address in a minute: after the first number, those that guessed wrong lately are refused;
# after the second, all of them. A phone is known by its cookie, which a guesser may change for each guess.
GUESSES_OF_ADDRESS, MOST_OF_ADDRESS = 60, 200
GUESSES_OF_ALL = 600  # in a minute; then addresses that used up their share of the last hour are refused
SHARE_AN_HOUR = 10
REMEMBERED_ADDRESSES = 2000
NETWORK_BITS = 64  # one IPv6 host may choose its addresses within such a network


class Hosts:
    """The host names that this server answers to. Any IP address is one, since DNS rebinding needs a name."""

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


GuessCounts = tuple[int, int]  # wrong guesses in the last minute and in the last hour


class Guesses:
    """Counts wrong guesses for an hour, by phone and by address; keys and codes apart.

    A `kind` is "key" or "code": an open page of an old table sends a wrong key again and again, and its phone may type
    in a code all the same. A phone that guesses wrong is refused. Others are refused only if guesses come so fast that
    codes would be hit.
    """

    def __init__(self) -> None:
        most = (GUESSES_AN_HOUR, MOST_OF_ADDRESS, GUESSES_OF_ALL)  # times of each phone, of each address, of all
        self._times = [SlidingWindow[tuple[str, str]](each, REMEMBERED_ADDRESSES) for each in most]
        self._lock = threading.Lock()

    def check(self, kind: str, address: str, phone: str = "") -> None:
        """Raises `Problem("too-many-guesses")` if this phone guessed too often. `phone`: its cookie, if any."""
        origin = origin_of(address)
        own, here, everybody = self._guess_counts(kind, guessers(origin, phone))
        if (
            own[0] >= GUESSES_A_MINUTE
            or own[1] >= GUESSES_AN_HOUR
            or here[0] >= (GUESSES_OF_ADDRESS if own[1] else MOST_OF_ADDRESS)
            or (everybody[0] >= GUESSES_OF_ALL and (here[1] >= SHARE_AN_HOUR or has_any_address(origin)))
        ):
            raise Problem("too-many-guesses", 429)

    def wrong(self, kind: str, address: str, phone: str = "") -> None:
        now = time.monotonic()
        with self._lock:
            for times, who in zip(self._times, guessers(origin_of(address), phone), strict=True):
                times.note((kind, who), now)

    def _guess_counts(self, kind: str, whose: Sequence[str]) -> list[GuessCounts]:
        now = time.monotonic()
        with self._lock:
            return [
                (times.count_since((kind, who), now - MINUTE_S), times.count_since((kind, who), now - HOUR_S))
                for times, who in zip(self._times, whose, strict=True)
            ]


def guessers(origin: str, phone: str) -> tuple[str, str, str]:
    """The names that a guess is counted by: its phone, its address, and everybody."""
    return f"phone {origin} {phone}", f"address {origin}", "everybody"


def has_any_address(origin: str) -> bool:
    """Whether a host may give itself any number of addresses that each count as one."""
    return origin.lower().startswith("fe80:")


@functools.lru_cache(maxsize=REMEMBERED_ADDRESSES)
def origin_of(address: str) -> str:
    """The address that counts as one visitor; for IPv6, the network that a host may choose its addresses from."""
    known = ip_of(address)
    if known is None:
        return address
    if known.version == 4 or known.is_link_local:  # the latter are one network for everybody
        return str(known)
    return str(ipaddress.ip_network((int(known), NETWORK_BITS), strict=False).network_address)


def ip_of(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address without its zone (`%eth0`), mapped IPv4 as IPv4; None if it is no address."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (known.ipv4_mapped or known) if known.version == 6 else known


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; "" if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
