"""scorer/games/zilch.toml: docs/rules.md section 13."""

import scorer
from tests.scorer.playing import BANK, aside, events, play, refusal_of, scores, table_of, throw

KEY = "zilch"


def test_section_13_500_for_nothing_and_six_dice_again() -> None:
    table = play(table_of(KEY), throw(2, 2, 3, 3, 4, 6))
    assert list(table.legal) == [{"do": "set-aside", "dice": [2, 2, 3, 3, 4, 6], "points": 500, "dice_left": 6}]
    play(table, aside(6, 4, 3, 3, 2, 2))
    assert list(table.legal) == [{"do": "throw", "count": 6}, {"do": "bank", "points": 500}]
    five = play(table_of(KEY), throw(1, 2, 3, 3, 4, 6), aside(1), throw(2, 2, 3, 4, 6))
    assert events(five) == ["bust", "turn"]


def test_section_13_banking_needs_300() -> None:
    table = play(table_of(KEY), throw(1, 1, 2, 3, 4, 6), aside(1, 1))
    assert refusal_of(table, BANK) == "bank-needs-minimum"
    play(table, throw(1, 2, 3, 3), aside(1), BANK)
    assert scores(table) == [300]


def zilch(table: scorer.Table) -> None:
    play(table, throw(5, 2, 3, 3, 4, 6), aside(5), throw(2, 2, 3, 4, 6))


def test_section_13_the_third_zilch_in_a_row_is_told_with_its_penalty() -> None:
    table = table_of(KEY)
    for _ in range(3):
        zilch(table)
    assert events(table) == ["bust", "penalty", "turn"]
    assert table.standing()["players"][0]["turns"] == [0, 0, -500]
