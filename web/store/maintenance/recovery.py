"""Recovers what is whole in a damaged store, and makes a new store of it.

A row counts if its bytes can be read and its checksum fits, wherever it is. A table's log is the lines that follow its
setup, one after the other. The damaged files are never changed: they are moved aside.
"""

import contextlib
import itertools
import json
import os
import shutil
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, insert
from sqlalchemy import Table as SqlTable

import scorer
from web.session.happenings import last_number
from web.session.replay import PlayerResult, rebuild_table, results
from web.store import checksums, journalling, player_rows, schema, writing
from web.store.codes import new_code
from web.store.disk import replace_file
from web.store.maintenance import sqlite_pages
from web.store.maintenance.checking import reading
from web.store.maintenance.log_heads import LogHead, LogHeads, key_hash
from web.store.migrations import upgrade

Row = dict[str, Any]

ASIDE = "rollcall-damaged-{}"  # with .db, .db-wal and .heads: the files that were moved aside, and when
BESIDE = ("-wal", "-shm")
AT_ONCE = 100  # rows of one statement
EVENT_TEXTS = ("kind", "body", "at", "by", "request", "chain")
MOST_LINES = 4 * scorer.MOST_ACTIONS  # more than any log has


@dataclass
class RecoveredTable:
    """A recovered table. `lost`: how many lines of its log are missing, 0 for an unknown number, None for none."""

    row: Row
    lines: list[Row]
    lost: int | None
    results: list[Row] = field(default_factory=list)


@dataclass
class Recovery:
    """What was recovered of a store. `gone`: the heads of lost tables."""

    tables: list[RecoveredTable]
    gone: list[LogHead]
    visits: list[Row]

    @property
    def damaged(self) -> list[RecoveredTable]:
        return [table for table in self.tables if table.lost is not None]


class _CandidateRows:
    """All rows of a store that may be right, by their game table."""

    def __init__(self, path: Path) -> None:
        self.tables: dict[int, list[Row]] = defaultdict(list)
        self.setups: dict[int, Row] = {}
        self.lines: dict[int, dict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
        self.results: dict[int, dict[int, Row]] = defaultdict(dict)
        self.visits: dict[tuple[str, int], Row] = {}
        self.erased: set[int] = set()  # tables that people deleted
        kinds: list[tuple[SqlTable, Callable[[Row], None]]] = [
            (schema.tables, self._table),
            (schema.log, self._line),
            (schema.setups, self._setup),
            (schema.results, self._result),
            (schema.visits, self._visit),
            (schema.deletions, self._deletion),
        ]
        readers = [([column.name for column in table.columns], take) for table, take in kinds]
        for number, values in sqlite_pages.rows(_bytes(path), _bytes(_sibling(path, "-wal"))):
            for names, take in readers:
                if len(values) == len(names):
                    row = dict(zip(names, values, strict=True))
                    if row[names[0]] is None:  # an integer key is the row's number
                        row[names[0]] = number
                    take(row)

    def _table(self, row: Row) -> None:
        if isinstance(row["players"], str) and isinstance(row["game"], str):
            self.tables[row["id"]].append(row)

    def _setup(self, row: Row) -> None:
        if row["sum"] == checksums.setup_sum(row["table_id"], row):
            self.setups[row["table_id"]] = row

    def _line(self, row: Row) -> None:
        if isinstance(row["table_id"], int) and isinstance(row["seq"], int) and isinstance(row["sum"], str):
            same = self.lines[row["table_id"]][row["seq"]]
            if row not in same:
                same.append(row)

    def _result(self, row: Row) -> None:
        if checksums.holds("results", row):
            self.results[row["table_id"]][row["player"]] = row

    def _deletion(self, row: Row) -> None:
        if row["at"] == "" and checksums.holds("deletions", row):
            self.erased.add(row["table_id"])

    def _visit(self, row: Row) -> None:
        if all(isinstance(row[name], str) for name in ("device", "at")) and isinstance(row["table_id"], int):
            before = self.visits.get((row["device"], row["table_id"]))
            if before is None or before["at"] <= row["at"]:
                self.visits[row["device"], row["table_id"]] = row


def collect(path: Path, heads: LogHeads) -> Recovery:
    """What can be recovered of the store in file `path`, which may be missing. Raises OSError."""
    pool = _CandidateRows(path)
    tables, gone = [], dict(heads.known)
    for number in pool.erased:
        gone.pop(number, None)
    for number in sorted((pool.tables.keys() | pool.setups.keys()) - pool.erased):
        table = _table(number, pool, heads.known.get(number))
        if table is not None:
            tables.append(table)
            gone.pop(number, None)
        elif number not in gone:
            gone[number] = LogHead(number, 0, "", key_hash(str(pool.tables[number][-1]["key"])))
    there = {table.row["id"] for table in tables}
    keys = {
        key_hash(table.row["key"]) for table in tables
    }  # a copy of a row with a damaged number is no table of its own
    gone = {number: head for number, head in gone.items() if head.key_hash not in keys}
    visits = [visit for visit in pool.visits.values() if visit["table_id"] in there]
    return Recovery(tables, [gone[number] for number in sorted(gone)], visits)


def _table(number: int, pool: _CandidateRows, head: LogHead | None) -> RecoveredTable | None:
    """A table from its candidate rows; None if no checksum fits."""
    held = [row for row in pool.tables[number] if row["sum"] == checksums.table_sum(row)]
    setup = pool.setups.get(number)
    if setup is not None:
        held = [row for row in held if checksums.setup_sum(number, row) == setup["sum"]]
    row = max(held, key=lambda row: (row["lines"], row["active_no"]), default=None)
    fixed = setup or row or next((row for row in pool.tables[number] if _begins(row, pool.lines[number])), None)
    if fixed is None:
        return None
    start = checksums.setup_sum(number, fixed)
    told_of = [(each["lines"], each["head"]) for each in (row,) if each]
    told_of += [(each.lines, each.head) for each in (head,) if each]
    lines = _chain(start, pool.lines[number], {end for _, end in told_of})
    known = [count for count, _ in told_of]
    last: int = max(known or [seq for seq in pool.lines[number] if seq <= MOST_LINES], default=0)
    lost = max(0, last - len(lines)) + (row["lost"] or 0 if row is not None else 0)
    told = row is not None and row["lost"] is not None
    return _recovered_table(number, fixed, row, start, lines, lost if lost or told else None, pool)


def _recovered_table(
    number: int, fixed: Row, row: Row | None, start: str, lines: list[Row], lost: int | None, pool: _CandidateRows
) -> RecoveredTable:
    """The table with a new row. `row`: its newest whole row, if there is one."""
    made: Row = {"id": number, **{name: fixed[name] for name in checksums.SETUP}, "lost": lost}
    made["active_at"] = lines[-1]["at"] if lines else fixed["created_at"]
    made |= {"active_no": number, "next_key": None, "finished_at": None, "digest": None}
    if row is not None:
        made |= {name: row[name] for name in ("active_no", "next_key", "finished_at", "digest")}
    made["code"] = row["code"] if row is not None else new_code()
    made |= {"lines": len(lines), "head": lines[-1]["sum"] if lines else start}
    recovered = RecoveredTable(made, lines, lost)
    exact = row is not None and (row["lines"], row["head"]) == (made["lines"], made["head"])
    if not exact or row is None or row["finished_at"] is not None:
        _end(recovered, pool.results[number], exact)
    made["keep_corrections"] = bool(made["keep_corrections"])
    made["sum"] = checksums.table_sum(made)
    return recovered


def _begins(row: Row, lines: Mapping[int, list[Row]]) -> bool:
    """Whether the first line of a log fits the setup in `row`."""
    start = checksums.setup_sum(row["id"], row)
    return any(line["sum"] == checksums.line_sum(start, line) for line in lines.get(1, ()))


def _chain(start: str, lines: Mapping[int, list[Row]], wanted: set[str]) -> list[Row]:
    """The longest chain of lines after `start`; among equally long ones, the one with a `wanted` end.

    Two lines may have one number: one that was written and never confirmed, and its successor.
    """
    ends: dict[str, Any] = {start: None}  # each chain by its last checksum: its last line, and the chain before it
    for number in range(1, max(lines, default=0) + 1):
        longer = {}
        for line in lines.get(number, ()):
            for before, run in ends.items():
                if line["sum"] == checksums.line_sum(before, line):
                    longer[line["sum"]] = (line, run)
        if not longer:
            break
        ends = longer
    run = next((each for head, each in ends.items() if head in wanted), next(iter(ends.values())))
    found = []
    while run is not None:
        line, run = run
        found.append(line)
    return found[::-1]


def _end(recovered: RecoveredTable, found: Mapping[int, Row], exact: bool) -> None:
    """Sets the end of a game: from its results, or by replaying if these or the log are not `exact`."""
    row = recovered.row
    players = json.loads(row["players"])
    if exact and set(found) == set(range(len(players))):
        recovered.results = [found[player] for player in range(len(players))]
        return
    standings = _standings(recovered)
    row["finished_at"] = None if standings is None else row["finished_at"] or row["active_at"]
    row["digest"] = row["digest"] if exact and standings else None
    for each in standings or ():
        result = {"table_id": row["id"], **asdict(each)}
        recovered.results.append({**result, "sum": checksums.row_sum("results", result)})


def _standings(recovered: RecoveredTable) -> list[PlayerResult] | None:
    row = recovered.row
    try:
        options = scorer.options_of_table(row["game"], json.loads(row["options"]))
        bodies = [json.loads(line["body"]) for line in recovered.lines]
        return results(rebuild_table(row["game"], options, json.loads(row["players"]), bodies))
    except (scorer.Refusal, ValueError):
        return None


def replace_damaged(path: Path, heads: LogHeads) -> tuple[Recovery, str]:
    """Replaces the store in file `path` by what can be recovered, and moves the damaged files aside.

    Returns what was recovered, and the name that the moved files begin with. Raises OSError and sqlite3.Error; then the
    damaged store is still in its place.
    """
    recovered = collect(path, heads)
    with replace_file(path) as part:
        name = _make(part, recovered, path)
        aside = _put_aside(path, heads.path)
        for suffix in BESIDE:
            _sibling(path, suffix).unlink(missing_ok=True)
    known = [
        LogHead(each.row["id"], each.row["lines"], each.row["head"], key_hash(each.row["key"]))
        for each in recovered.tables
    ]
    gone = [LogHead(head.table_id, head.lines, head.head, head.key_hash, gone=True) for head in recovered.gone]
    heads.reset(name, [*known, *gone])
    return recovered, aside


def _make(part: Path, recovered: Recovery, damaged: Path) -> str:
    """Writes a new store to an empty file. Returns the store's name."""
    engine = create_engine(f"sqlite:///{part}")
    try:
        with engine.begin() as connection:
            upgrade.prepare(connection)
            _fill(connection, recovered)
            player_rows.rebuild(connection)
            _carry_over(connection, damaged, {table.row["id"]: len(table.lines) for table in recovered.tables})
            name = str(connection.exec_driver_sql("SELECT name FROM identity").scalar_one())
    finally:
        engine.dispose()
    return name


def _fill(connection: Connection, recovered: Recovery) -> None:
    columns = [column.name for column in schema.log.columns if column.name != "id"]
    rows: list[tuple[SqlTable, Iterable[Row]]] = [
        (schema.tables, (table.row for table in recovered.tables)),
        (schema.setups, (schema.setup_row(table.row) for table in recovered.tables)),
        (schema.log, ({name: line[name] for name in columns} for table in recovered.tables for line in table.lines)),
        (schema.results, (result for table in recovered.tables for result in table.results)),
        (schema.visits, ({**visit, "hidden": bool(visit["hidden"])} for visit in recovered.visits)),
    ]
    for table, values in rows:
        if filled := list(values):
            connection.execute(insert(table), filled)


def _carry_over(connection: Connection, damaged: Path, tables: Mapping[int, int]) -> None:
    """Copies all else that SQLite can read and whose checksums fit: events, blobs, addresses, deletions, kept games.
    `tables`: the numbers of lines of the recovered tables."""
    for table in (schema.events, schema.blobs, schema.webhooks, schema.deletions):
        held = (row for row in _readable(damaged, table) if _is_whole(table, row, tables))
        while some := list(itertools.islice(held, AT_ONCE)):  # pictures may be large
            connection.execute(insert(table), some)
    for number in tables:
        settings = journalling.settings(connection, number)
        journalling.derive(connection, number, settings)
        writing.project(connection, number, settings)
    games = [row for row in _readable(damaged, schema.own_games) if checksums.holds("own_games", row)]
    known = {row["digest"] for row in games}
    kept = [row for row in _readable(damaged, schema.kept_games) if row["digest"] in known and _are_texts(row)]
    for table, found in ((schema.own_games, games), (schema.kept_games, kept)):
        if found:
            connection.execute(insert(table), found)


def _is_whole(table: SqlTable, row: Row, tables: Mapping[int, int]) -> bool:
    if table is schema.deletions:
        known = row["table_id"] in tables or row["at"] == ""
        return known and checksums.holds(table.name, row)
    if row["table_id"] not in tables:
        return False
    if table is schema.events:  # the chain of the hashes says the rest
        return isinstance(row["number"], int) and all(isinstance(row[name], str) for name in EVENT_TEXTS)
    if table is schema.blobs:
        return isinstance(row["body"], bytes) and sha256(row["body"]).hexdigest() == row["hash"]
    if not checksums.holds(table.name, row):
        return False
    # Each address is told on from where it was; from the first event on if that is not known.
    known = isinstance(row["number"], int) and 0 <= row["number"] <= last_number(tables[row["table_id"]])
    row |= {"number": row["number"] if known else 0, "tries": 0, "due": 0.0, "failure": "", "given_up": False}
    row |= {"held_by": None, "held_until": None}
    row |= {name: row[name] if isinstance(row[name], str) else "" for name in ("origin", "receiver")}
    return True


def _are_texts(row: Row) -> bool:
    return all(isinstance(value, str) for value in row.values())


def _readable(path: Path, table: SqlTable, *columns: str) -> Iterator[Row]:
    """The rows that can be read. `columns`: all if none is named."""
    if not path.is_file() or not path.stat().st_size:
        return  # SQLite deletes the write-ahead log of an empty file
    names = columns or [column.name for column in table.columns]  # damage may have renamed some, also to capitals
    with contextlib.suppress(sqlite3.Error), reading(path) as store:
        for row in store.execute(f"SELECT {', '.join(names)} FROM {table.name} NOT INDEXED"):
            yield dict(zip(names, row, strict=True))


def _put_aside(path: Path, heads: Path) -> str:
    """Gives the damaged files second names, which needs no room on the disk."""
    base = aside = ASIDE.format(time.strftime("%Y-%m-%d-%H%M%S"))
    number = 1
    while path.with_name(f"{aside}.db").exists() or path.with_name(f"{aside}.heads").exists():
        number += 1
        aside = f"{base}-{number}"
    for file, name in ((path, f"{aside}.db"), (_sibling(path, "-wal"), f"{aside}.db-wal"), (heads, f"{aside}.heads")):
        if file.exists():
            _further_name(file, path.with_name(name))
    return aside


def _further_name(file: Path, name: Path) -> None:
    try:
        os.link(file, name)
    except OSError:  # a memory stick without second names
        shutil.copy2(file, name)


def _sibling(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
