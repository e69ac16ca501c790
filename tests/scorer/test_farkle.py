"""scorer/games/farkle.toml: docs/rules.md section 12."""

from __future__ import annotations

from tests.scorer.playing import BANK, aside, events, play, refusal_of, scores, table_of, throw, turn

KEY = "farkle"


def test_section_12_the_first_banked_turn_needs_500() -> None:
    table = play(table_of(KEY), throw(4, 4, 4, 2, 3, 6), aside(4, 4, 4))
    assert turn(table)["bank_refusal"]["text"] == "the first banked turn needs 500 points, this turn has 400"
    play(table, throw(1, 2, 3), aside(1), BANK)
    assert scores(table) == [500]
    play(table, throw(5, 2, 2, 3, 4, 6), aside(5), BANK)
    assert scores(table) == [550]


def test_section_12_hot_dice_and_banking_with_any_number_of_dice_left() -> None:
    table = play(table_of(KEY), throw(1, 1, 1, 2, 2, 2), aside(1, 1, 1, 2, 2, 2))
    assert list(table.legal) == [{"do": "throw", "count": 6}, {"do": "bank", "points": 2500}]
    play(table, throw(5, 2, 2, 3, 4, 6), aside(5))
    assert list(table.legal) == [{"do": "throw", "count": 5}, {"do": "bank", "points": 2550}]


def test_section_12_options_minimum_and_opening() -> None:
    table = play(table_of(KEY, minimum=100, opening=0), throw(5, 2, 2, 3, 4, 6), aside(5))
    assert refusal_of(table, BANK) == "bank-needs-minimum"
    table = play(table_of(KEY, opening=0), throw(5, 2, 2, 3, 4, 6), aside(5), BANK)
    assert scores(table) == [50]


def test_section_12_a_bust_is_no_first_banked_turn() -> None:
    table = play(table_of(KEY), throw(2, 2, 3, 4, 6, 6), throw(1, 2, 3, 4, 6, 6), aside(1))
    assert refusal_of(table, BANK) == "bank-needs-opening"


def test_section_12_every_other_player_has_one_more_turn() -> None:
    table = table_of(KEY, players=3, target=2000)
    play(table, throw(2, 2, 3, 4, 6, 6))
    play(table, throw(2, 2, 2, 3, 3, 3), aside(2, 2, 2, 3, 3, 3), BANK)
    assert events(table) == ["turn", "last-round"]
    play(table, throw(2, 2, 3, 4, 6, 6))
    assert table.standing()["to_act"] == [0]
    play(table, throw(4, 4, 4, 1, 1, 1), aside(4, 4, 4, 1, 1, 1), BANK)
    assert table.over
    assert table.standing()["winners"] == [0, 1]
    assert scores(table) == [2500, 2500, 0]


def test_section_12_a_lone_player_is_done_at_the_target() -> None:
    table = play(table_of(KEY, target=1500), throw(1, 2, 3, 4, 5, 6), aside(1, 2, 3, 4, 5, 6), BANK)
    assert table.over
