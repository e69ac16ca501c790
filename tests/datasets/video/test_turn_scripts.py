"""Turns as scripts: each throws what its record says, and its record is legal."""

from collections import Counter
from typing import Any

import pytest

pytest.importorskip("numba", reason="rendering needs numba (the extra `train`)")

import scorer
from datasets.video.acting import check
from datasets.video.turn_scripts import GAMES, MOST, any_turn, scoring

TURNS = [any_turn(seed, number) for seed in range(12) for number in range(4 * len(GAMES))]


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_a_turn_is_legal(game: str) -> None:
    mine = [turn for turn in TURNS if turn.game == game]
    assert len(mine) > 40
    for turn in mine:
        table = scorer.Table(scorer.game(game), ["Ada", "Bob"])
        for action in turn.record:
            table.do(dict(action))


@pytest.mark.parametrize("game", GAMES)
def test_the_script_shows_what_the_record_says(game: str) -> None:
    for turn in (turn for turn in TURNS if turn.game == game):
        check(turn.script, turn.dice)
        throws = [action["dice"] for action in turn.record if action["do"] == "throw"]
        assert [list(step.thrown) for step in turn.script] == throws
        assert 1 <= len(throws) <= MOST
        choices: list[list[Any]] = [a["dice"] for a in turn.record if a["do"] in ("keep", "set-aside")]
        for step, chosen in zip(turn.script, choices, strict=False):
            if step.kept:
                assert not Counter(chosen) - Counter(step.kept)


def test_all_that_scores_in_six_dice_is_what_the_rules_set_aside() -> None:
    """By 600 throws of all numbers of dice."""
    turns = [any_turn(seed, list(GAMES).index("six-dice")) for seed in range(300)]
    seen = 0
    for turn in turns:
        table = scorer.Table(scorer.game("six-dice"), ["Ada", "Bob"])
        for action in turn.record:
            table.do(dict(action))
            events = [event for event in table.standing()["events"] if event["event"] == "set-aside"]
            found = sorted(event["dice"][k] for event in events for k in range(len(event["dice"])))
            assert list(scoring(tuple(action["dice"]))) == found, action
            seen += 1
    assert seen > 500


def test_games_differ_in_length_and_in_what_stays() -> None:
    assert {len(turn.script) for turn in TURNS} == set(range(1, MOST + 1))
    kept = [step.kept for turn in TURNS for step in turn.script[:-1]]
    assert sum(not k for k in kept) > 10
    assert sum(len(k) > 1 for k in kept) > 100
