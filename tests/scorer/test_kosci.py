"""scorer/games/kosci.toml: docs/rules.md section 8."""

from itertools import product

from tests.scorer.playing import BANK, events, keep, legal, play, refusal_of, score, scores, table_of, throw, turn
from tests.scorer.sheets import column_of, fill

KEY = "kosci"


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


def test_section_8_the_upper_bonus_is_told_when_it_is_reached() -> None:
    table = fill(table_of(KEY), sixes=(6, 6, 6, 1, 2), fives=(5, 5, 5, 1, 2), fours=(4, 4, 4, 1, 2))
    fill(table, threes=(3, 3, 3, 1, 2), twos=(2, 2, 2, 1, 3))
    assert (column_of(table)["upper_sum"], events(table)) == (60, [])
    assert events(fill(table, ones=(1, 1, 1, 2, 3))) == ["upper-bonus"]
