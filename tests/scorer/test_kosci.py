"""scorer/games/kosci.toml: docs/rules.md section 8."""

from __future__ import annotations

from itertools import product

import pytest

from tests.scorer.playing import (
    BANK,
    events,
    keep,
    legal,
    places,
    play,
    refusal_of,
    score,
    scores,
    table_of,
    throw,
    turn,
)
from tests.scorer.sheets import (
    JOKER_WORTH,
    LOWER,
    UPPER,
    check_every_throw,
    column_of,
    counts,
    fill,
    fill_before,
    has_run,
    offers,
)

KEY = "kosci"

WORTH = {
    **{key: lambda dice, face=face: face * list(dice).count(face) for face, key in enumerate(UPPER, start=1)},
    "three": lambda dice: sum(dice) if counts(dice)[-1] >= 3 else 0,
    "four": lambda dice: sum(dice) if counts(dice)[-1] >= 4 else 0,
    "full": lambda dice: 25 if counts(dice) == [2, 3] else 0,
    "small-straight": lambda dice: 30 if has_run(dice, 4) else 0,
    "large-straight": lambda dice: 40 if has_run(dice, 5) else 0,
    "general": lambda dice: 50 if counts(dice) == [5] else 0,
    "chance": sum,
}


def test_section_8_every_throw_in_every_cell() -> None:
    check_every_throw(KEY, WORTH)


def test_section_8_thirteen_rounds_of_up_to_three_throws() -> None:
    table = table_of(KEY, players=2)
    for category in (*UPPER, *LOWER):
        for player in range(2):
            assert not table.over
            assert table.standing()["to_act"] == [player]
            assert turn(table)["throws_left"] == 3
            play(table, throw(1, 2, 2, 3, 6), keep(2, 2), throw(4, 4, 4), keep(), throw(1, 1, 2, 3, 6))
            assert turn(table)["throws_left"] == 0
            assert refusal_of(table, keep(1)) == "no-throws-left"
            play(table, score(category))
    assert table.over
    assert table.standing()["winners"] == [0, 1]
    assert list(table.legal) == []


def test_section_6_kept_dice_may_be_thrown_again_later() -> None:
    table = play(table_of(KEY), throw(2, 2, 3, 5, 6), keep(2, 2), throw(3, 3, 3))
    assert turn(table)["dice"] == [2, 2, 3, 3, 3]
    play(table, keep(3, 3, 3), throw(3, 1))
    assert turn(table)["dice"] == [1, 3, 3, 3, 3]


def test_section_6_keep_before_every_throw_but_the_first() -> None:
    table = table_of(KEY)
    assert list(table.legal) == [{"do": "throw", "count": 5}]
    assert refusal_of(table, keep()) == "nothing-to-keep"
    assert refusal_of(table, score("chance")) == "nothing-to-score"
    play(table, throw(1, 2, 3, 4, 6))
    assert refusal_of(table, throw(1, 2, 3, 4, 6)) == "keep-first"
    assert legal(table, "keep") == [{"do": "keep", "from": [1, 2, 3, 4, 6]}]
    assert refusal_of(table, keep(5)) == "dice-not-there"
    assert refusal_of(table, keep(1, 1)) == "dice-not-there"
    assert refusal_of(table, keep(1, 2, 3, 4, 6)) == "keep-all"
    play(table, keep(1, 2))
    assert list(table.legal) == [{"do": "throw", "count": 3}]
    assert (turn(table)["kept"], turn(table)["expects"]) == ([1, 2], 3)
    assert refusal_of(table, score("chance")) == "nothing-to-score"
    assert refusal_of(table, throw(1, 2)) == "wrong-count"
    assert refusal_of(table, BANK) == "unknown-action"


def test_section_6_a_cell_is_written_once() -> None:
    table = fill(table_of(KEY), chance=(1, 2, 3, 4, 6))
    play(table, throw(1, 2, 3, 4, 6))
    assert refusal_of(table, score("chance")) == "cell-filled"
    assert refusal_of(table, score("yatzy")) == "unknown-category"


def test_section_6_a_cell_that_does_not_fit_takes_0() -> None:
    table = fill(table_of(KEY), large_straight=(1, 1, 2, 3, 6))
    assert column_of(table)["cells"] == {"large-straight": 0}


def test_section_8_upper_bonus() -> None:
    """Section 8: "Upper sum >= 63: bonus 35"."""
    table = fill(table_of(KEY), sixes=(6, 6, 6, 1, 2), fives=(5, 5, 5, 1, 2), fours=(4, 4, 4, 1, 2))
    fill(table, threes=(3, 3, 3, 1, 2), twos=(2, 2, 2, 1, 3))
    assert (column_of(table)["upper_sum"], column_of(table)["upper_bonus"]) == (60, 0)
    less = fill(table_of(KEY), sixes=(6, 6, 6, 1, 2), fives=(5, 5, 5, 1, 2), fours=(4, 4, 4, 1, 2))
    fill(less, threes=(3, 3, 3, 1, 2), twos=(2, 2, 2, 1, 3), ones=(1, 1, 2, 3, 4))
    assert scores(less) == [62]
    play(table, throw(1, 1, 1, 2, 3))
    assert legal(table, "score")[0] == {"do": "score", "category": "ones", "points": 3, "bonus": 0}
    play(table, score("ones"))
    assert events(table) == ["upper-bonus"]
    assert scores(table) == [98]


@pytest.mark.parametrize("face", range(1, 7))
@pytest.mark.parametrize("general", [None, 0, 50])
@pytest.mark.parametrize("own_filled", [False, True])
@pytest.mark.parametrize("lower_open", [False, True])
@pytest.mark.parametrize("first", [False, True])
def test_section_8_jokers(face: int, general: int | None, own_filled: bool, lower_open: bool, first: bool) -> None:
    """Section 8: "a general is one if the player has written a general before (five alike, into any cell) and the
    `general` cell and the upper cell of its face are both filled"; with the option also the first one is.
    """
    table = table_of(KEY, first_general_is_joker=first)
    own = UPPER[face - 1]
    fill_before(table, face, general, own_filled, lower_open)
    found = offers(table, *[face] * 5)
    joker = general is not None and own_filled and (first or general == 50)
    any_lower_open = lower_open or general is None
    bonus = 100 if joker and general == 50 else 0
    for category in (*UPPER, *LOWER):
        filled = category in column_of(table)["cells"]
        assert (category in found) == (not filled)
        if filled:
            continue
        if category in UPPER:
            wanted = (5 * face if category == own else 0, bonus if not any_lower_open else 0)
        elif joker:
            wanted = (JOKER_WORTH.get(category, 5 * face), bonus)
        else:
            wanted = (WORTH[category]([face] * 5), 0)
        assert found[category] == wanted, category


def test_section_8_a_general_in_any_cell_makes_the_next_one_a_joker() -> None:
    table = fill(table_of(KEY), general=(1, 2, 3, 4, 6), fours=(4, 4, 1, 2, 3))
    assert offers(table, 4, 4, 4, 4, 4)["full"] == (0, 0)
    fill(table, chance=(6, 6, 6, 6, 6))
    assert offers(table, 4, 4, 4, 4, 4)["full"] == (25, 0)


@pytest.mark.parametrize("needed", [True, False])
def test_section_8_a_hundred_needs_the_first_general_in_its_cell(needed: bool) -> None:
    """The text: "pod warunkiem, że pierwszy został zapisany do kategorii generał". Here it is in the sixes."""
    table = table_of(KEY, hundreds_need_first=needed)
    fill(table, sixes=(6, 6, 6, 6, 6), general=(5, 5, 5, 5, 5), fives=(5, 5, 1, 2, 3))
    assert offers(table, 5, 5, 5, 5, 5)["full"] == (25, 0 if needed else 100)
    fill(table, full=(5, 5, 5, 5, 5))
    assert scores(table) == [30 + 50 + 10 + 25 + (0 if needed else 100)]


def test_section_8_a_hundred_for_each_joker_after_a_first_general_in_its_cell() -> None:
    table = fill(table_of(KEY), general=(5, 5, 5, 5, 5), fives=(5, 5, 1, 2, 3), full=(5, 5, 5, 5, 5))
    assert scores(table) == [50 + 10 + 25 + 100]


def test_section_8_another_players_general_does_not_count() -> None:
    table = table_of(KEY, players=2)
    play(table, throw(6, 6, 6, 6, 6), score("chance"), throw(1, 2, 3, 4, 6), score("general"))
    play(table, throw(1, 2, 3, 4, 6), score("ones"), throw(4, 4, 1, 2, 3), score("fours"))
    play(table, throw(1, 2, 3, 4, 6), score("twos"))
    assert offers(table, 4, 4, 4, 4, 4)["full"] == (0, 0)


def test_section_8_a_joker_may_go_into_every_open_cell() -> None:
    """Section 8, Reading: "a joker written into an upper cell while a lower one is open is an ordinary 0: no bonus"."""
    table = fill(table_of(KEY), general=(4, 4, 4, 4, 4), fours=(4, 4, 4, 4, 4))
    play(table, throw(4, 4, 4, 4, 4), score("sixes"))
    assert column_of(table)["cells"]["sixes"] == 0
    assert (column_of(table)["extra"], scores(table)) == (0, [70])
    play(table, throw(4, 4, 4, 4, 4), score("large-straight"))
    assert events(table) == ["further-general"]
    assert scores(table) == [210]


def test_section_8_places_by_total() -> None:
    table = table_of(KEY, players=3)
    play(table, throw(6, 6, 6, 6, 6), score("chance"))
    play(table, throw(1, 2, 3, 4, 6), score("chance"))
    play(table, throw(6, 6, 6, 6, 6), score("chance"))
    assert (scores(table), places(table)) == ([30, 16, 30], [1, 3, 1])


def test_section_8_a_whole_game_checked_by_hand() -> None:
    table = table_of(KEY)
    play(table, throw(5, 5, 5, 5, 5), score("general"))  # 50
    play(table, throw(5, 5, 2, 5, 1), keep(5, 5, 5), throw(5, 3), score("fives"))  # 20
    play(table, throw(5, 5, 5, 5, 5), score("small-straight"))  # joker: 30 + 100
    play(table, throw(4, 3, 4, 4, 1), score("fours"))  # 12, the text's own example
    play(table, throw(6, 5, 2, 5, 5), score("three"))  # 23, the text's own example
    play(table, throw(4, 2, 4, 4, 2), score("full"))  # 25, the text's own example
    play(table, throw(6, 6, 6, 6, 1), score("sixes"))  # 24
    play(table, throw(2, 3, 4, 5, 6), score("large-straight"))  # 40
    play(table, throw(3, 3, 3, 1, 2), score("threes"))  # 9: upper 65, bonus 35
    assert events(table) == ["upper-bonus"]
    play(table, throw(2, 2, 2, 2, 6), score("four"))  # 14
    play(table, throw(2, 2, 1, 3, 4), score("twos"))  # 4
    play(table, throw(6, 6, 5, 4, 3), score("chance"))  # 24
    play(table, throw(5, 5, 5, 5, 5), score("ones"))  # joker with no lower cell open: 0 + 100
    assert table.over
    assert column_of(table) == {
        "column": 1,
        "cells": {
            "ones": 0,
            "twos": 4,
            "threes": 9,
            "fours": 12,
            "fives": 20,
            "sixes": 24,
            "three": 23,
            "four": 14,
            "full": 25,
            "small-straight": 30,
            "large-straight": 40,
            "general": 50,
            "chance": 24,
        },
        "upper_sum": 69,
        "upper_bonus": 35,
        "upper_threshold": 63,
        "lower_sum": 206,
        "extra": 200,
        "total": 510,
    }
    assert scores(table) == [510]


def test_section_8_every_keep_is_possible() -> None:
    """Section 6: "any dice kept between throws": each of the dice may stay or not."""
    dice = (1, 2, 3, 4, 5)
    table = play(table_of(KEY), throw(*dice))
    for stays in product((False, True), repeat=5):
        kept = [die for die, stay in zip(dice, stays, strict=True) if stay]
        assert (keep(*kept) in table.legal) == (len(kept) < 5)
