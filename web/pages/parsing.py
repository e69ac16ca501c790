"""JSON from outside, in the one encoding that the standard has."""

from typing import Any

from scorer.documents import DEEPEST
from scorer.documents import parse as parse_text

__all__ = ["DEEPEST", "parse"]


def parse(data: bytes) -> Any:
    """The document in `data`. Raises ValueError for what is no JSON in UTF-8, and as `scorer.documents.parse` does."""
    return parse_text(data.decode("utf-8"))
