"""What a file says of a hand: `[turn]`.

A field's line in a docstring is its description in the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Annotated, Literal, NamedTuple

from scorer.actions import FACES, MOST_POINTS
from scorer.definitions.contest_rules import ContestRules
from scorer.definitions.patterns import Dice, Face
from scorer.definitions.shapes import Bounds, WrongShape, wrong_value
from scorer.definitions.turn_rules import ThrowRules, WorthRules
from scorer.definitions.value_table import Worth, values_of
from scorer.texts import T

MOST_HAND = 6  # dice: the worth of all throws is found when the file is read
RANK = 1000  # between two lines of a ranking

HandDice = Annotated[int, Bounds(1, MOST_HAND)]
Number = Annotated[int, Bounds(0, MOST_HAND)]


class HandWorth(NamedTuple):
    """`line`: of the value table, from 0; -1 if none fits. `points`: as people say them. `worth`: what hands are
    compared by, and what totals count.
    """

    line: int = -1
    points: int = 0
    worth: int = 0


@dataclass(frozen=True, kw_only=True)
class HandTurn(ThrowRules, WorthRules):
    """Throw, keep, throw again: the dice at the end are a hand.

    throws: throws of a turn, at most; 0: one, which is thrown again while the dice fit no line.
    keep: "stays": the player sets dice aside between throws, which stay there; "growing": and a die must be as high as
        the highest kept before; where none is, the turn is lost; "none": he does not, only `keep_order` does.
    keep_at_least: dice to set aside after each throw, at least.
    keep_order: with "none", these dice are kept by themselves, each only with all before it.
    first_sets_throws: whether nobody may throw more often than the first player of the round.
    ranked: whether an earlier line of the value table beats a later one whatever their points are.
    """

    dice: HandDice = 5
    throws: Annotated[int, Bounds(0, 10)] = 3
    keep: Literal["stays", "growing", "none"] = "stays"
    keep_at_least: Number = 0
    keep_order: Annotated[tuple[Face, ...], Bounds(0, MOST_HAND)] = ()
    first_sets_throws: bool = False
    ranked: bool = False


@dataclass(frozen=True, kw_only=True)
class HandRules(ContestRules, HandTurn):
    """A hand and its contest, in one table."""

    @property
    def until_worth(self) -> bool:
        """Whether a throw that fits no line does not count as one, and is thrown again."""
        return not self.throws

    @property
    def most_throws(self) -> int:
        """The throws of a turn that count, at most."""
        return self.throws or 1

    @property
    def table(self) -> Mapping[Dice, HandWorth]:
        """What each complete throw is worth, by its ascending dice. Raises WrongShape."""
        return value_table(self.worth, self.dice, self.ranked)

    def check(self) -> None:
        """Raises WrongShape for rules that contradict each other."""
        self._check_apart()
        for rule, other, fits in (
            ("lives", 'counts = "rounds"', self.counts == "rounds" or not self.lives),
            ("end", 'counts = "totals"', self.counts == "totals" or self.end == "at-once"),
            ("ranked", 'counts = "rounds"', self.counts != "totals" or not self.ranked),
            ("begins", 'counts = "rounds"', self.counts != "totals" or self.begins in ("first", "next")),
        ):
            if not fits:
                raise WrongShape(("rules", rule), "definition-together", field=rule, other=other)
        if not (self.rounds or self.target or self.lives):
            raise WrongShape(("rules", "rounds"), "definition-endless", known=["rounds", "target", "lives"])

    def _check_apart(self) -> None:
        for rule, other, fits in (
            ("target", "lives", not (self.target and self.lives)),
            ("keep_at_least", 'keep = "stays"', self.keep != "none" or not self.keep_at_least),
            ("keep_order", 'keep = "none"', self.keep == "none" or not self.keep_order),
            ("throws", f'keep = "{self.keep}"', self.keep == "none" or self.throws),
            ("throws", "keep_order", self.throws or not self.keep_order),
        ):
            if not fits:
                raise WrongShape(("rules", rule), "definition-apart", field=rule, other=other)
        if len(self.keep_order) > self.dice:
            params = {"needed": len(self.keep_order), "dice": self.dice}
            raise WrongShape(("rules", "keep_order"), "definition-too-many-dice", field="rules.keep_order", **params)

    @property
    def steps(self) -> int:
        """About how many microseconds a throw takes, at most."""
        return 100


@lru_cache(maxsize=64)  # most variants of a file share theirs
def value_table(lines: tuple[Worth, ...], dice: int, ranked: bool) -> Mapping[Dice, HandWorth]:
    """What each complete throw is worth. Raises WrongShape for lines that cannot be, or points out of bounds."""
    values = values_of(lines, dice)
    low, high = (0, RANK - 1) if ranked else (-MOST_POINTS, MOST_POINTS)
    found: dict[Dice, HandWorth] = {}
    for throw in combinations_with_replacement(FACES, dice):
        found[throw] = HandWorth()
        for place, line in enumerate(lines):
            made = line.matching_dice(throw)
            if made is None:
                continue
            points = values[place](throw, made, 0)
            if not low <= points <= high:
                allowed = T("a whole number from {low} to {high}", low=low, high=high)
                raise wrong_value(("rules", "worth", place, "points"), allowed, str(points))
            rank = RANK * (len(lines) - place) if ranked else 0
            found[throw] = HandWorth(place, points, rank + points)
            break
    return found
