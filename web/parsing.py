"""JSON from outside: what the standard allows, and no deeper than anything here is."""

import json
from typing import Any

DEEPEST = 32  # nested lists and objects; a record has five


def parse(data: bytes) -> Any:
    """The document in `data`. Raises ValueError for what is no JSON in UTF-8, for NaN and infinities, and for nests."""
    try:
        document = json.loads(data.decode("utf-8"), parse_constant=_refuse)
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


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
