"""Words for the tests of sheet games: cells by hand, and the whole table of what any five dice are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import scorer
from tests.scorer.playing import Action, Dice, all_throws, legal, play, score, throw

UPPER = ("ones", "twos", "threes", "fours", "fives", "sixes")
LOWER = ("three", "four", "full", "small-straight", "large-straight", "general", "chance")
JOKER_WORTH = {"full": 25, "small-straight": 30, "large-straight": 40}


def check_every_throw(key: str, worth: Mapping[str, Callable[[Dice], int]]) -> None:
    """All 6^5 throws in all cells of an empty sheet, against `worth` (for column 1; the others are its multiples)."""
    game = scorer.game(key)
    start = game.start(1)
    seen: dict[Dice, dict[tuple[str, int], tuple[int, int]]] = {}
    for dice in all_throws(5):
        state, _ = game.apply(start, {"do": "throw", "dice": dice})
        in_order = tuple(sorted(dice))
        assert state.hand.dice == in_order
        if in_order not in seen:
            entries = [entry for entry in game.legal(state) if entry["do"] == "score"]
            seen[in_order] = {
                (entry["category"], entry.get("column", 1)): (entry["points"], entry["bonus"]) for entry in entries
            }
            assert len(entries) == len(seen[in_order])
        columns = {column for _, column in seen[in_order]}
        assert seen[in_order] == {
            (category, column): (points(dice) * column, 0) for category, points in worth.items() for column in columns
        }


def counts(dice: Iterable[int]) -> list[int]:
    """How often the values occur, ascending."""
    dice = list(dice)
    return sorted(map(dice.count, set(dice)))


def has_run(dice: Iterable[int], length: int) -> bool:
    values = "".join(str(face) if face in set(dice) else " " for face in range(1, 7))
    return any(len(run) >= length for run in values.split())


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
    found: dict[str, Any] = table.standing()["players"][player]["columns"][column - 1]
    return found
