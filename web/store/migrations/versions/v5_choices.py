"""How much a table advises, and what its dice are called. Stores from before Alembic may have both, in version 5."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import table_id

revision = "5.choices"
down_revision = "5.photo_owners"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "preferences",
        table_id(),
        sa.Column("advice", sa.String(8), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "dice_sets",
        table_id(),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
        if_not_exists=True,
    )
