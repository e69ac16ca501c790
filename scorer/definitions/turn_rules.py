"""What files say of turns and of their end, in the same words for every family.

A field's line in a docstring is its description in the schema.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from scorer.definitions.patterns import Count
from scorer.definitions.shapes import Bounds
from scorer.definitions.value_table import Worth


@dataclass(frozen=True, kw_only=True)
class DiceRules:
    """A turn with dice.

    dice: how many are thrown first.
    """

    dice: Count


@dataclass(frozen=True, kw_only=True)
class ThrowRules(DiceRules):
    """A turn of several throws.

    throws: throws of a turn, at most.
    """

    throws: Annotated[int, Bounds(1, 10)] = 3


@dataclass(frozen=True, kw_only=True)
class WorthRules(DiceRules):
    """A turn whose dice are worth something.

    worth: the value table: which dice are worth what; dice that fit no line are worth 0.
    """

    worth: Annotated[tuple[Worth, ...], Bounds(1, 20)]
