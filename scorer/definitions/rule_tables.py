"""Rules from a file in the words of the families: scoring tables of ten-thousand games, categories of sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from math import gcd
from typing import TYPE_CHECKING

from scorer.actions import FACES, MOST_POINTS
from scorer.categories import CELL_TITLES, FACE_TITLES, SUM, Category, of_face
from scorer.combinations import Combination, alike, straight, three_pairs, two_triples
from scorer.definitions.patterns import Dice, Pattern
from scorer.definitions.shapes import Path, WrongShape, name_of
from scorer.jokers import (
    FORCED_JOKERS,
    FREE_JOKERS,
    FURTHER_GENERALS,
    FURTHER_GENERALS_BY_COLUMN,
    JOKERS_OF_CHOICE,
    NO_JOKERS,
    ORIGINAL_JOKERS,
    Jokers,
)
from scorer.texts import T, Text

if TYPE_CHECKING:  # whose rules have these tables
    from scorer.definitions.game_file import Cell, CounterRules, ScoredDice, SheetRules, TenThousandRules

KINDS = ("alike", "groups", "run", "dice", "one_of")  # of wanted faces: one of them in each pattern

# The most work for the worth of one throw, in steps of about a microsecond.
MOST_STEPS = 12_000

JOKERS: dict[str, Jokers] = {
    "none": NO_JOKERS,
    "forced": FORCED_JOKERS,
    "of-choice": JOKERS_OF_CHOICE,
    "original": ORIGINAL_JOKERS,
    "free": FREE_JOKERS,
    "further-generals": FURTHER_GENERALS,
}


def factors_of(rules: SheetRules) -> tuple[int, ...]:
    """How many times each column counts. Raises WrongShape."""
    if not rules.factors:
        return tuple(range(1, rules.columns + 1))
    if len(rules.factors) != rules.columns or sorted(set(rules.factors)) != list(rules.factors):
        where = ("rules", "factors")
        allowed = T("a growing number for each column")
        raise WrongShape(
            where,
            "definition-wrong-value",
            field=name_of(where),
            allowed=allowed,
            got=" ".join(map(str, rules.factors)),
        )
    return rules.factors


def jokers_of(rules: SheetRules) -> Jokers:
    several = rules.joker == "further-generals" and rules.columns > 1
    return FURTHER_GENERALS_BY_COLUMN if several else JOKERS[rules.joker]


# --- ten-thousand ----------------------------------------------------------------------------------------------------


def scoring_table(rules: TenThousandRules) -> tuple[Combination, ...]:
    """The scoring table of a game. Raises WrongShape for lines that contradict each other or take too long."""
    table: list[Combination] = []
    for place, line in enumerate(rules.combination):
        path = ("rules", "combination", place)
        _check_faces(line, rules.dice, path, needed=True)
        if isinstance(line.points, tuple) and line.alike is None:
            raise WrongShape((*path, "points"), "definition-points-by-face", field=name_of((*path, "points")))
        if min(_points_of(line, face) for face in line.faces or FACES) < 1:
            raise WrongShape(
                path,
                "definition-lacks",
                field="points",
                allowed=T("a whole number {low}..{high}", low=1, high=1_000_000),
            )
        table += _combinations_of(line, rules.dice)
    if race_steps(table, rules.dice) > MOST_STEPS:
        raise WrongShape(("rules", "combination"), "definition-too-long-to-score", dice=rules.dice)
    return tuple(table)


def check_race(rules: TenThousandRules) -> None:
    """Raises WrongShape for a scoring table that cannot be, or a target that its points cannot reach."""
    if rules.table and rules.target % (step := step_of_target(rules)):
        path = ("rules", "target")
        allowed = T("a multiple of {step}, {low}..{high}", step=step, low=step, high=MOST_POINTS)
        raise WrongShape(path, "definition-wrong-value", field=name_of(path), allowed=allowed, got=str(rules.target))


def step_of_target(rules: TenThousandRules) -> int:
    """What a target is a multiple of: points must be able to reach one that nothing may pass. Raises WrongShape."""
    if rules.end != "exact":
        return 1
    points = (points for each in rules.table for _, points in each.dice)
    return gcd(*points, rules.nothing_scores, rules.penalty if rules.busts_to_penalty else 0)


def _combinations_of(line: ScoredDice, dice: int) -> Iterator[Combination]:
    if line.alike is not None:
        factor = 1
        for count in range(line.alike, (dice if line.each_further != "nothing" else line.alike) + 1):
            yield alike(count, _by_face(line, factor), line.faces or FACES)
            factor = 2 * factor if line.each_further == "doubles" else factor + 1
        return
    assert isinstance(line.points, int), "only dice alike have points by face"
    if line.groups == (2, 2, 2):
        yield three_pairs(line.points, different=not line.may_repeat)
    elif line.groups == (3, 3) and not line.may_repeat:
        yield two_triples(line.points)
    elif line.run in (6, (1, 6)):
        yield straight(line.points)
    else:
        named = line.describe(dice) if line.groups or isinstance(line.run, int) else None
        yield Combination(named, tuple((each, line.points) for each in line.sets()))


def _by_face(line: ScoredDice, factor: int) -> Callable[[int], int]:
    return lambda face: factor * _points_of(line, face)


def _points_of(line: ScoredDice, face: int) -> int:
    return line.points[face - 1] if isinstance(line.points, tuple) else line.points


def race_steps(table: Sequence[Combination], dice: int) -> int:
    """The most steps that the worth of one throw takes."""
    starting = Counter(dice[0] for combination in table for dice, _ in combination.dice)
    return max(starting.values()) * _most_parts(dice)


def _most_parts(dice: int) -> int:
    """The most different parts that a throw of so many dice has."""
    each, more = divmod(dice, len(FACES))
    parts: int = (each + 2) ** more * (each + 1) ** (len(FACES) - more)
    return parts


# --- sheets ----------------------------------------------------------------------------------------------------------


def categories_of(rules: SheetRules) -> tuple[Category, ...]:
    """The cells of a sheet, the upper ones first. Raises WrongShape for cells that contradict each other."""
    found = [of_face(*FACE_TITLES[face - 1], face) for face in rules.upper]
    lower: list[Category] = []
    for place, cell in enumerate(rules.cell):
        path = ("rules", "cell", place)
        title = cell.title.english if cell.title else CELL_TITLES.get(cell.key)
        if title is None:
            raise WrongShape(
                path, "definition-lacks", field="title", allowed=T("a text, or a table of texts by language with en")
            )
        _check_faces(cell.pattern, rules.dice, (*path, "pattern"), needed=False)
        _check_sums(cell.pattern, rules.dice, (*path, "pattern"))
        if cell.face is not None:
            found.append(of_face(cell.key, title, cell.face))
        else:
            lower.append(_category(cell, title, rules.dice))
    if sheet_steps(rules) > MOST_STEPS:
        raise WrongShape(("rules", "cell"), "definition-too-long-to-score", dice=rules.dice)
    _check_cells(rules, found, lower)
    return (*found, *lower)


def sheet_steps(rules: SheetRules) -> int:
    """The most steps that the worth of one throw takes, in all cells together."""
    return 6 * sum(1 + len(cell.pattern.sets()) for cell in rules.cell)


def _check_cells(rules: SheetRules, upper: list[Category], lower: list[Category]) -> None:
    keys = [each.key for each in (*upper, *lower)]
    faces = [each.face for each in upper]
    path: Path = ("rules", "cell")
    for place, face in enumerate(rules.upper):
        if face in rules.upper[:place]:
            raise WrongShape(("rules", "upper", place), "definition-twice", field="rules.upper", name=str(face))
    if not keys:
        raise WrongShape(
            ("rules",), "definition-lacks", field="cell", allowed=T("a list of {low} to {high} values", low=1, high=40)
        )
    for key in keys:
        if keys.count(key) > 1:
            place = max(place for place, cell in enumerate(rules.cell) if cell.key == key)
            where = (*path, place, "key")
            raise WrongShape(where, "definition-twice", field=name_of(where), name=key)
    for place, cell in enumerate(rules.cell):
        if cell.face is not None and faces.count(cell.face) > 1:
            where = (*path, place, "face")
            raise WrongShape(where, "definition-twice", field=name_of(where), name=str(cell.face))
    if rules.joker != "none" and (rules.joker_cell not in keys or sorted(faces) != list(FACES) or rules.dice != 5):
        raise WrongShape(("rules", "joker"), "definition-joker-needs", key=rules.joker_cell)
    if rules.joker == "forced" and rules.order == "forced":  # a joker might have no cell then
        raise WrongShape(("rules", "order"), "definition-apart", field="order", other='joker = "forced"')


def _category(cell: Cell, title: str, dice: int) -> Category:
    pattern = cell.pattern
    fixed = None if cell.points is None or pattern.alike is not None else cell.points
    return Category(
        cell.key,
        title,
        _worth(cell),
        pattern.describe(dice),
        _gives(cell, dice),
        joker=fixed,
        served=_more_by_throw(cell),
    )


def _more_by_throw(cell: Cell) -> tuple[int, ...]:
    by_throw = (cell.served, *cell.served_later)
    return by_throw if any(by_throw) else ()


def _worth(cell: Cell) -> Callable[[Dice], int]:
    def points(dice: Dice) -> int:
        matched = cell.pattern.matching_dice(dice)
        if matched is None:
            return 0
        if cell.points is not None:
            return cell.points
        return cell.times * (cell.plus + sum(dice if cell.counts == "all" else matched))

    return points


def _gives(cell: Cell, dice: int) -> Text:
    if cell.points is not None:
        gives = Text(str(cell.points))
    else:
        gives = SUM if dice > 1 else T("the number that it shows")
        if cell.counts == "pattern" and 0 < cell.pattern.least < dice:
            gives = T("the sum of those dice")
        if cell.plus:
            gives = T("{sum}, and {points} more", sum=gives, points=cell.plus)
        if cell.times > 1:
            gives = T("{times} times {sum}", times=cell.times, sum=gives)
    if cell.served:
        gives = T("{points}; {more} more with the first throw", points=gives, more=cell.served)
    for number, more in enumerate(cell.served_later, start=2):
        if more:
            gives = T("{points}; {more} more with throw {number}", points=gives, more=more, number=number)
    return gives


# --- what any dice must be -------------------------------------------------------------------------------------------


def _check_faces(pattern: Pattern, dice: int, path: Path, needed: bool) -> None:
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


def _check_sums(pattern: Pattern, dice: int, path: Path) -> None:
    for name in ("sum", "sum_at_least"):
        wanted = getattr(pattern, name)
        if wanted is not None and not dice <= wanted <= 6 * dice:
            where = (*path, name)
            allowed = T("a whole number {low}..{high}", low=dice, high=6 * dice)
            raise WrongShape(where, "definition-wrong-value", field=name_of(where), allowed=allowed, got=str(wanted))


# --- counters --------------------------------------------------------------------------------------------------------


def check_counter(rules: CounterRules) -> None:
    """Raises WrongShape for rules that contradict each other."""
    if bool(rules.leave) != (rules.turn == "while-dice-last"):
        raise WrongShape(("rules", "leave"), "definition-together", field="leave", other='turn = "while-dice-last"')
    if not rules.wanted and (rules.alike_wanted or rules.alike_other or "wanted" in rules.counts):
        raise WrongShape(("rules", "wanted"), "definition-lacks", field="wanted", allowed=_A_LIST)
    if rules.turn == "while-it-counts" and rules.counts in ("sum", "highest"):  # which always count: it would not end
        raise WrongShape(("rules", "turn"), "definition-together", field='turn = "while-it-counts"', other="wanted")
    if not rules.rounds and not rules.target:
        raise WrongShape(
            ("rules",), "definition-lacks", field="rounds", allowed=T("a whole number {low}..{high}", low=1, high=100)
        )


_A_LIST = T("a list of {low} to {high} values", low=1, high=30)
