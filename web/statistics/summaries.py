"""Summaries of players over finished games: results, head to head, and the rating if the rules have one."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import literal, select

import scorer
from web.statistics.player_games import PlayerGame
from web.store import schema
from web.store.store import Store
from web.table.json_document import Document
from web.table.names import name_key
from web.table.stored_table import TableRow


@dataclass(frozen=True)
class Opponent:
    """How often a player finished before, behind and level with another one at the same tables."""

    name: str
    ahead: int
    behind: int
    level: int


@dataclass(frozen=True)
class Summary:
    """One player's finished games of one kind. `rating`: None if the rules of the game have none."""

    name: str
    game: str
    played: int
    won: int
    best: int
    mean: float
    rating: float | None


def summaries(results: Iterable[PlayerGame]) -> list[Summary]:
    """By player, then by game, without games that people ended early. Names that differ only in case and spaces are one
    player, written as last."""
    grouped: dict[tuple[str, str], list[PlayerGame]] = {}
    written: dict[str, str] = {}
    for result in results:
        if result.early:
            continue
        person = name_key(result.name)
        written[person] = result.name
        grouped.setdefault((person, result.table.game), []).append(result)
    return [_summary(written[person], game, grouped[person, game]) for person, game in sorted(grouped)]


def head_to_head(results: Iterable[PlayerGame], name: str, game: str) -> list[Opponent]:
    """The player against each other one in this game, by name, written as in the other's last game."""
    person = name_key(name)
    tables: defaultdict[int, list[PlayerGame]] = defaultdict(list)
    for result in results:
        if result.table.game == game:
            tables[result.table.id].append(result)
    written: dict[str, str] = {}
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)  # -1: he finished before the other
    for seats in tables.values():
        mine = min((result.place for result in seats if name_key(result.name) == person), default=None)
        for other in seats:
            if mine is not None and (opponent := name_key(other.name)) != person:
                written[opponent] = other.name
                counts[opponent][(mine > other.place) - (mine < other.place)] += 1
    return [
        Opponent(written[opponent], ahead=count[-1], behind=count[1], level=count[0])
        for opponent, count in sorted(counts.items())
    ]


def _summary(name: str, game: str, results: list[PlayerGame]) -> Summary:
    reached = [(result.score, result.place) for result in results]
    won, scores = sum(place == 1 for _, place in reached), [score for score, _ in reached]
    return Summary(name, game, len(reached), won, max(scores), sum(scores) / len(reached), scorer.rating(game, reached))


LONGEST = 200  # games that count


class Series(Document, frozen=True, kw_only=True):
    """The games of a series that are over, and how many each player has won; a shared first place counts."""

    games: int
    names: Sequence[str]
    wins: Sequence[int]


def series(store: Store, row: TableRow, itself: bool = False) -> Series:
    """The series before this table's game, back to the last game of other people; with `itself` also this game, if
    over."""
    people = [name_key(name) for name in row.players]
    wins = dict.fromkeys(people, 0)
    games = 0
    for players, won in _earlier_games(store, row)[0 if itself else 1 :][:LONGEST]:
        if sorted(map(name_key, players)) != sorted(people):
            break
        games += bool(won)
        for name in won:
            wins[name_key(name)] += 1
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
