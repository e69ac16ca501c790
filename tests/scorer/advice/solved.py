"""Solutions for the tests: those that Rollcall brings, small games, and tables of anything at all."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import scorer
from scorer.advice import solution_cache
from scorer.advice.sheet.one_column import Cells, Induction, OneColumnSolution
from scorer.advice.solution import Solution
from scorer.games import load
from scorer.sheet import SheetGame

Yatzy = load("yatzy")


@cache
def shipped_solution(key: str) -> Solution:
    solution = solution_cache.find(scorer.game(key), [solution_cache.SHIPPED])
    assert solution is not None
    return solution


def random_solution(game: SheetGame, seed: int = 0) -> OneColumnSolution:
    """A solution whose numbers mean nothing: for what must hold whatever they are."""
    induction = Induction.blank(Cells(game))
    induction.to_come[:] = np.random.default_rng(seed).uniform(0, 50, induction.to_come.shape)
    induction.to_come[:, -1] = 0  # nothing is to come of a full sheet
    return OneColumnSolution(induction)


def small(base: type[SheetGame], *keys: str, **attributes: Any) -> SheetGame:
    """A game with some of its categories."""

    class Small(base):
        categories = tuple(category for category in base.categories if category.key in keys)

    for name, value in attributes.items():
        setattr(Small, name, value)
    found: SheetGame = Small()
    return found


SMALL_YATZY = small(Yatzy, "sixes", "yatzy", upper_threshold=12)
