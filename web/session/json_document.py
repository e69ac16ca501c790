"""What all JSON documents of a table have in common, and how each of them tells a refusal."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Document(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A document, or a part of one, that has these keys and no others."""


class RefusalDocument(Document, frozen=True, kw_only=True):
    """What a refusal, or a question of the reader, says. `text`: in English, in what all phones are told; `message`: in
    the language of the phone that asked."""

    reason: str
    params: Mapping[str, Any]
    text: str | UnsetType = UNSET
    message: str | UnsetType = UNSET


def refusal_document(refused: Any) -> RefusalDocument:
    """What a problem, or a question of the reader, says to all phones: anything with `reason`, `params` and an English
    sentence."""
    return RefusalDocument(reason=refused.reason, params=dict(refused.params), text=str(refused))
