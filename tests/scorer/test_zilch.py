"""scorer/games/zilch.toml: docs/rules.md section 13."""

from __future__ import annotations

import pytest

import scorer
from tests.scorer.brute_force import all_choices, best_split, check_choices
from tests.scorer.playing import BANK, all_throws, aside, events, play, refusal_of, scores, table_of, throw, turn

KEY = "zilch"


def group_points(dice: tuple[int, ...]) -> int | None:
    """Section 13: its sentence of combinations; where two fit, the dearer."""
    counts = sorted(map(dice.count, set(dice)))
    found = []
    if dice == (1,):
        found.append(100)
    if dice == (5,):
        found.append(50)
    if counts in ([3], [4], [5], [6]):
        found.append((1000 if dice[0] == 1 else 100 * dice[0]) * 2 ** (counts[0] - 3))
    if counts == [1] * 6:
        found.append(1500)
    if counts in ([2, 2, 2], [2, 4], [6]):
        found.append(1500)
    return max(found, default=None)


@pytest.mark.parametrize("count", range(1, 6))
def test_section_13_every_throw_of_up_to_five_dice_against_brute_force(count: int) -> None:
    check_choices(scorer.game(KEY), group_points, count)


def test_section_13_every_throw_of_six_dice_against_brute_force() -> None:
    """Section 13: "a throw of six dice with nothing that scores: 500 for all six dice instead of a bust"."""
    game = scorer.game(KEY)
    nothing = 0
    for dice in all_throws(6):
        in_order = tuple(sorted(dice))
        expected = all_choices(in_order, group_points)
        if not expected:
            nothing += 1
            expected = {in_order: 500}
        state, _ = game.apply(game.start(1), {"do": "throw", "dice": dice})
        assert {choice.dice: choice.points for choice in game.choices(tuple(sorted(state.throw)))} == expected
    assert nothing == 1080


def test_section_13_further_dice_alike_double() -> None:
    for dice, points in [((2, 2, 2), 200), ((2, 2, 2, 2), 400), ((2,) * 5, 800), ((2,) * 6, 1600), ((1,) * 6, 8000)]:
        assert best_split(dice, group_points) == points
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
