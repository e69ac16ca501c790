"""A phone's own lists in windows: its tables, its players, its results as files.

A window begins after an `active_no` or a name, not at a position. So a game that ends meanwhile moves nothing between
windows.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection

import scorer
from web.common.problems import Problem
from web.pages import first_page
from web.pages.access import services
from web.pages.first_page import info_of
from web.statistics import player_games, summaries
from web.statistics.player_games import PlayerGame
from web.statistics.summaries import Summary
from web.store import visits
from web.table.replay import Json
from web.table.stored_table import TableRow

TABLES = 50  # of one list on one page
GAMES_OF_A_FILE = 2500
MOST_DIGITS = 18  # of a number that fits into a database column


class Window(NamedTuple):
    """Some tables of one list. `older`: where the next window begins, None if there is none. `later`: whether the list
    has newer tables."""

    rows: list[TableRow]
    older: int | None
    later: bool


class File(NamedTuple):
    """A file of results: the `after` of its address, and when its first and last games ended."""

    after: int
    first: str
    last: str


def parse_number(text: str | None) -> int | None:
    """The number in a query parameter; None if it is none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def history_lists(device: str, args: Mapping[str, str]) -> Json:
    """The values of the page: the newest of every list, or further tables of the one list in `args`."""
    store, sessions = services().store, services().sessions
    wanted = {name: parse_number(args.get(name)) for name in ("running", "finished", "removed")}
    alone = next((name for name, before in wanted.items() if before is not None), None)

    def window(name: str, **which: Any) -> Window:
        if alone not in (None, name):
            return Window([], None, False)
        found = visits.tables_of(store, device, limit=TABLES + 1, before=wanted[name], **which)
        rows = found[:TABLES]
        return Window(rows, rows[-1].active_no if len(found) > TABLES else None, wanted[name] is not None)

    lists = {
        "running": window("running", over=False),
        "finished": window("finished", over=True),
        "removed": window("removed", hidden=True),
    }
    every = [row for each in lists.values() for row in each.rows]
    taken = player_games.replace_nulls(args.get("taken", ""))

    def ask(connection: Connection) -> Json:
        ids = [row.id for row in every]
        found: Json = {"results": player_games.results_of(connection, ids)}
        found["early"] = player_games.tables_ended_early(connection, ids)
        if alone is None:
            found |= _players(connection, device, None, counts_early(args))
            found["many"] = player_games.nth_end(connection, device, 0, GAMES_OF_A_FILE + 1) is not None
        return found

    return {
        **lists,
        "alone": alone,
        "counts_early": counts_early(args),
        "deleted": _undoable_table(device, args.get("deleted", "")),
        "deletable": visits.deletable(store, device, [row.id for row in every]),
        "taken": next(iter(visits.tables_of(store, device, hidden=True, limit=1, key=taken)), None) if taken else None,
        "present": first_page.present_names(sessions, every),
        "titles": titles(),
        **player_games.read_rows(store, ask),
    }


def counts_early(args: Mapping[str, str]) -> bool:
    """Whether the person wants games counted that people ended early."""
    return args.get("early") == "1"


def _undoable_table(device: str, key: str) -> TableRow | None:
    """The table with this key, if this phone deleted it and may undo that."""
    if not key:
        return None
    try:
        row, deletion = services().sessions.row(key), services().sessions.look(key).access.deletion
    except Problem:
        return None
    return row if deletion is not None and deletion.device == device else None


def players(device: str, args: Mapping[str, str]) -> Json:
    """The players whose names come after the `after` in `args`, with a summary for each game."""
    after, early = args.get("after"), counts_early(args)
    found = player_games.read_rows(services().store, lambda connection: _players(connection, device, after, early))
    return {**found, "first": after is None, "where": {} if after is None else {"after": after}, "titles": titles()}


def results_after(device: str, after: int) -> tuple[list[PlayerGame], int | None]:
    """The results in one file, the oldest first; and the `after` of the next file, None if there is none."""

    def ask(connection: Connection) -> tuple[list[PlayerGame], int | None]:
        found, more = player_games.games_ended_after(connection, device, after, GAMES_OF_A_FILE)
        copies = player_games.copies(connection, device, found)
        return [row for row in found if row.table.id not in copies], more

    return player_games.read_rows(services().store, ask)


def files(device: str) -> list[File]:
    """The files with all results of this phone's tables, the oldest first."""

    def ask(connection: Connection) -> list[File]:
        found: list[File] = []
        after = 0
        while (first := player_games.nth_end(connection, device, after, 1)) is not None:
            last = player_games.nth_end(connection, device, after, GAMES_OF_A_FILE)
            newest = last or player_games.last_end(connection, device) or first
            found.append(File(after, first.finished_at, newest.finished_at))
            if last is None:
                break
            after = last.active_no
        return found

    return player_games.read_rows(services().store, ask)


def _players(connection: Connection, device: str, after: str | None, early: bool) -> dict[str, Any]:
    people, more = player_games.persons(connection, device, after)
    games = player_games.drop_copies(player_games.games_of_persons(connection, device, people))
    found: list[Summary] = summaries.summaries(games, early)
    ended_early = len({game.table.id for game in games if game.early})
    return {
        "summaries": found,
        "more_players": people[-1] if more else None,
        "ended_early": ended_early,
        "counts_early": early,
    }


def titles() -> Mapping[str, str]:
    """The English title of each game by its key, those that people made included."""
    return _Titles({info.key: info.title for info in scorer.all_games()})


class _Titles(dict[str, str]):
    def __missing__(self, key: str) -> str:
        name, _, digest = key.partition(".")
        try:
            info = info_of(services().own_game(digest))
        except Problem:  # no phone keeps it any more
            info = None
        return name.replace("-", " ").capitalize() if info is None else info.title
