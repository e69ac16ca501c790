"""How pages, the start and `rollcall check` grow with the number of tables in a store.

    python -m benchmarks.growth [--tables 100 1000 10000 50000] [--rounds 5] [--keep FOLDER] [--pages-only]

Makes a store for each number and prints one column for each. A handful of games of several kinds are really played, and
stand in the store again and again with other names. Their logs are chained anew by the rules of `web.journal.journal`.
One phone has been at all tables. There are 1,000 names, and one player has up to 1,000 games of one kind. The newest
201 tables are one series, and one running game has 20,000 steps. What it came to is in docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from sqlalchemy import Connection, create_engine, insert

import scorer
from tests.web.phones import any_legal
from tests.web.served import ROOT, Served
from web.app import create_app
from web.hosts.threads import ThreadTask
from web.services import services
from web.store import event_rows, projections, schema
from web.store.event_rows import NEXT_OF_FILE
from web.store.sqlite import FILE_NAME, SqliteStore
from web.table import stored_table
from web.table.events import Logged, NextTableSet, Stored, TableStarted
from web.table.stored_table import Entry
from web.table.view import TableSettings

Json = dict[str, Any]

TABLES = (100, 1000, 10_000, 50_000)
NAMES = 1000
STAR, STAR_GAME, STAR_GAMES = "Ada", "sequence", 1000
SERIES = 201
LONG_STEPS = scorer.MOST_ACTIONS
RUNNING_EVERY = 100  # one table of so many is not over
SAME_DICE_EVERY = 50
DICE_SET = "Blue"
DEVICE = "a-phone-that-was-at-all-tables"
GUEST = "a-phone-that-was-at-few-tables"
GUEST_TABLES = 20
PLAYED: Sequence[tuple[str, Json, int]] = (
    (STAR_GAME, {"target": 40}, 3),
    ("ones-and-fives", {"target": 1000, "minimum": 100}, 2),
    ("forbidden-numbers", {}, 3),
    ("farkle", {"target": 1000, "opening": 0}, 2),
    ("kosci-single", {}, 2),
)
GAMES_OF_A_KIND = 8


@dataclass(frozen=True)
class Played:
    """A game that was really played, over or not: the bodies of its log's lines in their order."""

    game: str
    options: Json
    players: int
    bodies: list[Json]
    results: list[stored_table.PlayerResult] | None


def played(game: str, options: Json, players: int, dice: random.Random, over: bool) -> Played:
    """A game by legal actions that chance chooses; one that is not `over` ends half-way."""
    rules = scorer.game(game, **options)
    while True:
        table = scorer.Table(rules, [f"Player {number}" for number in range(players)])
        while not table.over and table.version < 400:
            table.do(any_legal(table.standing(), dice))
        if table.over:
            break
    actions = table.record()["actions"]
    if not over:
        actions = actions[: len(actions) // 2]
        table = scorer.Table(rules, table.players)
        for action in actions:
            table.do(action)
    bodies = [{"do": action} for action in actions]
    return Played(game, table.record()["options"], players, bodies, stored_table.outcome(table)[0])


def long_game(dice: random.Random) -> Played:
    """A game in which each throw is a turn, as long as the rules allow."""
    throws = ({"do": "throw", "dice": [dice.randint(1, 6) for _ in range(6)]} for _ in range(LONG_STEPS))
    options = scorer.Table(scorer.game("sequence", target=1_000_000), ["Ada", "Bob"]).record()["options"]
    return Played("sequence", options, 2, [{"do": throw} for throw in throws], None)


class Maker:
    """Fills an empty store."""

    def __init__(self, connection: Connection, tables: int) -> None:
        self._connection = connection
        self._dice = random.Random(tables)
        self._tables = tables
        self.lines = 0
        self.keys: list[str] = []

    def fill(self) -> None:
        dice = self._dice
        over = {kind[0]: [played(*kind, dice, True) for _ in range(GAMES_OF_A_KIND)] for kind in PLAYED}
        running = [played(*kind, dice, False) for kind in PLAYED]
        games = list(over.values())
        star_every = max(2, self._tables // STAR_GAMES)
        self.keys = [secrets.token_urlsafe(18) for _ in range(self._tables)]
        series_from = max(1, self._tables - SERIES)
        for number in range(1, self._tables):
            if number >= series_from:
                game, names = dice.choice(over["ones-and-fives"]), ["Zoe", "Yan"]
            elif number % star_every == 0:
                game = dice.choice(over[STAR_GAME])
                names = [STAR, *self._names(game.players - 1)]
            elif number % RUNNING_EVERY == 1:
                game = dice.choice(running)
                names = self._names(game.players)
            else:
                game = dice.choice(dice.choice(games))
                names = self._names(game.players)
            follows = series_from <= number < self._tables - 1
            self._table(number, game, names, self.keys[number] if follows else None)
        self._table(self._tables, long_game(dice), ["Ada", "Bob"], None)

    def _names(self, count: int) -> list[str]:
        return [f"Player {number:03}" for number in self._dice.sample(range(NAMES), count)]

    def _table(self, number: int, game: Played, names: Sequence[str], next_key: str | None) -> None:
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1_700_000_000 + number * 900))
        happened: list[Stored] = [self._started(number, game, names, at), *_logged(number, game, names, at)]
        happened += [] if next_key is None else [NextTableSet(next_key)]
        event_rows.insert_row(self._connection, projections.project(happened).row, NEXT_OF_FILE, number)
        event_rows.append_now(self._connection, number, *happened)
        projections.rebuild(self._connection, number, happened)
        phones = (DEVICE, GUEST) if number > self._tables - GUEST_TABLES else (DEVICE,)
        rows = [{"device": phone, "table_id": number, "at": at} for phone in phones]
        self._connection.execute(insert(schema.visits), rows)
        self.lines += len(game.bodies)

    def _started(self, number: int, game: Played, names: Sequence[str], at: str) -> TableStarted:
        dice_set = DICE_SET if number % SAME_DICE_EVERY == 0 else ""
        setup: Json = {
            "game": game.game,
            "options": game.options,
            "players": names,
            "settings": TableSettings(dice_set=dice_set),
        }
        return TableStarted(key=self.keys[number - 1], code=f"{number:06}", at=at, created_at=at, **setup)


def _logged(number: int, game: Played, names: Sequence[str], at: str) -> list[Logged]:
    lines = [Entry(seq, f"request-{seq:06}", body, "Ada's phone", at) for seq, body in enumerate(game.bodies, start=1)]
    happened = [Logged([line]) for line in lines]
    if game.results is not None:
        results = [replace(each, name=names[each.player]) for each in game.results]
        happened[-1] = Logged(lines[-1:], results, hashlib.sha256(f"{number} {names}".encode()).hexdigest())
    return happened


def make(folder: Path, tables: int) -> Maker:
    """Makes a store of so many tables in `folder`, as a server leaves it that was ended."""
    SqliteStore(folder).close()
    engine = create_engine(f"sqlite:///{folder / FILE_NAME}")
    with engine.begin() as connection:
        maker = Maker(connection, tables)
        maker.fill()
    engine.dispose()
    return maker


def pages(maker: Maker) -> dict[str, tuple[str, str]]:
    """What is asked for: for each row of the table that is printed the phone that asks, and the address."""
    last, in_series = f"/tables/{maker.keys[-1]}", f"/tables/{maker.keys[-2]}"
    with_dice = f"/tables/{maker.keys[len(maker.keys) // SAME_DICE_EVERY // 2 * SAME_DICE_EVERY - 1]}"
    player = "/history/player?" + urlencode({"name": STAR, "game": STAR_GAME})
    return {
        "first page": (DEVICE, "/"),
        "my tables, a phone that was at all": (DEVICE, "/history"),
        "my tables, a phone that was at 20": (GUEST, "/history"),
        f"player page, {STAR_GAMES} games": (DEVICE, player),
        "... with luck": (DEVICE, f"{player}&luck"),
        "results CSV": (DEVICE, "/history.csv"),
        f"the page of a table in a series of {SERIES}": (DEVICE, in_series),
        "... its statistics": (DEVICE, f"{in_series}/statistics"),
        "statistics of dice used at every 50th table": (DEVICE, f"{with_dice}/statistics"),
        f"{LONG_STEPS} steps: statistics": (DEVICE, f"{last}/statistics"),
        "... turns.csv": (DEVICE, f"{last}/turns.csv"),
        "... throws.csv": (DEVICE, f"{last}/throws.csv"),
        "... board": (DEVICE, f"{last}/board"),
    }


def time_pages(folder: Path, maker: Maker, rounds: int) -> dict[str, str]:
    """Each page's first time and the median of the others, in milliseconds, within one process."""
    application = create_app(folder, ThreadTask)
    told = {}
    try:
        application.test_client().get("/help")  # which loads what every page needs
        for name, (device, path) in pages(maker).items():
            client = application.test_client()
            client.set_cookie("device", device)
            times, sizes = [], 0
            for _ in range(rounds + 1):
                began = time.perf_counter()
                response = client.get(path)
                sizes = len(response.get_data())
                times.append(1000 * (time.perf_counter() - began))
                assert response.status_code == 200, (name, response.status_code)
                if sum(times) > 20_000:
                    break
            later = statistics.median(times[1:] or times)
            told[f"{name}, ms"] = f"{later:.0f} ({times[0]:.0f}; {sizes // 1024} kB)"
    finally:
        services(application).close()
    return told


def timed(act: Callable[[], None]) -> str:
    began = time.perf_counter()
    act()
    return f"{time.perf_counter() - began:.1f}"


def start_and_end(folder: Path) -> None:
    with Served(folder):
        pass


def started(folder: Path) -> str:
    """Seconds until a server that is started on `folder` is ready."""
    served = Served(folder)
    began = time.perf_counter()
    with served:
        return f"{time.perf_counter() - began:.1f}"


def check(folder: Path) -> None:
    command = [sys.executable, "-m", "rollcall", "check", "--data", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def column(folder: Path, tables: int, rounds: int, pages_only: bool) -> dict[str, str]:
    """All figures of a store of so many tables."""
    began = time.perf_counter()
    maker = make(folder, tables)
    size = (folder / FILE_NAME).stat().st_size
    told = {"lines in the logs": f"{maker.lines:,}", "store, MB": f"{size / 1e6:.0f}"}
    told["made in, s"] = f"{time.perf_counter() - began:.1f}"
    if not pages_only:
        told["first start, s"] = started(folder)
        told["start, s"] = started(folder)
        told["check, s"] = timed(lambda: check(folder))
    return {**told, **time_pages(folder, maker, rounds)}


def printed(columns: dict[int, dict[str, str]]) -> Iterator[str]:
    """The table in Markdown; of pages the median, in brackets the first time and how much travels."""
    yield "| | " + " | ".join(f"{tables:,} tables" for tables in columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    for name in next(iter(columns.values())):
        yield f"| {name} | " + " | ".join(told[name] for told in columns.values()) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=TABLES, help="how many tables, one store each")
    parser.add_argument("--rounds", type=int, default=5, help="how often each page is asked for after its first time")
    parser.add_argument("--keep", type=Path, help="a folder in which the stores stay; else they are deleted")
    parser.add_argument("--pages-only", action="store_true", help="neither start a server nor run `rollcall check`")
    arguments = parser.parse_args()
    columns: dict[int, dict[str, str]] = {}
    for tables in arguments.tables:
        with tempfile.TemporaryDirectory() as temporary:
            folder = (arguments.keep or Path(temporary)) / f"tables-{tables}"
            columns[tables] = column(folder, tables, arguments.rounds, arguments.pages_only)
        print(f"{tables} tables: done", file=sys.stderr)
    print("\n".join(printed(columns)))


if __name__ == "__main__":
    main()
