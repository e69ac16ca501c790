"""scorer/strict_json.py: what is JSON here."""

import pytest

import scorer
from scorer.strict_json import DEEPEST, parse


def test_a_document_is_read() -> None:
    assert parse('{"a": [1, 2.5, true, null, "x"], "b": {"a": 1}}') == {"a": [1, 2.5, True, None, "x"], "b": {"a": 1}}


@pytest.mark.parametrize("text", ["", "{", "[1,]", "NaN", "[-Infinity]", "[" * (DEEPEST + 2) + "]" * (DEEPEST + 2)])
def test_what_is_no_document(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(text)


def test_a_nest_that_python_cannot_read_is_refused_too() -> None:
    with pytest.raises(ValueError, match="too deeply nested"):
        parse("[" * 100_000)


def test_a_name_that_stands_twice_is_refused_and_told_as_it_may_be_shown() -> None:
    with pytest.raises(scorer.RecordError, match="the name dice stands twice in one JSON object"):
        parse('{"actions": [{"do": "throw", "dice": [1], "dice": [2]}]}')
    with pytest.raises(scorer.RecordError) as refusal:
        parse('{"\\u001b[31m": 1, "\\u001b[31m": 2}')
    assert str(refusal.value).isprintable()
