"""What several revisions need."""

import sqlalchemy as sa
from alembic import op


def on_postgresql() -> bool:
    """Whether servers share the store: then it has more tables than a file."""
    return bool(op.get_bind().dialect.name == "postgresql")


def table_id() -> "sa.Column[int]":
    """The column by which a row belongs to a table and is deleted with it."""
    of_table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    return sa.Column("table_id", sa.Integer, of_table, primary_key=True, autoincrement=False)


def make_visits_anew() -> None:
    """Makes an empty table `visits`; that of before is `visits_before` then."""
    op.drop_index("ix_visits_table", "visits")
    op.rename_table("visits", "visits_before")
    op.create_table(
        "visits",
        sa.Column("device", sa.String(100), primary_key=True),
        table_id(),
        sa.Column("at", sa.String(32)),
        sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
        sa.Column("out", sa.Boolean),
        sa.Index("ix_visits_table", "table_id"),
    )
