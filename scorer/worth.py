"""What a single throw is worth, without a table."""

from __future__ import annotations

from typing import Any

from scorer.game import Game


def score_throw(game: Game[Any], dice: list[int]) -> dict[str, Any]:
    """What a first throw of a turn is worth: every legal choice as in a standing's `legal`, ready for JSON.

    `events` and `points`: what the throw brings by itself. Raises IllegalAction for dice that are no first throw.
    """
    return {
        "game": game.key,
        "options": dict(game.settings),
        "dice": list(dice),
        **game.first_throw(dice),
    }
