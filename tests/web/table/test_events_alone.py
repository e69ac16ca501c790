"""The events that an application stores give, by themselves, the state that it shows."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask

import scorer
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, any_legal, start
from web.services import services
from web.store.store import Store
from web.table.events import NextTableSet, Stored, TableStarted, from_body
from web.table.state import State, begin, evolve, rebuild

STEPS = 25
SEEN = ("row", "entries", "moves", "changed", "photo", "samples", "last_hash", "chosen", "access", "webhooks", "lost")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    application = create_app(tmp_path / "data")
    yield application
    services(application).close()


def record(store: Store, monkeypatch: pytest.MonkeyPatch) -> dict[int, list[bytes]]:
    """The bodies of all events that are stored from now on, by the numbers of their tables."""
    kept: dict[int, list[bytes]] = {}
    create, go_on, append = store.create, store.go_on, store.append

    def noted_create(started: TableStarted, *more: Any) -> Any:
        row = create(started, *more)
        kept[row.id] = [msgspec.json.encode(started)]
        return row

    def noted_go_on(before: Any, after: Any, started: TableStarted, *more: Any) -> Any:
        row, head = go_on(before, after, started, *more)
        kept[row.id] = [msgspec.json.encode(started)]
        kept[before.id].append(msgspec.json.encode(NextTableSet(started.key)))  # at the same moment
        return row, head

    def noted_append(row: Any, after: Any, events: list[Stored], *more: Any) -> Any:
        head = append(row, after, events, *more)
        kept[row.id] += map(msgspec.json.encode, events)
        return head

    monkeypatch.setattr(store, "go_on", noted_go_on)
    monkeypatch.setattr(store, "create", noted_create)
    monkeypatch.setattr(store, "append", noted_append)
    return kept


def change_something(phone: Phone, dice: random.Random) -> None:
    client, base = phone.client, phone.base
    chosen = dice.randrange(8)
    if chosen == 0:
        phone.post("undo")
    elif chosen == 1:
        phone.post("advice", advice=dice.choice(["off", "odds", "best"]))
    elif chosen == 2:
        phone.post("pictures", keep=dice.random() < 0.7)
    elif chosen == 3:
        phone.post("dice", name=dice.choice(["", "red"]))
    elif chosen == 4:
        phone.post("closed", closed=dice.random() < 0.2)
    elif chosen == 5:
        client.post(f"/api/v1{base}/programs", json={"name": "lamp", "may": "act"})
        client.post(f"/api/v1{base}/webhooks", json={"name": "lamp", "address": "http://192.168.77.7/"})
    elif chosen == 6:
        phone.post("phones", phone="others", out=dice.random() < 0.5)
    elif moves := client.get(f"/api/v1{base}/history", headers=JSON).get_json()["moves"]:
        step = dice.randrange(len(moves))
        phone.post("corrections", step=step + 1, action=moves[step]["action"], said=[])


def seen(state: State) -> dict[str, Any]:
    told = {name: getattr(state, name) for name in SEEN}
    return {**told, "standing": state.table.standing(), "record": state.table.record()}


def test_the_stored_events_alone_give_what_is_shown(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = services(app)
    kept = record(parts.store, monkeypatch)
    guest = app.test_client()
    guest.set_cookie("device-name", "Bob")
    for number, info in enumerate(scorer.games()):
        dice, client = random.Random(number), app.test_client()
        phone = Phone(client, start(client, info.key, *("Ada", "Bob")[: 1 + number % 2]))
        client.get(phone.base)
        guest.get(phone.base)
        for _ in range(STEPS):
            phone.look()
            if dice.random() < 0.4 or not phone.standing["legal"]:
                change_something(phone, dice)
            else:
                phone.act(**any_legal(phone.standing, dice))
        phone.post("closed", closed=False)
        if number % 2:
            phone.act(do="adjust", what="game", over=True)
            assert client.post(f"{phone.base}/again", data={"begins": "0"}).status_code == 303
    rows = {}
    for table_id, (body, *_) in kept.items():
        started = from_body(body)
        assert isinstance(started, TableStarted)
        rows[table_id] = started.key
    assert len(rows) > len(scorer.games())
    for table_id, bodies in kept.items():
        first, *others = map(from_body, bodies)
        again = seen(evolve(begin(table_id, first), others))
        assert again == seen(parts.sessions.look(rows[table_id]))
        assert again == seen(rebuild(parts.store.load(parts.sessions.row(rows[table_id])))), (
            "as a start of the server shows it"
        )
