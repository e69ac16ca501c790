"""scorer/games/forbidden-numbers.toml: docs/rules.md section 5."""

from itertools import combinations

import pytest

import scorer
from tests.scorer.playing import all_throws, events, places, play, refusal_of, scores, table_of, throw, turn

KEY = "forbidden-numbers"


@pytest.mark.parametrize("count", range(1, 7))
def test_section_5_every_throw(count: int) -> None:
    """Section 5: "every die showing a forbidden number leaves the turn, the others' sum is added"."""
    game = scorer.game(KEY)
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
    found = scorer.score_throw(scorer.game(KEY), [1, 1, 2, 3, 6, 6])["events"]
    assert {"event": "if-forbidden", "numbers": [1, 6], "points": 5, "dice_left": 2} in found
    assert {"event": "if-forbidden", "numbers": [4, 5], "points": 19, "dice_left": 6} in found
    assert scorer.score_throw(scorer.game(KEY), [3, 5])["events"] == [{"event": "forbidden", "numbers": [3, 5]}]


def test_section_5_the_set_up_throw_is_thrown_again_while_it_is_a_pair() -> None:
    table = table_of(KEY, players=2)
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


def test_section_5_a_whole_game_checked_by_hand() -> None:
    table = play(table_of(KEY, players=2), throw(6, 1))
    play(table, throw(1, 2, 3, 4, 5, 6))
    assert (scores(table), turn(table)["points"], turn(table)["dice_left"]) == ([14, 0], 14, 4)
    play(table, throw(1, 1, 5, 5))
    assert (scores(table), turn(table)["dice_left"]) == ([24, 0], 2)
    play(table, throw(4, 4), throw(6, 2), throw(1))
    assert events(table) == ["added", "turn"]
    assert scores(table) == [34, 0]
    play(table, throw(5, 5, 5, 5, 5, 5), throw(6, 6, 6, 6, 1, 4), throw(1))
    assert table.over
    assert (scores(table), places(table), table.standing()["winners"]) == ([34, 34], [1, 1], [0, 1])
