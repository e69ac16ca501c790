"""One module for each game, named after its key; `GAME` is its class. The call `scorer.games()` lists all games.

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
    # `scorer.games` is both this folder and a public function.
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
    """The class of a game. Only its own module is imported, which keeps the start quick."""
    found: type[Game[Any]] = import_module(f"{__name__}.{key.replace('-', '_')}").GAME
    return found
