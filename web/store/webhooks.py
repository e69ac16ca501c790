"""The addresses where programs are told what happens at a table, and how far each was told."""

import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    delete,
    false,
    func,
    insert,
    not_,
    or_,
    select,
    true,
    update,
)

from web.problems import Problem
from web.quotas import gives_way
from web.session.happenings import MOST_OF_A_LINE, last_number
from web.session.stored_table import TableRow
from web.store import checksums, schema
from web.store.stamps import now, stamp
from web.store.store import Store
from web.store.writing import lock_row

# Of one table, of the tables of one phone, from the phones of one origin, to one receiver, of all.
MOST_OF_TABLE, MOST_OF_PHONE, MOST_OF_ORIGIN, MOST_OF_RECEIVER, MOST = 5, 25, 100, 200, 2000
EQUALS = 1  # an origin gives way to one that has fewer places, also with one more
UNUSED_S = 86_400.0  # after the last action of their table, they give way to others
PLACES = 0x77656268  # an advisory lock, so that several servers count places one after the other
KEPT_S = 30 * 86_400.0  # after the last action of their table
LEASE_S = 60.0  # for which a server that shares the store may send before another does
LONGEST_WAIT_S = 86_400.0  # a longer one tells that the clock was set back

hooks, deliveries, tables, owners = schema.webhooks, schema.deliveries, schema.tables, schema.owners
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


class Place(NamedTuple):
    """By what places and turns are shared. `origin`: of the device that wanted the address (`origin_of`), "" if that is
    not known; `receiver`: the machine that is told."""

    origin: str
    receiver: str


@dataclass(frozen=True)
class DueWebhook:
    """An address that is not told all yet. `key`: of its table."""

    webhook: Webhook
    key: str
    progress: Progress
    place: Place


def add(
    store: Store, row: TableRow, name: str, address: str, maker: str, place: Place, tokens: Collection[str] = ()
) -> Webhook:
    """An address that is told what happens from now on. `tokens`: the hashes of those of the machine's owner. Raises
    `Problem` if there is no place for it."""
    new = Webhook(row.id, secrets.token_hex(8), name, address, secrets.token_hex(32), maker, now())
    with store.write() as connection:
        held = lock_row(connection, row)
        _make_room(connection, row, place, tokens)
        values = asdict(new)
        connection.execute(insert(hooks).values(**values, sum=checksums.row_sum("webhooks", values)))
        progress = {"table_id": row.id, "webhook": new.id, "number": last_number(held["lines"])}
        connection.execute(insert(deliveries).values(**progress, **place._asdict()))
    return new


def _make_room(connection: Connection, row: TableRow, place: Place, tokens: Collection[str]) -> None:
    """Sees that each share has room for one more address. Raises `Problem` if nothing gives way to it."""
    if connection.dialect.name != "sqlite":  # which has one writer anyway
        connection.execute(select(func.pg_advisory_xact_lock(PLACES)))
    phone = select(owners.c.device).where(owners.c.table_id == row.id).scalar_subquery()
    for where, most, reason, is_shared in (
        (hooks.c.table_id == row.id, MOST_OF_TABLE, "webhooks-full", False),
        (owners.c.device == phone, MOST_OF_PHONE, "phone-webhooks-full", False),
        (deliveries.c.origin == place.origin, MOST_OF_ORIGIN, "origin-webhooks-full", False),
        (deliveries.c.receiver == place.receiver, MOST_OF_RECEIVER, "receiver-webhooks-full", True),
        (true(), MOST, "all-webhooks-full", True),
    ):
        excess = connection.execute(_select(func.count()).where(where)).scalar_one() - most + 1
        if excess <= 0:
            continue
        biggest = _gives_way(connection, where, place.origin) if is_shared else None
        theirs = false() if biggest is None else deliveries.c.origin == biggest
        unused = and_(tables.c.active_at < stamp(time.time() - UNUSED_S), hooks.c.table_id != row.id)
        first = case((useless := _is_useless(row.id, tokens), 0), (theirs, 1), else_=2)
        leaving = _select(hooks.c.table_id, hooks.c.id).where(where, or_(useless, theirs, unused))
        found = connection.execute(leaving.order_by(first, tables.c.active_no).limit(excess)).all()
        if len(found) < excess:
            raise Problem(reason, 409, most=most)
        for table_id, id_ in found:
            _delete(connection, table_id, id_)


def _gives_way(connection: Connection, where: ColumnElement[bool], origin: str) -> str | None:
    """The origin whose addresses give way to one of `origin`."""
    counted = _select(deliveries.c.origin, func.count()).where(where).group_by(deliveries.c.origin)
    return gives_way(origin, dict(map(tuple, connection.execute(counted))), EQUALS)


def _is_useless(table_id: int, tokens: Collection[str]) -> ColumnElement[bool]:
    """Whether an address is told nothing more unless somebody asks for it: it was given up, its token was taken back,
    or the game is over and all of it told; this one not at its own table, where an undo goes on."""
    programs = schema.programs.c
    known = select(programs.hash).where(programs.table_id == hooks.c.table_id).scalar_subquery()
    revoked = and_(hooks.c.maker != "", hooks.c.maker.not_in(known), hooks.c.maker.not_in(list(tokens)))
    over = and_(tables.c.finished_at.is_not(None), _is_behind().is_(False), hooks.c.table_id != table_id)
    return or_(deliveries.c.given_up, revoked, over)


def _is_behind() -> ColumnElement[bool]:
    return (tables.c.lines + 1) * MOST_OF_A_LINE - 1 > deliveries.c.number  # as `last_number`


def _select(*columns: Any) -> Select[Any]:
    """Of all addresses, with how far they were told, their tables and these tables' owners."""
    query = select(*columns).select_from(hooks).join(deliveries, _BOTH).join(tables, tables.c.id == hooks.c.table_id)
    return query.outerjoin(owners, owners.c.table_id == hooks.c.table_id)


def of_table(store: Store, table_id: int) -> list[tuple[Webhook, Progress]]:
    """The addresses of a table, the oldest first."""
    with store.read() as connection:
        query = select(hooks, *_progress()).join(deliveries, _BOTH).where(hooks.c.table_id == table_id)
        rows = connection.execute(query.order_by(hooks.c.at, hooks.c.id)).mappings().all()
        clock = _clock(connection)
    return [(_webhook(row), _progress_of(row, clock)) for row in rows if checksums.holds("webhooks", row)]


def remove(store: Store, table_id: int, id_: str) -> None:
    with store.write() as connection:
        _delete(connection, table_id, id_)


def _delete(connection: Connection, table_id: int, id_: str) -> None:
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


def due(store: Store, but: Collection[str] = ()) -> tuple[list[DueWebhook], float | None]:
    """The addresses that something is to be told now, held by no server, and the seconds until it is another one's time
    (None: no other waits). First those that failed longest ago or never, of them those whose table has changed longest
    ago. `but`: the ids of others."""
    told = and_(_is_behind(), deliveries.c.given_up.is_(False), hooks.c.id.not_in(list(but)))
    with store.read() as connection:
        clock = _clock(connection)
        waits = deliveries.c.due.between(clock, clock + LONGEST_WAIT_S)
        query = _select(hooks, *_progress(), *(deliveries.c[name] for name in Place._fields), tables.c.key)
        query = query.where(told, _free(clock), not_(waits)).order_by(deliveries.c.due, tables.c.active_no)
        rows = connection.execute(query).mappings().all()
        next_at = connection.execute(_select(func.min(deliveries.c.due)).where(told, _free(clock), waits)).scalar_one()
    whole = [row for row in rows if checksums.holds("webhooks", row)]
    found = [
        DueWebhook(_webhook(row), row["key"], _progress_of(row, clock), Place(row["origin"], row["receiver"]))
        for row in whole
    ]
    return found, None if next_at is None else max(0.001, next_at - clock)


def claim(store: Store, webhook: Webhook, by: str, number: int) -> bool:
    """Lets the server `by` alone send for a while what follows event `number`; False: another one sends it, or has."""
    with store.write() as connection:
        clock = _clock(connection)
        held = update(deliveries).where(_mine(webhook), _free(clock), deliveries.c.number == number)
        return bool(connection.execute(held.values(held_by=by, held_until=clock + LEASE_S)).rowcount)


def note_told(store: Store, webhook: Webhook, number: int) -> None:
    """Notes that an address was told the events up to `number`; another server may have told it more since."""
    _note(store, webhook, deliveries.c.number <= number, number=number, tries=0, due=0.0, failure="")


def retry(store: Store, table_id: int, id_: str, pause_s: float) -> None:
    """Has an address that was given up told again, `pause_s` after the last try at the earliest; another one has its
    pause already. Why it was not told, stays until then."""
    meant = and_(deliveries.c.table_id == table_id, deliveries.c.webhook == id_, deliveries.c.given_up)
    again = update(deliveries).where(meant).values(tries=0, due=deliveries.c.due + pause_s, given_up=False)
    with store.write() as connection:
        connection.execute(again)


def note_failure(store: Store, webhook: Webhook, tries: int, failure: str, pause_s: float | None) -> None:
    """Notes that an address could not be told for the `tries`-th time. `pause_s`: until the next try; None: it is given
    up, and `due` says when."""
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
