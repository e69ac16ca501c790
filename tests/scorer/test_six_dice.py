"""scorer/games/six-dice.toml: docs/rules.md section 2."""

from tests.scorer.playing import BANK, aside, events, legal, play, refusal_of, scores, table_of, throw, turn

KEY = "six-dice"


def test_section_2_a_throw_with_nothing_ends_the_turn_at_0() -> None:
    table = play(table_of(KEY), throw(1, 5, 2, 2, 3, 4), throw(2, 2, 3, 4))
    assert table.standing()["events"][0] == {"event": "bust", "player": 0, "lost": 150, "dice": [2, 2, 3, 4]}
    assert scores(table) == [0]


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


def test_section_2_one_throw_of_six_that_all_score_must_be_confirmed() -> None:
    table = play(table_of(KEY), throw(1, 1, 5, 5, 3, 3))
    assert events(table) == ["set-aside", "confirm"]
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    assert refusal_of(table, BANK) == "confirm-first"
    bust = play(table_of(KEY), throw(1, 1, 5, 5, 3, 3), throw(2, 2, 3, 4, 4, 6))
    assert scores(bust) == [0]
    play(table, throw(5, 2, 2, 3, 4, 6))
    assert legal(table, "bank") == [{"do": "bank", "points": 1050}]
