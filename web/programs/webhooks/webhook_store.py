"""The addresses where programs are told what happens at a table, and how far each was told."""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, exists, false, func, not_, or_, select, true, update

from web.common.problems import Problem
from web.limits.quotas import gives_way
from web.store import schema, webhook_rows
from web.store.stamps import stamp
from web.store.store import Store
from web.store.webhook_rows import Place, hooks, is_behind, is_whole, select_all, tables
from web.table.access_list import PROGRAM

EQUALS = 1  # an origin gives way to one that has fewer places, also with one more
UNUSED_S = 86_400.0  # after the last action of their table, they give way to others
KEPT_S = 30 * 86_400.0  # after the last action of their table
LEASE_S = 60.0  # for which a server that shares the store may send before another does
LONGEST_WAIT_S = 86_400.0  # a longer one tells that the clock was set back


@dataclass(frozen=True)
class Webhook:
    """One address of the table `key`. `secret`: of the signatures, in bytes as hexadecimal digits; `maker`: see
    `schema.webhooks`; `origin`, `receiver`: as in `Place`.

    `number`: of the last event that it was told; `tries`: how many failed since; `wait_s`: until the next one;
    `failure`: why the last one failed, "" if it did not.
    """

    key: str
    table_id: int
    id: str
    name: str
    address: str
    secret: str
    maker: str
    at: str
    origin: str
    receiver: str
    number: int
    tries: int
    wait_s: float
    failure: str
    given_up: bool


def leaving(store: Store, table_id: int, place: Place, tokens: Collection[str]) -> list[tuple[str, str]]:
    """The addresses, with the keys of their tables, that make room for one more at this table. `tokens`: the hashes of
    those of the machine's owner. Raises `Problem` if nothing gives way."""
    going: list[tuple[str, str]] = []
    with store.read() as connection:
        for share in webhook_rows.shares(table_id, place):
            excess = webhook_rows.excess(connection, share)
            if excess <= 0:
                continue
            biggest = _gives_way(connection, share.where, place.origin) if share.gives_way else None
            theirs = false() if biggest is None else hooks.c.origin == biggest
            unused = and_(tables.c.active_at < stamp(time.time() - UNUSED_S), hooks.c.table_id != table_id)
            first = case((useless := _is_useless(table_id, tokens), 0), (theirs, 1), else_=2)
            query = select_all(tables.c.key, hooks.c.id).where(share.where, or_(useless, theirs, unused))
            found = connection.execute(query.order_by(first, tables.c.active_no).limit(excess)).all()
            if len(found) < excess:
                raise Problem(share.reason, 409, most=share.most)
            going += [(key, id_) for key, id_ in found]
    return going


def _gives_way(connection: Connection, where: ColumnElement[bool], origin: str) -> str | None:
    """The origin whose addresses give way to one of `origin`."""
    counted = select_all(hooks.c.origin, func.count()).where(where).group_by(hooks.c.origin)
    return gives_way(origin, dict(map(tuple, connection.execute(counted))), EQUALS)


def _is_useless(table_id: int, tokens: Collection[str]) -> ColumnElement[bool]:
    """Whether an address is told nothing more unless somebody asks for it: it was given up, its token was taken back,
    or the game is over and all of it told; this one not at its own table, where an undo goes on."""
    visits = schema.visits.c
    connected = exists().where(visits.table_id == hooks.c.table_id, visits.device == PROGRAM + hooks.c.maker)
    revoked = and_(hooks.c.maker != "", ~connected, hooks.c.maker.not_in(list(tokens)))
    over = and_(tables.c.finished_at.is_not(None), is_behind().is_(False), hooks.c.table_id != table_id)
    return or_(hooks.c.given_up, revoked, over)


def of_table(store: Store, table_id: int) -> list[Webhook]:
    """The addresses of a table, the oldest first."""
    query = select_all(hooks, tables.c.key).where(hooks.c.table_id == table_id).order_by(hooks.c.at, hooks.c.id)
    with store.read() as connection:
        return _webhooks(connection, query)


def too_old(store: Store) -> list[tuple[str, str]]:
    """The addresses, with the keys of their tables, of tables at which nothing has happened for long."""
    old = select_all(tables.c.key, hooks.c.id).where(tables.c.active_at < stamp(time.time() - KEPT_S))
    with store.read() as connection:
        return [(key, id_) for key, id_ in connection.execute(old)]


def tables_with_webhooks(store: Store) -> set[int]:
    """The numbers of the tables with such addresses."""
    with store.read() as connection:
        return set(connection.scalars(select(hooks.c.table_id).distinct()))


def due(store: Store, but: Collection[str] = ()) -> tuple[list[Webhook], float | None]:
    """The addresses that something is to be told now, held by no server, and the seconds until it is another one's time
    (None: no other waits). First those that failed longest ago or never, of them those whose table has changed longest
    ago. `but`: the ids of others."""
    with store.read() as connection:
        clock = _clock(connection)
        behind = and_(is_behind(), hooks.c.given_up.is_(False), hooks.c.id.not_in(list(but)), _free(clock))
        waits = hooks.c.due.between(clock, clock + LONGEST_WAIT_S)
        query = select_all(hooks, tables.c.key).where(behind, not_(waits)).order_by(hooks.c.due, tables.c.active_no)
        next_at = connection.execute(select_all(func.min(hooks.c.due)).where(behind, waits)).scalar_one()
        return _webhooks(connection, query), None if next_at is None else max(0.001, next_at - clock)


def claim(store: Store, webhook: Webhook, by: str) -> bool:
    """Lets the server `by` alone send for a while what follows the last event; False: another one sends it, or has."""
    with store.write() as connection:
        clock = _clock(connection)
        held = update(hooks).where(_mine(webhook), _free(clock), hooks.c.number == webhook.number)
        return bool(connection.execute(held.values(held_by=by, held_until=clock + LEASE_S)).rowcount)


def note_number(store: Store, webhook: Webhook, number: int) -> None:
    """Notes that an address was told the events up to `number`; another server may have told it more since."""
    _note(store, webhook, hooks.c.number <= number, number=number, tries=0, due=0.0, failure="")


def note_failure(store: Store, webhook: Webhook, failure: str, pause_s: float) -> None:
    """Notes that an address could not be told once more. `pause_s`: until the next try."""
    with store.read() as connection:
        due_at = _clock(connection) + pause_s
    _note(store, webhook, true(), tries=webhook.tries + 1, failure=failure, due=due_at)


def _note(store: Store, webhook: Webhook, where: ColumnElement[bool], **values: Any) -> None:
    noted = update(hooks).where(_mine(webhook), where).values(**values, held_by=None, held_until=None)
    with store.write(matters=False) as connection:
        connection.execute(noted)


def _mine(webhook: Webhook) -> ColumnElement[bool]:
    return and_(hooks.c.table_id == webhook.table_id, hooks.c.id == webhook.id)


def _free(clock: float) -> ColumnElement[bool]:
    held = hooks.c.held_until
    return or_(held.is_(None), held < clock, held > clock + LONGEST_WAIT_S)


def _webhooks(connection: Connection, query: Any) -> list[Webhook]:
    rows, clock = connection.execute(query).mappings().all(), _clock(connection)
    return [_webhook(row, row["due"] - clock) for row in rows if is_whole(row)]


def _webhook(row: Mapping[Any, Any], wait_s: float) -> Webhook:
    known = {name: row[name] for name in Webhook.__dataclass_fields__ if name != "wait_s"}
    return Webhook(**known, wait_s=0.0 if wait_s > LONGEST_WAIT_S else max(0.0, wait_s))


def _clock(connection: Connection) -> float:
    """Seconds since 1970, by the clock that all servers of a store share."""
    if connection.dialect.name == "sqlite":
        return time.time()
    return float(connection.execute(select(func.extract("epoch", func.clock_timestamp()))).scalar_one())
