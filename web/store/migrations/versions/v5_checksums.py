"""Version 5: rows that matter carry checksums, lines of a log each with that of the line before.

It is also the first that PostgreSQL had: what servers share begins here.
"""

import secrets
from typing import Any

import sqlalchemy as sa
from alembic import op

from web.store.migrations import old_checksums as checksums
from web.store.migrations.common import on_postgresql

revision = "5"
down_revision = "4"
branch_labels = None
depends_on = None


def _setup() -> list["sa.ColumnClause[Any]"]:
    texts = [sa.column(name, sa.String) for name in ("key", "game", "options", "players", "created_at")]
    return [*texts, sa.column("keep_corrections", sa.Boolean)]


TABLES = sa.table(
    "tables",
    sa.column("id"),
    *_setup(),
    *map(sa.column, ("code", "active_at", "finished_at", "active_no", "next_key", "digest")),
    *map(sa.column, ("lines", "head", "lost", "sum")),
)
SETUPS = sa.table("setups", sa.column("table_id"), *_setup(), sa.column("sum"))
LOG = sa.table("log", *map(sa.column, ("id", "table_id", "seq", "request", "body", "device", "at", "sum")))
PENDING = sa.table("pending", *map(sa.column, ("table_id", "reading", "body", "sum")))
RESULTS = sa.table("results", *map(sa.column, ("table_id", "player", "name", "score", "place", "sum")))
LESSONS = sa.table(
    "lessons", sa.column("table_id"), sa.column("seq"), sa.column("body", sa.LargeBinary), sa.column("sum")
)


def upgrade() -> None:
    for name in ("tables", "log", "results", "lessons", "pending"):
        op.add_column(name, sa.Column("sum", sa.String(32), nullable=False, server_default=sa.text("''")))
    op.add_column("tables", sa.Column("lines", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("tables", sa.Column("head", sa.String(32), nullable=False, server_default=sa.text("''")))
    op.add_column("tables", sa.Column("lost", sa.Integer))
    _make_setups()
    op.create_table("identity", sa.Column("name", sa.String(32), primary_key=True))
    op.execute(sa.insert(sa.table("identity", sa.column("name"))).values(name=secrets.token_hex(16)))
    _vouch_logs()
    _vouch_rest()
    if on_postgresql():
        _make_shared()


def _make_setups() -> None:
    op.create_table(
        "setups",
        sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("keep_corrections", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.String(32), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )


def _vouch_logs() -> None:
    """The checksums of all tables and their logs: in few statements, since there may be thousands of tables."""
    connection = op.get_bind()
    rows = {row["id"]: dict(row) for row in connection.execute(sa.select(TABLES)).mappings()}
    for row in rows.values():
        row |= {"lines": 0, "head": checksums.setup_sum(row["id"], row), "lost": None}
    columns = (LOG.c.id, LOG.c.table_id, *(LOG.c[name] for name in checksums.LINE))
    sums = []
    for line, table_id, *fields in connection.execute(sa.select(*columns).order_by(LOG.c.table_id, LOG.c.seq)):
        row = rows[table_id]
        row |= {"lines": fields[0], "head": checksums.chain_sum(row["head"], *fields)}
        sums.append({"line": line, "value": row["head"]})
    if sums:
        each = sa.update(LOG).where(LOG.c.id == sa.bindparam("line"))
        connection.execute(each.values(sum=sa.bindparam("value")), sums)
    if rows:
        connection.execute(sa.insert(SETUPS), [_setup_row(row) for row in rows.values()])
        values = [
            {"number": row["id"], "many": row["lines"], "end": row["head"], "value": checksums.table_sum(row)}
            for row in rows.values()
        ]
        each = sa.update(TABLES).where(TABLES.c.id == sa.bindparam("number"))
        each = each.values(lines=sa.bindparam("many"), head=sa.bindparam("end"), sum=sa.bindparam("value"))
        connection.execute(each, values)


def _setup_row(row: dict[str, Any]) -> dict[str, Any]:
    setup = {name: row[name] for name in checksums.SETUP}
    return {"table_id": row["id"], **setup, "sum": checksums.setup_sum(row["id"], row)}


def _vouch_rest() -> None:
    connection = op.get_bind()
    for held in connection.execute(sa.select(RESULTS)).mappings().all():
        same = sa.and_(RESULTS.c.table_id == held["table_id"], RESULTS.c.player == held["player"])
        connection.execute(sa.update(RESULTS).where(same).values(sum=checksums.row_sum("results", dict(held))))
    for held in connection.execute(sa.select(LESSONS)).mappings().all():
        same = sa.and_(LESSONS.c.table_id == held["table_id"], LESSONS.c.seq == held["seq"])
        value = checksums.row_sum("lessons", held)
        connection.execute(sa.update(LESSONS).where(same).values(sum=value))
    for held in connection.execute(sa.select(PENDING)).mappings().all():
        value = checksums.row_sum("pending", held)
        connection.execute(sa.update(PENDING).where(PENDING.c.table_id == held["table_id"]).values(sum=value))


def _make_shared() -> None:
    op.create_index("ix_tables_next_key", "tables", ["next_key"])
    op.create_table(
        "changes",
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "photos",
        sa.Column("reading", sa.String(64), primary_key=True),
        sa.Column("original", sa.LargeBinary, nullable=False),
        sa.Column("shown", sa.LargeBinary),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("put_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
        sa.Column("held_by", sa.String(32), nullable=False),
        sa.Column("held_until", sa.DateTime(timezone=True), nullable=False),
    )
    # Photos are packed already: PostgreSQL need not try.
    op.execute("ALTER TABLE photos ALTER COLUMN original SET STORAGE EXTERNAL")
    op.execute("ALTER TABLE photos ALTER COLUMN shown SET STORAGE EXTERNAL")
    op.execute(sa.schema.CreateSequence(sa.Sequence("activity")))
