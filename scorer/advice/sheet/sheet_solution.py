"""The common part of solutions of sheet games: worth and choices, from the values of sheets before and in a turn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from scorer.advice.dice import keeps_of
from scorer.advice.multisets import Floats
from scorer.advice.sheet.keep_values import Hands, hands
from scorer.advice.solution import Choice, Solution, best_first
from scorer.sheet import SheetGame, SheetState


class SheetGameSolution(Solution[SheetGame]):
    @abstractmethod
    def to_come(self, state: SheetState, player: int) -> float:
        """The points still to come on a player's sheet, before a turn."""

    @abstractmethod
    def turn(self, state: SheetState, player: int) -> tuple[list[Floats], list[Floats]]:
        """The points still to come in and after a player's turn, as from `keep_values.solve_turn`."""

    def worth(self, state: SheetState, player: int) -> float:
        score, hand = self.score(state, player), state.hand
        if (state.over and state.winner is None) or all(None not in column.cells for column in state.sheets[player]):
            return score
        if player != state.player or (not hand.dice and hand.kept is None):
            return score + self.to_come(state, player)
        complete, kept = self.turn(state, player)
        place = self.hands.place[hand.dice or hand.kept or ()]
        if hand.dice:
            return score + float(complete[hand.throws_left][place - self.hands.first])
        return score + float(kept[hand.throws_left - 1][place])

    @property
    def hands(self) -> Hands:
        return hands(self.game.dice)

    def score(self, state: SheetState, player: int) -> float:
        """A player's points; minus them, if the lowest total wins."""
        return float(self.sign * self.game.scores(state)[player])

    def choices(self, state: SheetState, player: int) -> list[Choice]:
        entries = [entry for entry in self.game.legal(state) if entry["do"] == "score"]
        writings: list[dict[str, Any]] = [
            {name: entry[name] for name in ("do", "category", "column") if name in entry} for entry in entries
        ]
        worth = self.worth_of([self.game.apply(state, action)[0] for action in writings], player)
        return best_first([*map(Choice, writings, worth), *self._keeps(state, player)])

    def worth_of(self, states: list[SheetState], player: int) -> list[float]:
        """`worth` of several states, each before a turn."""
        return [self.worth(state, player) for state in states]

    def _keeps(self, state: SheetState, player: int) -> Iterator[Choice]:
        dice, throws_left = state.hand.dice, state.hand.throws_left
        if not (dice and throws_left):
            return
        score, worth = self.score(state, player), self.turn(state, player)[1][throws_left - 1]
        for keep in keeps_of(dice):
            yield Choice({"do": "keep", "dice": list(keep)}, score + float(worth[self.hands.place[keep]]))
