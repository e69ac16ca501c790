"""One module for each game, named after its key, with its class as `GAME`. Called, `scorer.games()` lists the games.

>>> import scorer
>>> import scorer.games.farkle
>>> scorer.games.farkle.GAME.key in [info.key for info in scorer.games()]
True
"""

import sys
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from scorer.game import Game, Info


class _Games(ModuleType):
    # `games` is both the folder of the games and the public function, so the folder's module can be called.
    def __call__(self) -> tuple[Info, ...]:
        return infos()


sys.modules[__name__].__class__ = _Games


def infos() -> tuple[Info, ...]:
    """All games, in the order of docs/rules.md."""
    classes = sorted(map(load, keys()), key=lambda game: game.order)
    return tuple(game().info for game in classes)


@cache
def keys() -> tuple[str, ...]:
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(__path__)))


@cache
def load(key: str) -> type[Game[Any]]:
    """The class of a game. Its module is imported now, so that one game costs no other's start-up time."""
    found: type[Game[Any]] = import_module(f"{__name__}.{key.replace('-', '_')}").GAME
    return found
