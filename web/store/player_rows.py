"""Writes the rows that statistics are made of: one for each player of a finished game (`schema.player_games`).

They follow from the results that events tell, but for what only a replay of the game tells. `player_games` reads them.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from web.store import schema
from web.table.names import fold
from web.table.stored_table import PlayerResult

Row = dict[str, Any]

AT_ONCE = 1000  # tables of one statement
OPEN, REPLAYED, LOST = 0, 1, 2  # of the column `replayed`
BASE = ("table_id", "player", "person", "game", "ended_no", "name", "score", "place", "imported", "digest")
FIELDS = (*BASE, "replayed", "best", "busts", "turns", "fell")  # that a checksum covers

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
    """Writes the rows of a table with these results. Rows that are so already stay, with what their replay told."""
    rows = [] if results is None else _rows_of(connection, table_id, results)
    mine = played.c.table_id == table_id
    held = connection.execute(select(played).where(mine).order_by(played.c.player)).mappings().all()
    whole = [{name: row[name] for name in BASE} for row in held if row["sum"] == _sum(row)]
    if len(whole) == len(held) and whole == [{name: row[name] for name in BASE} for row in rows]:
        return
    connection.execute(delete(played).where(mine))
    if rows:
        connection.execute(insert(played), rows)


def _rows_of(connection: Connection, table_id: int, results: Sequence[PlayerResult]) -> list[Row]:
    columns = tables.c.game, tables.c.active_no.label("ended_no"), tables.c.digest, tables.c.imported
    shared = dict(connection.execute(select(*columns).where(tables.c.id == table_id)).mappings().one())
    rows = []
    for result in sorted(results, key=lambda each: each.player):
        row = {**dict.fromkeys(FIELDS), **shared, **asdict(result), "table_id": table_id}
        row |= {"person": fold(result.name), "replayed": OPEN}
        rows.append({**row, "sum": _sum(row)})
    return rows


def note_replays(connection: Connection, games: Mapping[tuple[int, int], ReplayFigures | None]) -> None:
    """Stores the figures of games by their table's id and `ended_no`, unless a game changed since. None: its log cannot
    be replayed."""
    query = select(played).where(played.c.table_id.in_([table_id for table_id, _ in games]))
    for held in connection.execute(query).mappings().all():
        game = held["table_id"], held["ended_no"]
        if game not in games or held["sum"] != _sum(held):
            continue
        values = values_of(games[game], held["player"])
        same = (played.c.table_id == held["table_id"]) & (played.c.player == held["player"])
        connection.execute(update(played).where(same).values(**values, sum=_sum({**held, **values})))


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


def _sum(row: Mapping[Any, Any]) -> str:
    return sum_of(row[name] for name in FIELDS)


BYTES = 16


def sum_of(fields: Iterable[Any]) -> str:
    """The checksum of these fields, in their order; quick, since pages read thousands of rows."""
    return hashlib.blake2b(repr([*fields]).encode("utf-8", "surrogatepass"), digest_size=BYTES).hexdigest()
