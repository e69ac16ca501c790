"""A damaged store is noticed: no table is served with another score, and those that are whole go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability import damaging


def test_30_damaged_stores_are_noticed_and_the_whole_tables_go_on(tmp_path: Path) -> None:
    total = damaging.run(tmp_path, stores=30, seed=1)
    assert total["stores"] == 30
    assert min(total["whole"], total["damaged"], total["gone"]) > 0


@pytest.mark.slow
def test_1000_damaged_stores_are_noticed_and_the_whole_tables_go_on(tmp_path: Path) -> None:
    total = damaging.run(tmp_path, stores=1000, seed=2)
    print(f"\n{dict(total)}")
    assert total["stores"] == 1000
