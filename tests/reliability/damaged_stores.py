"""Opens damaged stores, each in a process of its own with bounds of time and memory, and judges what is served of them.

    python -m tests.reliability.damaged_stores FOLDER STORES SEED [database]

prints a line for each store, and the sums as JSON at last. With `database`, rows of PostgreSQL are damaged.
"""

import gc
import json
import logging
import os
import random
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine

import rollcall
import web.app
from tests.reliability.damaging import KINDS, UNTOLD, Damage, Json, Made, damage_rows, document_of, make
from tests.web.apps import create_app
from tests.web.conftest import compile_pages_once, compile_statements_once
from tests.web.phones import JSON, Phone, any_legal
from tests.web.postgres import Postgres, postgres
from tests.web.waiting import wait_until
from web.hosts.laptop import serving
from web.hosts.laptop.live_hub import Hub
from web.hosts.laptop.serve_options import ServeError
from web.hosts.merging import bring_games
from web.hosts.threads import ThreadTask
from web.problems.problem import Problem
from web.services import services
from web.store.sqlite import FILE_NAME, SqliteStore

WITHIN_S, WITHIN_BYTES = 30.0, 300 << 20
MOST_SAID = 20_000  # characters that all of it prints
PAGES = ("/", "/history", "/history/players", "/history/files", "/history.csv")
# Of so many stores, one is served by all pages; one is served as a large one, which is checked meanwhile; one has a
# copy of half-way.
FULL, LARGE, COPIED = 8, 15, 3


@dataclass
class Outcome:
    """What became of one damaged store: how it started, and how many of its tables were whole, damaged and gone."""

    start: str = ""
    tables: dict[str, int] = field(default_factory=dict)
    whole: list[str] = field(default_factory=list)  # the addresses of these
    faults: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        self.tables[what] = self.tables.get(what, 0) + 1


@dataclass
class Store:
    """A damaged store. `truth`: what its phones were shown last, if that is known; `strict`: what was lost of it can be
    known."""

    folder: Path
    number: int
    name: str
    truth: dict[str, Json]
    strict: bool
    dice: random.Random

    @property
    def has_copy(self) -> bool:
        return (self.folder / "copies").exists()


# --- one store -------------------------------------------------------------------------------------------------------


def judge(store: Store) -> Outcome:
    """Does with a damaged store what people do."""
    found, folder, beside = Outcome(), str(store.folder), store.folder.parent
    has_copy, is_large, in_full = store.has_copy, store.number % LARGE == LARGE - 1, store.number % FULL == 0
    _command(found, "check", "--data", folder)
    match store.number % 8:
        case 0:
            _command(found, "tables", "--data", folder)
        case 2:
            _command(found, "backup", str(beside / "backup"), "--data", folder)
        case 4:
            _command(found, "move", folder, str(beside / "moved"))
        case 6:
            _bring(store.folder, beside)
    if is_large:
        SqliteStore.checked_at_once = -1
    try:
        with serving._folder_errors(store.folder):
            if is_large or in_full:
                application = create_app(store.folder, reader=object())  # type: ignore[arg-type]
                opened = services(application).store
            else:
                opened = SqliteStore(store.folder)
    except ServeError as error:
        found.start = "refused"
        if "\n" in str(error):
            found.faults.append(f"more than a line: {error}")
        return found
    found.start = "large" if is_large else "started"
    if is_large:
        with closing(services(application)):
            _look_around(application, store, found)
        return found
    with closing(services(application) if in_full else opened):
        if in_full:
            _serve(application, store, found)
        else:
            _open_tables(opened, store, found)
        if {"damaged", "gone"} & {*found.tables} and not opened.notices:
            found.faults.append("nothing was told of what is lost")
    key = next(iter(found.whole), None)
    if in_full and key and "deleted: 1" not in _command(found, "tables", "delete", key, "--yes", "--data", folder):
        found.faults.append("a whole table cannot be deleted")
    checked = _command(found, "check", "--data", folder)
    if store.truth and "game file: whole" not in checked:  # an older one is checked once it is served
        found.faults.append(f"what was mended is not whole: {checked}")
    if has_copy and store.strict and "gone" in found.tables:
        found.faults.append("the copy has them all")
    return found


def _command(found: Outcome, *arguments: str) -> str:
    """Runs a command, which succeeds, says what is damaged, or says in one line why it does nothing. Returns what it
    said."""
    place = os.lseek(1, 0, os.SEEK_END)
    try:
        status = rollcall.main(arguments)
    except Exception:
        found.faults.append(f"{arguments[0]}: {traceback.format_exc()}")
        return ""
    said = os.pread(1, MOST_SAID, place).decode(errors="replace")
    if status not in (0, 2, *((1,) if arguments[0] == "check" else ())):
        found.faults.append(f"{arguments[0]} ends with {status}: {said}")
    if status == 2 and said.count("\n") != 1:
        found.faults.append(f"{arguments[0]} does not end in one line: {said}")
    return said


def _bring(folder: Path, beside: Path) -> None:
    """Brings the damaged games into a store that has none."""
    if (folder / FILE_NAME).exists():
        shutil.copy(folder / FILE_NAME, beside / "brought.db")
        with closing(SqliteStore(beside / "into")) as store, suppress(Problem):
            bring_games(store, beside / "brought.db")


def _look_around(application: Any, store: Store, found: Outcome) -> None:
    """Opens all pages of a store while it is checked. Any of them may say that it is damaged."""
    _open_pages(application.test_client(), store.truth, found)
    progress = services(application).store.check_progress
    wait_until(lambda: (progress() or {})["state"] != "running")
    found.start += f", {(progress() or {})['state']}"


def _open_pages(client: Any, truth: dict[str, Json], found: Outcome) -> None:
    for page in (*PAGES, *truth, *(f"{base}/history" for base in truth)):
        if (answer := client.get(page)).status_code in range(500, 600) and answer.status_code != 503:
            found.faults.append(f"{page}: {answer.status_code}")


def _open_tables(opened: SqliteStore, store: Store, found: Outcome) -> None:
    """As `_serve`, without pages."""
    for base, before in store.truth.items() if store.strict else ():
        key = base.rpartition("/")[2]
        try:
            row = opened.find(key)
            assert row is not None
            state, _ = opened.open(row)
            lines = [{**asdict(line)} for line in opened.load(row).entries]
        except Problem as problem:
            found.count("gone")
            if problem.reason != "table-lost":
                found.faults.append(f"{key}: {problem.reason}")
            continue
        for line in lines:
            del line["request"]
        found.count("whole" if state.lost is None else "damaged")
        if lines != before["log"][: None if state.lost is None else len(lines)]:
            found.faults.append(f"{key}: opened with another state")


def _serve(application: Any, store: Store, found: Outcome) -> None:
    if (answer := application.test_client().get("/")).status_code != 200:
        found.faults.append(f"the first page: {answer.status_code}")
    for base, before in store.truth.items() if store.strict else ():
        _serve_table(application.test_client(), base, before, store.dice, found)


def _serve_table(client: Any, base: str, before: Json, dice: random.Random, found: Outcome) -> None:
    answer = client.get(f"/api/v1{base}", headers=JSON)
    if answer.status_code != 200:
        reason = answer.get_json()["reason"]
        found.count("gone")
        if (answer.status_code, reason) != (410, "table-lost"):
            found.faults.append(f"{base}: {answer.status_code} {reason}")
        return
    now = document_of(client, base)
    if now["lost"] is None:
        found.count("whole")
        found.whole.append(base)
        if now != before:
            found.faults.append(f"{base}: served with another state, and nothing was said of it")
        _go_on(Phone(client, base), dice, found)
        return
    found.count("damaged")
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


def judge_database(address: str, folder: Path, truth: dict[str, Json]) -> Outcome:
    """Does with a database whose rows are damaged what people do."""
    from web.hosts.cluster.shared_server import SharedServer  # needs the extra `cluster`

    logging.getLogger("web.hosts.cluster").setLevel(logging.ERROR)  # that the tests' PostgreSQL is not durable
    found, where = Outcome("started"), ("--database", address)
    _command(found, "tables", *where)
    _command(found, "check", *where)
    try:
        with serving._folder_errors(folder, address):
            application = web.app.create_app(folder, ThreadTask, storage=SharedServer(address, folder, Hub()).storage)
    except ServeError as error:
        found.start = "refused"
        if "\n" in str(error):
            found.faults.append(f"more than a line: {error}")
        return found
    with closing(services(application)):
        _open_pages(application.test_client(), truth, found)
    for repair in ("--repair", "--rebuild"):
        if "game file:" not in _command(found, "check", repair, *where):
            found.faults.append(f"{repair} does nothing")
    return found


# --- a process for each ----------------------------------------------------------------------------------------------


def in_child(work: Callable[[], Outcome]) -> tuple[Outcome, float, int]:
    """What `work` returns in a process of its own, the seconds that it took, and its largest memory in bytes."""
    began = time.monotonic()
    reading, writing = os.pipe()
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if not child:
            _be_child(work, writing, said.fileno())
        os.close(writing)
        answer = _read_all(reading, began + WITHIN_S)
        os.close(reading)
        if answer is None:
            os.kill(child, signal.SIGKILL)
        _, status, used = os.wait4(child, 0)
        printed = os.pread(said.fileno(), 10 * MOST_SAID, 0).decode(errors="replace")
    found, memory = Outcome(**json.loads(answer)) if answer else Outcome(), used.ru_maxrss << 10
    if answer is None:
        found.faults.append("it did not end")
    elif not answer or "Traceback" in printed or len(printed) > MOST_SAID:
        found.faults.append(f"it ended with {status} and printed {printed[max(0, printed.find('Traceback')) :]}")
    if memory > WITHIN_BYTES:
        found.faults.append(f"it took {memory >> 20} MB")
    return found, time.monotonic() - began, memory


def _be_child(work: Callable[[], Outcome], writing: int, said: int) -> None:
    """Ends this process after the work."""
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (WITHIN_BYTES, WITHIN_BYTES))
        for number in (1, 2):
            os.dup2(said, number)
        found = work()
        os.write(writing, json.dumps(asdict(found)).encode())
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(0)


def _read_all(reading: int, until: float) -> bytes | None:
    """All that comes until the other end is closed; None if that is not in time."""
    came = b""
    while select.select([reading], [], [], max(0.0, until - time.monotonic()))[0]:
        some = os.read(reading, 1 << 16)
        if not some:
            return came
        came += some
    return None


# --- many stores -----------------------------------------------------------------------------------------------------


def run(folder: Path, stores: int, seed: int) -> Counter[str]:
    """Damages that many copies of some stores in all ways in turn. Returns what became of them."""
    total: Counter[str] = Counter()
    with contextmanager(compile_pages_once)(), contextmanager(compile_statements_once)():
        made, other = make(folder / "one", seed), make(folder / "two", seed + 1)
        warm_up(folder, made[0])
        gc.collect()
        gc.freeze()
        for number in range(stores):
            store = _damaged(folder / "damaged", made, other, number, seed)
            line = f"{number}: {store.name}{', with a copy' if store.has_copy else ''}"
            found, seconds, memory = in_child(partial(judge, store))
            total.update(found.tables)
            total.update(stores=1, **{found.start: 1})
            total["most_ms"] = max(total["most_ms"], round(seconds * 1000))
            total["most_mb"] = max(total["most_mb"], memory >> 20)
            _tell(f"{line}: {found.start} {found.tables}, {seconds:.2f} s, {memory >> 20} MB", found, total)
    return total


def _tell(line: str, found: Outcome, total: Counter[str]) -> None:
    print(line, flush=True)
    if found.faults:
        total["wrong"] += 1
        print("WRONG:", *found.faults, sep="\n", flush=True)


def run_databases(folder: Path, stores: int, seed: int) -> Counter[str]:
    """The same with rows of databases."""
    with postgres() as server:
        return _damage_databases(folder, server, stores, seed)


def _damage_databases(folder: Path, server: Postgres, stores: int, seed: int) -> Counter[str]:
    total: Counter[str] = Counter()
    made = make(folder, seed)[0]
    whole = server.new()
    assert rollcall.main(["move", str(made.folder), whole]) == 0
    for number in range(stores):
        address = server.new(whole.rpartition("/")[2])
        engine = create_engine(address)
        with engine.begin() as connection:
            damage_rows(connection, random.Random(f"{seed} {number}"))
        engine.dispose()
        work = partial(judge_database, address, folder / "photos", made.truth)
        found, seconds, memory = in_child(work)
        total.update(stores=1, **{found.start: 1})
        _tell(f"{number}: {found.start}, {seconds:.2f} s, {memory >> 20} MB", found, total)
        server.drop(address)
    server.drop(whole)
    return total


def warm_up(folder: Path, made: Made) -> None:
    """Does once here what every process would do again."""
    shutil.copytree(made.folder, folder / "warm")
    application = create_app(folder / "warm", reader=object())  # type: ignore[arg-type]
    store = Store(folder / "warm", 0, "", made.truth, True, random.Random(1))
    _look_around(application, store, Outcome())
    services(application).close()


def _damaged(place: Path, made: tuple[Made, Made], other: tuple[Made, Made], number: int, seed: int) -> Store:
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    dice, folder = random.Random(f"{seed} {number}"), place / "store"
    kinds: list[tuple[str, Damage]] = [*KINDS.items(), *UNTOLD.items()]
    name, damage = kinds[number % len(kinds)]
    which = dice.choice(made)
    shutil.copytree(which.folder, folder)
    if number % COPIED:
        shutil.rmtree(folder / "copies", ignore_errors=True)
    another = dice.choice(other).folder
    if name in UNTOLD:
        dice.choice([*KINDS.values()])(folder, dice, another)
    damage(folder, dice, another)
    return Store(folder, number, name, which.truth, name not in UNTOLD, dice)


if __name__ == "__main__":
    print(json.dumps((run_databases if sys.argv[4:] else run)(Path(sys.argv[1]), *map(int, sys.argv[2:4]))))
