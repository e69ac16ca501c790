"""docs/rules.md, sections 6 to 8 and 10: what the second implementation of each game does not say."""

import pytest

import scorer
from tests.scorer.playing import BANK, events, keep, legal, play, refusal_of, score, scores, table_of, throw, turn
from tests.scorer.sheets import LOWER, column_of, fill, fill_column, offers


def test_section_6_a_0_only_where_nothing_fits() -> None:
    """Section 6, Reading: with the option, "a cell that brings neither points nor a bonus may be written only if no
    open cell would bring any".
    """
    table = table_of("kosci-single", zero_only_if_nothing_fits=True)
    assert set(offers(table, 1, 1, 2, 3, 6)) == {"ones", "twos", "threes", "sixes", "chance"}
    play(table, throw(1, 1, 2, 3, 6))
    assert refusal_of(table, score("general")) == "zero-while-something-fits"
    play(table, score("ones"))
    fill(table, twos=(2, 3, 4, 4, 6), threes=(3, 2, 4, 4, 6), chance=(1, 2, 2, 3, 6), sixes=(6, 6, 1, 2, 3))
    assert set(offers(table, 1, 1, 2, 3, 6)) == {"fours", "fives", *LOWER} - {"chance"}


def test_section_7_the_column_is_named() -> None:
    table = play(table_of("kosci-triple"), throw(1, 2, 2, 3, 6))
    assert refusal_of(table, score("chance")) == "missing-field"
    assert refusal_of(table, score("chance", 4)) == "not-in-range"
    assert refusal_of(table, score("chance", 0)) == "not-in-range"
    assert refusal_of(play(table_of("kosci-single"), throw(1, 2, 2, 3, 6)), score("chance", 1)) == "unknown-field"


def test_section_7_a_0_only_where_nothing_fits_in_any_column() -> None:
    table = table_of("kosci-triple", zero_only_if_nothing_fits=True)
    fill_column(table, 1, **{category.replace("-", "_"): (1, 2, 3, 4, 5) for category in ("ones", "chance")})
    assert ("full", 1) not in offers(table, 1, 1, 2, 3, 6)
    assert ("twos", 1) in offers(table, 1, 1, 2, 3, 6)
    play(table, throw(1, 1, 2, 3, 6))
    assert refusal_of(table, score("full", 1)) == "zero-while-something-fits"
    play(table, score("chance", 3))


def test_section_6_keep_before_every_throw_but_the_first() -> None:
    table = table_of("kosci")
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
    table = fill(table_of("kosci"), chance=(1, 2, 3, 4, 6))
    play(table, throw(1, 2, 3, 4, 6))
    assert refusal_of(table, score("chance")) == "cell-filled"
    assert refusal_of(table, score("yatzy")) == "unknown-category"


def test_section_8_the_upper_bonus_is_told_when_it_is_reached() -> None:
    table = fill(table_of("kosci"), sixes=(6, 6, 6, 1, 2), fives=(5, 5, 5, 1, 2), fours=(4, 4, 4, 1, 2))
    fill(table, threes=(3, 3, 3, 1, 2), twos=(2, 2, 2, 1, 3))
    assert (column_of(table)["upper_sum"], events(table)) == (60, [])
    assert events(fill(table, ones=(1, 1, 1, 2, 3))) == ["upper-bonus"]


def test_section_10_refusals_say_where_the_joker_goes() -> None:
    table = fill(table_of("yahtzee"), general=(4, 4, 4, 4, 4))
    play(table, throw(4, 4, 4, 4, 4))
    assert refusal_of(table, score("chance")) == "joker-own-cell-first"
    play(table, score("fours"), throw(4, 4, 4, 4, 4))
    assert refusal_of(table, score("ones")) == "joker-lower-first"
    play(table, score("large-straight"))
    assert scores(table) == [50 + 120 + 140]


def test_section_10_an_unknown_joker_rule_is_refused() -> None:
    with pytest.raises(scorer.OptionError, match="must be one of forced, free, original"):
        scorer.game("yahtzee", joker="never")
