"""Games without choices, in which only the dice decide the chance to win."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from scorer.advice.on_demand import OnDemandSolution
from scorer.advice.solution import WIN, Choice, G


class PureChance(OnDemandSolution[G]):
    """`value`: the chance of the first player in a game of two."""

    unit: ClassVar[str] = WIN
    exact = True

    @abstractmethod
    def chances(self, state: Any) -> list[float]:
        """Each player's chance to win a running game."""

    def worth(self, state: Any, player: int) -> float:
        if not state.over:
            return self.chances(state)[player]
        winners = self.game.winners(state, self.game.places(state, self.game.scores(state)))
        return (player in winners) / len(winners)

    def choices(self, state: Any, player: int) -> list[Choice]:
        return []
