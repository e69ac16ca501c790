"""The games and photos in a PostgreSQL database that several servers share, and what follows the others."""

import logging
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from web.app import Storage
from web.common.problems import Problem
from web.hosts.cluster.jobs import SharedQueue, SharedReadings
from web.hosts.cluster.photo_worker import PhotoWorker
from web.hosts.cluster.shared_limits import SharedGuesses, SharedLimits
from web.hosts.cluster.shared_pictures import SharedPictures
from web.hosts.cluster.shared_store import SharedStore, SharedTokens
from web.hosts.cluster.signals import Signals
from web.hosts.threads import ThreadTask
from web.photos.photo_reader import PhotoReader
from web.runner import PhoneHub, Sessions
from web.services import Closable
from web.store.server_tokens import ServerToken, tokens_of
from web.store.store import ERASED
from web.table.commands import MovePhoto

logger = logging.getLogger(__name__)

POLL_S = 2.0  # between two looks at all tables with phones here: a call may have been lost
SWEPT_AFTER_S = 60.0
AT_ONCE = 1000  # tables in one query


class Listeners(PhoneHub, Protocol):
    """A hub that knows which tables phones listen to here."""

    def listened_tables(self) -> list[str]: ...


def shared_storage(database: str, data: Path, hub: Listeners, reads: bool = False) -> Storage:
    """The storage in the database of this address; photos that tables keep are in `data`.

    Separate readers read the photos (`photo_worker`), and with `reads` this process too. Raises `DatabaseError`.
    """
    store = SharedStore(database)
    sessions = Sessions(store, hub)
    pictures, queue, limits = SharedPictures(store, data), SharedQueue(store), SharedLimits(store)
    lone, tokens = SharedReadings(store), SharedTokens(store)

    def follow(photo_reader: PhotoReader) -> Sequence[Closable]:
        worker = PhotoWorker(queue, lone, photo_reader) if reads else None
        signals = Signals(store.url)
        follower = Follower(store, signals, sessions, hub, pictures, photo_reader, queue, lone, limits, worker)
        return [follower] if worker is None else [worker, follower]

    def host_tokens() -> Sequence[ServerToken]:
        return [*tokens.read(), *tokens_of(data)]  # older ones are each server's own

    return Storage(
        store=store,
        hub=hub,
        sessions=sessions,
        photo_files=pictures,
        guesses=SharedGuesses(store),
        limits=limits,
        host_tokens=host_tokens,
        queue=queue,
        lone=lone,
        follow=follow,
        watches=False,  # a phone's requests come to several servers
    )


@dataclass(eq=False)
class Follower:
    """Catches up with other processes at the tables that phones here listen to, beside requests."""

    store: SharedStore
    signals: Signals
    sessions: Sessions
    hub: Listeners
    pictures: SharedPictures
    photo_reader: PhotoReader
    queue: SharedQueue
    lone: SharedReadings
    limits: SharedLimits
    worker: PhotoWorker | None = None  # reads photos in this process, if any

    def __post_init__(self) -> None:
        self._swept_at = time.monotonic()
        self.queue.gave_way = self.photo_reader.give_up
        self._check_readers()
        self._called: set[int] = set()
        # Two tasks: following a call must not wait for polling.
        self._following, self._polling = ThreadTask("following", self._follow), ThreadTask("polling", self._poll)
        self._polling.wake()
        self.store.changed = self.signals.tell
        self.signals.start(self._on_signal)

    def close(self) -> None:
        self.signals.close()
        for task in (self._following, self._polling):
            task.end()

    def _on_signal(self, numbers: Collection[int] | None) -> None:
        if self.worker is not None:
            self.worker.wake()
        if numbers is None:
            self._polling.wake()
            return
        self._called.update(numbers)
        self._following.wake()

    def _follow(self) -> None:
        called = [self._called.pop() for _ in range(len(self._called))]  # this task alone takes from it
        listened = set(self.hub.listened_tables())
        for key in {key for number in called if (key := self.store.key_of(number)) in listened}:
            assert key is not None
            self._catch_up(key)

    def _poll(self) -> float:
        listened = set(self.hub.listened_tables())
        for key in self._outdated_tables(sorted(listened)):
            self._catch_up(key)
        self._attend_to_photos(listened)
        try:
            self.limits.tell()
        except Problem as problem:
            logger.warning("what visitors did here could not be told to the other servers: %s", problem)
        return POLL_S

    def _outdated_tables(self, keys: list[str]) -> set[str]:
        """The tables that other processes have changed since."""
        known = self.sessions.known_numbers()
        behind: set[str] = set()
        try:
            for start in range(0, len(keys), AT_ONCE):
                some = keys[start : start + AT_ONCE]
                found = self.store.last_numbers(some)
                behind |= {key for key in some if known.get(key) != found.get(key, ERASED)}
        except Problem as problem:
            logger.warning("what other servers did could not be looked for: %s", problem)
        return behind

    def _attend_to_photos(self, listened: set[str]) -> None:
        """Tells phones the places of their photos, queues photos that a server left, and deletes old ones."""
        try:
            self._check_readers()
            for number, place in self.queue.places().items():
                if (key := self.store.key_of(number)) in listened and key is not None:
                    self.sessions.do(key, MovePhoto(place))
            for key in self.pictures.unqueued_tables():
                self.photo_reader.resume(key)
            if time.monotonic() - self._swept_at > SWEPT_AFTER_S:
                self.pictures.sweep(())
                self.lone.sweep()
                self._swept_at = time.monotonic()
        except (Problem, OSError) as problem:
            logger.warning("photos could not be looked after: %s", problem)

    def _check_readers(self) -> None:
        """Tells all phones if the last reader went, or the first one came."""
        there = self.queue.readers() > 0
        if there != self.sessions.abilities["reader"]:
            self.photo_reader.tell_problem(None if there else Problem("no-readers", 503))

    def _catch_up(self, key: str) -> None:
        try:
            self.sessions.look_again(key)
        except Problem as problem:
            logger.warning("a table could not be followed: %s", problem)
        except Exception:  # this thread must go on, or phones here miss what others do
            logger.exception("a table could not be followed")
