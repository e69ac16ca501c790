"""Requests to addresses that strangers name: only to networks that are allowed, and never for longer than a moment.

A name is looked up once, and what it means is checked and then used. No redirect is followed, no answer is read but
its status, and no proxy of the environment is asked.
"""

import contextlib
import http.client
import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import urlsplit

import ifaddr

from web.problems import Problem

Ip: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

WITHIN_S = 10.0  # for all of a request
LONGEST = 300  # letters of an address
PLAIN = re.compile(r"https?://[!-~]+", re.ASCII | re.IGNORECASE)
# Of homes and offices (RFC 1918 and 4193).
PRIVATE = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
# Where clouds tell a machine its secrets, and IPv6 addresses that stand for IPv4 ones.
NEVER = tuple(map(ipaddress.ip_network, ("fd00:ec2::/32", "100.100.100.200/32", "64:ff9b::/96", "2002::/16")))


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
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None


class AllowedNetworks:
    """Where requests may go."""

    def __init__(self, private: bool = True, also: Iterable[str] = ()) -> None:
        """`private`: to the networks of homes and offices. `also`: further networks, and addresses; this machine and
        other special addresses only if they are named alone. Raises ValueError."""
        self._networks = (*(PRIVATE if private else ()), *map(ipaddress.ip_network, also))

    def check(self, address: str) -> Target:
        """Takes an address apart. Raises `Problem` if it cannot be allowed; what a name means, `look_up` asks."""
        target = parse_target(address)
        ip = target.ip
        if not self._networks or (ip is not None and not self._allows(ip, own_addresses())):
            raise Problem("webhook-foreign", 422)
        return target

    def look_up(self, target: Target) -> str:
        """The IP address of a target. Raises `Unreachable` if it has none, or one that is not allowed."""
        try:
            found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise Unreachable("unknown-host") from None
        own = own_addresses()
        ips = [ipaddress.ip_address(str(each[4][0]).partition("%")[0]) for each in found]
        if not ips or not all(self._allows(ip, own) for ip in ips):
            raise Unreachable("not-allowed")
        return str(ips[0])

    def _allows(self, ip: Ip, own: frozenset[Ip]) -> bool:
        if ip.version == 6 and ip.ipv4_mapped is not None:
            ip = ip.ipv4_mapped
        named = [net for net in self._networks if net.version == ip.version and ip in net]
        if ip in own or _is_special(ip):
            return any(net.num_addresses == 1 for net in named)
        return bool(named)


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


def own_addresses() -> frozenset[Ip]:
    """The addresses of this machine's interfaces."""
    found = (ip.ip if isinstance(ip.ip, str) else ip.ip[0] for each in ifaddr.get_adapters() for ip in each.ips)
    return frozenset(ipaddress.ip_address(each.partition("%")[0]) for each in found)


def _is_special(ip: Ip) -> bool:
    plain = not (ip.is_loopback or ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip.is_reserved)
    return not plain or any(net.version == ip.version and ip in net for net in NEVER)


class PostRequest:
    """One POST request. `abort` ends it from another thread."""

    def __init__(self, target: Target, ip: str, headers: Mapping[str, str], body: bytes) -> None:
        self._target, self._ip, self._headers, self._body = target, ip, headers, body
        self._sock: socket.socket | None = None
        self._aborted = False

    def send(self) -> int:
        """Returns the status of the answer. Raises `Unreachable`."""
        deadline = threading.Timer(WITHIN_S, self.abort)  # each wait has a bound of its own, but there may be many
        deadline.daemon = True
        deadline.start()
        line = http.client.HTTPConnection(self._target.host, self._target.port, timeout=WITHIN_S)
        try:
            with contextlib.closing(line):
                line.sock = self._connect()
                line.request("POST", self._target.path, self._body, {**self._headers, "Connection": "close"})
                return line.getresponse().status
        except ssl.SSLCertVerificationError:
            raise Unreachable("certificate") from None
        except (OSError, http.client.HTTPException, ValueError):
            raise Unreachable("no-answer") from None
        finally:
            deadline.cancel()

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
                self._sock = sock = ssl.create_default_context().wrap_socket(sock, server_hostname=self._target.host)
            if self._aborted:
                raise OSError("aborted")
        except BaseException:
            sock.close()
            raise
        return sock
