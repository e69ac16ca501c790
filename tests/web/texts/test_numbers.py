"""Numbers and commands as the pages write them."""

from collections.abc import Iterator

import pytest
from flask import Flask

from web.texts import numbers

THIN = "\u202f"


@pytest.fixture
def english(app: Flask) -> Iterator[None]:
    with app.test_request_context(headers={"Accept-Language": "en"}):
        yield


@pytest.mark.parametrize(("value", "written"), [(0, "0"), (999, "999"), (10000, "10,000"), (-500, "\u2212500")])
@pytest.mark.usefixtures("english")
def test_points(value: int, written: str) -> None:
    assert numbers.points(value) == written


@pytest.mark.parametrize(("language", "mean"), [("en", "1,212.5"), ("cs", f"1{THIN}212,5"), ("pl", f"1{THIN}212,5")])
def test_means_in_each_language(app: Flask, language: str, mean: str) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        assert numbers.mean(1212.5) == mean


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("a total of 10000 points", "a total of 10,000 points"),
        ("It adds 1000.", "It adds 1,000."),
        ("at most 400 of 12", "at most 400 of 12"),
        ("r1=1000 or x1000", "r1=1000 or x1000"),
    ],
)
@pytest.mark.usefixtures("english")
def test_only_long_numbers_are_grouped(sentence: str, written: str) -> None:
    assert numbers.group_thousands(sentence) == written


def test_commands_are_marked_and_everything_else_is_escaped() -> None:
    assert numbers.commands("--cert & --key <b>") == "<code>--cert</code> &amp; <code>--key</code> &lt;b&gt;"
