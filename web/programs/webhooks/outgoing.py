"""Requests to addresses that strangers name: only to networks that are allowed, and never for longer than a moment.

A name is looked up once, and what it means is checked and then used. No redirect is followed, no answer is read but
its status, and no proxy of the environment is asked.
"""

import contextlib
import functools
import http.client
import io
import ipaddress
import re
import socket
import ssl
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from web.common.addresses import Interface, lan_networks, own_interfaces
from web.common.problems import Problem

Ip: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

WITHIN_S = 10.0  # for all of a request
LONGEST = 300  # letters of an address
PLAIN = re.compile(r"https?://[!-~]+", re.ASCII | re.IGNORECASE)
# Of homes and offices (RFC 1918 and 4193).
PRIVATE = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
# Where clouds tell a machine its secrets, and IPv6 addresses that stand for IPv4 ones.
METADATA = ("fd00:ec2::/32", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32")
NEVER = tuple(map(ipaddress.ip_network, (*METADATA, "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))


class Unreachable(Exception):  # noqa: N818 - it is told as a fact
    """A request was not answered. `why`: "not-allowed", "unknown-host", "certificate" or "no-answer"."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True)
class Target:
    """An address, taken apart. `host`: a name, or an IP address without brackets; `path`: with its query."""

    secure: bool
    host: str
    port: int
    path: str

    @property
    def ip(self) -> Ip | None:
        """The IP address, if it is named by one. Names such as 127.1 are none, and are looked up."""
        try:
            return plain_ip(ipaddress.ip_address(self.host.partition("%")[0]))
        except ValueError:
            return None

    def look_up(self) -> list[Ip]:
        """What the host's name means. Raises OSError and UnicodeError."""
        found = socket.getaddrinfo(self.host, self.port, type=socket.SOCK_STREAM)
        return [plain_ip(ipaddress.ip_address(str(each[4][0]).partition("%")[0])) for each in found]

    @property
    def receiver(self) -> str:
        """The machine that is meant, written in one way."""
        ip = self.ip
        return self.host.lower().rstrip(".") if ip is None else str(ip)


class AllowedNetworks:
    """Where requests may go."""

    def __init__(self, private: bool = True, also: Iterable[str] = ()) -> None:
        """`private`: to the private networks of this machine's own interfaces, without those of containers and tunnels.
        `also`: further networks, and addresses; this machine and other special addresses only if they are named alone.
        Raises ValueError."""
        self._private, self._also = private, tuple(map(ipaddress.ip_network, also))

    def check(self, address: str) -> Target:
        """Takes an address apart. Raises `Problem` if it cannot be allowed; what a name means, `look_up` asks."""
        target = parse_target(address)
        own = list(own_interfaces())
        if not self._allows(target.ip, own) if target.ip is not None else not (self._also or self._lans(own)):
            raise Problem("webhook-foreign", 422)
        return target

    def look_up(self, target: Target) -> str:
        """The IP address of a target. Raises `Unreachable` if it has none, or one that is not allowed."""
        try:
            ips = target.look_up()
        except (OSError, UnicodeError):
            raise Unreachable("unknown-host") from None
        own = list(own_interfaces())
        if not ips or not all(self._allows(ip, own) for ip in ips):
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
    plain = PLAIN.fullmatch(address) is not None and len(address) <= LONGEST
    if not plain or not parts.hostname or parts.username is not None or port == 0 or "\\" in address:
        raise Problem("webhook-address")
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(secure, parts.hostname, port or (443 if secure else 80), path)


def plain_ip(ip: Ip) -> Ip:
    return ip if ip.version == 4 else ip.ipv4_mapped or ip


def _is_private(ip: Ip) -> bool:
    return any(ip in net for net in PRIVATE)


def _is_special(ip: Ip) -> bool:
    plain = not (ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved)
    return not plain or any(ip in net for net in NEVER)


class PostRequest:
    """One POST request. `abort` ends it from another thread."""

    def __init__(self, target: Target, ip: str, headers: Mapping[str, str], body: bytes) -> None:
        self._target, self._ip, self._headers, self._body = target, ip, headers, body
        self._sock: socket.socket | None = None
        self._aborted = False
        self._until = time.monotonic() + WITHIN_S

    def send(self) -> int:
        """Returns the status of the answer. Raises `Unreachable`."""
        line: Any = http.client.HTTPConnection(self._target.host, self._target.port)
        try:
            with self._connect() as sock:
                line.sock = Bounded(sock, self._until)
                line.request("POST", self._target.path, self._body, {**self._headers, "Connection": "close"})
                status: int = line.getresponse().status
                return status
        except ssl.SSLCertVerificationError:
            raise Unreachable("certificate") from None
        except (OSError, http.client.HTTPException, ValueError):
            raise Unreachable("no-answer") from None

    def abort(self) -> None:
        self._aborted = True
        sock = self._sock
        if sock is not None:
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def _connect(self) -> socket.socket:
        self._sock = sock = socket.create_connection((self._ip, self._target.port), WITHIN_S)
        try:
            if self._target.secure:
                context = tls()
                line = context.wrap_socket(sock, server_hostname=self._target.host, do_handshake_on_connect=False)
                self._sock = sock = line  # before the handshake, which `abort` must end too
                until_then(line, self._until)
                line.do_handshake()
            if self._aborted:
                raise OSError("aborted")
        except BaseException:
            sock.close()
            raise
        return sock


class Bounded(io.RawIOBase):
    """A socket as `http.client` uses one, of which all waits together end at `until`."""

    def __init__(self, sock: socket.socket, until: float) -> None:
        self._sock, self._until = sock, until

    def sendall(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            until_then(self._sock, self._until)
            left = left[self._sock.send(left) :]

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        until_then(self._sock, self._until)
        return self._sock.recv_into(buffer)

    def close(self) -> None:
        """The socket is closed by whom it is of."""


def until_then(sock: socket.socket, until: float) -> None:
    """Has the next wait of a socket end at a time of `time.monotonic`. Raises TimeoutError if that is over."""
    left_s = until - time.monotonic()
    if left_s <= 0:
        raise TimeoutError
    sock.settimeout(left_s)


@functools.cache  # bounded: no argument
def tls() -> ssl.SSLContext:
    """One for all requests: each reads all authorities from the disk."""
    return ssl.create_default_context()
