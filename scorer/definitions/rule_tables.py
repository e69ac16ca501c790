"""What a file says of scores, in the words of the families: scoring tables of races, categories of sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from scorer.actions import FACES, MOST_POINTS
from scorer.categories import CELL_TITLES, FACE_TITLES, SUM, Category, Tiers, of_face
from scorer.combinations import Combination
from scorer.definitions.patterns import MOST_DICE, Dice, Face, Pattern
from scorer.definitions.shapes import Bounds, LocalText, Path, Word, WrongShape, name_of, named_twice, wrong_value
from scorer.jokers import (
    FORCED_JOKERS,
    FREE_JOKERS,
    FURTHER_GENERALS,
    JOKERS_OF_CHOICE,
    NO_JOKERS,
    ORIGINAL_JOKERS,
    Jokers,
)
from scorer.texts import T, Text, counted_text

KINDS = ("alike", "groups", "run", "dice", "one_of")  # of wanted faces: one of them in each pattern

# The most work for the worth of one throw, in steps of about a microsecond.
MOST_STEPS = 12_000
MOST_CELLS = 40  # that a file names

JOKERS: dict[str, Jokers] = {
    "none": NO_JOKERS,
    "forced": FORCED_JOKERS,
    "of-choice": JOKERS_OF_CHOICE,
    "original": ORIGINAL_JOKERS,
    "free": FREE_JOKERS,
    "further-generals": FURTHER_GENERALS,
}


_ALIKE: dict[int, Text] = {
    **{count: counted_text("{count} alike", "{count} alike", count) for count in range(2, MOST_DICE + 1)},
    3: T("three alike"),
    4: T("four alike"),
    5: T("five alike"),
    6: T("six alike"),
}

Points = Annotated[int, Bounds(0, MOST_POINTS)]
Line = Annotated[LocalText, Bounds(1, 80)]
Tier = Annotated[tuple[Annotated[int, Bounds(-1000, 100_000)], ...], Bounds(2, 2)]  # from what sum on, how many points


# --- ten-thousand ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ScoredDice(Pattern):
    """One line of a scoring table of the family "ten-thousand": dice that score, set aside together.

    points: for these dice; six numbers, by face, for dice alike.
    each_further: what each further die alike does: it doubles the points, or adds them once more.
    wins: whether a throw that shows these dice wins the game at once.
    """

    points: Points | Annotated[tuple[Points, ...], Bounds(6, 6)] = 0
    each_further: Literal["nothing", "doubles", "adds"] = "nothing"
    wins: bool = False


@lru_cache(maxsize=8)  # most variants of a file share theirs
def scoring_table(lines: tuple[ScoredDice, ...], dice: int) -> tuple[Combination, ...]:
    """The scoring table of a game of so many dice. Raises WrongShape for lines that contradict each other or take too
    long.
    """
    table: list[Combination] = []
    for place, line in enumerate(lines):
        path = ("rules", "combination", place)
        check_faces(line, dice, path, needed=True)
        if isinstance(line.points, tuple) and line.alike is None:
            raise WrongShape((*path, "points"), "definition-points-by-face", field=name_of((*path, "points")))
        if min(_points_of(line, face) for face in FACES) < 1:
            raise WrongShape(
                path,
                "definition-lacks",
                field="points",
                allowed=T("a whole number from {low} to {high}", low=1, high=MOST_POINTS),
            )
        table += _combinations_of(line, dice)
    if race_steps(table, dice) > MOST_STEPS:
        raise WrongShape(("rules", "combination"), "definition-too-long-to-score", dice=dice)
    return tuple(table)


def _combinations_of(line: ScoredDice, dice: int) -> Iterator[Combination]:
    if line.alike is None:
        assert isinstance(line.points, int), "only dice alike have points by face"
        unlike_first = sorted(line.sets(), key=lambda each: -len(set(each)))  # such as an example shows
        yield Combination(_name_of(line, dice), tuple((each, line.points) for each in unlike_first))
        return
    factor = 1
    for count in range(line.alike, (dice if line.each_further != "nothing" else line.alike) + 1):
        scored = tuple(((face,) * count, factor * _points_of(line, face)) for face in FACES)
        yield Combination(_ALIKE.get(count), scored)
        factor = 2 * factor if line.each_further == "doubles" else factor + 1


def _name_of(line: ScoredDice, dice: int) -> Text | None:
    """The name of dice that are not alike; None if they explain it."""
    if line.run in (6, (1, 6)):
        return T("straight")
    if line.groups == (3, 3) and not line.may_repeat:
        return T("two triples")
    return line.describe(dice) if line.groups or isinstance(line.run, int) else None


def _points_of(line: ScoredDice, face: int) -> int:
    return line.points[face - 1] if isinstance(line.points, tuple) else line.points


def race_steps(table: Sequence[Combination], dice: int) -> int:
    """The most steps that the worth of one throw takes."""
    starting = Counter(scored[0] for combination in table for scored, _ in combination.dice)
    return max(starting.values(), default=0) * _most_parts(dice)


def _most_parts(dice: int) -> int:
    """The most different parts that a throw of so many dice has."""
    each, more = divmod(dice, len(FACES))
    parts: int = (each + 2) ** more * (each + 1) ** (len(FACES) - more)
    return parts


# --- sheets ----------------------------------------------------------------------------------------------------------


ANY = Pattern()
ANY_THROW = 1000  # more throws than a turn can have


@dataclass(frozen=True)
class Cell:
    """One cell of a sheet. Without points it takes the sum of the dice that `counts` names.

    key: as in records. The keys three, four, full, small-straight, large-straight, chance, pair and two-pairs have
        titles of their own.
    title: for people.
    pattern: the dice that fit; any if not given.
    points: for dice that fit; the sum if not given.
    counts: which dice the sum counts.
    plus: points added to the sum.
    times: what the sum is multiplied by.
    served: points more if the dice fit with the turn's first throw.
    face: the cell counts the dice of this face, in the upper part.
    wins: whether dice that fit win the game when they are written here: never, with the turn's first throw, or always.
    stands: how many times the cell stands on the sheet.
    tiers: points by what the cell holds in all: [52, 2] brings 2 from 52 on.
    tiers_of: what the tiers count: the points of the cell, or how often it holds any.
    """

    key: Word
    title: Line | None = None
    pattern: Pattern = ANY
    points: Points | None = None
    counts: Literal["all", "pattern"] = "all"
    plus: Points = 0
    times: Annotated[int, Bounds(1, 1000)] = 1
    served: Points = 0
    face: Face | None = None
    wins: Literal["never", "served", "always"] = "never"
    stands: Annotated[int, Bounds(1, 6)] = 1
    tiers: Annotated[tuple[Tier, ...], Bounds(0, 12)] = ()
    tiers_of: Literal["points", "hits"] = "points"


def categories_of(cells: Sequence[Cell], upper: Sequence[int], dice: int) -> tuple[Category, ...]:
    """The cells of a sheet of so many dice, the upper ones first: those of these faces, and others with a face. Raises
    WrongShape for cells that contradict each other or take too long.
    """
    found = [of_face(*FACE_TITLES[face - 1], face) for face in upper]
    lower: list[Category] = []
    for place, cell in enumerate(cells):
        path = ("rules", "cell", place)
        title = cell.title.english if cell.title else CELL_TITLES.get(cell.key)
        if title is None:
            raise WrongShape(
                path, "definition-lacks", field="title", allowed=T("a text, or a table of texts by language with en")
            )
        check_faces(cell.pattern, dice, (*path, "pattern"), needed=False)
        check_sums(cell.pattern, dice, (*path, "pattern"))
        check_tiers(cell.tiers, (*path, "tiers"))
        if cell.face is not None:
            found.append(_with_words(of_face(cell.key, title, cell.face), cell))
        else:
            lower.append(_with_words(_category(cell, title, dice), cell))
    if sheet_steps(cell.pattern for cell in cells) > MOST_STEPS:
        raise WrongShape(("rules", "cell"), "definition-too-long-to-score", dice=dice)
    _check_cells(cells, upper, [*found, *lower])
    return (*found, *lower)


def sheet_steps(patterns: Iterable[Pattern]) -> int:
    """The most steps that the worth of one throw takes, by all patterns together."""
    return 6 * sum(1 + len(pattern.sets()) for pattern in patterns)


def _check_cells(cells: Sequence[Cell], upper: Sequence[int], categories: Sequence[Category]) -> None:
    keys = [each.key for each in categories]
    faces = [each.face for each in categories if each.face]
    path: Path = ("rules", "cell")
    for place, face in enumerate(upper):
        if face in upper[:place]:
            raise WrongShape(("rules", "upper", place), "definition-twice", field="rules.upper", name=str(face))
    if not keys:
        allowed = T("a list of {low} to {high} values", low=1, high=MOST_CELLS)
        raise WrongShape(("rules",), "definition-lacks", field="cell", allowed=allowed)
    for key in keys:
        if keys.count(key) > 1:
            place = max(place for place, cell in enumerate(cells) if cell.key == key)
            where = (*path, place, "key")
            raise named_twice(where, key)
    for place, cell in enumerate(cells):
        if cell.face is not None and faces.count(cell.face) > 1:
            where = (*path, place, "face")
            raise named_twice(where, str(cell.face))


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


def _with_words(category: Category, cell: Cell) -> Category:
    """The category with what any cell may say beside its points."""
    within = {"never": 0, "served": 1, "always": ANY_THROW}[cell.wins]
    return category._replace(
        wins_within=within, stands=cell.stands, tiers=cell.tiers, counts_hits=cell.tiers_of == "hits"
    )


def check_tiers(tiers: Tiers, path: Path) -> None:
    """Raises WrongShape for tiers whose first numbers do not grow."""
    begins = [least for least, _ in tiers]
    if sorted(set(begins)) != begins:
        got = ", ".join(" ".join(map(str, each)) for each in tiers)
        allowed = T("pairs of a sum and its points, the sums growing")
        raise wrong_value(path, allowed, got)


def _more_by_throw(cell: Cell) -> tuple[int, ...]:
    return (cell.served,) if cell.served else ()


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
    return gives


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
