"""Version 5 of the store, the first that PostgreSQL has.

Written out, not taken from `web.tables.schema`, which later versions change.
"""

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = None
branch_labels = None
depends_on = None

TABLE = "tables.id"


def upgrade() -> None:
    _make_store()
    _make_tables()
    _make_logs()
    _make_shared()


def _make_store() -> None:
    op.create_table("schema_version", sa.Column("version", sa.Integer, primary_key=True, autoincrement=False))
    op.create_table("identity", sa.Column("name", sa.String(32), primary_key=True))


def _make_tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer, primary_key=True),
        *_setup(),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("active_at", sa.String(32), nullable=False),
        sa.Column("finished_at", sa.String(32)),
        sa.Column("active_no", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("next_key", sa.String(64)),
        sa.Column("digest", sa.String(64)),
        sa.Column("lines", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("head", sa.String(32), nullable=False, server_default=sa.text("''")),
        sa.Column("lost", sa.Integer),
        _sum(),
        sa.UniqueConstraint("key"),
    )
    op.create_index("ix_tables_code", "tables", ["code"])
    op.create_index("ix_tables_active", "tables", ["active_no"])
    op.create_index("ix_tables_next_key", "tables", ["next_key"])
    op.create_table(
        "setups",
        sa.Column("table_id", sa.Integer, primary_key=True, autoincrement=False),
        *_setup(),
        sa.Column("sum", sa.String(32), nullable=False),
    )


def _make_logs() -> None:
    op.create_table(
        "log",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("device", sa.String(60), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        _sum(),
        sa.UniqueConstraint("table_id", "seq"),
        sa.UniqueConstraint("table_id", "request"),
    )
    op.create_table(
        "pending",
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), primary_key=True, autoincrement=False),
        sa.Column("reading", sa.String(64), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        _sum(),
    )
    op.create_table(
        "lessons",
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE, ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        _sum(),
    )
    op.create_table(
        "preferences",
        sa.Column(
            "table_id", sa.Integer, sa.ForeignKey(TABLE, ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        sa.Column("advice", sa.String(8), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.create_table(
        "dice_sets",
        sa.Column(
            "table_id", sa.Integer, sa.ForeignKey(TABLE, ondelete="CASCADE"), primary_key=True, autoincrement=False
        ),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        _sum(),
    )
    op.create_table(
        "visits",
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
    )


def _make_shared() -> None:
    op.create_table(
        "changes",
        sa.Column("table_id", sa.Integer, sa.ForeignKey(TABLE), primary_key=True, autoincrement=False),
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


def _setup() -> list["sa.Column[object]"]:
    return [
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("keep_corrections", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.String(32), nullable=False),
    ]


def _sum() -> "sa.Column[str]":
    return sa.Column("sum", sa.String(32), nullable=False, server_default=sa.text("''"))
