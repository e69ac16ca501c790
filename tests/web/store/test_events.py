"""Each event is in the store when `append` returns, on either engine: all that happened at once, or nothing."""

from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from sqlalchemy import select

from tests.web.postgres import both_engines
from tests.web.stored import add_sample, append, dice_named, last_event, line, table_started
from web.problems.problem import Problem
from web.store import schema
from web.store.store import Store, photos_under_review
from web.table.access_list import AccessList, KnownPhone
from web.table.events import (
    Logged,
    NextTableSet,
    PhoneJoined,
    PhotoRemoved,
    PhotoUnderReview,
    SettingsChanged,
    blob_hash,
)
from web.table.json_document import RefusalDocument
from web.table.photo_state import PHOTO, Failed, FoundDie, PhotoDetails, Read, ReadingResult, UnderReview, Waiting
from web.table.state import State
from web.table.stored_table import Entry, PlayerResult, TableRow
from web.table.view import TableSettings

pytestmark = both_engines

TAKEN = PhotoDetails("a-reading", PHOTO, "phone", version=1, expects=6, beside=(1,), keep=(5, 5), request="its-request")
DIE = FoundDie(value=3, confidence=0.9, sure=True, box=(1.0, 2.0, 3.0, 4.0), alternatives=[5])
PHOTOS = [
    Waiting(TAKEN),
    Read(TAKEN, 640, 480, ReadingResult([DIE], sure=True, trace="numbers")),
    Failed(TAKEN, RefusalDocument(reason="no-dice", params={})),
]
ODDS = TableSettings(advice="odds")
ADA = KnownPhone("Ada's phone", "2026-01-01T00:00:00Z")
BOB = KnownPhone("Bob's phone", "2026-01-01T00:00:01Z")


def table(store: Store) -> TableRow:
    return store.create(table_started("farkle", {}, ["Ada", "Bob"], owner="the-owner"))


def events_of(store: Store, row: TableRow) -> TableRow:
    again = store.find(row.key)
    assert again is not None
    return again


def settings(store: Store, row: TableRow) -> State:
    return store.load(row).begun


@pytest.fixture
def store(open_store: Callable[[], Store]) -> Store:
    return open_store()


def test_a_table_is_created_as_it_was_set_up(store: Store) -> None:
    row = store.create(
        table_started("farkle", {"target": 4000}, ["Ada", "Bob"], True, settings=ODDS, owner="the-owner")
    )
    loaded = store.load(row)
    assert (loaded.begun.row, loaded.entries, loaded.begun.lost) == (row, [], None)
    assert (row.game, row.options["target"], row.players) == ("farkle", 4000, ("Ada", "Bob"))
    assert row.keep_corrections
    assert (loaded.begun.settings, loaded.begun.access) == (ODDS, AccessList("the-owner"))
    assert events_of(store, row) == row
    assert store.find_code(row.code) == row.key


def test_an_imported_record_that_is_over_has_its_lines_and_results(store: Store) -> None:
    bodies = [{"do": {"do": "throw", "dice": [1]}}, {"do": {"do": "bank"}}]
    row = store.create(
        table_started("farkle", {}, ["Ada"], False, bodies, results=[PlayerResult(0, "Ada", 500, 1)], digest="digest")
    )
    assert (row.finished_at, row.digest) == (row.active_at, "digest")
    assert [(each.seq, each.body, each.device) for each in store.load(row).entries] == [
        (1, bodies[0], ""),
        (2, bodies[1], ""),
    ]
    assert results(store, row) == [("Ada", 500)]


def test_a_table_that_follows_another_begins_as_it_is_told(store: Store) -> None:
    row = table(store)
    append(store, row, SettingsChanged({"advice": "best"}, "phone"), dice_named("red"), PhoneJoined("ada", ADA))
    add_sample(store, row, 2, b"two")
    wanted = TableSettings(advice="odds", dice_set="blue", keeps_pictures=True)
    told = {"follows": row.key, "settings": wanted, "samples": {-3: blob_hash(b"one")}}
    new = table_started("farkle", {}, ["Bob", "Ada"], owner="bob", **told)
    after, _ = store.go_on(row, last_event(store, row), new, {blob_hash(b"one"): b"one"})
    found = settings(store, after)
    assert (found.photo, found.samples, found.settings) == (None, {-3}, wanted)
    assert found.access == AccessList("bob")
    assert store.samples(after.id, {-3, 2}) == {-3: b"one"}
    assert events_of(store, row).next_key == after.key
    with pytest.raises(Problem, match="quicker"):
        store.go_on(row, last_event(store, row), table_started("farkle", {}, ["Bob"]))
    append(store, row, NextTableSet(None))
    assert events_of(store, row).next_key is None


def test_lines_are_added_with_the_results_of_a_game_that_is_over(store: Store) -> None:
    row = table(store)
    append(
        store,
        row,
        Logged([line(1), line(2)], [PlayerResult(0, "Ada", 500, 1), PlayerResult(1, "Bob", 100, 2)], "digest"),
    )
    assert store.load(row).entries == [line(1), line(2)]
    over = events_of(store, row)
    assert (over.active_at, over.finished_at, over.digest) == (line(2).at, line(2).at, "digest")
    assert over.active_no > row.active_no
    assert results(store, row) == [("Ada", 500), ("Bob", 100)]
    append(store, over, Logged([line(3)]))  # which undoes its end
    assert (events_of(store, row).finished_at, events_of(store, row).digest) == (None, None)
    assert results(store, row) == []
    append(store, row, Logged([line(4)], [PlayerResult(0, "Ada", 7, 2), PlayerResult(1, "Bob", 8, 1)], "digest"))
    assert results(store, row) == [("Ada", 7), ("Bob", 8)]


def results(store: Store, row: TableRow) -> list[tuple[str, int]]:
    """What the rows of statistics say."""
    each = schema.player_games.c
    query = select(each.name, each.score).where(each.table_id == row.id).order_by(each.player)
    with store.read() as connection:
        return [(name, score) for name, score in connection.execute(query)]


@pytest.mark.parametrize("wrong", [line(1), line(3)])
def test_of_events_that_cannot_all_be_stored_none_is(store: Store, wrong: Entry) -> None:
    row = table(store)
    append(store, row, PhotoUnderReview(PHOTOS[0]), Logged([line(1)]), dice_named("red"), PhotoUnderReview(PHOTOS[1]))
    before = store.load(row)
    with pytest.raises(Problem) as told:
        append(store, row, dice_named("white"), PhotoRemoved("a-reading"), Logged([wrong]), dice_named("blue"))
    assert (told.value.reason, told.value.status) == ("stale", 409)
    after = store.load(row)
    assert after.entries == before.entries
    assert replace(after.begun, table=before.begun.table) == before.begun


@pytest.mark.parametrize("photo", PHOTOS, ids=["waiting", "read", "failed"])
def test_a_photo_comes_and_leaves(store: Store, photo: UnderReview) -> None:
    row = table(store)
    append(store, row, PhotoUnderReview(PHOTOS[0]))
    append(store, row, PhotoUnderReview(photo))
    assert msgspec.json.encode(settings(store, row).photo) == msgspec.json.encode(photo)
    assert photos_under_review(store) == {"a-reading": row.key}
    append(store, row, PhotoRemoved(photo.details.id))
    assert settings(store, row).photo is None
    assert photos_under_review(store) == {}
