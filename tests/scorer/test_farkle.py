"""scorer/games/farkle.toml: docs/rules.md section 12."""

from tests.scorer.playing import BANK, aside, play, refusal_of, scores, table_of, throw, turn

KEY = "farkle"


def test_section_12_the_first_banked_turn_needs_500() -> None:
    table = play(table_of(KEY), throw(4, 4, 4, 2, 3, 6), aside(4, 4, 4))
    assert turn(table)["bank_refusal"]["text"] == "the first banked turn needs 500 points, this turn has 400"
    play(table, throw(1, 2, 3), aside(1), BANK)
    assert scores(table) == [500]
    play(table, throw(5, 2, 2, 3, 4, 6), aside(5), BANK)
    assert scores(table) == [550]


def test_section_12_options_minimum_and_opening() -> None:
    table = play(table_of(KEY, minimum=100, opening=0), throw(5, 2, 2, 3, 4, 6), aside(5))
    assert refusal_of(table, BANK) == "bank-needs-minimum"
    table = play(table_of(KEY, opening=0), throw(5, 2, 2, 3, 4, 6), aside(5), BANK)
    assert scores(table) == [50]


def test_section_12_a_bust_is_no_first_banked_turn() -> None:
    table = play(table_of(KEY), throw(2, 2, 3, 4, 6, 6), throw(1, 2, 3, 4, 6, 6), aside(1))
    assert refusal_of(table, BANK) == "bank-needs-opening"
