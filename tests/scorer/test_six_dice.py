"""scorer/games/six-dice.toml: docs/rules.md section 2."""

from __future__ import annotations

import pytest

from tests.scorer.playing import BANK, aside, events, legal, play, refusal_of, scores, table_of, throw, turn

KEY = "six-dice"


def test_section_2_a_throw_with_nothing_ends_the_turn_at_0() -> None:
    table = play(table_of(KEY), throw(1, 5, 2, 2, 3, 4), throw(2, 2, 3, 4))
    assert table.standing()["events"][0] == {"event": "bust", "player": 0, "lost": 150, "dice": [2, 2, 3, 4]}
    assert scores(table) == [0]


@pytest.mark.parametrize(
    ("dice", "points"),
    [
        ((1, 1, 5, 5, 3, 3), 1000),
        ((1, 1, 1, 5, 5, 5), 1500),
        ((2, 2, 2, 2, 5, 5), 500),
        ((2, 2, 4, 4, 5, 5), 1000),
        ((1, 2, 3, 4, 5, 6), 1500),
        ((2, 2, 2, 3, 4, 6), 200),
        ((6, 6, 6, 6, 6, 6), 4800),
        ((1, 1, 1, 1, 1, 1), 8000),
        ((1, 1, 1, 1, 1, 5), 4050),
        ((1, 1, 1, 1, 5, 5), 2100),
    ],
)
def test_section_2_all_scoring_dice_are_set_aside_by_themselves(dice: tuple[int, ...], points: int) -> None:
    assert turn(play(table_of(KEY), throw(*dice)))["points"] == points


def test_section_2_there_is_no_choice() -> None:
    table = play(table_of(KEY), throw(1, 1, 2, 3, 4, 4))
    assert refusal_of(table, aside(1)) == "unknown-action"
    assert turn(table)["set_aside"] == [[1, 1]]
    assert list(table.legal) == [{"do": "throw", "count": 4}]


def test_section_2_banking_needs_350_and_any_number_of_dice_left() -> None:
    table = play(table_of(KEY), throw(3, 3, 3, 2, 4, 6))
    assert refusal_of(table, BANK) == "bank-needs-minimum"
    play(table, throw(5, 2, 2))
    assert legal(table, "bank") == [{"do": "bank", "points": 350}]
    assert BANK in play(table_of(KEY), throw(4, 4, 4, 2, 3, 3)).legal


def test_section_2_option_pairs_may_repeat() -> None:
    """Section 2, Reading: "Dvojice 1000" means three different pairs."""
    assert turn(play(table_of(KEY), throw(2, 2, 3, 3, 3, 3)))["points"] == 600
    table = play(table_of(KEY, pairs_may_repeat=True), throw(2, 2, 3, 3, 3, 3))
    assert turn(table)["points"] == 1000


def test_section_2_one_throw_of_six_that_all_score_must_be_confirmed() -> None:
    table = play(table_of(KEY), throw(1, 1, 5, 5, 3, 3))
    assert events(table) == ["set-aside", "confirm"]
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    assert refusal_of(table, BANK) == "confirm-first"
    bust = play(table_of(KEY), throw(1, 1, 5, 5, 3, 3), throw(2, 2, 3, 4, 4, 6))
    assert scores(bust) == [0]
    play(table, throw(5, 2, 2, 3, 4, 6))
    assert legal(table, "bank") == [{"do": "bank", "points": 1050}]


def test_section_2_reading_dice_that_run_out_over_several_throws_may_be_banked() -> None:
    """Section 2, Reading: "he may bank (given the minimum) or throw all six again; option `confirm`"."""
    table = play(table_of(KEY), throw(1, 1, 5, 5, 2, 4), throw(1, 1))
    assert turn(table)["dice_left"] == 6
    assert list(table.legal) == [{"do": "throw", "count": 6}, {"do": "bank", "points": 500}]
    table = play(table_of(KEY, confirm="any"), throw(1, 1, 5, 5, 2, 4), throw(1, 1))
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    table = play(table_of(KEY, confirm="never"), throw(1, 1, 5, 5, 2, 2))
    assert list(table.legal) == [{"do": "throw", "count": 6}, {"do": "bank", "points": 1000}]


def test_section_2_reading_without_the_minimum_dice_that_run_out_may_not_be_banked() -> None:
    table = play(table_of(KEY), throw(5, 2, 2, 3, 4, 4), throw(5, 2, 2, 3, 4), throw(5, 2, 2, 3), throw(5, 3, 3))
    play(table, throw(5, 3), throw(5))
    assert (turn(table)["points"], turn(table)["dice_left"]) == (300, 6)
    assert refusal_of(table, BANK) == "bank-needs-minimum"


def test_section_2_ends_as_section_1() -> None:
    table = play(table_of(KEY, players=2, target=400), throw(4, 4, 4, 2, 3, 3), BANK)
    assert (table.over, table.standing()["winners"]) == (True, [0])
    table = play(table_of(KEY, players=2, target=400, finish_round=True), throw(4, 4, 4, 2, 3, 3), BANK)
    assert not table.over
    play(table, throw(4, 4, 4, 2, 3, 3), BANK)
    assert table.standing()["winners"] == [0, 1]
