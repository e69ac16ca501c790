"""The journal in the store: a table is the same by it as in memory, and as lists show it."""

import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs
from sqlalchemy import text

import scorer
from tests.web.postgres import both_engines
from tests.web.random_tables import WAYS, RandomTable, compare, projected, rebuild_all
from tests.web.stored import add_sample, append, dice_named, last_event, table_started
from web.hosts.laptop.live_hub import Hub
from web.journal.journal import encode
from web.problems.problem import Problem
from web.runner.runner import Runner
from web.store import event_rows
from web.store.maintenance.backup import copy_games
from web.store.sqlite import FILE_NAME, SqliteStore
from web.store.stamps import now
from web.store.store import Store
from web.table import events
from web.table.access_list import AccessList, Deletion, KnownPhone
from web.table.events import blob_hash
from web.table.photo_state import PHOTO, PhotoDetails, Waiting
from web.table.stored_table import Entry
from web.table.view import TableSettings

AT = "2026-01-01T00:00:00Z"


@both_engines
@pytest.mark.whole
def test_tables_of_all_games_are_the_same_by_their_journals(open_store: Callable[[], Store]) -> None:
    store, rng, done = open_store(), random.Random(49), Counter[str]()
    runner, games = Runner(store, Hub()), scorer.all_games()
    for info in games if isinstance(store, SqliteStore) else games[::5]:
        table = RandomTable(runner, rng, info.key)
        table.play(50)
        done += table.done
    assert done.keys() == WAYS.keys() or not isinstance(store, SqliteStore)
    compare(store, runner)
    before = projected(store)
    rebuild_all(store)
    assert projected(store) == before


@both_engines
def test_a_table_that_goes_on_from_a_damaged_one_is_the_same(open_store: Callable[[], Store]) -> None:
    store = open_store()
    row = store.create(table_started("farkle", {}, ["Ada"], owner="owner", settings=TableSettings(keeps_pictures=True)))
    picture, sample = b"a picture", b"a sample"
    throw = {"do": {"do": "throw", "dice": [1, 2, 3, 4, 6, 6]}, "picture": blob_hash(picture)}
    line = Entry(1, "request-1", throw, "Ada", AT)
    append(store, row, events.Logged([line]), blobs=[picture])
    add_sample(store, row, 1, sample)
    started = structs.replace(
        table_started("farkle", {}, ["Ada"], follows=row.key, samples={0: blob_hash(sample)}), lines=[line]
    )
    after = store.go_on(row, last_event(store, row), started, {blob_hash(sample): sample})[0]
    assert compare(store)[0] == 2
    with store.read() as connection:
        journal = event_rows.journal_of(connection)
        assert journal.blob(after.id, "picture", 1) == picture
        assert journal.blob(after.id, "sample", 0) == sample


@both_engines
def test_phones_that_made_room_for_others_are_the_same(open_store: Callable[[], Store]) -> None:
    store = open_store()
    row = store.create(table_started("farkle", {}, ["Ada"], owner="owner"))
    for number in range(3):
        forgotten = f"phone-{number - 2}" if number > 1 else None
        append(store, row, events.PhoneJoined(f"phone-{number}", KnownPhone("A name", AT), forgotten))
    compare(store)


@pytest.mark.parametrize("rest", ["", ',"device":"","settings":{"advice":"all"}', ',"device":"","settings":{"size":1}'])
def test_an_event_that_is_not_known_counts_as_lost_with_all_after_it(tmp_path: Path, rest: str) -> None:
    store = SqliteStore(tmp_path)
    row = store.create(table_started("farkle", {}, ["Ada"]))
    append(store, row, dice_named("red"), dice_named("blue"), dice_named("green"))
    with store.write() as connection:
        journal = event_rows.journal_of(connection)
        kind = "settings-changed" if rest else "dice-thrown-away"
        unknown = encode(dice_named("white"), now())._replace(body=f'{{"kind":"{kind}"{rest}}}')
        journal.append_later(row.id, [unknown])
    append(store, row, dice_named("black"))
    with store.read() as connection:
        state = event_rows.load(connection, row.id).loaded.begun
    assert (state.settings.dice_set, state.lost) == ("green", 2)
    store.close()


@both_engines
def test_what_follows_a_damaged_event_is_lost_and_told(open_store: Callable[[], Store]) -> None:
    store = open_store()
    row = store.create(table_started("farkle", {}, ["Ada"], owner="owner"))
    details = PhotoDetails("a-photo", PHOTO, "owner", 0, 6, ())
    advised = events.SettingsChanged({"advice": "best"}, "owner")
    append(store, row, advised, events.PhotoUnderReview(Waiting(details, 1)))
    append(store, row, events.TableDeleted(Deletion("owner", AT)), dice_named("red"), events.TableDeleted())
    line = Entry(1, "request-1", {"do": {"do": "throw", "dice": [1, 2, 3, 4, 6, 6]}}, "Ada", AT)
    append(store, row, events.Logged([line]), dice_named("blue"))
    with store.write() as connection:
        connection.execute(text("UPDATE events SET body = replace(body, 'red', 'white')"))
    state, number = store.open(row)
    assert (state.entries, state.lost, state.settings.advice, state.settings.dice_set) == ((), 4, "best", "")
    assert (state.photo, state.access) == (None, AccessList("owner")), "they may have gone in what is lost"
    again, last = store.open(row)
    assert (again.entries, again.settings, again.lost, last) == (state.entries, state.settings, 4, number)
    compare(store)


@both_engines
def test_a_table_whose_beginning_is_damaged_cannot_be_shown(open_store: Callable[[], Store]) -> None:
    store = open_store()
    row = store.create(table_started("farkle", {}, ["Ada"]))
    with store.write() as connection:
        connection.execute(text("UPDATE events SET at = ''"))
    with pytest.raises(Problem) as told:
        store.open(row)
    assert told.value.reason == "store-damaged"


def test_a_copy_has_no_photo_under_review_and_no_deletion_in_its_journal(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data")
    rows = [store.create(table_started("farkle", {}, ["Ada"], owner="owner")) for _ in range(2)]
    details = PhotoDetails("a-photo", PHOTO, "owner", 0, 6, ())
    append(store, rows[0], events.PhotoUnderReview(Waiting(details, 1)))
    append(store, rows[1], events.TableDeleted(Deletion("owner", AT)))
    copy_games(tmp_path / "data" / FILE_NAME, tmp_path / FILE_NAME)
    store.close()
    copied = SqliteStore(tmp_path)
    for row in rows:
        state, _ = copied.open(row)
        assert (state.photo, state.access.deletion, state.lost) == (None, None, None)
    compare(copied)
    copied.close()
