"""What a desktop's icon needs of `rollcall serve`: it opens the browser, and finds the Rollcall that runs already."""

import contextlib
import os
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from web.common import addresses
from web.hosts.laptop.this_machine import opening_url
from web.store.maintenance import locking

ADDRESS = "rollcall.address"  # in the data folder while it is served: its address here, and a secret


def own_url(host: str, port: int, secure: bool) -> str:
    """The start page for this computer's browser, of a server that listens on `host`."""
    return addresses.url("localhost" if host in addresses.ALL else host, port, secure)


@contextlib.contextmanager
def keep_address(data: Path, url: str, secret: str = "") -> Iterator[None]:
    """Keeps the address in the data folder, which the caller has locked, for this user alone. `secret`: makes the
    tokens for its page, "" if it needs none. Raises OSError if the file cannot be written."""
    path = data / ADDRESS
    path.unlink(missing_ok=True)  # one of another user, or that others can read
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(f"{url}\n{secret}")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def running_address(data: Path) -> tuple[str, str] | None:
    """The address of the Rollcall that runs with this data folder, and what opens it in a browser; or None."""
    with locking.looked_at(data) as free:
        if free:  # what a killed server left says nothing
            return None
        with contextlib.suppress(OSError, ValueError):
            url, _, secret = (data / ADDRESS).read_text(encoding="ascii").partition("\n")
            return url, opening_url(url, secret) if secret else url
    return None


def open_page(url: str, out: TextIO) -> None:
    """Opens the page in the browser, or prints its address. Some browsers return only when they are closed."""
    if not webbrowser.open(url):
        print(f"No browser was found. On this computer, open\n\n    {url}\n", file=out, flush=True)
