"""Version 1 of the store: tables, their logs, photos under review, results."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None

TABLE = "tables.id"


def upgrade() -> None:
    op.create_table("schema_version", sa.Column("version", sa.Integer, primary_key=True, autoincrement=False))
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("keep_corrections", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.String(32), nullable=False),
        sa.Column("active_at", sa.String(32), nullable=False),
        sa.Column("finished_at", sa.String(32)),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_tables_code", "tables", ["code"])
    op.create_table(
        "log",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("device", sa.String(60), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("table_id", "seq"),
        sa.UniqueConstraint("table_id", "request"),
    )
    op.create_table(
        "pending",
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), primary_key=True, autoincrement=False),
        sa.Column("reading", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), primary_key=True, autoincrement=False),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
    )
    op.create_table(
        "visits",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), primary_key=True, autoincrement=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
