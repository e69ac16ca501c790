"""The games by their keys. A game is a module of `scorer.games` named after its key, with its class as `GAME`.

Modules are imported when they are asked for, so that one game costs no other's start-up time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from scorer.game import Game, Info
from scorer.games import load, names
from scorer.options import complete_options
from scorer.refusals import OptionError
from scorer.texts import shown


def games() -> tuple[Info, ...]:
    """All games, in the order of docs/rules.md."""
    classes = sorted((_class(key) for key in keys()), key=lambda game: game.order)
    return tuple(game().info for game in classes)


def game(key: str, /, **options: Any) -> Game[Any]:
    """The rules of one game; raises OptionError for a game or option that does not exist, or a value not allowed."""
    if key not in keys():
        raise OptionError("unknown-game", game=shown(key), known=list(keys()))
    return _class(key)(**options)


def options_of_table(key: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a table was set up with, all of them: a game goes on with the rules that it began with.

    For tables as they were kept. A record from outside has the defaults for what it does not name: see `game`.
    """
    return complete_options(_class(key).options, options) if key in keys() else dict(options)


def rating(key: str, results: Iterable[tuple[int, int]]) -> float | None:
    """A player's rating over finished games of a kind, given his (points, place) in each; None where it has none."""
    return _class(key).rating(results) if key in keys() else None


def parse_options(key: str, texts: Mapping[str, str]) -> dict[str, Any]:
    """Options given as text (a command line, a form), as the values that they mean; `game` then checks them."""
    known = {option.name: option for option in game(key).options}
    return {name: known[name].parse(text) if name in known else text for name, text in texts.items()}


@cache
def keys() -> tuple[str, ...]:
    return tuple(sorted(name.replace("_", "-") for name in names()))


@cache
def _class(key: str) -> type[Game[Any]]:
    found: type[Game[Any]] = load(key.replace("-", "_")).GAME
    return found
