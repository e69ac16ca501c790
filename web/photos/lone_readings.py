"""Reads photos that belong to no table, for programs: through the same queue and worker as all others."""

import itertools
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.photos.reading_queue import PhotoJob, Queue
from web.problems import Problem, Refused
from web.session.json_document import RefusalDocument, refusal_document

if TYPE_CHECKING:
    import vision

logger = logging.getLogger(__name__)

MOST_WAITING = 8  # photos in memory, of at most `vision.reasons.MAX_BYTES` each
MOST_KEPT = 200  # readings, the newest; a program fetches its own within seconds
WAIT_S = 5  # before a program tries again


@dataclass(frozen=True)
class LoneReading:
    """A photo without a table. `result` and `size` are there when it is read, `problem` when it cannot be."""

    id: str
    size: tuple[int, int] = (0, 0)
    result: "vision.Reading | None" = None
    problem: RefusalDocument | None = None


class LoneReadings:
    """Thread-safe."""

    def __init__(self, queue: Queue | None, reader: "Callable[[], vision.Reader]") -> None:
        """`queue`: of this process; None: other processes read the photos, and none is read here."""
        self._queue = queue
        self._reader = reader
        self._numbers = itertools.count(1)
        self._known: OrderedDict[str, LoneReading] = OrderedDict()
        self._lock = threading.Lock()
        self._waiting = 0

    def put(self, data: bytes, dice: int | None, owner: str) -> LoneReading:
        """Queues a photo. `dice`: how many were thrown; `owner`: the address that sent it. Raises `Problem`."""
        if self._queue is None:
            raise Problem("readings-elsewhere", 503)
        reading = LoneReading(secrets.token_urlsafe(12))
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise Problem("queue-full", 429, again_s=WAIT_S)
            self._waiting += 1
            self._known[reading.id] = reading
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)

        def give_up() -> None:
            self._note(LoneReading(reading.id, problem=refusal_document(Problem("queue-full", 503))))

        try:
            # No table has such a number, so none loses its place to this photo.
            number = -next(self._numbers)
            self._queue.put(PhotoJob(number, lambda: self._read(reading.id, data, dice), owner, give_up, reading.id))
        except BaseException:
            with self._lock:
                self._waiting -= 1
                self._known.pop(reading.id, None)
            raise
        return reading

    def get(self, reading: str) -> LoneReading:
        """Raises `Problem("no-reading")`."""
        with self._lock:
            found = self._known.get(reading)
        if found is None:
            raise Problem("no-reading", 404)
        return found

    def _read(self, reading: str, data: bytes, dice: int | None) -> None:
        """In the queue's thread."""
        try:
            import vision

            photo = vision.Photo.decode(data)
            done = LoneReading(reading, (photo.width, photo.height), self._reader().read(photo, dice))
        except Exception as error:
            if not isinstance(error, Refused):
                logger.warning("a photo of a program could not be read: %r", error)
            problem = error if isinstance(error, Refused) else Problem("reader-failed")
            done = LoneReading(reading, problem=refusal_document(problem))
        self._note(done)

    def _note(self, done: LoneReading) -> None:
        with self._lock:
            self._waiting -= 1
            if done.id in self._known:
                self._known[done.id] = done
