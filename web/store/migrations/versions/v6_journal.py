"""The journal: what happened at each table, as events. That of an older table is written from its log and settings."""

import sqlalchemy as sa
from alembic import op

from web.store import journalling
from web.store.migrations.common import on_postgresql, table_id

revision = "6"
down_revision = "5.webhook_places"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        table_id(),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("by", sa.String(100), nullable=False),
        sa.Column("request", sa.String(64), nullable=False),
        sa.Column("chain", sa.String(32), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "blobs",
        table_id(),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
    journalling.derive_all(op.get_bind())
    if on_postgresql():
        op.execute("DROP TABLE IF EXISTS changes")  # the number of a table's last event says the same
