"""JSON from outside, in the one encoding that the standard has."""

from typing import Any

from scorer import MOST_ACTIONS
from scorer.strict_json import DEEPEST
from scorer.strict_json import parse as parse_text

__all__ = ["DEEPEST", "RECORD_LIMIT", "parse"]

WIDEST_ACTION = 600  # bytes: who sits where, of 24, or a name of 40 letters, also escaped (twelve bytes each)
RECORD_LIMIT = MOST_ACTIONS * WIDEST_ACTION  # bytes of an imported record: whatever can be exported


def parse(data: bytes) -> Any:
    """The document in `data`. Raises ValueError for what is no JSON in UTF-8, else as `scorer.strict_json.parse`."""
    return parse_text(data.decode("utf-8"))
