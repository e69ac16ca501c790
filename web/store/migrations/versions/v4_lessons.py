"""Version 4: a table remembers how its own dice look."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import table_id

revision = "4"
down_revision = "3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lessons",
        table_id(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
    )
