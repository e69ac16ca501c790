"""Solutions for the tests: those that Rollcall brings, small games, and tables of anything at all."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import scorer
from scorer.advice import solution_cache
from scorer.advice.sheet.one_column import Cells, Induction, OneColumnSolution
from scorer.advice.solution import Solution
from scorer.categories import FACE_TITLES
from scorer.jokers import Jokers
from scorer.sheet import SheetGame


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


def small(key: str, *keys: str, jokers: Jokers | None = None, **rules: Any) -> SheetGame:
    """A game with some of its cells, and with other rules and jokers if given."""
    game: Any = scorer.game(key)
    cells = tuple(cell for cell in game.rules.cell if cell.key in keys)
    upper = tuple(face for face, (name, _) in enumerate(FACE_TITLES, start=1) if name in keys)
    return SheetGame(game.kind, replace(game.rules, cell=cells, upper=upper, **rules), game.settings, jokers)


SMALL_YATZY = small("yatzy", "sixes", "yatzy", upper_bonus=((12, 50),))
