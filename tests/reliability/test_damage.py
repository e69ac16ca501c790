"""A damaged store is noticed: no table is served with another score, and those that are whole go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability import damaging


@pytest.mark.parametrize("stores", [30, pytest.param(1000, marks=pytest.mark.slow)])
def test_damaged_stores_are_noticed_and_the_whole_tables_go_on(tmp_path: Path, stores: int) -> None:
    total = damaging.run(tmp_path, stores, seed=stores)
    print(f"\n{dict(total)}")
    assert total["stores"] == stores
    assert min(total["whole"], total["damaged"], total["gone"]) > 0
