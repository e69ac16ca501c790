"""What a file of a game holds. docs/schema/game.json is made of these types; docs/add-a-game.md shows files.

A field's line in a docstring is its description in the schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import combinations, combinations_with_replacement, takewhile
from math import gcd
from typing import Annotated, Any, Literal, get_args

from scorer.actions import FACES, MOST_POINTS
from scorer.categories import Category
from scorer.combinations import Combination, Combinations, combinations_for
from scorer.definitions.contest_rules import ContestRounds, RaceEnd, RoundRules, TargetRace, TeamRules, TotalRules
from scorer.definitions.expressions import Value
from scorer.definitions.hand_rules import HandRules
from scorer.definitions.patterns import MOST_DICE, Count, Face
from scorer.definitions.rule_tables import (
    ANNOUNCED,
    FREE,
    MOST_CELLS,
    MOST_STEPS,
    Cell,
    ScoredDice,
    SheetColumn,
    Tier,
    categories_of,
    check_tiers,
    race_steps,
    scoring_table,
    sheet_steps,
)
from scorer.definitions.shapes import Bounds, LocalText, Word, WrongShape, describe, name_of, types_of, wrong_value
from scorer.definitions.turn_rules import DiceRules, ThrowRules, WorthRules
from scorer.definitions.value_table import Line, Points, Worth, values_of
from scorer.jokers import FURTHER_GENERALS_BY_COLUMN, GENERAL, JOKERS, Jokers
from scorer.texts import T

MOST_BOXES = 240  # of one player's sheet
MOST_ROUNDS = 200  # of a score pad: it ends then

RuleTitle = Annotated[LocalText, Bounds(1, 120)]
Prose = Annotated[LocalText, Bounds(1, 1000)]
Total = Annotated[int, Bounds(-MOST_POINTS, MOST_POINTS)]
MOST_BUSTS = 10  # in a row, until they cost points
EXACT = 'end = "exact"'


@dataclass(frozen=True, kw_only=True)
class TenThousandRules(TargetRace, DiceRules):
    """Set dice aside, throw on or bank: a throw in which nothing scores loses the turn.

    target: the total that ends the game.
    combination: the scoring table.
    minimum: points that a turn needs to be banked.
    opening: points that a player's first banked turn needs.
    bank_with_at_most: dice left to throw when a turn is banked; any number if not given.
    forced: whether everything that scores is set aside by itself, for the most points.
    hot_dice: once all have scored, all may or must be thrown again; or they must if one throw scored with all; or they
        may, and what is set aside from then on in the turn counts once more each time: twice, three times...
    take_over: whether a turn may begin with the dice that the one before left to throw, and with its points.
    nothing_scores: points for a first throw of all dice in which nothing scores; 0: it is a bust.
    penalty: [3, 500]: three busts in a row cost 500 points; busts cost nothing if not given.
    """

    combination: Annotated[tuple[ScoredDice, ...], Bounds(1, 40)]
    dice: Count = 6
    target: Annotated[int, Bounds(1, MOST_POINTS)] = 10_000
    minimum: Points = 0
    opening: Points = 0
    bank_with_at_most: Annotated[int, Bounds(0, MOST_DICE)] | None = None
    take_over: bool = False
    forced: bool = False
    hot_dice: Literal["may", "must", "must-after-one-throw", "multiply"] = "may"
    nothing_scores: Points = 0
    penalty: Annotated[tuple[Annotated[int, Bounds(1, MOST_POINTS)], ...], Bounds(2, 2)] | None = None

    def check(self) -> None:
        """Raises WrongShape for a scoring table that cannot be, or a target that its points cannot reach."""
        _check_wiping(self)
        if self.penalty_busts > MOST_BUSTS:
            allowed = T("a whole number from {low} to {high}", low=1, high=MOST_BUSTS)
            raise wrong_value(("rules", "penalty", 0), allowed, str(self.penalty_busts))
        if self.table and self.target % (step := self.step_of_target):
            raise _wrong_target(self.target, step)

    @property
    def step_of_target(self) -> int:
        """What a target is a multiple of: points must be able to reach one that nothing may pass. Raises WrongShape."""
        if self.end != "exact":
            return 1
        points = (points for each in self.table for _, points in each.dice)
        return gcd(*points, self.overshoot_to or 0, self.nothing_scores, self.penalty_points)

    @property
    def penalty_busts(self) -> int:
        """Busts in a row that cost points; 0 if they cost none."""
        return self.penalty[0] if self.penalty else 0

    @property
    def penalty_points(self) -> int:
        """The points that they cost."""
        return self.penalty[1] if self.penalty else 0

    @cached_property
    def winning(self) -> tuple[Combination, ...]:
        """The lines of the scoring table that win at once. Raises WrongShape."""
        return scoring_table(tuple(line for line in self.combination if line.wins), self.dice)

    @cached_property
    def table(self) -> tuple[Combination, ...]:
        """The scoring table. Raises WrongShape."""
        return scoring_table(self.combination, self.dice)

    @property
    def filling(self) -> tuple[Combination, ...]:
        """The lines of the scoring table that do not win at once."""
        return scoring_table(tuple(line for line in self.combination if not line.wins), self.dice)

    @cached_property
    def combinations(self) -> Combinations:
        """The worth of dice by the scoring table."""
        return combinations_for(self.table)

    @property
    def steps(self) -> int:
        """About how many microseconds the worth of one throw takes, at most."""
        return race_steps(self.table, self.dice)


def _wrong_target(target: int, step: int) -> WrongShape:
    """That points which are multiples of a step cannot make an exact target."""
    allowed = T("a multiple of {step}, {low}..{high}", step=step, low=step, high=MOST_POINTS)
    return wrong_value(("rules", "target"), allowed, str(target))


def _together(rule: str, other: str, field: str = "") -> WrongShape:
    """That one rule, or this value of it, needs another. Rules may have a value: `end = "exact"`."""
    return WrongShape(("rules", rule), "definition-together", field=field or rule, other=other)


def _apart(rule: str, other: str) -> WrongShape:
    """That two rules exclude each other."""
    return WrongShape(("rules", rule), "definition-apart", field=rule, other=other)


def _check_wiping(rules: TenThousandRules | CounterRules) -> None:
    """Raises WrongShape for more dice than a throw has."""
    if len(rules.wiped_by) > rules.dice:
        path, needed = ("rules", "wiped_by"), len(rules.wiped_by)
        raise WrongShape(path, "definition-too-many-dice", field=name_of(path), needed=needed, dice=rules.dice)


@dataclass(frozen=True, kw_only=True)
class SheetRules(TotalRules, ThrowRules):
    """Throw, keep, throw again, and write the dice into one open cell of a sheet.

    cell: the cells below the upper part.
    upper: the faces that have a usual cell (ones, twos...) in the upper part.
    saved_throws: unused throws that a player keeps for later turns, at most; 0: none.
    column: the columns, if there are several, or if its cells have an order.
    upper_bonus: bonuses by the upper sum: [63, 35] is a bonus of 35 from 63 on; only the highest reached counts.
    tiers: points by the sum of all cells. Where there are any, only these and the tiers of cells count.
    joker: what five alike may do once the cell with the key general is filled.
    hundreds_need_first: whether further ones bring their 100 points only if the first were written into that cell.
    zero_only_if_nothing_fits: whether a 0 may be written only if no open cell would bring anything.
    difference: [max, min, ones]: the cells with these keys count so: the first less the second, times the third.
    """

    cell: Annotated[tuple[Cell, ...], Bounds(0, MOST_CELLS)] = ()
    upper: Annotated[tuple[Face, ...], Bounds(0, 6)] = (1, 2, 3, 4, 5, 6)
    dice: Count = 5
    saved_throws: Annotated[int, Bounds(0, 100)] = 0
    column: Annotated[tuple[SheetColumn, ...], Bounds(0, 6)] = ()
    upper_bonus: Annotated[tuple[Tier, ...], Bounds(0, 12)] = ()
    tiers: Annotated[tuple[Tier, ...], Bounds(0, 12)] = ()
    joker: Literal["none", "forced", "of-choice", "original", "free", "free-later", "further-generals"] = "none"
    hundreds_need_first: bool = False
    zero_only_if_nothing_fits: bool = False
    difference: Annotated[tuple[Word, ...], Bounds(3, 3)] | None = None

    @cached_property
    def columns(self) -> tuple[SheetColumn, ...]:
        """The columns, one at least."""
        return self.column or (SheetColumn(),)

    @cached_property
    def factors(self) -> tuple[int, ...]:
        """How many times the points of each column count."""
        return tuple(each.factor for each in self.columns)

    @cached_property
    def is_free(self) -> bool:
        """Whether the cells of all columns are written in any order."""
        return all(each.order == FREE for each in self.columns)

    @property
    def first_general_is_joker(self) -> bool:
        """Whether a player's first five alike may be a joker."""
        return self.joker != "free-later"

    def check(self) -> None:
        """Raises WrongShape for cells that cannot be, and for jokers that have none."""
        keys = [each.key for each in self.categories]
        faces = [each.face for each in self.categories if each.face]
        if self.joker != "none" and (GENERAL not in keys or sorted(faces) != list(FACES) or self.dice != 5):
            raise WrongShape(("rules", "joker"), "definition-joker-needs", key=GENERAL)
        if self.joker != "none" and self.boxes > len(keys):
            raise _apart("joker", "stands")
        if (boxes := self.boxes * len(self.columns)) > MOST_BOXES:
            allowed = T("at most {most} cells, each as often as it stands", most=MOST_BOXES)
            raise wrong_value(("rules", "cell"), allowed, str(boxes))
        check_tiers(self.upper_bonus, ("rules", "upper_bonus"))
        check_tiers(self.tiers, ("rules", "tiers"))
        if self.joker == "forced" and not self.is_free:  # a joker might have no cell then
            raise _apart("column", 'joker = "forced"')
        announced = [place for place, each in enumerate(self.column) if each.order == ANNOUNCED]
        for place in announced[1:]:
            allowed = T("another order: one column alone is announced")
            raise wrong_value(("rules", "column", place, "order"), allowed, ANNOUNCED)
        self._check_difference({each.key for each in self.categories if each.stands == 1})

    def _check_difference(self, keys: set[str]) -> None:
        for place, key in enumerate(self.difference or ()):
            if key not in keys or key in (self.difference or ())[:place]:
                allowed = T("another one of the cells that stand once: {keys}", keys=sorted(keys))
                raise wrong_value(("rules", "difference", place), allowed, key)

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """The cells, the upper ones first. Raises WrongShape."""
        return categories_of(self.cell, self.upper, self.dice)

    @property
    def upper_threshold(self) -> int:
        """The upper sum that brings the first bonus; 0 if there is none."""
        return self.upper_bonus[0][0] if self.upper_bonus else 0

    @cached_property
    def boxes(self) -> int:
        """How many cells a column has, each as often as it stands."""
        return sum(each.stands for each in self.categories)

    @property
    def jokers(self) -> Jokers:
        several = self.joker == "further-generals" and len(self.columns) > 1
        return FURTHER_GENERALS_BY_COLUMN if several else JOKERS[self.joker]

    @property
    def steps(self) -> int:
        """As a race has them."""
        return sheet_steps(self.cell)


# What counters cannot have beside some rules.
_APART = {
    "leave": ("choose_dice",),
    "round_target": ("low_wins",),
    "progress": ("leave", "limit", "wiped_by", "counts", "end", "low_wins", "choose_dice"),
}


def _lacks(rule: str) -> WrongShape:
    """That a rule of a counter is missing which its other rules need."""
    kind, bounds = get_args(types_of(CounterRules)[rule])
    allowed = describe(kind, Bounds(1, bounds.high))
    return WrongShape(("rules", rule), "definition-lacks", field=rule, allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class CounterRules(TargetRace, ContestRounds, TeamRules, WorthRules):
    """Throw and count. What a throw counts goes to the turn, and the turn's points to the total.

    worth: the value table: what a throw counts, from 0 to 1,000,000; dice that fit no line count 0. With the points
        "bust" a throw ends the turn without points, whatever else it shows.
    wanted: the faces or sums that `wanted` means in the value table: of every throw, or of each round in turn.
    progress: so many of the wanted numbers a throw makes at most, one after the other, each as a die or a sum of dice;
        the total says how many are made. 0: throws count by the value table.
    turn: one throw; one throw after the other, each with a die less; while something counts; or until the player banks.
    leave: dice with these faces leave the turn, and a throw that shows one counts nothing; the others are thrown again,
        until none is left.
    choose_dice: whether the player chooses how many of the dice he throws, before each throw of a turn of one throw or
        of one that he banks.
    alike_again: whether all dice alike must be thrown again before the turn is banked.
    limit: a throw after which the turn would have more points ends it without points; 0: none.
    round_target: points in a round that win it at once, where rounds are won: players take turns until then; 0: the
        best of one turn each.
    """

    worth: Annotated[tuple[Worth, ...], Bounds(1, 20)] = (Worth(),)
    wanted: Annotated[tuple[Annotated[int, Bounds(1, 72)], ...], Bounds(0, 30)] = ()
    progress: Annotated[int, Bounds(0, 30)] = 0
    turn: Literal["one-throw", "one-die-less", "while-it-counts", "bank"] = "one-throw"
    leave: Annotated[tuple[Face, ...], Bounds(0, 5)] = ()
    choose_dice: bool = False
    alike_again: bool = False
    limit: Points = 0
    counts: Literal["totals", "rounds"] = "totals"
    round_target: Points = 0
    end: RaceEnd = "at-once"

    def check(self) -> None:
        """Raises WrongShape for rules that contradict each other."""
        _check_wiping(self)
        for rule, other, fits in (
            ("leave", 'turn = "one-throw"', self.turn == "one-throw" or not self.leave),
            ("alike_again", 'turn = "bank"', self.turn == "bank" or not self.alike_again),
            ("limit", 'turn = "bank"', self.turn in ("bank", "while-it-counts") or not self.limit),
            ("choose_dice", 'turn = "bank"', self.turn in ("one-throw", "bank") or not self.choose_dice),
            ("progress", 'turn = "one-throw"', self.turn in ("one-throw", "while-it-counts") or not self.progress),
            ("round_target", 'counts = "rounds"', self.counts == "rounds" or not self.round_target),
            ("teams", "rounds", not self.teams or self.counts == "rounds" or not self.target),
        ):
            if not fits:
                raise _together(rule, other)
        if (self.uses_wanted or self.progress) and not self.wanted:
            raise _lacks("wanted")
        if self.progress and self.target != len(self.wanted):
            low = high = len(self.wanted)
            allowed = T("a whole number from {low} to {high}", low=low, high=high)
            raise wrong_value(("rules", "target"), allowed, str(self.target))
        if sheet_steps(self.worth) > MOST_STEPS:
            raise WrongShape(("rules", "worth"), "definition-too-long-to-score", dice=self.dice)
        values_of(self._without_busts, self.dice)
        if not self.rounds and not self.target:
            raise WrongShape(("rules", "rounds"), "definition-endless", known=["rounds", "target"])
        self._check_end()

    def _check_end(self) -> None:
        step = self.step_of_target
        if self.end == "exact" and not (self.target and step):
            raise _together("end", "target", field=EXACT)
        if step and self.target % step:
            raise _wrong_target(self.target, step)
        for rule, others in _APART.items():
            for name in others if getattr(self, rule) else ():
                if getattr(self, name) not in (None, (), False, "at-once", "totals"):
                    raise _apart(name, rule)
        for name in ("wiped_by", "end") if self.counts == "rounds" else ():
            if getattr(self, name) not in ((), "at-once"):
                raise _apart(name, 'counts = "rounds"')

    @property
    def step_of_target(self) -> int:
        """As a race has it; 0 if no throw can count anything."""
        if self.end != "exact":
            return 1
        step = _step_of(self.worth, self.dice, self.wanted, self.may_throw_fewer)
        return gcd(step, self.overshoot_to or 0)

    @property
    def uses_wanted(self) -> bool:
        """Whether what a throw counts depends on what is wanted."""
        return any("wanted" in str(line.points) for line in self.worth)

    @property
    def may_throw_fewer(self) -> bool:
        """Whether a throw may have fewer dice than the first."""
        return self.choose_dice or bool(self.leave) or self.turn == "one-die-less"

    @property
    def throws_are_fixed(self) -> bool:
        """Whether a turn has the same number of throws whatever they show."""
        return self.turn in ("one-throw", "one-die-less") and not self.leave

    @property
    def may_choose(self) -> bool:
        """Whether a turn leaves anything to its player."""
        return self.choose_dice or self.turn == "bank"

    def made_by(self, dice: Sequence[int], made: int) -> int:
        """How many of the wanted numbers a throw makes after so many, with `progress`."""
        parts = {sum(part) for count in range(1, len(dice) + 1) for part in combinations(dice, count)}
        fits = (wanted in parts for wanted in self.wanted[made : made + self.progress])
        return sum(1 for _ in takewhile(bool, fits))

    @cached_property
    def table(self) -> tuple[tuple[Worth, Value], ...]:
        """The value table, where a bust counts 0. Raises WrongShape."""
        return tuple(zip(self.worth, values_of(self._without_busts, self.dice), strict=True))

    @property
    def faces_that_bust(self) -> tuple[int, ...]:
        """The faces that are a bust by themselves."""
        return tuple(face for line in self.worth if line.busts for (face, *more) in line.dice if not more)

    @property
    def _without_busts(self) -> list[Worth]:
        return [replace(line, points=0) if line.busts else line for line in self.worth]

    def count_of(self, dice: Sequence[int], wanted: int | None) -> int | None:
        """What a throw of so many dice or fewer counts; None for a bust. `wanted`: the face or the sum."""
        ascending = tuple(sorted(dice))
        for line, value in self.table:
            made = line.matching_dice(ascending)
            if made is not None:
                return None if line.busts else min(max(0, value(ascending, made, wanted or 0)), MOST_POINTS)
        return 0

    @property
    def steps(self) -> int:
        """As a race has them."""
        return sheet_steps(self.worth)


@lru_cache(64)  # most variants of a file share theirs
def _step_of(worth: tuple[Worth, ...], dice: int, wanted: tuple[int, ...], fewer: bool) -> int:
    """What all counted throws are multiples of."""
    rules = CounterRules(dice=dice, worth=worth)
    counts = range(1 if fewer else dice, dice + 1)
    throws = (throw for count in counts for throw in combinations_with_replacement(FACES, count))
    return gcd(*(rules.count_of(throw, each) or 0 for throw in throws for each in wanted or (None,)))


@dataclass(frozen=True, kw_only=True)
class PadRules(RoundRules, TeamRules):
    """Whatever is played: in each round every player writes points.

    dice: how many dice may be photographed or tapped in to have their sum written; 0: none.
    """

    rounds: Annotated[int, Bounds(0, MOST_ROUNDS)] = 0
    counts: Literal["totals", "rounds"] = "totals"
    dice: Annotated[int, Bounds(0, MOST_DICE)] = 0

    @property
    def in_turn(self) -> bool:
        """Whether players write in their order, as a throw of dice says whose it is; else in any."""
        return self.dice > 0

    def check(self) -> None:
        """All words of a pad go together."""

    @property
    def steps(self) -> int:
        """As a race has them."""
        return 1 + self.dice


FamilyRules = TenThousandRules | SheetRules | CounterRules | PadRules | HandRules
FAMILIES: dict[str, type] = {
    "ten-thousand": TenThousandRules,
    "sheet": SheetRules,
    "counter": CounterRules,
    "pad": PadRules,
    "hand": HandRules,
}


@dataclass(frozen=True, kw_only=True)
class NamedRules:
    """Rules that a table may choose.

    name: as in records.
    title: for people.
    rules: rules that hold instead of the file's where this is chosen.
    """

    name: Word
    title: RuleTitle | None = None
    rules: Mapping[str, Any] | None = None


@dataclass(frozen=True, kw_only=True)
class OptionValue(NamedRules):
    """One value of an option that is a choice."""

    title: Line = field()  # needed, which that of an option is not


@dataclass(frozen=True, kw_only=True)
class HouseOption(NamedRules):
    """A rule that a table may choose otherwise. A number or a yes-or-no of the rules needs its name alone.

    name: as in records; of a rule, its name.
    title: for people; the usual rules have one.
    rules: rules that hold instead where this is chosen; it is then a yes-or-no that is no by default.
    low: the least number that may be chosen.
    high: the greatest number that may be chosen.
    value: the values of a choice, the first by default.
    """

    low: Points | None = None
    high: Points | None = None
    value: Annotated[tuple[OptionValue, ...], Bounds(0, 12)] = ()


@dataclass(frozen=True)
class Example:
    """A worked example, checked when the file is loaded.

    dice: one throw.
    turn: or a whole turn: what was thrown, then what was set aside or kept, then what was thrown...
    rounds: or, of a score pad, what all players wrote in each round.
    worth: what it is worth: the most that the throw may bring, the points in the cell, or what the turn adds.
    cell: the cell of a sheet that it is written into.
    round: the round that it is played in, from 1.
    totals: after these rounds, what each player has.
    winners: the numbers of those who have won then, from 1; none if the game goes on.
    options: the house rules that it is played with.
    """

    worth: Total | None = None
    dice: Annotated[tuple[Face, ...], Bounds(0, MOST_DICE)] = ()
    turn: Annotated[tuple[Annotated[tuple[Face, ...], Bounds(0, MOST_DICE)], ...], Bounds(0, 60)] = ()
    cell: Word | None = None
    round: Annotated[int, Bounds(1, 100)] = 1
    rounds: Annotated[tuple[Annotated[tuple[Total, ...], Bounds(1, 12)], ...], Bounds(0, 60)] = ()
    totals: Annotated[tuple[Total, ...], Bounds(0, 12)] = ()
    winners: Annotated[tuple[Annotated[int, Bounds(1, 12)], ...], Bounds(0, 12)] = ()
    options: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class GameFile:
    """A game: its family, its names, its rules.

    family: what its turns are like; it decides what `rules` holds.
    title: for people.
    summary: what is played, in one short sentence.
    rules: the rules of the family.
    text: more about the rules, for people: a list of paragraphs.
    source: where the rules are from.
    players: how many may play at most; there is no least number.
    order: the place in lists.
    option: rules that a table may choose otherwise.
    example: worked examples.
    """

    family: Literal["ten-thousand", "sheet", "counter", "pad", "hand"]
    title: Annotated[LocalText, Bounds(1, 40)]
    summary: Line
    rules: Mapping[str, Any]
    text: Annotated[tuple[Prose, ...], Bounds(0, 12)] = ()
    source: Annotated[str, Bounds(0, 400)] = ""
    players: Annotated[int, Bounds(1, 12)] = 12
    order: Annotated[int, Bounds(0, 100_000)] = 1000
    option: Annotated[tuple[HouseOption, ...], Bounds(0, 12)] = ()
    example: Annotated[tuple[Example, ...], Bounds(0, 60)] = ()
