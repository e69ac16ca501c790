"""scorer/games/kosci.toml: docs/rules.md section 8."""

from __future__ import annotations

from itertools import product

import pytest

from tests.scorer.playing import (
    BANK,
    events,
    keep,
    legal,
    play,
    refusal_of,
    score,
    scores,
    table_of,
    throw,
    turn,
)
from tests.scorer.sheets import (
    LOWER,
    UPPER,
    column_of,
    fill,
    offers,
)

KEY = "kosci"


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


def test_section_8_every_keep_is_possible() -> None:
    """Section 6: "any dice kept between throws": each of the dice may stay or not."""
    dice = (1, 2, 3, 4, 5)
    table = play(table_of(KEY), throw(*dice))
    for stays in product((False, True), repeat=5):
        kept = [die for die, stay in zip(dice, stays, strict=True) if stay]
        assert (keep(*kept) in table.legal) == (len(kept) < 5)
