"""`rollcall workshop evaluate --questions`: what each reason to ask is worth on labelled photos.

A reason that alone made more right than wrong readings unsure costs more questions than it spares errors.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from datasets.measuring.kept_answers import KeptReader
from datasets.measuring.stress import WITH_COUNT, WITHOUT
from datasets.photos import labelled_photos, spread_evenly


def measure_folders(args: argparse.Namespace) -> list[dict[str, Any]]:
    """The figures of each folder, count and reason, JSON-ready. Raises what `labelled_photos` and the reader raise."""
    reader = KeptReader(args.models, args.answers)
    return [row for folder in args.folders for row in measure(folder, reader, args.limit)]


def measure(folder: Path, reader: KeptReader, limit: int | None = None) -> list[dict[str, Any]]:
    """For each reason, with the dice count and without: how many right and wrong readings it alone made unsure.
    `photos` names the wrong ones first. The reason "several": readings that more than one reason made unsure.
    `limit`: of so many photos, spread evenly."""
    unsure: dict[tuple[str, str], list[tuple[bool, str]]] = {}
    for labelled in spread_evenly(list(labelled_photos(folder)), limit):
        photo = reader.open(labelled.path.read_bytes())
        for count in (WITH_COUNT, WITHOUT):
            reading = reader.read(photo, len(labelled.values) or None if count == WITH_COUNT else None)
            if not reading.sure:
                causes = reading.causes
                reason = next(iter(causes)) if len(causes) == 1 else "several"
                right = reading.values == labelled.values
                unsure.setdefault((count, reason), []).append((right, labelled.path.name))
    return [
        {
            "set": folder.name,
            "count": count,
            "reason": reason,
            "right": sum(right for right, _ in found),
            "wrong": sum(not right for right, _ in found),
            "photos": [name for _, name in sorted(found)],
        }
        for (count, reason), found in sorted(unsure.items())
    ]


def as_text(tables: Sequence[dict[str, Any]]) -> str:
    """The figures for a person: each folder, then the sum of all."""
    lines = [f"{'set':<22}{'count':<16}{'reason':<16}{'right':>7}{'wrong':>7}"]
    sums: Counter[tuple[str, str, str]] = Counter()
    for row in tables:
        lines.append(f"{row['set']:<22}{row['count']:<16}{row['reason']:<16}{row['right']:>7}{row['wrong']:>7}")
        for name in ("right", "wrong"):
            sums[row["count"], row["reason"], name] += row[name]
    for count, reason in sorted({(count, reason) for count, reason, _ in sums}):
        right, wrong = (sums[count, reason, name] for name in ("right", "wrong"))
        lines.append(f"{'all':<22}{count:<16}{reason:<16}{right:>7}{wrong:>7}")
    return "\n".join(lines)
