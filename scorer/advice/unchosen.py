"""Games in which the dice decide everything: there is nothing to choose, only chances to win to be told."""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from scorer.advice.solution import WIN, Choice, Solution, read_table, write_table
from scorer.game import Game


class Unchosen(Solution):
    """`value`: the chance of the player who begins a game of two."""

    unit: ClassVar[str] = WIN

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.exact = True
        self.states = 0

    @abstractmethod
    def chances(self, state: Any) -> list[float]:
        """Each player's chance to win a game that is not over."""

    def worth(self, state: Any, player: int) -> float:
        if not self.game.is_over(state):
            return self.chances(state)[player]
        winners = self.game.winners(state, self.game.places(state, self.game.scores(state)))
        return (player in winners) / len(winners)

    def choices(self, state: Any, player: int) -> list[Choice]:
        return []

    def save(self, path: Path) -> None:
        """Only which game it is: the rest is found again in a moment."""
        write_table(path, self.game, {}, {})

    @classmethod
    def load(cls, path: Path, game: Game[Any]) -> Unchosen:
        read_table(path, game)
        return cls(game)
