"""Writes the rows that statistics are made of: one for each player of a finished game (`schema.player_games`).

They follow from the results that events tell, but for what only a replay of the game tells. `player_games` reads them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from web.store import schema
from web.table.names import name_key
from web.table.stored_table import PlayerResult

Row = dict[str, Any]

AT_ONCE = 1000  # tables of one statement
OPEN, REPLAYED, LOST = 0, 1, 2  # of the column `replayed`
FIELDS = "player", "name", "score", "place", "person", "game", "ended_no", "imported", "digest"  # that events tell

played = schema.player_games
tables = schema.tables


@dataclass(frozen=True)
class ReplayFigures:
    """Figures from the replay of a finished game: of each player by number, and how often each value 1..6 fell."""

    best: Sequence[int | None]
    busts: Sequence[int] | None
    turns: Sequence[int]
    fell: Sequence[int]


def write(connection: Connection, table_id: int, results: Sequence[PlayerResult] | None) -> None:
    """Writes the rows of a table with these results anew, to be replayed when a page needs it."""
    connection.execute(delete(played).where(played.c.table_id == table_id))
    if results:
        table = connection.execute(select(tables).where(tables.c.id == table_id)).mappings().one()
        connection.execute(insert(played), [{**row, "table_id": table_id} for row in rows_of(table, results)])


def rows_of(table: Mapping[Any, Any], results: Sequence[PlayerResult]) -> list[Row]:
    """What events tell of the players of a finished game (FIELDS). `table`: its own row."""
    shared = {"game": table["game"], "ended_no": table["active_no"]}
    shared |= {"imported": table["imported"], "digest": table["digest"]}
    return [{**asdict(each), "person": name_key(each.name), **shared} for each in results]


def note_replays(connection: Connection, games: Mapping[tuple[int, int], ReplayFigures | None]) -> None:
    """Stores the figures of games by their table's id and `ended_no`, unless a game changed since. None: its log cannot
    be replayed."""
    query = select(played).where(played.c.table_id.in_([table_id for table_id, _ in games]))
    for held in connection.execute(query).mappings().all():
        game = held["table_id"], held["ended_no"]
        if game in games:
            same = (played.c.table_id == held["table_id"]) & (played.c.player == held["player"])
            connection.execute(update(played).where(same).values(values_of(games[game], held["player"])))


def values_of(replay: ReplayFigures | None, player: int) -> Row:
    if replay is None:
        return {"replayed": LOST}
    return {
        "replayed": REPLAYED,
        "best": replay.best[player],
        "busts": None if replay.busts is None else replay.busts[player],
        "turns": replay.turns[player],
        "fell": " ".join(map(str, replay.fell)),
    }
