"""Reads the rows that statistics are made of (`player_rows`), a few at a time however large the store is."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, exists, func, literal, select

from web.store import schema
from web.store.player_rows import AT_ONCE
from web.store.store_errors import damage_as_problem, require_beyond
from web.store.visits import has_few_tables, seen_by
from web.table.names import name_key

PERSONS = 24  # of one page
ROWS_OF_A_PAGE = 6000  # a page with so many takes no further person

played = schema.player_games
tables = schema.tables
visits = schema.visits


class EndedGame(NamedTuple):
    """The table of a finished game. `ended_no` grows with every game that ends."""

    id: int
    key: str
    game: str
    digest: str | None
    started_at: str
    finished_at: str
    ended_no: int


@dataclass(frozen=True)
class PlayerGame:
    """The result of one player in one finished game. `person`: the folded name; others: as in `PlayerResult`."""

    table: EndedGame
    player: int
    person: str
    name: str
    score: int
    place: int
    imported: bool
    best: int | None
    busts: int | None
    turns: int
    fell: tuple[int, ...]
    early: bool  # people ended the game by hand before its rules did


def persons(connection: Connection, device: str, after: str | None, limit: int = PERSONS) -> tuple[list[str], bool]:
    """The folded names, after `after`, of those who finished games at this phone's tables that were not ended early;
    and whether there are more.

    A phone's tables, here and below, are those that it has visited and that let it in.
    """
    found: list[str] = []
    rows = 0
    after = replace_nulls(after or "")
    for person, games in _persons(connection, device, after, limit + 1):
        require_beyond(found[-1] if found else after, [person])
        if len(found) >= limit or (found and rows >= ROWS_OF_A_PAGE):
            return found, True
        found.append(person)
        rows += games
    return found, False


def _persons(connection: Connection, device: str, after: str, limit: int) -> Iterator[tuple[str, int]]:
    """The next persons, each with the number of his games: of this phone's, or of all if the phone has many tables."""
    counts = ~exists().where(tables.c.id == played.c.table_id, tables.c.early)
    if has_few_tables(connection, device):
        person = _without_index(played.c.person)
        query = _limit_to_visited(select(person, func.count()).where(person > after, counts), device, True)
        for row in connection.execute(query.group_by(person).order_by(person).limit(limit)):
            yield row[0], row[1]
        return
    for _ in range(limit):
        first = select(played.c.person).where(played.c.person > after, counts).order_by(played.c.person).limit(1)
        named = connection.scalar(_limit_to_visited(first, device, False))
        if named is None:
            return
        after = named
        games = select(func.count()).select_from(played).where(played.c.person == named)
        yield named, connection.execute(games).scalar_one()


def games_of_persons(connection: Connection, device: str, people: Collection[str]) -> list[PlayerGame]:
    """All games of these people at this phone's tables, the oldest first."""
    few = has_few_tables(connection, device)
    person = _without_index(played.c.person) if few else played.c.person
    query = _rows().where(person.in_(people)) if people else _rows().where(played.c.player < 0)
    return _results(connection, _limit_to_visited(query, device, few))


def games_of_player(connection: Connection, device: str, person: str, game: str) -> list[PlayerGame]:
    """One person's results in one game at this phone's tables, the oldest first."""
    few = has_few_tables(connection, device)
    column, person = _without_index(played.c.person) if few else played.c.person, replace_nulls(person)
    query = _limit_to_visited(_rows().where(column == person, played.c.game == game), device, few)
    return _results(connection, query)


def games_at_tables(connection: Connection, table_ids: Sequence[int]) -> list[PlayerGame]:
    """All players of these finished games, the oldest game first."""
    found: list[PlayerGame] = []
    for first in range(0, len(table_ids), AT_ONCE):
        found += _results(connection, _rows().where(played.c.table_id.in_(table_ids[first : first + AT_ONCE])))
    return sorted(found, key=_order)


def games_ended_after(
    connection: Connection, device: str | None, after: int, limit: int
) -> tuple[list[PlayerGame], int | None]:
    """All players of the next `limit` finished games at this phone's tables, the oldest first. `device` None: at all
    tables but deleted ones, whoever visited them.

    Also the number after which further games follow; None if there are none.
    """
    query, number = _ends(connection, device)
    games = connection.execute(query.where(number > after).order_by(number).limit(limit + 1)).all()
    require_beyond(after, (row.active_no for row in games))
    found = games_at_tables(connection, [row.id for row in games[:limit]])
    return found, games[limit - 1].active_no if len(games) > limit else None


def ends(connection: Connection, device: str, most: int | None = None) -> Sequence[Row[Any]]:
    """The `active_no` and `finished_at` of the finished games at this phone's tables, the oldest first."""
    query, number = _ends(connection, device)
    return connection.execute(query.order_by(number).limit(most)).all()


def _ends(connection: Connection, device: str | None) -> tuple[Select[Any], ColumnElement[int]]:
    """A query for the finished games at this phone's tables, or at all, and the number that orders them."""
    query = select(tables.c.id, tables.c.active_no, tables.c.finished_at).where(tables.c.finished_at.is_not(None))
    if device is None:
        return query.where(tables.c.deleted_at.is_(None)), tables.c.active_no
    few = has_few_tables(connection, device)
    return _limit_to_visited(query, device, few, tables.c.id), tables.c.active_no + 0 if few else tables.c.active_no


def has_visited(connection: Connection, device: str, table_id: int) -> bool:
    query = select(visits.c.table_id).where(seen_by(device), visits.c.table_id == table_id)
    return connection.execute(query).first() is not None


def games_with_dice(connection: Connection, device: str, dice_set: str, limit: int) -> list[PlayerGame]:
    """One row of each finished game at this phone's newest `limit` tables with dice of this name."""
    name, wanted = tables.c.dice_set, name_key(dice_set)
    names = [each for each in connection.scalars(select(name).where(name != "").distinct()) if name_key(each) == wanted]
    newest = _limit_to_visited(select(tables.c.id).where(name.in_(names)), device, False, tables.c.id)
    called = connection.scalars(newest.order_by(tables.c.id.desc()).limit(limit)).all()
    return list({row.table.id: row for row in games_at_tables(connection, called)}.values())


def copies(connection: Connection, device: str, rows: Iterable[PlayerGame], also: str | None = None) -> set[int]:
    """The tables that `drop_copies` leaves out of all games of this phone.

    Considers the games in `rows` and the game with the digest `also`.
    """
    digests = {row.table.digest for row in rows if row.imported} | {also}
    wanted = sorted(digest for digest in digests if digest is not None)
    same: list[PlayerGame] = []
    for first in range(0, len(wanted), AT_ONCE):
        query = _rows().where(played.c.digest.in_(wanted[first : first + AT_ONCE]))
        same += _results(connection, _limit_to_visited(query, device, False))
    return {row.table.id for row in same} - {row.table.id for row in drop_copies(same)}


def drop_copies(results: Iterable[PlayerGame]) -> list[PlayerGame]:
    """Each game once: drops tables that were imported with the record of another one among these.

    The same digest means the same record to the last action. Two games that were both played here count both. A game
    from a Rollcall without digests has none and always counts.
    """
    results = list(results)
    counted: dict[str | None, set[int]] = {}
    for result in results:
        if not result.imported:
            counted.setdefault(result.table.digest, set()).add(result.table.id)
    for result in results:
        counted.setdefault(result.table.digest, {result.table.id})  # the first of the copies, where all are
    return [
        result for result in results if result.table.digest is None or result.table.id in counted[result.table.digest]
    ]


def results_of(connection: Connection, table_ids: Sequence[int]) -> dict[int, list[Any]]:
    """By table id, the `name`, `score` and `place` of each player, the first place first."""
    query = select(played).where(played.c.table_id.in_(table_ids)).order_by(played.c.place, played.c.player)
    found: dict[int, list[Any]] = {}
    for row in connection.execute(query):
        found.setdefault(row.table_id, []).append(row)
    return found


def replace_nulls(text: str) -> str:
    """The text without null characters, which PostgreSQL refuses."""
    return text.replace("\0", "\ufffd")


def tables_ended_early(connection: Connection, table_ids: Collection[int]) -> set[int]:
    """Those of these tables whose games people ended by hand before the rules did."""
    return set(connection.scalars(select(tables.c.id).where(tables.c.id.in_(table_ids), tables.c.early)))


def _rows() -> Select[Any]:
    columns = tables.c.key, tables.c.created_at, tables.c.finished_at, tables.c.early
    return select(played, *columns).join(tables, tables.c.id == played.c.table_id)


def _without_index(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The same text, for which the database uses no index."""
    return column + literal("")


def _limit_to_visited(
    query: Select[Any], device: str, few: bool, table_id: ColumnElement[int] = played.c.table_id
) -> Select[Any]:
    """The query, limited to this phone's tables. With `few` the database starts from the phone's visits."""
    if few:
        return query.join(visits, visits.c.table_id == table_id).where(seen_by(device))
    return query.where(exists().where(seen_by(device), visits.c.table_id == table_id))


def _results(connection: Connection, query: Select[Any]) -> list[PlayerGame]:
    """The rows of a query, the oldest game first. Raises `Problem` for damaged ones."""
    with damage_as_problem():
        return sorted(map(_result, connection.execute(query)), key=_order)


def _result(row: Sequence[Any]) -> PlayerGame:
    table_id, player, person, game, ended_no, name, score, place, imported, digest, *rest = row
    best, busts, turns, fell, key, started_at, finished_at, early = rest
    ended = EndedGame(table_id, key, game, digest, started_at, finished_at, ended_no)
    figures = best, busts, turns, tuple(map(int, fell.split()))
    return PlayerGame(ended, player, person, name, score, place, imported, *figures, early)


def _order(row: PlayerGame) -> tuple[int, int]:
    return row.table.ended_no, row.player
