"""Writes the rows that statistics are made of: one for each player of a finished game (`schema.player_games`).

They are derived from results and logs, again in each transaction that changes a table's results. `player_games` reads
them.
"""

import json
import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, delete, exists, func, insert, select, update

import scorer
from web.problems import Problem
from web.session.names import fold
from web.session.replay import rebuild_table
from web.session.stored_table import IMPORTED
from web.store import checksums, schema

logger = logging.getLogger(__name__)

Row = dict[str, Any]

# Games of a phone with more visits are searched among all games, those of one with fewer from its visits.
FEW_VISITS = 1000
AT_ONCE = 1000  # tables whose rows are derived in one statement
OPEN, REPLAYED, LOST = 0, 1, 2  # of the column `replayed`

played = schema.player_games
early = schema.early_games
tables = schema.tables


@dataclass(frozen=True)
class ReplayFigures:
    """Figures from the replay of a finished game: of each player by number, and how often each value 1..6 fell."""

    best: Sequence[int | None]
    busts: Sequence[int] | None
    turns: Sequence[int]
    fell: Sequence[int]


def derive(connection: Connection, table_ids: Collection[int]) -> None:
    """Writes the rows of these tables anew. Raises `Problem` if their results are damaged."""
    ids = list(table_ids)
    connection.execute(delete(played).where(played.c.table_id.in_(ids)))
    connection.execute(delete(early).where(early.c.table_id.in_(ids)))
    rows = [_derive_row(basis) for basis in connection.execute(_basis(ids)).mappings()]
    if rows:
        connection.execute(insert(played), rows)
    ends = {row["table_id"]: row["ended_no"] for row in rows}
    ended = [{"table_id": number, "ended_no": ends[number]} for number in _ended_early(connection, ends)]
    if ended:
        sums = [{**row, "sum": checksums.row_sum(early.name, row)} for row in ended]
        connection.execute(insert(early), sums)
    connection.execute(delete(schema.stale_games).where(schema.stale_games.c.table_id.in_(ids)))


def rebuild(connection: Connection) -> None:
    """Writes the rows of all tables anew: for a store that was copied from elsewhere."""
    highest = connection.execute(select(func.coalesce(func.max(tables.c.id), 0))).scalar_one()
    for first in range(1, highest + 1, AT_ONCE):
        derive(connection, range(first, first + AT_ONCE))


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


def _basis(ids: Sequence[int]) -> Select[Any]:
    """The query for what these tables' rows are derived from."""
    imported = exists().where(
        schema.log.c.table_id == tables.c.id,
        schema.log.c.seq == 1,
        schema.log.c.request == IMPORTED.format(1),
        schema.log.c.device == "",  # a phone's own request may have this name, but a phone has a name too
    )
    return (
        select(schema.results, tables.c.game, tables.c.active_no, tables.c.digest, imported.label("imported"))
        .join(tables, tables.c.id == schema.results.c.table_id)
        .where(schema.results.c.table_id.in_(ids), tables.c.finished_at.is_not(None))
    )


def _derive_row(basis: Mapping[Any, Any]) -> Row:
    if not checksums.holds("results", basis):
        logger.warning("a result of table %d is damaged: start the server again", basis["table_id"])
        raise Problem("store-damaged", 503)
    row = dict.fromkeys(checksums.PLAYER_GAME)
    row |= {name: basis[name] for name in ("table_id", "player", "name", "score", "place", "game", "digest")}
    row |= {"person": fold(basis["name"]), "ended_no": basis["active_no"], "imported": bool(basis["imported"])}
    row["replayed"] = OPEN
    return {**row, "sum": _sum(row)}


def _ended_early(connection: Connection, table_ids: Collection[int]) -> list[int]:
    """Those of these tables whose games people ended by hand before the rules did. Only those are replayed in which
    somebody ended a game or had it go on."""
    log = schema.log.c
    by_hand = select(log.table_id).distinct().where(log.table_id.in_(table_ids), log.body.contains('"game"'))
    query = select(tables).where(tables.c.id.in_(by_hand))
    return [row.id for row in connection.execute(query).all() if _is_ended_early(connection, row)]


def _is_ended_early(connection: Connection, row: Any) -> bool:
    bodies = select(schema.log.c.body).where(schema.log.c.table_id == row.id).order_by(schema.log.c.seq)
    lines = [json.loads(body) for body in connection.scalars(bodies)]
    options = scorer.options_of_table(row.game, json.loads(row.options))
    try:
        return rebuild_table(row.game, options, json.loads(row.players), lines).ended_early
    except (scorer.Refusal, LookupError, TypeError, ValueError) as error:
        logger.warning("the log of table %d cannot be replayed: %s", row.id, error)
        return False


def _sum(row: Mapping[Any, Any]) -> str:
    return checksums.player_game_sum(row[name] for name in checksums.PLAYER_GAME)
