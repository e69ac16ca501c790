"""A phone's earlier tables on the first page: running tables, games by use, and known names."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import scorer
from scorer.ten_thousand import TenThousand
from scorer.texts import N_
from scorer.turn_games import PointsGame
from web.common.problems import Problem
from web.common.recent import Recent
from web.runner import Sessions
from web.store import visits
from web.store.kept_games import OwnGame
from web.table.names import distinct
from web.table.stored_table import TableRow
from web.texts.languages import current

logger = logging.getLogger(__name__)

SHOWN_TABLES = 3  # "My tables" has the others
SHOWN_NAMES = 24
MOST_INFOS = 500  # of games that people made, each in one language
# The families of games: what their games are, the first that fits, and how they are told.
GROUPS: tuple[tuple[type, str, str], ...] = (
    (
        TenThousand,
        N_("Set aside, throw on or bank"),
        N_("Collect points with every throw, and keep them before a throw is worth nothing."),
    ),
    (PointsGame, N_("Short games that count the throw"), N_("Quick to learn, and over in a few minutes.")),
    (scorer.Game, N_("Fill a sheet"), N_("Each turn ends in one cell; a full sheet ends the game.")),
)
IN_ORDER = (2, 0, 1)  # as the page shows them


@dataclass(frozen=True)
class RunningTable:
    """A running table. `scores`: each player's name and score, None if the game cannot be replayed."""

    row: TableRow
    scores: list[tuple[str, int]] | None


def running(sessions: Sessions, tables: Sequence[TableRow]) -> list[RunningTable]:
    """The unfinished ones of a phone's `tables`, with scores, the latest first."""
    wanted = [row for row in tables if row.finished_at is None][:SHOWN_TABLES]
    return [RunningTable(row, _scores(sessions, row.key)) for row in wanted]


def info_of(own: OwnGame) -> scorer.Info | None:
    """What the first page tells of a game that people made; None if an older Rollcall took its file and this one does
    not."""
    return _info_in(own, current())


_infos: Recent[tuple[str, str], tuple[scorer.Info | None]] = Recent(MOST_INFOS)


def _info_in(own: OwnGame, language: str) -> scorer.Info | None:
    known = _infos.get((own.key, language)) or (_read_info(own, language),)
    _infos[own.key, language] = known
    return known[0]


def _read_info(own: OwnGame, language: str) -> scorer.Info | None:
    try:
        return scorer.in_language(own.kind(), language).info._replace(key=own.key)
    except scorer.Refusal as refusal:
        logger.warning("a game that people made cannot be shown: %s", refusal)
        return None


def games(tables: Sequence[TableRow], kept: Sequence[scorer.Info]) -> list[Any]:
    """The games that this phone played or keeps: first the one that it played last, then those that it played most."""
    counts = Counter(row.game for row in tables)
    infos = (*kept, *(info for info in scorer.all_games() if info.key in counts))
    last = tables[0].game if tables else None
    return sorted(infos, key=lambda info: (info.key != last, -counts[info.key]))


def more_games(shown: Sequence[Any], house: Sequence[scorer.Info]) -> list[tuple[str, str, list[Any]]]:
    """The other games in groups, each with its title and a sentence about it: this server's own, then the families."""
    known = {info.key for info in shown}
    families: list[list[scorer.Info]] = [[] for _ in GROUPS]
    for info in scorer.all_games():
        if info.key not in known:
            families[_family(scorer.game(info.key))].append(info)
    groups = [(*GROUPS[place][1:], families[place]) for place in IN_ORDER]
    here = N_("Games of this house"), N_("Whoever runs this server put them here.")
    return [group for group in ((*here, [info for info in house if info.key not in known]), *groups) if group[-1]]


def _family(game: scorer.Game[Any]) -> int:
    return next(place for place, (kind, *_) in enumerate(GROUPS) if isinstance(game, kind))


def names(tables: Sequence[TableRow]) -> list[str]:
    """The players' names at a phone's `tables`, the latest first, each as it was written last."""
    return distinct(name for row in tables for name in row.players)[:SHOWN_NAMES]


def present_names(sessions: Sessions, tables: Sequence[TableRow]) -> dict[int, list[str]]:
    """By table id, the present players of each unfinished table whose players have changed."""
    changed = visits.tables_with_changed_players(sessions.store, [row.id for row in tables if row.finished_at is None])
    scores = {row.id: _scores(sessions, row.key) for row in tables if row.id in changed}
    return {number: [name for name, _ in found] for number, found in scores.items() if found is not None}


def _scores(sessions: Sessions, key: str) -> list[tuple[str, int]] | None:
    try:
        return [
            (player["name"], player["score"])
            for player in sessions.look(key).table.standing()["players"]
            if "out" not in player
        ]
    except (Problem, scorer.Refusal) as refusal:  # a damaged table must not hide the others
        logger.warning("a table on the first page cannot be shown with its scores: %s", refusal)
        return None
