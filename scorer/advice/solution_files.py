"""Files of solved games: a header and arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from scorer.advice.solution import WrongTable
from scorer.game import Game

# Raise it when the contents of files change. Games with older files are then solved anew.
FORMAT = 1

Arrays = Mapping[str, npt.NDArray[Any]]


def write_table(path: Path, game: Game[Any], header: Mapping[str, Any], arrays: Arrays) -> None:
    """Writes one compressed file with the game, its options, a `header` of JSON values, and `arrays`."""
    text = json.dumps({"format": FORMAT, "game": game.key, "options": game.settings, **header})
    contents: dict[str, Any] = {"header": np.frombuffer(text.encode(), dtype=np.uint8), **arrays}
    with path.open("wb") as file:
        np.savez_compressed(file, **contents)


def read_table(path: Path, game: Game[Any]) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Header and arrays of a file of `write_table` for this game and options. Raises WrongTable or OSError."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header: dict[str, Any] = json.loads(arrays.pop("header").tobytes())
    except OSError:
        raise
    except Exception as error:  # a damaged file can fail in many ways
        raise WrongTable(f"{path} is no solved table: {error}") from error
    wanted = {"format": FORMAT, "game": game.key, "options": game.settings}
    found = {name: header.get(name) for name in wanted}
    if found != wanted:
        raise WrongTable(f"{path} is a table of {found}, not of {wanted}")
    return header, arrays
