"""The files of games that come along: a source, worked examples, and quick to score."""

import re
from collections.abc import Iterator
from importlib.resources import files
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

import scorer
from scorer.games import from_file, keys, load, text_of
from scorer.ten_thousand import TenThousand

ROOT = Path(scorer.__file__).resolve().parents[1]
FILES = [key for key in keys() if from_file(key)]
PACK = [info.key for info in scorer.further_games()]

every_file = pytest.mark.parametrize("key", FILES)


def test_the_pack_is_of_files_alone() -> None:
    assert set(PACK) == {path.name.removesuffix(".toml") for path in files("scorer.games.pack").iterdir()} - {
        "__init__.py",
        "__pycache__",
    }
    assert not set(PACK) & {info.key for info in scorer.games()}


def test_the_rules_page_names_every_game_of_the_pack_and_its_source() -> None:
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    rows = {
        line.split("|")[1].strip(): line
        for line in page.partition("## The pack")[2].splitlines()
        if line.startswith("| `")
    }
    lacks = [key for key in PACK if load(key).definition.file.source not in rows.get(f"`{key}`", "")]  # type: ignore[attr-defined]
    assert lacks == [], "docs/rules.md, The pack: each needs a row with its key and its source"


def test_the_files_in_the_documentation_are_games() -> None:
    page = (ROOT / "docs" / "add-a-game.md").read_text(encoding="utf-8")
    text, others = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert scorer.game_of_file(text, "our-farkle")(exact_end=True).rules.end == "at-once"
    short = [scorer.game_of_file(f'title = "T"\nsummary = "s"\n{each}', "ours")() for each in others.split("\n\n")]
    pig, sheet, threes = short
    assert pig.rules == scorer.game("pig").rules
    assert len(sheet.categories) == 9
    assert (threes.rules.counts, threes.rules.low_wins) == ("rounds", True)


@every_file
def test_a_file_has_worked_examples_and_names_its_source(key: str) -> None:
    file: Any = load(key).definition.file  # type: ignore[attr-defined]
    assert len(file.example) >= 3
    assert file.source or "docs/rules.md section" in text_of(key)


def every_game_from_files() -> Iterator[Any]:
    for key in FILES:
        game = scorer.game(key)
        yield game
        for option in game.options:
            for value in getattr(option, "choices", [True] if option.default is False else []):
                yield scorer.game(key, **{option.name: value})


def test_every_throw_of_every_race_has_a_worth() -> None:
    for game in every_game_from_files():
        if isinstance(game, TenThousand):
            for dice in combinations_with_replacement(range(1, 7), game.dice):
                for choice in game.choices(dice):
                    assert choice.points > 0
                    assert 0 < len(choice.dice) <= game.dice
