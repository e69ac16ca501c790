"""Tables get owners, and what visitors do is counted. Added beside version 5, of which the games themselves are."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import on_postgresql, table_id

revision = "5.owners"
down_revision = "5.jobs"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "owners",
        table_id(),
        sa.Column("device", sa.String(64), nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
        sa.Column("guarded", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
        sa.Column("sum", sa.String(32), nullable=False),
        if_not_exists=True,  # files had them before Alembic
    )
    op.create_table(
        "phones",
        table_id(),
        sa.Column("device", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("out", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
        sa.Column("sum", sa.String(32), nullable=False),
        if_not_exists=True,  # files had them before Alembic
    )
    if on_postgresql():
        _count_visitors()


def _count_visitors() -> None:
    op.create_table(
        "tallies",
        sa.Column("what", sa.String(40), primary_key=True),
        sa.Column("who", sa.String(160), primary_key=True),
        sa.Column("span", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("ends_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_index("ix_tallies_ends", "tallies", ["ends_at"])
