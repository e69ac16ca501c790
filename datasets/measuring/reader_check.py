"""`make check-reader`: measures the sets of real photos, and fails if the reader has fallen behind on one of them.

`reader_baselines.json` beside it has the figures of earlier readers: {reader: {set: {"with the count" or "without":
[photos, exact, sure, silent]}}}. A set may lose one photo against the best of them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from datasets.measuring.kept_answers import KeptReader
from datasets.measuring.stress import WITH_COUNT, WITHOUT
from datasets.photos import labelled_photos
from vision.reader import MODELS

COUNTS: Final = (WITH_COUNT, WITHOUT)
BASELINES: Final = Path(__file__).with_name("reader_baselines.json")
ANSWERS: Final = Path("out/answers")  # where what the networks answer is kept
_MAY_LOSE = 1  # photos of a set, exact or sure

Row = Sequence[int]  # photos, exact, sure, silent
Table = dict[str, dict[str, Row]]  # by set and count


def main(arguments: Sequence[str]) -> int:
    """Measures the sets (folders' names; default all) of the folder that the first argument names."""
    photos, *names = arguments
    baselines: dict[str, Table] = json.loads(BASELINES.read_text())
    sets = names or list(dict.fromkeys(name for table in baselines.values() for name in table))
    if missing := [name for name in sets if not (Path(photos) / name).is_dir()]:
        print(f"not checked: {photos} lacks {', '.join(missing)}; the photos are not part of this repository")
        return 0
    reader, fallen = KeptReader(MODELS, ANSWERS), []
    print(f"{'set':<20}{'count':<16}{'photos':>7}" + "".join(f"{name:>20}" for name in (*baselines, "now")))
    for name in sets:
        for count, now in measure(Path(photos) / name, reader).items():
            before = [table[name][count] for table in baselines.values() if name in table]
            blanks = [""] * (len(baselines) - len(before))
            rows = "".join(f"{row:>20}" for row in (*blanks, *map(in_words, (*before, now))))
            print(f"{name:<20}{count:<16}{now[0]:>7}{rows}", flush=True)
            fallen += [f"{name}, {count}: {what}" for what in falls(now, before)]
    print("exact / sure in percent, silent errors")
    for line in fallen:
        print(f"fallen behind: {line}")
    return 1 if fallen else 0


def measure(folder: Path, reader: KeptReader) -> dict[str, Row]:
    """The figures of one folder, by count."""
    rows = {count: [0, 0, 0, 0] for count in COUNTS}
    for labelled in labelled_photos(folder):
        photo = reader.open(labelled.path.read_bytes())
        for count, row in rows.items():
            reading = reader.read(photo, len(labelled.values) or None if count == WITH_COUNT else None)
            exact = reading.values == labelled.values
            for place, counts in enumerate((True, exact, reading.sure, reading.sure and not exact)):
                row[place] += counts
    return dict(rows)


def falls(now: Row, before: Sequence[Row]) -> list[str]:
    """In what the figures fall behind the best of those `before`; of silent errors, behind the worst."""
    fallen = []
    for place, what in ((1, "exact"), (2, "sure")):
        best = max((row[place] for row in before), default=0)
        if now[place] < best - _MAY_LOSE:
            fallen.append(f"{now[place]} instead of {best} photos are {what}")
    most = max((row[3] for row in before), default=0)
    if now[3] > most:
        fallen.append(f"{now[3]} instead of {most} silent errors")
    return fallen


def in_words(row: Row) -> str:
    photos, exact, sure, silent = row
    return f"{exact / photos:.1%} / {sure / photos:.1%}, {silent}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
