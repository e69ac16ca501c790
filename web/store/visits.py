"""Which phone has been at which table, and each phone's list of tables."""

import logging
from collections.abc import Collection

from sqlalchemy import ColumnElement, Connection, exists, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from web.problems.problem import Problem
from web.store import event_rows, schema
from web.store.stamps import now
from web.store.store import Store, note_use
from web.store.store_errors import require_beyond
from web.table.stored_table import TableRow

logger = logging.getLogger(__name__)

# Games of a phone with more visits are searched among all games, those of one with fewer from its visits.
FEW_VISITS = 1000

tables, visits = schema.tables, schema.visits
WITH_LINES = ("table-started", "logged")  # kinds of events


def seen_by(device: str) -> ColumnElement[bool]:
    """This phone's rows of `schema.visits`, without deleted tables and those that do not let it in
    (`AccessList.lets_in`)."""
    known = tables.alias()
    guarded = exists().where(known.c.id == visits.c.table_id, known.c.guarded, known.c.owner != device)
    deleted = exists().where(known.c.id == visits.c.table_id, known.c.deleted_at.is_not(None))
    there = (visits.c.device == device) & visits.c.at.is_not(None)
    return there & (~guarded | visits.c.out.is_(False)) & ~deleted


def has_few_tables(connection: Connection, device: str) -> bool:
    """Whether a phone has visited at most `FEW_VISITS` tables."""
    some = select(visits.c.table_id).where(visits.c.device == device).limit(FEW_VISITS + 1).subquery()
    return bool(connection.execute(select(func.count()).select_from(some)).scalar_one() <= FEW_VISITS)


def visit(store: Store, device: str, row: TableRow) -> None:
    """Notes that this phone is at this table: it is in the phone's list (again), and its short code lives on.

    If that cannot be written, the table is shown all the same.
    """
    note_use(store, row.id)
    mine = _visit_of(device, row)
    shown = select(visits.c.at).where(mine & ~visits.c.hidden)
    with store.read() as connection:
        known = connection.execute(shown).scalar_one_or_none()
    if known is not None and known[:13] == now()[:13]:
        return  # noted within this hour; not every page load writes
    try:
        with store.write(matters=False) as connection:
            if not connection.execute(update(visits).where(mine).values(at=now(), hidden=False)).rowcount:
                connection.execute(insert(visits).values(device=device, table_id=row.id, at=now()))
    except IntegrityError:
        pass  # another page of this phone noted it at the same moment
    except Problem as problem:
        logger.warning("a visit could not be noted: %s", problem)


def hide(store: Store, device: str, row: TableRow, hidden: bool) -> None:
    """Removes a table from this phone's list, or puts it back. Its games count all the same."""
    with store.write() as connection:
        connection.execute(update(visits).where(_visit_of(device, row)).values(hidden=hidden))


def tables_of(
    store: Store,
    device: str,
    hidden: bool | None = False,
    limit: int = 200,
    before: int | None = None,
    over: bool | None = None,
    key: str | None = None,
    game: str | None = None,
) -> list[TableRow]:
    """The tables that this phone has been at, the latest first; with `hidden` those taken off its list instead
    (None: both).

    `before`: only those with a smaller `active_no`. `over`: only those whose game is over, or is not. `key`: only
    the table with this key. `game`: only those of this game.
    """
    query = select(tables)
    if over is not None:
        query = query.where(tables.c.finished_at.is_not(None) if over else tables.c.finished_at.is_(None))
    with store.read() as connection:
        # A phone of many tables is found from the list of all of them, which is in order already.
        few = has_few_tables(connection, device)
        number = tables.c.active_no + 0 if few else tables.c.active_no
        there = seen_by(device) if hidden is None else seen_by(device) & (visits.c.hidden == hidden)
        at_table = visits.c.table_id == tables.c.id
        query = query.join(visits, at_table).where(there) if few else query.where(exists().where(there, at_table))
        if before is not None:
            query = query.where(number < before)
        if key is not None:
            query = query.where(tables.c.key == key)
        if game is not None:
            query = query.where(tables.c.game == game)
        found = connection.execute(query.order_by(number.desc()).limit(limit)).all()
        if before is not None:
            require_beyond(-before, (-row.active_no for row in found))
        return [event_rows.table_row(row) for row in found]


def deletable(store: Store, device: str, table_ids: Collection[int]) -> set[int]:
    """Those of these tables that this phone may delete (`AccessList.may_delete`)."""
    others = select(tables.c.id).where(tables.c.id.in_(table_ids), tables.c.owner.not_in(("", device)))
    with store.read() as connection:
        return set(table_ids) - set(connection.scalars(others))


def tables_with_changed_players(store: Store, table_ids: Collection[int]) -> set[int]:
    """The tables at which somebody joined, left or was renamed, undone or not."""
    if not table_ids:
        return set()
    events = schema.events.c
    query = select(events.table_id).distinct().where(events.table_id.in_(table_ids), events.kind.in_(WITH_LINES))
    query = query.where(events.body.contains('"player-', autoescape=True))
    with store.read() as connection:
        return set(connection.scalars(query))


def _visit_of(device: str, row: TableRow) -> ColumnElement[bool]:
    return (visits.c.device == device) & (visits.c.table_id == row.id)
