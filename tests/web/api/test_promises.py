"""What a release's OpenAPI document names is there for good."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import scorer
from tests.web.phones import any_legal
from web.pages.openapi import REFUSALS, REFUSED, ErrorDocument, document, listed_operations

ROOT = Path(__file__).resolve().parents[3]
RELEASED = ROOT / "docs" / "schema" / "openapi-released.json"
TEXTS = ("description", "summary", "title", "version")  # these may change


def broken(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """What `new` lacks of `old`, or has otherwise."""
    if isinstance(old, dict) and isinstance(new, dict):
        if "$ref" in new.keys() - old.keys():  # it got a name
            new = document()["components"]["schemas"][new["$ref"].rpartition("/")[2]]
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
    asked = {each.takes.__name__ for each in listed_operations() if each.takes not in (None, bytes)}
    for name in asked & released["components"]["schemas"].keys():
        old, new = (each["components"]["schemas"][name].get("required", []) for each in (released, document()))
        assert set(new) <= set(old), f"{name}: programs do not send this yet"


def test_the_page_for_people_names_all_of_it() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    kinds = document()["components"]["schemas"]["TableEvent"]["properties"]["event"]["enum"]
    assert [kind for kind in kinds if f"`{kind}`" not in text] == []
    assert len(re.sub(r"```.*?```", "", text, flags=re.DOTALL).split()) < 2400  # ten minutes
    assert {"401", "403"} <= REFUSALS.keys()


def test_each_json_body_has_an_example_that_is_one() -> None:
    asked = [each for each in listed_operations() if each.takes not in (None, bytes)]
    for each in asked:
        assert msgspec.convert(each.example, each.takes)
    for each in listed_operations():
        assert each.answers is None or msgspec.convert(each.answers, each.gives)
    assert msgspec.convert(REFUSED, ErrorDocument)
    described = json.dumps(document()["paths"])
    assert described.count('"example"') >= len(asked)


@pytest.mark.parametrize("info", scorer.all_games(), ids=lambda info: info.key)
def test_what_may_be_done_in_a_game_is_an_action_as_described(info: scorer.Info) -> None:
    """Played at random; `legal` has further keys, and no dice where they must be thrown."""
    schemas, dice = document()["components"]["schemas"], random.Random(1)
    named = {each["$ref"].rpartition("/")[2] for each in schemas["GameAction"]["anyOf"]}
    by_verb = {schemas[name]["properties"]["do"]["enum"][0]: schemas[name] for name in named}
    table = scorer.Table(scorer.game(info.key), ["Ada", "Bob"])
    for _ in range(300):
        if table.over:
            break
        table.do(any_legal(table.standing(), dice))
        action = table.actions[-1]
        schema = by_verb[action["do"]]
        assert set(schema["required"]) <= action.keys() <= schema["properties"].keys()
