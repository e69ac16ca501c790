"""Stores as versions of Rollcall have left them, kept in `stores/` as SQL beside what phones were then shown.

    python -m tests.reliability.old_stores

plays games of all kinds and writes the store of the present version. Run it before `VERSION` of `web.store.schema` is
raised: then every later Rollcall is tested against what this one wrote. What is there already is never written again.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
import tempfile
from pathlib import Path
from typing import Any

import scorer
from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, any_legal, start
from tests.web.stored import append
from web.services import services
from web.store.schema import SEALED, VERSION
from web.store.sqlite import FILE_NAME
from web.table.events import PhotoUnderReview
from web.table.photo_state import PHOTO, PhotoDetails, Waiting

STORES = Path(__file__).parent / "stores"
ACTIONS = 40  # at most, in a game that is not played to its end
PLAYED_OUT = {"sequence": ("Ada", "Bob"), "kosci-single": ("Čeněk",), "yatzy": ("Ada", "Žofie")}

Json = dict[str, Any]


def versions() -> list[int]:
    """The versions that are kept."""
    return sorted(int(path.stem.removeprefix("version-")) for path in STORES.glob("version-*.sql"))


def unpack(version: int, folder: Path) -> list[Json]:
    """Makes the store of that version in `folder`. Returns what phones were shown: see `shown`."""
    folder.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(folder / FILE_NAME)
    connection.executescript((STORES / f"version-{version}.sql").read_text(encoding="utf-8"))
    connection.execute("PRAGMA journal_mode=WAL")
    if version >= SEALED:  # which a dump does not say
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    tables: list[Json] = json.loads((STORES / f"version-{version}.json").read_text(encoding="utf-8"))
    return tables


def document_of(client: Any, base: str) -> Json:
    """What a phone is shown of a table: its standing, its steps, its log, its record."""
    history = client.get(f"/api/v1{base}/history", headers=JSON).get_json()
    state = client.get(f"/api/v1{base}", headers=JSON).get_json()
    return {
        "base": base,
        "version": state["version"],
        "players": state["standing"]["players"],
        "over": state["standing"]["over"],
        "moves": [{name: move[name] for name in ("player", "device", "at")} for move in history["moves"]],
        "log": history["log"],
        "record": client.get(f"{base}/record.json", headers=JSON).get_json(),
    }


def play(folder: Path) -> list[Json]:
    """Plays every game for a while and some to their end, with undone and corrected steps."""
    dice = random.Random(VERSION)
    application = create_app(folder)
    client = application.test_client()
    client.set_cookie("device", "a-phone-of-an-older-version")
    client.set_cookie("device-name", "Ada%27s%20phone")
    told = []
    for info in scorer.games():
        phone = Phone(client, start(client, info.key, *PLAYED_OUT.get(info.key, ("Ada", "Bob"))))
        client.get(phone.base)  # the page itself, which notes that this phone is at the table
        acted = 0
        while not phone.standing["over"] and (acted < ACTIONS or info.key in PLAYED_OUT):
            assert phone.act(**any_legal(phone.standing, dice)).status_code == 200
            acted += 1
            if dice.random() < 0.1:
                assert phone.post("undo").status_code == 200
            if acted in (7, 23):
                correct(phone, dice)
        told.append(document_of(client, phone.base))
    row = services(application).sessions.row(told[0]["base"].rsplit("/", 1)[1])
    waiting = Waiting(PhotoDetails("a-photo-under-review", PHOTO, "", told[0]["version"], expects=6))
    append(services(application).store, row, PhotoUnderReview(waiting))
    services(application).close()
    return told


def correct(phone: Phone, dice: random.Random) -> None:
    """Corrects an earlier throw to other dice."""
    moves = phone.client.get(f"/api/v1{phone.base}/history", headers=JSON).get_json()["moves"]
    step = dice.choice([step for step, move in enumerate(moves, start=1) if move["action"]["do"] == "throw"])
    action = {"do": "throw", "dice": [dice.randint(1, 6) for _ in moves[step - 1]["action"]["dice"]]}
    answer = phone.post("corrections", step=step, action=action, drop_tail=True)
    assert answer.status_code == 200, answer.get_json()


def main() -> int:
    path = STORES / f"version-{VERSION}.sql"
    if path.exists():
        print(f"{path.name} is there already", file=sys.stderr)
        return 2
    STORES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        told = play(Path(folder))
        connection = sqlite3.connect(Path(folder) / FILE_NAME)
        path.write_text("\n".join(connection.iterdump()) + "\n", encoding="utf-8")
        connection.close()
    lines = ",\n".join(json.dumps(table, ensure_ascii=False) for table in told)
    path.with_suffix(".json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
