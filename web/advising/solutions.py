"""Solved games as the server holds them: a few in memory, what is not solved yet is solved beside it.

numpy and the solved games are loaded when they are first asked for: starting the server and playing need neither.
"""

import logging
import threading
from enum import Enum
from pathlib import Path
from typing import Any

from cachetools import LRUCache

from scorer.advice import is_race
from web.advising.solver import Solver

logger = logging.getLogger(__name__)

KEPT = 3  # of up to 40 MB each
LEAST_FREE = 150 << 20  # bytes of memory that must be free before another one is loaded
MEMORY = Path("/proc/meminfo")  # of Linux; elsewhere nobody is asked


class Unsolved(Enum):
    """Why there is no solved game."""

    SOLVING = "the game with its house rules is being solved"
    FAILED = "the game with its house rules could not be solved"
    MEMORY = "the computer has no memory left for it"


class Solutions:
    """Solved games, of models/advice and of the data folder. For many threads."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._solver = Solver(data)
        self._kept: LRUCache[str, Any] = LRUCache(KEPT)
        self._lock = threading.Lock()

    def solution_of(self, game: Any, players: int) -> Any:
        """The solved game, a `scorer.advice.solution.Solution`, or why there is none: `Unsolved`.

        For two and more players the chance to win where a game has it; points as long as that is being worked out.
        """
        with self._lock:
            try:
                found = self._find(game, players)
            except MemoryError:
                logger.warning("no memory for the solved game %s", game.key)
                return Unsolved.MEMORY
        if found is None:
            return Unsolved.SOLVING if self._solver.ask(game) else Unsolved.FAILED
        return found

    def _find(self, game: Any, players: int) -> Any:
        """The best that is in memory or on the disk, or solved in a moment; None where there is none."""
        from scorer.advice import solution_cache  # with numpy, which nobody needs who does not ask

        folders = [solution_cache.SHIPPED, solution_cache.folder_in(self._data)]
        name = solution_cache.name_of(game, players)
        found = self._kept.get(name)
        if found is None and not _has_room():
            raise MemoryError
        if found is None:
            found = solution_cache.load_kept(game, folders, players)
        if found is None:  # in points, as long as a race is not solved
            name = solution_cache.name_of(game)
            found = self._kept.get(name) or solution_cache.find(game, folders)
        if found is not None:
            self._kept[name] = found
        return found

    def better_soon(self, game: Any, players: int, solution: Any) -> bool:
        """Whether the chances to win are being worked out, so that it is in points only until then."""
        return is_race(game, players) and solution.unit == "points" and self._solver.ask(game, players)

    def close(self) -> None:
        self._solver.close()


def _has_room() -> bool:
    """Whether there is memory for another solved game, where the system tells."""
    try:
        lines = MEMORY.read_text().splitlines()
        (free,) = (int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError):
        return True
    return free >= LEAST_FREE
