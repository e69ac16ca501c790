"""The rows that statistics are made of say what the results say, window by window, whoever wrote and whatever broke."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, select

from tests.web.postgres import both_engines
from tests.web.statistics.results import Result, results_of
from tests.web.stored import THROW, line, log, table_started
from web.pages import my_tables
from web.statistics import player_games, summaries
from web.statistics.player_games import PlayerGame
from web.store import schema, visits
from web.store.store import Store
from web.table.names import name_key
from web.table.stored_table import PlayerResult, TableRow

GAMES = ("farkle", "drapky", "sequence")
NAMES = ("Ada", "ada ", "Bob", "BOB", "Eva", "Žofie", "žofie", "Cid", "Straße", "STRASSE")
PHONE, OTHER = "a-phone-that-was-at-most-tables", "a-phone-that-was-at-some-tables"


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    return open_store()


def standings(names: list[str], dice: random.Random) -> list[PlayerResult]:
    return [PlayerResult(number, name, dice.randint(0, 9), dice.randint(1, 3)) for number, name in enumerate(names)]


def end_game(store: Store, row: TableRow, dice: random.Random, digest: str) -> None:
    log(store, row, line(1), standings(list(row.players), dice), digest)


def fill_store(store: Store, seed: int, count: int = 60) -> None:
    """Games that ended, that run, whose end was undone, and copies of some, at tables of two phones."""
    dice = random.Random(seed)
    told: list[tuple[str, list[str], list[PlayerResult], str]] = []
    for number in range(count):
        kind = dice.random()
        names = dice.sample(NAMES[::2], dice.randint(1, 3)) if dice.random() < 0.5 else [dice.choice(NAMES)]
        game, digest = dice.choice(GAMES), f"digest-{number}"
        if kind < 0.3 and told:
            game, names, reached, digest = dice.choice(told)
            row = store.create(table_started(game, {}, names, False, [THROW], results=reached, digest=digest))
        elif kind < 0.4:
            reached = standings(names, dice)
            told.append((game, names, reached, digest))
            row = store.create(table_started(game, {}, names, False, [THROW], results=reached, digest=digest))
        else:
            row = store.create(table_started(game, {}, names))
            if kind < 0.9:
                end_game(store, row, dice, digest)
                reached = [
                    PlayerResult(each.player, each.name, each.score, each.place) for each in _reached_place(store, row)
                ]
                told.append((game, names, reached, digest))
            if 0.8 < kind < 0.9:
                log(store, row, line(2, {"undo": True}))
                told.pop()
        for phone, share in ((PHONE, 0.9), (OTHER, 0.4)):
            if dice.random() < share:
                visits.visit(store, phone, row)


def _reached_place(store: Store, row: TableRow) -> list[Any]:
    played = schema.player_games
    query = select(played).where(played.c.table_id == row.id).order_by(played.c.player)
    with store.read() as connection:
        return list(connection.execute(query).all())


def plain(results: list[Any]) -> list[tuple[Any, ...]]:
    return [
        (each.table.id, each.table.game, each.player, each.name, each.score, each.place, each.imported)
        for each in results
    ]


@pytest.mark.whole
@pytest.mark.parametrize("few", [0, 1000])
@pytest.mark.parametrize(
    ("database", "seed"), [("sqlite", 0), ("sqlite", 1), ("sqlite", 2), ("postgresql", 1)], indirect=["database"]
)
def test_windows_together_are_what_all_results_say(
    store: Store, seed: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill_store(store, seed)
    monkeypatch.setattr(visits, "FEW_VISITS", few)
    for phone in (PHONE, OTHER, "a-phone-that-was-nowhere"):
        every: list[Result] = results_of(store, phone)
        once = player_games.drop_copies(every)

        with store.read() as connection:
            assert summed_up(connection, phone) == summaries.summaries(once)
            assert plain(by_files(connection, phone)) == plain(once)
            for line in summaries.summaries(once):
                mine = player_games.drop_copies(
                    player_games.games_of_player(connection, phone, name_key(line.name), line.game)
                )
                assert plain(mine) == plain(
                    [
                        each
                        for each in once
                        if each.table.game == line.game and name_key(each.name) == name_key(line.name)
                    ]
                )
                seats = player_games.games_at_tables(connection, [each.table.id for each in mine])
                opponents = summaries.head_to_head(seats, line.name, line.game)
                assert opponents == summaries.head_to_head(once, line.name, line.game)


def summed_up(connection: Connection, phone: str) -> list[summaries.Summary]:
    """All lines of all windows of two persons."""
    found: list[summaries.Summary] = []
    after, more = None, True
    while more:
        people, more = player_games.persons(connection, phone, after, 2)
        after = people[-1] if people else None
        found += summaries.summaries(player_games.drop_copies(player_games.games_of_persons(connection, phone, people)))
    return found


def by_files(connection: Connection, phone: str) -> list[PlayerGame]:
    """The results of all files of seven games."""
    found: list[PlayerGame] = []
    after: int | None = 0
    while after is not None:
        rows, after = player_games.games_ended_after(connection, phone, after, 7)
        copies = player_games.copies(connection, phone, rows)
        found += [row for row in rows if row.table.id not in copies]
    return found


@pytest.mark.whole
@both_engines
@pytest.mark.parametrize("few", [0, 1000])
def test_windows_of_tables_are_the_whole_list(store: Store, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_store(store, 7)
    monkeypatch.setattr(visits, "FEW_VISITS", few)
    every = visits.tables_of(store, PHONE, limit=1000)
    assert len(every) > 20
    assert [row.active_no for row in every] == sorted((row.active_no for row in every), reverse=True)
    hidden = every[3]
    visits.hide(store, PHONE, hidden, True)
    assert [row.id for row in visits.tables_of(store, PHONE, hidden=True)] == [hidden.id]
    assert visits.tables_of(store, PHONE, key=hidden.key) == []
    assert [row.id for row in visits.tables_of(store, PHONE, hidden=True, key=hidden.key)] == [hidden.id]
    for over in (None, True, False):
        wanted = [
            row.id for row in every if row.id != hidden.id and (over is None or (row.finished_at is not None) == over)
        ]
        found: list[int] = []
        before = None
        while rows := visits.tables_of(store, PHONE, limit=4, before=before, over=over):
            found += [row.id for row in rows]
            before = rows[-1].active_no
        assert found == wanted


def one_game(store: Store) -> TableRow:
    row = store.create(table_started("farkle", {}, ["Ada", "Bob"]))
    visits.visit(store, PHONE, row)
    log(
        store,
        row,
        line(1),
        [PlayerResult(0, "Ada", 500, 1, 300, 1, 4, (1, 2, 3, 4, 5, 6)), PlayerResult(1, "Bob", 100, 2)],
        "digest",
    )
    return row


def games_at(store: Store, row: TableRow) -> list[PlayerGame]:
    with store.read() as connection:
        return player_games.games_at_tables(connection, [row.id])


@both_engines
def test_the_figures_of_a_result_are_in_its_row(store: Store) -> None:
    ada, bob = games_at(store, one_game(store))
    assert (ada.best, ada.busts, ada.turns, ada.fell) == (300, 1, 4, (1, 2, 3, 4, 5, 6))
    assert (bob.best, bob.busts, bob.turns, bob.fell) == (None, None, 0, ())


def test_numbers_of_addresses() -> None:
    assert [my_tables.parse_number(text) for text in ("12", "", None, "-1", "x", "9" * 19, "²")] == [12, *[None] * 6]
