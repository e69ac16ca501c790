"""Files have what PostgreSQL has had since version 5: some of that version were left without, before Alembic came."""

import sqlalchemy as sa
from alembic import op

revision = "5.files"
down_revision = "5.photo_owners"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "preferences",
        _table_id(),
        sa.Column("advice", sa.String(8), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
        if_not_exists=True,
    )
    op.create_table(
        "dice_sets",
        _table_id(),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
        if_not_exists=True,
    )


def _table_id() -> "sa.Column[int]":
    of_table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    return sa.Column("table_id", sa.Integer, of_table, primary_key=True, autoincrement=False)
