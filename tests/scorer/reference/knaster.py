"""docs/rules.md section 9."""

from itertools import combinations
from typing import Any, ClassVar

from tests.scorer.reference.combinations import counts
from tests.scorer.reference.table import Action, ReferenceGame

# A cell: row and column, 1..5 from the top left.
Cell = tuple[int, int]
SIZE = range(1, 6)
CELLS: list[Cell] = [(row, column) for row in SIZE for column in SIZE]
LINES: dict[str, list[Cell]] = {
    **{f"r{row}": [(row, column) for column in SIZE] for row in SIZE},
    **{f"c{column}": [(row, column) for row in SIZE] for column in SIZE},
    "d1": [(place, place) for place in SIZE],
    "d2": [(place, 6 - place) for place in SIZE],
}
PRINTED = {
    **dict(zip((f"r{row}" for row in SIZE), (9, 8, 7, 6, 5), strict=True)),
    **dict(zip((f"c{column}" for column in SIZE), (9, 8, 7, 6, 5), strict=True)),
    "d1": 10,
    "d2": 10,
}


def circles(numbers: list[int]) -> int:
    """How many circles five numbers give, in any order."""
    ordered = sorted(numbers)
    if ordered == list(range(ordered[0], ordered[0] + 5)):
        return 3
    by_counts = {(5,): 3, (4, 1): 2, (3, 2): 2, (3, 1, 1): 1, (2, 2, 1): 1}
    return by_counts.get(tuple(counts(tuple(numbers))), 0)


class Knaster(ReferenceGame):
    """docs/rules.md section 9. `sum` is None between the rounds, when the next player throws."""

    key = "knaster"
    defaults: ClassVar[dict[str, Any]] = {"line_points": PRINTED}

    def __init__(self, players: list[str], options: dict[str, Any]) -> None:
        super().__init__(players, options)
        self.grids: list[dict[Cell, int]] = [{} for _ in players]
        self.circled: list[set[Cell]] = [set() for _ in players]
        self.pending: list[list[str]] = [[] for _ in players]
        self.rounds_played = 0
        self.sum: int | None = None
        self.done: set[int] = set()
        self.extra = False

    def to_act(self) -> list[int]:
        if self.sum is None:
            return [self.rounds_played % len(self.players)]
        return [player for player in range(len(self.players)) if player not in self.done]

    def score(self, player: int) -> int:
        full = [line for line, cells in LINES.items() if self.circled[player].issuperset(cells)]
        points: dict[str, int] = self.options["line_points"]
        return sum(points[line] for line in full) + len(self.circled[player])

    def uncircled_cells(self, player: int, line: str) -> list[Cell]:
        return [cell for cell in LINES[line] if cell not in self.circled[player]]

    def numbers(self, player: int, line: str) -> list[int]:
        return [self.grids[player][cell] for cell in LINES[line]]

    def legal_while_playing(self) -> list[Action]:
        if self.sum is None:
            return [{"do": "throw", "count": 2}]
        return [action for player in self.to_act() for action in self.legal_for(player)]

    def legal_for(self, player: int) -> list[Action]:
        if self.pending[player]:
            return [
                {"do": "circle-line", "player": player, "line": line, "cells": [list(cell) for cell in chosen]}
                for line in self.pending[player]
                for chosen in self.choices(player, line)
            ]
        grid = self.grids[player]
        legal: list[Action] = []
        for cell in CELLS:
            if cell not in grid:
                legal.append({"do": "write", "player": player, "cell": list(cell)})
            elif grid[cell] == self.sum and cell not in self.circled[player]:
                legal.append({"do": "circle", "player": player, "cell": list(cell)})
        if self.extra:
            legal.append({"do": "skip", "player": player})
        return legal

    def choices(self, player: int, line: str) -> list[tuple[Cell, ...]]:
        """As many uncircled cells as the line gives; all that are left if they are fewer."""
        left = self.uncircled_cells(player, line)
        return list(combinations(left, min(circles(self.numbers(player, line)), len(left))))

    def apply(self, action: Action) -> None:
        if action["do"] == "throw":
            self.sum = sum(action["dice"])
            return
        player = action["player"]
        if action["do"] == "write":
            cell = (action["cell"][0], action["cell"][1])
            assert self.sum is not None
            self.grids[player][cell] = self.sum
            self.pending[player] = [
                line
                for line, cells in LINES.items()
                if cell in cells
                and all(other in self.grids[player] for other in cells)
                and circles(self.numbers(player, line)) > 0
            ]
        elif action["do"] == "circle":
            self.circled[player].add((action["cell"][0], action["cell"][1]))
        elif action["do"] == "circle-line":
            self.circled[player].update((row, column) for row, column in action["cells"])
            self.pending[player].remove(action["line"])
        # A line with no uncircled cell left gives nothing, by itself.
        self.pending[player] = [line for line in self.pending[player] if self.uncircled_cells(player, line)]
        if not self.pending[player]:
            self.done.add(player)
        if len(self.done) == len(self.players):
            self.end_round()

    def end_round(self) -> None:
        self.over = self.extra
        self.extra = any(len(grid) == len(CELLS) for grid in self.grids)
        self.rounds_played += 1
        self.sum = None
        self.done = set()
