"""The chances of a hand's next throw, by all falls of the dice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from scorer.actions import Action
from scorer.advice.dice import all_throws
from scorer.contest import Dice
from scorer.definitions.hand_rules import HandWorth
from scorer.turns.hand import HandGame, HandState, aside_in


def odds(game: HandGame, state: HandState, player: int, action: Action) -> dict[str, Fraction]:
    """The chances that the throw which follows loses the turn, `bust`, or fits a line of the value table, `score`; and
    if somebody has thrown in a round that is played for, that the turn then is better than the best so far, `lead`, or
    as good, `tie`. Where lives count, the worst so far takes the place of the best. {} for ending the turn.

    Left out are a loss that is impossible and a line that always fits. Dice that must be thrown again count as not
    thrown.
    """
    if action["do"] == "bank":
        return {}
    rules = game.rules
    aside = aside_in(state) + (tuple(action["dice"]) if action["do"] == "set-aside" else ())
    falls = list(_falls(game, aside))
    every = sum(ways for ways, _ in falls)
    fits = [(ways, hand) for ways, hand in falls if hand.line >= 0]
    found: dict[str, Fraction] = {}
    if rules.keep == "growing" and (lost := sum(ways for ways, hand in falls if hand.line == LOST)):
        found["bust"] = Fraction(lost, every)
    elif len(fits) < len(falls):
        found["score"] = Fraction(sum(ways for ways, _ in fits), every)
    known = state.contest.best(state.seats, rules.low_wins != (rules.lives > 0))
    counted = fits if rules.until_worth else falls
    if rules.counts == "totals" or not known or not counted:
        return found
    wanted, every = state.contest.points_of(known[0]), sum(ways for ways, _ in counted)
    better = sum(ways for ways, hand in counted if hand.worth != wanted and (hand.worth < wanted) == rules.low_wins)
    equal = sum(ways for ways, hand in counted if hand.worth == wanted)
    return {**found, "lead": Fraction(better, every), "tie": Fraction(equal, every)}


LOST = -2  # in place of a line: the turn is lost


def _falls(game: HandGame, aside: Dice) -> Iterator[tuple[int, HandWorth]]:
    """Each fall of the dice that do not lie aside: in how many ways, and the hand that it makes."""
    rules, highest = game.rules, max(aside, default=0)
    for dice, ways in all_throws(rules.dice - len(aside)):
        lost = rules.keep == "growing" and dice[-1] < highest
        yield ways, HandWorth(LOST) if lost else rules.table[tuple(sorted((*aside, *dice)))]
