"""The examples in docstrings give what they say."""

import doctest
from importlib import import_module

import pytest

EXAMPLES = ("scorer.game", "scorer.games", "scorer.table", "vision.photo", "vision.reader", "vision.reading")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of(name: str) -> None:
    failed, tried = doctest.testmod(import_module(name))
    assert failed == 0
    assert tried
