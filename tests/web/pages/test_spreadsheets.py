"""A spreadsheet computes nothing of what people wrote, by whichever separator it reads the file."""

import csv
import io

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from tests.web.phones import Phone, start
from web.pages.responses import as_csv, plain

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"
SEPARATORS = (",", ";", "\t", "|", ":", " ", "/", "\x1f")
DROPPED = ' \t\r\n"\u00a0\u00ad\u200b\u200e\u202e\u2060\u3000\ufeff'  # before a formula, and it is one still


def cells(text: str) -> list[str]:
    """Every cell that any reader makes of a file: one that knows quotes, and one that does not."""
    found = [cell for line in text.splitlines() for each in SEPARATORS for cell in line.split(each)]
    for each in SEPARATORS:
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=each):
            found += line
    return found


def formulas(text: str) -> list[str]:
    return [cell for cell in cells(text) if cell.lstrip(DROPPED).startswith(tuple(SIGNS))]


HOSTILE = [
    *(f"{before}{sign}1+1" for sign in SIGNS for before in ("", " ", "\u200b", "\ufeff", "\u00a0", "\t", "\r", '"')),
    *(f"x{each}{sign}1+1" for sign in SIGNS for each in SEPARATORS),
    'x;"=1+1"',
    'x,""=cmd|calc',
    "x; \u200b=1+1",
    'x";=1+1',
    "x;=1+1;=2",
]


@pytest.mark.parametrize("language", ["en", "cs"])
def test_no_cell_is_computed(app: Flask, language: str) -> None:
    with app.test_request_context(headers={"Accept-Language": language}):
        for name in HOSTILE:
            assert formulas(f"{name},1"), f"{name!r} would be"
            told = as_csv("results", ("Player", "Points"), [(name, 5), ("Ada", name)]).data.decode("utf-8-sig")
            assert formulas(told) == [], name


@given(st.text(alphabet=[*SIGNS, *SEPARATORS, *DROPPED, "x", "1", "'", "é", "\U0001f3b2"], max_size=8))
def test_no_cell_is_computed_whatever_is_written(name: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerow(["Ada", plain(name), 5])
    assert formulas(out.getvalue()) == []


@pytest.mark.parametrize("name", ["Anna-Marie", "C++", "me@home", "1+1", "O'Neill", "Kateřina", "\U0001f3b2-king", ""])
def test_a_name_that_begins_no_formula_stays(name: str) -> None:
    assert plain(name) == name
    assert plain(-5) == -5


def test_the_results_of_a_table_are_plain(client: FlaskClient) -> None:
    phone = Phone(client, start(client, "sequence", "x;=1+1", "\uff1dBob", target=25))
    client.get(phone.base)
    phone.throw(1, 2, 3, 4, 5, 6)
    for path in ("/history.csv", f"{phone.base}/turns.csv", f"{phone.base}/throws.csv"):
        told = client.get(path).data.decode("utf-8-sig")
        assert "x;'=1+1" in told
        assert formulas(told) == []
    assert "'\uff1dBob" in client.get("/history.csv").data.decode("utf-8-sig")
