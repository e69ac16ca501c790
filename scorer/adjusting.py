"""What a person settles by hand in the games whose turns bring points: a turn that is to have brought so many."""

from __future__ import annotations

from scorer.actions import MOST_POINTS, Action, read_number
from scorer.game import ADJUSTMENTS, Adjustments, Step
from scorer.refusals import IllegalAction
from scorer.sentences import Verb, phrase

# `turn`: the running one ends with these points; `last-turn`: the one that ended last has brought these instead.
_TURN = Verb(("player", "points"), phrase("turn settled by hand: {points}"))
TURN_ADJUSTMENTS: Adjustments = {**ADJUSTMENTS, "turn": _TURN, "last-turn": _TURN}


def read_points(action: Action) -> int:
    return read_number(action["points"], "points", -MOST_POINTS, MOST_POINTS)


def ended_turn(ended: tuple[int, int], player: int) -> int:
    """What the turn that ended last brought; refuses when it was not this player's."""
    if ended[0] != player:
        raise IllegalAction("not-this-players-last-turn", player=player + 1)
    return ended[1]


def turn_settlement(was: Step, running: bool) -> list[Action]:
    """The adjustment that gives a turn what it brought when `was` ended it."""
    turn = next(event for event in was.events if event["event"] == "turn")
    what = "turn" if running else "last-turn"
    return [{"do": "adjust", "what": what, "player": turn["player"], "points": turn["points"]}]
