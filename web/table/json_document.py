"""The base of all JSON documents of a table, and how they show a refusal."""

from collections.abc import Mapping
from typing import Any

from msgspec import UNSET, Struct, UnsetType


class Document(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A JSON document, or a part of one, with exactly these keys."""


class RefusalDocument(Document, frozen=True, kw_only=True):
    """A refusal, or a question of the reader. `text`: in English, for all phones; `message`: in the language of the
    phone that asked."""

    reason: str
    params: Mapping[str, Any]
    text: str | UnsetType = UNSET
    message: str | UnsetType = UNSET


def refusal_document(refused: Any) -> RefusalDocument:
    """The document of a problem, or of a question, for all phones. `refused` has `reason`, `params` and an English
    sentence."""
    return RefusalDocument(reason=refused.reason, params=dict(refused.params), text=str(refused))
