"""Reverse proxies named at the start: only they are believed when they name a client's address.

Only `X-Forwarded-For` counts, which nginx, Caddy, HAProxy and Traefik write. A proxy may hand on any other header as a
stranger wrote it. Home Assistant's ingress is a proxy that shows our pages below a path of its own, and always writes
which (`X-Ingress-Path`): only the address that is named as its is believed so.
"""

import ipaddress
import re
from collections.abc import Iterable

from web.hosts.laptop.asgi import Headers
from web.limits.origins import ip_of

PATH = re.compile(rb"(?:/[A-Za-z0-9_-]{1,100}){1,5}")
STRANGER = "somebody behind"  # with the proxy's address after it: not to be taken for the proxy itself


class Proxies:
    """The addresses of reverse proxies that are believed."""

    def __init__(self, addresses: Iterable[str] = (), ingress: str | None = None) -> None:
        """`ingress`: the address of Home Assistant's. Raises ValueError if one is no IP address."""
        self._ingress = None if ingress is None else str(ipaddress.ip_address(ingress))
        known = frozenset(str(ipaddress.ip_address(address)) for address in addresses)
        self._addresses = known if self._ingress is None else known | {self._ingress}

    def __bool__(self) -> bool:
        return bool(self._addresses)

    def client_address(self, client: str, headers: Headers) -> str:
        """The address that a request comes from: `client`, unless that is one of the proxies.

        Behind proxies it is the last address that is not a proxy's; those before it prove nothing. If a proxy names
        none, all its nameless clients count as one stranger, also if the proxy is this machine.
        """
        known = _plain(client)
        if known is None or known not in self._addresses:
            return client
        named = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin-1")
        for address in reversed(named.split(",")):
            sender = _plain(address)
            if sender is None:
                return f"{STRANGER} {known}"
            known = sender
            if sender not in self._addresses:
                break
        return known

    def scheme(self, client: str, headers: Headers) -> str | None:
        """ "http" or "https", as the phone reached the proxy; None if no proxy tells."""
        if _plain(client) not in self._addresses:
            return None
        schemes = [value for name, value in headers if name == b"x-forwarded-proto"]
        scheme = schemes[-1].decode("latin-1").rpartition(",")[2].strip().lower() if schemes else ""
        return scheme if scheme in ("http", "https") else None

    def root(self, client: str, headers: Headers) -> str:
        """The path below which the ingress shows our pages, such as "/api/hassio_ingress/TOKEN"; "" for all others."""
        if self._ingress is None or _plain(client) != self._ingress:
            return ""
        paths = [value for name, value in headers if name == b"x-ingress-path"]
        return paths[0].decode() if len(paths) == 1 and PATH.fullmatch(paths[0]) else ""


def _plain(address: str) -> str | None:
    """The address in what a proxy wrote, without a port and brackets; None if there is none."""
    text = address.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    known = ip_of(text)
    return None if known is None else str(known)
