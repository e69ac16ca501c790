"""The queue of photos to read. One worker reads them; each table has one place, and addresses take turns.

So nobody waits for the second photo of another address.
"""

import itertools
import logging
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from msgspec import structs

from web.limits.quotas import Backoff, gives_way, place_in_turn
from web.limits.recent import Recent
from web.photos.reading_results import reading_result
from web.problems.problem import Problem, Refused
from web.table.json_document import RefusalDocument, refusal_document
from web.table.photo_state import ReadingResult
from web.tasks.background import Later

if TYPE_CHECKING:
    import vision

logger = logging.getLogger(__name__)

LONGEST = 40  # tables that wait; with more the wait takes minutes, and entering the dice by hand is quicker


@dataclass(frozen=True)
class PhotoJob:
    """A photo to read for a table. `run` reads it and handles its own errors.

    `address`: where it came from. `dropped` is called if the photo gives way to another address. `reading`: its id.
    `is_wanted`: asked when it is to get its place, so that no older photo takes a newer one's.
    """

    table_id: int
    run: Callable[[], None]
    address: str = ""
    dropped: Callable[[], None] = lambda: None
    reading: str = ""
    is_wanted: Callable[[], bool] = lambda: True


class Queue(Protocol):
    """Where photos wait to be read."""

    def put(self, job: PhotoJob) -> int:
        """Queues a job, if it is wanted, and returns its place, 1 for next. Raises `Problem`."""
        ...

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
        """See `Queue`. Raises `Problem("queue-full")` with a time to try again."""
        dropped = None
        with self._lock:
            places = [waiting.table_id for waiting in self._waiting]
            waits = job.table_id in places
            if (waits or len(places) >= LONGEST) and not job.is_wanted():  # else its reading finds that it has gone
                return 1
            if waits:
                place = places.index(job.table_id)
                self._waiting[place] = job
            else:
                if len(places) >= LONGEST:
                    dropped = self._make_room(job)
                self._backoff.forget(job.table_id)
                place = place_in_turn(job.address, [waiting.address for waiting in self._waiting])
                self._waiting.insert(place, job)
            behind = [waiting.table_id for waiting in self._waiting[place + 1 :]]
        self._worker.wake()
        if dropped is not None:
            dropped.dropped()
        self._tell_places(behind, place + 2)
        return place + 1

    def _make_room(self, job: PhotoJob) -> PhotoJob:
        """Removes the last photo of the address with the most photos, if it has more than this job's address."""
        most = gives_way(job.address, Counter(waiting.address for waiting in self._waiting), equals=1)
        if most is None:
            raise Problem("queue-full", 503, again_s=self._backoff.next_of(job.table_id))
        last = next(waiting for waiting in reversed(self._waiting) if waiting.address == most)
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
            others = [waiting.table_id for waiting in self._waiting]
        self._tell_places(others)
        try:
            job.run()
        except Exception:  # the next photo is read all the same
            logger.exception("reading a photo failed")
        return 0.0

    def _tell_places(self, tables: Sequence[int], first: int = 1) -> None:
        try:
            for place, table_id in enumerate(tables, first):
                self._place_changed(table_id, place)
        except Exception:
            logger.exception("the places in the queue could not be told")


MOST_WAITING = 8  # photos, of at most `vision.reasons.MAX_BYTES` each
MOST_KEPT = 200  # readings, the newest; a program fetches its own within seconds
WAIT_S = 5  # before a program tries again


@dataclass(frozen=True)
class LoneReading:
    """A photo without a table. `result` and `size`, in pixels, are there when it is read, `problem` when it cannot."""

    id: str
    size: tuple[int, int] = (0, 0)
    result: ReadingResult | None = None
    problem: RefusalDocument | None = None


class LoneReadings(Protocol):
    """The photos of programs, and what was read in them. Thread-safe."""

    def put(self, data: bytes, dice: int | None, address: str) -> LoneReading:
        """Queues a photo. `dice`: how many were thrown; `address`: the address that sent it. Raises `Problem`."""
        ...

    def get(self, reading: str) -> LoneReading:
        """Raises `Problem("no-reading")`."""
        ...


def read_alone(reading: str, data: bytes, dice: int | None, reader: "Callable[[], vision.Reader]") -> LoneReading:
    """Reads a photo without a table. `reader()` may load the detector."""
    try:
        import vision

        photo = vision.Photo.decode(data)
        result = structs.replace(reading_result(reader().read(photo, dice)), trace=None)  # it gives no sample
        return LoneReading(reading, (photo.width, photo.height), result)
    except Exception as error:
        if not isinstance(error, Refused):
            logger.warning("a photo of a program could not be read: %r", error)
        problem = error if isinstance(error, Refused) else Problem("reader-failed")
        return LoneReading(reading, problem=refusal_document(problem))


class QueuedReadings:
    """In memory, read by the queue of this process."""

    def __init__(self, queue: Queue, reader: "Callable[[], vision.Reader]") -> None:
        self._queue, self._reader = queue, reader
        self._numbers = itertools.count(1)
        self._known: Recent[str, LoneReading] = Recent(MOST_KEPT)
        self._waiting: set[str] = set()

    def put(self, data: bytes, dice: int | None, address: str) -> LoneReading:
        reading = LoneReading(secrets.token_urlsafe(12))
        self._waiting.add(reading.id)

        def read() -> None:
            self._note(read_alone(reading.id, data, dice, self._reader))

        def give_up() -> None:
            self._note(LoneReading(reading.id, problem=refusal_document(Problem("queue-full", 503))))

        try:
            if len(self._waiting) > MOST_WAITING:
                raise Problem("queue-full", 429, again_s=WAIT_S)
            self._known[reading.id] = reading
            # No table has such a number, so none loses its place to this photo.
            self._queue.put(PhotoJob(-next(self._numbers), read, address, give_up, reading.id))
        except BaseException:
            self._waiting.discard(reading.id)
            self._known.pop(reading.id)
            raise
        return reading

    def get(self, reading: str) -> LoneReading:
        if (found := self._known.get(reading)) is None:
            raise Problem("no-reading", 404)
        return found

    def _note(self, done: LoneReading) -> None:
        self._waiting.discard(done.id)
        if done.id in self._known:
            self._known[done.id] = done
