"""Stores as damaged disks leave them: bits flipped, sectors zeroed, pages doubled, files cut off, parts of others."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Column, Connection, Float, Integer, LargeBinary, text
from sqlalchemy.exc import DBAPIError

from tests.web.apps import create_app
from tests.web.phones import JSON, Phone, any_legal, start
from web.services import services
from web.store import schema
from web.store.sqlite import FILE_NAME, SqliteStore

GAMES = {"ones-and-fives": {}, "kosci-triple": {}, "drapky": {}, "farkle": {"target": 2000}, "sequence": {"target": 20}}
FILES = (FILE_NAME, f"{FILE_NAME}-wal", "rollcall.ends")
ACTIONS = 20  # at each table
LATER = 4  # more, which are still in the log when the server is killed
PAGE, SECTOR = 4096, 512  # bytes that SQLite and disks write at once

Json = dict[str, Any]


@dataclass
class Made:
    """A data folder as a server left it, ended cleanly or killed, and what its phones were shown last."""

    folder: Path
    truth: dict[str, Json]


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


# --- what a disk may do ----------------------------------------------------------------------------------------------

Damage = Callable[[Path, random.Random, Path], None]  # to a data folder, perhaps with parts of another


def to_file(name: str, change: Callable[[bytearray, random.Random, bytes], bytes | bytearray]) -> Damage:
    """Changes this file, or the store if there is none. `change` also gets the same file of the other folder."""

    def damage(folder: Path, dice: random.Random, other: Path) -> None:
        path = folder / name if (folder / name).exists() else folder / FILE_NAME
        theirs = other / path.name
        if path.exists() and path.stat().st_size:
            data = bytearray(path.read_bytes())
            path.write_bytes(change(data, dice, theirs.read_bytes() if theirs.exists() else b""))

    return damage


def flip(data: bytearray, dice: random.Random, other: bytes) -> bytearray:
    for _ in range(dice.randint(1, 20)):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    return data


def flip_structure(data: bytearray, dice: random.Random, other: bytes) -> bytearray:
    """Flips some bits of what says where the rows of a page lie, or what the whole file is."""
    for _ in range(dice.randint(1, 3)):
        page = dice.choice([0, *range(len(data) // PAGE)]) * PAGE
        data[min(page + dice.randrange(32 if page else 132), len(data) - 1)] ^= 1 << dice.randrange(8)
    return data


def write_over(length: int, source: str) -> Callable[[bytearray, random.Random, bytes], bytearray]:
    """Writes over one to three parts of so many bytes: with zeros, other parts of the file, or parts of another one."""

    def change(data: bytearray, dice: random.Random, other: bytes) -> bytearray:
        parts = {"zeros": b"", "doubled": bytes(data), "another": other}[source]
        for _ in range(dice.randint(1, 3)):
            at, taken = (dice.randrange(max(1, len(each) // length)) * length for each in (data, parts))
            data[at : at + length] = parts[taken : taken + length].ljust(length, b"\0")
        return data

    return change


def cut(data: bytearray, dice: random.Random, other: bytes) -> bytearray:
    return data[: dice.randrange(len(data))]


def swap_end(data: bytearray, dice: random.Random, other: bytes) -> bytearray:
    """Ends as another store ends."""
    pages = min(len(data), len(other)) // PAGE
    at = dice.randrange(pages // 2, pages + 1) * PAGE
    return data[:at] + other[at:]


def zero_rows_of_tables(folder: Path, dice: random.Random, other: Path) -> None:
    """Zeros a sector with rows of `tables`: SQLite then finds the number 0, whichever it is asked for."""
    path = folder / FILE_NAME
    page = PAGE
    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as store:
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page *= store.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tables'").fetchone()[0] - 1

    def change(data: bytearray, dice: random.Random, other: bytes) -> bytearray:
        first = page + int.from_bytes(data[page + 5 : page + 7], "big")  # byte of a row
        at = dice.randrange(first // SECTOR, (page + PAGE) // SECTOR) * SECTOR
        data[max(at, first) : at + SECTOR] = bytes(at + SECTOR - max(at, first))
        return data

    to_file(FILE_NAME, change)(folder, dice, other)


def empty(folder: Path, dice: random.Random, other: Path) -> None:
    (folder / FILE_NAME).write_bytes(b"")


def remove(name: str) -> Damage:
    def damage(folder: Path, dice: random.Random, other: Path) -> None:
        (folder / name if (folder / name).exists() else folder / FILE_NAME).unlink(missing_ok=True)

    return damage


def take(name: str) -> Damage:
    """Puts another store's file in the place of this one's."""

    def damage(folder: Path, dice: random.Random, other: Path) -> None:
        with suppress(FileNotFoundError):
            shutil.copy(other / name, folder / name)

    return damage


STORE, LOG, ENDS = FILES
KINDS: dict[str, Damage] = {
    "bits of the store": to_file(STORE, flip),
    "zeroed rows of tables": zero_rows_of_tables,
    "zeroed sectors": to_file(STORE, write_over(SECTOR, "zeros")),
    "bits of the log": to_file(LOG, flip),
    "zeroed pages": to_file(STORE, write_over(PAGE, "zeros")),
    "bits of the structure": to_file(STORE, flip_structure),
    "doubled pages": to_file(STORE, write_over(PAGE, "doubled")),
    "cut store": to_file(STORE, cut),
    "pages of another store": to_file(STORE, write_over(PAGE, "another")),
    "cut log": to_file(LOG, cut),
    "bits of the ends": to_file(ENDS, flip),
    "swapped end": to_file(STORE, swap_end),
    "no log": remove(LOG),
    "doubled sectors": to_file(STORE, write_over(SECTOR, "doubled")),
    "empty store": empty,
    "no store": remove(STORE),
    "zeroed log": to_file(LOG, write_over(SECTOR, "zeros")),
    "sectors of another store": to_file(STORE, write_over(SECTOR, "another")),
}
# Together with one of these, nobody can know what is lost: only that it starts, or says why it does not, is asked.
UNTOLD: dict[str, Damage] = {
    "another store's log": take(LOG),
    "another store's ends": take(ENDS),
    "no ends": remove(ENDS),
    "cut ends": to_file(ENDS, cut),
    "zeroed ends": to_file(ENDS, write_over(SECTOR, "zeros")),
}


# --- what may stand in a database ------------------------------------------------------------------------------------


def damage_rows(connection: Connection, dice: random.Random) -> None:
    """Changes, removes or doubles some rows of a database, as a damaged index or an older copy of a page would."""
    connection.execute(text("SET LOCAL session_replication_role = replica"))  # no reference holds
    for _ in range(dice.randint(1, 4)):
        table = dice.choice(schema.metadata.sorted_tables)
        rows = connection.execute(text(f"SELECT ctid::text FROM {table.name}")).scalars().all()
        if not rows:
            continue
        row, other = dice.choice(rows), dice.choice(rows)
        column = dice.choice(list(table.columns))
        where = f"WHERE ctid = '{row}'"
        statement = {
            "gone": f"DELETE FROM {table.name} {where}",
            "empty": f'UPDATE {table.name} SET "{column.name}" = NULL {where}',
            "odd": f'UPDATE {table.name} SET "{column.name}" = {_odd(column, dice)} {where}',
            "another": f'UPDATE {table.name} SET "{column.name}" = (SELECT "{column.name}" FROM {table.name} WHERE ctid'
            f" = '{other}') {where}",
        }[dice.choice(["gone", "empty", "odd", "odd", "another"])]
        with suppress(DBAPIError), connection.begin_nested():  # what the database itself refuses
            connection.execute(text(statement))


def _odd(column: Column[Any], dice: random.Random) -> str:
    match column.type:
        case Boolean():
            return dice.choice(["TRUE", "FALSE"])
        case Integer():
            return dice.choice(["0", "-1", "2147483647", "7"])
        case Float():
            return dice.choice(["'NaN'", "-1", "'Infinity'"])
        case LargeBinary():
            return "'\\x00ff'"
    return dice.choice(["''", "'[]'", "'null'", "'{}'", "'x'", "'9'", "'[1, 2]'", "'{\"do\": 3}'"])


def correct(phone: Phone, dice: random.Random) -> None:
    """Corrects an earlier throw to other dice."""
    moves = phone.get("history")["moves"]
    step = dice.choice([step for step, move in enumerate(moves, start=1) if move["action"]["do"] == "throw"])
    action = {"do": "throw", "dice": [dice.randint(1, 6) for _ in moves[step - 1]["action"]["dice"]]}
    answer = phone.post("corrections", step=step, action=action, drop_tail=True)
    assert answer.status_code == 200, answer.get_json()
