"""scorer/games/kosci-single.toml: docs/rules.md section 6."""

from __future__ import annotations

import pytest

from tests.scorer.playing import events, keep, legal, play, refusal_of, score, scores, table_of, throw
from tests.scorer.sheets import (
    JOKER_WORTH,
    LOWER,
    UPPER,
    check_every_throw,
    column_of,
    counts,
    fill,
    fill_before,
    offers,
)
from tests.scorer.test_kosci import WORTH as WORTH_OF_SECTION_8

KEY = "kosci-single"

# Section 6 differs from section 8 in one cell: exactly four alike.
WORTH = {**WORTH_OF_SECTION_8, "four": lambda dice: sum(dice) if 4 in counts(dice) else 0}


def test_section_6_every_throw_in_every_cell() -> None:
    check_every_throw(KEY, WORTH)


def test_section_6_after_each_throw_every_open_cell_shows_what_it_would_be_worth() -> None:
    table = fill(table_of(KEY), chance=(1, 2, 3, 4, 6))
    play(table, throw(2, 2, 3, 5, 6))
    for following in [(keep(2, 2), throw(2, 4, 4)), (keep(2, 2, 2, 4), throw(4)), ()]:
        dice = tuple(table.standing()["turn"]["dice"])
        shown = {entry["category"]: entry["points"] for entry in legal(table, "score")}
        assert shown == {category: points(dice) for category, points in WORTH.items() if category != "chance"}
        play(table, *following)


def test_section_6_five_alike_are_no_full_and_no_four_but_a_three() -> None:
    found = offers(table_of(KEY), 4, 4, 4, 4, 4)
    assert (found["full"], found["four"], found["three"]) == ((0, 0), (0, 0), (20, 0))


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("general", [None, 0, 50])
@pytest.mark.parametrize("own_filled", [False, True])
@pytest.mark.parametrize("lower_open", [False, True])
def test_section_6_later_generals(face: int, general: int | None, own_filled: bool, lower_open: bool) -> None:
    """Section 6: (a) "adds 100 bonus points wherever it is written", (b) "if the upper cell of its face is filled,
    counts as any lower pattern", both when the `general` cell holds 50.
    """
    table = table_of(KEY)
    fill_before(table, face, general, own_filled, lower_open)
    found = offers(table, *[face] * 5)
    bonus = 100 if general == 50 else 0
    for category in (*UPPER, *LOWER):
        if category in column_of(table)["cells"]:
            assert category not in found
        elif category in LOWER and general == 50 and own_filled:
            assert found[category] == (JOKER_WORTH.get(category, 5 * face), 100), category
        else:
            assert found[category] == (WORTH[category]([face] * 5), bonus), category


def test_section_6_a_whole_game_checked_by_hand() -> None:
    table = table_of(KEY)
    play(table, throw(3, 3, 3, 3, 3), score("general"))  # 50
    play(table, throw(3, 3, 3, 3, 3), score("threes"))  # 15 + 100, its upper cell was open
    assert events(table) == ["further-general"]
    play(table, throw(3, 3, 3, 3, 3), score("four"))  # 15 + 100: any lower pattern now
    play(table, throw(6, 6, 6, 6, 6), score("full"))  # 0 + 100: the sixes are open
    fill(table, sixes=(6, 6, 6, 1, 2), ones=(5, 5, 2, 1, 6), fives=(5, 5, 2, 1, 6))  # 18, 1, 10
    fill(table, twos=(5, 5, 2, 1, 6), fours=(4, 4, 4, 4, 1))  # 2, 16: upper 62, no bonus
    fill(table, three=(2, 2, 2, 5, 6), chance=(1, 1, 2, 2, 3))  # 17, 9
    fill(table, small_straight=(1, 2, 3, 4, 6), large_straight=(1, 2, 3, 4, 6))  # 30, 0
    assert table.over
    column = column_of(table)
    assert (column["upper_sum"], column["upper_bonus"], column["lower_sum"], column["extra"]) == (62, 0, 121, 300)
    assert scores(table) == [483]


def test_section_6_a_0_only_where_nothing_fits() -> None:
    """Section 6, Reading: with the option, "a cell that brings neither points nor a bonus may be written only if no
    open cell would bring any".
    """
    table = table_of(KEY, zero_only_if_nothing_fits=True)
    assert set(offers(table, 1, 1, 2, 3, 6)) == {"ones", "twos", "threes", "sixes", "chance"}
    play(table, throw(1, 1, 2, 3, 6))
    assert refusal_of(table, score("general")) == "zero-while-something-fits"
    play(table, score("ones"))
    fill(table, twos=(2, 3, 4, 4, 6), threes=(3, 2, 4, 4, 6), chance=(1, 2, 2, 3, 6), sixes=(6, 6, 1, 2, 3))
    assert set(offers(table, 1, 1, 2, 3, 6)) == {"fours", "fives", *LOWER} - {"chance"}


def test_section_6_a_bonus_is_no_0() -> None:
    """A further general whose upper cell is open is written for 0 and 100."""
    table = fill(table_of(KEY, zero_only_if_nothing_fits=True), general=(4, 4, 4, 4, 4))
    assert offers(table, 4, 4, 4, 4, 4)["full"] == (0, 100)


@pytest.mark.parametrize("needed", [True, False])
def test_section_6_whether_later_generals_need_the_first_one_in_its_cell(needed: bool) -> None:
    table = table_of(KEY, hundreds_need_first=needed)
    fill(table, sixes=(6, 6, 6, 6, 6), general=(5, 5, 5, 5, 5), fives=(5, 5, 1, 2, 3))
    assert offers(table, 5, 5, 5, 5, 5)["full"] == ((0, 0) if needed else (25, 100))
    first = fill(table_of(KEY, hundreds_need_first=needed), general=(5, 5, 5, 5, 5), fives=(5, 5, 1, 2, 3))
    assert offers(first, 5, 5, 5, 5, 5)["full"] == (25, 100)
