"""scorer/games/ones-and-fives.toml: docs/rules.md section 1."""

from tests.scorer.playing import BANK, aside, legal, play, refusal_of, scores, table_of, throw, turn

KEY = "ones-and-fives"


def test_section_1_a_set_aside_is_legal_when_all_its_dice_belong_to_combinations() -> None:
    table = play(table_of(KEY), throw(4, 4, 4, 4, 2, 3))
    assert refusal_of(table, aside(4, 4, 4, 4)) == "no-combination"
    assert [(entry["dice"], entry["points"], entry["dice_left"]) for entry in table.legal] == [([4, 4, 4], 400, 3)]


def test_section_1_any_combinations_that_the_throw_allows() -> None:
    table = play(table_of(KEY), throw(5, 1, 1, 3, 4, 6))
    assert {tuple(entry["dice"]): entry["points"] for entry in table.legal} == {
        (1,): 100,
        (1, 1): 200,
        (5,): 50,
        (1, 5): 150,
        (1, 1, 5): 250,
    }
    assert refusal_of(table, aside()) == "set-aside-nothing"
    assert refusal_of(table, aside(1, 1, 1)) == "dice-not-there"
    assert refusal_of(table, throw(1, 2, 3, 4, 5)) == "set-aside-first"
    assert refusal_of(table, BANK) == "set-aside-first"


def test_section_1_banking_needs_400_in_the_turn() -> None:
    """Section 1, Reading: 400 or more, not "more than 400"."""
    table = play(table_of(KEY), throw(1, 1, 1, 1, 2, 3), aside(1, 1), throw(1, 5, 2, 3), aside(1, 5))
    assert turn(table)["bank_refusal"]["text"] == "banking needs 400 points, this turn has 350"
    table = play(table_of(KEY), throw(3, 3, 3, 1, 2, 4), aside(3, 3, 3, 1))
    assert legal(table, "bank") == [{"do": "bank", "points": 400}]
    play(table, BANK)
    assert scores(table) == [400]


def test_section_1_before_the_first_throw() -> None:
    table = table_of(KEY, players=2)
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    assert refusal_of(table, BANK) == "nothing-to-bank"
    assert refusal_of(table, aside(1)) == "nothing-to-set-aside"
    assert refusal_of(table, throw(1, 1, 1, 1, 1)) == "wrong-count"


def test_section_1_options_minimum_and_bank_with_at_most() -> None:
    table = play(table_of(KEY, minimum=100, bank_with_at_most=5), throw(1, 2, 3, 4, 6, 6), aside(1))
    assert BANK in table.legal
    table = play(table_of(KEY, bank_with_at_most=0), throw(1, 1, 1, 1, 5, 4), aside(1, 1, 1, 1, 5))
    assert refusal_of(table, BANK) == "too-many-dice-left"
    play(table, throw(5), aside(5))
    assert legal(table, "bank") == [{"do": "bank", "points": 1200}]
