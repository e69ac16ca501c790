"""Games in which the dice decide everything: there is nothing to choose, only chances to win to be told."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from scorer.advice.solution import WIN, Choice, G, OnDemandSolution


class PureChance(OnDemandSolution[G]):
    """`value`: the chance of the player who begins a game of two."""

    unit: ClassVar[str] = WIN
    exact = True

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
