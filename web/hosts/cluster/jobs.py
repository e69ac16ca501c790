"""The queue of photos in the database for all readers: the rows of `photos` that have a turn.

A reader takes one by `FOR UPDATE SKIP LOCKED`, so readers never wait for one another. What a reader without heartbeats
holds is free for the next one.
"""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from sqlalchemy import Connection, text

from web.hosts.cluster.shared_store import SharedStore
from web.limits.quotas import Backoff, gives_way
from web.photos.reading_queue import LONGEST, MOST_WAITING, WAIT_S, LoneReading, PhotoJob, read_alone
from web.problems.problem import Problem
from web.table.json_document import refusal_document

if TYPE_CHECKING:
    import vision

ALIVE_S = 10.0  # for which a reader counts, and holds its photo, after a heartbeat
MOST_TRIES = 5  # of one photo: readers that ended while reading it, or could not store the result
TO_READ = "photos"  # in the place of a table's key: the call wakes readers

RUNNING = "SELECT name FROM readers WHERE seen_at > now() - make_interval(secs => :alive_s)"
COUNT_READERS = f"SELECT count(*) FROM ({RUNNING}) AS running"
NOTE_READER = "INSERT INTO readers (name) VALUES (:name) ON CONFLICT (name) DO UPDATE SET seen_at = clock_timestamp()"
FORGET_READERS = "DELETE FROM readers WHERE seen_at < now() - interval '1 hour'"
FREE = f"turn IS NOT NULL AND (held_by IS NULL OR held_by NOT IN ({RUNNING}))"
KEY = "(SELECT key FROM tables WHERE id = table_id)"
FREE_TABLES = f"SELECT table_id, {KEY} FROM photos WHERE {FREE} ORDER BY turn, number"
TAKE = f"""UPDATE photos SET held_by = :name, tries = tries + 1
    WHERE reading = (SELECT reading FROM photos WHERE {FREE} ORDER BY turn, number LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING reading, {KEY}, tries - 1"""
MINE = "reading = :reading AND held_by = :name"
QUEUED = "turn IS NOT NULL AND table_id = :table"
OLDER = f"SELECT turn, number, held_by FROM photos WHERE {QUEUED} FOR UPDATE"
UNQUEUE = f"UPDATE photos SET turn = NULL, held_by = NULL WHERE {QUEUED}"
# The turn of an address's next photo: after its last one, and not before the present turn. So each address has one
# photo read before any has its next.
NEXT_TURN = """greatest(coalesce((SELECT max(turn) + 1 FROM photos WHERE owner = CAST(:owner AS VARCHAR)), 0),
    coalesce((SELECT min(turn) FROM photos), 0))"""
QUEUE = f"""UPDATE photos SET table_id = :table, owner = :owner, tries = 0, held_by = NULL,
    turn = coalesce(:turn, {NEXT_TURN}), number = coalesce(:number, number) WHERE reading = :reading"""
WAITING = "turn IS NOT NULL AND NOT lone AND held_by IS NULL"
COUNT_WAITING = f"SELECT owner, count(*) FROM photos WHERE {WAITING} GROUP BY owner"
DROP_LAST = f"""UPDATE photos SET turn = NULL
    WHERE reading = (SELECT reading FROM photos WHERE {WAITING} AND owner = :owner
        ORDER BY turn DESC, number DESC LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING {KEY}, reading"""
PUT_LONE = f"""INSERT INTO photos (reading, original, size, dice, owner, lone, turn)
    VALUES (:reading, :original, :size, :dice, :owner, TRUE, {NEXT_TURN})"""
COUNT_LONE = "SELECT count(*) FROM photos WHERE lone AND body IS NULL"


class TakenJob(NamedTuple):
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
        if not job.is_wanted():  # what comes after this look is queued again: `QUEUED_WITHIN_S`
            return 1
        dropped, table = None, job.table_id
        with self._store.write() as connection:
            if not (count := _do(connection, COUNT_READERS).scalar_one()):
                raise Problem("no-readers", 503)
            there = _do(connection, "SELECT turn FROM photos WHERE reading = :reading", reading=job.reading).first()
            if there is None or there.turn is not None:
                return 1  # it is gone, or another server queued it
            turn = number = None
            before = _do(connection, OLDER, table=table).first()
            if before is not None and before.held_by is None:
                turn, number = before.turn, before.number
            else:
                dropped = self._make_room(connection, job, LONGEST * count)
                self._backoff.forget(table)
            _do(connection, UNQUEUE, table=table)
            where = {"table": table, "owner": job.address, "turn": turn, "number": number}
            _do(connection, QUEUE, reading=job.reading, **where)
            places = {row.table_id: place for place, row in enumerate(_do(connection, FREE_TABLES), start=1)}
        self._store.changed(TO_READ)
        if dropped is not None:
            self.gave_way(*dropped)
        return places.get(table, 1)

    def _make_room(self, connection: Connection, job: PhotoJob, most: int) -> tuple[str, str] | None:
        """If `most` wait, drops the last photo of the address that has most; returns its table's key and its id.

        Raises `Problem`, which says when to try again, if no address has more than this one.
        """
        counts: dict[str, int] = {row[0]: row[1] for row in _do(connection, COUNT_WAITING)}
        if sum(counts.values()) < most:
            return None
        biggest = gives_way(job.address, counts, equals=1)
        if biggest is None:
            raise Problem("queue-full", 503, again_s=self._backoff.next_of(job.table_id))
        row = _do(connection, DROP_LAST, owner=biggest).one_or_none()
        return None if row is None else (row[0], row[1])

    def close(self) -> None:
        """Nothing to close; readers `leave`."""

    def places(self) -> dict[str, int]:
        """The place of each table whose photo waits to be read, by its key."""
        with self._store.read() as connection:
            waiting = enumerate(_do(connection, FREE_TABLES), start=1)
            return {row.key: place for place, row in waiting if row.key is not None}

    def take(self) -> TakenJob | None:
        """Takes the next free job for this reader."""
        with self._store.write() as connection:
            row = _do(connection, TAKE, name=self.name).one_or_none()
        return None if row is None else TakenJob(*row)

    def finish(self, reading: str) -> None:
        """Takes a photo out of the queue, if this reader still holds it: it was read."""
        self._change(f"UPDATE photos SET turn = NULL, held_by = NULL WHERE {MINE}", reading)

    def give_back(self, reading: str) -> None:
        """Frees a photo for the next reader."""
        self._change(f"UPDATE photos SET held_by = NULL WHERE {MINE}", reading)

    def send_heartbeat(self) -> None:
        self._change(NOTE_READER)
        self._change(FORGET_READERS)

    def leave(self) -> None:
        self._change("DELETE FROM readers WHERE name = :name")

    def readers(self) -> int:
        with self._store.read() as connection:
            return int(_do(connection, COUNT_READERS).scalar_one())

    def _change(self, statement: str, reading: str = "") -> None:
        with self._store.write() as connection:
            _do(connection, statement, name=self.name, reading=reading)


class SharedReadings:
    """Photos of programs that belong to no table: any reader reads them, any server tells the result.

    Takes the place of `web.photos.reading_queue.QueuedReadings`.
    """

    def __init__(self, store: SharedStore) -> None:
        self._store = store

    def put(self, data: bytes, dice: int | None, address: str) -> LoneReading:
        reading = LoneReading(secrets.token_urlsafe(12))
        with self._store.write() as connection:
            if not _do(connection, COUNT_READERS).scalar_one():
                raise Problem("no-readers", 503)
            if _do(connection, COUNT_LONE).scalar_one() >= MOST_WAITING:
                raise Problem("queue-full", 429, again_s=WAIT_S)
            photo = {"original": data, "size": len(data), "dice": dice}
            _do(connection, PUT_LONE, reading=reading.id, owner=address, **photo)
        self._store.changed(TO_READ)
        return reading

    def get(self, reading: str) -> LoneReading:
        row = None if "\0" in reading else self._find(reading, "body")
        if row is None:
            raise Problem("no-reading", 404)
        return LoneReading(reading) if row.body is None else msgspec.json.decode(row.body, type=LoneReading)

    def run(self, reading: str, reader: "Callable[[], vision.Reader]") -> None:
        """Reads a photo, in the thread of a reader. Raises `Problem` if the result cannot be stored."""
        row = self._find(reading, "original, dice")
        if row is not None and row.original is not None:
            self._note(read_alone(reading, row.original, row.dice, reader))

    def give_up(self, reading: str) -> None:
        """Says that a photo cannot be read. Raises `Problem`."""
        self._note(LoneReading(reading, problem=refusal_document(Problem("reader-failed"))))

    def _find(self, reading: str, columns: str) -> Any:
        with self._store.read() as connection:
            query = f"SELECT {columns} FROM photos WHERE lone AND reading = :reading"
            return _do(connection, query, reading=reading).one_or_none()

    def _note(self, done: LoneReading) -> None:
        """Keeps what was found, and the photo no longer."""
        body = msgspec.json.encode(done).decode()
        with self._store.write() as connection:
            change = "UPDATE photos SET body = :body, original = NULL WHERE lone AND reading = :reading"
            _do(connection, change, body=body, reading=done.id)


def _do(connection: Connection, statement: str, **values: object) -> Any:
    return connection.execute(text(statement), {"alive_s": ALIVE_S, **values})
