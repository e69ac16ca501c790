"""Strict JSON from outside: standard values only, each name once in an object, limited depth."""

from __future__ import annotations

import json
from typing import Any

from scorer.refusals import RecordError
from scorer.texts import printable_name

DEEPEST = 32  # nested lists and objects; a record has five


def parse(text: str) -> Any:
    """The document in `text`. Raises ValueError for invalid JSON, NaN, infinities and more than DEEPEST levels. Raises
    RecordError, a ValueError, if a name occurs twice in an object, since either value may be meant.
    """
    try:
        document = json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except RecursionError:
        raise ValueError("too deeply nested") from None
    level = [document]
    for _ in range(DEEPEST + 1):
        inner: list[Any] = []
        for outer in level:
            if isinstance(outer, (dict, list)):
                inner += outer.values() if isinstance(outer, dict) else outer
        if not inner:
            return document
        level = inner
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
