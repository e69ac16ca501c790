"""The journal on both engines: what is appended comes back, two that append at once, damage, and what is erased."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import text

from tests.web.postgres import both_engines
from tests.web.stored import dice_named, table_started
from web.journal.journal import NO_EVENT, SAMPLE, TRACE, Events, Head, Journal, Overtaken, encode
from web.store.event_rows import journal_of
from web.store.store import Store
from web.table import events
from web.table.events import blob_hash
from web.table.photo_state import PHOTO, PhotoDetails, Read, ReadingResult

pytestmark = both_engines

AT = "2026-01-01T00:00:00Z"
FIELDS = {"number": 7, "kind": "advice-set", "body": "{}", "at": "then", "by": "another", "request": "r", "chain": "0"}


class OpenJournal:
    """The journal of a store with one table, each call in a transaction of its own."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.table = store.create(table_started("farkle", {}, ["Ada"])).id
        with self.write() as journal:
            journal.cut(self.table, 0)

    @contextmanager
    def write(self) -> Iterator[Journal]:
        with self.store.write() as connection:
            yield journal_of(connection)

    def append(self, after: Head, *happened: events.Stored, by: str = "", request: str = "", blob: bytes = b"") -> Head:
        encoded = [encode(each, AT, {blob_hash(blob): blob})._replace(by=by, request=request) for each in happened]
        with self.write() as opened:
            return opened.append(self.table, after, encoded)

    def name_dice(self, after: Head, *names: str) -> Head:
        return self.append(after, *map(dice_named, names))

    def events(self, after: int = 0) -> Events:
        with self.write() as opened:
            return opened.events(self.table, after)

    def blob(self, kind: str, seq: int) -> bytes | None:
        with self.write() as opened:
            return opened.blob(self.table, kind, seq)

    def do(self, statement: str, **values: Any) -> None:
        with self.store.write() as connection:
            connection.execute(text(statement), {"table": self.table, **values})


@pytest.fixture
def journal(open_store: Callable[[], Store]) -> OpenJournal:
    return OpenJournal(open_store())


def named(name: str) -> str:
    return f'{{"kind":"settings-changed","settings":{{"dice_set":"{name}"}},"device":""}}'


def test_events_come_back_as_they_were_appended(journal: OpenJournal) -> None:
    advised = events.SettingsChanged({"advice": "odds"}, "Ada’s phone")
    first = journal.append(NO_EVENT, advised, by="phone", request="request-1")
    last = journal.name_dice(first, "red", "blue")
    found = journal.events()
    assert found.lost == 0
    assert [(each.number, each.kind, each.at, each.by, each.request) for each in found.whole] == [
        (1, "settings-changed", AT, "phone", "request-1"),
        (2, "settings-changed", AT, "", ""),
        (3, "settings-changed", AT, "", ""),
    ]
    assert found.whole[0].body == '{"kind":"settings-changed","settings":{"advice":"odds"},"device":"Ada’s phone"}'
    assert Head(3, found.whole[2].chain) == last == head(journal)
    assert journal.events(after=first.number).whole == found.whole[1:]


def head(journal: OpenJournal) -> Head:
    with journal.write() as opened:
        return opened.head(journal.table)


def test_of_two_that_append_to_one_state_the_second_is_overtaken(journal: OpenJournal) -> None:
    first = journal.name_dice(NO_EVENT, "red")
    journal.name_dice(first, "blue")
    with pytest.raises(Overtaken):
        journal.name_dice(first, "green", "white")
    assert [each.body for each in journal.events().whole] == [named("red"), named("blue")]


def test_many_that_append_at_once_lose_nothing(journal: OpenJournal) -> None:
    def add(name: str) -> None:
        while True:
            try:
                journal.name_dice(head(journal), name)
                return
            except Overtaken:
                pass

    names = [f"set {number}" for number in range(24)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, names))
    found = journal.events()
    assert (sorted(each.body for each in found.whole), found.lost) == (sorted(map(named, names)), 0)


@pytest.mark.parametrize("field", FIELDS)
def test_damage_of_any_field_is_noticed(field: str, journal: OpenJournal) -> None:
    journal.name_dice(NO_EVENT, "red", "blue", "green", "white")
    journal.do(f"UPDATE events SET {field} = :value WHERE table_id = :table AND number = 3", value=FIELDS[field])
    found = journal.events()
    assert [each.number for each in found.whole] == [1, 2]
    assert found.lost == 2


def test_an_event_that_is_missing_ends_what_is_whole(journal: OpenJournal) -> None:
    journal.name_dice(NO_EVENT, "red", "blue", "green")
    journal.do("DELETE FROM events WHERE table_id = :table AND number = 2")
    assert (len(journal.events().whole), journal.events().lost) == (1, 1)


def test_an_event_of_another_table_is_none_of_this_one(journal: OpenJournal) -> None:
    journal.name_dice(NO_EVENT, "red", "blue")
    other = OpenJournal(journal.store)
    other.name_dice(NO_EVENT, "white", "green")
    journal.do("DELETE FROM events WHERE table_id = :table AND number = 2")
    journal.do("UPDATE events SET table_id = :table WHERE table_id = :other AND number = 2", other=other.table)
    assert (len(journal.events().whole), journal.events().lost) == (1, 1)


def read_photo(trace: str | None) -> events.PhotoUnderReview:
    details = PhotoDetails("photo-1", PHOTO, "Ada", 0, 6)
    return events.PhotoUnderReview(Read(details, 640, 480, ReadingResult(trace=trace)))


def test_what_a_sample_is_made_of_goes_with_its_photo(journal: OpenJournal) -> None:
    shown = journal.append(NO_EVENT, read_photo("a trace"))
    assert journal.blob(TRACE, 0) == b"a trace"
    shown = journal.append(shown, read_photo("another"))
    assert journal.blob(TRACE, 0) == b"another"
    journal.append(shown, events.PhotoRemoved("photo-1"))
    assert journal.blob(TRACE, 0) is None


def sample(seq: int, body: bytes, *dropped: int) -> events.SampleAdded:
    return events.SampleAdded(seq, blob_hash(body), frozenset(dropped))


def test_samples_go_when_they_are_dropped(journal: OpenJournal) -> None:
    known = journal.append(NO_EVENT, sample(2, b"two"), blob=b"two")
    known = journal.append(known, sample(5, b"five"), blob=b"five")
    known = journal.append(known, sample(7, b"seven", 2), blob=b"seven")  # no room for the oldest
    assert [journal.blob(SAMPLE, seq) for seq in (2, 5, 7)] == [None, b"five", b"seven"]
    known = journal.append(known, events.SamplesDropped(frozenset({5})))
    assert [journal.blob(SAMPLE, seq) for seq in (5, 7)] == [None, b"seven"]
    journal.append(known, events.DiceForgotten("Ada"))
    assert journal.blob(SAMPLE, 7) is None


def test_a_damaged_blob_is_none(journal: OpenJournal) -> None:
    journal.append(NO_EVENT, sample(3, b"a sample"), blob=b"a sample")
    assert journal.blob(SAMPLE, 3) == b"a sample"
    journal.do("UPDATE blobs SET body = :body WHERE table_id = :table", body=b"a Sample")
    assert journal.blob(SAMPLE, 3) is None
