"""Yamb: docs/rules.md, "The pack", and the rules at its sources."""

from typing import Any, ClassVar

from tests.scorer.reference.sheets import THROWS, UPPER, Sheet
from tests.scorer.reference.table import Action

DOWN, FREE, UP, NAMED = 1, 2, 3, 4
ROWS = (*UPPER, "max", "min", "straight", "full", "poker", "yamb")


class Yamb(Sheet):
    key = "yamb"
    defaults: ClassVar[dict[str, Any]] = {}
    columns = (DOWN, FREE, UP, NAMED)
    lower = ROWS[6:]
    named: str | None = None  # the row that was announced in this turn

    def start_turn(self) -> None:
        super().start_turn()
        self.named = None

    def throws_made(self) -> int:
        return THROWS - self.throws_left

    def open_rows(self, column: int) -> list[str]:
        return [row for row in ROWS if (column, row) not in self.mine]

    def may_write(self, column: int, category: str) -> bool:
        if self.named is not None:
            return (column, category) == (NAMED, self.named)
        if column == DOWN:
            return category == self.open_rows(DOWN)[0]
        if column == UP:
            return category == self.open_rows(UP)[-1]
        return column == FREE or self.throws_made() == 1

    def legal_while_playing(self) -> list[Action]:
        legal = super().legal_while_playing()
        if not self.dice or self.kept is not None or self.named is not None or self.throws_made() != 1:
            return legal
        if not any(self.open_rows(column) for column in (DOWN, FREE, UP)):
            legal = [action for action in legal if action["do"] != "keep"]
        return legal + [{"do": "announce", "category": row} for row in self.open_rows(NAMED)]

    def apply(self, action: Action) -> None:
        if action["do"] == "announce":
            self.named = action["category"]
        else:
            super().apply(action)

    def turn(self) -> dict[str, Any]:
        return {"announced": self.named, "throws_left": self.throws_left}

    def worth(self, column: int, category: str) -> int:
        dice = self.dice
        if category in UPPER:
            face = UPPER.index(category) + 1
            return sum(die for die in dice if die == face)
        if category in ("max", "min"):
            return sum(dice)
        if category == "straight":
            fits = set(dice) in ({1, 2, 3, 4, 5}, {2, 3, 4, 5, 6})
            return {1: 66, 2: 56, 3: 46}[self.throws_made()] if fits else 0
        if category == "full":
            return sum(dice) + 30 if {dice.count(die) for die in dice} == {2, 3} else 0
        most = max(dice, key=dice.count)
        if category == "poker":
            return 4 * most + 40 if dice.count(most) >= 4 else 0
        return 5 * most + 50 if dice.count(most) == 5 else 0

    def score(self, player: int) -> int:
        cells, total = self.cells[player], 0
        for column in self.columns:
            held = {row: points for (of, row), points in cells.items() if of == column}
            upper = sum(points for row, points in held.items() if row in UPPER)
            total += upper + (30 if upper >= 60 else 0)
            total += sum(held.get(row, 0) for row in ("straight", "full", "poker", "yamb"))
            if {"max", "min", "ones"} <= held.keys():
                total += (held["max"] - held["min"]) * held["ones"]
        return total
