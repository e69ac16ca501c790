"""What lists and statistics are read from follows from the journals: a check notices what differs, and all can be
written anew."""

import contextlib
import random
import shutil
import sqlite3
from pathlib import Path

import pytest

import rollcall
from tests.web.random_tables import RandomTable, compare, projected
from tests.web.stored import append, table_started
from web.hosts.laptop.live_hub import Hub
from web.runner.runner import Runner
from web.store.maintenance import checking
from web.store.maintenance.ends import JournalEnds
from web.store.sqlite import FILE_NAME, SqliteStore
from web.table import events
from web.table.stored_table import Entry, PlayerResult

AT = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with tables at which all happened that rows tell."""
    folder = tmp_path_factory.mktemp("played") / "data"
    store = SqliteStore(folder)
    row = store.create(table_started("farkle", {}, ["Ada"], owner="owner"))
    line = Entry(1, "request-1", {"do": {"do": "throw", "dice": [1, 2, 3, 4, 6, 6]}}, "Ada", AT)
    append(store, row, events.Logged([line], [PlayerResult(0, "Ada", 500, 1)], "digest"))
    runner, rng = Runner(store, Hub()), random.Random(1)
    for game in ("farkle", "kosci-single", "sequence"):
        RandomTable(runner, rng, game).play(150)
    store.close()
    return folder


@pytest.fixture
def data(played: Path, tmp_path: Path) -> Path:
    shutil.copytree(played, tmp_path / "data")
    return tmp_path / "data"


RESULT = {
    **dict.fromkeys(("player", "score", "place", "turns", "ended_no"), "{} + 100"),
    **dict.fromkeys(("name", "person", "game", "digest", "fell"), "'another'"),
    "imported": "NOT imported",
}
DAMAGES = {
    "tables": [
        *("UPDATE tables SET key = 'another' WHERE id = 1", "UPDATE tables SET code = 'ABCDEF' WHERE id = 1"),
        *("UPDATE tables SET game = 'pig' WHERE id = 1", "UPDATE tables SET players = '[]' WHERE id = 1"),
        *("UPDATE tables SET lines = lines + 1 WHERE id = 1", "UPDATE tables SET finished_at = '' WHERE id = 1"),
        *("UPDATE tables SET owner = 'me' WHERE id = 1", "UPDATE tables SET deleted_at = '2026' WHERE id = 1"),
    ],
    "visits": ["DELETE FROM visits", "UPDATE visits SET out = NOT out"],
    "player_games": [
        *(
            f"UPDATE player_games SET {each} = {value.format(each)} WHERE table_id = 1"
            for each, value in RESULT.items()
        ),
        "DELETE FROM player_games",
    ],
}


@pytest.mark.parametrize(("name", "damage"), [(name, each) for name, some in DAMAGES.items() for each in some])
def test_damage_of_a_row_is_told_and_mended_from_the_journal(data: Path, name: str, damage: str) -> None:
    file = data / FILE_NAME
    with contextlib.closing(sqlite3.connect(file)) as store, store:
        assert store.execute(damage).rowcount
    found = checking.check(file, JournalEnds(data))
    assert found.word == checking.DAMAGED
    assert found.complaints[0].endswith(f"what {name} says of it is damaged")
    opened = SqliteStore(data)
    assert [(notice.reason, notice.params["damaged"]) for notice in opened.notices] == [("store-mended", 0)]
    compare(opened)
    opened.close()


def test_all_rows_can_be_written_anew(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = SqliteStore(data)
    before = projected(store)
    store.close()
    assert all(before.values())
    assert rollcall.main(["check", "--rebuild", "--data", str(data)]) == 0
    assert f"written anew from the journals: {len(before['tables'])} tables\n" in capsys.readouterr().out
    store = SqliteStore(data)
    assert projected(store) == before
    store.close()
