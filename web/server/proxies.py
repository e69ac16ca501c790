"""Reverse proxies that are named when the server is started: whom they call for is believed, of nobody else.

Only `X-Forwarded-For` is looked at, which nginx, Caddy, HAProxy and Traefik write. A second header would be one that a
proxy hands on as a stranger wrote it.
"""

import ipaddress
from collections.abc import Iterable

from web.server.asgi import Headers
from web.server.security import ip_of

STRANGER = "somebody behind"  # and the proxy's address: no address, so that nobody takes it for the proxy itself


class Proxies:
    """The addresses of reverse proxies that are believed."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        """Raises ValueError for what is no IP address."""
        self._addresses = frozenset(str(ipaddress.ip_address(address)) for address in addresses)

    def __bool__(self) -> bool:
        return bool(self._addresses)

    def client_address(self, client: str, headers: Headers) -> str:
        """The address for which `client` asks: its own, unless it is one of the proxies.

        The last address that is none of the proxies': those before it were told by whoever called, and prove nothing.
        Where a proxy names none, all for whom it asks so are one stranger: who calls a proxy that is this machine is
        not this machine.
        """
        known = _plain(client)
        if known is None or known not in self._addresses:
            return client
        named = b",".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin-1")
        for address in reversed(named.split(",")):
            told = _plain(address)
            if told is None:
                return f"{STRANGER} {known}"
            known = told
            if told not in self._addresses:
                break
        return known

    def scheme(self, client: str, headers: Headers) -> str | None:
        """By what the phone came to the proxy, "http" or "https"; None where no proxy tells it."""
        if _plain(client) not in self._addresses:
            return None
        told = [value for name, value in headers if name == b"x-forwarded-proto"]
        scheme = told[-1].decode("latin-1").rpartition(",")[2].strip().lower() if told else ""
        return scheme if scheme in ("http", "https") else None


def _plain(address: str) -> str | None:
    """An address as a proxy may write it, with a port and in brackets too; None for what is none."""
    text = address.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    known = ip_of(text)
    return None if known is None else str(known)
