"""Programs get tokens of their own at a table. Added beside version 5."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import table_id

revision = "5.programs"
down_revision = "5.deletions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "programs",
        table_id(),
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("may", sa.String(8), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.create_index("ix_programs_hash", "programs", ["hash"])
