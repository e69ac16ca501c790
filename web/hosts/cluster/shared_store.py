"""The store in PostgreSQL, for any number of processes on any number of machines.

A table's journal is the truth. Of two processes that append to one state, the first one counts: the key of an event is
its table and its number. A process may have an older state in memory; if it finds another last number than it knows, it
catches up from the journal.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import psycopg
from sqlalchemy import Connection, create_engine, delete, event, func, insert, select
from sqlalchemy.engine import URL, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import ConnectionPoolEntry

from web.hosts.cluster.shared_schema import DRIVER, activity, metadata, owner_tokens
from web.hosts.cluster.signals import DIRECT, directly
from web.journal.journal import Head
from web.problems.problem import Problem
from web.store import event_rows, schema, upgrade
from web.store.schema import DatabaseError
from web.store.server_tokens import MOST_TOKENS, ServerToken, new_token, token_hash, token_shown_as
from web.store.stamps import now
from web.store.store import News, Store
from web.store.store_errors import statement_errors_as_problems
from web.table.stored_table import TableRow

logger = logging.getLogger(__name__)

CONNECT_WITHIN_S = 5
LOCKED_MS = 5000  # for which a change waits for another one of its table
PREPARED_MS = 600_000  # for which a starting server waits for another one that prepares the store
IDLE_MS = 20_000  # after which PostgreSQL ends a forgotten transaction
CONNECTIONS, MORE_CONNECTIONS = 8, 8  # of one process; a page or an action needs one for milliseconds
FREE_WITHIN_S = 10
PREPARING = 0x526F6C6C  # an advisory lock, so that one of several starting servers prepares the store
LOCAL_VIEWS = 1000  # that a server shows of a table between two of its changes
# For each transaction that may lock something, not for the connection: PgBouncer gives that to others.
BOUNDS = f"SET LOCAL lock_timeout = {LOCKED_MS}; SET LOCAL idle_in_transaction_session_timeout = {IDLE_MS}"
# SQLSTATEs or their classes (PostgreSQL's manual, appendix A), and the reason that people are told.
SAID = {
    "53100": "store-full",
    "25006": "store-failed",
    "55P03": "store-busy",
    "40": "store-busy",
    "XX": "store-damaged",
}

# At the start waiting seldom helps: the address may be wrong.
UNREACHABLE = (
    "the database cannot be used, for the reason above:"
    " check that PostgreSQL runs, and the host, user, password and name in the database's address"
)


class SharedStore(Store):
    """The store in the PostgreSQL database at `address`, which it prepares, and which other processes may share.

    It calls `changed(key)` after each change of a table by this process, in the same thread. Raises `DatabaseError`,
    `SchemaError` for a store that another Rollcall wrote and this one cannot use, and `Problem`.
    """

    is_shared = True
    next_no = f"nextval('{activity.name}')"

    def __init__(self, address: str, changed: Callable[[str], None] = lambda key: None) -> None:
        super().__init__()
        self.url = parse_address(address)
        self.changed = changed
        self._closed = False
        # No prepared statements or other state of a session: PgBouncer may give each transaction another connection.
        # No test of idle ones either: after a restart of PostgreSQL the first error empties the pool, and who polls
        # has that within seconds.
        self._engine = create_engine(
            self.url.difference_update_query([DIRECT]),
            pool_size=CONNECTIONS,
            max_overflow=MORE_CONNECTIONS,
            pool_timeout=FREE_WITHIN_S,
            hide_parameters=True,
            connect_args={"connect_timeout": CONNECT_WITHIN_S, "prepare_threshold": None},
        )
        event.listen(self._engine, "begin", _set_timeouts)
        event.listen(self._engine, "checkin", self._take_back)
        event.listen(self._engine, "do_connect", self._refuse_if_closed)
        # Several statements read one moment, as in SQLite; a single one needs no transaction.
        self._reader = self._engine.execution_options(isolation_level="REPEATABLE READ")
        self._glancer = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        try:
            with _errors_as_problems():
                self._prepare()
                self._check_durable()
        except BaseException as error:
            self._engine.dispose()
            if isinstance(error, Problem) and error.reason == "store-away":
                raise DatabaseError(UNREACHABLE) from error
            raise

    def close(self) -> None:
        self._closed = True
        self._engine.dispose()  # but for what threads still use, which ends as they give it back

    def note_stored(self, row: TableRow, number: int) -> None:
        if number != 1:  # nobody else knows a table that just began
            self.changed(row.key)

    def catch_up(self, row: TableRow, known: Head) -> News | None:
        with self._glance() as connection:
            number = event_rows.journal_of(connection).head(row.id).number
        if number == known.number:
            return None
        if number < known.number:
            if self.find(row.key) is None:
                raise Problem("table-unknown", 404)
            return News(None, known)
        with self.read() as connection:
            return News(*event_rows.events_after(connection, row.id, known))

    def stamp_view(self, head: Head, before: str) -> str:
        tick, _, _ = before.rpartition(".")  # a phone may ask any server, so all give the same state the same stamp
        return f"{max(head.number * LOCAL_VIEWS, int(tick or 0) + 1)}.shared"

    def last_numbers(self, keys: Sequence[str]) -> dict[str, int]:
        """The numbers of the last events of many tables, by their keys; without those that are no longer there."""
        tables, events = schema.tables.c, schema.events.c
        query = select(tables.key, func.max(events.number)).join(schema.events, events.table_id == tables.id)
        with self._glance() as connection:
            rows = connection.execute(query.where(tables.key.in_(keys)).group_by(tables.key))
            return dict(map(tuple, rows))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with _errors_as_problems(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def _glance(self) -> Iterator[Connection]:
        """A connection for one statement that only reads, without a transaction."""
        with _errors_as_problems(), self._glancer.connect() as connection:
            yield connection

    @contextmanager
    def write(self, matters: bool = True) -> Iterator[Connection]:
        with _errors_as_problems(), self._engine.begin() as connection:
            yield connection

    def _take_back(self, _: DBAPIConnection | None, entry: ConnectionPoolEntry) -> None:
        if self._closed:
            entry.invalidate()

    def _refuse_if_closed(self, *_: object) -> None:
        """Lets no thread that ends a moment later connect again."""
        if self._closed:
            raise Problem("store-away", 503)

    def _prepare(self) -> None:
        """Prepares the store for this Rollcall, all of it or nothing. Raises `SchemaError`."""
        with self._engine.begin() as connection:
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {PREPARED_MS}")
            connection.execute(select(func.pg_advisory_xact_lock(PREPARING)))
            connection.exec_driver_sql(BOUNDS)
            found = schema.version(connection)
            if found is None or found < schema.VERSION:
                upgrade.prepare(connection, metadata)

    def _check_durable(self) -> None:
        with self._engine.connect() as connection:
            for setting in ("fsync", "full_page_writes", "synchronous_commit"):
                value = connection.execute(select(func.current_setting(setting))).scalar_one()
                if value == "off":
                    logger.warning(
                        "PostgreSQL runs with %s = off: what was confirmed may be lost with its machine", setting
                    )


class SharedTokens:
    """The tokens of the owner of a database's servers, which each of them knows. Does the same as
    `web.store.server_tokens` with a data folder. Raises `Problem` too."""

    def __init__(self, store: SharedStore) -> None:
        self._store = store

    def read(self) -> list[ServerToken]:
        with self._store.read() as connection:
            rows = connection.execute(select(owner_tokens).order_by(owner_tokens.c.at, owner_tokens.c.hash)).all()
        return [ServerToken(row.name, row.hash, row.at) for row in rows]

    def create(self, name: str) -> str:
        """A new token of this name, which nobody can read again. Raises ValueError."""
        token = new_token()
        with self._store.write() as connection:
            if connection.execute(select(func.count()).select_from(owner_tokens)).scalar_one() >= MOST_TOKENS:
                raise ValueError(f"there are {MOST_TOKENS} tokens already: revoke one")
            connection.execute(insert(owner_tokens).values(name=name, hash=token_hash(token), at=now()))
        return token

    def revoke(self, shown: str) -> ServerToken:
        """Takes back the token whose hash begins so. Raises ValueError."""
        meant = token_shown_as(self.read(), shown)
        with self._store.write() as connection:
            connection.execute(delete(owner_tokens).where(owner_tokens.c.hash == meant.hash))
        return meant


def parse_address(address: str) -> URL:
    """The address of a database. Raises `DatabaseError`."""
    try:
        url = make_url(address)
    except ArgumentError:
        url = None
    if url is None or url.drivername != DRIVER:
        raise DatabaseError(f"a database is {DRIVER}://USER:PASSWORD@HOST:PORT/NAME, got another kind of address")
    try:
        directly(url)
    except ValueError as error:
        raise DatabaseError(str(error)) from error
    return url


def _set_timeouts(connection: Connection) -> None:
    """Limits how long a transaction that may lock something waits or is waited for."""
    if "isolation_level" not in connection.get_execution_options():
        connection.exec_driver_sql(BOUNDS)


@contextmanager
def _errors_as_problems() -> Iterator[None]:
    try:
        with statement_errors_as_problems(_problem, psycopg):
            yield
    except PoolTimeoutError as error:
        raise Problem("store-busy", 503) from error


def _problem(error: BaseException | None) -> Problem:
    state = getattr(error, "sqlstate", None)
    if state is None and not isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)):
        logger.error("a statement could not be sent: %s: %s", type(error).__name__, error)
        return Problem("internal", 500)
    if state is None or state[:2] in ("08", "57"):
        logger.warning("PostgreSQL cannot be reached: %s", error)
        return Problem("store-away", 503)
    return Problem(SAID.get(state) or SAID.get(state[:2]) or "store-failed", 503)
