"""Hands of two players whose rounds are won, or cost lives: exact (`rounds.py`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from scorer.advice.hand.rounds import HandRounds
from scorer.advice.hand.turn import HandTurns
from scorer.advice.solution import WrongTable
from scorer.advice.solution_files import read_table, write_table
from scorer.contest import ContestGame

WORK_A_SECOND = 8_000_000  # choices compared for each hand to be beaten, in a second of one core


class HandRoundsOfTwo(HandRounds):
    """Its file has `begins`, and C by the throws that the second player may have."""

    players: ClassVar[int] = 2
    exact = True

    @classmethod
    def seconds(cls, game: Any) -> float:
        turns, throws = HandTurns(game), game.rules.most_throws
        stages = sum(range(throws)) if game.rules.first_sets_throws else throws - 1
        return len(turns.worths) * turns.work * stages / WORK_A_SECOND

    def save(self, path: Path) -> None:
        tables = {str(limit): self.following(limit, 1, self.begins) for limit in self.turns.throws_after(None)}
        write_table(path, self.game, {"begins": self.begins}, tables)

    @classmethod
    def load(cls, path: Path, game: ContestGame[Any]) -> HandRoundsOfTwo:
        header, arrays = read_table(path, game)
        begins = header.get("begins")
        if not isinstance(begins, float) or not all(name.isdigit() and each.ndim == 2 for name, each in arrays.items()):
            raise WrongTable(f"{path} is no table of a round")
        return cls(game, begins, {(int(limit), 1, begins): np.asarray(each) for limit, each in arrays.items()})


SOLUTION = HandRoundsOfTwo
