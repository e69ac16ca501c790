"""Calls between processes: "look at these tables". A call may be lost; the log is the truth."""

import contextlib
import logging
import selectors
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator

import psycopg
from sqlalchemy.engine import URL

from web.hosts.threads import ThreadTask

logger = logging.getLogger(__name__)

CHANNEL = "rollcall"
BATCH_S = 0.02  # between two calls of one process; changes meanwhile are called together
MOST_WAITING = 20_000  # tables; other processes find more by polling
OF_ONE_CALL = 120  # tables: PostgreSQL takes 8000 bytes, and a key has 64 at most
AGAIN_S = 0.5  # after the connection was lost
LOOK_S = 1.0
CONNECT_WITHIN_S = 5

# In the query of a database's address: HOST:PORT of PostgreSQL itself, if the address is a PgBouncer's.
DIRECT = "direct"

OnSignal = Callable[[Collection[str] | None], None]


def directly(url: URL) -> URL:
    """The address of PostgreSQL itself, for what needs a session. Raises ValueError."""
    named = url.query.get(DIRECT)
    if named is None:
        return url
    host, _, port = named.rpartition(":") if isinstance(named, str) else ("", "", "")
    if not host or not (port.isascii() and port.isdigit()):
        raise ValueError(f"?{DIRECT}= names PostgreSQL itself as HOST:PORT")
    return url.difference_update_query([DIRECT]).set(host=host.strip("[]"), port=int(port))


class Signals:
    """LISTEN and NOTIFY in batches, on a connection of its own, beside requests. `tell` never waits, from any thread.

    A transaction with a pending NOTIFY locks all of PostgreSQL as it commits, and actions of all tables would wait for
    one another. So calls are sent apart from the actions. `url` leads to PostgreSQL itself, or names it (`DIRECT`) if
    it leads to a PgBouncer in transaction mode.
    """

    def __init__(self, url: URL) -> None:
        self._address = directly(url).set(drivername="postgresql").render_as_string(hide_password=False)
        self._outbox: set[str] = set()
        self._woken, self._wake = socket.socketpair()
        self._woken.setblocking(False)
        self._wake.setblocking(False)
        self._ended = threading.Event()
        self._task = ThreadTask("signals", self._listen)
        self._heard: OnSignal = lambda keys: None
        self._sent_at = 0.0

    def start(self, heard: OnSignal) -> None:
        self._heard = heard
        self._task.wake()

    def tell(self, key: str) -> None:
        if len(self._outbox) < MOST_WAITING:
            self._outbox.add(key)
        self._rouse()

    def close(self) -> None:
        self._ended.set()
        self._rouse()
        self._task.end(CONNECT_WITHIN_S + 1)
        self._woken.close()
        self._wake.close()

    def _rouse(self) -> None:
        with contextlib.suppress(OSError):  # full: it is awake
            self._wake.send(b"!")

    def _listen(self) -> float:
        """Listens until the end, or until the connection is lost."""
        try:
            with psycopg.connect(
                self._address, autocommit=True, connect_timeout=CONNECT_WITHIN_S, prepare_threshold=None
            ) as connection:
                connection.execute(f"LISTEN {CHANNEL}")
                self._heard(None)
                self._attend(connection)
        except psycopg.Error as error:
            logger.warning("other servers cannot be heard: %s", error)
        return AGAIN_S

    def _attend(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        own = connection.info.backend_pid
        with selectors.DefaultSelector() as selector:
            selector.register(connection.fileno(), selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self._ended.is_set():
                selector.select(LOOK_S)
                with contextlib.suppress(BlockingIOError):
                    self._woken.recv(4096)
                for keys in self._batches():
                    connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, " ".join(keys)))
                    self._sent_at = time.monotonic()
                notices = [each for each in connection.notifies(timeout=0) if each.pid != own]
                called = {key for each in notices for key in each.payload.split()}
                if called:
                    self._heard(called)

    def _batches(self) -> Iterator[list[str]]:
        if not self._outbox:
            return
        self._ended.wait(max(0.0, self._sent_at + BATCH_S - time.monotonic()))
        keys = [self._outbox.pop() for _ in range(len(self._outbox))]  # this task alone takes from it
        for start in range(0, len(keys), OF_ONE_CALL):
            yield keys[start : start + OF_ONE_CALL]
