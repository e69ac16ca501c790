"""Reads a table from either engine: its row, and the whole part of its log."""

import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, select

import scorer
from web.problems import Problem
from web.session.access_list import PROGRAM
from web.session.stored_table import Entry, LoadedTable, Settings, TableRow
from web.store import checksums, codes, schema
from web.store.checksums import LogChain, Row

LINES = select(*(schema.log.c[name] for name in (*checksums.LINE, "sum"))).order_by(schema.log.c.seq)

logger = logging.getLogger(__name__)


def find(connection: Connection, key: str) -> TableRow | None:
    """The table with this key. Raises `Problem` if its row is damaged."""
    row = connection.execute(select(schema.tables).where(schema.tables.c.key == key)).one_or_none()
    if row is not None and row.sum != checksums.table_sum(row._mapping):
        raise Problem("store-damaged", 503)
    return None if row is None else table_row(row)


def load(
    connection: Connection, row: TableRow, settings: Callable[[Connection, int], Settings]
) -> tuple[LoadedTable, bool]:
    """A table as stored now, and whether all of its log is whole, except for lines already marked as lost."""
    found = connection.execute(select(schema.tables).where(schema.tables.c.id == row.id)).one_or_none()
    if found is None:
        return LoadedTable(row, [], None, Settings()), True
    held = found._mapping
    rows, chain = log_of(connection, held)
    holds = held["sum"] == checksums.table_sum(held) and (chain.lines, chain.head) == (held["lines"], held["head"])
    lost = held["lost"] if holds else max(0, max(held["lines"], len(rows)) - chain.lines)
    entries = [entry(line) for line in rows[: chain.lines]]
    return LoadedTable(table_row(found) if holds else row, entries, lost, settings(connection, row.id)), holds


def log_of(connection: Connection, held: Row) -> tuple[Sequence[Any], LogChain]:
    """All lines of a table's log, oldest first, and how far they are whole."""
    rows = connection.execute(LINES.where(schema.log.c.table_id == held["id"])).all()
    return rows, checksums.follow(checksums.setup_sum(held["id"], held), rows)


def tables_of_program(connection: Connection, token_hash: str) -> list[str]:
    """The keys of the tables that let in the program whose token has this hash."""
    members, tables = schema.members.c, schema.tables.c
    query = select(tables.key).join(schema.members, members.table_id == tables.id)
    return list(connection.scalars(query.where(members.member == PROGRAM + token_hash)))


def is_erased(connection: Connection, key: str) -> bool:
    """Whether this is the key of a table that was deleted for good."""
    deletions = schema.deletions.c
    query = select(deletions.table_id).where(deletions.mark == codes.mark_of(key), deletions.at == "")
    return connection.execute(query).first() is not None


def entry(line: Any) -> Entry:
    """The entry in a row of LINES."""
    return Entry(line.seq, line.request, json.loads(line.body), line.device, line.at)


def table_row(row: Any) -> TableRow:
    plain = {field.name: getattr(row, field.name) for field in fields(TableRow)}
    options = scorer.options_of_table(row.game, json.loads(row.options))
    return TableRow(**{**plain, "options": options, "players": tuple(json.loads(row.players))})
