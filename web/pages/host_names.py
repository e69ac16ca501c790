"""The host names that this server answers to, and the security headers of all pages."""

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

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
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=()",
}
# Below a path of another program, whose own page has ours in a frame.
WITHIN = {**HEADERS, "Content-Security-Policy": POLICY.replace("ancestors 'none'", "ancestors 'self'")}

LOOPBACK = ("localhost", "127.0.0.1", "::1")
AUTHORITY = "https-authority.crt"  # in the data folder: the authority that signed our own certificate


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


def host_name(host: str) -> str:
    """The name in a Host header, without port and brackets, in lower case; "" if there is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
