"""Replays finished games for statistics that only their logs tell; each game once, then the store keeps them.

A request replays for a moment; a thread replays the rest and leaves most of the processor to those who play.
"""

import logging
import time
from collections import OrderedDict
from collections.abc import Sequence

from sqlalchemy.exc import SQLAlchemyError

import scorer
from web.problems.problem import Problem
from web.runner.runner import Runner
from web.statistics.player_games import EndedGame, PlayerGame, add_replay
from web.statistics.score_history import score_history
from web.store.player_rows import OPEN, ReplayFigures, note_replays
from web.tasks.background import Later
from web.tasks.exclusive import Exclusive

logger = logging.getLogger(__name__)

WITHIN_S = 0.1  # a request replays so long, and one game more
MOST_WAITING = 5000  # games; the next request asks for the others
KEPT_AT_ONCE = 50  # games that one transaction stores
REST = 2.0  # the thread rests so many times as long as it worked


class Replays:
    """Thread-safe."""

    def __init__(self, runner: Runner, later: Later) -> None:
        self._runner, self._store = runner, runner.store
        self._waiting: OrderedDict[EndedGame, None] = OrderedDict()  # the task alone takes from it
        self._found: dict[EndedGame, ReplayFigures | None] = {}  # by the task, not stored yet
        self._work = Exclusive()  # no game is replayed twice at once
        self._task = later("replays", self._step)

    def fill(self, rows: Sequence[PlayerGame]) -> tuple[list[PlayerGame], int]:
        """The rows with the values of their replays, and how many rows are still without. Replays the newest, which are
        the last, first."""
        until = time.monotonic() + WITHIN_S
        found: dict[EndedGame, ReplayFigures | None] = {}
        whole: dict[EndedGame, ReplayFigures | None] = {}
        still: list[EndedGame] = []
        with self._work.enter() as is_in:
            for game in dict.fromkeys(row.table for row in reversed(rows) if row.replayed == OPEN):
                if is_in and time.monotonic() < until:
                    found[game], is_whole = self._replay(game)
                    whole.update({game: found[game]} if is_whole else {})
                else:
                    still.append(game)
        self._keep(whole)
        self._ask(still)
        filled = [add_replay(row, found[row.table]) if row.table in found else row for row in rows]
        return filled, sum(row.replayed == OPEN for row in filled)

    def close(self) -> None:
        """Ends after the game that is replayed just now."""
        self._task.end()

    def _replay(self, game: EndedGame) -> tuple[ReplayFigures | None, bool]:
        """The replay, None if the log cannot be replayed; and whether the log is whole: only then it is stored."""
        row = self._store.find(game.key)
        if row is None:
            return None, False
        try:
            table, is_whole = self._runner.replay(row)
        except scorer.Refusal:
            return None, True
        except Problem as problem:
            if problem.reason != "log-too-long":
                raise
            return None, True
        found = score_history(table)
        players = range(len(found.players))
        best, turns = [found.best_turn(player) for player in players], [len(found.totals[player]) for player in players]
        return ReplayFigures(best, found.busts, turns, found.fairness.counts), is_whole

    def _keep(self, found: dict[EndedGame, ReplayFigures | None]) -> None:
        if not found:
            return
        try:
            with self._store.write() as connection:
                note_replays(connection, {(game.id, game.ended_no): replay for game, replay in found.items()})
        except Problem as problem:  # it is shown all the same, and replayed once more the next time
            logger.warning("what a replay told could not be kept: %s", problem)

    def _ask(self, games: Sequence[EndedGame]) -> None:
        for game in games[: MOST_WAITING - len(self._waiting)]:
            self._waiting.setdefault(game)
        if games:
            self._task.wake()

    def _step(self) -> float | None:
        with self._work.enter() as is_in:
            return self._replay_next() if is_in else WITHIN_S

    def _replay_next(self) -> float | None:
        """Replays a game that waits; if none does, stores what is not stored yet."""
        game = self._waiting.popitem(last=False)[0] if self._waiting else None
        if game is None and not self._found:
            return None
        began = time.monotonic()
        try:
            if game is not None:
                replay, is_whole = self._replay(game)
                self._found.update({game: replay} if is_whole else {})
            if game is None or len(self._found) >= KEPT_AT_ONCE:
                found, self._found = self._found, {}
                self._keep(found)
        except (Problem, SQLAlchemyError) as problem:
            logger.warning("a finished game could not be replayed: %s", problem)
        return REST * (time.monotonic() - began)
