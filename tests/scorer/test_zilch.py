"""scorer/games/zilch.toml: docs/rules.md section 13."""

from __future__ import annotations

import scorer
from tests.scorer.playing import BANK, aside, events, play, refusal_of, scores, table_of, throw, turn

KEY = "zilch"


def test_section_13_further_dice_alike_double() -> None:
    for dice, points in [((2, 2, 2), 200), ((2, 2, 2, 2), 400), ((2,) * 5, 800), ((2,) * 6, 1600), ((1,) * 6, 8000)]:
        table = play(table_of(KEY), throw(*dice, *(3, 4, 6)[: 6 - len(dice)]), aside(*dice))
        assert turn(table)["points"] == points


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


def test_section_13_three_zilches_in_a_row_cost_500() -> None:
    """Section 13: "totals may go below 0; the count starts again"."""
    table = table_of(KEY)
    zilch(table)
    assert turn(table)["penalty"] == 0
    zilch(table)
    assert scores(table) == [0]
    assert table.standing()["players"][0]["busts"] == 2
    assert turn(table)["penalty"] == 500
    zilch(table)
    assert events(table) == ["bust", "penalty", "turn"]
    assert scores(table) == [-500]
    assert table.standing()["players"][0]["busts"] == 0
    zilch(table)
    zilch(table)
    assert scores(table) == [-500]
    zilch(table)
    assert scores(table) == [-1000]
    assert table.standing()["players"][0]["turns"] == [0, 0, -500, 0, 0, -500]


def test_section_13_a_banked_turn_ends_the_row() -> None:
    table = table_of(KEY)
    zilch(table)
    zilch(table)
    play(table, throw(1, 1, 1, 2, 3, 4), aside(1, 1, 1), BANK)
    zilch(table)
    assert scores(table) == [1000]


def test_section_13_the_row_is_each_players_own() -> None:
    table = table_of(KEY, players=2)
    for _ in range(5):
        zilch(table)
    assert scores(table) == [-500, 0]


def test_section_13_ends_as_farkle() -> None:
    table = play(table_of(KEY, players=2, target=1000), throw(1, 1, 1, 2, 3, 4), aside(1, 1, 1), BANK)
    assert not table.over
    zilch(table)
    assert table.standing()["winners"] == [0]
