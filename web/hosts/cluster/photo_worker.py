"""`rollcall reader`: reads the photos of all servers of one database, on a machine of its own."""

import logging
import signal
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from web.hosts.cluster.jobs import MOST_TRIES, SharedQueue, SharedReadings, TakenJob
from web.hosts.cluster.shared_pictures import SharedPictures
from web.hosts.cluster.shared_store import SharedStore
from web.hosts.cluster.signals import Signals
from web.hosts.threads import ThreadTask
from web.pages.live import NoPhones
from web.photos.photo_reader import PhotoReader
from web.problems.problem import Problem
from web.runner.runner import Runner
from web.store.schema import DatabaseError, SchemaError

if TYPE_CHECKING:
    import vision

logger = logging.getLogger(__name__)

HEARTBEAT_S = 2.0  # between two heartbeats of this reader, which then looks for a photo, too
READ_WITHIN_S = 30.0  # the last photo of a reader that ends


class ReadingError(Exception):
    """A reader cannot start: one sentence that says what was wrong."""


class PhotoWorker:
    """Reads photos from the queue, one after the other, beside requests."""

    def __init__(self, queue: SharedQueue, lone: SharedReadings, photo_reader: PhotoReader) -> None:
        self._queue, self._lone = queue, lone
        self._photo_reader = photo_reader
        self._ended = threading.Event()
        self._work = ThreadTask("readings", self._read_next)
        self._beat = ThreadTask("reader-there", self._send_heartbeat)
        self._beat.wake()  # which wakes the work: who is not there holds nothing

    def wake(self) -> None:
        self._work.wake()

    def close(self) -> None:
        """Ends after the present photo."""
        self._ended.set()
        for task in (self._work, self._beat):
            task.end(READ_WITHIN_S)
        try:
            self._queue.leave()
        except Problem as problem:
            logger.warning("it could not be told that this reader ends: %s", problem)

    def _read_next(self) -> float | None:
        try:
            taken = self._queue.take()
        except Problem as problem:
            logger.warning("photos cannot be taken: %s", problem)
            return None
        if taken is None:
            return None
        self._read_photo(taken)
        return 0.0

    def _read_photo(self, taken: TakenJob) -> None:
        try:
            again = taken.tries < MOST_TRIES
            if taken.key is None and again:
                self._lone.run(taken.reading, self._photo_reader.reader)
            elif taken.key is None:
                self._lone.give_up(taken.reading)
            elif again:
                self._photo_reader.run(taken.key, taken.reading)
            else:
                self._photo_reader.give_up(taken.key, taken.reading, "reader-failed")
            self._queue.finish(taken.reading)
        except Exception as error:  # this thread must go on, or no photo is read again
            logger.warning("a photo is to be read again: %r", error)
            self._give_back(taken)

    def _give_back(self, taken: TakenJob) -> None:
        self._ended.wait(HEARTBEAT_S)
        try:
            self._queue.give_back(taken.reading)
        except Problem as problem:  # it is free when this reader ends
            logger.warning("a photo could not be given back: %s", problem)

    def _send_heartbeat(self) -> float:
        try:
            self._queue.send_heartbeat()
            self._work.wake()
        except Problem as problem:
            logger.warning("it cannot be told that this reader is there: %s", problem)
        return HEARTBEAT_S


def run(database: str, out: TextIO, make_reader: "Callable[[], vision.Reader] | None" = None) -> int:
    """Reads photos until SIGTERM or SIGINT, and returns 0 after the last one. Prints a line when it is ready.

    `database`: its address. `make_reader` None: `vision.Reader`. Raises `ReadingError`.
    """
    import vision

    ends = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ends.set())
    with ExitStack() as until:
        try:
            store = until.enter_context(closing(SharedStore(database)))
        except (DatabaseError, SchemaError, Problem) as error:
            raise ReadingError(str(error)) from error
        runner, queue = Runner(store, NoPhones()), SharedQueue(store)
        pictures = SharedPictures(store, Path(until.enter_context(tempfile.TemporaryDirectory())))
        make = make_reader or vision.Reader
        photo_reader = until.enter_context(closing(PhotoReader(runner, pictures, make, None, ThreadTask, queue)))
        signals = until.enter_context(closing(Signals(store.url)))
        photo_reader.warm_up()
        if not runner.abilities["reader"]:
            raise ReadingError(f"photos cannot be read: {runner.abilities['reader_problem'].text}")
        store.changed = signals.tell
        worker = PhotoWorker(queue, SharedReadings(store), photo_reader)
        signals.start(lambda keys: worker.wake())
        print("Photos are read.", file=out, flush=True)
        ends.wait()
        worker.close()
    return 0
