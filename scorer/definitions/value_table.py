"""A value table: which dice are worth what, line by line. Each cell of a sheet is such a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated

from scorer.actions import MOST_POINTS
from scorer.categories import SUM
from scorer.definitions.expressions import NoExpression, Value, expression
from scorer.definitions.patterns import Dice, Pattern
from scorer.definitions.shapes import Bounds, LocalText, Path, WrongShape, name_of, value_in_words, wrong_value
from scorer.texts import T, Text

BUST = "bust"
EXAMPLES = "100, sum, max, min, pattern, rest, n(1) * 100, sum - sum(3), wanted, sum * (sum = wanted)"
KINDS = ("alike", "groups", "run", "dice")  # of wanted faces: one of them in each pattern

Points = Annotated[int, Bounds(0, MOST_POINTS)]
Line = Annotated[LocalText, Bounds(1, 80)]


@dataclass(frozen=True)
class Worth(Pattern):
    """One line of a value table: which dice, and what they are worth. The first line that fits holds.

    title: the name of such dice.
    points: a number or a small expression: `100`, `sum`, `max`, `sum - sum(3)`, `n(1) * 100`; `pattern` and `rest` are
        the sums of the dice that make the line and of the others; `sum * (sum = wanted)` is 0 unless the sum is the
        wanted one; `bust`, of a counter: the throw ends the turn without points.
    says: these points in words for people; not needed for a number, `sum`, `sum(3)`, `max`, `pattern` and `rest`, nor
        for so many times such a sum or a number more: `10 * sum`, `sum + 15`.
    """

    title: Line | None = None
    points: Annotated[str, Bounds(1, 60)] | Points = "sum"
    says: Line | None = None

    @property
    def busts(self) -> bool:
        """Whether such dice end the turn without points."""
        return self.points == BUST

    def which_dice(self, dice: int) -> Text:
        """Which dice, for people."""
        if self.title:
            return Text(self.title.english)
        return self.describe(dice) or T("any dice")

    def gives(self, dice: int) -> Text | None:
        """The points of a throw of so many dice, for people; None if their expression does not say it to them."""
        if self.says:
            return Text(self.says.english)
        if self.busts:
            return T("the turn ends, and its points are lost")
        found = _SIMPLE.fullmatch(str(self.points))
        if found is None:
            return Text(str(self.points)) if str(self.points).isdigit() else None
        times, name, face, plus = found.groups()
        said = T("the sum of the dice that show {face}", face=int(face)) if face else _SAID[name]
        if name == "sum" and dice == 1:
            said = T("the number that it shows")
        elif name == "pattern" and not 0 < self.least < dice:
            said = SUM
        if plus:
            said = T("{sum}, and {points} more", sum=said, points=int(plus))
        return T("{times} times {sum}", times=int(times), sum=said) if times else said


def rows_of(lines: Sequence[Worth], dice: int) -> list[tuple[Text, Text]]:
    """The lines for people: which dice, and their points."""
    return [(line.which_dice(dice), line.gives(dice) or Text(str(line.points))) for line in lines]


def which_holds(lines: Sequence[Worth]) -> list[Text]:
    """Which line of a value table holds, for people; nothing if any dice fit the only one."""
    any_dice = not lines[-1].least and lines[-1].sum is None
    if not any_dice:
        return [T("The first line that fits holds; other dice are worth 0.")]
    return [T("The first line that fits holds.")] if len(lines) > 1 else []


_SIMPLE = re.compile(r"(?:(\d+) \* )?(sum|max|pattern|rest)(?:\(([1-6])\))?(?: \+ (\d+))?")
_SAID = {
    "sum": SUM,
    "max": T("the highest die"),
    "pattern": T("the sum of those dice"),
    "rest": T("the sum of the other dice"),
}


def values_of(lines: Sequence[Worth], dice: int, name: str = "worth") -> list[Value]:
    """The points of each line; `name`: of their list. Raises WrongShape for lines that cannot be."""
    values = []
    for place, line in enumerate(lines):
        path = ("rules", name, place)
        check_faces(line, dice, path, needed=False)
        check_sums(line, dice, path)
        try:
            values.append(expression(str(line.points)))
        except NoExpression:
            allowed = T("numbers and words such as {examples}", examples=EXAMPLES)
            raise wrong_value((*path, "points"), allowed, value_in_words(line.points)) from None
        if line.gives(dice) is None:
            raise WrongShape(
                path, "definition-lacks", field="says", allowed=T("a text, or a table of texts by language with en")
            )
    return values


def idle_lines(lines: Sequence[Worth], throws: Iterable[Dice]) -> list[int]:
    """The places of lines that hold for none of these throws: an earlier line fits, or none of the dice do."""
    found = {next((place for place, line in enumerate(lines) if line.matching_dice(dice)), -1) for dice in throws}
    return sorted(set(range(len(lines))) - found)


def lines_below_zero(lines: Sequence[tuple[Worth, Value]], throws: Iterable[Dice]) -> list[int]:
    """The places of lines whose points are below 0 for one of these throws."""
    made = (
        (place, value, line.matching_dice(dice), dice) for dice in throws for place, (line, value) in enumerate(lines)
    )
    return sorted({place for place, value, fits, dice in made if fits is not None and value(dice, fits, 0) < 0})


# --- what any dice must be -------------------------------------------------------------------------------------------


def check_faces(pattern: Pattern, dice: int, path: Path, needed: bool) -> None:
    """Refuses a pattern of several kinds, or of more dice than are thrown; with `needed`, also one of none."""
    kinds = [name for name in KINDS if getattr(pattern, name)]
    if len(kinds) > 1 or (needed and not kinds):
        raise WrongShape(path, "definition-one-of", field=name_of(path), known=list(KINDS))
    if pattern.least > dice:  # before its sets are made, which are many then
        where = (*path, kinds[0])
        raise WrongShape(where, "definition-too-many-dice", field=name_of(where), needed=pattern.least, dice=dice)
    if kinds and not pattern.sets():
        where = (*path, kinds[0])
        raise WrongShape(where, "definition-no-such-dice", field=name_of(where))


def check_sums(pattern: Pattern, dice: int, path: Path) -> None:
    if pattern.sum is not None and not dice <= pattern.sum <= 6 * dice:
        allowed = T("a whole number from {low} to {high}", low=dice, high=6 * dice)
        raise wrong_value((*path, "sum"), allowed, str(pattern.sum))
