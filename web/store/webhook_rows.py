"""The rows of the addresses where programs are told what happens, and how many there may be."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from web.common.problems import Problem
from web.store import schema
from web.store.player_rows import sum_of
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
from web.table.stored_table import Json

# Of one table, of the tables of one phone, from the phones of one origin, to one receiver, of all.
MOST_OF_TABLE, MOST_OF_PHONE, MOST_OF_ORIGIN, MOST_OF_RECEIVER, MOST = 5, 25, 100, 200, 2000
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
class WebhookShare:
    """The addresses that share `most` places. `reason`: of the `Problem` if they are taken."""

    where: ColumnElement[bool]
    most: int
    reason: str
    gives_way: bool = False


def _add(connection: Connection, table_id: int, event: WebhookConnected) -> None:
    """Raises `Problem` if there is no place for it; `webhook_store.leaving` says who might make room."""
    place = Place(event.origin, event.receiver)
    if connection.dialect.name != "sqlite":  # which has one writer anyway
        connection.execute(select(func.pg_advisory_xact_lock(PLACES)))
    for share in shares(table_id, place):
        if excess(connection, share) > 0:
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


def shares(table_id: int, place: Place) -> list[WebhookShare]:
    """What an address of this table shares its place with."""
    phone = select(tables.c.owner).where(tables.c.id == table_id, tables.c.owner != "").scalar_subquery()
    return [
        WebhookShare(hooks.c.table_id == table_id, MOST_OF_TABLE, "webhooks-full"),
        WebhookShare(tables.c.owner == phone, MOST_OF_PHONE, "phone-webhooks-full"),
        WebhookShare(hooks.c.origin == place.origin, MOST_OF_ORIGIN, "origin-webhooks-full"),
        WebhookShare(hooks.c.receiver == place.receiver, MOST_OF_RECEIVER, "receiver-webhooks-full", gives_way=True),
        WebhookShare(true(), MOST, "all-webhooks-full", gives_way=True),
    ]


def excess(connection: Connection, share: WebhookShare) -> int:
    """How many of a share must leave before one more comes."""
    return int(connection.execute(select_all(func.count()).where(share.where)).scalar_one()) - share.most + 1


def is_behind() -> ColumnElement[bool]:
    return (tables.c.lines + 1) * MOST_OF_A_LINE - 1 > hooks.c.number  # as `last_number`


def select_all(*columns: Any) -> Select[Any]:
    """Of all addresses, with their tables."""
    return select(*columns).select_from(hooks).join(tables, tables.c.id == hooks.c.table_id)
