"""scorer/sentences.py: what is said of actions, adjustments and events, for all games."""

import random
from typing import Any

import pytest

import scorer
from scorer.game import Game
from scorer.sentences import Phrases, sentence
from tests.scorer.test_every_game import KEYS, any_action


def sentence_of(game: Game[Any], phrases: Phrases, action: scorer.Action) -> str:
    return str(sentence(phrases, action, game.field_titles()))


@pytest.mark.parametrize("key", KEYS)
def test_everything_that_may_be_done_is_said(key: str) -> None:
    rng, table = random.Random(5), scorer.Table(scorer.game(key), ["Ada", "Bob"])
    while not table.over and table.version < 80:
        action = any_action(table, rng)
        verb = table.game.actions[action["do"]]
        for phrases in (verb.done, verb.choice, verb.offer or verb.choice):
            assert "{" not in sentence_of(table.game, phrases, action)
        table.do(action)


@pytest.mark.parametrize("key", KEYS)
def test_every_adjustment_is_said_once_it_was_done(key: str) -> None:
    for verb in scorer.game(key).adjustments.values():
        assert verb.done[-1].when == {}


@pytest.mark.parametrize(
    ("key", "action", "done", "choice"),
    [
        ("kosci", {"do": "keep", "dice": [5, 5]}, "kept 5\u00a05", "keep 5\u00a05"),
        ("kosci", {"do": "keep", "dice": []}, "kept nothing", "keep nothing"),
        ("kosci", {"do": "throw", "dice": [1]}, "threw 1", "throw 1 die"),
        ("farkle", {"do": "throw", "dice": [1, 2]}, "threw 1\u00a02", "throw 2 dice"),
        ("farkle", {"do": "bank"}, "banked", "bank"),
        ("farkle", {"do": "bank", "points": 300}, "banked 300", "bank"),
        ("yatzy", {"do": "score", "category": "pair"}, "wrote Pair", "write Pair"),
        (
            "kosci-triple",
            {"do": "score", "category": "ones", "column": 2},
            "wrote Ones in column 2",
            "write Ones in column 2",
        ),
        (
            "knaster",
            {"do": "write", "player": 0, "cell": [1, 2]},
            "wrote in row 1, column 2",
            "write in row 1, column 2",
        ),
        (
            "knaster",
            {"do": "circle-line", "player": 0, "line": "d1", "cells": [[1, 1], [2, 2]]},
            "circled 2 cells of line diagonal ↘",
            "circle the cells 1/1, 2/2 (row/column)",
        ),
    ],
)
def test_an_action_is_said_as_a_step_and_as_a_choice(key: str, action: dict[str, Any], done: str, choice: str) -> None:
    game = scorer.game(key)
    assert sentence_of(game, game.actions[action["do"]].done, action) == done
    assert str(game.choice(action)) == choice
