"""The journal beside the other tables of the store: a table is the same by either."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

import scorer
from tests.web.random_tables import WAYS, RandomTable, compare, differences
from tests.web.stored import append
from web.journal.folding import UnreadableError
from web.server.live import Hub
from web.session import events
from web.session.access_list import MOST_PHONES, KnownPhone
from web.session.state import rebuild
from web.session.stored_table import Entry, NewTable
from web.sessions import Sessions
from web.store import journalling
from web.store.sqlite import SqliteStore
from web.store.store import Store

AT = "2026-01-01T00:00:00Z"


def sessions_of(store: Store) -> Sessions:
    if isinstance(store, SqliteStore):
        return Sessions(store, Hub())
    from web.cluster.shared_sessions import SharedSessions
    from web.cluster.shared_store import SharedStore

    assert isinstance(store, SharedStore)
    return SharedSessions(store, Hub())


def test_tables_of_all_games_are_the_same_by_their_journals(open_store: Callable[[], Store]) -> None:
    store, rng, done = open_store(), random.Random(49), Counter[str]()
    sessions, games = sessions_of(store), scorer.all_games()
    for info in games if isinstance(store, SqliteStore) else games[::5]:
        table = RandomTable(sessions, rng, info.key)
        table.play(50)
        done += table.done
    assert done.keys() == WAYS.keys()
    tables, _ = compare(store)
    with store.write() as connection:
        journalling.derive_all(connection)
    assert compare(store)[0] == tables


def test_a_difference_is_noticed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    row = store.create(NewTable("farkle", {}, ["Ada"]))
    append(store, row, events.DiceNamed("red"))
    with store.write() as connection:
        connection.execute(text("UPDATE dice_sets SET name = 'blue'"))
    with store.read() as connection:
        by_journal = journalling.load(connection, row.id)
    assert by_journal.dice_set == "red"
    assert differences(rebuild(store.load(row)), by_journal) == ["dice_set"]
    store.close()


def test_a_table_that_goes_on_from_a_damaged_one_is_the_same(open_store: Callable[[], Store]) -> None:
    store = open_store()
    row = store.create(NewTable("farkle", {}, ["Ada"], owner="owner", keeps_pictures=True))
    line = Entry(1, "request-1", {"do": {"do": "throw", "dice": [1, 2, 3, 4, 6, 6]}, "picture": "by-hand"}, "Ada", AT)
    append(store, row, events.Logged([line]), events.PictureKept(1, "0" * 64, b"a picture"))
    append(store, row, events.SampleAdded(1, b"a sample", {1}))
    store.create(NewTable("farkle", {}, ["Ada"], follows=row, goes_on=[line]))
    assert compare(store)[0] == 2


def test_more_phones_than_a_table_remembers_are_the_same(open_store: Callable[[], Store]) -> None:
    store = open_store()
    row = store.create(NewTable("farkle", {}, ["Ada"], owner="owner"))
    for number in range(MOST_PHONES + 3):
        append(store, row, events.PhoneJoined(f"phone-{number:03}", KnownPhone("A name" * 20, f"2026-{number:03}")))
    compare(store)


def test_nothing_of_an_erased_table_is_in_the_journal(open_store: Callable[[], Store]) -> None:
    store = open_store()
    row = store.create(NewTable("farkle", {}, ["Ada"]))
    append(store, row, events.SampleAdded(1, b"a sample", {1}))
    store.erase(row)
    with store.read() as connection:
        left = "SELECT (SELECT COUNT(*) FROM events), (SELECT COUNT(*) FROM blobs)"
        assert tuple(connection.execute(text(left)).one()) == (0, 0)
        with pytest.raises(UnreadableError):
            journalling.load(connection, row.id)


def test_an_event_that_is_not_known_counts_as_lost_with_all_after_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    row = store.create(NewTable("farkle", {}, ["Ada"]))
    append(store, row, events.DiceNamed("red"), events.DiceNamed("blue"), events.DiceNamed("green"))
    with store.write() as connection:
        journal, database = journalling._journal(connection)
        head = journal.head(database, row.id)
        unknown = journalling._at_its_time(events.DiceNamed("white"))._replace(kind="dice-thrown-away")
        journal.append(database, row.id, head, [unknown])
    append(store, row, events.DiceNamed("black"))
    with store.read() as connection:
        state = journalling.load(connection, row.id)
    assert (state.dice_set, state.lost) == ("green", 2)
    store.close()
