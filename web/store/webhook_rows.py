"""The rows of the addresses where programs are told what happens, and how many there may be."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    delete,
    exists,
    false,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from web.common.problems import Problem
from web.limits.quotas import gives_way
from web.store import schema
from web.store.player_rows import sum_of
from web.store.stamps import stamp
from web.table.access_list import PROGRAM
from web.table.events import (
    Logged,
    Stored,
    TableStarted,
    WebhookConnected,
    WebhookDisconnected,
    WebhookGivenUp,
    WebhookRetried,
)
from web.table.happenings import MOST_OF_A_LINE, last_number
from web.table.replay import Json

# Of one table, of the tables of one phone, from the phones of one origin, to one receiver, of all.
MOST_OF_TABLE, MOST_OF_PHONE, MOST_OF_ORIGIN, MOST_OF_RECEIVER, MOST = 5, 25, 100, 200, 2000
EQUALS = 1  # an origin gives way to one that has fewer places, also with one more
UNUSED_S = 86_400.0  # after the last action of their table, they give way to others
PLACES = 0x77656268  # an advisory lock, so that several servers count places one after the other
PAUSE_S = 5.0  # before an address that was given up is tried again

SEALED = ("id", "name", "address", "secret", "maker", "at", "origin", "receiver")  # what events say of an address

OfWebhook: TypeAlias = WebhookConnected | WebhookDisconnected | WebhookGivenUp | WebhookRetried

hooks, tables = schema.webhooks, schema.tables


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


def _add(connection: Connection, table_id: int, event: WebhookConnected) -> None:
    """Raises `Problem` if there is no place for it; `leaving` says who might make room."""
    place = Place(event.origin, event.receiver)
    if connection.dialect.name != "sqlite":  # which has one writer anyway
        connection.execute(select(func.pg_advisory_xact_lock(PLACES)))
    for share in _shares(table_id, place):
        if _excess(connection, share) > 0:
            raise Problem(share.reason, 409, most=share.most)
    connection.execute(insert(hooks).values(**_row_of(event), table_id=table_id, number=event.after))


def note(connection: Connection, table_id: int, event: OfWebhook) -> None:
    """Writes what an event of a table changes. Raises `Problem` if there is no place for an address."""
    match event:
        case WebhookConnected():
            _add(connection, table_id, event)
        case WebhookDisconnected():
            connection.execute(delete(hooks).where(hooks.c.table_id == table_id, hooks.c.id == event.id))
        case WebhookGivenUp():
            _update(connection, table_id, event.id, failure=event.failure, given_up=True)
        case WebhookRetried():  # `PAUSE_S` after the last try at the earliest; why it was not told stays until then
            _update(connection, table_id, event.id, tries=0, due=hooks.c.due + PAUSE_S, given_up=False)


def _update(connection: Connection, table_id: int, id_: str, **values: Any) -> None:
    mine = and_(hooks.c.table_id == table_id, hooks.c.id == id_)
    connection.execute(update(hooks).where(mine).values(**values))


def addresses_of(happened: Iterable[Stored]) -> list[Json]:
    """What these events of a table say of its addresses: all but how far each was told."""
    found: dict[str, Json] = {}
    for event in happened:
        match event:
            case WebhookConnected():
                found[event.id] = {**_row_of(event), "given_up": False}
            case WebhookDisconnected():
                found.pop(event.id, None)
            case WebhookGivenUp() | WebhookRetried() if event.id in found:
                found[event.id]["given_up"] = isinstance(event, WebhookGivenUp)
    return list(found.values())


def rebuild(connection: Connection, table_id: int, happened: Sequence[Stored]) -> None:
    """Writes the addresses of a table anew, but for how far each was told; of a new one, as far as its events say."""
    mine = hooks.c.table_id == table_id
    wanted = {row["id"]: row for row in addresses_of(happened)}
    after = {event.id: event.after for event in happened if isinstance(event, WebhookConnected)}
    there = set(connection.scalars(select(hooks.c.id).where(mine)))
    connection.execute(delete(hooks).where(mine, hooks.c.id.not_in(list(wanted))))
    for id_, row in wanted.items():
        if id_ in there:
            connection.execute(update(hooks).where(mine, hooks.c.id == id_).values(row))
        else:
            connection.execute(insert(hooks).values(**row, table_id=table_id, number=after[id_]))
    lines = sum(len(event.lines) for event in happened if isinstance(event, TableStarted | Logged))
    never = or_(hooks.c.number < 0, hooks.c.number > last_number(lines))  # damaged: it is told all
    connection.execute(update(hooks).where(mine, never).values(number=0))


def _row_of(event: WebhookConnected) -> Json:
    row = asdict(event.webhook) | {"id": event.id, "origin": event.origin, "receiver": event.receiver}
    row = {name: row[name] for name in SEALED}
    return {**row, "sum": sum_of(row.values())}


def is_whole(row: Mapping[Any, Any]) -> bool:
    """Whether an address is as its table's events say: else it is told nothing."""
    return bool(row["sum"] == sum_of(row[name] for name in SEALED))


def leaving(connection: Connection, table_id: int, place: Place, tokens: Collection[str]) -> list[tuple[str, str]]:
    """The addresses, with the keys of their tables, that make room for one more at this table. `tokens`: the hashes of
    those of the machine's owner. Raises `Problem` if nothing gives way."""
    going: list[tuple[str, str]] = []
    for share in _shares(table_id, place):
        excess = _excess(connection, share)
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


def _shares(table_id: int, place: Place) -> list[_Share]:
    phone = select(tables.c.owner).where(tables.c.id == table_id, tables.c.owner != "").scalar_subquery()
    return [
        _Share(hooks.c.table_id == table_id, MOST_OF_TABLE, "webhooks-full"),
        _Share(tables.c.owner == phone, MOST_OF_PHONE, "phone-webhooks-full"),
        _Share(hooks.c.origin == place.origin, MOST_OF_ORIGIN, "origin-webhooks-full"),
        _Share(hooks.c.receiver == place.receiver, MOST_OF_RECEIVER, "receiver-webhooks-full", gives_way=True),
        _Share(true(), MOST, "all-webhooks-full", gives_way=True),
    ]


def _excess(connection: Connection, share: _Share) -> int:
    """How many of a share must leave before one more comes."""
    return int(connection.execute(select_all(func.count()).where(share.where)).scalar_one()) - share.most + 1


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


def is_behind() -> ColumnElement[bool]:
    return (tables.c.lines + 1) * MOST_OF_A_LINE - 1 > hooks.c.number  # as `last_number`


def select_all(*columns: Any) -> Select[Any]:
    """Of all addresses, with their tables."""
    return select(*columns).select_from(hooks).join(tables, tables.c.id == hooks.c.table_id)
