"""A damaged store is noticed: no table is served with another score, and those that are whole go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability import damaging
from web.store.maintenance import startup_check


def test_24_damaged_stores_are_noticed_and_the_whole_tables_go_on(tmp_path: Path) -> None:
    total = damaging.run(tmp_path, stores=24, seed=1)
    assert total["stores"] == 24
    assert min(total["whole"], total["damaged"], total["gone"]) > 0


@pytest.mark.slow
def test_1000_damaged_stores_are_noticed_and_the_whole_tables_go_on(tmp_path: Path) -> None:
    total = damaging.run(tmp_path, stores=1000, seed=2)
    print(f"\n{dict(total)}")
    assert total["stores"] == 1000


@pytest.fixture
def small_stores_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small stores are else looked at as a whole at each start."""
    monkeypatch.setattr(startup_check, "AT_ONCE", 0)


def test_20_stores_whose_bits_the_disk_flipped_are_mended_while_they_are_served(
    tmp_path: Path, small_stores_too: None
) -> None:
    total = damaging.run_in_place(tmp_path, stores=20, seed=5)
    assert total["stores"] == 20
    assert min(total["whole"], total["damaged"], total["repaired while served"]) > 0


@pytest.mark.slow
def test_500_stores_whose_bits_the_disk_flipped_are_mended_while_they_are_served(
    tmp_path: Path, small_stores_too: None
) -> None:
    total = damaging.run_in_place(tmp_path, stores=500, seed=7)
    print(f"\n{dict(total)}")
    assert total["stores"] == 500
