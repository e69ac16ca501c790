"""Fetches a file from the address that a person typed, within bounds of time and size.

Where requests may go: the person is trusted, and may name any address, one of this machine too. Who answers is not: a
redirect leads to public addresses, or to the machine that the person named; never elsewhere in a private network, and
never from https to http. A name is looked up once, and what it means is checked and then used.
"""

import http.client
import ipaddress
import socket
import ssl
import time
from urllib.parse import urljoin

from web.common.problems import Problem
from web.programs.webhooks.outgoing import Bounded, Target, parse_target, tls, until_then

WITHIN_S = 20.0  # for all requests of a file; the look-up of a name takes as long as the system lets it
MOST_REDIRECTS = 3
REDIRECTS = (301, 302, 303, 307, 308)
HEADERS = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": "rollcall", "Connection": "close"}


class NotFetchedError(Exception):
    """Nothing was fetched: its text is one sentence that says why."""


def is_address(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def fetch(address: str, most: int, within_s: float | None = None) -> bytes:
    """What stands at an address of http or https, at most so many bytes. Raises NotFetchedError."""
    within_s = within_s or WITHIN_S
    until = time.monotonic() + within_s
    named: frozenset[str] = frozenset()
    for redirects in range(MOST_REDIRECTS + 1):
        target = target_of(address)
        ips = _look_up(target)
        if redirects == 0:
            named = frozenset(ips)
        elif not all(ip in named or ipaddress.ip_address(ip).is_global for ip in ips):
            raise NotFetchedError(f"{address}: the address leads into a private network; name that address yourself")
        try:
            body, leads_to = _ask(target, ips, most, until)
        except ssl.SSLCertVerificationError as error:
            raise NotFetchedError(f"{address}: its certificate is not trusted: {error.verify_message}") from None
        except TimeoutError:
            raise NotFetchedError(f"{address}: no answer within {within_s:.0f} seconds") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "strerror", None) or "what answers there does not speak http"
            raise NotFetchedError(f"{address}: {reason}") from None
        except _RefusedAnswer as refused:
            raise NotFetchedError(f"{address}: {refused}") from None
        if leads_to is None:
            return body
        try:
            following = urljoin(address, leads_to)
        except ValueError:
            raise NotFetchedError(f"{address}: it leads to no address") from None
        if target.secure and not following.lower().startswith("https://"):
            raise NotFetchedError(f"{address}: the address leads from https to another protocol")
        address = following
    raise NotFetchedError(f"{address}: more than {MOST_REDIRECTS} redirects")


class _RefusedAnswer(Exception):  # noqa: N818 - an answer that is not taken
    pass


def target_of(address: str) -> Target:
    """Raises NotFetchedError for what is no address."""
    try:
        return parse_target(address)
    except Problem:
        raise NotFetchedError(
            f"{address[:100]}: an address begins with http:// or https://, has no spaces and at most 300 letters"
        ) from None


def _look_up(target: Target) -> list[str]:
    try:
        return list(dict.fromkeys(map(str, target.look_up())))
    except (OSError, UnicodeError):
        raise NotFetchedError(f"{target.host}: there is no such host, or no network") from None


def _ask(target: Target, ips: list[str], most: int, until: float) -> tuple[bytes, str | None]:
    """The body of the answer; or nothing, and where it leads to."""
    line = http.client.HTTPConnection(target.host, target.port)
    with _connect(target, ips, until) as sock:
        line.sock = Bounded(sock, until)
        line.request("GET", target.path, headers=HEADERS)
        answer = line.getresponse()
        if answer.status in REDIRECTS:
            return b"", answer.getheader("Location") or ""
        if answer.status != http.client.OK:
            raise _RefusedAnswer(f"the answer is {answer.status} {answer.reason}".rstrip())
        if answer.getheader("Content-Encoding", "identity") != "identity":
            raise _RefusedAnswer("the answer is compressed, which was not asked for")
        body = answer.read(most + 1)
    if len(body) > most:
        raise _RefusedAnswer(f"it has more than {most:,} bytes")
    if answer.length:
        raise _RefusedAnswer("the answer is not whole")
    return body, None


def _connect(target: Target, ips: list[str], until: float) -> socket.socket:
    """A socket to the first of these addresses that answers. Raises OSError."""
    for number, ip in enumerate(ips, start=1):
        try:
            sock = socket.create_connection((ip, target.port), max(0.1, until - time.monotonic()))
            break
        except OSError:
            if number == len(ips):
                raise
    if not target.secure:
        return sock
    try:
        # Without the handshake at once: it must end in time, too.
        sock = line = tls().wrap_socket(sock, server_hostname=target.host, do_handshake_on_connect=False)
        until_then(line, until)
        line.do_handshake()
    except BaseException:
        sock.close()
        raise
    return sock
