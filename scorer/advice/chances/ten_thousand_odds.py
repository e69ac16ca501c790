"""The chances of ten-thousand games."""

from __future__ import annotations

from fractions import Fraction

from scorer.actions import Action
from scorer.advice.chances.reach_probability import reach_probability
from scorer.advice.chances.throws import column, dice_of, throws_of
from scorer.advice.dice import all_throws
from scorer.advice.solvable import goes_by_turns, is_solvable
from scorer.ten_thousand import TenThousand, TenThousandState

LONGEST = 20  # steps: for more there is no chance to reach them


def odds(game: TenThousand, state: TenThousandState, player: int, action: Action) -> dict[str, Fraction]:
    """The chances after `action`: that the next throw busts, `bust`, or scores, `score`; and the best chances that
    this turn becomes bankable, `bank`, also with the points for the target, `target`. {} for banking.

    `bank` is 1 after a set-aside with which the turn may be banked. `bank` and `target` assume that the player
    wants nothing else. They are left out if a turn needs more than 20 steps (of 50 points), and in games that are
    not solved. `action`: an entry of `legal`, or as in a record.
    """
    if action["do"] == "bank" or (state.waiting and action["do"] == "throw"):
        return {}
    after = state if action["do"] == "throw" else game.apply(state, action)[0]
    if after.turns > state.turns or after.over:  # a last throw ends with its set-aside
        return {}
    if not is_solvable(game) or goes_by_turns(game):
        bust = Fraction(sum(ways for dice, ways in all_throws(after.left) if _loses(game, after, dice)), 6**after.left)
        return {"bust": bust, "score": 1 - bust}
    place = column(game, after)
    count = dice_of(place, game.dice)
    throws = throws_of(game)
    bust = Fraction(throws.ways[count - 1].get((), 0), 6**count)
    chances = {"bust": bust, "score": 1 - bust}
    banked = state.banked[player]
    least = max(game.rules.minimum, 0 if banked else game.rules.opening)
    for name, needed in (("bank", least), ("target", game.rules.target - state.scores[player])):
        needed = max(needed, least)
        if max(game.rules.minimum, game.rules.opening, needed) <= LONGEST * throws.step:
            chances[name] = reach_probability(game, banked, needed, after.points, place, action["do"] == "throw")
    return chances


def _loses(game: TenThousand, state: TenThousandState, dice: tuple[int, ...]) -> bool:
    """Whether a throw ends the turn without points."""
    after, _ = game.apply(state, {"do": "throw", "dice": dice})
    return after.turns > state.turns and after.ended[1] <= 0
