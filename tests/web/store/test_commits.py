"""Changes of many threads share a transaction: one that fails leaves the others, and nobody waits without end."""

import random
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from tests.web.stored import line, log, table_started
from tests.web.waiting import wait_until
from web.problems.problem import Problem
from web.store import commits, schema, sqlite_file, visits
from web.store.sqlite import SqliteStore
from web.table.stored_table import TableRow

WITHIN_S = 60


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(tmp_path / "data")
    yield made
    made.close()


def tables(store: SqliteStore, count: int) -> list[TableRow]:
    return [store.create(table_started("farkle", {}, ["Ada"])) for _ in range(count)]


def coming(store: SqliteStore, count: int) -> None:
    """Waits until so many changes have come, the running one with them."""
    wait_until(lambda: len(store._commits._coming) >= count)


def on_a_slow_disk(store: SqliteStore) -> None:
    """Has the changes that come now share a transaction, as if the last commit had taken long."""
    store._commits._commit_s = WITHIN_S


def note_commits(store: SqliteStore) -> list[Any]:
    commits: list[Any] = []
    store._commits._driver.set_trace_callback(lambda statement: statement == "COMMIT" and commits.append(statement))
    return commits


def test_what_comes_while_a_change_runs_is_committed_with_it(store: SqliteStore) -> None:
    rows = tables(store, 8)
    done = note_commits(store)
    on_a_slow_disk(store)
    with ThreadPoolExecutor(8) as pool:
        with store.write():
            waiting = [pool.submit(log, store, row, line(1)) for row in rows]
            coming(store, 9)
            assert not any(each.done() for each in waiting)
        for each in waiting:
            each.result(WITHIN_S)
    assert len(done) == 1
    assert all([line.seq for line in store.load(row).entries] == [1] for row in rows)


def test_a_change_that_fails_leaves_the_others_of_its_transaction(store: SqliteStore) -> None:
    good, twice, other = tables(store, 3)
    log(store, twice, line(1))
    done = note_commits(store)
    on_a_slow_disk(store)
    with ThreadPoolExecutor(8) as pool:
        with store.write() as connection:
            waiting: list[Future[Any]] = [pool.submit(log, store, row, line(1)) for row in (good, twice, other)]
            waiting += [pool.submit(log, store, twice, line(3))]
            waiting += [pool.submit(failing, store, good, error) for error in (ValueError(), Problem("no-reading"))]
            coming(store, 7)
            connection.execute(insert(schema.visits).values(device="a-phone", table_id=good.id, at=""))
        raised = [each.exception(WITHIN_S) for each in waiting]
    assert list(map(outcome_of, raised)) == ["done", "stale", "done", "stale", "ValueError", "no-reading"]
    assert len(done) == 1
    assert [len(store.load(row).entries) for row in (good, twice, other)] == [1, 1, 1]
    assert [row.id for row in visits.tables_of(store, "a-phone")] == [good.id]
    with store.read() as connection:
        assert connection.scalars(select(schema.visits.c.device)).all() == ["a-phone"]


def outcome_of(error: BaseException | None) -> str:
    if isinstance(error, Problem):
        return error.reason
    return "done" if error is None else type(error).__name__


def failing(store: SqliteStore, row: TableRow, error: Exception) -> None:
    with store.write() as connection:
        connection.execute(insert(schema.visits).values(device=f"not there: {error!r}", table_id=row.id, at=""))
        raise error


def test_later_changes_see_the_earlier_ones_of_their_transaction(store: SqliteStore) -> None:
    """What counts the changes of all tables must give each its own number."""
    rows = tables(store, 6)
    on_a_slow_disk(store)
    with ThreadPoolExecutor(8) as pool:
        with store.write():
            waiting: list[Future[Any]] = [pool.submit(log, store, row, line(1)) for row in rows]
            waiting += [pool.submit(tables, store, 1) for _ in range(2)]
            coming(store, 9)
        for each in waiting:
            each.result(WITHIN_S)
    with store.read() as connection:
        numbers = list(connection.execute(schema.tables.select()).mappings())
    assert len({row["active_no"] for row in numbers}) == 8
    assert len({row["code"] for row in numbers}) == 8


def test_a_slow_disk_is_waited_for(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only another program is told to have the store locked."""
    monkeypatch.setattr(sqlite_file, "BUSY_TIMEOUT_MS", 50)
    (row,) = tables(store, 1)
    with ThreadPoolExecutor(1) as pool:
        with store.write():  # that does not come to its end
            waiting = pool.submit(log, store, row, line(1))
            with pytest.raises(TimeoutError):
                waiting.result(0.5)
        waiting.result(60)
    assert [line.seq for line in store.load(row).entries] == [1]


def test_whoever_looks_after_the_files_finds_no_transaction_running(store: SqliteStore) -> None:
    """Of those who wait for a commit, none waits for what comes after him."""
    (row,) = tables(store, 1)
    with ThreadPoolExecutor(2) as pool:
        for seq in range(1, 30):
            waiting = pool.submit(log, store, row, line(seq))
            with store._commits:
                assert store._commits._batch is None
            waiting.result(WITHIN_S)


def test_of_many_changes_that_fail_and_give_up_none_hangs_and_all_that_were_told_are_there(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "ASKS_EVERY_S", 0.001)
    monkeypatch.setattr(commits, "SLOW_DISK_S", 0.004)  # so that many give up in the middle
    rows = tables(store, 12)
    told: dict[int, list[str]] = {row.id: [] for row in rows}
    outcomes: Counter[str] = Counter()

    def play(row: TableRow) -> None:
        dice = random.Random(row.id)
        for number in range(60):
            request, seq = f"{row.id}-{number}", len(told[row.id]) + 1
            try:
                if dice.random() < 0.2:
                    failing(store, row, ValueError())
                log(store, row, line(seq + (dice.random() < 0.1), request=request))
                told[row.id].append(request)
                outcomes["done"] += 1
            except (Problem, ValueError, IntegrityError) as error:
                outcomes[outcome_of(error)] += 1

    threads = [threading.Thread(target=play, args=(row,), daemon=True) for row in rows]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WITHIN_S)
    assert not any(thread.is_alive() for thread in threads)
    assert not store._commits._coming
    assert min(outcomes[name] for name in ("done", "store-busy", "ValueError", "stale")) > 0, outcomes
    for row in rows:
        assert [line.request for line in store.load(row).entries] == told[row.id]
