"""One of several servers that share the games and photos in a PostgreSQL database."""

import logging
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Protocol

from web.app import Storage
from web.hosts.cluster.jobs import SharedQueue, SharedReadings
from web.hosts.cluster.shared_guesses import SharedGuesses
from web.hosts.cluster.shared_pictures import SharedPictures
from web.hosts.cluster.shared_store import SharedStore, SharedTokens
from web.hosts.cluster.signals import Signals
from web.hosts.threads import ThreadTask
from web.problems.problem import Problem
from web.runner.runner import PhoneHub
from web.services import Services
from web.table.commands import MovePhoto

logger = logging.getLogger(__name__)

POLL_S = 2.0  # between two looks at all tables with phones here: a call may have been lost
SWEPT_AFTER_S = 60.0
AT_ONCE = 1000  # tables in one query


class ListeningHub(PhoneHub, Protocol):
    """A hub that says which tables phones here listen to."""

    def listened_tables(self) -> Sequence[str]: ...


class SharedServer:
    """`storage`: the games and photos in the database of this address; photos that tables keep are in `data`.

    Once it follows, it catches up with the other servers at the tables that phones here listen to, beside requests.
    Raises `DatabaseError`.
    """

    def __init__(self, database: str, data: Path, hub: ListeningHub) -> None:
        self._store, self._hub = SharedStore(database), hub
        self._pictures, self._queue = SharedPictures(self._store, data), SharedQueue(self._store)
        self._lone, self._guesses = SharedReadings(self._store), SharedGuesses(self._store)
        self._numbers: dict[str, int] = {}  # of the last events that phones here were shown
        self._called: set[str] = set()
        self._swept_at = time.monotonic()
        self.storage = Storage(
            store=self._store,
            hub=hub,
            photo_files=self._pictures,
            guesses=self._guesses,
            host_tokens=SharedTokens(self._store).read,
            queue=self._queue,
            lone=self._lone,
        )

    def follow(self, parts: Services) -> None:
        """Begins, until the services are closed."""
        self._parts = parts
        self._queue.gave_way = parts.photos.reader.give_up
        self._check_readers()
        # Two tasks: following a call must not wait for polling.
        self._following, self._polling = ThreadTask("following", self._follow), ThreadTask("polling", self._poll)
        self._polling.wake()
        self._signals = Signals(self._store.url)
        self._store.changed = self._signals.tell
        self._signals.start(self._on_signal)
        parts.programs.append(self)

    def close(self) -> None:
        self._signals.close()
        for task in (self._following, self._polling):
            task.end()

    def _on_signal(self, keys: Collection[str] | None) -> None:
        if keys is None:
            self._polling.wake()
            return
        self._called.update(keys)
        self._following.wake()

    def _follow(self) -> None:
        called = {self._called.pop() for _ in range(len(self._called))}  # this task alone takes from it
        for key in called.intersection(self._hub.listened_tables()):
            self._catch_up(key)

    def _poll(self) -> float:
        listened = self._hub.listened_tables()
        try:
            for start in range(0, len(listened), AT_ONCE):
                self._catch_up_with(listened[start : start + AT_ONCE])
            self._attend_to_photos(set(listened))
            if time.monotonic() - self._swept_at > SWEPT_AFTER_S:
                self._sweep()
                self._swept_at = time.monotonic()
        except (Problem, OSError) as problem:
            logger.warning("what other servers did could not be looked for: %s", problem)
        self._numbers = {key: self._numbers[key] for key in listened if key in self._numbers}
        return POLL_S

    def _catch_up_with(self, keys: Sequence[str]) -> None:
        found = self._store.last_numbers(keys)
        for key in keys:
            number = found.get(key)
            if (number is None or number != self._numbers.get(key)) and self._catch_up(key) and number is not None:
                self._numbers[key] = number

    def _catch_up(self, key: str) -> bool:
        try:
            self._parts.runner.look(key)
        except Problem as problem:
            logger.warning("a table could not be followed: %s", problem)
        except Exception:  # this thread must go on, or phones here miss what others do
            logger.exception("a table could not be followed")
        else:
            return True
        return False

    def _attend_to_photos(self, listened: Collection[str]) -> None:
        """Tells phones the places of their photos, and queues photos that a server left."""
        self._check_readers()
        for key, place in self._queue.places().items():
            if key in listened:
                self._parts.runner.do(key, MovePhoto(place))
        for key in self._pictures.unqueued_tables():
            self._parts.photos.reader.resume(key)

    def _sweep(self) -> None:
        """Deletes what a server left: old photos and guesses, and tables whose deletion can no longer be undone."""
        self._pictures.sweep(())
        self._guesses.sweep()
        self._parts.deletions.wake()

    def _check_readers(self) -> None:
        """Tells all phones if the last reader went, or the first one came."""
        there = self._queue.readers() > 0
        if there != self._parts.runner.abilities["reader"]:
            self._parts.photos.reader.tell_problem(None if there else Problem("no-readers", 503))
