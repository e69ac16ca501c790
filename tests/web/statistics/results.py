"""Results as the journals have them, game by game: what the rows that statistics are made of are held against."""

from dataclasses import dataclass

from sqlalchemy import select

from web.store import schema
from web.store.event_rows import happened_at, table_row
from web.store.store import Store
from web.store.visits import seen_by
from web.table.events import Logged, TableStarted
from web.table.new_tables import is_imported
from web.table.stored_table import TableRow


@dataclass(frozen=True)
class Result:
    """What one player of one finished game reached."""

    table: TableRow
    player: int
    name: str
    score: int
    place: int
    imported: bool = False  # the game, or its beginning, came with a record
    early: bool = False  # people ended the game by hand


def results_of(store: Store, device: str) -> list[Result]:
    """The results of all finished games at tables that this phone has been at, oldest first, by their events."""
    tables = schema.tables
    visited = select(tables).join(schema.visits, schema.visits.c.table_id == tables.c.id).where(seen_by(device))
    found = []
    with store.read() as connection:
        for row in connection.execute(visited.order_by(tables.c.active_no)).all():
            told = [each for each in happened_at(connection, row.id) if isinstance(each, TableStarted | Logged)]
            imported = bool(told[0].lines) and is_imported(told[0].lines[0])
            for each in told[-1].results or ():
                found.append(Result(table_row(row), each.player, each.name, each.score, each.place, imported))
    return found
