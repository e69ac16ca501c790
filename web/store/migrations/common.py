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
