"""Solved games of the server: a few in memory; a solver in another process solves missing ones.

numpy and the solved games are loaded on the first request: starting the server and playing need neither.
"""

import logging
from enum import Enum
from pathlib import Path
from typing import Any

from scorer.advice import is_race, is_solvable
from web.advising.solver import Solver
from web.limits.recent import Recent
from web.tasks.background import Later

logger = logging.getLogger(__name__)

KEPT = 3  # solved games in memory, up to 40 MB each
LEAST_FREE = 150 << 20  # bytes that must be free before another one is loaded
MEMORY = Path("/proc/meminfo")  # Linux alone has it; elsewhere memory counts as free


class Unsolved(Enum):
    """Why there is no solved game."""

    SOLVING = "the game with its house rules is being solved"
    FAILED = "the game with its house rules could not be solved"
    MEMORY = "the computer has no memory left for it"
    COMPUTER = "it takes numpy, which is missing here"


class Solutions:
    """Solved games from models/advice and from the data folder. Thread-safe: at worst two load the same one."""

    def __init__(self, data: Path, later: Later) -> None:
        self._data = data
        self._solver = Solver(data, later)
        self._kept: Recent[str, Any] = Recent(KEPT)

    def solution_of(self, game: Any, players: int) -> Any:
        """The solved game (`scorer.advice.solution.Solution`), or why there is none (`Unsolved`).

        For two and more players in chances to win, if the game is a race; in points until these are computed.
        """
        try:
            found = self._find(game, players)
        except MemoryError:
            logger.warning("no memory for the solved game %s", game.key)
            return Unsolved.MEMORY
        except ModuleNotFoundError as error:
            if error.name != "numpy":
                raise
            return Unsolved.COMPUTER
        if found is None:
            return Unsolved.SOLVING if is_solvable(game) and self._solver.ask(game) else Unsolved.FAILED
        return found

    def _find(self, game: Any, players: int) -> Any:
        """The best solution in memory, on the disk or solved in a moment; None if there is none. Raises MemoryError."""
        from scorer.advice import solution_cache  # loads numpy

        folders = [solution_cache.SHIPPED, solution_cache.folder_in(self._data)]
        name = solution_cache.name_of(game, players)
        found = self._kept.get(name)
        if found is None and not _has_room():
            raise MemoryError
        if found is None:
            found = solution_cache.load_or_solve(game, folders, players)
        if found is None:  # in points or turns until the race is solved
            name = solution_cache.name_of(game)
            found = self._kept.get(name) or solution_cache.find(game, folders)
        if found is not None:
            self._kept[name] = found
        return found

    def better_soon(self, game: Any, players: int, solution: Any) -> bool:
        """Whether `solution` has no chances to win only until they are computed. Has them computed."""
        return is_race(game, players) and solution.unit != "win" and self._solver.ask(game, players)

    def close(self) -> None:
        self._solver.close()


def _has_room() -> bool:
    """Whether there is memory for another solved game, or the system does not say."""
    try:
        lines = MEMORY.read_text().splitlines()
        (free,) = (int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError):
        return True
    return free >= LEAST_FREE
