"""What a release's OpenAPI document names is there for good."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from web.pages.api_v1 import OPERATIONS
from web.pages.openapi import REFUSALS, document

ROOT = Path(__file__).resolve().parents[3]
RELEASED = ROOT / "docs" / "schema" / "openapi-released.json"
TEXTS = ("description", "summary", "title", "version")  # these may change


def broken(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """What `new` lacks of `old`, or has otherwise."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key in TEXTS and isinstance(value, str):
                continue
            if key not in new:
                yield f"{place}/{key}"
            else:
                yield from broken(value, new[key], f"{place}/{key}")
    elif isinstance(old, list) and isinstance(new, list):
        left = [each for each in old if each not in new]
        if place.endswith(("/anyOf", "/parameters")):
            left = [each for each in left if not any(not list(broken(each, other)) for other in new)]
        yield from (f"{place}: {each}" for each in left)
    elif old != new:
        yield f"{place}: {old} is {new}"


def test_nothing_that_was_released_goes() -> None:
    released = json.loads(RELEASED.read_text(encoding="utf-8"))
    assert list(broken(released, document())) == []
    asked = {each.takes.__name__ for each in OPERATIONS if each.takes not in (None, bytes)}
    for name in asked & released["components"]["schemas"].keys():
        old, new = (each["components"]["schemas"][name].get("required", []) for each in (released, document()))
        assert set(new) <= set(old), f"{name}: programs do not send this yet"


def test_what_goes_is_noticed() -> None:
    for path in (
        ("paths", "/tables/{table}/events"),
        ("components", "schemas", "TableEvent", "properties", "dice"),
        ("components", "schemas", "TableEvent", "properties", "event", "enum"),
        ("paths", "/games", "get", "parameters"),
    ):
        changed = copy.deepcopy(document())
        part: Any = changed
        for key in path[:-1]:
            part = part[key]
        if isinstance(part[path[-1]], list):
            part[path[-1]].pop()
        else:
            del part[path[-1]]
        assert list(broken(document(), changed)), path


def test_the_page_for_people_names_all_of_it() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    kinds = document()["components"]["schemas"]["TableEvent"]["properties"]["event"]["enum"]
    assert [kind for kind in kinds if f"`{kind}`" not in text] == []
    assert len(text.split()) < 2400  # ten minutes
    assert {"401", "403"} <= REFUSALS.keys()
