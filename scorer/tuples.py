"""Changed copies of tuples. States are immutable, so every change makes a new tuple."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

V = TypeVar("V")


class LinkedList(NamedTuple):
    """Dice added one after the other, the newest first. A longer list shares its shorter ones, so all states of a turn
    of thousands of throws take no more memory than the throws.
    """

    before: LinkedList | None
    newest: tuple[int, ...]


def oldest_first(links: LinkedList | None) -> list[list[int]]:
    """The contents, oldest first."""
    found: list[list[int]] = []
    while links is not None:
        found.append(list(links.newest))
        links = links.before
    return found[::-1]


def replace_at(values: tuple[V, ...], place: int, value: V) -> tuple[V, ...]:
    """A copy of `values` with `value` in this place."""
    return (*values[:place], value, *values[place + 1 :])


def add_at(values: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """A copy of `values` with `number` added in this place."""
    return replace_at(values, place, values[place] + number)
