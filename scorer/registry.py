"""The games by their keys: one with its options, and what holds for all tables of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scorer.game import Game
from scorer.games import keys, load
from scorer.refusals import OptionError
from scorer.texts import printable


def game(key: str, /, **options: Any) -> Game[Any]:
    """The rules of one game; raises OptionError for a game or option that does not exist, or a value not allowed."""
    if key not in keys():
        raise OptionError("unknown-game", game=printable(key), known=list(keys()))
    return load(key)(**options)


def options_of_table(key: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a table was set up with, all of them: a game goes on with the rules that it began with.

    For tables as they were kept: an option that came later has its value `before`. A record from outside has the
    defaults for what it does not name: see `game`.
    """
    return {**{option.name: option.before for option in (load(key).options if key in keys() else ())}, **options}


def rating(key: str, results: Iterable[tuple[int, int]]) -> float | None:
    """A player's rating over finished games of a kind, given his (points, place) in each; None where it has none."""
    return load(key).rating(results) if key in keys() else None


def parse_options(key: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Options given as text on a command line, as the values that they mean; `game` then checks them."""
    known = {option.name: option for option in game(key).options}
    return {name: known[name].parse(text) if name in known else text for name, text in texts.items()}
