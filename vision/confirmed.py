"""Confirmed throws on disk: a folder of photos and `values.csv`, which teach the reader how their dice look."""

from __future__ import annotations

import csv
from pathlib import Path

from vision.memory import Lesson, Memory
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import MOST_DICE, VALUES, Die, Reading
from vision.reasons import Refusal

_ROUNDS = 2


def confirmed_throws(reader: Reader, folder: Path) -> Memory:
    """What the photos named in `values.csv` of `folder` (columns `file` and `values`, such as `2 5 5`) teach; the
    photos lie there or in its folder `images`. Raises ValueError or OSError, with one sentence, for anything else.

    Only the values are known, not which die has which: the likeliest things are the dice, and `placed` says which shows
    what. The first photos are looked at again with what the later ones taught.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder}: a folder with photos and values.csv is wanted")
    throws = []
    for name, values in read_values(folder / "values.csv"):
        path = next((at for at in (folder / name, folder / "images" / name) if at.is_file()), folder / name)
        try:
            photo = Photo.decode(path.read_bytes())
        except Refusal as refusal:
            raise ValueError(f"{path}: {refusal}") from refusal
        throws.append((photo, reader.look(photo), values))
    lessons: list[Lesson | None] = [None] * len(throws)
    for _ in range(_ROUNDS):
        for number, (photo, looks, values) in enumerate(throws):
            others = Memory.of(each for at, each in enumerate(lessons) if each is not None and at != number)
            reading = reader.judge(photo, looks, len(values), known=others, certain=True)
            dice = placed(reading, values)
            if reading.trace is not None and dice:
                lessons[number] = reading.trace.lesson([(value, die.box) for value, die in dice])
    return Memory.of(each for each in lessons if each is not None)


def read_values(path: Path) -> list[tuple[str, tuple[int, ...]]]:
    """File names and values of a `values.csv`, in its order. Raises ValueError where it is none."""
    try:
        with path.open(newline="", encoding="utf-8") as lines:
            table = csv.DictReader(lines)
            if not {"file", "values"} <= set(table.fieldnames or ()):
                raise ValueError(f"{path}: the columns file and values are wanted")
            return [_row(f"{path}, line {table.line_num}", row["file"] or "", row["values"] or "") for row in table]
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path}: a table with commas, in UTF-8, is wanted") from error


def _row(where: str, name: str, values: str) -> tuple[str, tuple[int, ...]]:
    cells = values.split()
    if not name:
        raise ValueError(f"{where}: the name of a photo is wanted")
    if not cells or len(cells) > MOST_DICE or any(cell not in set(map(str, VALUES)) for cell in cells):
        raise ValueError(f"{where}: values 1..6 are wanted, got {values[:40]!r}")
    return name, tuple(map(int, cells))


def placed(reading: Reading, values: tuple[int, ...]) -> list[tuple[int, Die]]:
    """Which die shows which of the confirmed `values`; none where the reading has another number of dice.

    What was read surely and was confirmed is that; values that are left go to the dice that are left, the likeliest
    first: with faces that the reader cannot read (a logo for the one) these are nearly always few and alike.
    """
    if len(reading.dice) != len(values):
        return []
    left, dice, found = list(values), list(reading.dice), []
    for rank in range(len(VALUES)):
        for die in sorted(dice, key=lambda die: -die.confidence):
            guess = (die.value, *die.alternatives)[rank]
            if guess in left:
                left.remove(guess)
                dice.remove(die)
                found.append((guess, die))
    return found
