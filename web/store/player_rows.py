"""Writes the rows that statistics are made of: one for each player of a finished game (`schema.player_games`).

They follow from the results that events tell. `player_games` reads them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from web.store import schema
from web.table.names import name_key
from web.table.stored_table import PlayerResult

Row = dict[str, Any]

AT_ONCE = 1000  # tables of one statement
FIELDS = (
    *("player", "name", "score", "place", "best", "busts", "turns", "fell"),  # of a `PlayerResult`
    *("person", "game", "ended_no", "imported", "digest"),
)

played = schema.player_games
tables = schema.tables


def write(connection: Connection, table_id: int, results: Sequence[PlayerResult] | None) -> None:
    connection.execute(delete(played).where(played.c.table_id == table_id))
    if results:
        table = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().one()
        connection.execute(insert(played), [{**row, "table_id": table_id} for row in rows_of(table, results)])


def rows_of(table: Mapping[Any, Any], results: Sequence[PlayerResult]) -> list[Row]:
    """The rows of a finished game (FIELDS). `table`: its own row."""
    shared = {"game": table["game"], "ended_no": table["active_no"]}
    shared |= {"imported": table["imported"], "digest": table["digest"]}
    return [
        {**asdict(each), "fell": " ".join(map(str, each.fell)), "person": name_key(each.name), **shared}
        for each in results
    ]
