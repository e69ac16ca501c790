"""Stores as damaged disks leave them: bits flipped, files cut off, logs lost. And what may be served of them."""

from __future__ import annotations

import logging
import random
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.reliability.old_stores import correct
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, any_legal, start
from web.services import services
from web.store.sqlite import FILE_NAME, SqliteStore

GAMES = {"ones-and-fives": {}, "kosci-triple": {}, "drapky": {}, "farkle": {"target": 2000}, "sequence": {"target": 20}}
FILES = (FILE_NAME, f"{FILE_NAME}-wal", "rollcall.ends")
ACTIONS = 20  # at each table
LATER = 4  # more, which are still in the log when the server is killed
KINDS = ("store", "both", "log", "store", "cut store", "cut log", "ends", "no log", "store", "empty store", "no store")

Json = dict[str, Any]


@dataclass
class Made:
    """A data folder as a server left it, ended cleanly or killed, and what its phones were shown last."""

    folder: Path
    truth: dict[str, Json]


@dataclass
class Outcome:
    """Of the tables of one damaged store, how many were whole, damaged and gone."""

    tables: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def document_of(client: Any, base: str) -> Json:
    """What may not differ: the standing, the steps, the log."""
    state = client.get(f"/api/v1{base}", headers=JSON).get_json()
    log = client.get(f"/api/v1{base}/history", headers=JSON).get_json()["log"]
    lines = [{name: line[name] for name in ("seq", "body", "device", "at")} for line in log]
    return {"standing": state["standing"], "steps": state["steps"], "log": lines, "lost": state["lost"]}


def make(folder: Path, seed: int) -> tuple[Made, Made]:
    """Plays some games: the folder of a server that ended, and of one that was killed with actions in its log."""
    dice = random.Random(seed)
    played, ended, killed = folder / "played", folder / "ended", folder / "killed"
    application = create_app(played, reader=object())  # type: ignore[arg-type]
    phones = [
        Phone(application.test_client(), start(application.test_client(), game, **options))
        for game, options in GAMES.items()
    ]
    for phone in phones:
        phone.client.get(phone.base)  # the page itself, which notes that this phone is at the table
    _act(phones, dice, ACTIONS // 2)
    store = services(application).store
    assert isinstance(store, SqliteStore)
    store._copies.make(store._ends.name)
    _act(phones, dice, ACTIONS - ACTIONS // 2)
    services(application).close()
    ended.mkdir()
    for path in played.glob("rollcall*"):
        shutil.copy(path, ended)
    shutil.copytree(played / "copies", ended / "copies")
    first = Made(ended, {phone.base: {} for phone in phones})
    application = create_app(played, reader=object())  # type: ignore[arg-type]
    phones = [Phone(application.test_client(), phone.base) for phone in phones]
    first.truth = {phone.base: document_of(phone.client, phone.base) for phone in phones}
    _act(phones, dice, LATER)
    killed.mkdir()
    for name in FILES:
        shutil.copy(played / name, killed)
    shutil.copytree(played / "copies", killed / "copies")
    second = Made(killed, {phone.base: document_of(phone.client, phone.base) for phone in phones})
    services(application).close()
    return first, second


def _act(phones: list[Phone], dice: random.Random, actions: int) -> None:
    for number in range(actions):
        for phone in phones:
            if not phone.standing["over"]:
                assert phone.act(**any_legal(phone.standing, dice)).status_code == 200
            if number == actions // 2:
                correct(phone, dice)


def damage(folder: Path, kind: str, dice: random.Random) -> int:
    """Does what a disk may do. Returns how many bits were flipped; 0 where whole parts are gone."""
    store, log, ends = (folder / name for name in FILES)
    flips = dice.randint(1, 20)
    if kind in ("store", "log", "ends", "both"):
        chosen = {"store": [store], "log": [log], "ends": [ends]}.get(kind, [store, log])
        files = [path for path in chosen if path.exists()] or [store]
        for _ in range(flips):
            _flip(dice.choice(files), dice)
        return flips
    if kind == "cut store":
        _cut(store, dice)
    elif kind == "cut log":
        _cut(log if log.exists() else store, dice)
    elif kind == "empty store":
        store.write_bytes(b"")
    else:
        (log if kind == "no log" and log.exists() else store).unlink()
    return 0


def _flip(path: Path, dice: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def _cut(path: Path, dice: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: dice.randrange(len(data))])


def serve(folder: Path, truth: dict[str, Json], dice: random.Random) -> Outcome:
    """Opens a damaged store and holds each table against what its phones were shown last."""
    found = Outcome()
    application = create_app(folder, reader=object())  # type: ignore[arg-type]
    try:
        for base, before in truth.items():
            _serve_table(application.test_client(), base, before, dice, found)
        told = services(application).store.notices
        if (found.tables["damaged"] or found.tables["gone"]) and not told:
            found.faults.append("nothing was told of what is lost")
    finally:
        services(application).close()
    return found


def _serve_table(client: Any, base: str, before: Json, dice: random.Random, found: Outcome) -> None:
    answer = client.get(f"/api/v1{base}", headers=JSON)
    if answer.status_code != 200:
        reason = answer.get_json()["reason"]
        found.tables["gone"] += 1
        if (answer.status_code, reason) != (410, "table-lost"):
            found.faults.append(f"{base}: {answer.status_code} {reason}")
        return
    now = document_of(client, base)
    if now["lost"] is None:
        found.tables["whole"] += 1
        if now != before:
            found.faults.append(f"{base}: served with another state, and nothing was said of it")
        _go_on(Phone(client, base), dice, found)
        return
    found.tables["damaged"] += 1
    if now["log"] != before["log"][: len(now["log"])]:
        found.faults.append(f"{base}: what is shown as the last good state never was")
    if Phone(client, base).post("undo").status_code != 409:
        found.faults.append(f"{base}: a damaged table was changed")
    fresh = client.post(f"{base}/continue")
    if fresh.status_code != 303:
        found.faults.append(f"{base}: it cannot be continued: {fresh.get_data(as_text=True)}")
        return
    branch = document_of(client, fresh.headers["Location"])
    if {**branch, "lost": 0} != {**now, "lost": 0}:
        found.faults.append(f"{base}: it does not go on where it was")
    _go_on(Phone(client, fresh.headers["Location"]), dice, found)


def _go_on(phone: Phone, dice: random.Random, found: Outcome) -> None:
    if phone.standing["over"]:
        return
    answer = phone.act(**any_legal(phone.standing, dice))
    if answer.status_code != 200:
        found.faults.append(f"{phone.base}: it does not go on: {answer.get_json()}")


def run(folder: Path, stores: int, seed: int) -> Counter[str]:
    """Damages copies of two stores, that many, in all ways in turn. Returns what became of their tables."""
    logging.getLogger("web.store").setLevel(logging.ERROR)
    made = make(folder, seed)
    total: Counter[str] = Counter()
    try:
        for number in range(stores):
            dice = random.Random(f"{seed} {number}")
            which = made[0] if number % 4 == 2 else made[1]
            copy = folder / "copy"
            shutil.copytree(which.folder, copy)
            kind = KINDS[number % len(KINDS)]
            flips = damage(copy, kind, dice)
            has_copy = number % 3 == 0  # of half-way
            if not has_copy:
                shutil.rmtree(copy / "copies")
            outcome = serve(copy, which.truth, dice)
            print(f"{number}: {kind}, {flips} bits{', with a copy' if has_copy else ''}: {dict(outcome.tables)}")
            assert not outcome.faults, (number, kind, flips, outcome.faults)
            assert not (has_copy and outcome.tables["gone"]), (number, kind, "the copy has them all")
            total.update(outcome.tables)
            total["stores"] += 1
            total["told"] += bool(outcome.tables["damaged"] or outcome.tables["gone"])
            shutil.rmtree(copy)
    finally:
        logging.getLogger("web.store").setLevel(logging.NOTSET)
    return total
