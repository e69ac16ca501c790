"""The rows of the addresses where programs are told what happens, and how many there may be."""

import time
from collections.abc import Collection
from dataclasses import dataclass
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
    or_,
    select,
    true,
    update,
)

from web.problems import Problem
from web.quotas import gives_way
from web.session.events import WebhookConnected
from web.session.happenings import MOST_OF_A_LINE
from web.store import checksums, schema
from web.store.stamps import stamp

# Of one table, of the tables of one phone, from the phones of one origin, to one receiver, of all.
MOST_OF_TABLE, MOST_OF_PHONE, MOST_OF_ORIGIN, MOST_OF_RECEIVER, MOST = 5, 25, 100, 200, 2000
EQUALS = 1  # an origin gives way to one that has fewer places, also with one more
UNUSED_S = 86_400.0  # after the last action of their table, they give way to others
PLACES = 0x77656268  # an advisory lock, so that several servers count places one after the other
PAUSE_S = 5.0  # before an address that was given up is tried again

hooks, deliveries, tables, owners = schema.webhooks, schema.deliveries, schema.tables, schema.owners
BOTH = and_(deliveries.c.table_id == hooks.c.table_id, deliveries.c.webhook == hooks.c.id)


class Place(NamedTuple):
    """By what places and turns are shared. `origin`: of the device that wanted the address (`origin_of`), "" if that is
    not known; `receiver`: the machine that is told."""

    origin: str
    receiver: str


@dataclass(frozen=True)
class _Share:
    """The addresses that share `most` places. `reason`: of the `Problem` if they are taken."""

    where: ColumnElement[bool]
    most: int
    reason: str
    gives_way: bool = False


def add(connection: Connection, table_id: int, event: WebhookConnected) -> None:
    """Raises `Problem` if there is no place for it; `leaving` says who might make room."""
    place = Place(event.origin, event.receiver)
    if connection.dialect.name != "sqlite":  # which has one writer anyway
        connection.execute(select(func.pg_advisory_xact_lock(PLACES)))
    for share in _shares(table_id, place):
        if _excess(connection, share) > 0:
            raise Problem(share.reason, 409, most=share.most)
    told = event.webhook
    row = {"table_id": table_id, "id": event.id, "name": told.name, "address": told.address}
    row |= {"secret": told.secret, "maker": told.maker, "at": told.at}
    connection.execute(insert(hooks).values(**row, sum=checksums.row_sum("webhooks", row)))
    progress = {"table_id": table_id, "webhook": event.id, "number": event.after}
    connection.execute(insert(deliveries).values(**progress, **place._asdict()))


def remove(connection: Connection, table_id: int, id_: str) -> None:
    connection.execute(delete(deliveries).where(deliveries.c.table_id == table_id, deliveries.c.webhook == id_))
    connection.execute(delete(hooks).where(hooks.c.table_id == table_id, hooks.c.id == id_))


def give_up(connection: Connection, table_id: int, id_: str, failure: str) -> None:
    _update(connection, table_id, id_, failure=failure, given_up=True)


def retry(connection: Connection, table_id: int, id_: str) -> None:
    """Has an address told again, `PAUSE_S` after the last try at the earliest. Why it was not told stays until then."""
    _update(connection, table_id, id_, tries=0, due=deliveries.c.due + PAUSE_S, given_up=False)


def _update(connection: Connection, table_id: int, id_: str, **values: Any) -> None:
    mine = and_(deliveries.c.table_id == table_id, deliveries.c.webhook == id_)
    connection.execute(update(deliveries).where(mine).values(**values))


def leaving(connection: Connection, table_id: int, place: Place, tokens: Collection[str]) -> list[tuple[str, str]]:
    """The addresses, with the keys of their tables, that make room for one more at this table. `tokens`: the hashes of
    those of the machine's owner. Raises `Problem` if nothing gives way."""
    going: list[tuple[str, str]] = []
    for share in _shares(table_id, place):
        excess = _excess(connection, share)
        if excess <= 0:
            continue
        biggest = _gives_way(connection, share.where, place.origin) if share.gives_way else None
        theirs = false() if biggest is None else deliveries.c.origin == biggest
        unused = and_(tables.c.active_at < stamp(time.time() - UNUSED_S), hooks.c.table_id != table_id)
        first = case((useless := _is_useless(table_id, tokens), 0), (theirs, 1), else_=2)
        query = select_all(tables.c.key, hooks.c.id).where(share.where, or_(useless, theirs, unused))
        found = connection.execute(query.order_by(first, tables.c.active_no).limit(excess)).all()
        if len(found) < excess:
            raise Problem(share.reason, 409, most=share.most)
        going += [(key, id_) for key, id_ in found]
    return going


def _shares(table_id: int, place: Place) -> list[_Share]:
    phone = select(owners.c.device).where(owners.c.table_id == table_id).scalar_subquery()
    return [
        _Share(hooks.c.table_id == table_id, MOST_OF_TABLE, "webhooks-full"),
        _Share(owners.c.device == phone, MOST_OF_PHONE, "phone-webhooks-full"),
        _Share(deliveries.c.origin == place.origin, MOST_OF_ORIGIN, "origin-webhooks-full"),
        _Share(deliveries.c.receiver == place.receiver, MOST_OF_RECEIVER, "receiver-webhooks-full", gives_way=True),
        _Share(true(), MOST, "all-webhooks-full", gives_way=True),
    ]


def _excess(connection: Connection, share: _Share) -> int:
    """How many of a share must leave before one more comes."""
    return int(connection.execute(select_all(func.count()).where(share.where)).scalar_one()) - share.most + 1


def _gives_way(connection: Connection, where: ColumnElement[bool], origin: str) -> str | None:
    """The origin whose addresses give way to one of `origin`."""
    counted = select_all(deliveries.c.origin, func.count()).where(where).group_by(deliveries.c.origin)
    return gives_way(origin, dict(map(tuple, connection.execute(counted))), EQUALS)


def _is_useless(table_id: int, tokens: Collection[str]) -> ColumnElement[bool]:
    """Whether an address is told nothing more unless somebody asks for it: it was given up, its token was taken back,
    or the game is over and all of it told; this one not at its own table, where an undo goes on."""
    programs = schema.programs.c
    known = select(programs.hash).where(programs.table_id == hooks.c.table_id).scalar_subquery()
    revoked = and_(hooks.c.maker != "", hooks.c.maker.not_in(known), hooks.c.maker.not_in(list(tokens)))
    over = and_(tables.c.finished_at.is_not(None), is_behind().is_(False), hooks.c.table_id != table_id)
    return or_(deliveries.c.given_up, revoked, over)


def is_behind() -> ColumnElement[bool]:
    return (tables.c.lines + 1) * MOST_OF_A_LINE - 1 > deliveries.c.number  # as `last_number`


def select_all(*columns: Any) -> Select[Any]:
    """Of all addresses, with how far they were told, their tables and these tables' owners."""
    query = select(*columns).select_from(hooks).join(deliveries, BOTH).join(tables, tables.c.id == hooks.c.table_id)
    return query.outerjoin(owners, owners.c.table_id == hooks.c.table_id)
