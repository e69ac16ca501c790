"""What a desktop's icon needs of `rollcall serve`: it opens the browser, and finds the Rollcall that runs already."""

import contextlib
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path

from web.server import addresses
from web.store.maintenance import locking

ADDRESS = "rollcall.address"  # in the data folder while it is served: the address for this computer's browser


def own_url(host: str, port: int, secure: bool) -> str:
    """The start page for this computer's browser, of a server that listens on `host`."""
    return addresses.url("localhost" if host in addresses.ALL else host, port, secure)


@contextlib.contextmanager
def keep_address(data: Path, url: str) -> Iterator[None]:
    """Keeps the address in the data folder, which the caller has locked. Raises OSError if it cannot be written."""
    path = data / ADDRESS
    path.write_text(url, encoding="ascii")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def running_address(data: Path) -> str | None:
    """The address of the Rollcall that runs with this data folder, or None."""
    with locking.looked_at(data) as free:
        if free:  # what a killed server left says nothing
            return None
        with contextlib.suppress(OSError, ValueError):
            return (data / ADDRESS).read_text(encoding="ascii")
    return None


def open_page(url: str) -> threading.Thread:
    """Opens the page in the browser, without waiting: some browsers end only when they are closed."""
    opening = threading.Thread(target=webbrowser.open, args=(url,), name="browser", daemon=True)
    opening.start()
    return opening
