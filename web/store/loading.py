"""Reads a table from either engine: its row, the whole part of its log, and its settings.

A damaged row of its settings counts as missing.
"""

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, Table, select

import scorer
from web.problems import Problem
from web.session.access_list import AccessList, ConnectedProgram, ConnectedWebhook, Deletion, KnownPhone
from web.session.photo_state import UnderReview, from_json
from web.session.stored_table import ADVICE, Entry, LoadedTable, Settings, TableRow
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


def settings(connection: Connection, table_id: int) -> Settings:
    """What a table has besides its log."""
    return Settings(
        photo_of(_row(connection, schema.pending, table_id)),
        set(connection.scalars(select(schema.lessons.c.seq).where(schema.lessons.c.table_id == table_id))),
        advice_of(_row(connection, schema.preferences, table_id)),
        dice_set(connection, table_id),
        access_list(connection, table_id),
        keeps_pictures_of(_row(connection, schema.agreements, table_id)),
        webhooks_of(*(_rows(connection, each, table_id) for each in (schema.webhooks, schema.deliveries))),
    )


def dice_set(connection: Connection, table_id: int) -> str:
    return dice_set_of(_row(connection, schema.dice_sets, table_id))


def access_list(connection: Connection, table_id: int) -> AccessList:
    phones, programs = (_rows(connection, each, table_id) for each in (schema.phones, schema.programs))
    owner, deleted = (_row(connection, each, table_id) for each in (schema.owners, schema.deletions))
    return access_list_of(owner, phones, deleted, programs)


def tables_of_program(connection: Connection, token_hash: str) -> list[str]:
    """The keys of the tables that let in the program whose token has this hash."""
    programs, tables = schema.programs, schema.tables
    query = select(programs, tables.c.key).join(tables, tables.c.id == programs.c.table_id)
    rows = connection.execute(query.where(programs.c.hash == token_hash)).mappings()
    return [row["key"] for row in rows if checksums.holds("programs", row)]


def is_erased(connection: Connection, key: str) -> bool:
    """Whether this is the key of a table that was deleted for good."""
    deletions = schema.deletions.c
    query = select(deletions.table_id).where(deletions.mark == codes.mark_of(key), deletions.at == "")
    return connection.execute(query).first() is not None


def pictures(connection: Connection, table_id: int) -> Iterator[dict[str, Any]]:
    """The pictures of a table's throws, without its number and their checksums, one in memory at a time."""
    held = schema.pictures.c
    for seq in connection.scalars(select(held.seq).where(held.table_id == table_id)).all():
        query = select(held.seq, held.hash, held.body).where(held.table_id == table_id, held.seq == seq)
        yield dict(connection.execute(query).mappings().one())


def _row(connection: Connection, table: Table, table_id: int) -> Row | None:
    return connection.execute(select(table).where(table.c.table_id == table_id)).mappings().one_or_none()


def _rows(connection: Connection, table: Table, table_id: int) -> Sequence[Row]:
    return connection.execute(select(table).where(table.c.table_id == table_id)).mappings().all()


def photo_of(row: Row | None) -> UnderReview | None:
    """The photo in a row of `schema.pending`. None if another Rollcall wrote it and this one cannot read it: the throw
    can be photographed again."""
    if row is None or not checksums.holds("pending", row):
        return None
    try:
        return from_json(json.loads(row["body"]))
    except (LookupError, TypeError, ValueError) as error:
        logger.warning("a photo under review is not understood: %s", error)
        return None


def advice_of(row: Row | None) -> str:
    if row is None or row["advice"] not in ADVICE or not checksums.holds("preferences", row):
        return ADVICE[0]
    return str(row["advice"])


def keeps_pictures_of(row: Row | None) -> bool:
    return row is not None and checksums.holds("agreements", row) and bool(row["pictures"])


def dice_set_of(row: Row | None) -> str:
    return str(row["name"]) if row is not None and checksums.holds("dice_sets", row) else ""


def access_list_of(
    owner: Row | None, phones: Sequence[Row], deleted: Row | None, programs: Sequence[Row] = ()
) -> AccessList:
    """Who may come to a table, from its rows of `schema.owners`, `phones`, `deletions` and `programs`."""
    connected = sorted((row for row in programs if checksums.holds("programs", row)), key=lambda row: row["at"])
    by_hash = {row["hash"]: ConnectedProgram(row["name"], row["may"], row["at"]) for row in connected}
    deletion = None
    if deleted is not None and deleted["at"] and checksums.holds("deletions", deleted):
        deletion = Deletion(deleted["device"], deleted["at"], deleted["lines"])
    if owner is None or not checksums.holds("owners", owner):
        return AccessList(deletion=deletion, programs=by_hash)
    whole = sorted((row for row in phones if checksums.holds("phones", row)), key=_came)
    known = {row["device"]: KnownPhone(row["name"], row["at"], row["out"]) for row in whole}
    return AccessList(owner["device"], owner["closed"], owner["guarded"], known, deletion, by_hash)


def webhooks_of(hooks: Sequence[Row], deliveries: Sequence[Row]) -> dict[str, ConnectedWebhook]:
    """The addresses of a table by their ids, from its rows of `schema.webhooks` and `deliveries`."""
    given_up = {row["webhook"]: bool(row["given_up"]) for row in deliveries}
    whole = sorted((row for row in hooks if checksums.holds("webhooks", row)), key=lambda row: (row["at"], row["id"]))
    names = ("name", "address", "secret", "maker", "at")
    return {
        row["id"]: ConnectedWebhook(**{name: row[name] for name in names}, given_up=given_up.get(row["id"], False))
        for row in whole
    }


def _came(row: Row) -> tuple[str, str]:
    return row["at"], row["device"]


def entry(line: Any) -> Entry:
    """The entry in a row of LINES."""
    return Entry(line.seq, line.request, json.loads(line.body), line.device, line.at)


def table_row(row: Any) -> TableRow:
    plain = {field.name: getattr(row, field.name) for field in fields(TableRow)}
    options = scorer.options_of_table(row.game, json.loads(row.options))
    return TableRow(**{**plain, "options": options, "players": tuple(json.loads(row.players))})
