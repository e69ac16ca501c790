"""Words for the tests of sheet games: cells by hand, and the whole table of what any five dice are worth."""

from collections.abc import Iterable
from typing import Any

import scorer
from tests.scorer.playing import Action, legal, play, score, throw

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three", "four", "full", "small-straight", "large-straight", "general", "chance")


def counts(dice: Iterable[int]) -> list[int]:
    """How often the values occur, ascending."""
    dice = list(dice)
    return sorted(map(dice.count, set(dice)))


def fill(table: scorer.Table, **cells: tuple[int, ...]) -> scorer.Table:
    """One-column games with one player: writes these dice into these cells (underscores for hyphens)."""
    for category, dice in cells.items():
        play(table, throw(*dice), score(category.replace("_", "-")))
    return table


def fill_before(table: scorer.Table, face: int, general: int | None, own_filled: bool, lower_open: bool) -> None:
    """What stands on the sheet before five of `face` are thrown: `general` with 50 or 0 (None: it is open), the upper
    cell of the face if `own_filled`, and all other lower cells unless `lower_open`."""
    other = (1, 1, 2, 2, 3) if face != 1 else (2, 2, 3, 3, 4)
    if general is not None:
        fill(table, general=(6, 6, 6, 6, 6) if general else other)
    if own_filled:
        fill(table, **{UPPER[face - 1]: other})
    if not lower_open:
        fill(table, **{key.replace("-", "_"): other for key in LOWER if key != "general"})


def fill_column(table: scorer.Table, column: int, **cells: tuple[int, ...]) -> scorer.Table:
    for category, dice in cells.items():
        play(table, throw(*dice), score(category.replace("_", "-"), column))
    return table


def offers(table: scorer.Table, *dice: int) -> dict[Any, tuple[int, int]]:
    """What a throw would give in every cell where it may be written: points and bonus. The table stays as it was."""
    play(table, throw(*dice))
    found = {_cell(entry): (entry["points"], entry["bonus"]) for entry in legal(table, "score")}
    table.undo()
    return found


def _cell(entry: Action) -> Any:
    return (entry["category"], entry["column"]) if "column" in entry else entry["category"]


def column_of(table: scorer.Table, player: int = 0, column: int = 1) -> dict[str, Any]:
    return table.standing()["players"][player]["columns"][column - 1]
