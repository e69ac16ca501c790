"""scorer/games/kosci-triple.toml: docs/rules.md section 7."""

from __future__ import annotations

from itertools import product

import pytest

from tests.scorer.playing import play, refusal_of, score, scores, table_of, throw
from tests.scorer.sheets import JOKER_WORTH, LOWER, UPPER, check_every_throw, column_of, fill_column, offers
from tests.scorer.test_kosci_single import WORTH

KEY = "kosci-triple"


def test_section_7_every_throw_in_every_cell_times_its_column() -> None:
    check_every_throw(KEY, WORTH)


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


@pytest.mark.parametrize("generals", list(product([None, 0, 50], repeat=3)))
@pytest.mark.parametrize("own_filled", [(), (1,), (2, 3)])
def test_section_7_further_generals(generals: tuple[int | None, ...], own_filled: tuple[int, ...]) -> None:
    """Section 7: as any lower pattern in column k "if some `general` cell holds points, and in that column both the
    `general` cell and the upper cell of its face are filled"; 100·k "if all three `general` cells hold points".
    """
    table = table_of(KEY)
    for column, general in enumerate(generals, start=1):
        if general is not None:
            fill_column(table, column, general=(6, 6, 6, 6, 6) if general else (1, 1, 2, 2, 3))
    for column in own_filled:
        fill_column(table, column, fours=(1, 1, 2, 2, 3))
    found = offers(table, 4, 4, 4, 4, 4)
    for column, category in product((1, 2, 3), (*UPPER, *LOWER)):
        if category in column_of(table, column=column)["cells"]:
            assert (category, column) not in found
            continue
        counts = any(generals) and generals[column - 1] is not None and column in own_filled
        points = JOKER_WORTH.get(category, 20) if counts and category in LOWER else WORTH[category]([4] * 5)
        bonus = 100 * column if all(generals) else 0
        assert found[category, column] == (points * column, bonus), (category, column)


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


@pytest.mark.parametrize("needed", [True, False])
def test_section_7_whether_further_generals_need_the_first_one_in_its_cell(needed: bool) -> None:
    table = fill_column(table_of(KEY, hundreds_need_first=needed), 1, sixes=(6, 6, 6, 6, 6))
    for column in (1, 2, 3):
        fill_column(table, column, general=(5, 5, 5, 5, 5), fives=(5, 5, 1, 2, 3))
    assert offers(table, 5, 5, 5, 5, 5)["full", 2] == ((0, 0) if needed else (50, 200))
