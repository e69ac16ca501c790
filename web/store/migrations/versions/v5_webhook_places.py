"""Addresses where programs are told have places by who wanted them, and by who is told. Added beside version 5."""

import sqlalchemy as sa
from alembic import op

revision = "5.webhook_places"
down_revision = "5.lone_readings"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, length in (("origin", 64), ("receiver", 300)):
        op.add_column("deliveries", sa.Column(name, sa.String(length), nullable=False, server_default=sa.text("''")))
