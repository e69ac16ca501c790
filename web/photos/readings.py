"""The queue of photos to read: one worker, a bound, one place a table. Nobody waits for another's second photo."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from web.errors import Problem

logger = logging.getLogger(__name__)

LONGEST = 40  # tables waiting; more than that means minutes of waiting, and hand entry is quicker


@dataclass(frozen=True)
class Job:
    """A photo to read for a table. `run` does all the work and handles its own failures."""

    table_id: int
    run: Callable[[], None]


class ReadingQueue:
    """First come, first served, one photo a table: a newer photo of the same table takes the older one's place."""

    def __init__(self, moved: Callable[[int, int], None]) -> None:
        """`moved(table_id, place)` is called when a waiting table comes nearer; place 1 is next."""
        self._moved = moved
        self._waiting: list[Job] = []
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def put(self, job: Job) -> int:
        """Queues a job and returns its place, 1 for next. Raises `Problem("queue-full")`."""
        with self._changed:
            places = [waiting.table_id for waiting in self._waiting]
            if job.table_id in places:
                place = places.index(job.table_id)
                self._waiting[place] = job
            else:
                place = len(self._waiting)
                if place >= LONGEST:
                    raise Problem("queue-full", 503)
                self._waiting.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="readings", daemon=True)
                self._thread.start()
            self._changed.notify()
            return place + 1

    def close(self) -> None:
        """Ends the worker after the photo that it reads now."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                job = self._waiting.pop(0)
                others = list(enumerate((waiting.table_id for waiting in self._waiting), start=1))
            # Whatever happens: without this thread no photo would ever be read again.
            try:
                for place, table_id in others:
                    self._moved(table_id, place)
            except Exception:
                logger.exception("the places in the queue could not be told")
            try:
                job.run()
            except Exception:
                logger.exception("reading a photo failed")
