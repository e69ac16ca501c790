"""Requests to addresses that strangers name: only to networks that are allowed, and never for longer than a moment.

A name is looked up once, and what it means is checked and then used. No redirect is followed, no answer is read but
its status, and no proxy of the environment is asked.
"""

import functools
import http.client
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import urlsplit

from web.limits.addresses import Interface, lan_networks, own_interfaces
from web.limits.origins import ip_of
from web.problems.problem import Problem

Ip: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

WITHIN_S = 10.0  # for all of a request
STATUS = re.compile(rb"HTTP/1\.[01] ([0-9]{3})\b")
LONGEST_STATUS = 1000  # bytes of the first line of an answer
PLAIN = re.compile(r"https?://[!-\[\]-~]+", re.ASCII | re.IGNORECASE)  # no backslash
# Of homes and offices (RFC 1918 and 4193).
PRIVATE = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
# Where clouds tell a machine its secrets, and IPv6 addresses that stand for IPv4 ones.
METADATA = ("fd00:ec2::/32", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32")
NEVER = tuple(map(ipaddress.ip_network, (*METADATA, "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))


class Unreachable(Exception):  # noqa: N818 - it is told as a fact
    """A request was not answered. Its text: "not-allowed", "unknown-host", "certificate" or "no-answer"."""


class Target(NamedTuple):
    """An address, taken apart. `host`: a name, or an IP address without brackets; `path`: with its query."""

    secure: bool
    host: str
    port: int
    path: str


class AllowedNetworks:
    """Where requests may go."""

    def __init__(self, private: bool = True, also: Iterable[str] = ()) -> None:
        """`private`: to the private networks of this machine's own interfaces, without those of containers and tunnels.
        `also`: further networks, and addresses; this machine and other special addresses only if they are named alone.
        Raises ValueError."""
        self._private, self._also = private, tuple(map(ipaddress.ip_network, also))

    def check(self, address: str) -> Target:
        """Takes an address apart. Raises `Problem` if it cannot be allowed; what a name means, `look_up` asks."""
        target, own = parse_target(address), list(own_interfaces())
        ip = ip_of(target.host)  # names such as 127.1 are none
        if not (self._also or self._lans(own) if ip is None else self._allows(ip, own)):
            raise Problem("webhook-foreign", 422)
        return target

    def look_up(self, target: Target) -> str:
        """The IP address of a target. Raises `Unreachable` if it has none, or one that is not allowed."""
        try:
            found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
            ips, own = [ip_of(str(each[4][0])) for each in found], list(own_interfaces())
        except (OSError, UnicodeError):
            raise Unreachable("unknown-host") from None
        if not ips or not all(ip is not None and self._allows(ip, own) for ip in ips):
            raise Unreachable("not-allowed")
        return str(ips[0])

    def _allows(self, ip: Ip, own: Sequence[tuple[str, Interface]]) -> bool:
        named = [net for net in self._also if ip in net]
        if _is_special(ip) or any(ip == each.ip for _, each in own):
            return any(net.num_addresses == 1 for net in named)
        return bool(named) or (_is_private(ip) and any(ip in each.network for each in self._lans(own)))

    def _lans(self, own: Sequence[tuple[str, Interface]]) -> Sequence[Interface]:
        return lan_networks((name, each) for name, each in own if _is_private(each.ip)) if self._private else ()


def parse_target(address: str) -> Target:
    """Raises `Problem("webhook-address")`."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise Problem("webhook-address") from None
    if not PLAIN.fullmatch(address) or not parts.hostname or parts.username is not None or port == 0:
        raise Problem("webhook-address")
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(secure, parts.hostname, port or (443 if secure else 80), path)


def _is_private(ip: Ip) -> bool:
    return any(ip in net for net in PRIVATE)


def _is_special(ip: Ip) -> bool:
    plain = not (ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved)
    return not plain or any(ip in net for net in NEVER)


def post(target: Target, ip: str, headers: Mapping[str, str], body: bytes) -> int:
    """Posts to a target at its IP address. Returns the status of the answer. Raises `Unreachable`."""
    until, head = time.monotonic() + WITHIN_S, b""
    request: Any = http.client.HTTPConnection(target.host, target.port)
    try:
        with _connect(target, ip) as request.sock:
            request.request("POST", target.path, body, {**headers, "Connection": "close"})
            while b"\n" not in head and len(head) < LONGEST_STATUS:
                request.sock.settimeout(max(0.001, until - time.monotonic()))
                if not (piece := request.sock.recv(LONGEST_STATUS)):
                    break
                head += piece
    except ssl.SSLCertVerificationError:
        raise Unreachable("certificate") from None
    except (OSError, http.client.HTTPException, ValueError):
        raise Unreachable("no-answer") from None
    if (found := STATUS.match(head)) is None:
        raise Unreachable("no-answer")
    return int(found[1])


def _connect(target: Target, ip: str) -> socket.socket:
    sock = socket.create_connection((ip, target.port), WITHIN_S)
    return _tls().wrap_socket(sock, server_hostname=target.host) if target.secure else sock


@functools.cache  # bounded: no argument
def _tls() -> ssl.SSLContext:
    """One for all requests: each reads all authorities from the disk."""
    return ssl.create_default_context()
