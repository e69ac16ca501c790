"""The chances of a choice, exact: each family says what its games ask for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from scorer.actions import Action
from scorer.advice import family
from scorer.advice.solution import Odds
from scorer.game import Game


def odds(game: Game[Any], state: Any, player: int, action: Action) -> Odds:
    """The chances that a legal action of `player` leaves him, by name; docs/advice.md says which. {} where none are."""
    return family(game).odds(game, state, player, action)


def to_json(chances: Odds) -> dict[str, Any]:
    """Chances as a document shows them: `{"bust": {"fraction": "1/6", "chance": 0.16667}}`; of a float no fraction."""
    return {
        name: {**({"fraction": str(chance)} if isinstance(chance, Fraction) else {}), "chance": float(chance)}
        for name, chance in chances.items()
    }
