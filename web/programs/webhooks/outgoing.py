"""Requests to addresses that strangers name: only to networks that are allowed, and never for longer than a moment.

A name is looked up once, and what it means is checked and then used. No redirect is followed, no answer is read but
its status, and no proxy of the environment is asked.
"""

import functools
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from urllib.parse import SplitResult, urlsplit

from web.limits.addresses import Interface, lan_networks, own_interfaces
from web.limits.origins import Ip, ip_of
from web.problems.problem import Problem

WITHIN_S = 10.0  # for all of a request
STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})\b")
PLAIN = re.compile(r"https?://[!-\[\]-~]+", re.ASCII | re.IGNORECASE)  # no backslash
# Where clouds tell a machine its secrets, and IPv6 addresses that stand for IPv4 ones.
METADATA = ("fd00:ec2::/32", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32")
NEVER = tuple(map(ipaddress.ip_network, (*METADATA, "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))

_tls = functools.cache(ssl.create_default_context)  # bounded: no argument. Each reads all authorities from the disk


class Unreachable(Exception):  # noqa: N818 - it is told as a fact
    """A request was not answered. Its text: "not-allowed", "unknown-host", "certificate" or "no-answer"."""


class AllowedNetworks:
    def __init__(self, private: bool = True, also: Iterable[str] = ()) -> None:
        """`private`: to the private networks of this machine's own interfaces, without those of containers and tunnels.
        `also`: further networks, and addresses; this machine and other special addresses only if they are named alone.
        Raises ValueError."""
        self._private, self._also = private, tuple(map(ipaddress.ip_network, also))

    def check(self, address: str) -> SplitResult:
        """Takes an address apart. Raises `Problem` if it cannot be allowed; what a name means, `look_up` asks."""
        target = parse_target(address)
        ip = ip_of(target.hostname or "")  # names such as 127.1 are none
        if not (self._also or self._lans() if ip is None else self._allows(ip)):
            raise Problem("webhook-foreign", 422)
        return target

    def look_up(self, target: SplitResult) -> str:
        """The IP address of a target. Raises `Unreachable` if it has none, or one that is not allowed."""
        try:
            found = socket.getaddrinfo(target.hostname, None, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise Unreachable("unknown-host") from None
        ips = [ip_of(str(each[4][0])) for each in found]
        if not ips or not all(ip is not None and self._allows(ip) for ip in ips):
            raise Unreachable("not-allowed")
        return str(ips[0])

    def _allows(self, ip: Ip) -> bool:
        named = [net for net in self._also if ip in net]
        if _is_special(ip) or any(ip == each.ip for _, each in own_interfaces()):
            return any(net.num_addresses == 1 for net in named)
        return bool(named) or (ip.is_private and any(ip in each.network for each in self._lans()))

    def _lans(self) -> Sequence[Interface]:
        own = own_interfaces() if self._private else ()
        return lan_networks(each for each in own if each[1].ip.is_private and not _is_special(each[1].ip))


def _is_special(ip: Ip) -> bool:
    plain = not (ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved)
    return not plain or any(ip in net for net in NEVER)


def parse_target(address: str) -> SplitResult:
    """Raises `Problem("webhook-address")`."""
    try:
        parts = urlsplit(address)
        if PLAIN.fullmatch(address) and parts.hostname and parts.username is None and parts.port != 0:
            return parts
    except ValueError:  # of the brackets, or of the port
        pass
    raise Problem("webhook-address")


def post(target: SplitResult, ip: str, headers: Mapping[str, str], body: bytes) -> int:
    """Posts to a target at its IP address. Returns the status of the answer. Raises `Unreachable`."""
    until, head, secure = time.monotonic() + WITHIN_S, b"", target.scheme == "https"
    port = target.port or (443 if secure else 80)
    path = (target.path or "/") + (f"?{target.query}" if target.query else "")
    try:
        with closing(HTTPConnection(target.hostname or "", port)) as request:
            request.sock = socket.create_connection((ip, port), WITHIN_S)
            if secure:
                request.sock = _tls().wrap_socket(request.sock, server_hostname=target.hostname)
            request.request("POST", path, body, {**headers, "Connection": "close"})
            for _ in range(12):  # letters of "HTTP/1.1 200", if each comes alone
                request.sock.settimeout(max(0.001, until - time.monotonic()))
                head += request.sock.recv(12 - len(head))
    except ssl.SSLCertVerificationError:
        raise Unreachable("certificate") from None
    except (OSError, HTTPException, ValueError):
        raise Unreachable("no-answer") from None
    if (found := STATUS.match(head)) is None:
        raise Unreachable("no-answer")
    return int(found[1])
