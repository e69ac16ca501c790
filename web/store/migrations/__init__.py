"""The revisions of the store, one after the other, for a file of SQLite and for PostgreSQL alike.

A revision is written out and takes nothing from `web.store.schema`, which later ones change. It is named after the
version of the store, and one that an older Rollcall of that version can do without after it: "5.owners".
"""

import sqlalchemy as sa
from alembic import op


def on_postgresql() -> bool:
    """Whether the store is one that servers share: it has tables that a file does without."""
    return bool(op.get_bind().dialect.name == "postgresql")


def table_id() -> "sa.Column[int]":
    """The column by which a row belongs to a table, and goes with it."""
    of_table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    return sa.Column("table_id", sa.Integer, of_table, primary_key=True, autoincrement=False)
