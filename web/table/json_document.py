"""The base of all JSON documents of a table, and how they show a refusal."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from msgspec import UNSET, Struct, UnsetType, json

MOST_PAGE_BYTES = 200_000  # of its items

Item = TypeVar("Item", bound=Struct)


class Document(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A JSON document, or a part of one, with exactly these keys."""


def document_of(kind: type[Item], source: object, **more: Any) -> Item:
    """A document with the attributes of `source` that it has too, and `more`."""
    names = [name for name in kind.__struct_fields__ if name not in more and hasattr(source, name)]
    return kind(**{name: getattr(source, name) for name in names}, **more)


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


def first_page(items: Iterable[Item], most: int) -> tuple[list[Item], bool]:
    """The items of a page: the first `most`, or fewer if they are large; and whether more follow."""
    found: list[Item] = []
    size = 0
    for item in items:
        size += len(json.encode(item)) + 1
        if len(found) == most or (found and size > MOST_PAGE_BYTES):
            return found, True
        found.append(item)
    return found, False
