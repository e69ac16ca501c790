"""One file for each game, named after its key: a TOML file, or a module whose `GAME` is its kind. The folder `pack`
has further games. The call `scorer.games()` lists the games of this folder.

>>> import scorer
>>> import scorer.games.knaster
>>> scorer.games.knaster.GAME.key in [info.key for info in scorer.games()]
True
"""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING

from scorer.game import GameType, Info

if TYPE_CHECKING:
    from scorer.definitions.building import GameFromFile
    from scorer.installed_games import InstalledGames

ENDING = ".toml"


class _Games(ModuleType):
    # `scorer.games` is both this folder and a public function.
    def __call__(self) -> tuple[Info, ...]:
        return infos()


sys.modules[__name__].__class__ = _Games


def infos() -> tuple[Info, ...]:
    """The games of this folder, in the order of docs/rules.md."""
    return _infos_of((*_modules(), *_files()))


def further_games() -> tuple[Info, ...]:
    """The further games that come along, in the order of docs/rules.md, and those of installed packages."""
    return _infos_of((*_pack_files(), *installed_games().games))


def all_infos() -> tuple[Info, ...]:
    """The games of this folder, then the further ones."""
    return (*infos(), *further_games())


def _infos_of(wanted: tuple[str, ...]) -> tuple[Info, ...]:
    kinds = sorted(map(load, wanted), key=lambda kind: (kind.order, kind.key))
    return tuple(kind().info for kind in kinds)


def keys() -> tuple[str, ...]:
    """The keys of all games: of this folder, of the pack and of installed packages."""
    return tuple(sorted((*_own_keys(), *installed_games().games)))


def is_known(key: str) -> bool:
    """Whether there is such a game. Installed packages are only asked about keys that are not ours."""
    return key in _own_keys() or key in installed_games().games


@cache  # bounded: no argument
def installed_games() -> InstalledGames:
    """The games of other packages that are installed here."""
    from scorer.installed_games import find_installed  # slow to load

    return find_installed(_own_keys())


@cache  # bounded: no argument
def _own_keys() -> frozenset[str]:
    return frozenset((*_modules(), *_files(), *_pack_files()))


@cache  # bounded: no argument
def _modules() -> tuple[str, ...]:
    return tuple(module.name.replace("_", "-") for module in iter_modules(__path__) if not module.ispkg)


@cache  # bounded: folders of this package
def _files(folder: str = __name__) -> tuple[str, ...]:
    names = (file.name for file in files(folder).iterdir())
    return tuple(name.removesuffix(ENDING) for name in names if name.endswith(ENDING))


def _pack_files() -> tuple[str, ...]:
    return _files(f"{__name__}.pack")


@cache  # bounded: games that come along or are installed; others are refused
def load(key: str) -> GameType:
    """A game that comes along or is installed. Only its own file is read, which keeps the start quick."""
    if key in _modules():
        found: GameType = import_module(f"{__name__}.{key.replace('-', '_')}").GAME
        return found
    if key not in _own_keys():
        return installed_games().games[key]
    return game_of_file(text_of(key), key, comes_along=True)


@lru_cache(maxsize=64)
def game_of_file(text: str, key: str, comes_along: bool = False) -> GameFromFile:
    """The game that a file describes. Raises DefinitionError, a Refusal.

    Variants and examples are not tried here: who takes a file from outside asks `trial.playable_game` first.
    `comes_along`: whether the file is one of ours, so that records need not carry it.
    """
    from scorer.definitions.building import unchecked_game  # only games from files need it

    return unchecked_game(text, key, comes_along)


@lru_cache(maxsize=64)
def kind_in_language(text: str, key: str, language: str) -> GameFromFile:
    """The game that a file describes, its own texts in one language where they have it."""
    from scorer.definitions import building  # as above

    return building.kind_in_language(text, key, language)


def text_of(key: str) -> str:
    """The text of the file of a game."""
    folder = __name__ if key in _files() else f"{__name__}.pack"
    return files(folder).joinpath(f"{key}{ENDING}").read_text(encoding="utf-8")


def from_file(key: str) -> bool:
    """Whether a game is written in a file, not in Python."""
    return key in _files() or key in _pack_files()
