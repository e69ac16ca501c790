"""The addresses where programs are told what happens at a table, and how far each was told."""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    func,
    not_,
    or_,
    select,
    true,
    update,
)

from web.store import webhook_rows
from web.store.stamps import stamp
from web.store.store import Store
from web.store.webhook_rows import Place, hooks, is_behind, is_whole, select_all, tables
from web.table.stored_table import TableRow

KEPT_S = 30 * 86_400.0  # after the last action of their table
LEASE_S = 60.0  # for which a server that shares the store may send before another does
LONGEST_WAIT_S = 86_400.0  # a longer one tells that the clock was set back


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
    place: Place


def leaving(store: Store, row: TableRow, place: Place, tokens: Collection[str]) -> list[tuple[str, str]]:
    """See `webhook_rows.leaving`."""
    with store.read() as connection:
        return webhook_rows.leaving(connection, row.id, place, tokens)


def of_table(store: Store, table_id: int) -> list[tuple[Webhook, Progress]]:
    """The addresses of a table, the oldest first."""
    with store.read() as connection:
        query = select(hooks).where(hooks.c.table_id == table_id)
        rows = connection.execute(query.order_by(hooks.c.at, hooks.c.id)).mappings().all()
        clock = _clock(connection)
    return [(_webhook(row), _progress_of(row, clock)) for row in rows if is_whole(row)]


def too_old(store: Store) -> list[tuple[str, str]]:
    """The addresses, with the keys of their tables, of tables at which nothing has happened for long."""
    query = select(tables.c.key, hooks.c.id).join(tables, tables.c.id == hooks.c.table_id)
    with store.read() as connection:
        old = connection.execute(query.where(tables.c.active_at < stamp(time.time() - KEPT_S)))
        return [(key, id_) for key, id_ in old]


def tables_told(store: Store) -> set[int]:
    """The numbers of the tables with such addresses."""
    with store.read() as connection:
        return set(connection.scalars(select(hooks.c.table_id).distinct()))


def due(store: Store, but: Collection[str] = ()) -> tuple[list[DueWebhook], float | None]:
    """The addresses that something is to be told now, held by no server, and the seconds until it is another one's time
    (None: no other waits). First those that failed longest ago or never, of them those whose table has changed longest
    ago. `but`: the ids of others."""
    told = and_(is_behind(), hooks.c.given_up.is_(False), hooks.c.id.not_in(list(but)))
    with store.read() as connection:
        clock = _clock(connection)
        waits = hooks.c.due.between(clock, clock + LONGEST_WAIT_S)
        query = select_all(hooks, tables.c.key)
        query = query.where(told, _free(clock), not_(waits)).order_by(hooks.c.due, tables.c.active_no)
        rows = connection.execute(query).mappings().all()
        next_at = connection.execute(select_all(func.min(hooks.c.due)).where(told, _free(clock), waits)).scalar_one()
    found = [
        DueWebhook(_webhook(row), row["key"], _progress_of(row, clock), Place(row["origin"], row["receiver"]))
        for row in rows
        if is_whole(row)
    ]
    return found, None if next_at is None else max(0.001, next_at - clock)


def claim(store: Store, webhook: Webhook, by: str, number: int) -> bool:
    """Lets the server `by` alone send for a while what follows event `number`; False: another one sends it, or has."""
    with store.write() as connection:
        clock = _clock(connection)
        held = update(hooks).where(_mine(webhook), _free(clock), hooks.c.number == number)
        return bool(connection.execute(held.values(held_by=by, held_until=clock + LEASE_S)).rowcount)


def note_told(store: Store, webhook: Webhook, number: int) -> None:
    """Notes that an address was told the events up to `number`; another server may have told it more since."""
    _note(store, webhook, hooks.c.number <= number, number=number, tries=0, due=0.0, failure="")


def note_failure(store: Store, webhook: Webhook, tries: int, failure: str, pause_s: float) -> None:
    """Notes that an address could not be told for the `tries`-th time. `pause_s`: until the next try."""
    with store.read() as connection:
        due_at = _clock(connection) + pause_s
    _note(store, webhook, true(), tries=tries, failure=failure, due=due_at)


def _note(store: Store, webhook: Webhook, where: ColumnElement[bool], **values: Any) -> None:
    noted = update(hooks).where(_mine(webhook), where).values(**values, held_by=None, held_until=None)
    with store.write(matters=False) as connection:
        connection.execute(noted)


def _mine(webhook: Webhook) -> ColumnElement[bool]:
    return and_(hooks.c.table_id == webhook.table_id, hooks.c.id == webhook.id)


def _free(clock: float) -> ColumnElement[bool]:
    held = hooks.c.held_until
    return or_(held.is_(None), held < clock, held > clock + LONGEST_WAIT_S)


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
