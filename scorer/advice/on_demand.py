"""Solutions that need no table."""

from __future__ import annotations

from pathlib import Path

from scorer.advice.solution import G, Progress, Solution


class OnDemandSolution(Solution[G]):
    """A game whose values are computed when asked for, without a table."""

    states = 0

    def __init__(self, game: G) -> None:
        self.game = game

    @classmethod
    def seconds(cls, game: G) -> float:
        return 0.0

    @classmethod
    def solve(cls, game: G, progress: Progress | None = None) -> Solution[G]:
        return cls(game)

    def save(self, path: Path) -> None:
        """Writes a file with the game's name and options alone."""
        from scorer.advice.solution_files import write_table  # with numpy

        write_table(path, self.game, {}, {})

    @classmethod
    def load(cls, path: Path, game: G) -> Solution[G]:
        from scorer.advice.solution_files import read_table  # with numpy

        read_table(path, game)
        return cls(game)
