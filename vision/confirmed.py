"""Confirmed throws on disk: photos and `values.csv`, from which the reader learns how these dice look."""

from __future__ import annotations

import csv
from pathlib import Path

from vision.judging.dice_memory import DiceMemory, DiceSample
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import MOST_DICE, VALUES, Die, Reading
from vision.reasons import VisionError

_ROUNDS = 2


def confirmed_throws(reader: Reader, folder: Path) -> DiceMemory:
    """The dice memory of the photos that `values.csv` of `folder` names (columns `file` and `values`, such as `2 5 5`).

    The photos lie in `folder` or its folder `images`. Raises ValueError or OSError, with one sentence.

    The values are known, but not which die shows which: `assign_values` matches them. A second round reads the first
    photos with the samples of the later ones.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder}: a folder with photos and values.csv is wanted")
    throws = []
    for name, values in read_values(folder / "values.csv"):
        path = next((at for at in (folder / name, folder / "images" / name) if at.is_file()), folder / name)
        try:
            photo = Photo.decode(path.read_bytes())
        except VisionError as refusal:
            raise ValueError(f"{path}: {refusal}") from refusal
        throws.append((photo, reader.detect(photo), values))
    samples: list[DiceSample | None] = [None] * len(throws)
    for _ in range(_ROUNDS):
        for number, (photo, detections, values) in enumerate(throws):
            others = DiceMemory(each for at, each in enumerate(samples) if each is not None and at != number)
            reading = reader.interpret(photo, detections, len(values), known=others)
            dice = assign_values(reading, values)
            if reading.trace is not None and dice:
                samples[number] = reading.trace.sample([(value, die.box) for value, die in dice])
    return DiceMemory(each for each in samples if each is not None)


def read_values(path: Path) -> list[tuple[str, tuple[int, ...]]]:
    """File names and values of a `values.csv`, in order. Raises ValueError for another file."""
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


def assign_values(reading: Reading, values: tuple[int, ...]) -> list[tuple[int, Die]]:
    """Which die shows which of the confirmed `values`; empty if the reading has fewer dice, and of more the most
    confident ones. A likely value that was confirmed is kept. Values left over go to the dice left over, likeliest
    first: with faces that the reader cannot read (a logo for the one) these are nearly always few and alike."""
    if len(reading.dice) < len(values):
        return []
    dice = sorted(reading.dice, key=lambda die: -die.confidence)[: len(values)]
    left, found = list(values), []
    for rank in range(len(VALUES)):
        for die in list(dice):
            guess = (die.value, *die.alternatives)[rank]
            if guess in left:
                left.remove(guess)
                dice.remove(die)
                found.append((guess, die))
    return found
