"""scorer/games/kosci-triple.toml: docs/rules.md section 7."""

from __future__ import annotations

from itertools import product

import pytest

from tests.scorer.playing import play, refusal_of, score, scores, table_of, throw
from tests.scorer.sheets import LOWER, UPPER, column_of, fill_column, offers

KEY = "kosci-triple"


def test_section_7_39_turns() -> None:
    table = table_of(KEY)
    for turn, (column, category) in enumerate(product((3, 1, 2), (*UPPER, *LOWER))):
        assert (table.over, table.version) == (False, 2 * turn)
        play(table, throw(1, 2, 2, 3, 6), score(category, column))
    assert table.over


def test_section_7_the_column_is_named() -> None:
    table = play(table_of(KEY), throw(1, 2, 2, 3, 6))
    assert refusal_of(table, score("chance")) == "missing-field"
    assert refusal_of(table, score("chance", 4)) == "not-in-range"
    assert refusal_of(table, score("chance", 0)) == "not-in-range"
    assert refusal_of(play(table_of("kosci-single"), throw(1, 2, 2, 3, 6)), score("chance", 1)) == "unknown-field"


@pytest.mark.parametrize("column", [1, 2, 3])
def test_section_7_upper_bonus_and_threshold_times_the_column(column: int) -> None:
    table = fill_column(table_of(KEY), column, sixes=(6, 6, 6, 6, 1), fives=(5, 5, 5, 5, 1), fours=(4, 4, 4, 4, 1))
    fill_column(table, column, ones=(1, 1, 2, 3, 4))
    assert column_of(table, column=column)["upper_sum"] == 62 * column
    assert scores(table) == [62 * column]
    fill_column(table, column, threes=(3, 1, 1, 2, 2))
    assert column_of(table, column=column)["upper_bonus"] == 35 * column
    assert scores(table) == [100 * column]


def test_section_7_the_bonus_counts_in_the_column_it_is_written_in() -> None:
    table = table_of(KEY)
    for column in (1, 2, 3):
        play(table, throw(2, 2, 2, 2, 2), score("general", column))
    assert scores(table) == [50 + 100 + 150]
    play(table, throw(2, 2, 2, 2, 2), score("twos", 3))
    assert scores(table) == [300 + 30 + 300]
    assert [column_of(table, column=column)["extra"] for column in (1, 2, 3)] == [0, 0, 300]


def test_section_7_score_by_hand() -> None:
    table = fill_column(table_of(KEY), 2, full=(1, 1, 2, 2, 2), small_straight=(1, 2, 3, 4, 6), four=(5, 5, 5, 5, 1))
    fill_column(table, 3, large_straight=(2, 3, 4, 5, 6), three=(6, 6, 6, 1, 2), fives=(5, 5, 2, 1, 6))
    fill_column(table, 1, chance=(1, 1, 2, 2, 3))
    assert scores(table) == [2 * (25 + 30 + 21) + 3 * (40 + 21 + 10) + 9]


def test_section_7_a_0_only_where_nothing_fits_in_any_column() -> None:
    table = table_of(KEY, zero_only_if_nothing_fits=True)
    fill_column(table, 1, **{category.replace("-", "_"): (1, 2, 3, 4, 5) for category in ("ones", "chance")})
    assert ("full", 1) not in offers(table, 1, 1, 2, 3, 6)
    assert ("twos", 1) in offers(table, 1, 1, 2, 3, 6)
    play(table, throw(1, 1, 2, 3, 6))
    assert refusal_of(table, score("full", 1)) == "zero-while-something-fits"
    play(table, score("chance", 3))
