"""Version 4: a table remembers how its own dice look."""

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    of_table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    op.create_table(
        "lessons",
        sa.Column("table_id", sa.Integer, of_table, primary_key=True, autoincrement=False),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
