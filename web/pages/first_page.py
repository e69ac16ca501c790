"""What the first page shows of a phone's earlier tables: those that run, the games and the names that it knows."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import scorer
from web.problems import Problem
from web.session.names import distinct
from web.session.stored_table import TableRow
from web.sessions import Sessions
from web.store import visits

logger = logging.getLogger(__name__)

SHOWN_TABLES = 3  # the others are a tap away, in "My tables"
SHOWN_NAMES = 24


@dataclass(frozen=True)
class RunningTable:
    """A table to go on with. `scores`: each player's name and score, None where the game cannot be replayed."""

    row: TableRow
    scores: list[tuple[str, int]] | None


def running(sessions: Sessions, tables: Sequence[TableRow]) -> list[RunningTable]:
    """The unfinished ones of a phone's `tables`, the latest first, each with its scores."""
    wanted = [row for row in tables if row.finished_at is None][:SHOWN_TABLES]
    return [RunningTable(row, _scores(sessions, row.key)) for row in wanted]


def games(tables: Sequence[TableRow]) -> list[Any]:
    """All games for the form: the one that this phone played last, then those it played most, then the others."""
    infos = scorer.games()
    counts = Counter(row.game for row in tables)
    last = tables[0].game if tables else None
    return sorted(infos, key=lambda info: (info.key != last, -counts[info.key]))


def names(tables: Sequence[TableRow]) -> list[str]:
    """The names that this phone knows, the latest first, each in the way in which it was written last."""
    return distinct(name for row in tables for name in row.players)[:SHOWN_NAMES]


def present_names(sessions: Sessions, tables: Sequence[TableRow]) -> dict[int, list[str]]:
    """Who plays now at those unfinished ones of `tables` where that is not who began, by the tables' ids."""
    tables_with_changed_players = visits.tables_with_changed_players(
        sessions.store, [row.id for row in tables if row.finished_at is None]
    )
    scores = {row.id: _scores(sessions, row.key) for row in tables if row.id in tables_with_changed_players}
    return {number: [name for name, _ in found] for number, found in scores.items() if found is not None}


def _scores(sessions: Sessions, key: str) -> list[tuple[str, int]] | None:
    try:
        return [
            (player["name"], player["score"])
            for player in sessions.look(key).table.standing()["players"]
            if "out" not in player
        ]
    except (Problem, scorer.Refusal) as refusal:  # one table that is damaged must not keep people from all others
        logger.warning("a table on the first page cannot be shown with its scores: %s", refusal)
        return None
