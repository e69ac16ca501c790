"""scorer/definitions/toml_writer.py: what is written is read as the same game."""

import random
import sys
from typing import Any

import pytest

from scorer.definitions.building import game_from_text
from scorer.definitions.definition import LONGEST_LINE
from scorer.definitions.shapes import WrongShape
from scorer.definitions.toml_writer import toml_text
from scorer.games import from_file, keys

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FROM_FILES = [key for key in keys() if from_file(key)]


def play(key: str, text: str, seed: int) -> list[Any]:
    """The standings of a random game of two."""
    game = game_from_text(text, key)()
    chance = random.Random(seed)
    state, met = game.start(players=2), []
    for _ in range(300):
        choices = [entry for entry in game.legal(state) if entry["do"] != "keep"]
        if not choices:
            break
        entry = chance.choice(choices)
        if entry["do"] == "throw":
            entry = {"do": "throw", "dice": [chance.randint(1, 6) for _ in range(entry["count"])]}
        elif "low" in entry:
            entry = {**entry, "points": chance.randint(entry["low"], entry["high"])}
        named = ("do", "dice", "category", "column", "player", "points")
        action = {name: entry[name] for name in named if name in game.fields[entry["do"]] and name in entry}
        state, events = game.apply(state, action)
        met.append((game.scores(state), events))
        if any(event["event"] == "game-over" for event in events):
            break
    return met


@pytest.mark.parametrize("text", ['"', "\\", "a\nb", "\t", "\x7f", "\x00", "é", "😀", "'''", '"""', "# no comment", ""])
def test_any_text_is_read_as_it_was(text: str) -> None:
    tables = {"title": text, "texts": [text, {text: text}], "rules": {"x": {text: [1, True]}}}
    assert tomllib.loads(toml_text(tables)) == tables


def test_paragraphs_have_lines_of_their_own() -> None:
    tables = {"text": ["x" * 1000, "y" * 1000, "z" * 1000]}
    assert tomllib.loads(toml_text(tables)) == tables
    assert max(map(len, toml_text(tables).splitlines())) < LONGEST_LINE


@pytest.mark.parametrize("value", [None, 0.5, float("nan"), 1 << 64, [None], {"a": None}, object()])
def test_what_no_game_has_is_refused(value: Any) -> None:
    with pytest.raises(WrongShape):
        toml_text({"rules": {"dice": value}})


def test_what_lies_too_deep_is_refused() -> None:
    deep: Any = 1
    for _ in range(20):
        deep = {"a": deep}
    with pytest.raises(WrongShape):
        toml_text({"rules": deep})
