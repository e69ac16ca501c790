"""Turns in which dice are kept between throws: which dice lie on the table, and how many throws are left."""

from __future__ import annotations

from typing import Any, NamedTuple

from scorer.actions import Entry, read_dice, read_throw, take_from
from scorer.refusals import IllegalAction
from scorer.tuples import LinkedList, oldest_first


class Hand(NamedTuple):
    """One turn's dice. `dice`: the complete dice on the table, ascending, () before a throw and while a keep waits
    for its throw; `kept`: what that keep kept, ascending, None when none waits; `throw`: the last one as thrown;
    `rolls`: the complete dice after each throw so far.
    """

    throws_left: int
    dice: tuple[int, ...] = ()
    kept: tuple[int, ...] | None = None
    throw: tuple[int, ...] = ()
    rolls: LinkedList | None = None


def throw(hand: Hand, value: Any, count: int) -> Hand:
    """The hand after a throw that makes it complete with `count` dice; refuses a throw that cannot come now."""
    if hand.dice:
        raise IllegalAction("keep-first" if hand.throws_left else "no-throws-left")
    kept = hand.kept or ()
    thrown = read_throw(value, count - len(kept))
    dice = tuple(sorted(kept + thrown))
    return Hand(hand.throws_left - 1, dice, None, thrown, LinkedList(hand.rolls, dice))


def keep(hand: Hand, value: Any) -> Hand:
    """The hand after keeping some of its dice for the next throw, none of them or all but one."""
    kept = read_dice(value)
    if not hand.dice:
        raise IllegalAction("nothing-to-keep")
    if not hand.throws_left:
        raise IllegalAction("no-throws-left")
    take_from(kept, hand.dice)
    if len(kept) == len(hand.dice):
        raise IllegalAction("keep-all", most=len(hand.dice) - 1)
    return hand._replace(dice=(), kept=tuple(sorted(kept)))


def dice_to_throw(hand: Hand, count: int) -> int:
    """How many dice must be thrown now, of `count` in all; 0 when no throw may come."""
    return 0 if hand.dice else count - len(hand.kept or ())


def throws_and_keeps(hand: Hand, count: int) -> list[Entry]:
    """The entries of `legal` that go on with the turn."""
    if not hand.dice:
        return [{"do": "throw", "count": dice_to_throw(hand, count)}]
    return [{"do": "keep", "from": list(hand.dice)}] if hand.throws_left else []


def turn_view(hand: Hand, player: int | None, count: int) -> dict[str, Any]:
    """The turn of `player` in a standing; None, an empty hand and 0 dice when the game is over."""
    expects = dice_to_throw(hand, count)
    return {
        "player": player,
        "points": 0,
        "dice_left": expects or (count if hand.throws_left else 0),
        "expects": expects,
        "throw": list(hand.throw),
        "throws_left": hand.throws_left,
        "dice": list(hand.dice),
        "kept": None if hand.kept is None else list(hand.kept),
        "rolls": oldest_first(hand.rolls),
    }
