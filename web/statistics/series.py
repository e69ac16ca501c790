"""Series: the games that the same people play one after another with "play again", and how often each has won."""

import json
from collections.abc import Sequence

from sqlalchemy import literal, select

from web.store import schema
from web.store.store import Store
from web.table.json_document import Document
from web.table.names import fold
from web.table.stored_table import TableRow

LONGEST = 200  # games that count


class Series(Document, frozen=True, kw_only=True):
    """The games of a series that are over, and how many each player has won; a shared first place counts."""

    games: int
    names: Sequence[str]
    wins: Sequence[int]


def series(store: Store, row: TableRow, itself: bool = False) -> Series:
    """The series before this table's game, back to the last game of other people; with `itself` also this game, if
    over."""
    people = [fold(name) for name in row.players]
    wins = dict.fromkeys(people, 0)
    games = 0
    for players, won in _earlier_games(store, row)[0 if itself else 1 :][:LONGEST]:
        if sorted(map(fold, players)) != sorted(people):
            break
        games += bool(won)
        for name in won:
            wins[fold(name)] += 1
    return Series(games=games, names=row.players, wins=[wins[person] for person in people])


def _earlier_games(store: Store, row: TableRow) -> list[tuple[list[str], list[str]]]:
    """The players and the winners of this table and of those before it, the latest first."""
    tables, results = schema.tables, schema.player_games
    chain = select(tables.c.id, tables.c.key, literal(0).label("back")).where(tables.c.id == row.id).cte(recursive=True)
    older = tables.alias()
    step = select(older.c.id, older.c.key, chain.c.back + 1).where(older.c.next_key == chain.c.key)
    chain = chain.union_all(step.where(chain.c.back < LONGEST))
    query = (
        select(chain.c.back, tables.c.players, results.c.name)
        .join(tables, tables.c.id == chain.c.id)
        .outerjoin(results, (results.c.table_id == tables.c.id) & (results.c.place == 1))
        .order_by(chain.c.back, results.c.player)
    )
    found: dict[int, tuple[list[str], list[str]]] = {}
    with store.read() as connection:
        for back, players, name in connection.execute(query):
            won = found.setdefault(back, (json.loads(players), []))[1]
            won += [] if name is None else [name]
    return list(found.values())
