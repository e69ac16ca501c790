"""The queue of photos in the database for all readers: the rows of `photos` that have a turn.

A reader takes one by `FOR UPDATE SKIP LOCKED`, so readers never wait for one another. It renews its hold by heartbeats;
without them the photo is free for the next reader.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import ColumnElement, Connection, and_, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from web.common.problems import Problem
from web.hosts.cluster.shared_schema import moment, photos, readers
from web.hosts.cluster.shared_store import SharedStore
from web.limits.quotas import Backoff, gives_way
from web.photos.reading_queue import LONGEST, MOST_KEPT, MOST_WAITING, WAIT_S, LoneReading, PhotoJob, read_alone
from web.store import schema
from web.table.json_document import refusal_document

if TYPE_CHECKING:
    import vision

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


QUEUED = photos.c.turn.is_not(None)
FREE = and_(QUEUED, or_(photos.c.held_until.is_(None), photos.c.held_until < func.now()))  # no reader holds it
IN_TURN = (photos.c.turn, photos.c.number)
NO_READER = {"held_by": None, "held_until": None}
NO_TABLE = 0  # in the place of a table's number
KEPT_S = 3600.0  # a photo that nobody read, and what was read


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
        if not job.is_wanted():  # what comes after this look is queued again: `QUEUED_WITHIN_S`
            return 1
        dropped = None
        of_table = and_(QUEUED, photos.c.table_id == job.table_id, photos.c.reading != job.reading)
        with self._store.write() as connection:
            if not (count := running_readers(connection)):
                raise Problem("no-readers", 503)
            older = select(*IN_TURN, photos.c.held_by).where(of_table).with_for_update()
            before = connection.execute(older).first()
            queued: dict[str, object] = {"table_id": job.table_id, "owner": job.address, "tries": 0, **NO_READER}
            if before is not None and before.held_by is None:
                queued |= {"turn": before.turn, "number": before.number}
            else:
                dropped = _make_room(connection, job, LONGEST * count, self._backoff)
                self._backoff.forget(job.table_id)
                queued["turn"] = next_turn(job.address)
            if before is not None:
                connection.execute(update(photos).where(of_table).values(turn=None, **NO_READER))
            unqueued = and_(photos.c.reading == job.reading, photos.c.turn.is_(None))
            connection.execute(update(photos).where(unqueued).values(queued))
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
        first = select(photos.c.reading).where(FREE).order_by(*IN_TURN).limit(1).with_for_update(skip_locked=True)
        held = update(photos).where(photos.c.reading == first.scalar_subquery())
        held = held.values(held_by=self.name, held_until=moment(LEASE_S), tries=photos.c.tries + 1)
        with self._store.write() as connection:
            row = connection.execute(held.returning(*photos.c["reading", "tries", "table_id"])).one_or_none()
            if row is None:
                return None
            key = None if row.table_id is None else _key_of(connection, row.table_id)
        return TakenJob(row.reading, key, row.tries - 1)

    def finish(self, reading: str) -> None:
        """Takes a photo out of the queue: it was read."""
        self._change_held(reading, turn=None, **NO_READER)

    def give_back(self, reading: str) -> None:
        """Frees a photo for the next reader."""
        self._change_held(reading, **NO_READER)

    def send_heartbeat(self, reading: str | None) -> None:
        """Notes that this reader lives and still holds this photo."""
        there = insert(readers).values(name=self.name)
        with self._store.write() as connection:
            connection.execute(
                there.on_conflict_do_update(index_elements=["name"], set_={"seen_at": func.clock_timestamp()})
            )
            connection.execute(delete(readers).where(readers.c.seen_at < moment(-FORGOTTEN_S)))
        if reading is not None:
            self._change_held(reading, held_until=moment(LEASE_S))

    def leave(self) -> None:
        with self._store.write() as connection:
            connection.execute(delete(readers).where(readers.c.name == self.name))

    def readers(self) -> int:
        with self._store.read() as connection:
            return running_readers(connection)

    def _change_held(self, reading: str, **values: object) -> None:
        """Changes a photo, if this reader still holds it."""
        mine = and_(photos.c.reading == reading, photos.c.held_by == self.name)
        with self._store.write() as connection:
            connection.execute(update(photos).where(mine).values(values))


def running_readers(connection: Connection) -> int:
    query = select(func.count()).select_from(readers).where(readers.c.seen_at > moment(-ALIVE_S))
    return int(connection.execute(query).scalar_one())


def next_turn(address: str) -> ColumnElement[int]:
    """The turn of an address's next photo: after its last one, and not before the present turn.

    So each address has one photo read before any has its next.
    """
    own = select(func.max(photos.c.turn) + 1).where(QUEUED, photos.c.owner == address).scalar_subquery()
    now = select(func.min(photos.c.turn)).scalar_subquery()
    return func.greatest(func.coalesce(own, 0), func.coalesce(now, 0))


def _places(connection: Connection) -> dict[int, int]:
    waiting = connection.execute(select(photos.c.table_id).where(FREE).order_by(*IN_TURN)).scalars()
    return {table_id: place for place, table_id in enumerate(waiting, start=1) if table_id is not None}


def _make_room(connection: Connection, job: PhotoJob, most: int, backoff: Backoff[int]) -> tuple[str, str] | None:
    """If `most` wait, drops the last photo of the address that has most; returns its table's key and its id.

    Raises `Problem`, which says when to try again, if no address has more than this one.
    """
    waiting = and_(QUEUED, ~photos.c.lone, photos.c.held_by.is_(None))
    counted = select(photos.c.owner, func.count()).where(waiting).group_by(photos.c.owner)
    counts: dict[str, int] = {row[0]: row[1] for row in connection.execute(counted)}
    if sum(counts.values()) < most:
        return None
    biggest = gives_way(job.address, counts, equals=1)
    if biggest is None:
        raise Problem("queue-full", 503, again_s=backoff.next_of(job.table_id))
    last = select(photos.c.reading).where(waiting, photos.c.owner == biggest)
    last = last.order_by(photos.c.turn.desc(), photos.c.number.desc()).limit(1).with_for_update(skip_locked=True)
    gone = update(photos).where(photos.c.reading == last.scalar_subquery()).values(turn=None)
    row = connection.execute(gone.returning(photos.c.reading, photos.c.table_id)).one_or_none()
    return None if row is None else (_key_of(connection, row.table_id), row.reading)


def _key_of(connection: Connection, table_id: int) -> str:
    return str(connection.execute(select(schema.tables.c.key).where(schema.tables.c.id == table_id)).scalar_one())


class SharedReadings:
    """Photos of programs that belong to no table: any reader reads them, any server tells the result.

    Takes the place of `web.photos.lone_readings.QueuedReadings`.
    """

    def __init__(self, store: SharedStore) -> None:
        self._store = store

    def put(self, data: bytes, dice: int | None, address: str) -> LoneReading:
        reading = LoneReading(secrets.token_urlsafe(12))
        with self._store.write() as connection:
            if not running_readers(connection):
                raise Problem("no-readers", 503)
            waiting = select(func.count()).where(photos.c.lone, photos.c.body.is_(None))
            if connection.execute(waiting).scalar_one() >= MOST_WAITING:
                raise Problem("queue-full", 429, again_s=WAIT_S)
            values = {"reading": reading.id, "original": data, "size": len(data), "dice": dice, "owner": address}
            connection.execute(insert(photos).values(**values, lone=True, turn=next_turn(address)))
            newest = select(photos.c.reading).where(photos.c.lone).order_by(photos.c.number.desc()).limit(MOST_KEPT)
            connection.execute(delete(photos).where(photos.c.lone, photos.c.reading.not_in(newest)))
        self._store.changed(NO_TABLE)  # which wakes readers
        return reading

    def get(self, reading: str) -> LoneReading:
        if "\0" not in reading:
            with self._store.read() as connection:
                row = connection.execute(select(photos.c.body).where(_is(reading))).one_or_none()
            if row is not None:
                return LoneReading(reading) if row.body is None else msgspec.json.decode(row.body, type=LoneReading)
        raise Problem("no-reading", 404)

    def run(self, reading: str, reader: "Callable[[], vision.Reader]") -> None:
        """Reads a photo, in the thread of a reader. Raises `Problem` if the result cannot be stored."""
        with self._store.read() as connection:
            query = select(photos.c.original, photos.c.dice).where(_is(reading))
            row = connection.execute(query).one_or_none()
        if row is not None and row.original is not None:
            self._note(read_alone(reading, row.original, row.dice, reader))

    def give_up(self, reading: str) -> None:
        """Says that a photo cannot be read. Raises `Problem`."""
        self._note(LoneReading(reading, problem=refusal_document(Problem("reader-failed"))))

    def sweep(self) -> None:
        """Deletes what nobody asked for. Raises `Problem`."""
        with self._store.write() as connection:
            connection.execute(delete(photos).where(photos.c.lone, photos.c.put_at < moment(-KEPT_S)))

    def _note(self, done: LoneReading) -> None:
        """Keeps what was found, and the photo no longer."""
        body = msgspec.json.encode(done).decode()
        with self._store.write() as connection:
            connection.execute(update(photos).where(_is(done.id)).values(body=body, original=None))


def _is(reading: str) -> ColumnElement[bool]:
    return and_(photos.c.lone, photos.c.reading == reading)
