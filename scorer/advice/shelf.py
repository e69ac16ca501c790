"""Where solved tables are kept: those that Rollcall brings, and a folder of the user's for what was solved later."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scorer.advice import family, solve
from scorer.advice.solution import Progress, Solution, WrongTable
from scorer.game import Game

BROUGHT = Path(__file__).resolve().parent.parent.parent / "models" / "advice"


def folder_in(data: Path) -> Path:
    """The folder for solved tables in a user's data folder."""
    return data / "advice"


def name_of(game: Game[Any]) -> str:
    """The file's name: the game's key, and a code of its options where they are not the defaults."""
    defaults = {option.name: option.default for option in game.options}
    if game.settings == defaults:
        return f"{game.key}.npz"
    code = hashlib.sha256(json.dumps(game.settings, sort_keys=True).encode()).hexdigest()[:12]
    return f"{game.key}-{code}.npz"


def find(game: Game[Any], folders: Sequence[Path]) -> Solution | None:
    """The solved game from the first of the folders that has it, else one that is solved in a moment; None where
    neither is so. A file of another version, or a damaged one, counts as none.
    """
    module = family(game)
    for folder in folders:
        try:
            solution: Solution = module.SOLUTION.load(folder / name_of(game), game)
        except (OSError, WrongTable):
            continue
        return solution
    return solve(game) if getattr(module, "QUICK", False) else None


def solve_and_keep(game: Game[Any], folder: Path, progress: Progress | None = None) -> Solution:
    """Solves a game and keeps it in `folder`, which is made where it is missing. Raises OSError.

    The file appears under its name only when it is whole: others may read meanwhile.
    """
    solution = solve(game, progress)
    folder.mkdir(parents=True, exist_ok=True)
    name = name_of(game)
    unfinished = folder / f"unfinished-{id(solution)}-{name}"
    try:
        solution.save(unfinished)
        unfinished.replace(folder / name)
    finally:
        unfinished.unlink(missing_ok=True)
    return solution
