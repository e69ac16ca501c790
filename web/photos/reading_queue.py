"""The queue of photos to read. One worker reads them; each table has one place, and addresses take turns.

So nobody waits for the second photo of another address.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from web.common.background import Later
from web.common.problems import Problem
from web.limits.quotas import Backoff, gives_way, place_in_turn

logger = logging.getLogger(__name__)

LONGEST = 40  # tables that wait; with more the wait takes minutes, and entering the dice by hand is quicker


@dataclass(frozen=True)
class PhotoJob:
    """A photo to read for a table. `run` reads it and handles its own errors.

    `owner`: the address that sent it. `dropped` is called if the photo gives way to another address. `reading`: its id.
    """

    table_id: int
    run: Callable[[], None]
    owner: str = ""
    dropped: Callable[[], None] = lambda: None
    reading: str = ""


class Queue(Protocol):
    """Where photos wait to be read."""

    def put(self, job: PhotoJob) -> int: ...

    def close(self) -> None: ...


class ReadingQueue:
    """Holds one photo for each table: a newer photo takes the place of the older one."""

    def __init__(self, place_changed: Callable[[int, int], None], later: Later) -> None:
        """`place_changed(table_id, place)` is called for each table whose place changes; place 1 is next."""
        self._place_changed = place_changed
        self._waiting: list[PhotoJob] = []  # in the order in which they are read
        self._backoff: Backoff[int] = Backoff()  # of tables
        self._lock = threading.Lock()
        self._worker = later("readings", self._read_next)

    def put(self, job: PhotoJob) -> int:
        """Queues a job and returns its place, 1 for next. Raises `Problem("queue-full")` with a time to try again."""
        dropped = None
        with self._lock:
            places = [waiting.table_id for waiting in self._waiting]
            if job.table_id in places:
                place = places.index(job.table_id)
                self._waiting[place] = job
            else:
                if len(self._waiting) >= LONGEST:
                    dropped = self._make_room(job)
                self._backoff.forget(job.table_id)
                place = place_in_turn(job.owner, [waiting.owner for waiting in self._waiting])
                self._waiting.insert(place, job)
            behind = list(enumerate((waiting.table_id for waiting in self._waiting), start=1))[place + 1 :]
        self._worker.wake()
        if dropped is not None:
            dropped.dropped()
        self._tell_places(behind)
        return place + 1

    def _make_room(self, job: PhotoJob) -> PhotoJob:
        """Removes the last photo of the address with the most photos, if it has more than this job's address."""
        most = gives_way(job.owner, Counter(waiting.owner for waiting in self._waiting), equals=1)
        if most is None:
            raise Problem("queue-full", 503, again_s=self._backoff.next_of(job.table_id))
        last = next(waiting for waiting in reversed(self._waiting) if waiting.owner == most)
        self._waiting.remove(last)
        return last

    def close(self) -> None:
        """Ends the worker after the photo that it reads now."""
        with self._lock:
            self._waiting.clear()
        self._worker.end()

    def _read_next(self) -> float | None:
        with self._lock:
            if not self._waiting:
                return None
            job = self._waiting.pop(0)
            others = list(enumerate((waiting.table_id for waiting in self._waiting), start=1))
        self._tell_places(others)
        try:
            job.run()
        except Exception:  # the next photo is read all the same
            logger.exception("reading a photo failed")
        return 0.0

    def _tell_places(self, places: Iterable[tuple[int, int]]) -> None:
        try:
            for place, table_id in places:
                self._place_changed(table_id, place)
        except Exception:
            logger.exception("the places in the queue could not be told")
