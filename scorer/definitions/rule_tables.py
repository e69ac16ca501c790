"""What a file says of scores, in the words of the families: scoring tables of races, categories of sheets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Literal

from scorer.actions import FACES, MOST_POINTS
from scorer.categories import CELL_TITLES, FACE_TITLES, SUM, Category, Tiers, of_face
from scorer.combinations import Combination
from scorer.definitions.expressions import Value
from scorer.definitions.patterns import MOST_DICE, Dice, Pattern
from scorer.definitions.shapes import Bounds, Path, Word, WrongShape, name_of, named_twice, wrong_value
from scorer.definitions.value_table import Points, Worth, check_faces, values_of
from scorer.texts import T, Text, counted_text

# The most work for the worth of one throw, in steps of about a microsecond.
MOST_STEPS = 12_000
MOST_CELLS = 40  # that a file names

_ALIKE: dict[int, Text] = {
    **{count: counted_text("{count} alike", "{count} alike", count) for count in range(2, MOST_DICE + 1)},
    3: T("three alike"),
    4: T("four alike"),
    5: T("five alike"),
    6: T("six alike"),
}

Tier = Annotated[tuple[Annotated[int, Bounds(-1000, 100_000)], ...], Bounds(2, 2)]  # from what sum on, how many points


# --- ten-thousand ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ScoredDice(Pattern):
    """One line of a scoring table of the family "ten-thousand": dice that score, set aside together.

    points: for these dice; six numbers, by face, for dice alike.
    confirm: points that must follow in the turn before it is banked; 0: none.
    wins: whether a throw that shows these dice wins the game at once.
    """

    points: Points | Annotated[tuple[Points, ...], Bounds(6, 6)] = 0
    confirm: Points = 0
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
        table.append(_combination_of(line, dice))
    if race_steps(table, dice) > MOST_STEPS:
        raise WrongShape(("rules", "combination"), "definition-too-long-to-score", dice=dice)
    return tuple(table)


def _combination_of(line: ScoredDice, dice: int) -> Combination:
    name = _name_of(line, dice) if line.alike is None else _ALIKE.get(line.alike)
    unlike_first = sorted(line.sets(), key=lambda each: -len(set(each)))  # such as an example shows
    return Combination(name, tuple((each, _points_of(line, each[0])) for each in unlike_first), line.confirm)


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


@dataclass(frozen=True, kw_only=True)
class Cell(Worth):
    """One cell of a sheet: the line of a value table that says which dice fit and what they bring.

    key: as in records. The keys three, four, full, small-straight, large-straight, chance, pair and two-pairs have
        titles of their own.
    served: points more if the dice fit with the turn's first throw; of a list, with its first, its second and so on.
    wins: whether dice that fit with the turn's first throw win the game when they are written here.
    stands: how many times the cell stands on the sheet.
    tiers: points by what the cell holds in all: [52, 2] brings 2 from 52 on.
    hits: points by how often the cell holds any.
    """

    key: Word
    served: Points | Annotated[tuple[Points, ...], Bounds(1, 10)] = 0
    wins: bool = False
    stands: Annotated[int, Bounds(1, 6)] = 1
    tiers: Annotated[tuple[Tier, ...], Bounds(0, 12)] = ()
    hits: Annotated[tuple[Tier, ...], Bounds(0, 12)] = ()


FREE, DOWN, UP, ANNOUNCED = "free", "down", "up", "announced"


@dataclass(frozen=True, kw_only=True)
class SheetColumn:
    """One column of a sheet.

    order: cells are written in any order; from top to bottom; from bottom to top; or those that the player announces
        after a turn's first throw, or writes with it.
    factor: how many times its points count.
    """

    order: Literal["free", "down", "up", "announced"] = "free"
    factor: Annotated[int, Bounds(1, 10)] = 1


def categories_of(cells: Sequence[Cell], upper: Sequence[int], dice: int) -> tuple[Category, ...]:
    """The cells of a sheet of so many dice, the upper ones first. Raises WrongShape for cells that cannot be."""
    found = [of_face(*FACE_TITLES[face - 1], face) for face in upper]
    values = values_of(cells, dice, "cell")
    for place, (cell, value) in enumerate(zip(cells, values, strict=True)):
        path = ("rules", "cell", place)
        title = cell.title.english if cell.title else CELL_TITLES.get(cell.key)
        if title is None:
            raise WrongShape(
                path, "definition-lacks", field="title", allowed=T("a text, or a table of texts by language with en")
            )
        check_tiers(cell.tiers, (*path, "tiers"))
        check_tiers(cell.hits, (*path, "hits"))
        if cell.tiers and cell.hits:
            raise WrongShape((*path, "hits"), "definition-apart", field=name_of((*path, "hits")), other="tiers")
        found.append(_category(cell, value, title, dice))
    if sheet_steps(cells) > MOST_STEPS:
        raise WrongShape(("rules", "cell"), "definition-too-long-to-score", dice=dice)
    _check_cells(cells, upper, found)
    return tuple(found)


def sheet_steps(patterns: Iterable[Pattern]) -> int:
    """The most steps that the worth of one throw takes, by all patterns together."""
    return 6 * sum(1 + len(pattern.sets()) for pattern in patterns)


def _check_cells(cells: Sequence[Cell], upper: Sequence[int], categories: Sequence[Category]) -> None:
    keys = [each.key for each in categories]
    for place, face in enumerate(upper):
        if face in upper[:place]:
            raise WrongShape(("rules", "upper", place), "definition-twice", field="rules.upper", name=str(face))
    if not keys:
        allowed = T("a list of {low} to {high} values", low=1, high=MOST_CELLS)
        raise WrongShape(("rules",), "definition-lacks", field="cell", allowed=allowed)
    for key in keys:
        if keys.count(key) > 1:
            place = max(place for place, cell in enumerate(cells) if cell.key == key)
            raise named_twice(("rules", "cell", place, "key"), key)


def _category(cell: Cell, value: Value, title: str, dice: int) -> Category:
    gives = cell.gives(dice) or SUM
    if isinstance(cell.served, tuple):
        more = [T("{more} more with throw {number}", more=each, number=1 + at) for at, each in enumerate(cell.served)]
        gives = T("{points}; {more}", points=gives, more=more)
    elif cell.served:
        gives = T("{points}; {more} more with the first throw", points=gives, more=cell.served)
    return Category(
        cell.key,
        title,
        _points_of_cell(cell, value),
        cell.describe(dice),
        gives,
        joker=int(cell.points) if str(cell.points).isdigit() and cell.alike is None else None,
        served=cell.served if isinstance(cell.served, tuple) else (cell.served,) if cell.served else (),
        may_win=cell.wins,
        stands=cell.stands,
        tiers=cell.tiers or cell.hits,
        counts_hits=bool(cell.hits),
    )


def _points_of_cell(cell: Cell, value: Value) -> Callable[[Dice], int]:
    def points(dice: Dice) -> int:
        made = cell.matching_dice(dice)
        return 0 if made is None else min(max(0, value(dice, made, 0)), MOST_POINTS)

    return points


def check_tiers(tiers: Tiers, path: Path) -> None:
    """Raises WrongShape for tiers whose first numbers do not grow."""
    begins = [least for least, _ in tiers]
    if sorted(set(begins)) != begins:
        got = ", ".join(" ".join(map(str, each)) for each in tiers)
        allowed = T("pairs of a sum and its points, the sums growing")
        raise wrong_value(path, allowed, got)
