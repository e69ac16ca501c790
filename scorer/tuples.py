"""Tuples with one value changed: states are immutable, so every change makes a new tuple."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

V = TypeVar("V")


class LinkedList(NamedTuple):
    """What was added one after the other, the newest first. A longer chain shares the shorter one that it grew from:
    a turn of thousands of throws, each of whose states is kept, takes no more memory than its throws.
    """

    before: LinkedList | None
    newest: tuple[int, ...]


def oldest_first(chain: LinkedList | None) -> list[list[int]]:
    """What a chain holds, oldest first."""
    found: list[list[int]] = []
    while chain is not None:
        found.append(list(chain.newest))
        chain = chain.before
    return found[::-1]


def replace_at(values: tuple[V, ...], place: int, value: V) -> tuple[V, ...]:
    """`values` with `value` in this place."""
    return (*values[:place], value, *values[place + 1 :])


def add_at(values: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """`values` with `number` added in this place."""
    return replace_at(values, place, values[place] + number)
