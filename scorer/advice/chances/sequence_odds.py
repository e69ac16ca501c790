"""The chances of a throw in Sequence."""

from __future__ import annotations

from fractions import Fraction

from scorer.actions import Action
from scorer.advice.dice import all_throws
from scorer.games.sequence import Sequence, SequenceState


def odds(game: Sequence, state: SequenceState, player: int, action: Action) -> dict[str, Fraction]:
    """The chances that the next throw scores, `score`, reaches the target, `target`, and with the option
    three_ones_wipe takes all points away, `bust`.
    """
    adds, wiped = throws_of(game)
    needed = game.rules.target - state.scores[player]
    chances = {
        "score": sum((chance for points, chance in adds.items() if points), Fraction(0)),
        "target": sum((chance for points, chance in adds.items() if points >= needed), Fraction(0)),
    }
    return {"bust": wiped, **chances} if game.rules.three_ones_wipe else chances


def throws_of(game: Sequence) -> tuple[dict[int, Fraction], Fraction]:
    """The chances of the points that a throw adds, and that it takes all away, by the game's rules."""
    adds: dict[int, Fraction] = {}
    wiped = Fraction(0)
    before = game.start(1)._replace(scores=(1,))
    for dice, ways in all_throws(game.dice):
        after, events = game.apply(before, {"do": "throw", "dice": dice})
        chance = Fraction(ways, 6**game.dice)
        if events[0]["event"] == "wiped":
            wiped += chance
        else:
            points = after.scores[0] - before.scores[0]
            adds[points] = adds.get(points, Fraction(0)) + chance
    return adds, wiped
