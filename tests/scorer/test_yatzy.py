"""scorer/games/yatzy.toml: docs/rules.md section 11."""

from __future__ import annotations

from tests.scorer.playing import play, scores, table_of
from tests.scorer.sheets import UPPER, check_every_throw, column_of, counts, fill, offers

KEY = "yatzy"


def two_pairs(dice: tuple[int, ...]) -> int:
    return 2 * sum({face for face in dice if dice.count(face) >= 2}) if counts(dice) in ([1, 2, 2], [2, 3]) else 0


def highest_with(dice: tuple[int, ...], count: int) -> int:
    return max((face for face in dice if dice.count(face) >= count), default=0)


WORTH = {
    **{key: lambda dice, face=face: face * dice.count(face) for face, key in enumerate(UPPER, start=1)},
    "pair": lambda dice: 2 * highest_with(dice, 2),
    "two-pairs": two_pairs,
    "three": lambda dice: 3 * highest_with(dice, 3),
    "four": lambda dice: 4 * highest_with(dice, 4),
    "small-straight": lambda dice: 15 if sorted(dice) == [1, 2, 3, 4, 5] else 0,
    "large-straight": lambda dice: 20 if sorted(dice) == [2, 3, 4, 5, 6] else 0,
    "full": lambda dice: sum(dice) if counts(dice) == [2, 3] else 0,
    "chance": sum,
    "yatzy": lambda dice: 50 if counts(dice) == [5] else 0,
}


def test_section_11_every_throw_in_every_cell() -> None:
    check_every_throw(KEY, WORTH)


def test_section_11_fifteen_cells_in_order() -> None:
    assert list(offers(table_of(KEY), 1, 2, 3, 4, 6)) == list(WORTH)
    assert len(WORTH) == 15


def test_section_11_bonus_50_at_63() -> None:
    table = fill(table_of(KEY), sixes=(6, 6, 6, 6, 1), fives=(5, 5, 5, 5, 1), fours=(4, 4, 4, 4, 1))
    fill(table, ones=(1, 1, 2, 3, 4))
    assert scores(table) == [62]
    fill(table, twos=(1, 1, 2, 3, 4))
    assert scores(table) == [64 + 50]


def test_section_11_no_jokers() -> None:
    table = fill(table_of(KEY), yatzy=(4, 4, 4, 4, 4), fours=(4, 4, 4, 4, 4))
    found = offers(table, 4, 4, 4, 4, 4)
    assert (found["full"], found["large-straight"], found["two-pairs"]) == ((0, 0), (0, 0), (0, 0))
    assert (found["pair"], found["three"], found["four"], found["chance"]) == ((8, 0), (12, 0), (16, 0), (20, 0))
    assert set(found) == set(WORTH) - {"yatzy", "fours"}


def test_section_11_a_whole_game_checked_by_hand() -> None:
    table = fill(table_of(KEY), ones=(1, 1, 1, 4, 5), twos=(2, 2, 2, 3, 3), threes=(3, 3, 3, 3, 6))  # 3, 6, 12
    fill(table, fours=(4, 4, 1, 2, 3), fives=(5, 5, 5, 1, 2), sixes=(6, 6, 6, 1, 1))  # 8, 15, 18: 62, no bonus
    fill(table, pair=(5, 5, 6, 6, 1), two_pairs=(3, 3, 3, 1, 1), three=(4, 4, 4, 4, 2))  # 12, 8, 12
    fill(table, four=(2, 2, 2, 2, 2), small_straight=(1, 2, 3, 4, 5), large_straight=(1, 2, 3, 4, 5))  # 8, 15, 0
    fill(table, full=(6, 6, 5, 5, 5), chance=(1, 2, 4, 5, 6), yatzy=(3, 3, 3, 3, 3))  # 27, 18, 50
    assert table.over
    assert (column_of(table)["upper_sum"], column_of(table)["upper_bonus"]) == (62, 0)
    assert scores(play(table)) == [62 + 12 + 8 + 12 + 8 + 15 + 0 + 27 + 18 + 50]
