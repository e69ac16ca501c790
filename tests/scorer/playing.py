"""Short words for the tests: actions, tables, and brute force over throws."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

import scorer

Action = dict[str, Any]
Dice = tuple[int, ...]


def throw(*dice: int) -> Action:
    return {"do": "throw", "dice": list(dice)}


def aside(*dice: int) -> Action:
    return {"do": "set-aside", "dice": list(dice)}


def keep(*dice: int) -> Action:
    return {"do": "keep", "dice": list(dice)}


def score(category: str, column: int | None = None) -> Action:
    action: Action = {"do": "score", "category": category}
    return action if column is None else {**action, "column": column}


def write(player: int, row: int, column: int) -> Action:
    return {"do": "write", "player": player, "cell": [row, column]}


def circle(player: int, row: int, column: int) -> Action:
    return {"do": "circle", "player": player, "cell": [row, column]}


def circle_line(player: int, line: str, *cells: tuple[int, int]) -> Action:
    return {"do": "circle-line", "player": player, "line": line, "cells": [list(cell) for cell in cells]}


def skip(player: int) -> Action:
    return {"do": "skip", "player": player}


BANK: Action = {"do": "bank"}
PASS: Action = {"do": "pass"}


def table_of(key: str, players: int = 1, **options: Any) -> scorer.Table:
    return scorer.Table(scorer.game(key, **options), ["Ada", "Bob", "Cid", "Dan"][:players])


def play(table: scorer.Table, *actions: Action) -> scorer.Table:
    for action in actions:
        table.do(action)
    return table


def refusal_of(table: scorer.Table, action: Any) -> str:
    """The reason why an action is refused; it leaves the table as it was."""
    before = table.standing()
    with pytest.raises(scorer.IllegalAction) as caught:
        table.do(action)
    assert action not in table.legal
    assert table.standing() == before
    assert str(caught.value)
    return caught.value.reason


def legal(table: scorer.Table, do: str) -> list[Action]:
    """The legal actions of one kind."""
    return [entry for entry in table.legal if entry["do"] == do]


def turn(table: scorer.Table) -> dict[str, Any]:
    return table.standing()["turn"]


def scores(table: scorer.Table) -> list[int]:
    return [player["score"] for player in table.standing()["players"]]


def places(table: scorer.Table) -> list[int]:
    return [player["place"] for player in table.standing()["players"]]


def events(table: scorer.Table) -> list[str]:
    return [event["event"] for event in table.standing()["events"]]


def all_throws(count: int) -> Iterator[Dice]:
    """All 6^count throws."""
    return product(range(1, 7), repeat=count)


@cache
def ways_to_throw(count: int) -> Counter[Dice]:
    """How many of all 6^count throws show these dice, which are in ascending order."""
    return Counter(tuple(sorted(dice)) for dice in all_throws(count))
