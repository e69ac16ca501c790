"""Tuples with one value changed: states are immutable, so every change makes a new tuple."""

from typing import TypeVar

V = TypeVar("V")


def put(values: tuple[V, ...], place: int, value: V) -> tuple[V, ...]:
    """`values` with `value` in this place."""
    return (*values[:place], value, *values[place + 1 :])


def add(values: tuple[int, ...], place: int, number: int) -> tuple[int, ...]:
    """`values` with `number` added in this place."""
    return put(values, place, values[place] + number)
