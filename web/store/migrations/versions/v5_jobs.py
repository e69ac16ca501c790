"""Photos to be read become jobs, which readers take. Added beside version 5, of which the games themselves are."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import on_postgresql

revision = "5.jobs"
down_revision = "5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    if not on_postgresql():
        return
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "jobs",
        sa.Column("reading", sa.String(64), sa.ForeignKey("photos.reading", ondelete="CASCADE"), primary_key=True),
        sa.Column("table_id", sa.Integer, sa.ForeignKey("tables.id"), nullable=False, unique=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("number", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("held_by", sa.String(32)),
        sa.Column("held_until", moment),
    )
    op.create_table(
        "readers",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("seen_at", moment, nullable=False, server_default=sa.func.now()),
    )
    op.drop_column("photos", "held_by")
    op.drop_column("photos", "held_until")
