"""A phone's own tables: on the first page, and in lists in windows; its players, and its results as files.

A window begins after an `active_no` or a name, not at a position. So a game that ends meanwhile moves nothing between
windows."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection

import scorer
from scorer.counter import CounterGame
from scorer.games.shut_the_box import ShutTheBox
from scorer.games.skunk import Skunk
from scorer.pad import PadGame
from scorer.ten_thousand import TenThousand
from scorer.texts import N_
from scorer.turns.hand import HandGame
from web.clubs.nights import NIGHT_GAME
from web.limits.recent import Recent
from web.own_games import kept_games
from web.own_games.differences import differences
from web.own_games.kept_games import OwnGame
from web.pages.access import services
from web.problems.problem import Problem
from web.runner.runner import Runner
from web.statistics import player_games, summaries
from web.statistics.player_games import PlayerGame
from web.store import visits
from web.table.stored_table import Json, TableRow
from web.texts.languages import current

logger = logging.getLogger(__name__)

SHOWN_TABLES = 3  # "My tables" has the others
# Of games that people made, each in one language.
INFOS: Recent[tuple[str, str], tuple[scorer.Info | None]] = Recent(500)
# The families of games: what their games are, the first that fits, and how they are told.
GROUPS: tuple[tuple[type | tuple[type, ...], str, str], ...] = (
    (
        TenThousand,
        N_("Set aside, throw on or bank"),
        N_("Collect points with every throw, and keep them before a throw is worth nothing."),
    ),
    (
        (CounterGame, ShutTheBox, Skunk),
        N_("Short games that count the throw"),
        N_("Quick to learn, and over in a few minutes."),
    ),
    (HandGame, N_("Throw the best hand"), N_("Keep what is good, throw the others again, and beat the rest.")),
    (
        PadGame,
        N_("Just keep score"),
        N_("Write what each round brought: for cards, and for games that no other list has."),
    ),
    (scorer.Game, N_("Fill a sheet"), N_("Each turn ends in one cell; a full sheet ends the game.")),
)
IN_ORDER = (4, 0, 1, 2, 3)  # as the page shows them
FIRST = ("farkle", "ones-and-fives", "yahtzee", "kosci-single", "yatzy", "knaster")
Scores: TypeAlias = list[tuple[str, int]]
TABLES = 50  # of one list on one page
GAMES_OF_A_FILE = 2500
MOST_DIGITS = 18  # of a number that fits into a database column


class Window(NamedTuple):
    """Some tables of one list. `older`: where the next window begins, None if there is none. `later`: whether the list
    has newer tables."""

    rows: list[TableRow]
    older: int | None
    later: bool


class Again(NamedTuple):
    """A game that is over and can be played again. `players`: with name, place and whether they left (`out`), by their
    numbers. `order`: the numbers of those who play on."""

    row: TableRow
    players: list[Json]
    order: list[int]

    @property
    def begins(self) -> int:
        return next_beginner(self.order)

    @property
    def names(self) -> list[str]:
        """Who would play, the one who begins first."""
        return [self.players[number]["name"] for number in (*self.order[1:], self.order[0])]


def parse_number(text: str | None) -> int | None:
    """The number in a query parameter; None if it is none."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def history_lists(device: str, args: Mapping[str, str]) -> Json:
    """The values of the page: the newest of every list, or further tables of the one list in `args`."""
    store, runner = services().store, services().runner
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
    ids = [row.id for row in every]
    with store.read() as connection:
        found: Json = {"results": player_games.results_of(connection, ids)}
        found["early"] = player_games.tables_ended_early(connection, ids)
        if alone is None:
            found |= _players(connection, device, None)
            found["files"] = -(-len(player_games.ends(connection, device, GAMES_OF_A_FILE + 1)) // GAMES_OF_A_FILE)
    return {
        **found,
        **lists,
        "alone": alone,
        "deleted": _undoable_table(device, args.get("deleted", "")),
        "deletable": visits.deletable(store, device, ids),
        "taken": next(iter(visits.tables_of(store, device, hidden=True, limit=1, key=taken)), None) if taken else None,
        "present": present_names(runner, every),
        "titles": titles(device),
    }


def _undoable_table(device: str, key: str) -> TableRow | None:
    """The table with this key, if this phone deleted it and may undo that."""
    if not key:
        return None
    try:
        row, deletion = services().runner.row(key), services().runner.look(key).access.deletion
    except Problem:
        return None
    return row if deletion is not None and deletion.device == device else None


def players(device: str, args: Mapping[str, str]) -> Json:
    """The players whose names come after the `after` in `args`, with a summary for each game."""
    after = args.get("after")
    with services().store.read() as connection:
        found = _players(connection, device, after)
    return {
        **found,
        "first": after is None,
        "titles": titles(device),
    }


def results_after(device: str, after: int) -> tuple[list[PlayerGame], int | None]:
    """The results in one file, the oldest first; and the `after` of the next file, None if there is none."""
    with services().store.read() as connection:
        found, more = player_games.games_ended_after(connection, device, after, GAMES_OF_A_FILE)
        copies = player_games.copies(connection, device, found)
    return [row for row in found if row.table.id not in copies], more


def files(device: str) -> list[tuple[int, str, str]]:
    """The files with all results of this phone's tables, the oldest first: the `after` of each one's address, and when
    its first and last games ended."""
    with services().store.read() as connection:
        ends = player_games.ends(connection, device)
    parts = [ends[first : first + GAMES_OF_A_FILE] for first in range(0, len(ends), GAMES_OF_A_FILE)]
    afters = [0, *(part[-1].active_no for part in parts)]
    return [(after, each[0].finished_at, each[-1].finished_at) for after, each in zip(afters, parts, strict=False)]


def _players(connection: Connection, device: str, after: str | None) -> dict[str, Any]:
    people, more = player_games.persons(connection, device, after)
    games = player_games.drop_copies(player_games.games_of_persons(connection, device, people))
    return {"summaries": summaries.summaries(games), "more_players": people[-1] if more else None}


def titles(device: str = "") -> Mapping[str, str]:
    """The English title of each game by its key, clubs' nights and those that people made included. `device`: the phone
    whose games of one name shall differ."""
    own = kept_games.kept_by(services().store, device) if device else []
    known = {info.key: info.title for info in scorer.all_games()}
    return _Titles({**known, NIGHT_GAME: N_("Club's night")}, [*own, *services().settings.games])


class _Titles(dict[str, str]):
    """`own`: games that people made, which one looks up may be told from."""

    def __init__(self, known: Mapping[str, str], own: Sequence[OwnGame]) -> None:
        super().__init__(known)
        self._own = {game.key: game for game in own}

    def __missing__(self, key: str) -> str:
        name, _, digest = key.partition(".")
        try:
            game = self._own.get(key) or services().own_game(digest)
            found = infos_of([*self._own.values(), *([] if key in self._own else [game])])
        except Problem:  # no phone keeps it any more
            found = []
        self.update({info.key: info.title for info in found})
        return self.setdefault(key, name.replace("-", " ").capitalize())


# --- the first page ---------------------------------------------------------------------------------------------------


def running(runner: Runner, tables: Sequence[TableRow]) -> list[tuple[TableRow, Scores | None]]:
    """The unfinished ones of a phone's `tables`, with each player's name and score, the latest first; None if the game
    cannot be replayed."""
    wanted = [row for row in tables if row.finished_at is None][:SHOWN_TABLES]
    return [(row, None if row.game == NIGHT_GAME else _scores(runner, row.key)) for row in wanted]


def again(runner: Runner, tables: Sequence[TableRow]) -> list[Again]:
    """What can be played again as it was: of each game the one of a phone's `tables` that ended last, the latest
    first."""
    found: dict[str, Again] = {}
    for row in tables:
        if row.finished_at is not None and row.game not in found and (offer := _offer(runner, row)) is not None:
            found[row.game] = offer
        if len(found) == SHOWN_TABLES:
            break
    return list(found.values())


def _offer(runner: Runner, row: TableRow) -> Again | None:
    try:
        state = runner.look(row.key)
        standing = state.table.standing()
    except (Problem, scorer.Refusal) as refusal:
        logger.warning("a table on the first page cannot be played again: %s", refusal)
        return None
    players = [
        {name: player[name] for name in ("name", "place", "out") if name in player} for player in standing["players"]
    ]
    return None if state.access.closed or state.lost else Again(row, players, standing["order"])


def next_beginner(order: Sequence[int]) -> int:
    """The number of the player who begins the next game, if nobody chooses: the next in turn."""
    return order[1 % len(order)]


def infos_of(games: Sequence[OwnGame]) -> list[scorer.Info]:
    """What the first page tells of games that people made, but for those whose files are refused: of two with one name
    the title says how they differ."""
    differing = differences(games)
    return [
        info._replace(title=f"{info.title} · {differing[info.key]}" if differing[info.key] else info.title)
        for game in games
        if (info := info_of(game))
    ]


def info_of(own: OwnGame) -> scorer.Info | None:
    """What the first page tells of a game that people made; None if its file is refused."""
    language = current()
    known = INFOS.get((own.key, language)) or (_read_info(own, language),)
    INFOS[own.key, language] = known
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


def first_games(played: Sequence[Any]) -> list[Any]:
    """The games in sight on the first page: those that were played here, filled up by those that most people know."""
    known = {info.key for info in played}
    return [*played, *(scorer.game(key).info for key in FIRST if key not in known)][: max(len(FIRST), len(played))]


def more_games(shown: Sequence[Any], house: Sequence[scorer.Info]) -> list[tuple[str, str, list[Any]]]:
    """The other games in groups, each with its title and a sentence about it: this server's own, then the families."""
    known = {info.key for info in shown}
    families: list[list[scorer.Info]] = [[] for _ in GROUPS]
    for info in scorer.all_games():
        if info.key not in known:
            game = scorer.game(info.key)
            families[next(place for place, (kind, *_) in enumerate(GROUPS) if isinstance(game, kind))].append(info)
    groups = [(*GROUPS[place][1:], families[place]) for place in IN_ORDER]
    here = N_("Games of this house"), N_("Whoever runs this server put them here.")
    return [group for group in ((*here, [info for info in house if info.key not in known]), *groups) if group[-1]]


def present_names(runner: Runner, tables: Sequence[TableRow]) -> dict[int, list[str]]:
    """By table id, the present players of each unfinished table whose players have changed."""
    changed = visits.tables_with_changed_players(runner.store, [row.id for row in tables if row.finished_at is None])
    scores = {row.id: _scores(runner, row.key) for row in tables if row.id in changed}
    return {number: [name for name, _ in found] for number, found in scores.items() if found is not None}


def _scores(runner: Runner, key: str) -> Scores | None:
    try:
        return [
            (player["name"], player["score"])
            for player in runner.look(key).table.standing()["players"]
            if "out" not in player
        ]
    except (Problem, scorer.Refusal) as refusal:  # a damaged table must not hide the others
        logger.warning("a table on the first page cannot be shown with its scores: %s", refusal)
        return None
