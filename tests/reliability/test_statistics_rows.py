"""The rows of statistics say what the results say, or the store says that it is damaged, whatever befalls it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.reliability import old_stores
from tests.web.postgres import Postgres, missing, postgres
from tests.web.statistics.results import results_of
from web.statistics import player_games, summaries
from web.statistics.player_games import PlayerGame
from web.store.sqlite import SqliteStore
from web.store.store import Store

DEVICE = "a-phone-of-an-older-version"


def stored_rows(store: Store) -> list[PlayerGame]:
    return player_games.read_rows(
        store, lambda connection: player_games.games_ended_after(connection, DEVICE, 0, 1000)[0]
    )


def plain(results: list[Any]) -> list[tuple[Any, ...]]:
    return [(each.table.id, each.table.game, each.player, each.name, each.score, each.place) for each in results]


@pytest.mark.parametrize("version", old_stores.versions())
def test_an_older_store_gets_the_rows_of_all_its_results(version: int, tmp_path: Path) -> None:
    old_stores.unpack(version, tmp_path)
    store = SqliteStore(tmp_path)
    found = results_of(store, DEVICE)
    assert len(found) >= 3
    assert plain(stored_rows(store)) == plain(found)
    assert summaries.summaries(stored_rows(store)) == summaries.summaries(found)
    store.close()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with finished games."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    old_stores.unpack(old_stores.versions()[-1], folder)
    SqliteStore(folder).close()
    return folder


def test_a_moved_store_has_its_rows(whole: Path, tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")
    if reason := missing():
        pytest.skip(reason)
    from web.hosts.cluster.moving import move
    from web.hosts.cluster.shared_store import SharedStore

    folder = tmp_path / "data"
    shutil.copytree(whole, folder)
    with postgres() as server:
        server_of: Postgres = server
        address = server_of.new()
        move(str(folder), address)
        shared = SharedStore(address)
        assert len(stored_rows(shared)) >= 3
        assert plain(stored_rows(shared)) == plain(results_of(shared, DEVICE))
        shared.close()
        move(address, str(tmp_path / "back"))
    store = SqliteStore(tmp_path / "back")
    assert plain(stored_rows(store)) == plain(results_of(store, DEVICE))
    store.close()
