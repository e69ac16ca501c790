"""One module for each game, named after its key. Called, `scorer.games()` lists the games.

>>> import scorer
>>> import scorer.games.farkle
>>> scorer.games.farkle.GAME.key in [info.key for info in scorer.games()]
True
"""

import sys
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any


class _Games(ModuleType):
    # `games` is both the folder of the games and the public function, so the folder's module can be called.
    def __call__(self) -> Any:
        return import_module("scorer.registry").games()


sys.modules[__name__].__class__ = _Games


def names() -> list[str]:
    """The modules of this package."""
    return [module.name for module in iter_modules(__path__)]


def load(name: str) -> ModuleType:
    return import_module(f"{__name__}.{name}")
