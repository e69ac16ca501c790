"""The queue of photos in the database: the same turns as on one machine, for any number of readers."""

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.web.stored import table_started
from web.hosts.threads import ThreadTask
from web.photos.reading_queue import LONGEST, PhotoJob, ReadingQueue
from web.problems.problem import Problem

pytest.importorskip("psycopg", reason="the extra `cluster` is not installed")


from web.hosts.cluster.jobs import SharedQueue
from web.hosts.cluster.shared_pictures import SharedPictures
from web.hosts.cluster.shared_store import SharedStore

TABLES = LONGEST + 2


class Line:
    """Tables numbered from 1, whose photos may be queued."""

    def __init__(self, store: SharedStore, folder: Path) -> None:
        self.store = store
        self.queue = SharedQueue(store)
        self.queue.send_heartbeat()
        self.rows = [store.create(table_started("farkle", {}, ["Ada"])) for _ in range(TABLES)]
        self._number = {row.key: number for number, row in enumerate(self.rows, start=1)}
        self._pictures = SharedPictures(store, folder)
        self._photos = 0

    def job(self, table: int, address: str) -> PhotoJob:
        self._photos += 1
        reading = f"reading-{self._photos}"
        self._pictures.put_original(reading, b"photo")
        return PhotoJob(self.rows[table - 1].id, lambda: None, address, lambda: None, reading)

    def put(self, table: int, address: str = "") -> int:
        return self.queue.put(self.job(table, address))

    def next(self) -> int | None:
        """The table whose photo is read now."""
        taken = self.queue.take()
        if taken is None:
            return None
        self.queue.finish(taken.reading)
        return self._number[taken.key]


@pytest.fixture
def line(shared: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Line]:
    monkeypatch.setattr("web.hosts.cluster.jobs.ALIVE_S", 600.0)  # on a slow machine it says nothing for long
    store = SharedStore(shared)
    yield Line(store, tmp_path)
    store.close()


def test_addresses_take_turns_as_on_one_machine(line: Line) -> None:
    dice = random.Random(1)
    alone, read, busy = ReadingQueue(lambda table, place: None, ThreadTask), [], threading.Event()
    alone.put(PhotoJob(0, lambda: bool(busy.wait(30)) and None))
    while alone._waiting:  # until it is busy with that
        busy.wait(0.01)
    for table in range(1, 21):
        address = dice.choice("aaab" if table < 10 else "abc")
        assert line.put(table, address) == alone.put(PhotoJob(table, lambda table=table: read.append(table), address))  # type: ignore[misc]
    busy.set()
    order = [line.next() for _ in range(20)]
    while len(read) < 20:
        busy.wait(0)
    alone.close()
    assert order == read
    assert line.next() is None


def test_who_comes_later_waits_for_one_photo_of_each_address(line: Line) -> None:
    for table in range(1, 9):
        line.put(table, "many")
    assert [line.next() for _ in range(3)] == [1, 2, 3]
    assert line.put(20, "one") == 2
    assert [line.next() for _ in range(3)] == [4, 20, 5]


def test_a_newer_photo_of_a_table_takes_the_place_of_the_older(line: Line) -> None:
    for table in (1, 2, 3):
        line.put(table)
    assert [line.put(2) for _ in range(3)] == [2, 2, 2], "who sends ten neither gains nor loses"
    assert [line.next() for _ in range(4)] == [1, 2, 3, None]


def test_a_newer_photo_is_taken_though_the_queue_is_full(line: Line) -> None:
    for table in range(1, LONGEST + 1):
        line.put(table, "many")
    assert line.put(5, "many") == 5
    waits = []
    for _ in range(3):
        with pytest.raises(Problem, match="Many photos") as refused:
            line.put(LONGEST + 1, "many")
        waits.append(refused.value.again_s)
    assert 0 < waits[0] < waits[1] < waits[2]


def test_a_newer_photo_of_one_that_is_read_now_waits_anew(line: Line) -> None:
    line.put(1)
    line.put(2)
    taken = line.queue.take()
    assert line.put(1) == 2
    line.queue.finish(taken.reading)
    assert [line.next() for _ in range(3)] == [2, 1, None]


def test_places_are_those_of_photos_that_nobody_reads_yet(line: Line) -> None:
    assert [line.put(table) for table in (1, 2, 3)] == [1, 2, 3]
    line.queue.take()
    assert line.queue.places() == {line.rows[1].key: 1, line.rows[2].key: 2}


def test_a_full_queue_takes_from_who_has_most(line: Line) -> None:
    gone: list[str] = []
    line.queue.gave_way = lambda key, reading: gone.append(key)
    for table in range(1, LONGEST + 1):
        line.put(table, "many")
    with pytest.raises(Problem, match="Many photos"):
        line.put(LONGEST + 1, "many")
    line.put(LONGEST + 2, "one")
    assert gone == [line.rows[LONGEST - 1].key]


def test_two_readers_make_room_for_twice_as_many(line: Line) -> None:
    another = SharedQueue(line.store)
    for table in range(1, TABLES + 1):
        another.send_heartbeat()
        line.put(table)
    assert line.queue.readers() == 2


def test_a_reader_that_leaves_is_gone_at_once(line: Line) -> None:
    line.queue.leave()
    with pytest.raises(Problem, match="No computer reads photos"):
        line.put(1)


def test_a_photo_that_is_gone_is_not_queued(line: Line) -> None:
    assert line.queue.put(PhotoJob(line.rows[0].id, lambda: None, "", lambda: None, "gone")) == 1
    assert line.next() is None


def test_each_photo_is_taken_by_one_reader(line: Line) -> None:
    queues = [line.queue, *(SharedQueue(line.store) for _ in range(3))]
    for queue in queues:
        queue.send_heartbeat()
    for table in range(1, 31):
        line.put(table, str(table % 3))
    taken: list[str] = []

    def take_all(queue: SharedQueue) -> None:
        while (job := queue.take()) is not None:
            taken.append(job.reading)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(take_all, queues))
    assert sorted(taken) == sorted(f"reading-{number}" for number in range(1, 31))
