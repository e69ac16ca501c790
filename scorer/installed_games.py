"""Games of other packages, which name a `GameType` by an entry point of the group `rollcall.games`: docs/add-a-game.md.

They are Python that somebody installed on this computer. No link, file or record brings one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from scorer.game import GameType

GROUP = "rollcall.games"
KEY = re.compile(r"[a-z][a-z0-9-]{0,39}")


class InstalledGames(NamedTuple):
    """`faults`: a sentence for each that is not offered."""

    games: Mapping[str, GameType]
    faults: tuple[str, ...]


def find_installed(taken: Collection[str]) -> InstalledGames:
    """The games of installed packages. `taken`: keys that no other game may have."""
    games: dict[str, GameType] = {}
    faults = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            kind = entry.load()
            fault = _fault_of(entry.name, kind, {*taken, *games})
        except Exception as error:  # of a package that is not ours
            fault = f"{type(error).__name__}: {error}"
        if fault:
            faults.append(f"the installed game {entry.name} ({entry.value}) is not offered: {fault}")
        else:
            games[entry.name] = kind
    return InstalledGames(games, tuple(faults))


def _fault_of(name: str, kind: Any, taken: Collection[str]) -> str:
    """Why a game cannot be offered; "" if it can. Raises whatever the game does."""
    if not isinstance(kind, GameType):
        return f"it must be a GameType, not {type(kind).__name__}"
    if kind.key != name:
        return f"its key is {kind.key}, which its entry point must be called too"
    if not KEY.fullmatch(name):
        return "a key has small letters, digits and hyphens, 40 at most"
    if name in taken:
        return "another game has this key"
    game = kind()
    state = game.start(1)
    json.dumps([game.info.to_json(), game.scores(state), game.turn(state), game.legal(state)])
    return ""
