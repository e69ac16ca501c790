"""Results as the store has them, game by game: what the rows that statistics are made of are held against."""

from dataclasses import dataclass

from sqlalchemy import exists, select

from web.session.stored_table import IMPORTED, TableRow
from web.store import schema
from web.store.store import Store
from web.store.visits import seen_by


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
    """The results of all finished games at tables that this phone has been at, oldest first."""
    imported = exists().where(
        schema.log.c.table_id == schema.tables.c.id,
        schema.log.c.seq == 1,
        schema.log.c.request == IMPORTED.format(1),
        schema.log.c.device == "",  # a phone may call its own requests so; it always has a name
    )
    results = schema.results.c
    query = (
        select(schema.tables.c.key, results.player, results.name, results.score, results.place)
        .add_columns(imported.label("imported"))
        .join(schema.results, results.table_id == schema.tables.c.id)
        .join(schema.visits, schema.visits.c.table_id == schema.tables.c.id)
        .where(seen_by(device))
        .order_by(schema.tables.c.active_no, results.player)  # a game is over with its last action
    )
    with store.read() as connection:
        found = connection.execute(query).all()
    tables = {key: store.find(key) for key in {row.key for row in found}}
    return [
        Result(table, row.player, row.name, row.score, row.place, row.imported)
        for row in found
        if (table := tables[row.key]) is not None
    ]
