"""JSON from outside: what the standard allows, each name once, and no deeper than anything here is."""

from __future__ import annotations

import json
from typing import Any

from scorer.refusals import RecordError
from scorer.texts import printable_name

DEEPEST = 32  # nested lists and objects; a record has five


def parse(text: str) -> Any:
    """The document in `text`. Raises ValueError for what is no JSON, for NaN and infinities, and for nests; RecordError
    (a ValueError) for an object that has one name twice, since nobody knows which of the two was meant.
    """
    try:
        document = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("too deeply nested") from None
    level = [document]
    for _ in range(DEEPEST + 1):
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return document
    raise ValueError("too deeply nested")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = set()
        for name, _ in pairs:
            if name in names:
                raise RecordError("name-twice-in-object", name=printable_name(name))
            names.add(name)
    return found


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
