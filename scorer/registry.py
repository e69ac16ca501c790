"""Access to games by their keys."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from scorer.game import Game, GameType
from scorer.games import from_file, game_of_file, is_known, keys, kind_in_language, load
from scorer.refusals import OptionError
from scorer.texts import printable

OWN_KEY = 40  # characters of the key of a game that people made
MOST_NAME = 27  # characters of the name in it
NO_LETTERS = re.compile(r"[^a-z0-9]+")


def own_key(file: str, name: str) -> str:
    """The key of a game that people made: a name, and a digest of its file. A changed game is another one."""
    digest = hashlib.blake2b(file.encode(), digest_size=6).hexdigest()
    return f"{name[: OWN_KEY - 1 - len(digest)].rstrip('-_')}.{digest}"


def key_of_title(title: str) -> str:
    """A name as files of games have it: small letters without accents, digits and hyphens; "game" if none is left."""
    plain = unicodedata.normalize("NFKD", title.replace("ł", "l").replace("Ł", "L")).encode("ascii", "ignore").decode()
    return NO_LETTERS.sub("-", plain.lower()).strip("-")[:MOST_NAME].rstrip("-") or "game"


def game(key: str, /, *, file: str | None = None, **options: Any) -> Game[Any]:
    """The rules of one game. Raises OptionError for an unknown game or option, or a value that is not allowed.

    `file`: the text of the file of a game that people made; its key may be an `own_key`. Raises DefinitionError for it.
    """
    if file is None:
        return kind_of(key)(**options)
    if not isinstance(file, str):
        raise OptionError("no-options", option="file")
    return game_of_file(file, key.partition(".")[0])(**options)


def in_language(game: Game[Any], language: str) -> Game[Any]:
    """A game as it is told in one language. The texts of a game that people made are as they wrote them in it; all
    others stay English, for a catalogue to translate.
    """
    if game.own_file is None:
        return game
    return kind_in_language(game.own_file, game.key, language)(**game.settings)


def kind_of(key: str) -> GameType:
    """A game that comes along or is installed. Raises OptionError for an unknown one."""
    if not is_known(key):
        raise OptionError("unknown-game", game=printable(key), known=list(keys()))
    return load(key)


def rating(key: str, results: Iterable[tuple[int, int]]) -> float | None:
    """A player's rating from his (points, place) in finished games of one kind; None if the game has no rating."""
    return load(key).family.rating(results) if is_known(key) else None


@cache  # bounded: no argument
def cell_titles() -> frozenset[str]:
    """The English titles of cells in games from files: what standings name."""
    definitions = (load(key).definition for key in keys() if from_file(key))  # type: ignore[attr-defined]
    return frozenset(text for each in definitions for text, _, named in each.translations() if named)


def parse_options(key: str, texts: Mapping[str, str], file: str | None = None) -> dict[str, Any]:
    """Reads options from texts of a command line. `game`, which takes the same `file`, then checks the values."""
    known = {option.name: option for option in game(key, file=file).options}
    return {name: known[name].parse(text) if name in known else text for name, text in texts.items()}
