"""Reads the rows of tables from either engine."""

import json
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, select

import scorer
from web.store import codes, schema
from web.table.access_list import PROGRAM
from web.table.stored_table import TableRow


def find(connection: Connection, key: str) -> TableRow | None:
    """The table with this key."""
    row = connection.execute(select(schema.tables).where(schema.tables.c.key == key)).one_or_none()
    return None if row is None else table_row(row)


def tables_of_program(connection: Connection, token_hash: str) -> list[str]:
    """The keys of the tables that let in the program whose token has this hash."""
    visits, tables = schema.visits.c, schema.tables.c
    query = select(tables.key).join(schema.visits, visits.table_id == tables.id)
    return list(connection.scalars(query.where(visits.device == PROGRAM + token_hash)))


def is_erased(connection: Connection, key: str) -> bool:
    """Whether this is the key of a table that was deleted for good."""
    query = select(schema.erased.c.table_id).where(schema.erased.c.mark == codes.mark_of(key))
    return connection.execute(query).first() is not None


def table_row(row: Any) -> TableRow:
    plain = {field.name: getattr(row, field.name) for field in fields(TableRow)}
    options = scorer.options_of_table(row.game, json.loads(row.options))
    return TableRow(**{**plain, "options": options, "players": tuple(json.loads(row.players))})
