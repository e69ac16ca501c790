"""Erases deleted tables once their minute is over, also those that an ended server, or another one, has left."""

import logging
import time
from calendar import timegm
from collections.abc import Callable, Collection

from web.problems.problem import Problem
from web.runner.runner import Runner, TableChange
from web.store.stamps import FORMAT
from web.store.store import Store, marks_of_erased, pending_deletions
from web.table.access_list import Deletion
from web.table.events import TableDeleted
from web.tasks.background import Later

logger = logging.getLogger(__name__)

UNDO_WITHIN_S = 60.0
TRIES_AGAIN_S = 30.0


class DeletionTimer:
    """A thread that waits for deletions of a store.

    `delete_photos` deletes the corrected photos of tables by their codes (`codes.mark_of`). `clock`: of seconds that
    nobody sets.
    """

    def __init__(
        self,
        store: Store,
        runner: Runner,
        delete_photos: Callable[[Collection[str]], None],
        later: Later,
    ) -> None:
        self._store, self._runner, self._delete_photos = store, runner, delete_photos
        self.clock = time.monotonic
        self._due: dict[tuple[str, Deletion], float] = {}  # when each is due, by `clock`
        self._known: set[str] = set()  # the codes of tables whose photos are deleted
        self._is_first = True
        self._task = later("deletions", self._step)
        runner.follow(self._follow, TableDeleted)
        self._task.wake()

    def close(self) -> None:
        self._task.end()

    def wake(self) -> None:
        """Looks again."""
        self._task.wake()

    def _erase_due(self) -> float | None:
        """Erases the tables whose minute is over. Returns the seconds until the next one; None: there is none.

        Raises `Problem` and OSError.
        """
        pending = pending_deletions(self._store)
        now, first, self._is_first = self.clock(), self._is_first, False
        # What this process sees from its beginning is timed by the clock that runs evenly: a Raspberry Pi's time of day
        # jumps when it finds the network.
        self._due = {each: self._due.get(each, now + _rest_s(each[1], first)) for each in pending.items()}
        for each, due in list(self._due.items()):
            if due <= now:
                self._erase(*each)
        self._delete_corrected()
        return min((max(0.0, due - now) for due in self._due.values()), default=None)

    def _erase(self, key: str, deletion: Deletion) -> None:
        try:
            self._runner.erase(key, deletion)
        except Problem as problem:
            if problem.reason not in ("table-unknown", "table-deleted"):  # another server was quicker
                logger.warning("a deleted table could not be erased now: %s", problem)
                self._due[key, deletion] = self.clock() + TRIES_AGAIN_S
                return
        del self._due[key, deletion]

    def _delete_corrected(self) -> None:
        erased = marks_of_erased(self._store)
        self._delete_photos(erased - self._known)
        self._known = erased

    def _follow(self, change: TableChange) -> None:
        self.wake()

    def _step(self) -> float | None:
        try:
            return self._erase_due()
        except (Problem, OSError) as error:
            logger.warning("deleted tables could not be erased now: %s", error)
            return TRIES_AGAIN_S


def _rest_s(deletion: Deletion, by_date: bool) -> float:
    """The seconds for which a deletion may still be undone. `by_date`: this process did not see how long it waits."""
    if not by_date:
        return UNDO_WITHIN_S
    try:
        since = time.time() - timegm(time.strptime(deletion.at, FORMAT))
    except ValueError:
        since = 0.0
    return min(UNDO_WITHIN_S, max(0.0, UNDO_WITHIN_S - since))
