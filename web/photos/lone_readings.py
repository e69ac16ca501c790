"""Reads photos that belong to no table, for programs: in turn with all others, by the same worker."""

import itertools
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from web.common.problems import Problem, Refused
from web.common.recent import Recent
from web.photos.reading_queue import PhotoJob, Queue
from web.photos.reading_results import reading_result
from web.table.json_document import RefusalDocument, refusal_document
from web.table.photo_state import ReadingResult

if TYPE_CHECKING:
    import vision

logger = logging.getLogger(__name__)

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

    def put(self, data: bytes, dice: int | None, owner: str) -> LoneReading:
        """Queues a photo. `dice`: how many were thrown; `owner`: the address that sent it. Raises `Problem`."""
        ...

    def get(self, reading: str) -> LoneReading:
        """Raises `Problem("no-reading")`."""
        ...


def read_alone(reading: str, data: bytes, dice: int | None, reader: "Callable[[], vision.Reader]") -> LoneReading:
    """Reads a photo without a table. `reader()` may load the detector."""
    try:
        import vision

        photo = vision.Photo.decode(data)
        result = replace(reading_result(reader().read(photo, dice)), trace=None)  # it gives no sample
        return LoneReading(reading, (photo.width, photo.height), result)
    except Exception as error:
        if not isinstance(error, Refused):
            logger.warning("a photo of a program could not be read: %r", error)
        problem = error if isinstance(error, Refused) else Problem("reader-failed")
        return LoneReading(reading, problem=refusal_document(problem))


class QueuedReadings:
    """In memory, read by the queue of this process."""

    def __init__(self, queue: Queue, reader: "Callable[[], vision.Reader]") -> None:
        self._queue = queue
        self._reader = reader
        self._numbers = itertools.count(1)
        self._known: Recent[str, LoneReading] = Recent(MOST_KEPT)
        self._waiting: set[str] = set()

    def put(self, data: bytes, dice: int | None, owner: str) -> LoneReading:
        reading = LoneReading(secrets.token_urlsafe(12))
        self._waiting.add(reading.id)
        if len(self._waiting) > MOST_WAITING:  # counted with this one: of several at once, too many are never let in
            self._waiting.discard(reading.id)
            raise Problem("queue-full", 429, again_s=WAIT_S)
        self._known[reading.id] = reading

        def read() -> None:
            self._note(read_alone(reading.id, data, dice, self._reader))

        def give_up() -> None:
            self._note(LoneReading(reading.id, problem=refusal_document(Problem("queue-full", 503))))

        try:
            # No table has such a number, so none loses its place to this photo.
            number = -next(self._numbers)
            self._queue.put(PhotoJob(number, read, owner, give_up, reading.id))
        except BaseException:
            self._waiting.discard(reading.id)
            self._known.pop(reading.id)
            raise
        return reading

    def get(self, reading: str) -> LoneReading:
        found = self._known.get(reading)
        if found is None:
            raise Problem("no-reading", 404)
        return found

    def _note(self, done: LoneReading) -> None:
        self._waiting.discard(done.id)
        self._known[done.id] = done
