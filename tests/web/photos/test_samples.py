"""A table's samples of its own dice: of confirmed photos alone, in numbers, and only as long as they stand."""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import vision
from tests.web.apps import create_app
from tests.web.phones import Phone, start
from tests.web.photos.test_photo_reader import PICTURES, read, upload, values_and_boxes
from tests.web.postgres import both_engines
from tests.web.stored import add_sample, append
from tests.web.waiting import wait_until
from web.journal.journal import Head
from web.problems.problem import Problem
from web.services import services
from web.store.store import Store
from web.table import showing
from web.table.commands import StartNext
from web.table.events import Event, SampleAdded, SamplesDropped
from web.table.stored_table import TableRow

PHOTO = (PICTURES / "throw-113466.jpg").read_bytes()
VALUES = (1, 1, 3, 4, 6, 6)
NOWHERE = [0, 0, 1, 1]  # the box of a die that a person added without pointing at it


@dataclass(frozen=True)
class FakeSample:
    """Stands for a sample of the reader: what it was told."""

    text: str

    def to_bytes(self) -> bytes:
        return self.text.encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> "FakeSample":
        if data == b"damaged":
            raise ValueError("no sample")
        return cls(data.decode())


@dataclass(frozen=True)
class FakeTrace:
    """Stands for a reading's trace."""

    text: str

    def to_text(self) -> str:
        return self.text

    @classmethod
    def from_text(cls, text: str) -> "FakeTrace":
        return cls(text)

    def sample(self, dice: Any, aside: Any = ()) -> FakeSample:
        return FakeSample(json.dumps([self.text, dice, aside]))


@dataclass(frozen=True)
class FakeMemory:
    """Stands for the dice memory: the samples that it was made of."""

    samples: list[FakeSample]


@dataclass
class Reader:
    """Sees dice of `values` side by side, and in front of them those that lie aside, and notes what it was told."""

    values: tuple[int, ...] = VALUES
    calls: list[tuple[int | None, list[int], Any]] = field(default_factory=list)

    def read(self, photo: vision.Photo, dice: int | None = None, aside: Any = (), known: Any = None) -> vision.Reading:
        self.calls.append((dice, list(aside), known))
        beside = tuple(
            vision.Die(value, 0.9, (10 + 20 * i, 50, 28 + 20 * i, 68), True) for i, value in enumerate(aside)
        )
        thrown = (
            vision.Die(value, 0.9, (10 + 20 * i, 10, 28 + 20 * i, 28), True) for i, value in enumerate(self.values)
        )
        trace = FakeTrace(f"trace {len(self.calls)}")
        return vision.Reading(photo.width, photo.height, tuple(thrown), True, aside=beside, trace=trace)  # type: ignore[arg-type]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    for name, stands in {"Trace": FakeTrace, "DiceSample": FakeSample, "DiceMemory": FakeMemory}.items():
        monkeypatch.setattr(vision, name, stands)
    return Reader()


@pytest.fixture
def table(tmp_path: Path, reader: Reader, database: str | None) -> Iterator[Flask]:
    application = create_app(tmp_path / "data", reader=reader, database=database, reads=True)
    yield application
    services(application).close()


@pytest.fixture
def phone(table: Flask) -> Phone:
    client = table.test_client()
    return Phone(client, start(client))


@pytest.fixture
def quick(table: Flask) -> Phone:
    """A phone at a table where one throw follows the other."""
    client = table.test_client()
    return Phone(client, start(client, "sequence"))


def take_photo(phone: Phone) -> dict[str, Any]:
    assert upload(phone, PHOTO).status_code == 202
    return read(phone)


def confirm(phone: Phone, pending: dict[str, Any], *values: int, boxes: Any = None, **more: Any) -> Any:
    """Confirms the photo, with `values` instead of those that were read and `boxes` instead of where."""
    dice = values_and_boxes(pending["dice"])
    for die, value in zip(dice, values, strict=False):
        die["value"] = value
    for die, box in zip(dice, boxes or (), strict=False):
        die["box"] = box
    evidence = {"reading": pending["id"], "dice": dice, "aside": values_and_boxes(pending["aside"])}
    action = {"do": "throw", "dice": [die["value"] for die in dice]}
    return phone.post("actions", action=action, evidence=evidence, **more)


def confirm_a_photo(phone: Phone) -> None:
    """One confirmed photo of a throw."""
    assert confirm(phone, take_photo(phone)).status_code == 200


def stored_samples(application: Flask, phone: Phone) -> list[Any]:
    """What the table has stored, oldest first."""
    store, key = services(application).store, phone.key
    row = services(application).runner.row(key)
    bodies = store.samples(row.id, store.load(row).begun.samples)
    return [json.loads(bodies[seq]) for seq in sorted(bodies)]


def test_the_reader_is_told_how_many_were_thrown_and_what_lies_aside(phone: Phone, reader: Reader) -> None:
    confirm(phone, take_photo(phone))
    phone.act(do="set-aside", dice=[1, 1])
    reader.values = (2, 3, 4, 5)
    pending = take_photo(phone)
    assert [call[:2] for call in reader.calls] == [(6, []), (4, [1, 1])]
    assert [die["value"] for die in pending["aside"]] == [1, 1]
    assert pending["beside"] == [1, 1]


@pytest.mark.parametrize(
    ("game", "actions", "expects", "beside"),
    [
        ("ones-and-fives", [("throw", [1, 1, 1, 1, 1, 1]), ("set-aside", [1, 1, 1, 1, 1, 1])], 6, []),
        (
            "ones-and-fives",
            [
                ("throw", [1, 1, 1, 1, 1, 1]),
                ("set-aside", [1, 1, 1, 1, 1, 1]),
                ("throw", [5, 2, 3, 4, 6, 6]),
                ("set-aside", [5]),
            ],
            5,
            [5],
        ),
        ("drapky", [("throw", [1, 2, 3, 6, 6, 6]), ("keep", [6, 6, 6])], 3, [6, 6, 6]),
        ("yahtzee", [("throw", [1, 2, 3, 6, 6]), ("keep", [])], 5, []),
        ("forbidden-numbers", [], 2, []),
        ("knaster", [], 2, []),
    ],
)
def test_only_what_is_not_thrown_now_lies_beside(
    table: Flask, game: str, actions: list[Any], expects: int, beside: list[int]
) -> None:
    phone = Phone(table.test_client(), start(table.test_client(), game))
    for do, dice in actions:
        assert phone.act(do=do, dice=dice).status_code == 200
    assert showing.next_throw(services(table).runner.look(phone.key)) == (expects, beside)


def test_dice_that_are_kept_with_the_throw_lie_beside_it(table: Flask) -> None:
    phone = Phone(table.test_client(), start(table.test_client(), "yahtzee"))
    phone.throw(1, 2, 3, 6, 6)
    key = phone.key
    state = services(table).runner.look(key)
    assert showing.next_throw(state, 1, {"do": "keep", "dice": [6, 6]}) == (3, [6, 6])
    assert state.table.standing()["turn"]["kept"] is None, "nothing is changed"


def test_why_it_asks_is_told(table: Flask, phone: Phone, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = vision.Ask("too-few", {"found": 5, "dice": 6})
    real = reader.read

    def five(*arguments: Any) -> vision.Reading:
        found = real(*arguments)
        return vision.Reading(found.width, found.height, found.dice[:5], False, asks=(ask,))

    monkeypatch.setattr(reader, "read", five)
    (asked,) = take_photo(phone)["asks"]
    assert asked == {"reason": "too-few", "params": {"found": 5, "dice": 6}, "text": str(ask)}


def test_a_confirmed_photo_gives_a_sample_and_the_next_reading_has_it(
    table: Flask, phone: Phone, reader: Reader
) -> None:
    pending = take_photo(phone)
    assert reader.calls[-1][2] is None
    assert phone.state["learnt"] == 0
    confirm(phone, pending, 5, 1)  # a person says that the first one is a five
    assert phone.state["learnt"] == 1
    ((trace, dice, aside),) = stored_samples(table, phone)
    assert (trace, [value for value, _ in dice], aside) == ("trace 1", [5, 1, 3, 4, 6, 6], [])
    assert [box for _, box in dice] == [die["box"] for die in pending["dice"]]
    phone.act(do="set-aside", dice=phone.standing["legal"][0]["dice"])
    take_photo(phone)
    assert [json.loads(sample.text)[0] for sample in reader.calls[-1][2].samples] == ["trace 1"]


def test_a_photo_gives_a_sample_also_where_its_throw_is_set_aside_at_once(table: Flask, phone: Phone) -> None:
    confirm(phone, take_photo(phone), 5, 2, forced=True)
    assert (phone.state["steps"], phone.state["learnt"]) == (2, 1)
    take_photo(phone)  # the sample is the throw's, so it stands as long as that does
    assert phone.state["learnt"] == 1
    phone.post("undo")
    assert phone.state["learnt"] == 0
    assert stored_samples(table, phone) == []


def test_what_the_reader_counts_in_is_for_the_server_alone(phone: Phone) -> None:
    pending = take_photo(phone)
    assert "trace" not in pending
    assert "trace" not in json.dumps(confirm(phone, pending).get_json())


def test_dice_without_a_place_give_no_sample(table: Flask, phone: Phone) -> None:
    confirm(phone, take_photo(phone), boxes=[NOWHERE])
    ((_, dice, _),) = stored_samples(table, phone)
    assert [value for value, _ in dice] == [1, 3, 4, 6, 6]
    phone.post("undo")
    confirm(phone, take_photo(phone), boxes=[NOWHERE] * 6)
    assert stored_samples(table, phone) == []
    assert phone.state["learnt"] == 0


def test_evidence_that_is_not_the_throw_gives_no_sample(table: Flask, phone: Phone) -> None:
    pending = take_photo(phone)
    evidence = {"reading": pending["id"], "dice": values_and_boxes(pending["dice"])}
    answer = phone.post("actions", action={"do": "throw", "dice": [1, 1, 1, 4, 6, 6]}, evidence=evidence)
    assert answer.status_code == 200
    assert stored_samples(table, phone) == []


def test_the_sample_of_a_throw_that_is_undone_goes(table: Flask, quick: Phone, reader: Reader) -> None:
    confirm_a_photo(quick)
    confirm(quick, take_photo(quick))
    assert quick.state["learnt"] == 2
    quick.post("undo")
    assert quick.state["learnt"] == 1
    assert [trace for trace, _, _ in stored_samples(table, quick)] == ["trace 1"]
    take_photo(quick)
    assert [json.loads(sample.text)[0] for sample in reader.calls[-1][2].samples] == ["trace 1"]


def test_the_sample_of_a_throw_that_is_corrected_goes_and_others_stay(table: Flask, quick: Phone) -> None:
    confirm_a_photo(quick)
    confirm(quick, take_photo(quick))
    action = {"do": "throw", "dice": [1, 1, 6, 6, 3, 2]}
    assert quick.post("corrections", step=1, action=action, drop_tail=False).status_code == 200
    assert [trace for trace, _, _ in stored_samples(table, quick)] == ["trace 2"]
    assert quick.state["learnt"] == 1


def test_a_sample_that_outlived_its_throw_is_left_out_after_a_start(
    tmp_path: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch, database: str | None
) -> None:
    """The disk may refuse to delete it, or the power fail in between."""
    first = create_app(tmp_path / "data", reader=reader, database=database, reads=True)
    phone = Phone(first.test_client(), start(first.test_client()))
    confirm(phone, take_photo(phone))

    with monkeypatch.context() as patched:
        patched.setattr(services(first).store, "append", refusing(services(first).store, SamplesDropped, "store-busy"))
        assert phone.post("undo").status_code == 200
    assert phone.state["learnt"] == 0
    assert len(stored_samples(first, phone)) == 1
    services(first).close()
    second = create_app(tmp_path / "data", reader=reader, database=database, reads=True)
    phone = Phone(second.test_client(), phone.base)
    assert phone.state["learnt"] == 0
    assert stored_samples(second, phone) == []
    services(second).close()


def refusing(store: Store, kind: type, reason: str) -> Callable[..., Head]:
    """Appends as this store does, but no event of one kind."""
    usual = store.append

    def append_or_refuse(row: TableRow, head: Head, events: Sequence[Event], *more: Any) -> Head:
        if any(isinstance(event, kind) for event in events):
            raise Problem(reason, 503)
        return usual(row, head, events, *more)

    return append_or_refuse


@both_engines
def test_a_photo_under_review_gives_a_sample_after_a_restart_too(
    tmp_path: Path, reader: Reader, database: str | None
) -> None:
    first = create_app(tmp_path / "data", reader=reader, database=database, reads=True)
    phone = Phone(first.test_client(), start(first.test_client()))
    pending = take_photo(phone)
    services(first).close()
    second = create_app(tmp_path / "data", reader=reader, database=database, reads=True)
    phone = Phone(second.test_client(), phone.base)
    wait_until(lambda: phone.look()["pending"] == pending)  # a folder keeps the photo, which is read again
    confirm(phone, pending)
    assert [trace for trace, _, _ in stored_samples(second, phone)] == ["trace 2" if database is None else "trace 1"]
    services(second).close()


def test_a_sample_that_cannot_be_kept_is_no_reason_to_lose_the_throw(
    table: Flask, phone: Phone, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    full = refusing(services(table).store, SampleAdded, "store-full")

    def broken(*_: Any) -> FakeSample:
        raise RuntimeError("out of bounds")

    for owner, name, fails in ((services(table).store, "append", full), (FakeTrace, "sample", broken)):
        with monkeypatch.context() as patched, caplog.at_level(logging.WARNING):
            patched.setattr(owner, name, fails)
            answer = confirm(phone, take_photo(phone))
        assert answer.status_code == 200
        assert phone.state["learnt"] == 0
        assert "sample" in caplog.messages[-1]
        phone.post("undo")


def test_a_damaged_sample_is_left_out(table: Flask, quick: Phone, reader: Reader) -> None:
    confirm_a_photo(quick)
    row = services(table).runner.row(quick.key)
    store = services(table).store
    append(store, row, SamplesDropped(frozenset({1})))
    add_sample(store, row, 1, b"damaged")
    assert take_photo(quick)["status"] == "read"
    assert reader.calls[-1][2] is None


def test_the_dice_are_forgotten_when_somebody_wants_it(table: Flask, quick: Phone, reader: Reader) -> None:
    confirm_a_photo(quick)
    confirm_a_photo(quick)
    assert quick.state["learnt"] == 2
    state = quick.client.delete(f"/api/v1{quick.base}/samples").get_json()
    assert state["learnt"] == 0
    times, device = state["forgotten"]
    assert times == 1
    assert device, "the other phones are told which one it was"
    assert stored_samples(table, quick) == []
    quick.look()
    take_photo(quick)
    assert reader.calls[-1][2] is None
    again = quick.client.delete(f"/api/v1{quick.base}/samples").get_json()
    assert again["forgotten"] == [times, device], "there was nothing to forget"


def test_play_again_goes_on_with_the_samples(table: Flask, quick: Phone, reader: Reader) -> None:
    for _ in range(3):
        confirm_a_photo(quick)
    quick.act(do="adjust", what="game", over=True)
    key = services(table).runner.go_on(quick.key, StartNext()).key
    following = Phone(quick.client, f"/tables/{key}")
    assert following.state["learnt"] == 3
    confirm_a_photo(following)
    assert [trace for trace, _, _ in stored_samples(table, following)] == ["trace 1", "trace 2", "trace 3", "trace 4"]
    assert len(reader.calls[-1][2].samples) == 3
    following.post("undo")
    following.post("undo")
    following.post("undo")
    assert following.state["learnt"] == 3, "what came from the table before stays"
    assert quick.look()["learnt"] == 3


LOGO_DICE = PICTURES / "logo-dice"  # four throws of dice with a paw for the one
