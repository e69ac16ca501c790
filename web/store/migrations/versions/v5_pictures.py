"""Tables keep small pictures of their throws, as proof. Added beside version 5."""

import sqlalchemy as sa
from alembic import op

from web.store.migrations.common import table_id

revision = "5.pictures"
down_revision = "5.own_games"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "agreements",
        table_id(),
        sa.Column("pictures", sa.Boolean, nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
    op.create_table(
        "pictures",
        table_id(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("sum", sa.String(32), nullable=False),
    )
