"""Small expressions of a value table, such as `sum - sum(3)` or `n(1) * 100`: parsed here, bounded, never executed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

# Of all dice, of those that make the pattern, and of the wanted face or sum; 0: none is wanted.
Value = Callable[[Sequence[int], Sequence[int], int], int]

MOST_TOKENS = 60
TOKEN = re.compile(r"\s*(?:(\d{1,6})(?!\d)|([a-z]+)|([-+*=()]))")

NAMES: dict[str, Value] = {
    "sum": lambda dice, made, wanted: sum(dice),
    "max": lambda dice, made, wanted: max(dice),
    "min": lambda dice, made, wanted: min(dice),
    "pattern": lambda dice, made, wanted: sum(made),
    "rest": lambda dice, made, wanted: sum(dice) - sum(made),
    "wanted": lambda dice, made, wanted: wanted,
}
OF_FACE: dict[str, Callable[[Sequence[int], int], int]] = {
    "n": lambda dice, face: dice.count(face),
    "sum": lambda dice, face: face * dice.count(face),
}


class NoExpression(ValueError):  # noqa: N818 - what is wrong is the file
    """A text that is no expression."""


@lru_cache(maxsize=256)
def expression(text: str) -> Value:
    """The value of dice by this text: whole numbers, `sum`, `max`, `min` of all dice, `pattern` and `rest` (sums of the
    dice that make the pattern and of the others), `n(face)`, `sum(face)`, `wanted`, joined by + - * and ( ); and `=`,
    which is 1 for equal values and 0 for others. Raises NoExpression.
    """
    tokens: list[str] = []
    at = 0
    while text[at:].strip():
        found = TOKEN.match(text, at)
        if found is None or len(tokens) == MOST_TOKENS:
            raise NoExpression(text)
        tokens.append(found[0].strip())
        at = found.end()
    reader = _Reader(tokens)
    value = reader.equality()
    if reader.tokens:
        raise NoExpression(text)
    return value


class _Reader:
    """Reads tokens from the left; what is read is gone."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def equality(self) -> Value:
        value = self._sum()
        if self.tokens[:1] != ["="]:
            return value
        self.tokens.pop(0)
        return _equality_of(value, self._sum())

    def _sum(self) -> Value:
        value = self._product()
        while self.tokens[:1] in (["+"], ["-"]):
            sign = 1 if self.tokens.pop(0) == "+" else -1
            value = _sum_of(value, self._product(), sign)
        return value

    def _product(self) -> Value:
        value = self._factor()
        while self.tokens[:1] == ["*"]:
            self.tokens.pop(0)
            value = _product_of(value, self._factor())
        return value

    def _factor(self) -> Value:
        token = self._next()
        if token == "(":
            value = self.equality()
            self._expect(")")
            return value
        if token.isdigit():
            return _constant(int(token))
        if token in OF_FACE and self.tokens[:1] == ["("]:
            self.tokens.pop(0)
            face = self._next()
            self._expect(")")
            if face not in ("1", "2", "3", "4", "5", "6", "wanted"):
                raise NoExpression(face)
            return _of_face(token, NAMES[face] if face in NAMES else _constant(int(face)))
        if token not in NAMES:
            raise NoExpression(token)
        return NAMES[token]

    def _next(self) -> str:
        if not self.tokens:
            raise NoExpression("")
        return self.tokens.pop(0)

    def _expect(self, token: str) -> None:
        if self._next() != token:
            raise NoExpression(token)


def _constant(number: int) -> Value:
    return lambda dice, made, wanted: number


def _of_face(name: str, face: Value) -> Value:
    counted = OF_FACE[name]
    return lambda dice, made, wanted: counted(dice, face(dice, made, wanted))


def _equality_of(one: Value, other: Value) -> Value:
    return lambda dice, made, wanted: int(one(dice, made, wanted) == other(dice, made, wanted))


def _sum_of(one: Value, other: Value, sign: int) -> Value:
    return lambda dice, made, wanted: one(dice, made, wanted) + sign * other(dice, made, wanted)


def _product_of(one: Value, other: Value) -> Value:
    return lambda dice, made, wanted: one(dice, made, wanted) * other(dice, made, wanted)
