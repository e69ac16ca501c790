"""Servers that share a database share the tokens of their owner. Added beside version 5."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import on_postgresql

revision = "5.owner_tokens"
down_revision = "5.webhooks"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if on_postgresql():
        op.create_table(
            "owner_tokens",
            sa.Column("hash", sa.String(64), primary_key=True),
            sa.Column("name", sa.String(60), nullable=False),
            sa.Column("at", sa.String(32), nullable=False),
        )
