"""The queue of photos in the database for all readers: those of tables, and lone ones of programs.

A job is a row. A reader takes it by `FOR UPDATE SKIP LOCKED`, so readers never wait for one another. It renews its hold
by heartbeats; without them the job is free for the next reader.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError

from web.cluster.shared_schema import jobs, moment, readers
from web.cluster.shared_store import SharedStore
from web.photos.reading_queue import LONGEST, PhotoJob
from web.problems import Problem
from web.quotas import Backoff, gives_way
from web.store import schema

LEASE_S = 20.0  # for which a reader holds a job after a heartbeat
ALIVE_S = 10.0  # for which a reader counts after a heartbeat
MOST_TRIES = 5  # of one photo: readers that ended while reading it, or could not store the result
FORGOTTEN_S = 3600.0  # after which a reader without heartbeats is deleted


@dataclass(frozen=True)
class TakenJob:
    """A photo that this reader took. `key`: of its table, None if it belongs to none; `tries`: how many took it
    before."""

    reading: str
    key: str | None
    tries: int


class SharedQueue:
    """Takes the place of `web.photos.reading_queue.ReadingQueue`, with the same turns over all servers and readers.

    It calls `gave_way(key, reading)` for a photo that gave way to another address.
    """

    def __init__(self, store: SharedStore) -> None:
        self._store = store
        self.name = secrets.token_hex(16)  # of this process, as a reader
        self._backoff: Backoff[int] = Backoff()  # of tables that this process refused
        self.gave_way: Callable[[str, str], None] = lambda key, reading: None

    def put(self, job: PhotoJob) -> int:
        """Queues a job in place of its table's waiting one, and returns its place, 1 for next. Raises `Problem` if
        there are no readers or too many wait."""
        dropped, place = None, 1
        with suppress(IntegrityError), self._store.write() as connection:  # raised if the photo is gone already
            if not (count := running_readers(connection)):
                raise Problem("no-readers", 503)
            older = and_(jobs.c.table_id == job.table_id, jobs.c.reading != job.reading)
            instead = update(jobs).where(older, jobs.c.held_by.is_(None)).values(reading=job.reading, tries=0)
            if not connection.execute(instead).rowcount:
                dropped = _make_room(connection, job, LONGEST * count, self._backoff)
                self._backoff.forget(job.table_id)
                connection.execute(delete(jobs).where(older))
                values = {"reading": job.reading, "table_id": job.table_id, "owner": job.owner}
                connection.execute(insert(jobs).values(**values, turn=next_turn(job.owner)).on_conflict_do_nothing())
            place = _places(connection).get(job.table_id, 1)
        self._store.changed(job.table_id)  # which wakes readers
        if dropped is not None:
            self.gave_way(*dropped)
        return place

    def close(self) -> None:
        """Nothing to close; readers `leave`."""

    def places(self) -> dict[int, int]:
        """The place of each table whose photo waits to be read."""
        with self._store.read() as connection:
            return _places(connection)

    def take(self) -> TakenJob | None:
        """Takes the next free job for this reader."""
        with self._store.write() as connection:
            first = select(jobs.c.reading).where(_free()).order_by(jobs.c.turn, jobs.c.number).limit(1)
            held = update(jobs).where(jobs.c.reading == first.with_for_update(skip_locked=True).scalar_subquery())
            held = held.values(held_by=self.name, held_until=moment(LEASE_S), tries=jobs.c.tries + 1)
            row = connection.execute(held.returning(*jobs.c["reading", "tries", "table_id"])).one_or_none()
            if row is None:
                return None
            key = None if row.table_id is None else _key_of(connection, row.table_id)
            return TakenJob(row.reading, key, row.tries - 1)

    def finish(self, reading: str) -> None:
        """Deletes the job: its photo was read or is gone."""
        with self._store.write() as connection:
            connection.execute(delete(jobs).where(self._mine(reading)))

    def give_back(self, reading: str) -> None:
        """Frees the job for the next reader."""
        with self._store.write() as connection:
            connection.execute(update(jobs).where(self._mine(reading)).values(held_by=None, held_until=None))

    def send_heartbeat(self, reading: str | None) -> None:
        """Notes that this reader lives and still holds this photo."""
        there = insert(readers).values(name=self.name)
        with self._store.write() as connection:
            connection.execute(
                there.on_conflict_do_update(index_elements=["name"], set_={"seen_at": func.clock_timestamp()})
            )
            connection.execute(delete(readers).where(readers.c.seen_at < moment(-FORGOTTEN_S)))
            if reading is not None:
                connection.execute(update(jobs).where(self._mine(reading)).values(held_until=moment(LEASE_S)))

    def leave(self) -> None:
        with self._store.write() as connection:
            connection.execute(delete(readers).where(readers.c.name == self.name))

    def readers(self) -> int:
        with self._store.read() as connection:
            return running_readers(connection)

    def _mine(self, reading: str) -> ColumnElement[bool]:
        return and_(jobs.c.reading == reading, jobs.c.held_by == self.name)


def running_readers(connection: Connection) -> int:
    query = select(func.count()).select_from(readers).where(readers.c.seen_at > moment(-ALIVE_S))
    return int(connection.execute(query).scalar_one())


def next_turn(owner: str) -> ColumnElement[int]:
    """The turn of an address's next photo: after its last one, and not before the present turn.

    So each address has one photo read before any has its next.
    """
    own = select(func.max(jobs.c.turn) + 1).where(jobs.c.owner == owner).scalar_subquery()
    now = select(func.min(jobs.c.turn)).scalar_subquery()
    return func.greatest(func.coalesce(own, 0), func.coalesce(now, 0))


def _free() -> ColumnElement[bool]:
    """No reader holds it."""
    return or_(jobs.c.held_until.is_(None), jobs.c.held_until < func.now())


def _places(connection: Connection) -> dict[int, int]:
    waiting = connection.scalars(select(jobs.c.table_id).where(_free()).order_by(jobs.c.turn, jobs.c.number))
    return {table_id: place for place, table_id in enumerate(waiting, start=1) if table_id is not None}


def _make_room(connection: Connection, job: PhotoJob, most: int, backoff: Backoff[int]) -> tuple[str, str] | None:
    """If `most` of tables wait, drops the last photo of the address that has most; returns its table's key and its id.

    Raises `Problem`, which says when to try again, if no address has more than this one.
    """
    waiting = and_(jobs.c.held_by.is_(None), jobs.c.table_id.is_not(None))
    counted = select(jobs.c.owner, func.count()).where(waiting).group_by(jobs.c.owner)
    counts: dict[str, int] = {row[0]: row[1] for row in connection.execute(counted)}
    if sum(counts.values()) < most:
        return None
    biggest = gives_way(job.owner, counts, equals=1)
    if biggest is None:
        raise Problem("queue-full", 503, again_s=backoff.next_of(job.table_id))
    last = select(jobs.c.reading).where(waiting, jobs.c.owner == biggest)
    last = last.order_by(jobs.c.turn.desc(), jobs.c.number.desc()).limit(1)
    gone = delete(jobs).where(jobs.c.reading == last.with_for_update(skip_locked=True).scalar_subquery())
    row = connection.execute(gone.returning(jobs.c.reading, jobs.c.table_id)).one_or_none()
    if row is None:
        return None
    return _key_of(connection, row.table_id), row.reading


def _key_of(connection: Connection, table_id: int) -> str:
    return str(connection.execute(select(schema.tables.c.key).where(schema.tables.c.id == table_id)).scalar_one())
