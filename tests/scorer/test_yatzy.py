"""scorer/games/yatzy.toml: docs/rules.md section 11."""

from __future__ import annotations

from tests.scorer.playing import scores, table_of
from tests.scorer.reference.sheets import Yatzy
from tests.scorer.sheets import UPPER, fill, offers

KEY = "yatzy"


def test_section_11_fifteen_cells_in_order() -> None:
    assert list(offers(table_of(KEY), 1, 2, 3, 4, 6)) == [*UPPER, *Yatzy.lower]
    assert len(Yatzy.lower) == 9


def test_section_11_bonus_50_at_63() -> None:
    table = fill(table_of(KEY), sixes=(6, 6, 6, 6, 1), fives=(5, 5, 5, 5, 1), fours=(4, 4, 4, 4, 1))
    fill(table, ones=(1, 1, 2, 3, 4))
    assert scores(table) == [62]
    fill(table, twos=(1, 1, 2, 3, 4))
    assert scores(table) == [64 + 50]


def test_section_11_no_jokers() -> None:
    table = fill(table_of(KEY), yatzy=(4, 4, 4, 4, 4), fours=(4, 4, 4, 4, 4))
    found = offers(table, 4, 4, 4, 4, 4)
    assert (found["full"], found["large-straight"], found["two-pairs"]) == ((0, 0), (0, 0), (0, 0))
    assert (found["pair"], found["three"], found["four"], found["chance"]) == ((8, 0), (12, 0), (16, 0), (20, 0))
    assert set(found) == {*UPPER, *Yatzy.lower} - {"yatzy", "fours"}
