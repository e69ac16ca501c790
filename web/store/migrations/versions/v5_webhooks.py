"""Programs are told what happens at addresses of their own. Added beside version 5."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import table_id

revision = "5.webhooks"
down_revision = "5.pictures"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "webhooks",
        table_id(),
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("address", sa.String(300), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("maker", sa.String(64), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.create_table(
        "deliveries",
        table_id(),
        sa.Column("webhook", sa.String(16), primary_key=True),
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("due", sa.Float, nullable=False, server_default=sa.text("0")),
        sa.Column("failure", sa.String(20), nullable=False, server_default=sa.text("''")),
        sa.Column("given_up", sa.Boolean, nullable=False, server_default=sa.text("FALSE")),
        sa.Column("held_by", sa.String(32)),
        sa.Column("held_until", sa.Float),
    )
