"""Solves games that no file solves yet, one at a time.

The command `rollcall solve` solves each in a process of its own with low priority. It takes half a minute or more of a
core, which players must not notice, and gives its memory back when it ends.
"""

import contextlib
import logging
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import scorer
from scorer.advice import is_race
from scorer.options import value_text
from web.tasks.background import Later
from web.texts.release import own_program

logger = logging.getLogger(__name__)

NICENESS = 10
MOST_WAITING = 8
MOST_KEPT = 200  # files of some 2 MB, so that nobody fills the disk with house rules
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Solver:
    """Solves games into the folder `advice` of the data folder. Thread-safe."""

    def __init__(self, data: Path, later: Later) -> None:
        self._data = data
        self._task = later("solver", self._solve_next)
        # Commands by file name; the first one runs. The task alone takes them away.
        self._waiting: dict[str, list[str]] = {}
        self._failed: set[str] = set()
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def ask(self, game: Any, players: int = 1) -> bool:
        """Has a game solved, or its race for so many players. False: it failed, or there is no room for it."""
        from scorer.advice import solution_cache  # loads numpy

        name = solution_cache.name_of(game, players)
        if (
            name in self._failed
            or self._closed
            or (name not in self._waiting and _is_full(solution_cache.folder_in(self._data)))
        ):
            return False
        if name in self._waiting or len(self._waiting) >= MOST_WAITING:
            return True  # the phone asks again
        try:
            self._waiting.setdefault(name, command_for(game, players, self._data))
        except OSError:
            logger.exception("the file of a game could not be written")
            return False
        self._task.wake()
        return True

    def close(self) -> None:
        self._closed = True
        if self._process is not None:
            self._process.terminate()
        self._task.end()

    def _solve_next(self) -> float | None:
        if self._closed or not self._waiting:
            return None
        name, command = next(iter(list(self._waiting.items())))
        if not self._solve(command) and not self._closed:
            self._failed.add(name)
        del self._waiting[name]
        return 0.0

    def _solve(self, command: Sequence[str]) -> bool:
        try:
            process = self._process = _start(command)
            if self._closed:  # asked after that, or `close` could miss the process
                process.terminate()
            rc = process.wait()
        except OSError:
            logger.exception("a game could not be solved")
            return False
        if rc and not self._closed:
            logger.error("a game could not be solved: %s ended with %d", " ".join(command), rc)
        return rc == 0


def _is_full(folder: Path) -> bool:
    return folder.is_dir() and sum(1 for _ in folder.iterdir()) >= MOST_KEPT


def command_for(game: Any, players: int, data: Path) -> list[str]:
    race = ["--race"] if is_race(game, players) else []
    options = [f"--option={name}={value_text(value)}" for name, value in game.settings.items()]
    return [*own_program(), "solve", _name_or_file(game, data), *options, *race, "--data", str(data), "--json"]


def _name_or_file(game: Any, data: Path) -> str:
    """What names a game on the command line: its key, or the file of one that people made."""
    if game.own_file is None:
        return str(game.key)
    folder = data / "own-games" / scorer.own_key(game.own_file, game.key)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{game.key}.toml"
    path.write_text(game.own_file, encoding="utf-8")
    return str(path)


def _start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Starts the command in a session of its own: the terminal's Ctrl+C ends the server, and the server ends it."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **ONE_THREAD},
        start_new_session=True,
    )
    if hasattr(os, "setpriority"):
        with contextlib.suppress(OSError):  # it has ended already
            os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    return process
