"""The computer that serves, if its own browser was opened: which requests are its own, and which phones came."""

import ipaddress
import signal
import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from web.server.addresses import LOOPBACK
from web.server.security import host_name

MOST_PHONES = 99  # addresses that are remembered
ENDS_AFTER_S = 0.5  # the page that says so is sent by then


@dataclass
class ThisMachine:
    """`url`: the address that this computer's browser opens. `addresses`: all of this computer's."""

    url: str
    addresses: Collection[str] = ()
    phones: set[str] = field(default_factory=set)  # addresses of others that opened a page

    def is_asked_by_itself(self, address: str, host: str) -> bool:
        """Whether a request came from this computer's own browser. `host`: its Host header.

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
        threading.Timer(ENDS_AFTER_S, signal.raise_signal, (signal.SIGTERM,)).start()


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
