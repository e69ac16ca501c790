"""Files of solved games: those shipped with Rollcall, and a folder for games that the user solves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scorer.advice import family, is_race, is_solvable, solve
from scorer.advice.solution import Progress, Solution, WrongTable
from scorer.game import Game

QUICK_S = 2.0  # a game that is solved within it needs no file
SHIPPED = Path(__file__).resolve().parent.parent.parent / "models" / "advice"


def folder_in(data: Path) -> Path:
    """The folder of solved games in a user's data folder."""
    return data / "advice"


def name_of(game: Game[Any], players: int = 1) -> str:
    """The file's name: the game's key, a code of options that are not the defaults and of a file that is not ours, and
    `race` if the file has chances to win."""
    defaults = {option.name: option.default for option in game.options}
    said = json.dumps(game.settings, sort_keys=True) + (game.own_file or "")
    code = hashlib.sha256(said.encode()).hexdigest()[:12]
    options = "" if game.settings == defaults and game.own_file is None else f"-{code}"
    return f"{game.key}{options}{'-race' if is_race(game, players) else ''}.npz"


def find(game: Game[Any], folders: Sequence[Path], players: int = 1) -> Solution[Any] | None:
    """The solved game from the first folder that has it; else solved now if that is quick; else None.

    For several `players`, a race is preferred if the game has one; if that is not solved, points or turns. A damaged
    file or one of another version counts as missing.
    """
    found = load_or_solve(game, folders, players)
    return load_or_solve(game, folders) if found is None and is_race(game, players) else found


def load_or_solve(game: Game[Any], folders: Sequence[Path], players: int = 1) -> Solution[Any] | None:
    """The solved game for so many players from the first folder that has it; else solved now if that is quick."""
    found = load_kept(game, folders, players)
    if found is None and is_solvable(game) and family(game, players).seconds(game) <= QUICK_S:
        return solve(game, players=players)
    return found


def load_kept(game: Game[Any], folders: Sequence[Path], players: int = 1) -> Solution[Any] | None:
    """The solved game from the first folder that has it, else None."""
    if not is_solvable(game):
        return None
    kind, name = family(game, players), name_of(game, players)
    for path in (folder / name for folder in folders if (folder / name).is_file()):
        try:
            return kind.load(path, game)
        except (OSError, WrongTable):
            continue
    return None


def solve_and_keep(game: Game[Any], folder: Path, progress: Progress | None = None, players: int = 1) -> Solution[Any]:
    """Solves a game and saves it in `folder`, which is created if missing. Raises OSError.

    The file gets its name only when it is complete, since others may read meanwhile.
    """
    solution = solve(game, progress, players)
    folder.mkdir(parents=True, exist_ok=True)
    name = name_of(game, players)
    unfinished = folder / f"unfinished-{id(solution)}-{name}"
    try:
        solution.save(unfinished)
        unfinished.replace(folder / name)
    finally:
        unfinished.unlink(missing_ok=True)
    return solution
