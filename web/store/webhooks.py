"""The addresses where programs are told what happens at a table, and how far each was told."""

import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, true, update

from web.problems import Problem
from web.session.happenings import MOST_OF_A_LINE, last_number
from web.session.stored_table import TableRow
from web.store import checksums, schema
from web.store.stamps import now, stamp
from web.store.store import Store
from web.store.writing import lock_row

MOST_OF_TABLE, MOST = 5, 2000  # of one table, of all
KEPT_S = 30 * 86_400.0  # after the last action of their table
LEASE_S = 60.0  # for which a server that shares the store may send before another does
LONGEST_WAIT_S = 86_400.0  # a longer one tells that the clock was set back

hooks, deliveries, tables = schema.webhooks, schema.deliveries, schema.tables
_BOTH = and_(deliveries.c.table_id == hooks.c.table_id, deliveries.c.webhook == hooks.c.id)


@dataclass(frozen=True)
class Webhook:
    """One address of a table. `secret`: of the signatures, in bytes as hexadecimal digits; `maker`: see
    `schema.webhooks`."""

    table_id: int
    id: str
    name: str
    address: str
    secret: str
    maker: str
    at: str


@dataclass(frozen=True)
class Progress:
    """How far an address was told. `number`: of the last event; `tries`: how many failed since; `wait_s`: until the
    next one; `failure`: why the last one failed, "" if it did not."""

    number: int
    tries: int
    wait_s: float
    failure: str
    given_up: bool


@dataclass(frozen=True)
class DueWebhook:
    """An address that is not told all yet. `key`: of its table."""

    webhook: Webhook
    key: str
    progress: Progress


def add(store: Store, row: TableRow, name: str, address: str, maker: str) -> Webhook:
    """An address that is told what happens from now on. Raises `Problem`."""
    new = Webhook(row.id, secrets.token_hex(8), name, address, secrets.token_hex(32), maker, now())
    with store.write() as connection:
        held = lock_row(connection, row)
        counted = select(func.count()).select_from(hooks)
        here = connection.execute(counted.where(hooks.c.table_id == row.id)).scalar_one()
        if here >= MOST_OF_TABLE or connection.execute(counted).scalar_one() >= MOST:
            raise Problem("webhooks-full", 409, most=MOST_OF_TABLE)
        values = asdict(new)
        connection.execute(insert(hooks).values(**values, sum=checksums.row_sum("webhooks", values)))
        number = last_number(held["lines"])
        connection.execute(insert(deliveries).values(table_id=row.id, webhook=new.id, number=number))
    return new


def of_table(store: Store, table_id: int) -> list[tuple[Webhook, Progress]]:
    """The addresses of a table, the oldest first."""
    with store.read() as connection:
        query = select(hooks, *_progress()).join(deliveries, _BOTH).where(hooks.c.table_id == table_id)
        rows = connection.execute(query.order_by(hooks.c.at, hooks.c.id)).mappings().all()
        clock = _clock(connection)
    return [(_webhook(row), _progress_of(row, clock)) for row in rows if checksums.holds("webhooks", row)]


def remove(store: Store, table_id: int, id_: str) -> None:
    with store.write() as connection:
        connection.execute(delete(deliveries).where(deliveries.c.table_id == table_id, deliveries.c.webhook == id_))
        connection.execute(delete(hooks).where(hooks.c.table_id == table_id, hooks.c.id == id_))


def forget_old(store: Store) -> None:
    """Removes the addresses of tables at which nothing has happened for long."""
    old = select(tables.c.id).where(tables.c.active_at < stamp(time.time() - KEPT_S))
    with store.write(matters=False) as connection:
        for table in (deliveries, hooks):
            connection.execute(delete(table).where(table.c.table_id.in_(old)))


def tables_told(store: Store) -> set[int]:
    """The numbers of the tables with such addresses."""
    with store.read() as connection:
        return set(connection.scalars(select(hooks.c.table_id).distinct()))


def due(store: Store, but: Collection[str] = ()) -> list[DueWebhook]:
    """The addresses that something is still to be told, held by no server, those that wait least first. `but`: the ids
    of others."""
    behind = (tables.c.lines + 1) * MOST_OF_A_LINE - 1 > deliveries.c.number  # as `last_number`
    with store.read() as connection:
        clock = _clock(connection)
        query = select(hooks, *_progress(), tables.c.key).join(deliveries, _BOTH)
        query = query.join(tables, tables.c.id == hooks.c.table_id)
        query = query.where(behind, deliveries.c.given_up.is_(False), _free(clock), hooks.c.id.not_in(list(but)))
        rows = connection.execute(query.order_by(deliveries.c.due)).mappings().all()
    whole = [row for row in rows if checksums.holds("webhooks", row)]
    return [DueWebhook(_webhook(row), row["key"], _progress_of(row, clock)) for row in whole]


def claim(store: Store, webhook: Webhook, by: str, number: int) -> bool:
    """Lets the server `by` alone send for a while what follows event `number`; False: another one sends it, or has."""
    with store.write() as connection:
        clock = _clock(connection)
        held = update(deliveries).where(_mine(webhook), _free(clock), deliveries.c.number == number)
        return bool(connection.execute(held.values(held_by=by, held_until=clock + LEASE_S)).rowcount)


def note_told(store: Store, webhook: Webhook, number: int) -> None:
    """Notes that an address was told the events up to `number`; another server may have told it more since."""
    _note(store, webhook, deliveries.c.number <= number, number=number, tries=0, due=0.0, failure="")


def retry(store: Store, table_id: int, id_: str) -> None:
    """Has an address told now what it was not told. Why it was not, stays until then."""
    meant = and_(deliveries.c.table_id == table_id, deliveries.c.webhook == id_)
    with store.write() as connection:
        connection.execute(update(deliveries).where(meant).values(tries=0, due=0.0, given_up=False))


def note_failure(store: Store, webhook: Webhook, tries: int, failure: str, pause_s: float | None) -> None:
    """Notes that an address could not be told for the `tries`-th time. `pause_s`: until the next try; None: it is given
    up."""
    with store.read() as connection:
        due_at = _clock(connection) + (pause_s or 0.0)
    _note(store, webhook, true(), tries=tries, failure=failure, due=due_at, given_up=pause_s is None)


def _note(store: Store, webhook: Webhook, where: ColumnElement[bool], **values: Any) -> None:
    noted = update(deliveries).where(_mine(webhook), where).values(**values, held_by=None, held_until=None)
    with store.write(matters=False) as connection:
        connection.execute(noted)


def _mine(webhook: Webhook) -> ColumnElement[bool]:
    return and_(deliveries.c.table_id == webhook.table_id, deliveries.c.webhook == webhook.id)


def _free(clock: float) -> ColumnElement[bool]:
    held = deliveries.c.held_until
    return or_(held.is_(None), held < clock, held > clock + LONGEST_WAIT_S)


def _progress() -> list[ColumnElement[Any]]:
    return [deliveries.c[name] for name in ("number", "tries", "due", "failure", "given_up")]


def _webhook(row: Mapping[Any, Any]) -> Webhook:
    return Webhook(**{name: row[name] for name in ("table_id", "id", "name", "address", "secret", "maker", "at")})


def _progress_of(row: Mapping[Any, Any], clock: float) -> Progress:
    wait_s = row["due"] - clock
    wait_s = 0.0 if wait_s > LONGEST_WAIT_S else max(0.0, wait_s)
    return Progress(row["number"], row["tries"], wait_s, row["failure"], row["given_up"])


def _clock(connection: Connection) -> float:
    """Seconds since 1970, by the clock that all servers of a store share."""
    if connection.dialect.name == "sqlite":
        return time.time()
    return float(connection.execute(select(func.extract("epoch", func.clock_timestamp()))).scalar_one())
