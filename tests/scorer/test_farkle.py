"""scorer/games/farkle.toml: docs/rules.md section 12."""

from __future__ import annotations

import pytest

import scorer
from tests.scorer.brute_force import check_choices
from tests.scorer.playing import BANK, aside, events, play, refusal_of, scores, table_of, throw, turn

KEY = "farkle"


def group_points(dice: tuple[int, ...]) -> int | None:
    """Section 12: its sentence of combinations, each as it is said; where two fit, the dearer."""
    counts = sorted(map(dice.count, set(dice)))
    found = []
    if dice == (1,):
        found.append(100)
    if dice == (5,):
        found.append(50)
    if counts == [3]:
        found.append(300 if dice[0] == 1 else 100 * dice[0])
    if counts in ([4], [5], [6]):
        found.append({4: 1000, 5: 2000, 6: 3000}[counts[0]])
    if counts == [1] * 6:
        found.append(1500)
    if counts in ([2, 2, 2], [2, 4]):
        found.append(1500)
    if counts == [3, 3]:
        found.append(2500)
    return max(found, default=None)


@pytest.mark.parametrize("count", range(1, 7))
def test_section_12_every_throw_against_brute_force(count: int) -> None:
    check_choices(scorer.game(KEY), group_points, count)


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
