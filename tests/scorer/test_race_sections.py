"""docs/rules.md, sections 1, 2, 4, 5, 12 and 13: what the second implementation of each game does not say."""

from itertools import combinations

import pytest

import scorer
from tests.scorer.playing import BANK, all_throws, aside, events, legal, play, refusal_of, scores, table_of, throw, turn


def test_section_1_a_set_aside_is_legal_when_all_its_dice_belong_to_combinations() -> None:
    table = play(table_of("ones-and-fives"), throw(4, 4, 4, 4, 2, 3))
    assert refusal_of(table, aside(4, 4, 4, 4)) == "no-combination"
    assert [(entry["dice"], entry["points"], entry["dice_left"]) for entry in table.legal] == [([4, 4, 4], 400, 3)]


def test_section_1_any_combinations_that_the_throw_allows() -> None:
    table = play(table_of("ones-and-fives"), throw(5, 1, 1, 3, 4, 6))
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
    table = play(table_of("ones-and-fives"), throw(1, 1, 1, 1, 2, 3), aside(1, 1), throw(1, 5, 2, 3), aside(1, 5))
    assert turn(table)["bank_refusal"]["text"] == "banking needs 400 points, this turn has 350"
    table = play(table_of("ones-and-fives"), throw(3, 3, 3, 1, 2, 4), aside(3, 3, 3, 1))
    assert legal(table, "bank") == [{"do": "bank", "points": 400}]
    play(table, BANK)
    assert scores(table) == [400]


def test_section_1_before_the_first_throw() -> None:
    table = table_of("ones-and-fives", players=2)
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    assert refusal_of(table, BANK) == "nothing-to-bank"
    assert refusal_of(table, aside(1)) == "nothing-to-set-aside"
    assert refusal_of(table, throw(1, 1, 1, 1, 1)) == "wrong-count"


def test_section_1_options_minimum_and_bank_with_at_most() -> None:
    table = play(table_of("ones-and-fives", minimum=100, bank_with_at_most=5), throw(1, 2, 3, 4, 6, 6), aside(1))
    assert BANK in table.legal
    table = play(table_of("ones-and-fives", bank_with_at_most=0), throw(1, 1, 1, 1, 5, 4), aside(1, 1, 1, 1, 5))
    assert refusal_of(table, BANK) == "too-many-dice-left"
    play(table, throw(5), aside(5))
    assert legal(table, "bank") == [{"do": "bank", "points": 1200}]


def test_section_2_a_throw_with_nothing_ends_the_turn_at_0() -> None:
    table = play(table_of("six-dice"), throw(1, 5, 2, 2, 3, 4), throw(2, 2, 3, 4))
    assert table.standing()["events"][0] == {"event": "bust", "player": 0, "lost": 150, "dice": [2, 2, 3, 4]}
    assert scores(table) == [0]


def test_section_2_there_is_no_choice() -> None:
    table = play(table_of("six-dice"), throw(1, 1, 2, 3, 4, 4))
    assert refusal_of(table, aside(1)) == "unknown-action"
    assert turn(table)["set_aside"] == [[1, 1]]
    assert list(table.legal) == [{"do": "throw", "count": 4}]


def test_section_2_banking_needs_350_and_any_number_of_dice_left() -> None:
    table = play(table_of("six-dice"), throw(3, 3, 3, 2, 4, 6))
    assert refusal_of(table, BANK) == "bank-needs-minimum"
    play(table, throw(5, 2, 2))
    assert legal(table, "bank") == [{"do": "bank", "points": 350}]
    assert BANK in play(table_of("six-dice"), throw(4, 4, 4, 2, 3, 3)).legal


def test_section_2_one_throw_of_six_that_all_score_must_be_confirmed() -> None:
    table = play(table_of("six-dice"), throw(1, 1, 5, 5, 3, 3))
    assert events(table) == ["set-aside", "confirm"]
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    assert refusal_of(table, BANK) == "confirm-first"
    bust = play(table_of("six-dice"), throw(1, 1, 5, 5, 3, 3), throw(2, 2, 3, 4, 4, 6))
    assert scores(bust) == [0]
    play(table, throw(5, 2, 2, 3, 4, 6))
    assert legal(table, "bank") == [{"do": "bank", "points": 1050}]


def test_a_reopened_game_goes_on_until_the_target_is_reached_once_more() -> None:
    table = play(table_of("sequence", players=2, target=25), throw(1, 2, 3, 4, 5, 6))
    play(table, {"do": "adjust", "what": "game", "over": False}, throw(2, 2, 2, 2, 2, 2))
    assert (table.over, table.to_act) == (False, [0])
    play(table, throw(1, 2, 2, 2, 2, 2))
    assert (table.over, scores(table)) == (True, [30, 0])


def test_a_skipped_turn_ends_a_round_that_is_played_out() -> None:
    table = play(table_of("sequence", players=2, target=25, finish_round=True), throw(1, 2, 3, 4, 5, 6))
    assert not table.over
    play(table, {"do": "adjust", "what": "turn-skipped", "player": 1})
    assert table.over


@pytest.mark.parametrize("count", range(1, 7))
def test_section_5_every_throw(count: int) -> None:
    """Section 5: "every die showing a forbidden number leaves the turn, the others' sum is added"."""
    game = scorer.game("forbidden-numbers")
    pairs = list(combinations(range(1, 7), 2))
    for number, forbidden in enumerate(pairs):
        start = game.start(2)._replace(forbidden=forbidden, left=count)
        for place, dice in enumerate(all_throws(count)):
            # Many dice: every throw with one pair of forbidden numbers, with all pairs where its dice ascend.
            if count > 4 and place % len(pairs) != number and list(dice) != sorted(dice):
                continue
            stay = "".join(map(str, dice)).translate({ord(str(number)): None for number in forbidden})
            state = game.apply(start, {"do": "throw", "dice": dice})[0]
            assert game.scores(state) == [sum(map(int, stay)), 0]
            assert (state.left, game.to_act(state)) == ((len(stay), [0]) if stay else (6, [1]))


def test_section_5_what_a_first_throw_is_worth_depends_on_the_forbidden_numbers() -> None:
    found = scorer.score_throw(scorer.game("forbidden-numbers"), [1, 1, 2, 3, 6, 6])["events"]
    assert {"event": "if-forbidden", "numbers": [1, 6], "points": 5, "dice_left": 2} in found
    assert {"event": "if-forbidden", "numbers": [4, 5], "points": 19, "dice_left": 6} in found
    assert scorer.score_throw(scorer.game("forbidden-numbers"), [3, 5])["events"] == [
        {"event": "forbidden", "numbers": [3, 5]}
    ]


def test_section_5_the_set_up_throw_is_thrown_again_while_it_is_a_pair() -> None:
    table = table_of("forbidden-numbers", players=2)
    assert list(table.legal) == [{"do": "throw", "count": 2}]
    assert refusal_of(table, throw(1, 2, 3, 4, 5, 6)) == "wrong-count"
    play(table, throw(3, 3))
    assert events(table) == ["again"]
    assert list(table.legal) == [{"do": "throw", "count": 2}]
    play(table, throw(5, 2))
    assert events(table) == ["forbidden"]
    assert table.standing()["forbidden"] == [2, 5]
    assert list(table.legal) == [{"do": "throw", "count": 6}]
    assert table.standing()["to_act"] == [0]


def test_section_12_the_first_banked_turn_needs_500() -> None:
    table = play(table_of("farkle"), throw(4, 4, 4, 2, 3, 6), aside(4, 4, 4))
    assert turn(table)["bank_refusal"]["text"] == "the first banked turn needs 500 points, this turn has 400"
    play(table, throw(1, 2, 3), aside(1), BANK)
    assert scores(table) == [500]
    play(table, throw(5, 2, 2, 3, 4, 6), aside(5), BANK)
    assert scores(table) == [550]


def test_section_12_options_minimum_and_opening() -> None:
    table = play(table_of("farkle", minimum=100, opening=0), throw(5, 2, 2, 3, 4, 6), aside(5))
    assert refusal_of(table, BANK) == "bank-needs-minimum"
    table = play(table_of("farkle", opening=0), throw(5, 2, 2, 3, 4, 6), aside(5), BANK)
    assert scores(table) == [50]


def test_section_12_a_bust_is_no_first_banked_turn() -> None:
    table = play(table_of("farkle"), throw(2, 2, 3, 4, 6, 6), throw(1, 2, 3, 4, 6, 6), aside(1))
    assert refusal_of(table, BANK) == "bank-needs-opening"


def test_section_13_500_for_nothing_and_six_dice_again() -> None:
    table = play(table_of("zilch"), throw(2, 2, 3, 3, 4, 6))
    assert list(table.legal) == [{"do": "set-aside", "dice": [2, 2, 3, 3, 4, 6], "points": 500, "dice_left": 6}]
    play(table, aside(6, 4, 3, 3, 2, 2))
    assert list(table.legal) == [{"do": "throw", "count": 6}, {"do": "bank", "points": 500}]
    five = play(table_of("zilch"), throw(1, 2, 3, 3, 4, 6), aside(1), throw(2, 2, 3, 4, 6))
    assert events(five) == ["bust", "turn"]


def test_section_13_banking_needs_300() -> None:
    table = play(table_of("zilch"), throw(1, 1, 2, 3, 4, 6), aside(1, 1))
    assert refusal_of(table, BANK) == "bank-needs-minimum"
    play(table, throw(1, 2, 3, 3), aside(1), BANK)
    assert scores(table) == [300]


def zilch(table: scorer.Table) -> None:
    play(table, throw(5, 2, 3, 3, 4, 6), aside(5), throw(2, 2, 3, 4, 6))


def test_section_13_the_third_zilch_in_a_row_is_told_with_its_penalty() -> None:
    table = table_of("zilch")
    for _ in range(3):
        zilch(table)
    assert events(table) == ["bust", "penalty", "turn"]
    assert table.standing()["players"][0]["turns"] == [0, 0, -500]
